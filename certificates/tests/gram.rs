//! Norms of matrices on the span of a frame.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

mod matrices;

use certificates::Rejection;
use certificates::gram::{Asked, lower_bound, norm_at_most};
use certificates::psd::Symmetric;
use exact::{Rational, Surd, ratio};
use matrices::{Rows, entries, rationals, symmetric};
use std::collections::BTreeMap;

fn surd(text: &str) -> Surd {
    text.parse().unwrap()
}

fn surds(rows: &[&[&str]]) -> Rows<Surd> {
    let row = |r: &&[&str]| r.iter().map(|x| surd(x)).collect();
    rows.iter().map(row).collect()
}

/// Two vectors at 60 degrees, times 2 to stay with integers.
fn skew() -> Symmetric<Rational> {
    symmetric(&rationals(&[&[2, 1], &[1, 2]]))
}

fn orthonormal() -> Symmetric<Rational> {
    symmetric(&rationals(&[&[1, 0], &[0, 1]]))
}

fn asked(
    multiplier: i64,
    query: &[(usize, i64)],
    winner: &[(usize, i64)],
    loser: &[(usize, i64)],
) -> Asked<Rational> {
    let token = |t: &[(usize, i64)]| t.iter().map(|(k, x)| (*k, Rational::integer(*x))).collect();
    Asked {
        multiplier: Rational::integer(multiplier),
        query: token(query),
        winner: token(winner),
        loser: token(loser),
    }
}

/// B_00 >= 1 and B_11 >= 1.
fn identity() -> Vec<Asked<Rational>> {
    vec![
        asked(1, &[(0, 1)], &[(0, 1)], &[]),
        asked(1, &[(1, 1)], &[], &[(1, -1)]),
    ]
}

fn test_of(verdict: Result<(), Rejection>) -> Option<&'static str> {
    match verdict {
        Err(Rejection::NormAbove { test, .. }) => Some(test),
        _ => None,
    }
}

#[test]
fn the_norm_of_a_projector_is_1() {
    // Y = I on the span: Z = K.
    let z = entries(&rationals(&[&[2, 1], &[1, 2]]));
    assert_eq!(norm_at_most(&skew(), &z, &ratio(1, 1)), Ok(()));
    let below = norm_at_most(&skew(), &z, &ratio(999, 1000));
    assert_eq!(test_of(below), Some("s K - Z"));
}

#[test]
fn the_norm_of_a_negative_matrix() {
    let z = entries(&rationals(&[&[-2, -1], &[-1, -2]]));
    assert_eq!(norm_at_most(&skew(), &z, &ratio(1, 1)), Ok(()));
    let below = norm_at_most(&skew(), &z, &ratio(999, 1000));
    assert_eq!(test_of(below), Some("s K + Z"));
}

#[test]
fn the_norm_of_an_asymmetric_matrix() {
    // Y = f_0 (f_0 - f_1)^T has norm |f_0| |f_0 - f_1| = 2; Z = K e_0 (K (e_0 - e_1))^T = (2, 1) (1, -1)^T.
    let z = entries(&rationals(&[&[2, -2], &[1, -1]]));
    assert_eq!(norm_at_most(&skew(), &z, &ratio(2, 1)), Ok(()));
    let below = norm_at_most(&skew(), &z, &ratio(1999, 1000));
    assert_eq!(test_of(below), Some("[[s K, Z], [Z^T, s K]]"));
}

#[test]
fn only_the_zero_matrix_has_norm_0() {
    assert_eq!(
        norm_at_most(&skew(), &BTreeMap::new(), &ratio(0, 1)),
        Ok(())
    );
    for key in [(0, 0), (0, 1)] {
        let z = [(key, ratio(1, 1000))].into();
        assert!(test_of(norm_at_most(&skew(), &z, &ratio(0, 1))).is_some());
    }
}

#[test]
fn an_entry_that_is_0_needs_no_mirror_image() {
    let z = [((0, 1), ratio(0, 1)), ((0, 0), ratio(3, 1))].into();
    assert_eq!(norm_at_most(&orthonormal(), &z, &ratio(3, 1)), Ok(()));
    let below = norm_at_most(&orthonormal(), &z, &ratio(2, 1));
    assert_eq!(test_of(below), Some("s K - Z"));
}

