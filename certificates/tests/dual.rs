//! Dual certificates: bounds that hold for every matrix satisfying the inequalities.

use certificates::dual::{DualBound, Inequality, NormPart, check};
use certificates::{Entries, RankOne, Rejection, SparseVec};
use exact::{Rational, SqrtError, Surd, ratio};
use proptest::prelude::*;

fn vector(entries: &[(usize, i64)]) -> SparseVec {
    entries
        .iter()
        .map(|(k, x)| (*k, Rational::integer(*x)))
        .collect()
}

fn inequality(multiplier: Rational, key: &[(usize, i64)], query: &[(usize, i64)]) -> Inequality {
    Inequality {
        multiplier,
        key: vector(key),
        query: vector(query),
    }
}

fn unit(k: usize) -> RankOne {
    RankOne {
        coefficient: ratio(1, 1),
        left: vector(&[(k, 1)]),
        right: vector(&[(k, 1)]),
    }
}

/// B_00 >= 1 and B_11 >= 1: Y = I with norm 1, so |B|_* >= 2. Tight for B = I.
fn identity() -> Vec<Inequality> {
    vec![
        inequality(ratio(1, 1), &[(0, 1)], &[(0, 1)]),
        inequality(ratio(1, 1), &[(1, 1)], &[(1, 1)]),
    ]
}

fn identity_matrix() -> Entries {
    [((0, 0), ratio(1, 1)), ((1, 1), ratio(1, 1))].into()
}

fn gram(matrix: Entries, weights: SparseVec) -> Vec<NormPart> {
    vec![NormPart::Gram { matrix, weights }]
}

#[test]
fn rank_one_parts_are_accepted() {
    let bound = check(&identity(), &[NormPart::RankOnes(vec![unit(0), unit(1)])]).unwrap();
    assert_eq!(*bound.total(), ratio(2, 1));
    assert_eq!(bound.norms_squared(), [ratio(1, 1)]);
    assert_eq!(bound.value(), Ok(Surd::from(2i64)));
    assert_eq!(bound.at_least_sqrt(&ratio(4, 1)), Ok(true));
    assert_eq!(bound.at_least_sqrt(&ratio(4_000_001, 1_000_000)), Ok(false));
}

#[test]
fn a_gram_part_is_accepted() {
    let bound = check(
        &identity(),
        &gram(identity_matrix(), vector(&[(0, 1), (1, 1)])),
    )
    .unwrap();
    assert_eq!(bound.value(), Ok(Surd::from(2i64)));
}

#[test]
fn an_irrational_norm_is_compared_exactly() {
    // (B e_0 + B e_1 applied to key e_0) >= 1: Y = e_0 (1,1)^T, norm sqrt(2), bound 1/sqrt(2).
    let one = [inequality(ratio(1, 1), &[(0, 1)], &[(0, 1), (1, 1)])];
    let part = RankOne {
        coefficient: ratio(1, 1),
        left: vector(&[(0, 1)]),
        right: vector(&[(0, 1), (1, 1)]),
    };
    let bound = check(&one, &[NormPart::RankOnes(vec![part])]).unwrap();
    assert_eq!(bound.value(), Ok("1/2*sqrt(2)".parse().unwrap()));
    assert_eq!(bound.at_least_sqrt(&ratio(1, 2)), Ok(true));
    assert_eq!(
        bound.at_least_sqrt(&ratio(500_000_001, 1_000_000_000)),
        Ok(false)
    );
    let low = bound.lower(60);
    assert!(Surd::from(low.clone()) <= bound.value().unwrap());
    assert!(Surd::from(low + ratio(1, 1 << 40)) > bound.value().unwrap());
}

#[test]
fn the_rank_one_norm_is_the_largest_not_the_first() {
    let inequalities = [
        inequality(ratio(1, 1), &[(0, 1)], &[(0, 1)]),
        inequality(ratio(3, 1), &[(1, 1)], &[(1, 1)]),
    ];
    let mut big = unit(1);
    big.coefficient = ratio(3, 1);
    let bound = check(&inequalities, &[NormPart::RankOnes(vec![unit(0), big])]).unwrap();
    assert_eq!(bound.norms_squared(), [ratio(9, 1)]);
}

