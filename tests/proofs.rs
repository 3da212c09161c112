//! Proofs for all sizes: the definitions are proved, every small change of them is not, and formulas agree with matrices.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use constructions::Sizes;
use constructions::backcopy::{bounds, sink};
use constructions::basis::Basis;
use constructions::cluster::{diagonal, sink as cluster};
use constructions::identity;
use constructions::language::{Family, Matrix, mutations};
use constructions::reading::symbolic_reading::entry;
use constructions::reading::{Side, operator};
use exact::formula::Form;
use exact::{Surd, ratio};
use verify::proofs::accounting::{MLP, VO};
use verify::proofs::backcopy::{first_label, first_margin, sink_labels, sink_margins, sink_norm};
use verify::proofs::cluster_costs::{diagonal_cost, diagonal_upper, sink_cost, sink_upper};
use verify::proofs::cluster_lower::{diagonal_lower, sink_lower};
use verify::proofs::cluster_sharper::{cheaper, constants};
use verify::proofs::clusters;
use verify::proofs::formula::polynomial;
use verify::proofs::reach::LEFT;
use verify::proofs::registry::PROOFS;
use verify::proofs::step::{Decision, Step};
use verify::proofs::theorem::{mended_mlp, printed_mlp, value_map, warm_up};
use verify::proofs::theta::{diagonal_labels, theta};

/// Every step proved, or the first that is not.
fn first_gap<E: std::fmt::Display>(steps: Result<Vec<Step>, E>) -> Option<String> {
    let steps = match steps {
        Ok(steps) => steps,
        Err(e) => return Some(format!("unreadable: {e}")),
    };
    assert!(!steps.is_empty());
    steps.iter().find_map(|step| match step.decide() {
        Decision::Proved { cases, .. } if cases > 0 => None,
        Decision::Proved { .. } => Some("no case".into()),
        Decision::Refuted(point) => Some(format!("refuted: {}: {point}", step.says)),
        Decision::Unknown(why) => Some(format!("unknown: {}: {why}", step.says)),
    })
}

#[test]
fn margins_are_proved_for_all_sizes() {
    assert_eq!(first_gap(sink_margins(&sink::qk())), None);
    assert_eq!(first_gap(sink_margins(&sink::qk_first())), None);
    assert_eq!(first_gap(first_margin(&sink::qk_first())), None);
    let printed = first_gap(first_margin(&sink::qk())).unwrap();
    assert!(printed.starts_with("refuted"), "{printed}");
}

#[test]
fn labels_are_proved_for_all_sizes() {
    let one = ratio(1, 1);
    assert_eq!(
        first_gap(sink_labels(&sink::vo(), &sink::w1(), &sink::w2())),
        None
    );
    let (w1, w2) = (sink::w1_units(&one), sink::w2_units());
    assert_eq!(
        first_gap(sink_labels(&sink::vo_projector(), &w1, &w2)),
        None
    );
}

#[test]
fn every_registered_proof_stands() {
    for proof in PROOFS {
        let judged = proof.judge();
        assert_eq!(judged.gap(), None, "{}", proof.claim);
        assert!(judged.proved() && judged.cases() > 0, "{}", proof.claim);
    }
}

/// What each change of a definition comes to; all are refused but those listed.
fn survivors(definition: &Matrix, prove: impl Fn(&Matrix) -> Option<String>) -> Vec<String> {
    let all = mutations(definition);
    assert!(all.len() > 10);
    let survives = |m: &constructions::language::Mutation| prove(&m.mutated).is_none();
    all.iter()
        .filter(|m| survives(m))
        .map(|m| m.change.clone())
        .collect()
}