#[test]
fn an_irrational_frame_and_an_irrational_norm() {
    // Unit vectors at 45 degrees: Y = f_0 (f_0 - f_1)^T has norm |f_0 - f_1| = sqrt(2 - sqrt(2)), between 0.765 and 0.766.
    let k = symmetric(&surds(&[&["1", "1/2*sqrt(2)"], &["1/2*sqrt(2)", "1"]]));
    let z = entries(&surds(&[
        &["1 - 1/2*sqrt(2)", "1/2*sqrt(2) - 1"],
        &["1/2*sqrt(2) - 1/2", "1/2 - 1/2*sqrt(2)"],
    ]));
    assert_eq!(norm_at_most(&k, &z, &surd("766/1000")), Ok(()));
    assert!(test_of(norm_at_most(&k, &z, &surd("765/1000"))).is_some());
    // Y = f_0 (f_0 - sqrt(2) f_1)^T has norm 1, the second factor being orthogonal to the first.
    let z = entries(&surds(&[&["0", "-1/2*sqrt(2)"], &["0", "-1/2"]]));
    assert_eq!(norm_at_most(&k, &z, &surd("1")), Ok(()));
    assert!(test_of(norm_at_most(&k, &z, &surd("0.999999"))).is_some());
}

#[test]
fn a_frame_that_is_not_independent() {
    let k = symmetric(&surds(&[&["1", "sqrt(2)"], &["sqrt(2)", "2"]]));
    let cause = Box::new(Rejection::ZeroPivot {
        component: 0,
        index: 0,
    });
    let frame = Err(Rejection::Frame { cause });
    assert_eq!(norm_at_most(&k, &BTreeMap::new(), &surd("9")), frame);
    // Y = (sqrt(2) f_0 - f_1) f_0^T is 0 here, though its coordinates are not: a bound would speak of nothing.
    let zero = Asked {
        multiplier: surd("1"),
        query: vec![(0, surd("sqrt(2)")), (1, surd("-1"))],
        winner: vec![(0, surd("1"))],
        loser: vec![],
    };
    assert!(matches!(
        lower_bound(&k, &[zero], &surd("1")),
        Err(Rejection::Frame { .. })
    ));
}

#[test]
fn a_gram_matrix_of_no_vectors() {
    let k = symmetric(&rationals(&[&[1, 2], &[2, 1]]));
    let defect = norm_at_most(&k, &BTreeMap::new(), &ratio(1, 1)).unwrap_err();
    assert_eq!(
        defect.to_string(),
        "the Gram matrix of the frame: component 0: the pivot of row 0 is -3, which is negative: not positive semidefinite"
    );
}

#[test]
fn negative_bound() {
    assert_eq!(
        norm_at_most(&skew(), &BTreeMap::new(), &ratio(-1, 2)),
        Err(Rejection::NegativeBound {
            bound: "-1/2".to_string()
        })
    );
}

#[test]
fn entry_outside_the_frame() {
    for (row, column) in [(0, 2), (2, 0), (usize::MAX, 0)] {
        let z = [((row, column), ratio(0, 1))].into();
        assert_eq!(
            norm_at_most(&skew(), &z, &ratio(1, 1)),
            Err(Rejection::OutOfRange {
                row,
                column,
                rows: 2,
                cols: 2
            })
        );
    }
}

#[test]
fn a_frame_of_no_size() {
    let huge: Symmetric<Rational> = Symmetric::new(usize::MAX, &BTreeMap::new()).unwrap();
    let z = [((0, 1), ratio(1, 1))].into();
    assert!(matches!(
        norm_at_most(&huge, &z, &ratio(1, 1)),
        Err(Rejection::Frame { .. })
    ));
    let none: Symmetric<Rational> = Symmetric::new(0, &BTreeMap::new()).unwrap();
    assert_eq!(norm_at_most(&none, &BTreeMap::new(), &ratio(0, 1)), Ok(()));
}

#[test]
fn the_identity_has_nuclear_norm_2() {
    assert_eq!(
        lower_bound(&orthonormal(), &identity(), &ratio(1, 1)),
        Ok(ratio(2, 1))
    );
    // A bound above the norm proves less, one below nothing.
    assert_eq!(
        lower_bound(&orthonormal(), &identity(), &ratio(3, 1)),
        Ok(ratio(2, 3))
    );
    let below = lower_bound(&orthonormal(), &identity(), &ratio(999, 1000));
    assert!(matches!(
        below,
        Err(Rejection::NormAbove {
            test: "s K - Z",
            ..
        })
    ));
}

#[test]
fn a_skew_frame_is_not_taken_for_an_orthonormal_one() {
    // Y = f_0 (f_0 - f_1)^T has norm 2 for the skew frame, where K = I would say sqrt(2).
    let one = [asked(3, &[(0, 1)], &[(0, 1)], &[(1, 1)])];
    assert_eq!(lower_bound(&skew(), &one, &ratio(6, 1)), Ok(ratio(1, 2)));
    let below = lower_bound(&skew(), &one, &ratio(599, 100));
    assert!(matches!(below, Err(Rejection::NormAbove { .. })));
}

