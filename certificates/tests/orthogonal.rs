//! Orthogonal rank-one certificates: accepted by hand-made examples, rejected for each defect.

use certificates::orthogonal::nuclear_norm;
use certificates::{Entries, RankOne, Rejection, SparseVec};
use exact::{Rational, Surd, ratio};
use proptest::prelude::*;

fn vector(entries: &[(usize, i64)]) -> SparseVec {
    entries
        .iter()
        .map(|(k, x)| (*k, Rational::integer(*x)))
        .collect()
}

fn term(coefficient: Rational, left: &[(usize, i64)], right: &[(usize, i64)]) -> RankOne {
    RankOne {
        coefficient,
        left: vector(left),
        right: vector(right),
    }
}

fn matrix(entries: &[(usize, usize, i64)]) -> Entries {
    entries
        .iter()
        .map(|(i, j, x)| ((*i, *j), Rational::integer(*x)))
        .collect()
}

/// [[3, 1], [1, 3]] = 2 (1,1)(1,1)^T + (1,-1)(1,-1)^T, singular values 4 and 2.
fn example() -> (Entries, Vec<RankOne>) {
    let m = matrix(&[(0, 0, 3), (0, 1, 1), (1, 0, 1), (1, 1, 3)]);
    let plus = term(Rational::integer(2), &[(0, 1), (1, 1)], &[(0, 1), (1, 1)]);
    let minus = term(Rational::integer(1), &[(0, 1), (1, -1)], &[(0, 1), (1, -1)]);
    (m, vec![plus, minus])
}

#[test]
fn symmetric_two_by_two_is_accepted() {
    let (m, terms) = example();
    assert_eq!(nuclear_norm(&m, &terms), Ok(Surd::from(6i64)));
}

#[test]
fn irrational_singular_values_are_exact() {
    // (1,1)(1,2,0)^T has the one singular value sqrt(10); -3 e_2 e_2^T adds 3.
    let m = matrix(&[(0, 0, 1), (0, 1, 2), (1, 0, 1), (1, 1, 2), (2, 2, -3)]);
    let terms = [
        term(ratio(1, 1), &[(0, 1), (1, 1)], &[(0, 1), (1, 2)]),
        term(ratio(-3, 1), &[(2, 1)], &[(2, 1)]),
    ];
    let expected: Surd = "3 + sqrt(10)".parse().unwrap();
    assert_eq!(nuclear_norm(&m, &terms), Ok(expected));
}

#[test]
fn a_negative_coefficient_counts_by_its_size() {
    let m = matrix(&[(0, 0, -2)]);
    assert_eq!(
        nuclear_norm(&m, &[term(ratio(-2, 1), &[(0, 1)], &[(0, 1)])]),
        Ok(Surd::from(2i64))
    );
}

#[test]
fn no_terms_prove_only_the_zero_matrix() {
    assert_eq!(nuclear_norm(&Entries::new(), &[]), Ok(Surd::zero()));
    assert_eq!(nuclear_norm(&matrix(&[(4, 5, 0)]), &[]), Ok(Surd::zero()));
    assert!(matches!(
        nuclear_norm(&matrix(&[(4, 5, 1)]), &[]),
        Err(Rejection::SumDiffers {
            row: 4,
            column: 5,
            ..
        })
    ));
}

#[test]
fn stored_zeros_change_nothing() {
    let (mut m, mut terms) = example();
    m.insert((7, 7), Rational::default());
    terms[0].left.insert(9, Rational::default());
    terms[1].left.insert(9, Rational::default());
    terms[1].right.insert(8, Rational::default());
    assert_eq!(nuclear_norm(&m, &terms), Ok(Surd::from(6i64)));
}

#[test]
fn left_vectors_not_orthogonal() {
    // e_0 e_0^T + (e_0 + e_1) e_1^T: only the left side is skew. Its norm is sqrt(5), not 1 + sqrt(2).
    let m = matrix(&[(0, 0, 1), (0, 1, 1), (1, 1, 1)]);
    let terms = [
        term(ratio(1, 1), &[(0, 1)], &[(0, 1)]),
        term(ratio(1, 1), &[(0, 1), (1, 1)], &[(1, 1)]),
    ];
    assert_eq!(
        nuclear_norm(&m, &terms),
        Err(Rejection::LeftNotOrthogonal {
            first: 0,
            second: 1,
            value: ratio(1, 1)
        })
    );
}

#[test]
fn right_vectors_not_orthogonal() {
    let m = matrix(&[(0, 0, 1), (1, 0, 1), (1, 1, 1)]);
    let terms = [
        term(ratio(1, 1), &[(0, 1)], &[(0, 1)]),
        term(ratio(1, 1), &[(1, 1)], &[(0, 1), (1, 1)]),
    ];
    assert_eq!(
        nuclear_norm(&m, &terms),
        Err(Rejection::RightNotOrthogonal {
            first: 0,
            second: 1,
            value: ratio(1, 1)
        })
    );
}

#[test]
fn a_repeated_term_is_not_orthogonal_to_itself() {
    let half = term(ratio(1, 2), &[(0, 1)], &[(0, 1)]);
    assert!(matches!(
        nuclear_norm(&matrix(&[(0, 0, 1)]), &[half.clone(), half]),
        Err(Rejection::LeftNotOrthogonal { .. })
    ));
}