/// Changes that keep a statement true: each is a matrix with the same property, and no other change is proved. They are greater
/// scores of BOS, halves of its token exchanged, terms that no token meets, or matrices that cost the same (bounds: no more).
#[test]
fn changed_definitions_are_not_proved() {
    let one = ratio(1, 1);
    let mut table = String::new();
    let mut list = |name: &str, survivors: Vec<String>| {
        table += &format!("{name}\n");
        survivors.iter().for_each(|s| table += &format!("  {s}\n"));
    };
    let (vo, w1, w2) = (sink::vo(), sink::w1(), sink::w2());
    let (projector, u1, u2) = (sink::vo_projector(), sink::w1_units(&one), sink::w2_units());
    let (f1, f2) = (sink::w1_first(&one), sink::w2_first());
    let margins = |m: &Matrix| first_gap(sink_margins(m));
    let labels = |vo: &Matrix, w1: &Matrix, w2: &Matrix| first_gap(sink_labels(vo, w1, w2));
    let both =
        |w1: &Matrix, w2: &Matrix| labels(&projector, w1, w2).or(first_gap(first_label(w1, w2)));
    list("margins of (7)", survivors(&sink::qk(), margins));
    list(
        "norm of (7)",
        survivors(&sink::qk(), |m| first_gap(sink_norm(m, false))),
    );
    list(
        "norm of (7) in reading L",
        survivors(&sink::qk_first(), |m| first_gap(sink_norm(m, true))),
    );
    list(
        "first margin in reading L",
        survivors(&sink::qk_first(), |m| {
            first_gap(first_margin(m)).or(margins(m))
        }),
    );
    let (cqk, cvo, cw1, cw2) = (cluster::qk(), cluster::vo(), cluster::w1(), cluster::w2());
    let (dqk, dvo) = (diagonal::qk(), diagonal::vo());
    let cost =
        |b: &Matrix, v: &Matrix, w1: &Matrix, w2: &Matrix| first_gap(sink_cost(b, v, w1, w2));
    list(
        "cost of D.1's sink, M",
        survivors(&cqk, |m| cost(m, &cvo, &cw1, &cw2)),
    );
    list(
        "cost of D.1's sink, W_O W_V",
        survivors(&cvo, |m| cost(&cqk, m, &cw1, &cw2)),
    );
    list(
        "cost of D.1's sink, W_1",
        survivors(&cw1, |m| cost(&cqk, &cvo, m, &cw2)),
    );
    list(
        "cost of D.1's sink, W_2",
        survivors(&cw2, |m| cost(&cqk, &cvo, &cw1, m)),
    );
    let cost = |b: &Matrix, v: &Matrix| first_gap(diagonal_cost(b, v));
    list(
        "cost of D.1's diagonal, B",
        survivors(&dqk, |m| cost(m, &dvo)),
    );
    list(
        "cost of D.1's diagonal, W_O W_V",
        survivors(&dvo, |m| cost(&dqk, m)),
    );
    let sharp = |b: &Matrix, d: &Matrix| first_gap(constants([b, &cvo, &cw1, &cw2], [d, &dvo]));
    list("sharper constants, M", survivors(&cqk, |m| sharp(m, &dqk)));
    list(
        "sharper constants, B of the diagonal",
        survivors(&dqk, |m| sharp(&cqk, m)),
    );
    let one_map = cluster::vo_cheaper(&one);
    let less = cluster::w2_cheaper();
    list(
        "cheaper sink, W_2",
        survivors(&less, |m| first_gap(cheaper(&one_map, &cw1, m))),
    );
    let (one_sink, all) = (identity::sink(), identity::diagonal());
    list(
        "warm-up, kappa 1 e_1^T",
        survivors(&one_sink, |m| first_gap(warm_up(m, &all))),
    );
    list(
        "warm-up, kappa I",
        survivors(&all, |m| first_gap(warm_up(&one_sink, m))),
    );
    list(
        "mended W_O W_V",
        survivors(&projector, |m| first_gap(value_map(m))),
    );
    list(
        "cost of (9)",
        survivors(&w1, |m| first_gap(printed_mlp(m, &w2))),
    );
    list(
        "cost of (10)",
        survivors(&w2, |m| first_gap(printed_mlp(&w1, m))),
    );
    let first = [&f1, &f2];
    let cost = |w1: &Matrix, w2: &Matrix| first_gap(mended_mlp([w1, w2], first));
    list("cost of the mended W_1", survivors(&u1, |m| cost(m, &u2)));
    list("cost of the mended W_2", survivors(&u2, |m| cost(&u1, m)));
    let cost = |first: [&Matrix; 2]| first_gap(mended_mlp([&u1, &u2], first));
    list(
        "cost of W_1 in reading L",
        survivors(&f1, |m| cost([m, &f2])),
    );
    list(
        "cost of W_2 in reading L",
        survivors(&f2, |m| cost([&f1, m])),
    );
    list("labels, (8)", survivors(&vo, |m| labels(m, &w1, &w2)));
    list("labels, (9)", survivors(&w1, |m| labels(&vo, m, &w2)));
    list("labels, (10)", survivors(&w2, |m| labels(&vo, &w1, m)));
    list(
        "labels, mended W_O W_V",
        survivors(&projector, |m| labels(m, &u1, &u2)),
    );
    list(
        "labels, mended W_1",
        survivors(&u1, |m| labels(&projector, m, &u2)),
    );
    list(
        "labels, mended W_2",
        survivors(&u2, |m| labels(&projector, &u1, m)),
    );
    list("labels, W_1 of reading L", survivors(&f1, |m| both(m, &f2)));
    list("labels, W_2 of reading L", survivors(&f2, |m| both(&f1, m)));
    list(
        "margins of D.1's sink",
        survivors(&cluster::qk(), |m| first_gap(clusters::sink_margins(m))),
    );
    list(
        "margins of D.1's diagonal",
        survivors(&diagonal::qk(), |m| {
            first_gap(clusters::diagonal_margins(m))
        }),
    );
    list(
        "labels of D.1's diagonal",
        survivors(&diagonal::vo(), |m| first_gap(diagonal_labels(m))),
    );
    let (cvo, c1, c2) = (cluster::vo(), cluster::w1(), cluster::w2());
    list(
        "theta, W_O W_V",
        survivors(&cvo, |m| first_gap(theta(m, &c1, &c2))),
    );
    list(
        "theta, W_1",
        survivors(&c1, |m| first_gap(theta(&cvo, m, &c2))),
    );
    list(
        "theta, W_2",
        survivors(&c2, |m| first_gap(theta(&cvo, &c1, m))),
    );
    insta::with_settings!({snapshot_path => "../snapshots", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!("proofs_survivors", table);
    });
}

