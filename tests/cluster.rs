//! Costs, norms on frames, effective ranks and lower bounds of the cluster task, against floats and by hand.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

#[path = "../constructions/tests/tasks/explicit.rs"]
mod explicit;
#[path = "../constructions/tests/tasks/mod.rs"]
mod tasks;

use certificates::Rejection;
use constructions::cluster::build::{Build, Pattern};
use constructions::cluster::families;
use constructions::cluster::labels;
use constructions::cluster::margins::{self, Imposed};
use constructions::cluster::reading::{Columns, apply, vector_square};
use constructions::cluster::shapes::{Coherence, Shape};
use constructions::cluster::task::{Data, Orders, Task, TaskError, Token, lift};
use constructions::matrix::{Sparse, combine};
use exact::{Rational, Surd, ratio};
use explicit::{turns, two_ways};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeSet;
use tasks::tasks;
use verify::cluster::bounds::{self, BoundError, CopySum, Weighted};
use verify::cluster::cost::{Cost, as_form, costs, norm};
use verify::cluster::spec::{self, ClusterSpec, SpecError};
use verify::cluster::spectrum::{self, Edge, Effective, uniform};
use verify::cluster::{ClusterCell, Narrow, weights};
use verify::frame_norm::{self, grouped, nuclear};
use verify::nuclear::Norm;

const PATTERNS: [Pattern; 2] = [Pattern::Sink, Pattern::Diagonal];

fn task(dormants: Vec<usize>, delta_squared: Rational, phi: Rational, shape: &Shape) -> Task {
    let phi = (phi, Coherence::Negative);
    let data = Data::default();
    Task::new(dormants, delta_squared, ratio(1, 20), phi, shape, data).unwrap()
}

fn plain(dormants: Vec<usize>, delta_squared: Rational) -> Task {
    task(dormants, delta_squared, ratio(0, 1), &Shape::Orthogonal)
}

fn feasible(task: &Task) -> bool {
    task.separation().is_none_or(|x| !x.is_zero())
}

fn root(p: i64, q: i64) -> Surd {
    Surd::sqrt(&ratio(p, q)).unwrap()
}

/// The ends of an enclosure contain a float, and are close to it.
fn near(found: &Norm, expected: f64) -> bool {
    let (low, high) = frame_norm::bounds(found);
    let (low, high) = (low.to_f64(), high.to_f64());
    let slack = 1e-8 * (1.0 + expected.abs());
    low <= high
        && high - low < slack
        && (low - expected).abs() < slack
        && (high - expected).abs() < slack
}

/// Two enclosures have a number in common, and both are narrow.
fn overlap(a: &Norm, b: &Norm) -> bool {
    let ((a0, a1), (b0, b1)) = (frame_norm::bounds(a), frame_norm::bounds(b));
    let narrow =
        |low: &Rational, high: &Rational| (high - low).to_f64() < 1e-8 * (1.0 + high.to_f64());
    narrow(&a0, &a1) && narrow(&b0, &b1) && a0 <= b1 && b0 <= a1
}

/// A matrix by columns, in floats.
fn float(rows: usize, columns: &[Sparse<Surd>]) -> DMatrix<f64> {
    let mut all = DMatrix::zeros(rows, columns.len());
    for (j, column) in columns.iter().enumerate() {
        column.iter().for_each(|(i, x)| all[(*i, j)] = x.to_f64());
    }
    all
}

/// Vectors with a Gram matrix, as columns.
fn frame(gram: &[Sparse]) -> DMatrix<f64> {
    let lifted: Columns = gram.iter().map(lift).collect();
    let lower = float(gram.len(), &lifted).cholesky().unwrap().l();
    lower.transpose()
}

/// The sum of singular values: the positive eigenvalues of [[0, A], [A^T, 0]].
fn float_nuclear(a: &DMatrix<f64>) -> f64 {
    let (rows, cols) = a.shape();
    let mut both = DMatrix::zeros(rows + cols, rows + cols);
    both.view_mut((0, rows), (rows, cols)).copy_from(a);
    both.view_mut((rows, 0), (cols, rows))
        .copy_from(&a.transpose());
    both.symmetric_eigenvalues()
        .iter()
        .map(|x| x.abs())
        .sum::<f64>()
        / 2.0
}

/// That of the matrix whose values on a frame are a form.
fn float_norm(form: &Columns, gram: &[Sparse]) -> f64 {
    let inverse = frame(gram).try_inverse().unwrap();
    float_nuclear(&(inverse.transpose() * float(gram.len(), form) * inverse))
}

// ---- Norms on frames.

/// A positive definite Gram matrix from random numbers, some vectors orthogonal to others.
fn gram(n: usize, numbers: &[i64], sparse: bool) -> Vec<Sparse> {
    let entry = |i: usize, k: usize| numbers[(7 * i + 3 * k) % numbers.len()];
    let column = |j: usize| -> Sparse {
        let all = (0..n).map(|i| {
            let apart = sparse && i % 2 != j % 2;
            let sum: i64 = (0..n).map(|k| entry(i, k) * entry(j, k)).sum();
            let own = i64::from(i == j);
            (
                i,
                if apart {
                    ratio(0, 1)
                } else {
                    ratio(sum + own, 3)
                },
            )
        });
        all.filter(|(_, x)| !x.is_zero()).collect()
    };
    (0..n).map(column).collect()
}