#[test]
fn terms_that_cancel_are_rejected() {
    // A term and its opposite add up to zero; counting both would report 2 for the zero matrix.
    let terms = [
        term(ratio(1, 1), &[(0, 1)], &[(0, 1)]),
        term(ratio(-1, 1), &[(0, 1)], &[(0, 1)]),
    ];
    assert!(matches!(
        nuclear_norm(&Entries::new(), &terms),
        Err(Rejection::LeftNotOrthogonal { .. })
    ));
}

#[test]
fn only_the_last_pair_is_skew() {
    // Orthogonal with everything but the first vector, which lies far back in the list.
    let mut terms: Vec<RankOne> = (0..20)
        .map(|k| term(ratio(1, 1), &[(k, 1)], &[(k, 1)]))
        .collect();
    terms.push(term(ratio(1, 1), &[(0, 1), (30, 1)], &[(30, 1)]));
    let mut m: Entries = (0..20).map(|k| ((k, k), ratio(1, 1))).collect();
    m.insert((0, 30), ratio(1, 1));
    m.insert((30, 30), ratio(1, 1));
    assert_eq!(
        nuclear_norm(&m, &terms),
        Err(Rejection::LeftNotOrthogonal {
            first: 0,
            second: 20,
            value: ratio(1, 1)
        })
    );
}

#[test]
fn skew_with_an_earlier_owner_of_the_coordinate() {
    // The third left vector is orthogonal to the second, the last to use its coordinates, but equals the first.
    let lefts = [[(0, 1), (1, 1)], [(0, 1), (1, -1)], [(0, 1), (1, 1)]];
    let terms: Vec<RankOne> = (0..3)
        .map(|k| term(ratio(1, 1), &lefts[k], &[(k, 1)]))
        .collect();
    let m: Entries = (0..3)
        .flat_map(|k| {
            lefts[k]
                .iter()
                .map(move |(i, x)| ((*i, k), Rational::integer(*x)))
        })
        .collect();
    assert_eq!(
        nuclear_norm(&m, &terms),
        Err(Rejection::LeftNotOrthogonal {
            first: 0,
            second: 2,
            value: ratio(2, 1)
        })
    );
}

#[test]
fn sum_differs_from_matrix() {
    let (mut m, terms) = example();
    m.insert((1, 1), ratio(3_000_001, 1_000_000));
    assert_eq!(
        nuclear_norm(&m, &terms),
        Err(Rejection::SumDiffers {
            row: 1,
            column: 1,
            found: ratio(3, 1),
            expected: ratio(3_000_001, 1_000_000)
        })
    );
}

#[test]
fn missing_entry() {
    let (mut m, terms) = example();
    m.remove(&(1, 0));
    assert!(matches!(
        nuclear_norm(&m, &terms),
        Err(Rejection::SumDiffers {
            row: 1,
            column: 0,
            ..
        })
    ));
}

#[test]
fn superfluous_entry() {
    let (mut m, terms) = example();
    m.insert((5, 6), ratio(1, 1));
    assert!(matches!(
        nuclear_norm(&m, &terms),
        Err(Rejection::SumDiffers {
            row: 5,
            column: 6,
            ..
        })
    ));
}

#[test]
fn missing_term() {
    let (m, terms) = example();
    assert!(matches!(
        nuclear_norm(&m, &terms[..1]),
        Err(Rejection::SumDiffers { .. })
    ));
}

#[test]
fn transposed_term() {
    let m = matrix(&[(0, 1, 1)]);
    assert!(matches!(
        nuclear_norm(&m, &[term(ratio(1, 1), &[(1, 1)], &[(0, 1)])]),
        Err(Rejection::SumDiffers { .. })
    ));
}

#[test]
fn ten_thousand_disjoint_terms_are_quick() {
    let n = 10_000;
    let terms: Vec<RankOne> = (0..n)
        .map(|k| term(ratio(1, 1), &[(2 * k, 1), (2 * k + 1, 1)], &[(k, 1)]))
        .collect();
    let m: Entries = (0..n)
        .flat_map(|k| [((2 * k, k), ratio(1, 1)), ((2 * k + 1, k), ratio(1, 1))])
        .collect();
    let start = std::time::Instant::now();
    assert_eq!(
        nuclear_norm(&m, &terms),
        Ok(Surd::sqrt(&ratio(2, 1)).unwrap().scale(&ratio(10_000, 1)))
    );
    // Quadratic work would take minutes; the margin is for slow machines.
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn messages_name_value_and_place() {
    let rejection = Rejection::LeftNotOrthogonal {
        first: 3,
        second: 8,
        value: ratio(2, 7),
    };
    assert_eq!(
        rejection.to_string(),
        "left vectors 3 and 8 have inner product 2/7, not 0"
    );
}

proptest! {
    /// Diagonal matrices: the norm is the sum of absolute values, and any change of one entry is noticed.
    #[test]
    fn any_changed_entry_is_noticed(values in prop::collection::vec(-20i64..20, 1..8), at in 0usize..8, by in 1i64..5) {
        let terms: Vec<RankOne> =
            values.iter().enumerate().map(|(k, x)| term(Rational::integer(*x), &[(k, 1)], &[(k, 1)])).collect();
        let mut m: Entries = values.iter().enumerate().map(|(k, x)| ((k, k), Rational::integer(*x))).collect();
        let norm: i64 = values.iter().map(|x| x.abs()).sum();
        prop_assert_eq!(nuclear_norm(&m, &terms), Ok(Surd::from(norm)));
        *m.entry((at % values.len(), at)).or_default() += Rational::integer(by);
        let noticed = matches!(nuclear_norm(&m, &terms), Err(Rejection::SumDiffers { .. }));
        prop_assert!(noticed);
    }
}