/// The entry between two members by the formula and by the exact matrix, for every definition, every change of it and
/// every pair of members, at several sizes.
#[test]
fn formulas_agree_with_matrices() {
    let mut read = 0;
    let basis = Basis::standard();
    for definition in [
        sink::qk(),
        sink::qk_first(),
        sink::vo(),
        sink::vo_projector(),
    ] {
        let all = mutations(&definition).into_iter().map(|m| m.mutated);
        for matrix in all.chain([definition]) {
            for (t, c, d, width) in [(1, 1, 1, 5), (2, 1, 2, 8), (4, 2, 1, 9), (3, 2, 3, 10)] {
                let sizes = Sizes::new(t, c, d, Some(width)).unwrap();
                let exact =
                    operator(&matrix, Side::Residual, Side::Residual, &sizes, &basis).entries();
                let mut members: Vec<(Family, usize, usize)> = (0..=sizes.v())
                    .map(|i| (Family::Context, i, sizes.h(i)))
                    .collect();
                members.extend((0..=t).map(|s| (Family::Position, s, sizes.p(s))));
                for (f, i, row) in &members {
                    for (g, j, column) in &members {
                        let unit =
                            |family, k: usize| vec![(ratio(1, 1), family, Form::from(k as i64))];
                        let Ok(entry) = entry(&matrix, &unit(*f, *i), &unit(*g, *j)) else {
                            continue;
                        };
                        let point = [("T", t), ("C", c), ("D", d)]
                            .map(|(n, x)| (n.to_string(), x as i64))
                            .into();
                        let mut value = entry.plain.at(&point).unwrap();
                        for part in &entry.divided {
                            // Over 0 the exact reading leaves a term out.
                            let over = ratio(part.divisor.at(&point).unwrap(), 1)
                                .recip()
                                .unwrap_or_default();
                            value += part.left.at(&point).unwrap()
                                * part.right.at(&point).unwrap()
                                * over;
                        }
                        let found = exact.get(&(*row, *column)).cloned().unwrap_or_default();
                        assert_eq!(value, found, "{matrix} at {sizes:?}: {f:?} {i}, {g:?} {j}");
                        read += 1;
                    }
                }
            }
        }
    }
    assert!(read > 10_000, "{read}");
}

