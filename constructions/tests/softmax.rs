//! Softmax bounds against floats: weights, gaps, and the mended block run at a finite kappa.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use constructions::Sizes;
use constructions::backcopy::softmax::{gaps, label_error, target_weight, weight_of_gaps};
use constructions::backcopy::{BOS, Reading, Task, Token, margins, sink};
use constructions::basis::Basis;
use constructions::matrix::Operator;
use constructions::reading::{Layer, Side, float};
use exact::{Rational, ratio};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

fn int(n: i64) -> Rational {
    Rational::integer(n)
}

/// The mended block in floats. States are in units of sqrt(d/2), logits in units of kappa.
struct Float {
    qk: DMatrix<f64>,
    vo: DMatrix<f64>,
    w1: DMatrix<f64>,
    w2: DMatrix<f64>,
}

fn mended(task: &Task) -> Float {
    let (s, literal) = (&task.sizes, task.reading == Reading::L);
    let units = Side::Hidden(Layer::Units {
        extra: usize::from(literal),
    });
    let (qk, w1, w2) = if literal {
        (sink::qk_first(), sink::w1_first(&int(1)), sink::w2_first())
    } else {
        (sink::qk(), sink::w1_units(&int(1)), sink::w2_units())
    };
    let read = |m, left, right| float(m, left, right, s, &Basis::standard());
    Float {
        qk: read(&qk, Side::Residual, Side::Residual),
        vo: read(&sink::vo_projector(), Side::Residual, Side::Residual),
        w1: read(&w1, units, Side::Residual),
        w2: read(&w2, Side::Residual, units),
    }
}

fn token(task: &Task, x: Token) -> DVector<f64> {
    let s = &task.sizes;
    DVector::from_fn(s.width, |k, _| {
        f64::from(u8::from(k == x.i || k == s.c + s.d + 1 + x.t))
    })
}

/// The weight of key `target`, and |output - label| / sqrt(d), for the last token of a sequence.
fn run(block: &Float, task: &Task, kappa: f64, sequence: &[Token], target: usize) -> (f64, f64) {
    let keys: Vec<_> = sequence.iter().map(|k| token(task, *k)).collect();
    let (x, query) = (&keys[keys.len() - 1], sequence[keys.len() - 1]);
    let image = &block.qk * x;
    let logits: Vec<f64> = keys.iter().map(|k| kappa * k.dot(&image)).collect();
    let top = logits.iter().copied().fold(f64::MIN, f64::max);
    let weights: Vec<f64> = logits.iter().map(|l| (l - top).exp()).collect();
    let total: f64 = weights.iter().sum();
    let mut read = x * 0.0;
    for (key, weight) in keys.iter().zip(&weights) {
        read += key * (weight / total);
    }
    let state = x + &block.vo * read;
    let scale = 2f64.sqrt() / state.norm();
    let hidden = (&block.w1 * &state).map(|y| (scale * y).max(0.0));
    let output = state + &block.w2 * hidden;
    let label = match query.i {
        0 => x.clone(),
        i if i <= task.sizes.c => x + &keys[keys.len() - 2],
        _ => x + x,
    };
    // sqrt(d/2) |.| / sqrt(d).
    let error = (output - label).norm() / 2f64.sqrt();
    (weights[target] / total, error)
}

/// Does the value lie between the bounds, up to the rounding of floats? And are these close?
fn encloses(bounds: &constructions::backcopy::softmax::Enclosure, value: f64) -> bool {
    let (low, high) = (bounds.lower.to_f64(), bounds.upper.to_f64());
    let slack = 1e-13 * value.max(1e-3);
    bounds.lower <= bounds.upper
        && low - slack <= value
        && value <= high + slack
        && high - low <= 1e-12 * value
}

fn task(readings: Vec<Reading>) -> impl Strategy<Value = Task> {
    (
        (1usize..6, 1usize..3, 1usize..3),
        prop::sample::select(readings),
    )
        .prop_map(|((t, c, d), reading)| {
            let sizes = Sizes::new(t, c, d, None).unwrap();
            Task { sizes, reading }
        })
}

