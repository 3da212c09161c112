//! Exact values over a grid: what the claims of Theorem 7.1 compute, as snapshots. No float is in them.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use constructions::Sizes;
use constructions::backcopy::{Reading, Task};
use constructions::basis::Basis;
use std::fmt::Write;
use verify::cell::Cell;
use verify::evidence::Value;
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
                let verdict = runner::instance(&cell, &runner::select(&[claim.into()]))
                    .pop()
                    .unwrap();
                let values: Vec<String> = verdict
                    .values
                    .iter()
                    .map(|(name, x)| format!("{name} = {}", exact(x)))
                    .collect();
                let outcome = verdict.outcome;
                writeln!(
                    out,
                    "T={t} C={c} D={d} {reading}: {outcome}; {}",
                    values.join("; ")
                )
                .unwrap();
            }
        }
    }
    out
}

fn snapshot(name: &str, claim: &str, readings: &[Reading]) {
    let text = lines(claim, readings);
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