#[test]
fn several_parts_add_their_norms() {
    let parts = [
        NormPart::RankOnes(vec![unit(0)]),
        NormPart::RankOnes(vec![unit(1)]),
    ];
    let bound = check(&identity(), &parts).unwrap();
    assert_eq!(bound.value(), Ok(Surd::one()));
    assert_eq!(bound.at_least_sqrt(&ratio(1, 1)), Ok(true));
    assert_eq!(bound.at_least_sqrt(&ratio(101, 100)), Ok(false));
}

#[test]
fn gram_takes_the_absolute_values_and_the_worst_row() {
    // Y = [[1, -1], [1, 1]], Y^T Y = 2 I; Y = [[1, 1], [0, 1]], Y^T Y = [[1, 1], [1, 2]] with row sums 2 and 3.
    let inequalities = [
        inequality(ratio(1, 1), &[(0, 1)], &[(0, 1), (1, 1)]),
        inequality(ratio(1, 1), &[(1, 1)], &[(1, 1)]),
    ];
    let m: Entries = [(0, 0), (0, 1), (1, 1)].map(|k| (k, ratio(1, 1))).into();
    let equal = check(&inequalities, &gram(m.clone(), vector(&[(0, 1), (1, 1)]))).unwrap();
    assert_eq!(equal.norms_squared(), [ratio(3, 1)]);
    // Weights 5 and 8 near the Perron vector: 13/5 and 21/8.
    let sharp = check(&inequalities, &gram(m, vector(&[(0, 5), (1, 8)]))).unwrap();
    assert_eq!(sharp.norms_squared(), [ratio(21, 8)]);
}

#[test]
fn the_worst_gram_row_may_come_first() {
    // Y = [[1, 0], [1, 1]], Y^T Y = [[2, 1], [1, 1]] with row sums 3 and 2.
    let inequalities = [
        inequality(ratio(1, 1), &[(0, 1)], &[(0, 1)]),
        inequality(ratio(1, 1), &[(1, 1)], &[(0, 1), (1, 1)]),
    ];
    let m: Entries = [(0, 0), (1, 0), (1, 1)].map(|k| (k, ratio(1, 1))).into();
    let bound = check(&inequalities, &gram(m, vector(&[(0, 1), (1, 1)]))).unwrap();
    assert_eq!(bound.norms_squared(), [ratio(3, 1)]);
}

#[test]
fn negative_entries_do_not_lower_the_gram_bound() {
    // Key e_0, query e_0 - e_1: Y^T Y = [[1, -1], [-1, 1]] has norm 2; signed row sums would give 0.
    let one = [inequality(ratio(1, 1), &[(0, 1)], &[(0, 1), (1, -1)])];
    let m: Entries = [((0, 0), ratio(1, 1)), ((0, 1), ratio(-1, 1))].into();
    let bound = check(&one, &gram(m, vector(&[(0, 1), (1, 1)]))).unwrap();
    assert_eq!(bound.norms_squared(), [ratio(2, 1)]);
}

#[test]
fn negative_multiplier() {
    let mut inequalities = identity();
    inequalities[1].multiplier = ratio(-1, 1);
    let mut minus = unit(1);
    minus.coefficient = ratio(-1, 1);
    assert_eq!(
        check(&inequalities, &[NormPart::RankOnes(vec![unit(0), minus])]),
        Err(Rejection::NegativeMultiplier {
            index: 1,
            value: ratio(-1, 1)
        })
    );
}

#[test]
fn all_multipliers_zero() {
    let mut inequalities = identity();
    for inequality in &mut inequalities {
        inequality.multiplier = Rational::default();
    }
    assert_eq!(check(&inequalities, &[]), Err(Rejection::NoMultiplier));
    assert_eq!(check(&[], &[]), Err(Rejection::NoMultiplier));
}

#[test]
fn parts_do_not_add_up() {
    assert!(matches!(
        check(&identity(), &[NormPart::RankOnes(vec![unit(0)])]),
        Err(Rejection::SumDiffers {
            row: 1,
            column: 1,
            ..
        })
    ));
    assert!(matches!(
        check(&identity(), &[]),
        Err(Rejection::SumDiffers { .. })
    ));
}

#[test]
fn missing_entry() {
    let mut m = identity_matrix();
    m.remove(&(0, 0));
    assert!(matches!(
        check(&identity(), &gram(m, vector(&[(0, 1), (1, 1)]))),
        Err(Rejection::SumDiffers {
            row: 0,
            column: 0,
            ..
        })
    ));
}