fn kappa() -> impl Strategy<Value = Rational> {
    (2i64 * 7..20 * 7 + 1).prop_map(|n| ratio(n, 7))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn weights_are_enclosed(
        (n, d) in (0i64..400, 1i64..20),
        competitors in 0usize..2000,
        trailing in prop::collection::vec((0i64..40, 1i64..10, 0u64..1_000_000), 0..6),
    ) {
        let (kappa, x) = (ratio(n, d), n as f64 / d as f64);
        let least = target_weight(&kappa, competitors).unwrap();
        prop_assert!(encloses(&least, 1.0 / (1.0 + competitors as f64 * (-x).exp())));
        let total: f64 = trailing.iter().map(|(p, q, m)| *m as f64 * (-x * *p as f64 / *q as f64).exp()).sum();
        let exact: Vec<_> = trailing.iter().map(|(p, q, m)| (ratio(*p, *q), u128::from(*m))).collect();
        prop_assert!(encloses(&weight_of_gaps(&kappa, &exact).unwrap(), 1.0 / (1.0 + total)));
        // The same number by both ways.
        prop_assert_eq!(weight_of_gaps(&kappa, &[(int(1), competitors as u128)]).unwrap(), least);
        // Nothing is said where a competitor leads, or for a negative kappa.
        prop_assert_eq!(target_weight(&ratio(-1 - n, d), 1), None);
        prop_assert_eq!(weight_of_gaps(&(kappa + int(1)), &[(ratio(-1, d), 1)]), None);
    }

    #[test]
    fn gaps_are_counted(
        task in task(vec![Reading::A]),
        raw in prop::collection::vec((0usize..11, 0usize..11, -2i64..3), 0..30),
        picks in prop::collection::vec((0usize..5, 0usize..5), 2..12),
    ) {
        let n = task.sizes.width;
        let qk = Operator::from_entries(n, n, raw.into_iter().map(|(i, j, x)| (i % n, j % n, int(x))));
        let tokens: Vec<Token> = picks.into_iter().map(|(t, i)| Token { t: t % (task.sizes.t + 1), i: i % (task.sizes.v() + 1) }).collect();
        let (query, target, keys) = (tokens[0], tokens[1], &tokens[2..]);
        let found = gaps(&qk, &task, query, target, keys.iter().copied());
        let entry = |i: usize, j: usize| constructions::matrix::at(&qk.columns[j], i);
        let places = |x: Token| [x.i, task.sizes.c + task.sizes.d + 1 + x.t];
        let logit = |key: Token| places(key).iter().flat_map(|i| places(query).map(|j| entry(*i, j))).sum::<Rational>();
        prop_assert_eq!(logit(target), margins::logit(&qk, &task, target, query));
        prop_assert!(found.windows(2).all(|w| w[0].0 < w[1].0), "each gap once");
        prop_assert_eq!(found.iter().map(|(_, n)| n).sum::<u128>(), keys.len() as u128);
        for (gap, count) in found {
            let here = keys.iter().filter(|k| logit(target) - logit(**k) == gap).count();
            prop_assert_eq!(here as u128, count);
        }
    }

    /// Every query of one random sequence.
    #[test]
    fn label_error_bounds_the_run(
        task in task(vec![Reading::A, Reading::B, Reading::L]),
        kappa in kappa(),
        draws in prop::collection::vec(0usize..4, 6),
    ) {
        let (block, s) = (mended(&task), &task.sizes);
        let bound = label_error(&task, &kappa).unwrap().to_f64();
        let least = target_weight(&kappa, s.t).unwrap().lower.to_f64();
        let context = |t: usize| match (t, task.reading) {
            (0, _) => 0,
            (1, Reading::B) => s.c + 1 + draws[t] % s.d,
            _ => 1 + draws[t] % s.v(),
        };
        let all: Vec<Token> = (0..=s.t).map(|t| Token { t, i: context(t) }).collect();
        prop_assert_eq!(all[0], BOS);
        for t in 0..=s.t {
            let copy = s.is_copy(all[t].i);
            if copy && t == 1 && task.reading == Reading::A {
                continue;
            }
            let target = if copy { t - 1 } else { 0 };
            let (weight, error) = run(&block, &task, kappa.to_f64(), &all[..=t], target);
            // Floats of size 2 lose some 1e-15.
            prop_assert!(error <= bound + 1e-13, "{error} > {bound} at {}", all[t]);
            // The bound says something: it is not a thousand times too large.
            prop_assert!(!copy || t == 1 || error >= bound / 1000.0);
            prop_assert!(weight >= least - 1e-14, "{weight} < {least} at {}", all[t]);
        }
    }

    /// The bound is the one of its comment, with the norms of the matrices themselves.
    #[test]
    fn label_error_has_the_norms(task in task(vec![Reading::A, Reading::B, Reading::L]), kappa in kappa()) {
        let block = mended(&task);
        let norm = |m: &DMatrix<f64>| m.clone().svd(false, false).singular_values.max();
        let lipschitz = norm(&block.w1) * norm(&block.w2);
        let e = (-kappa.to_f64()).exp() * task.sizes.t as f64;
        let expected = e / (1.0 + e) * 2f64.sqrt() * (1.0 + 2.0 * lipschitz);
        let bound = label_error(&task, &kappa).unwrap().to_f64();
        prop_assert!(bound >= expected * (1.0 - 1e-9));
        prop_assert!(task.reading == Reading::L || bound <= expected * (1.0 + 1e-9));
    }

    #[test]
    fn label_error_shrinks(task in task(vec![Reading::A, Reading::B, Reading::L]), kappa in kappa(), more in 1i64..50) {
        let more = ratio(more, 10);
        let (near, far) = (label_error(&task, &kappa).unwrap(), label_error(&task, &(&kappa + &more)).unwrap());
        prop_assert!(Rational::default() < far && far < near);
        // 1 - weight falls at least like e^-kappa times 1 + T e^-kappa.
        let factor = (-more.to_f64()).exp() * (1.0 + task.sizes.t as f64 * (-kappa.to_f64()).exp());
        prop_assert!(far.to_f64() <= near.to_f64() * factor * (1.0 + 1e-9));
    }
}
