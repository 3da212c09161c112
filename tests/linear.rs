//! Linear programs: the same verdict from floats with exact checks, from the exact method alone, and for every order of the rows; every
//! certificate is checked, and changed ones are refused.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use certificates::farkas::{Row, check};
use constructions::dense::Dense;
use exact::{Rational, ratio};
use proptest::prelude::*;
use verify::linear::halfspace::{HalfSpace, halfspace, sparse};
use verify::linear::optimum::{Optimum, Program};
use verify::linear::{Answer, LinearError, exactly, feasible, proposal, violated};

fn numbers(list: &[i64]) -> Vec<Rational> {
    list.iter().map(|x| ratio(*x, 1)).collect()
}

/// `a . x >= b`, b the last entry.
fn row(list: &[i64]) -> Row {
    let (b, a) = list.split_last().unwrap();
    Row {
        coefficients: sparse(&numbers(a)),
        bound: ratio(*b, 1),
    }
}

fn rows(lists: &[&[i64]]) -> Vec<Row> {
    lists.iter().map(|l| row(l)).collect()
}

/// Is there a solution? Whichever answer it is has been checked.
fn decided(width: usize, rows: &[Row]) -> bool {
    let stands = |answer: &Answer| match answer {
        Answer::Solution(x) => x.len() == width && violated(rows, x).is_none(),
        Answer::Contradiction(y) => check(rows, y).is_ok(),
    };
    let answer = feasible(width, rows).unwrap();
    let all: Vec<usize> = (0..rows.len()).collect();
    let exact = exactly(width, rows, &all).unwrap();
    assert!(stands(&answer) && stands(&exact), "{answer:?} {exact:?}");
    let solved = |a: &Answer| matches!(a, Answer::Solution(_));
    assert_eq!(solved(&answer), solved(&exact));
    solved(&answer)
}

#[test]
fn systems_by_hand() {
    // x >= 1 and x <= 0: the multipliers 1, 1 give 0 >= 1.
    let none = rows(&[&[1, 1], &[-1, 0]]);
    assert_eq!(
        feasible(1, &none).unwrap(),
        Answer::Contradiction(numbers(&[1, 1]))
    );
    for (width, system, expected) in [
        (1, rows(&[&[1, 1], &[-1, -1]]), true), // x = 1, no room around it
        (1, rows(&[&[1, 1], &[-2, -1]]), false), // x >= 1, x <= 1/2
        (1, vec![], true),
        (0, rows(&[&[0]]), true),  // 0 >= 0
        (0, rows(&[&[1]]), false), // 0 >= 1
        (2, rows(&[&[0, 0, -1]]), true),
        (2, rows(&[&[1, 0, 1], &[1, 0, 1], &[2, 0, 2]]), true), // redundant
        (2, rows(&[&[1, 1, 0], &[-1, -1, 0], &[1, -1, 5]]), true), // an equation
        (2, rows(&[&[1, 1, 1], &[-1, 0, 0], &[0, -1, 0]]), false), // the origin, cut off
        (
            3,
            rows(&[&[1, -1, 0, 1], &[0, 1, -1, 1], &[-1, 0, 1, 1]]),
            false,
        ), // a cycle
    ] {
        assert_eq!(decided(width, &system), expected, "{system:?}");
    }
}

#[test]
fn nearly_infeasible_systems_are_decided_right() {
    // x + y >= 1 and x + y <= 1 - t: solvable exactly if t <= 0, however small t is.
    for exponent in [3, 9, 18, 40] {
        let small = (0..exponent).fold(ratio(1, 1), |x, _| x * ratio(1, 10));
        for (sign, expected) in [(1, false), (0, true), (-1, true)] {
            let one = ratio(1, 1);
            let bound = &small * ratio(sign, 1) - &one;
            let system = vec![
                row(&[1, 1, 1]),
                Row {
                    coefficients: sparse(&numbers(&[-1, -1])),
                    bound,
                },
            ];
            assert_eq!(decided(2, &system), expected, "10^-{exponent} {sign}");
        }
    }
    // Numbers far apart: 10^30 x >= 1, x <= 10^-31 has none; with x <= 10^-30 it has x = 10^-30.
    let ten = |n: usize| (0..n).fold(ratio(1, 1), |x, _| x * ratio(10, 1));
    for (n, expected) in [(31, false), (30, true)] {
        let system = vec![
            Row {
                coefficients: [(0, ten(30))].into(),
                bound: ratio(1, 1),
            },
            Row {
                coefficients: [(0, -ten(n))].into(),
                bound: ratio(-1, 1),
            },
        ];
        assert_eq!(decided(1, &system), expected, "{n}");
    }
}