#[test]
fn parts_scaled_down() {
    // The cheapest lie: the right shape with half the norm.
    let mut half = [unit(0), unit(1)];
    for term in &mut half {
        term.coefficient = ratio(1, 2);
    }
    assert!(matches!(
        check(&identity(), &[NormPart::RankOnes(half.to_vec())]),
        Err(Rejection::SumDiffers { .. })
    ));
}

#[test]
fn key_and_query_swapped() {
    let one = [inequality(ratio(1, 1), &[(0, 1)], &[(1, 1)])];
    let m: Entries = [((1, 0), ratio(1, 1))].into();
    assert!(matches!(
        check(&one, &gram(m, vector(&[(0, 1)]))),
        Err(Rejection::SumDiffers { .. })
    ));
}

#[test]
fn left_vectors_not_orthogonal() {
    // Y = e_0 (e_0 + e_1)^T has norm sqrt(2); as two terms with the same left vector it would pass for 1.
    let one = [inequality(ratio(1, 1), &[(0, 1)], &[(0, 1), (1, 1)])];
    let terms = [0, 1].map(|k| RankOne {
        coefficient: ratio(1, 1),
        left: vector(&[(0, 1)]),
        right: vector(&[(k, 1)]),
    });
    assert!(matches!(
        check(&one, &[NormPart::RankOnes(terms.to_vec())]),
        Err(Rejection::LeftNotOrthogonal {
            first: 0,
            second: 1,
            ..
        })
    ));
}

#[test]
fn right_vectors_not_orthogonal() {
    let one = [inequality(ratio(1, 1), &[(0, 1), (1, 1)], &[(0, 1)])];
    let terms = [0, 1].map(|k| RankOne {
        coefficient: ratio(1, 1),
        left: vector(&[(k, 1)]),
        right: vector(&[(0, 1)]),
    });
    assert!(matches!(
        check(&one, &[NormPart::RankOnes(terms.to_vec())]),
        Err(Rejection::RightNotOrthogonal {
            first: 0,
            second: 1,
            ..
        })
    ));
}

#[test]
fn weight_not_positive() {
    for bad in [0, -1] {
        assert_eq!(
            check(
                &identity(),
                &gram(identity_matrix(), vector(&[(0, 1), (1, bad)]))
            ),
            Err(Rejection::WeightNotPositive {
                column: 1,
                value: Rational::integer(bad)
            })
        );
    }
}

#[test]
fn weight_missing() {
    assert_eq!(
        check(&identity(), &gram(identity_matrix(), vector(&[(0, 1)]))),
        Err(Rejection::WeightNotPositive {
            column: 1,
            value: Rational::default()
        })
    );
}

#[test]
fn weights_of_zero_columns_do_not_matter() {
    let mut m = identity_matrix();
    m.insert((0, 9), Rational::default());
    let bound = check(&identity(), &gram(m, vector(&[(0, 1), (1, 1), (8, -3)]))).unwrap();
    assert_eq!(bound.norms_squared(), [ratio(1, 1)]);
}

/// A key and its opposite: no B satisfies both.
fn contradiction() -> [Inequality; 2] {
    [
        inequality(ratio(1, 1), &[(0, 1)], &[(0, 1)]),
        inequality(ratio(1, 1), &[(0, -1)], &[(0, 1)]),
    ]
}

#[test]
fn contradictory_inequalities_add_up_to_zero() {
    let zero = [((0, 0), Rational::default())].into();
    let mut nothing = unit(0);
    nothing.coefficient = Rational::default();
    for parts in [
        vec![],
        gram(zero, vector(&[(0, 1)])),
        vec![NormPart::RankOnes(vec![])],
        vec![NormPart::RankOnes(vec![nothing])],
    ] {
        assert_eq!(
            check(&contradiction(), &parts),
            Err(Rejection::ZeroCombination { total: ratio(2, 1) })
        );
    }
}

#[test]
fn parts_that_cancel_do_not_hide_a_zero_combination() {
    // U and -U add up to Y = 0 with a positive bound of the norm: 2/2 would look like a proof.
    let mut minus = unit(0);
    minus.coefficient = ratio(-1, 1);
    let parts = [
        NormPart::RankOnes(vec![unit(0)]),
        NormPart::RankOnes(vec![minus]),
    ];
    assert_eq!(
        check(&contradiction(), &parts),
        Err(Rejection::ZeroCombination { total: ratio(2, 1) })
    );
}