#[test]
fn query_and_key_are_not_swapped() {
    // The norm does not tell, but the sum of f_0 f_1^T and f_1 f_0^T has norm 1 where twice the first has 2.
    let mut two = vec![
        asked(1, &[(0, 1)], &[(1, 1)], &[]),
        asked(1, &[(1, 1)], &[(0, 1)], &[]),
    ];
    assert_eq!(
        lower_bound(&orthonormal(), &two, &ratio(1, 1)),
        Ok(ratio(2, 1))
    );
    two[1] = two[0].clone();
    assert!(lower_bound(&orthonormal(), &two, &ratio(1, 1)).is_err());
    assert_eq!(
        lower_bound(&orthonormal(), &two, &ratio(2, 1)),
        Ok(ratio(1, 1))
    );
}

#[test]
fn a_multiplier_of_0_changes_nothing() {
    let mut inequalities = identity();
    inequalities.push(asked(0, &[(0, 1)], &[(1, 7)], &[]));
    assert_eq!(
        lower_bound(&orthonormal(), &inequalities, &ratio(1, 1)),
        Ok(ratio(2, 1))
    );
}

#[test]
fn bound_not_positive() {
    for bad in [0, -1] {
        assert_eq!(
            lower_bound(&orthonormal(), &identity(), &Rational::integer(bad)),
            Err(Rejection::BoundNotPositive {
                bound: bad.to_string()
            })
        );
    }
}

#[test]
fn negative_multiplier() {
    let mut inequalities = identity();
    inequalities[1].multiplier = ratio(-1, 2);
    assert_eq!(
        lower_bound(&orthonormal(), &inequalities, &ratio(1, 1)),
        Err(Rejection::MultiplierBelowZero {
            index: 1,
            value: "-1/2".to_string()
        })
    );
}

#[test]
fn all_multipliers_zero() {
    let mut inequalities = identity();
    for inequality in &mut inequalities {
        inequality.multiplier = Rational::default();
    }
    for list in [&inequalities[..], &[]] {
        assert_eq!(
            lower_bound(&orthonormal(), list, &ratio(1, 1)),
            Err(Rejection::NoMultiplier)
        );
    }
}

#[test]
fn contradictory_inequalities() {
    let two = [
        asked(1, &[(0, 1)], &[(0, 1)], &[(1, 1)]),
        asked(1, &[(0, 1)], &[(1, 1)], &[(0, 1)]),
    ];
    assert_eq!(
        lower_bound(&skew(), &two, &ratio(1, 1)),
        Err(Rejection::Contradiction {
            total: "2".to_string()
        })
    );
}

#[test]
fn an_inequality_without_left_side() {
    for bad in [
        asked(1000, &[], &[(0, 1)], &[]),
        asked(1000, &[(0, 0)], &[(0, 1)], &[]),
        asked(1000, &[(0, 1)], &[], &[]),
        asked(1000, &[(0, 1)], &[(0, 2), (1, 3)], &[(0, 2), (1, 3)]),
    ] {
        let mut inequalities = identity();
        inequalities.push(bad);
        assert_eq!(
            lower_bound(&orthonormal(), &inequalities, &ratio(1, 1)),
            Err(Rejection::EmptyInequality { index: 2 })
        );
    }
}

#[test]
fn coordinate_outside_the_frame() {
    for coordinate in [2, usize::MAX] {
        let (good, bad) = ([(0, 1)], [(0, 1), (coordinate, 0)]);
        for (token, one) in [
            ("query", asked(1, &bad, &good, &[])),
            ("winner", asked(1, &good, &bad, &[])),
            ("loser", asked(1, &good, &[], &bad)),
        ] {
            assert_eq!(
                lower_bound(&orthonormal(), &[one], &ratio(1, 1)),
                Err(Rejection::CoordinateOutside {
                    index: 0,
                    token,
                    coordinate,
                    side: 2
                })
            );
        }
    }
}

#[test]
fn coordinates_unsorted_or_repeated() {
    for (previous, coordinate) in [(1, 0), (0, 0), (1, 1)] {
        let (good, bad) = ([(0, 1)], [(previous, 1), (coordinate, 1)]);
        for (token, one) in [
            ("query", asked(1, &bad, &good, &[])),
            ("winner", asked(1, &good, &bad, &[])),
            ("loser", asked(1, &good, &[], &bad)),
        ] {
            assert_eq!(
                lower_bound(&orthonormal(), &[one], &ratio(1, 1)),
                Err(Rejection::CoordinateOrder {
                    index: 0,
                    token,
                    coordinate,
                    previous
                })
            );
        }
    }
}
