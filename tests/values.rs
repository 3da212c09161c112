//! Exact values over grids: what the claims of Theorems 7.1 and 7.2 compute, as snapshots. No float is in them.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use constructions::Sizes;
use constructions::backcopy::{Reading, Task};
use constructions::basis::Basis;
use constructions::cluster::shapes::Coherence;
use constructions::cluster::task::Data;
use std::fmt::Write;
use verify::cell::Cell;
use verify::cluster::spec::ClusterSpec;
use verify::evidence::Value;
use verify::place::Place;
use verify::runner;

fn exact(value: &Value) -> String {
    match value {
        Value::Exact(x) => x.to_string(),
        Value::Count(n) => n.to_string(),
        Value::Text(t) => t.clone(),
        // Enclosures are shown to ten decimals: rounded from exact rationals, the same on every machine.
        Value::Enclosed(low, high) => {
            let digits = |x: &exact::Rational| exact::Surd::from(x.clone()).approx(10);
            format!("[{}, {}]", digits(low), digits(high))
        }
    }
}

/// Outcome and named values of one claim at a place.
fn found(place: &Place, claim: &str) -> String {
    let claims = runner::select(&[claim.into()]);
    // Claims that this one needs are not asked: evidence speaks for itself.
    let evidence = claims[0].evidence(place);
    let values: Vec<String> = evidence
        .values
        .iter()
        .map(|(name, x)| format!("{name} = {}", exact(x)))
        .collect();
    format!("{}; {}", evidence.outcome(), values.join("; "))
}

/// One line for each cell: outcome and the named values of one claim.
fn lines(claim: &str, readings: &[Reading]) -> String {
    let mut out = String::new();
    for t in [1, 2, 3, 4, 5, 8, 16, 64, 256] {
        for (c, d) in [(1, 1), (1, 3), (3, 1), (3, 3), (5, 5), (8, 2)] {
            for reading in readings {
                let sizes = Sizes::new(t, c, d, None).unwrap();
                let task = Task {
                    sizes,
                    reading: *reading,
                };
                let cell = Cell::new(task, Basis::standard(), None);
                let found = found(&cell.into(), claim);
                writeln!(out, "T={t} C={c} D={d} {reading}: {found}").unwrap();
            }
        }
    }
    out
}

/// The same for the cluster task.
fn cluster_lines(claim: &str) -> String {
    let mut out = String::new();
    for groups in [1, 2, 3, 5] {
        for dormants in [1, 2, 4, 8] {
            for delta in ["5/13", "1/2", "1/10"] {
                for shape in ["orthogonal", "simplex", "near:1/100"] {
                    let spec = ClusterSpec {
                        dormants: vec![dormants; groups],
                        delta: delta.parse().unwrap(),
                        phi: exact::ratio(1, 40),
                        coherence: Coherence::Paired,
                        epsilon: exact::ratio(1, 20),
                        shape: shape.parse().unwrap(),
                        data: Data::default(),
                        width: None,
                        kappa: None,
                        size: None,
                    };
                    let found = found(&spec.cell().unwrap().into(), claim);
                    writeln!(out, "{spec}: {found}").unwrap();
                }
            }
        }
    }
    out
}

fn snapshot_clusters(name: &str, claim: &str) {
    save(name, &cluster_lines(claim));
}

fn snapshot(name: &str, claim: &str, readings: &[Reading]) {
    save(name, &lines(claim, readings));
}

fn save(name: &str, text: &str) {
    insta::with_settings!({snapshot_path => "../snapshots", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!(name, text);
    });
}

const A: &[Reading] = &[Reading::A];
const ALL: &[Reading] = &[Reading::A, Reading::B, Reading::L];

#[test]
fn condition_3() {
    snapshot("condition_3", "thm-7.1.condition-3", A);
}

#[test]
fn condition_3_with_its_own_matrices() {
    snapshot("condition_3_own", "thm-7.1.condition-3.own", A);
}

#[test]
fn mended_theorem() {
    snapshot("mended_theorem", "thm-7.1~", ALL);
}

#[test]
fn margins() {
    snapshot("margins", "thm-7.1.sink.margins", ALL);
}

#[test]
fn labels() {
    snapshot("labels", "thm-7.1.sink.labels", ALL);
}

#[test]
fn costs() {
    snapshot("cost_qk", "thm-7.1.sink.cost.qk", A);
    snapshot("cost_vo", "thm-7.1.sink.cost.vo", A);
    snapshot("cost_mlp", "thm-7.1.sink.cost.mlp", A);
    snapshot("cost_first_position", "thm-7.1.sink.first-position~", A);
}

#[test]
fn lower_bounds() {
    snapshot("lower_bound_printed", "thm-7.1.diag.lower-bound", ALL);
    snapshot("lower_bound_mended", "thm-7.1.diag.lower-bound~", ALL);
}

#[test]
fn warm_up() {
    snapshot("warm_up_costs", "sec-7.identity.costs", A);
    snapshot("warm_up_cheaper", "sec-7.identity.optimal", A);
}

#[test]
fn softmax() {
    snapshot("softmax", "thm-7.1.softmax~", A);
}

#[test]
fn condition_4() {
    snapshot_clusters("condition_4", "thm-7.2.condition-4");
    snapshot_clusters("condition_4_mended", "thm-7.2~");
}

#[test]
fn four_bounds() {
    snapshot_clusters("cluster_sink_upper", "thm-D.1.sink.upper");
    snapshot_clusters("cluster_diagonal_lower", "thm-D.1.diag.lower");
    snapshot_clusters("cluster_diagonal_upper", "thm-D.1.diag.upper");
    snapshot_clusters("cluster_sink_lower", "thm-D.1.sink.lower");
}

#[test]
fn sharper_bounds() {
    snapshot_clusters("cluster_constants", "thm-D.1.constants~");
    snapshot_clusters("cluster_cheaper", "thm-D.1.sink.cheaper~");
    snapshot_clusters("cluster_copy_cost", "thm-D.1.copy-cost~");
    snapshot_clusters("cluster_repaired", "conj-7.sink-lower~");
}

/// Claims that are decided once, on settings and instances of their own.
#[test]
fn decided_once() {
    let mut out = String::new();
    for claim in runner::select(&[]) {
        let own = ["thm-5.1", "rem-B.4", "prop-B", "trigger", "diagnostics"];
        if !own.iter().any(|p| claim.id.starts_with(p)) {
            continue;
        }
        let evidence = claim.alone().unwrap();
        writeln!(out, "{}: {}", claim.id, evidence.outcome()).unwrap();
        for text in [&evidence.witness, &evidence.proof_gap]
            .into_iter()
            .flatten()
        {
            writeln!(out, "  {text}").unwrap();
        }
        for (name, x) in &evidence.values {
            writeln!(out, "  {name} = {}", exact(x)).unwrap();
        }
    }
    save("decided_once", &out);
}

#[test]
fn theta() {
    snapshot_clusters("cluster_theta", "thm-D.1.theta");
}