/// A sum of `rank` outer products with entries `x + y sqrt 2`, by columns.
fn form(n: usize, rank: usize, numbers: &[(i64, i64)], irrational: bool) -> Columns {
    let two = root(2, 1);
    let number = |k: usize| {
        let (x, y) = numbers[k % numbers.len()];
        let rest = two.scale(&ratio(if irrational { y } else { 0 }, 3));
        &Surd::from(ratio(x, 2)) + &rest
    };
    let column = |j: usize| -> Sparse<Surd> {
        let all = (0..n).map(|i| {
            let mut sum = Surd::zero();
            for k in 0..rank {
                sum += &(number(11 * k + 2 * i) * number(5 * k + 3 * j + 1));
            }
            (i, sum)
        });
        all.filter(|(_, x)| !x.is_zero()).collect()
    };
    (0..n).map(column).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Ranks one and two in closed form, others enclosed: all agree with floats.
    #[test]
    fn norms_agree_with_floats(
        (n, rank) in (1usize..7, 1usize..5),
        numbers in prop::collection::vec(-2i64..3, 23),
        entries in prop::collection::vec((-3i64..4, -2i64..3), 29),
        (irrational, sparse) in any::<(bool, bool)>(),
    ) {
        let gram = gram(n, &numbers, sparse);
        let form = form(n, rank, &entries, irrational);
        let expected = float_norm(&form, &gram);
        let found = nuclear(&form, &gram).unwrap();
        prop_assert!(near(&found, expected), "{:?} {}", found, expected);
        // Exchanging vectors for sums and contrasts changes nothing.
        let groups = (n - 1) / 2;
        let exchanged = grouped(&form, &gram, groups).unwrap();
        prop_assert!(overlap(&found, &exchanged), "{:?} {:?}", found, exchanged);
    }

    /// The norm of a semidefinite form S is tr K^-1 S: every enclosure contains it, however narrow.
    #[test]
    fn norms_of_semidefinite_forms_are_traces(
        n in 2usize..6,
        numbers in prop::collection::vec(-2i64..3, 23),
        vectors in prop::collection::vec((prop::collection::vec(-3i64..4, 6), 1i64..4), 1..5),
        irrational in any::<bool>(),
    ) {
        let gram = gram(n, &numbers, false);
        let inverse = constructions::cluster::gram::inverse(&gram).unwrap();
        let entry = |i: usize, j: usize| {
            let mut sum = Surd::zero();
            for (v, weight) in &vectors {
                let weight = if irrational { root(*weight, 2) } else { Surd::from(*weight) };
                sum += &weight.scale(&ratio(v[i] * v[j], 9));
            }
            sum
        };
        let form: Columns = (0..n)
            .map(|j| (0..n).map(|i| (i, entry(i, j))).filter(|(_, x)| !x.is_zero()).collect())
            .collect();
        let mut trace = Surd::zero();
        for (a, b) in inverse.iter().zip(&form) {
            trace += &constructions::matrix::dot(&lift(a), b);
        }
        let found = nuclear(&form, &gram).unwrap();
        prop_assert!(closed(&found, &trace), "{:?} {}", found, trace);
    }

    /// Forms that treat all groups alike fall apart into smaller ones, of the same norm together.
    #[test]
    fn exchanging_groups_changes_no_norm(
        groups in 1usize..5,
        (p, q, r) in (-3i64..4, -3i64..4, -3i64..4),
        weights in prop::collection::vec((-3i64..4, -2i64..3), 9),
    ) {
        // Inner products by kind of vector: small enough to be definite, equal within a kind.
        let kind = |k: usize| if k == 0 { 0 } else { 1 + (k - 1) / groups };
        let inner = |i: usize, j: usize| match (kind(i.min(j)), kind(i.max(j))) {
            _ if i == j => ratio(1, 1),
            (0, _) => ratio(p, 40),
            (1, 2) if j.abs_diff(i) == groups => ratio(r, 40),
            _ => ratio(q, 40),
        };
        let n = 1 + 2 * groups;
        let gram: Vec<Sparse> = (0..n)
            .map(|j| (0..n).map(|i| (i, inner(i, j))).filter(|(_, x)| !x.is_zero()).collect())
            .collect();
        let two = root(2, 1);
        let value = |i: usize, j: usize| {
            let partner = kind(i) > 0 && kind(j) > 0 && (i - 1) % groups == (j - 1) % groups;
            let (x, y) = weights[3 * kind(i) + kind(j)];
            let own = if partner { Surd::from(x) } else { Surd::zero() };
            &own + &two.scale(&ratio(y, 4))
        };
        let form: Columns = (0..n)
            .map(|j| (0..n).map(|i| (i, value(i, j))).filter(|(_, x)| !x.is_zero()).collect())
            .collect();
        let expected = float_norm(&form, &gram);
        let whole = nuclear(&form, &gram).unwrap();
        let apart = grouped(&form, &gram, groups).unwrap();
        prop_assert!(near(&whole, expected), "{:?} {}", whole, expected);
        prop_assert!(near(&apart, expected), "{:?} {}", apart, expected);
        prop_assert!(overlap(&whole, &apart));
    }
}

#[test]
fn norms_that_are_known() {
    let dense = |rows: &[&[i64]]| -> Columns {
        let column = |j: usize| {
            let all = rows.iter().enumerate().map(|(i, r)| (i, Surd::from(r[j])));
            all.filter(|(_, x)| !x.is_zero()).collect()
        };
        (0..rows[0].len()).map(column).collect()
    };
    let rational = |columns: &Columns| -> Vec<Sparse> {
        let entries = |c: &Sparse<Surd>| {
            c.iter()
                .map(|(k, x)| (*k, x.as_rational().unwrap()))
                .collect()
        };
        columns.iter().map(entries).collect()
    };
    let exact = |form: &Columns, gram: &Columns| nuclear(form, &rational(gram)).unwrap();
    let is = |x: Surd| Norm::Exact(x);
    // A vector of square 4: B = 3/8 f f^T has the value 6 on it, and norm 3/2.
    assert_eq!(
        exact(&dense(&[&[6]]), &dense(&[&[4]])),
        is(Surd::from(ratio(3, 2)))
    );
    // K itself is the form of the projector onto the span.
    let plane = dense(&[&[2, 1], &[1, 2]]);
    assert_eq!(exact(&plane, &plane), is(Surd::from(2)));
    // x x^T with x = f_1 + f_2, |x|^2 = 6: values K x x^T K.
    assert_eq!(
        exact(&dense(&[&[9, 9], &[9, 9]]), &plane),
        is(Surd::from(6))
    );
    // f_1 (f_1 - f_2)^T: |f_1| |f_1 - f_2| = sqrt 2 sqrt 2.
    assert_eq!(
        exact(&dense(&[&[2, -2], &[1, -1]]), &plane),
        is(Surd::from(2))
    );
    let identity = dense(&[&[1, 0, 0], &[0, 1, 0], &[0, 0, 1]]);
    // Blocks add up: 5 and |(1, 2)| = sqrt 5, which is enclosed.
    let found = exact(&dense(&[&[3, 4, 0], &[0, 0, 1], &[0, 0, 2]]), &identity);
    assert!(near(&found, 5.0 + 5f64.sqrt()));
    let found = exact(&dense(&[&[3, 4, 0], &[0, 0, 3], &[0, 0, 4]]), &identity);
    assert_eq!(found, is(Surd::from(10)));
    // (s_1 + s_2)^2 = 7 + 2 sqrt 9/... : [[2, 0], [1, 1]] has squares 6 and determinant 2, so sqrt 10.
    let found = exact(&dense(&[&[2, 0], &[1, 1]]), &dense(&[&[1, 0], &[0, 1]]));
    assert!(near(&found, 10f64.sqrt()));
    // [[4, 0], [-3, 5]]: squares 50, determinant 20, sqrt 90; [[1, 2], [-2, 1]]: squares 10, determinant 5, sqrt 20.
    let found = exact(&dense(&[&[4, 0], &[-3, 5]]), &dense(&[&[1, 0], &[0, 1]]));
    assert!(near(&found, 90f64.sqrt()));
    // [[3, 1], [1, 3]]: 4 + 2.
    assert_eq!(
        exact(&dense(&[&[3, 1], &[1, 3]]), &dense(&[&[1, 0], &[0, 1]])),
        is(Surd::from(6))
    );
    assert_eq!(exact(&vec![Sparse::new(); 3], &identity), is(Surd::zero()));
    // No Gram matrix, no norm.
    assert!(nuclear(&plane, &rational(&dense(&[&[1, 2], &[2, 1]]))).is_err());
}