/// The left sides that proofs about (3) speak of are those that grids are decided with.
/// The constants of D.1 are sharp enough to matter: smaller ones are not proved, nor are the bounds of changed builds unless they
/// cost no more.
#[test]
fn smaller_constants_of_the_clusters_are_not_proved() {
    let n = |x: i64| ratio(x, 1);
    let (qk, vo, w1, w2) = (cluster::qk(), cluster::vo(), cluster::w1(), cluster::w2());
    let sink = |a, b| first_gap(sink_upper([&qk, &vo, &w1, &w2], [&a, &b]));
    assert_eq!(sink(n(12), n(5)), None);
    assert!(sink(n(10), n(5)).is_some());
    assert!(sink(n(12), n(4)).is_some());
    let (dqk, dvo) = (diagonal::qk(), diagonal::vo());
    let diag = |a, b, c| first_gap(diagonal_upper([&dqk, &dvo], [&a, &b, &c]));
    assert_eq!(diag(n(13), n(4), n(3)), None);
    assert!(diag(n(12), n(4), n(3)).is_some());
    assert!(diag(n(13), ratio(39, 10), n(3)).is_some());
    assert!(diag(n(13), n(4), n(2)).is_some());
    assert!(first_gap(sink_lower(&ratio(1, 2))).is_none());
    assert!(first_gap(sink_lower(&n(1))).is_some());
    let half = || ratio(1, 2);
    assert!(first_gap(diagonal_lower(&half(), &n(1))).is_none());
    assert!(first_gap(diagonal_lower(&ratio(3, 5), &n(1))).is_some());
    assert!(first_gap(diagonal_lower(&half(), &ratio(101, 100))).is_some());
}

/// The bounds that are proved are those that are compared at every place.
#[test]
fn the_lower_bound_is_that_of_the_bounds() {
    for (t, c, d) in [(2, 1, 1), (3, 2, 1), (5, 1, 4), (9, 3, 2)] {
        let sizes = Sizes::new(t, c, d, None).unwrap();
        let (t, c, d) = (ratio(t as i64, 1), ratio(c as i64, 1), ratio(d as i64, 1));
        let one = ratio(1, 1);
        let n = &t * (&t * &t - &one);
        let three = &ratio(3, 1) * (&c + &d);
        let squared = bounds::diagonal_mended_squared(&sizes);
        assert_eq!(&three * &squared, &c * &d * &n);
        let without = bounds::diagonal_without_second_squared(&sizes);
        let shorter = &t * (&t - &one) * (&t - ratio(2, 1));
        assert_eq!(&three * without, &c * &d * shorter);
        // (1 + rho) times the bound of reading B is that of reading A; rho^2 = 3(T-1)/(C T (T+1)).
        let square = (ratio(3, 1) * (&t - &one)).checked_div(&(&c * &t * (&t + &one)));
        let more = &Surd::one() + &Surd::sqrt(&square.unwrap()).unwrap();
        let sharper = bounds::diagonal_sharper_b(&sizes).unwrap();
        assert_eq!(&sharper * &more, Surd::sqrt(&squared).unwrap());
    }
}

#[test]
fn the_left_side_of_condition_3_is_that_of_the_bounds() {
    let mut seen = 0;
    for t in 1..6 {
        for c in 1..4 {
            for d in 1..4 {
                for more in 0..3 {
                    let width = t + c + d + 2 + more;
                    let sizes = Sizes::new(t, c, d, Some(width)).unwrap();
                    let point = [("T", t), ("C", c), ("D", d), ("d", width)]
                        .map(|(n, x)| (n.to_string(), ratio(x as i64, 1)))
                        .into();
                    let at = |text: &str| polynomial(text).unwrap().evaluate(&point).unwrap();
                    let mlp = bounds::w1_printed(&sizes) + bounds::w2_printed(&sizes);
                    assert_eq!(at(VO), bounds::vo_printed(&sizes));
                    assert_eq!(at(MLP), mlp);
                    assert_eq!(at(LEFT), at(VO) + mlp);
                    seen += 1;
                }
            }
        }
    }
    assert_eq!(seen, 135);
}