#[test]
fn unknown_columns_are_an_error() {
    let system = rows(&[&[1, 1, 0]]);
    let error = LinearError::Column {
        row: 0,
        column: 1,
        width: 1,
    };
    assert_eq!(feasible(1, &system), Err(error.clone()));
    assert_eq!(exactly(1, &system, &[0]), Err(error));
    assert!(halfspace(&[numbers(&[1]), numbers(&[1, 2])]).is_err());
}

#[test]
fn changed_certificates_are_refused() {
    let system = rows(&[
        &[1, -1, 0, 1],
        &[0, 1, -1, 1],
        &[-1, 0, 1, 1],
        &[1, 1, 1, -5],
    ]);
    let Answer::Contradiction(y) = feasible(3, &system).unwrap() else {
        unreachable!("the cycle has no solution");
    };
    assert_eq!(check(&system, &y).unwrap(), ratio(3, 1) * &y[0]);
    for k in 0..system.len() {
        for delta in [1, -1] {
            let mut changed = y.clone();
            changed[k] += ratio(delta, 2);
            assert!(check(&system, &changed).is_err(), "{k} {delta}");
        }
        let mut other = system.clone();
        other.remove(k);
        assert!(check(&other, &y).is_err());
    }
    assert!(check(&system, &numbers(&[0, 0, 0, 0])).is_err());
}

#[test]
fn half_spaces_by_hand() {
    let of = |lists: &[&[i64]]| {
        let vectors: Vec<Vec<Rational>> = lists.iter().map(|l| numbers(l)).collect();
        halfspace(&vectors).unwrap()
    };
    let HalfSpace::Normal(u) = of(&[&[1, 0], &[0, 1]]) else {
        unreachable!("the first quadrant is in a half-space");
    };
    assert!(u.iter().all(Rational::is_positive));
    // Opposite vectors, a zero vector, three vectors around the origin.
    assert_eq!(of(&[&[1], &[-1]]), HalfSpace::Mixture(vec![ratio(1, 2); 2]));
    assert_eq!(of(&[&[0, 0]]), HalfSpace::Mixture(numbers(&[1])));
    let around = of(&[&[1, 0], &[0, 1], &[-1, -1]]);
    assert_eq!(around, HalfSpace::Mixture(vec![ratio(1, 3); 3]));
    assert_eq!(of(&[]), HalfSpace::Normal(vec![]));
    // In the closed half-plane only: (1, 0), (-1, 0), (0, 1).
    let closed = of(&[&[1, 0], &[-1, 0], &[0, 1]]);
    assert_eq!(
        closed,
        HalfSpace::Mixture(vec![ratio(1, 2), ratio(1, 2), ratio(0, 1)])
    );
}

#[test]
fn optima_by_hand() {
    // Weights on BOS (value 0) and values 1, -1: mass 1 off BOS with output 0.
    let program = Program {
        matrix: Dense::from_rows(vec![numbers(&[0, 1, -1]), numbers(&[1, 1, 1])]).unwrap(),
        right: numbers(&[0, 1]),
        objective: numbers(&[0, 1, 1]),
    };
    let found = program.solve().unwrap();
    assert_eq!(found.value, ratio(1, 1));
    // Values 1 and 2: only BOS.
    let positive = Program {
        matrix: Dense::from_rows(vec![numbers(&[0, 1, 2]), numbers(&[1, 1, 1])]).unwrap(),
        ..program.clone()
    };
    let none = positive.solve().unwrap();
    assert_eq!(none.value, ratio(0, 1));
    assert_eq!(none.point, numbers(&[1, 0, 0]));
    // What is changed does not stand.
    let mut changes: Vec<Optimum> = Vec::new();
    for k in 0..3 {
        let mut changed = none.clone();
        changed.point[k] += ratio(1, 7);
        changes.push(changed);
    }
    for k in 0..2 {
        let mut changed = none.clone();
        changed.dual[k] -= ratio(1, 7);
        // A dual of the first equation may have room, so both are moved far.
        changed.dual[k] -= ratio(5, 1);
        changes.push(changed);
    }
    let mut more = none.clone();
    more.value += ratio(1, 7);
    changes.push(more);
    for changed in changes {
        assert!(!positive.accepts(&changed), "{changed:?}");
    }
    assert!(!program.accepts(&none));
    // No weights make the output 3, and without the second equation there is no largest mass.
    let none = Program {
        right: numbers(&[3, 1]),
        ..positive.clone()
    };
    assert!(matches!(none.solve(), Err(LinearError::NoOptimum(_))));
    let open = Program {
        matrix: Dense::from_rows(vec![numbers(&[0, 1, -1])]).unwrap(),
        right: numbers(&[0]),
        ..program
    };
    assert!(matches!(open.solve(), Err(LinearError::NoOptimum(_))));
}