// ---- Costs.

/// Known up to a relative 1e-12: an exact number equals the closed form, an enclosure contains it.
fn closed(found: &Norm, expected: &Surd) -> bool {
    match found {
        Norm::Exact(x) => x == expected,
        Norm::Enclosed(low, high) => {
            let (low, high) = (Surd::from(low.clone()), Surd::from(high.clone()));
            low <= *expected && *expected <= high && near(found, expected.to_f64())
        }
    }
}

#[test]
fn costs_of_the_smallest_case_by_hand() {
    // delta = 5/13, lambda = 12/13, r_eta = 2, C = 1, epsilon = 1/20.
    let task = plain(vec![2], ratio(25, 169));
    let sink = costs(&task, &Build::printed(&task, Pattern::Sink)).unwrap();
    // a = 156/144, b = 325/144: |M|_* = sqrt(a^2 + (a + b)^2).
    assert!(closed(&sink.qk, &root(255_697, 144 * 144)));
    assert_eq!(sink.vo, Norm::Exact(Surd::from(ratio(3, 2))));
    assert_eq!(sink.mlp, Norm::Exact(Surd::from(ratio(63, 10))));
    assert_eq!(sink.rest(), Norm::Exact(Surd::from(ratio(93, 10))));
    let twice = root(4 * 255_697, 144 * 144);
    assert!(closed(&sink.attention(), &twice));
    let diagonal = costs(&task, &Build::printed(&task, Pattern::Diagonal)).unwrap();
    // s + a = 313/144, b = 312/144; alpha r_eta = 338/25.
    let qk = &root(195_313, 144 * 144) + &Surd::from(ratio(338, 25));
    assert!(closed(&diagonal.qk, &qk));
    assert_eq!(diagonal.vo, Norm::Exact(Surd::from(ratio(57, 20))));
    assert_eq!(diagonal.mlp, Norm::Exact(Surd::zero()));
    let cheaper = costs(&task, &Build::cheaper(&task, &ratio(3, 10))).unwrap();
    assert_eq!(cheaper.vo, Norm::Exact(Surd::from(ratio(9, 10))));
    assert_eq!(cheaper.mlp, Norm::Exact(Surd::from(ratio(57, 10))));
}

#[test]
fn closed_forms_of_orthonormal_special_vectors() {
    for (delta_squared, inverse) in [
        (ratio(25, 169), Surd::from(ratio(13, 12))),
        (ratio(1, 4), root(4, 3)),
    ] {
        for c in 1..5 {
            let task = plain(vec![2; c], delta_squared.clone());
            let groups = Rational::from(c);
            let square = &inverse * &inverse;
            let sink = costs(&task, &Build::printed(&task, Pattern::Sink)).unwrap();
            // (C - 1) b + sqrt(2 a^2 C + b^2 + 2 a b sqrt C), in floats.
            let (a, n) = (inverse.to_f64(), c as f64);
            let b = a + a * a;
            let m = (n - 1.0) * b + (2.0 * a * a * n + b * b + 2.0 * a * b * n.sqrt()).sqrt();
            assert!(near(&sink.qk, m), "{c}: {:?} {m}", sink.qk);
            // Sums and contrasts fall apart into parts of rank one and two, so that no float is needed.
            let (low, high) = frame_norm::bounds(&sink.qk);
            assert!((high - low).to_f64() < 1e-25, "{c}");
            // C sqrt(s^2 + a^2 + b^2 + 2 s a) with s = 1/lambda^2, a = 1, b = 2/lambda, so C sqrt((s + 1)^2 + 4 s).
            let diagonal = costs(&task, &Build::printed(&task, Pattern::Diagonal)).unwrap();
            let s = square.to_f64();
            let m = n * ((s + 1.0).powi(2) + 4.0 * s).sqrt();
            let alpha = 1.0 / delta_squared.to_f64();
            assert!(near(&diagonal.qk, m + alpha * 2.0 * n), "{c}");
            // T_base is a projector of rank r_eta + C = 3 C.
            let whole = |x: Rational| Norm::Exact(Surd::from(x * &groups));
            assert_eq!(sink.vo, whole(ratio(3, 2)));
            assert_eq!(sink.mlp, whole(ratio(63, 10)));
            assert_eq!(diagonal.vo, whole(ratio(57, 20)));
        }
    }
}

/// The parts of a cost in floats.
fn float_costs(task: &Task, build: &Build) -> [f64; 3] {
    let gram = &task.geometry.gram;
    let (frame, n) = (frame(gram), gram.len());
    let inverse = frame.clone().try_inverse().unwrap();
    let size = |x: &Sparse<Surd>, m: &DMatrix<f64>| (m * float(n, std::slice::from_ref(x))).norm();
    let mlp = build
        .neurons
        .iter()
        .map(|k| size(&k.reads, &inverse.transpose()) * size(&k.writes, &frame));
    [
        float_norm(&build.qk, gram),
        float_nuclear(&(&frame * float(n, &build.vo) * &inverse)),
        2.0 * mlp.sum::<f64>(),
    ]
}