#[test]
fn an_inequality_without_left_side_adds_no_multiplier() {
    // 0 >= 1 would raise the sum of multipliers and leave Y as it is: 1002 instead of 2 for the identity.
    for (key, query) in [
        (&[][..], &[(0, 1)][..]),
        (&[(0, 1)], &[]),
        (&[(0, 0), (5, 0)], &[(0, 1)]),
        (&[(0, 1)], &[(3, 0)]),
    ] {
        let mut inequalities = identity();
        inequalities.push(inequality(ratio(1000, 1), key, query));
        assert_eq!(
            check(&inequalities, &[NormPart::RankOnes(vec![unit(0), unit(1)])]),
            Err(Rejection::EmptyInequality { index: 2 })
        );
    }
}

#[test]
fn a_repeated_inequality_counts_on_both_sides() {
    // B_00 >= 1 ten times over is still B_00 >= 1: 10/10.
    let ten = vec![inequality(ratio(1, 1), &[(0, 1)], &[(0, 1)]); 10];
    assert!(matches!(
        check(&ten, &[NormPart::RankOnes(vec![unit(0)])]),
        Err(Rejection::SumDiffers { .. })
    ));
    let mut big = unit(0);
    big.coefficient = ratio(10, 1);
    let bound = check(&ten, &[NormPart::RankOnes(vec![big])]).unwrap();
    assert_eq!(bound.value(), Ok(Surd::one()));
}

#[test]
fn a_negative_radicand_is_no_claim() {
    let parts = [NormPart::RankOnes(vec![unit(0), unit(1)])];
    let one = check(&identity(), &parts).unwrap();
    let parts = [0, 1].map(|k| NormPart::RankOnes(vec![unit(k)]));
    let two = check(&identity(), &parts).unwrap();
    for bound in [one, two] {
        assert_eq!(
            bound.at_least_sqrt(&ratio(-1, 3)),
            Err(Rejection::SquareRoot(SqrtError::Negative(ratio(-1, 3))))
        );
    }
}

/// Row k of Y is (y/m) (1, ..., 1) with n ones on columns of its own, from one inequality with multiplier y = 1 and its
/// own part, so the squares of the norms are n/m^2 and the total is the number of rows.
fn rows_of_ones(squares: &[(usize, i64)]) -> DualBound {
    let (mut inequalities, mut parts) = (Vec::new(), Vec::new());
    for (k, (n, m)) in squares.iter().enumerate() {
        let query: SparseVec = (0..*n).map(|j| (100 * k + j, ratio(1, *m))).collect();
        inequalities.push(Inequality {
            multiplier: ratio(1, 1),
            key: vector(&[(k, 1)]),
            query: query.clone(),
        });
        parts.push(NormPart::RankOnes(vec![RankOne {
            coefficient: ratio(1, 1),
            left: vector(&[(k, 1)]),
            right: query,
        }]));
    }
    check(&inequalities, &parts).expect("a valid certificate")
}

proptest! {
    /// The rational lower end never exceeds the exact value, whatever the precision.
    #[test]
    fn lower_never_exceeds_value(squares in prop::collection::vec((1usize..60, 1i64..50), 1..4), bits in 0u32..70) {
        let bound = rows_of_ones(&squares);
        let value = bound.value().unwrap();
        prop_assert!(value > Surd::zero());
        prop_assert!(Surd::from(bound.lower(bits)) <= value);
    }

    /// One part: the comparison by squares agrees with the one through the exact value.
    #[test]
    fn both_comparisons_agree(n in 1usize..60, m in 1i64..50, q in 0i64..200) {
        let bound = rows_of_ones(&[(n, m)]);
        let direct = bound.value().unwrap() >= Surd::sqrt(&Rational::integer(q)).unwrap();
        prop_assert_eq!(bound.at_least_sqrt(&Rational::integer(q)), Ok(direct));
    }

    /// Whatever the weights, the Gram bound does not fall below the norm.
    #[test]
    fn gram_never_falls_below_the_norm(a in 1i64..50, b in 1i64..50) {
        // Y = J on two coordinates, norm 2.
        let one = [inequality(ratio(1, 1), &[(0, 1), (1, 1)], &[(0, 1), (1, 1)])];
        let m: Entries = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|k| (k, ratio(1, 1))).into();
        let bound = check(&one, &gram(m, vector(&[(0, a), (1, b)]))).unwrap();
        prop_assert!(bound.norms_squared()[0] >= ratio(4, 1));
    }
}