/// Small numbers in a row, so that systems are often degenerate.
fn entries(n: usize) -> impl Strategy<Value = Vec<i64>> {
    prop::collection::vec(-2i64..3, n)
}

/// Vectors of up to 3 entries in a half-space or not, by trying every normal to two of them: an oracle for small cases. The best u is
/// where room is largest; in the plane it is enough to try sums and normals of pairs.
fn in_half_plane(vectors: &[[i64; 2]]) -> bool {
    let mut candidates: Vec<[i64; 2]> = Vec::new();
    let turned = |v: &[i64; 2]| [[-v[1], v[0]], [v[1], -v[0]], *v];
    for a in vectors {
        for b in vectors {
            for p in turned(a) {
                for q in turned(b) {
                    candidates.push([p[0] + q[0], p[1] + q[1]]);
                    // Close to p, pushed a little towards q.
                    candidates.push([1000 * p[0] + q[0], 1000 * p[1] + q[1]]);
                }
            }
        }
    }
    candidates
        .iter()
        .any(|u| vectors.iter().all(|v| u[0] * v[0] + u[1] * v[1] > 0))
}

proptest! {
    /// The float path and the exact one agree, for every order of the rows, with rows repeated.
    #[test]
    fn every_order_gives_one_verdict(list in prop::collection::vec(entries(4), 1..9), turn in 0usize..9) {
        let system: Vec<Row> = list.iter().map(|l| row(l)).collect();
        let expected = decided(3, &system);
        let mut other = system.clone();
        other.rotate_left(turn % system.len());
        other.reverse();
        prop_assert_eq!(decided(3, &other), expected);
        other.extend(system);
        prop_assert_eq!(decided(3, &other), expected);
    }

    #[test]
    fn half_planes_agree_with_all_candidates(list in prop::collection::vec([-2i64..3, -2i64..3], 1..6)) {
        let vectors: Vec<Vec<Rational>> = list.iter().map(|v| numbers(v)).collect();
        let found = halfspace(&vectors).unwrap();
        match &found {
            HalfSpace::Normal(u) => {
                let value = |v: &Vec<Rational>| v.iter().zip(u).map(|(a, b)| a * b).sum::<Rational>();
                prop_assert!(vectors.iter().all(|v| value(v) >= ratio(1, 1)));
            }
            HalfSpace::Mixture(y) => {
                prop_assert!(y.iter().all(|x| !x.is_negative()) && y.iter().any(Rational::is_positive));
                for k in 0..2 {
                    prop_assert!(vectors.iter().zip(y).map(|(v, y)| &v[k] * y).sum::<Rational>().is_zero());
                }
            }
        }
        prop_assert_eq!(matches!(found, HalfSpace::Normal(_)), in_half_plane(&list));
    }

    /// Wide vectors, more than the oracle can do: the certificate is the check, and the answer is known by construction.
    #[test]
    fn wide_vectors(list in prop::collection::vec(entries(12), 2..30), last in prop::collection::vec(0i64..3, 30)) {
        let mut vectors: Vec<Vec<Rational>> = list.iter().map(|v| numbers(v)).collect();
        // With 40 added to one coordinate all of them are on one side.
        let mut moved = vectors.clone();
        moved.iter_mut().for_each(|v| v[3] += ratio(40, 1));
        prop_assert!(matches!(halfspace(&moved).unwrap(), HalfSpace::Normal(_)));
        // With minus a combination of the others they surround the origin, or the combination is 0.
        let sum: Vec<Rational> = (0..12)
            .map(|k| -vectors.iter().zip(&last).map(|(v, y)| &v[k] * ratio(*y, 1)).sum::<Rational>())
            .collect();
        vectors.push(sum);
        prop_assert!(matches!(halfspace(&vectors).unwrap(), HalfSpace::Mixture(_)));
    }
}

/// The float solver is used where it can be: a system with room around its solutions, and one with a plain contradiction.
#[test]
fn floats_propose_in_easy_cases() {
    let easy = rows(&[&[1, 0, 1], &[0, 1, 1]]);
    let x = proposal::point(2, &easy).unwrap();
    assert!(violated(&easy, &x).is_none());
    let none = rows(&[&[1, 0, 1], &[-1, 0, 0], &[0, 1, 1]]);
    assert!(proposal::point(2, &none).is_none());
    assert_eq!(proposal::support(2, &none), Some(vec![0, 1]));
}