fn at_most(found: &Norm, bound: &Rational) -> bool {
    frame_norm::bounds(found).0 <= *bound
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    /// All parts of a cost against floats, and under the hypotheses against the bounds of Theorem D.1.
    #[test]
    fn costs_agree_with_floats(task in tasks(), pattern in select(PATTERNS.to_vec())) {
        let build = Build::printed(&task, pattern);
        let found = costs(&task, &build).unwrap();
        for (exact, float) in [&found.qk, &found.vo, &found.mlp].into_iter().zip(float_costs(&task, &build)) {
            prop_assert!(near(exact, float), "{:?} {}", exact, float);
        }
        prop_assert!(overlap(&found.qk, &nuclear(&build.qk, &task.geometry.gram).unwrap()));
        prop_assert!(overlap(&found.vo, &nuclear(&as_form(&task, &build.vo), &task.geometry.gram).unwrap()));
        if task.outside().is_none() && feasible(&task) {
            let (c, r) = (Rational::from(task.groups()), Rational::from(task.geometry.r_eta()));
            let alpha = task.separation().and_then(|x| x.recip()).unwrap_or_default();
            let (attention, rest) = match pattern {
                Pattern::Sink => (ratio(12, 1) * &c, ratio(5, 1) * (&r + &c)),
                Pattern::Diagonal => (ratio(13, 1) * &c + ratio(4, 1) * alpha * &r, ratio(3, 1) * (&r + &c)),
            };
            prop_assert!(at_most(&found.attention(), &attention));
            prop_assert!(at_most(&found.rest(), &rest));
        }
    }

    /// The same costs and effective rank from explicit vectors and from their Gram matrices.
    #[test]
    fn explicit_vectors_and_gram_matrices_cost_the_same(
        dormants in prop::collection::vec(1usize..4, 1..3),
        delta in select(vec![ratio(5, 13), ratio(3, 10)]),
        (bent, shape, turns) in (turns(), turns(), turns()),
    ) {
        let data = Data::default();
        let Some((explicit, by_grams)) = two_ways(&dormants, &delta, &data, (&bent, &shape, &turns)) else {
            return Ok(());
        };
        for pattern in PATTERNS {
            let cost = |task: &Task| -> Cost { costs(task, &Build::printed(task, pattern)).unwrap() };
            let (a, b) = (cost(&explicit), cost(&by_grams));
            prop_assert!(overlap(&a.qk, &b.qk) && overlap(&a.vo, &b.vo) && overlap(&a.mlp, &b.mlp));
        }
        let effective = |task: &Task| spectrum::pairs(task, &uniform(task));
        let (a, b) = (effective(&explicit), effective(&by_grams));
        prop_assert_eq!(&a.total, &b.total);
        prop_assert!(overlap(&a.trace, &b.trace));
        prop_assert!(overlap(&a.rank().unwrap(), &b.rank().unwrap()));
    }
}

#[test]
fn families_stay_cheap() {
    let upper = |x: &Norm| frame_norm::bounds(x).1;
    for (n, k) in [(4, 4), (8, 16), (32, 64)] {
        let (task, build) = families::a(n, k).solution().unwrap();
        let cost = costs(&task, &build).unwrap();
        assert!(upper(&cost.rest()) < ratio(23, 1));
        assert!(upper(&cost.attention()) < ratio(12, 1));
        // 2 (lambda + (1 - r)/lambda + s n) for the value map, by hand.
        let delta = 2.0 * k as f64 / (k * k + 1) as f64;
        let lambda = (1.0 - delta * delta).sqrt();
        let r = 5.0 / 13.0 * 13.0 / 12.0 * delta / n as f64;
        assert!(near(&cost.vo, lambda + (1.0 - r) / lambda + 1.0));
    }
    for (n, k) in [(8, 400), (16, 4000), (32, 40_000)] {
        let (task, build) = families::b(n, k).solution().unwrap();
        let cost = costs(&task, &build).unwrap();
        assert_eq!(task.geometry.r_eta(), n);
        assert!(upper(&cost.rest()) < ratio(9, 1));
        assert!(upper(&cost.attention()) < ratio(12, 1));
    }
}

// ---- Effective ranks.

fn effective(task: &Task) -> Effective {
    spectrum::pairs(task, &uniform(task))
}

/// Trace, norm and effective rank, all exact.
fn known(task: &Task) -> [Rational; 3] {
    let found = effective(task);
    let exact = |x: &Norm| match x {
        Norm::Exact(x) => x.as_rational().unwrap(),
        Norm::Enclosed(low, high) => unreachable!("{low} {high}"),
    };
    [
        exact(&found.trace),
        exact(found.norm.as_ref().unwrap()),
        exact(&found.rank().unwrap()),
    ]
}

#[test]
fn effective_ranks_that_are_known() {
    let quarter = || ratio(1, 4);
    let whole = |n: usize| Rational::from(n);
    for n in 2..6 {
        // Orthogonal: n I - J on n vectors of square delta^2, so n - 1 eigenvalues n delta^2.
        let orthogonal = plain(vec![n], quarter());
        let norm = whole(n) * quarter();
        assert_eq!(
            known(&orthogonal),
            [&norm * whole(n - 1), norm.clone(), whole(n - 1)]
        );
        // Groups add up.
        let three = plain(vec![n; 3], quarter());
        assert_eq!(
            known(&three),
            [&norm * whole(3 * n - 3), norm, whole(3 * n - 3)]
        );
        // Simplex: the nuisances add up to zero, so Sigma = n sum eta eta^T, n^2 delta^2/(n-1) on n - 1 dimensions.
        let simplex = |counts, shape| known(&task(counts, quarter(), ratio(1, 40), &shape));
        let norm = whole(n * n) * quarter() * whole(n - 1).recip().unwrap();
        let once = [&norm * whole(n - 1), norm.clone(), whole(n - 1)];
        assert_eq!(simplex(vec![n], Shape::Simplex), once);
        // Two groups on the same vertices: everything doubles but the rank.
        let twice = [ratio(2, 1) * &once[0], ratio(2, 1) * norm, whole(n - 1)];
        assert_eq!(simplex(vec![n, n], Shape::Shared), twice);
    }
    // An antipodal pair: 4 delta^2 once.
    let pair = task(vec![2], quarter(), ratio(0, 1), &Shape::Near(ratio(2, 1)));
    assert_eq!(known(&pair), [ratio(1, 1), ratio(1, 1), ratio(1, 1)]);
    // Coinciding dormants, and one of each group: nothing.
    let zero = || [ratio(0, 1), ratio(0, 1), ratio(0, 1)];
    let coincide = task(
        vec![2, 1],
        quarter(),
        ratio(0, 1),
        &Shape::Near(ratio(0, 1)),
    );
    assert_eq!(known(&coincide), zero());
    assert_eq!(effective(&coincide).total, ratio(1, 1));
    assert_eq!(known(&plain(vec![1, 1], quarter())), zero());
    assert_eq!(known(&plain(vec![3, 2], ratio(0, 1))), zero());
    // Pairs met in one order only do not count.
    let data = Data {
        orders: Orders::Ascending,
        ..Data::default()
    };
    let phi = (ratio(0, 1), Coherence::Equal);
    let shape = Shape::Orthogonal;
    let one_order = Task::new(vec![3], quarter(), ratio(1, 20), phi, &shape, data).unwrap();
    assert_eq!(known(&one_order), zero());
    assert_eq!(effective(&one_order).total, ratio(0, 1));
}

#[test]
fn an_irrational_effective_rank_is_enclosed() {
    // A path d1 - d2 - d3 - d4: Laplacian eigenvalues 2 - sqrt 2, 2, 2 + sqrt 2, times delta^2; trace 6 delta^2.
    let task = plain(vec![4], ratio(25, 169));
    let edge = |i: usize| Edge {
        group: 1,
        i,
        j: i + 1,
        weight: ratio(1, 1),
    };
    let found = spectrum::pairs(&task, &[edge(1), edge(2), edge(3)]);
    assert_eq!(found.trace, Norm::Exact(Surd::from(ratio(150, 169))));
    let expected = root(2, 1).scale(&ratio(-3, 1));
    assert!(closed(
        &found.rank().unwrap(),
        &(&Surd::from(6) + &expected)
    ));
}

/// Trace and norm of `sum w x x^T` in floats.
fn float_effective(gram: &[Sparse], parts: &[(Sparse, Rational)]) -> (f64, f64) {
    let frame = frame(gram);
    let mut sum = DMatrix::<f64>::zeros(gram.len(), gram.len());
    for (x, w) in parts {
        let x: DVector<f64> = (&frame * float(gram.len(), &[lift(x)]))
            .column(0)
            .into_owned();
        sum += &x * x.transpose() * w.to_f64();
    }
    (sum.trace(), sum.symmetric_eigenvalues().max())
}

/// Differences of dormants with weights.
fn differences(task: &Task, edges: &[Edge]) -> Vec<(Sparse, Rational)> {
    let gap = |e: &Edge| {
        let (a, b) = (task.nuisance(e.group, e.i), task.nuisance(e.group, e.j));
        combine([(ratio(1, 1), a), (ratio(-1, 1), b)])
    };
    edges.iter().map(|e| (gap(e), e.weight.clone())).collect()
}

fn matches_floats(found: &Effective, gram: &[Sparse], parts: &[(Sparse, Rational)]) -> bool {
    let (trace, top) = float_effective(gram, parts);
    let rank = if top > 1e-12 { trace / top } else { 0.0 };
    near(&found.trace, trace)
        && near(found.norm.as_ref().unwrap(), top)
        && near(&found.rank().unwrap(), rank)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn effective_ranks_agree_with_floats(
        task in tasks(),
        weights in prop::collection::vec((0i64..5, 1i64..4), 9),
    ) {
        let mut edges = uniform(&task);
        for (e, (p, q)) in edges.iter_mut().zip(&weights) {
            e.weight = ratio(*p, *q);
        }
        let found = spectrum::pairs(&task, &edges);
        let total: Rational = edges.iter().map(|e| e.weight.clone()).sum();
        prop_assert_eq!(&found.total, &total);
        prop_assert!(matches_floats(&found, &task.geometry.gram, &differences(&task, &edges)), "{:?}", found);
        // x/|Sigma| for other x.
        let (rank, over) = (found.rank().unwrap(), found.over_norm(&ratio(4, 1)).unwrap());
        let (trace, _) = frame_norm::bounds(&found.trace);
        let factor = (ratio(4, 1)).checked_div(&trace).unwrap_or_default();
        prop_assert!(overlap(&over, &frame_norm::times(rank, &factor)));
    }

    /// In any frame, also one that is not orthogonal.
    #[test]
    fn sums_in_any_frame(
        n in 1usize..6,
        numbers in prop::collection::vec(-2i64..3, 23),
        vectors in prop::collection::vec(prop::collection::vec(-3i64..4, 6), 1..5),
        sparse in any::<bool>(),
    ) {
        let gram = gram(n, &numbers, sparse);
        let inverse = constructions::cluster::gram::inverse(&gram).unwrap();
        let parts: Vec<(Sparse, Rational)> = vectors
            .iter()
            .enumerate()
            .map(|(k, v)| {
                let x = v[..n].iter().map(|x| ratio(*x, 3)).enumerate();
                (x.filter(|(_, x)| !x.is_zero()).collect(), ratio(k as i64 + 1, 2))
            })
            .collect();
        let found = spectrum::sum(&gram, &inverse, parts.iter().cloned());
        prop_assert!(matches_floats(&found, &gram, &parts), "{:?}", found);
    }
}

#[test]
fn long_numbers_and_large_matrices_are_enclosed() {
    // Coordinates of family B have some sixty digits.
    let (task, _) = families::b(12, 40_000).solution().unwrap();
    let edges = uniform(&task);
    let found = spectrum::pairs(&task, &edges);
    assert!(matches!(found.trace, Norm::Enclosed(..)));
    let (trace, top) = float_effective(&task.geometry.gram, &differences(&task, &edges));
    assert!(near(&found.trace, trace) && near(found.norm.as_ref().unwrap(), top));
    // The exact trace is in its enclosure.
    let exact: Rational = (task.pairs().into_iter())
        .map(|(c, i, j)| task.distance_squared(c, i, j))
        .sum();
    let (low, high) = frame_norm::bounds(&found.trace);
    assert!(low <= exact && exact <= high && low < high);
    // More than 96 dimensions: a float iteration proposes.
    let task = plain(vec![98], ratio(1, 4));
    assert_eq!(known(&task)[2], ratio(97, 1));
}

// ---- Lower bounds.

/// Every bound that a task admits, by name.
fn proposals(task: &Task, pattern: Pattern) -> Vec<(String, Vec<Weighted>)> {
    let mut all = Vec::new();
    let mut sums = Vec::new();
    if task.data.most != Some(0) {
        sums.extend([CopySum::Printed, CopySum::Itself]);
        if task.data.absent {
            sums.push(CopySum::Chained);
        }
    }
    for which in sums {
        all.push((format!("{which:?}"), bounds::copies(task, pattern, which)));
    }
    if pattern == Pattern::Diagonal && !task.pairs().is_empty() && feasible(task) {
        let copies: Vec<_> = all.clone();
        let equal = (uniform(task), effective(task));
        let more = weights::proposals(task).into_iter().map(|edges| {
            let effective = spectrum::pairs(task, &edges);
            (edges, effective)
        });
        for (k, (edges, effective)) in std::iter::once(equal).chain(more).enumerate() {
            let pairs = bounds::pairs(&edges, &effective).unwrap();
            // The two parts act on orthogonal subspaces: together they have norm 1.
            for (name, copies) in &copies {
                let both = pairs.iter().chain(copies).cloned().collect();
                all.push((format!("{name} and pairs {k}"), both));
            }
            all.push((format!("pairs {k}"), pairs));
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// No bound exceeds what the printed solution costs.
    #[test]
    fn no_bound_exceeds_the_norm_of_a_solution(task in tasks(), pattern in select(PATTERNS.to_vec())) {
        prop_assume!(pattern == Pattern::Sink || feasible(&task));
        let build = Build::printed(&task, pattern);
        let (_, above) = frame_norm::bounds(&norm(&task, &build.qk).unwrap());
        for (name, all) in proposals(&task, pattern) {
            let found = bounds::bound(&task, pattern, &all).unwrap();
            prop_assert!(found.signum() > 0 && found <= Surd::from(above.clone()), "{}: {} > {}", name, found, above);
        }
    }

    /// What is proved is the sum of the multipliers, as printed.
    #[test]
    fn bounds_have_the_printed_size(task in tasks(), pattern in select(PATTERNS.to_vec())) {
        prop_assume!(task.data.most != Some(0) && task.data.absent);
        let (c, l) = (task.groups() as f64, task.lambda.to_f64());
        let coherence = 1.0 + 2.0 * c * task.phi.to_f64();
        // |N_sink| and |N_lambda|, where with one group only the direction of ones is left.
        let most = |ones: f64, rest: f64| if task.groups() == 1 { ones } else { rest.max(ones) };
        let shared = most((c + l * l).sqrt(), l * (c + 1.0));
        let apart = most((1.0 + l * l).sqrt(), (1.0 + l * l * (c + 1.0).powi(2)).sqrt());
        let (printed, chained) = match pattern {
            Pattern::Sink => (shared, apart),
            Pattern::Diagonal => (apart, shared),
        };
        for (which, expected) in [
            (CopySum::Printed, c * c / printed),
            (CopySum::Itself, c / (1.0 + l * l).sqrt()),
            (CopySum::Chained, 2.0 * c * c / chained),
        ] {
            let all = bounds::copies(&task, pattern, which);
            let found = bounds::bound(&task, pattern, &all).unwrap().to_f64();
            prop_assert!((found - expected / coherence).abs() < 1e-9 * found, "{:?} {} {}", which, found, expected);
        }
        if pattern == Pattern::Diagonal && !task.pairs().is_empty() && feasible(&task) {
            let effective = effective(&task);
            let all = bounds::pairs(&uniform(&task), &effective).unwrap();
            prop_assert_eq!(all.len(), 2 * task.pairs().len());
            let found = Norm::Exact(bounds::bound(&task, pattern, &all).unwrap());
            prop_assert!(overlap(&found, &effective.over_norm(&(ratio(2, 1) * &effective.total)).unwrap()));
        }
    }

    /// A foreign inequality, a negative multiplier, multipliers that are too large.
    #[test]
    fn wrong_bounds_are_refused(task in tasks(), pattern in select(PATTERNS.to_vec()), at in 0usize..64) {
        prop_assume!(task.outside().is_none() || task.phi.is_zero());
        for (name, all) in proposals(&task, pattern) {
            let at = at % all.len();
            let refused = |edit: &dyn Fn(&mut Vec<Weighted>)| {
                let mut changed = all.clone();
                edit(&mut changed);
                bounds::bound(&task, pattern, &changed).unwrap_err()
            };
            let exchanged = refused(&|w| {
                let asked = &mut w[at].asked;
                std::mem::swap(&mut asked.winner, &mut asked.loser);
            });
            // Both orders of a pair are imposed, each at its own query.
            prop_assert!(matches!(exchanged, BoundError::NotImposed(_)), "{}: {}", name, exchanged);
            let negated = refused(&|w| w[at].multiplier = -&w[at].multiplier - ratio(1, 100));
            prop_assert!(matches!(negated, BoundError::Rejected(Rejection::MultiplierBelowZero { .. })), "{}: {}", name, negated);
            let doubled = refused(&|w| w.iter_mut().for_each(|w| w.multiplier *= ratio(2, 1)));
            prop_assert!(matches!(doubled, BoundError::Rejected(Rejection::NormAbove { .. })), "{}: {}", name, doubled);
            if task.phi.is_zero() || name.starts_with("pairs") {
                let more = refused(&|w| w.iter_mut().for_each(|w| w.multiplier *= ratio(1001, 1000)));
                prop_assert!(matches!(more, BoundError::Rejected(Rejection::NormAbove { .. })), "{}: {}", name, more);
            }
        }
        prop_assert!(matches!(
            bounds::bound(&task, pattern, &[]),
            Err(BoundError::Rejected(Rejection::NoMultiplier))
        ));
    }
}

#[test]
fn weights_reach_beyond_the_effective_rank() {
    // Two dormants at squared distance delta^2/50 among five: the closest pair alone proves far more than equal weights.
    let close = task(
        vec![5],
        ratio(1, 4),
        ratio(0, 1),
        &Shape::Near(ratio(1, 100)),
    );
    let value = |edges: &[Edge]| {
        let pairs = bounds::pairs(edges, &spectrum::pairs(&close, edges)).unwrap();
        bounds::bound(&close, Pattern::Diagonal, &pairs)
            .unwrap()
            .to_f64()
    };
    let equal = value(&uniform(&close));
    let best = weights::proposals(&close)
        .iter()
        .map(|edges| value(edges))
        .fold(0.0, f64::max);
    // 2/|d_1 - d_2|^2 = 400, from that pair alone.
    assert!(best >= 400.0 - 1e-6 && equal < 50.0, "{best} {equal}");
}

#[test]
fn the_closest_pair_of_every_group_is_proposed() {
    let some = task(
        vec![3, 4],
        ratio(1, 4),
        ratio(0, 1),
        &Shape::Near(ratio(1, 5)),
    );
    let proposed = weights::proposals(&some);
    let pairs =
        |edges: &Vec<Edge>| -> Vec<_> { edges.iter().map(|e| (e.group, e.i, e.j)).collect() };
    assert!(proposed.iter().any(|e| pairs(e) == [(1, 1, 2), (2, 1, 2)]));
    // By inverse squared distance: delta^2 = 1/4 and distances 1/10 and 1/2.
    let inverse = proposed
        .iter()
        .find(|e| e.len() == some.pairs().len())
        .unwrap();
    for e in inverse {
        let close = (e.i, e.j) == (1, 2);
        assert_eq!(e.weight, ratio(if close { 10 } else { 2 }, 1));
    }
    assert!(proposed.iter().flatten().all(|e| !e.weight.is_negative()));
}

#[test]
fn a_foreign_inequality_is_named() {
    let task = plain(vec![2, 1], ratio(25, 169));
    let asked = Imposed {
        query: Token::Dormant(1, 1),
        winner: Token::Dormant(1, 1),
        loser: Token::Bos,
    };
    let all = [Weighted {
        multiplier: ratio(1, 10),
        asked,
    }];
    assert!(bounds::bound(&task, Pattern::Diagonal, &all).is_ok());
    let refused = bounds::bound(&task, Pattern::Sink, &all).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "query d_{1,1}: the task does not ask that d_{1,1} beat b"
    );
}

// ---- The repaired lower bound on sinks.

/// All dormants in a frame of lambda dbar_1.. and the task's own for the nuisances, where they are rational; the frame's Gram
/// matrix and its inverse.
fn dormants(task: &Task) -> (Vec<Sparse>, Vec<Sparse>, Vec<Sparse>) {
    let (groups, own) = (task.groups(), &task.geometry.gram);
    let square = ratio(1, 1) - &task.delta_squared;
    let special = task.geometry.special_gram();
    let entry = |i: usize, j: usize| &square * constructions::matrix::at(&special[1 + j], 1 + i);
    let mut gram: Vec<Sparse> = (0..groups)
        .map(|j| {
            (0..groups)
                .map(|i| (i, entry(i, j)))
                .filter(|(_, x)| !x.is_zero())
                .collect()
        })
        .collect();
    gram.extend(
        own.iter()
            .map(|c| c.iter().map(|(k, x)| (groups + k, x.clone())).collect()),
    );
    let mut all = Vec::new();
    for (c, n) in task.dormants.iter().enumerate() {
        for i in 1..=*n {
            let eta = task.nuisance(c + 1, i).iter();
            let mut x = vec![(c, ratio(1, 1))];
            x.extend(eta.map(|(k, y)| (groups + k, y.clone())));
            all.push(x);
        }
    }
    let inverse = constructions::cluster::gram::inverse(&gram).unwrap();
    (all, gram, inverse)
}

/// Sigma_w over all pairs of dormants, of one group or two.
fn weighted(task: &Task, weights: &[i64]) -> Option<Norm> {
    let (all, gram, inverse) = dormants(task);
    let mut parts = Vec::new();
    for (j, y) in all.iter().enumerate() {
        for x in &all[..j] {
            let gap = combine([(ratio(1, 1), x), (ratio(-1, 1), y)]);
            let weight = ratio(weights[parts.len() % weights.len()], 7);
            parts.push((gap, weight));
        }
    }
    let found = spectrum::sum(&gram, &inverse, parts.iter().cloned());
    // The differences are those of the tokens.
    let tokens = &task.tokens()[1 + task.groups()..];
    let mut trace = Surd::zero();
    let mut rest = parts.iter();
    for (j, (_, y)) in tokens.iter().enumerate() {
        for ((_, x), (_, weight)) in tokens[..j].iter().zip(&mut rest) {
            let gap = combine([(Surd::one(), x), (-Surd::one(), y)]);
            trace += &vector_square(task, &gap).scale(weight);
        }
    }
    let (low, high) = frame_norm::bounds(&found.trace);
    assert!(Surd::from(low) <= trace && trace <= Surd::from(high));
    let rank = found.rank().unwrap();
    (frame_norm::bounds(&rank).1 > ratio(0, 1)).then_some(rank)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The MLP of a sink with W_VO b = 0 costs at least 2 (1 - epsilon) r_eff(Sigma_w), whatever the weights.
    #[test]
    fn mlps_cost_their_effective_rank(
        task in tasks(),
        weights in prop::collection::vec(0i64..9, 36),
        cheaper in any::<bool>(),
    ) {
        let build = if cheaper {
            Build::cheaper(&task, &ratio(1, 2))
        } else {
            Build::printed(&task, Pattern::Sink)
        };
        prop_assert!(apply(&build.vo, &task.tokens()[0].1).is_empty());
        let Some(rank) = weighted(&task, &weights) else { return Ok(()) };
        let factor = ratio(2, 1) * (ratio(1, 1) - &task.epsilon);
        let bound = frame_norm::times(rank, &factor);
        let mlp = costs(&task, &build).unwrap().mlp;
        prop_assert!(frame_norm::bounds(&mlp).1 >= frame_norm::bounds(&bound).0, "{:?} {:?}", mlp, bound);
    }
}

#[test]
fn family_b_costs_its_effective_rank() {
    for (n, k) in [(6, 40), (8, 400), (12, 40_000)] {
        let (task, build) = families::b(n, k).solution().unwrap();
        let mlp = costs(&task, &build).unwrap().mlp;
        let all: Vec<i64> = (0..n * n).map(|k| (k * k % 7) as i64).collect();
        for weights in [&[1][..], &[0, 1, 5, 2, 0, 0, 3], &[0, 0, 0, 1], &all] {
            let rank = weighted(&task, weights).unwrap();
            let bound = frame_norm::times(rank, &ratio(3, 2));
            assert!(
                frame_norm::bounds(&mlp).0 >= frame_norm::bounds(&bound).1,
                "{n} {k}: {mlp:?} {bound:?}"
            );
        }
        // The rank is n, the bound would not hold for it from n = 6 on.
        assert!(n < 12 || frame_norm::bounds(&mlp).1 < ratio(3 * n as i64, 2));
    }
}

#[test]
fn effective_ranks_over_all_pairs_are_nearly_the_cost() {
    // One group on a simplex: r_eff = n - 1 = r_eta, and the cheaper MLP has r_eta + C dimensions.
    for n in 2..5 {
        let task = task(vec![n], ratio(1, 4), ratio(0, 1), &Shape::Simplex);
        let dimensions = n as i64 - 1;
        assert_eq!(
            weighted(&task, &[1]),
            Some(Norm::Exact(Surd::from(dimensions)))
        );
        let mlp = costs(&task, &Build::cheaper(&task, &ratio(1, 2)))
            .unwrap()
            .mlp;
        assert_eq!(
            mlp,
            Norm::Exact(Surd::from(ratio(19 * (dimensions + 1), 10)))
        );
    }
    // Two groups of one dormant each, delta = 0: only the centres differ.
    let task = plain(vec![1, 1], ratio(0, 1));
    assert_eq!(weighted(&task, &[1]), Some(Norm::Exact(Surd::one())));
}

// ---- Cells.

#[test]
fn a_width_below_the_span_is_refused() {
    // 1 + 2 C + r_eta = 1 + 4 + 5.
    let task = || plain(vec![3, 2], ratio(1, 4));
    let cell = |width| ClusterCell::new(task(), width, None, String::new());
    assert_eq!(cell(None).unwrap().width, 10);
    assert_eq!(cell(Some(10)).unwrap().width, 10);
    let refused = cell(Some(9)).err().unwrap();
    assert_eq!(
        refused,
        Narrow {
            width: 9,
            needed: 10
        }
    );
    assert!(
        refused
            .to_string()
            .starts_with("d = 9: the vectors need 10 dimensions")
    );
}

fn named() -> ClusterSpec {
    ClusterSpec {
        dormants: vec![2, 2],
        delta: Surd::from(ratio(5, 13)),
        phi: ratio(0, 1),
        coherence: Coherence::Negative,
        epsilon: ratio(1, 20),
        shape: Shape::Orthogonal,
        data: Data::default(),
        width: None,
        kappa: None,
        size: None,
    }
}

#[test]
fn cells_that_do_not_exist_are_refused() {
    let refused = |edit: &dyn Fn(&mut ClusterSpec)| {
        let mut spec = named();
        edit(&mut spec);
        spec.cell().err().unwrap()
    };
    assert!(named().cell().is_ok());
    assert!(matches!(
        refused(&|s| s.width = Some(8)),
        SpecError::Narrow(_)
    ));
    assert!(matches!(
        refused(&|s| s.phi = ratio(1, 4)),
        SpecError::Task(TaskError::Geometry(_))
    ));
    assert!(matches!(
        refused(&|s| s.phi = ratio(3, 4)),
        SpecError::Task(TaskError::Geometry(_))
    ));
    assert!(matches!(
        refused(&|s| s.phi = ratio(1, 1)),
        SpecError::Task(TaskError::Phi(_))
    ));
    assert!(matches!(
        refused(&|s| s.delta = Surd::one()),
        SpecError::Task(TaskError::Delta(_))
    ));
    assert!(matches!(
        refused(&|s| s.delta = -Surd::from(ratio(5, 13))),
        SpecError::Task(TaskError::Delta(_))
    ));
    assert!(matches!(
        refused(&|s| s.delta = &root(2, 1) - &Surd::one()),
        SpecError::Delta(_)
    ));
    assert!(matches!(
        refused(&|s| s.dormants = vec![2, 0]),
        SpecError::Task(TaskError::Empty(2))
    ));
    assert!(matches!(
        refused(&|s| s.epsilon = ratio(1, 1)),
        SpecError::Task(TaskError::Epsilon(_))
    ));
    assert!(matches!(
        refused(&|s| s.shape = Shape::Near(ratio(3, 1))),
        SpecError::Task(TaskError::Geometry(_))
    ));
    let order = Orders::Pairs(BTreeSet::from([(3, 1, 2)]));
    assert!(matches!(
        refused(&|s| s.data.orders = order.clone()),
        SpecError::Task(TaskError::Order(3, 1, 2))
    ));
}

#[test]
fn numbers_of_a_cell_are_read_or_refused() {
    assert_eq!(spec::counts("4", Some(3)).unwrap(), [4, 4, 4]);
    assert_eq!(spec::counts("4, 3,5", None).unwrap(), [4, 3, 5]);
    assert_eq!(spec::counts("4", None).unwrap(), [4]);
    assert!(matches!(
        spec::counts("4,3", Some(3)),
        Err(SpecError::Groups {
            groups: 3,
            counts: 2
        })
    ));
    assert!(matches!(
        spec::counts("4,,3", None),
        Err(SpecError::Counts(_))
    ));
    assert!(matches!(
        spec::counts("-1", None),
        Err(SpecError::Counts(_))
    ));
    assert!(matches!(
        spec::counts("1", Some(usize::MAX)),
        Err(SpecError::Task(TaskError::TooMany(_)))
    ));
    let delta = spec::surd("delta", "1/4*sqrt(2)").unwrap();
    assert_eq!(spec::squared(&delta).unwrap(), ratio(1, 8));
    assert!(matches!(
        spec::surd("delta", "x"),
        Err(SpecError::Number { .. })
    ));
    assert!(matches!(
        spec::rational("phi", "1/0"),
        Err(SpecError::Number { .. })
    ));
    assert_eq!(spec::orders("one").unwrap(), Orders::Ascending);
    assert!(matches!(spec::orders("two"), Err(SpecError::Orders(_))));
    assert!(matches!(spec::positive("0"), Err(SpecError::Kappa(_))));
    assert!(matches!(spec::positive("-1"), Err(SpecError::Kappa(_))));
}

/// The examples of delta in the help are read.
#[test]
fn the_help_names_numbers_that_are_read() {
    let help = assert_cmd::Command::cargo_bin("verify")
        .unwrap()
        .args(["scenario", "--help"])
        .output()
        .unwrap();
    let text = String::from_utf8(help.stdout).unwrap();
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let (_, rest) = text.split_once("whose square is rational: ").unwrap();
    let (examples, _) = rest.split_once(" --phi").unwrap();
    for example in examples.split(", ") {
        let delta = spec::surd("delta", example).map_err(|e| e.to_string());
        assert!(delta.is_ok_and(|x| spec::squared(&x).is_ok()), "{example}");
    }
}

#[test]
fn dormants_that_no_diagonal_tells_apart_are_named() {
    let cell = |task| ClusterCell::new(task, None, None, String::new()).unwrap();
    assert_eq!(cell(plain(vec![2, 3], ratio(1, 4))).infeasible(), None);
    assert_eq!(cell(plain(vec![1, 1], ratio(0, 1))).infeasible(), None);
    let shape = Shape::Near(ratio(0, 1));
    let coincide = cell(task(vec![1, 3], ratio(1, 4), ratio(0, 1), &shape));
    let reason = coincide.infeasible().unwrap();
    assert!(reason.starts_with("d_{2,1} = d_{2,2}"), "{reason}");
    // One order is enough, and none is none.
    for (orders, met) in [
        (Orders::Ascending, true),
        (Orders::Pairs(BTreeSet::from([(1, 2, 1)])), true),
        (Orders::Pairs(BTreeSet::from([(1, 3, 1), (1, 1, 3)])), false),
    ] {
        let phi = (ratio(0, 1), Coherence::Equal);
        let data = Data {
            orders,
            ..Data::default()
        };
        let task = Task::new(vec![3], ratio(1, 4), ratio(1, 20), phi, &shape, data).unwrap();
        assert_eq!(feasible(&task), !met);
        assert_eq!(cell(task).infeasible().is_some(), met);
    }
    // Costs, ranks and checks of what is left, without a panic.
    for pattern in PATTERNS {
        assert!(coincide.cost(pattern).is_ok());
        assert_eq!(coincide.labels(pattern).failing, None);
    }
    assert_eq!(coincide.margins(Pattern::Sink).failing, None);
    assert!(coincide.margins(Pattern::Diagonal).failing.is_some());
    assert!(coincide.effective().rank().is_ok());
}

/// Every family that can be named is a solution.
#[test]
fn families_within_their_range_are_solutions() {
    let mut accepted = Vec::new();
    let mut wrong = Vec::new();
    let grid = (0..9).flat_map(|n| [1, 2, 3, 4, 5, 7, 40].map(|k| (n, k)));
    for (n, k, letter) in grid.flat_map(|(n, k)| ['A', 'B'].map(|letter| (n, k, letter))) {
        let Ok(cell) = spec::family(letter, n, k, None) else {
            continue;
        };
        accepted.push((letter, n, k));
        let margins = margins::check(cell.build(Pattern::Sink), &cell.task, Pattern::Sink);
        let labels = labels::check(cell.build(Pattern::Sink), &cell.task, Pattern::Sink, None);
        if margins.failing.is_some() || labels.failing.is_some() || labels.undecided.is_some() {
            wrong.push((letter, n, k));
        }
    }
    assert!(accepted.contains(&('A', 4, 4)) && accepted.contains(&('B', 6, 40)));
    assert_eq!(wrong, []);
}
