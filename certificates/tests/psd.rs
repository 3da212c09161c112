//! Positive semidefiniteness.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

mod matrices;

use certificates::Rejection;
use certificates::psd::{Symmetric, definite, semidefinite};
use exact::{Rational, Surd, ratio};
use matrices::{determinant, oracle, rationals, symmetric, times, transpose};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn integral(rows: &[&[i64]]) -> Symmetric<Rational> {
    symmetric(&rationals(rows))
}

fn surds(rows: &[&[&str]]) -> Symmetric<Surd> {
    let row = |r: &&[&str]| r.iter().map(|x| x.parse().unwrap()).collect();
    symmetric(&rows.iter().map(row).collect::<Vec<_>>())
}

#[test]
fn the_smallest_cases() {
    assert_eq!(semidefinite(&integral(&[&[0]])), Ok(()));
    assert_eq!(definite(&integral(&[&[1]])), Ok(()));
    assert_eq!(definite(&integral(&[&[2, 1], &[1, 1]])), Ok(()));
    assert_eq!(semidefinite(&integral(&[&[1, 1], &[1, 1]])), Ok(()));
    assert_eq!(semidefinite(&integral(&[&[0, 0], &[0, 3]])), Ok(()));
}

#[test]
fn nothing_is_definite() {
    let nothing: Symmetric<Rational> = Symmetric::new(0, &BTreeMap::new()).unwrap();
    assert_eq!(semidefinite(&nothing), Ok(()));
    assert_eq!(definite(&nothing), Ok(()));
}

#[test]
fn a_large_side_without_entries_costs_nothing() {
    let zero: Symmetric<Rational> = Symmetric::new(usize::MAX, &BTreeMap::new()).unwrap();
    assert_eq!(semidefinite(&zero), Ok(()));
    assert_eq!(definite(&zero), Err(Rejection::ZeroDiagonal { index: 0 }));
}

#[test]
fn entries_and_rows_are_those_not_zero() {
    let m = integral(&[&[2, 0, 1], &[0, 0, 0], &[1, 0, 3]]);
    assert_eq!(m.side(), 3);
    let keys: Vec<_> = m.entries().map(|(key, _)| key).collect();
    assert_eq!(keys, [(0, 0), (0, 2), (2, 0), (2, 2)]);
    let row: Vec<_> = m.row(2).collect();
    assert_eq!(row, [(0, &ratio(1, 1)), (2, &ratio(3, 1))]);
    assert_eq!(m.row(1).count() + m.row(3).count(), 0);
}

#[test]
fn entry_outside() {
    for key in [(0, 2), (2, 0), (usize::MAX, usize::MAX)] {
        let entries = [(key, Rational::default())].into();
        assert_eq!(
            Symmetric::new(2, &entries),
            Err(Rejection::OutOfRange {
                row: key.0,
                column: key.1,
                rows: 2,
                cols: 2
            })
        );
    }
}

#[test]
fn not_symmetric() {
    for (key, mirror) in [((0, 1), 2), ((1, 0), 2), ((0, 1), 0)] {
        let mut entries: BTreeMap<_, _> = [((1, 0), ratio(1, 1)), ((0, 1), ratio(1, 1))].into();
        entries.insert(key, Rational::integer(mirror));
        assert!(matches!(
            Symmetric::new(2, &entries),
            Err(Rejection::NotSymmetric { .. })
        ));
    }
}

#[test]
fn mirror_image_missing() {
    let one = [((0, 1), ratio(1, 1))].into();
    assert_eq!(
        Symmetric::new(2, &one),
        Err(Rejection::NotSymmetric { row: 0, column: 1 })
    );
    let zero = [((0, 1), ratio(0, 1))].into();
    assert_eq!(Symmetric::new(2, &zero).unwrap().entries().count(), 0);
}

#[test]
fn negative_pivot() {
    // Row 2 first: 1 - 2^2/3 = -1/3 is left in row 0. Row 1 is a component of its own and keeps its number.
    let m = integral(&[&[1, 0, 2], &[0, 5, 0], &[2, 0, 3]]);
    let defect = Rejection::NegativePivot {
        component: 0,
        index: 0,
        pivot: "-1/3".to_string(),
    };
    assert_eq!(semidefinite(&m), Err(defect.clone()));
    assert_eq!(definite(&m), Err(defect.clone()));
    assert_eq!(
        defect.to_string(),
        "component 0: the pivot of row 0 is -1/3, which is negative: not positive semidefinite"
    );
}

#[test]
fn the_pivot_named_is_that_of_the_matrix_not_of_its_multiple() {
    // Row 1 is left with 4/3 - 5^2/25 = 1/3, row 0 with 1/2 - (1/2)^2/(1/3) = -1/4.
    let m = symmetric(&[
        vec![ratio(1, 2), ratio(1, 2), ratio(0, 1)],
        vec![ratio(1, 2), ratio(4, 3), ratio(5, 1)],
        vec![ratio(0, 1), ratio(5, 1), ratio(25, 1)],
    ]);
    assert_eq!(
        semidefinite(&m),
        Err(Rejection::NegativePivot {
            component: 0,
            index: 0,
            pivot: "-1/4".to_string()
        })
    );
}

#[test]
fn the_component_and_the_row_are_named() {
    let m = integral(&[&[1, 0, 0, 0], &[0, 1, 0, 2], &[0, 0, 1, 0], &[0, 2, 0, 1]]);
    assert_eq!(
        semidefinite(&m),
        Err(Rejection::NegativePivot {
            component: 1,
            index: 1,
            pivot: "-3".to_string()
        })
    );
}

#[test]
fn zero_pivot_in_a_row_that_is_not_zero() {
    let m = integral(&[&[5, 2], &[2, 0]]);
    assert_eq!(
        semidefinite(&m),
        Err(Rejection::ZeroPivotInRow {
            component: 0,
            index: 1,
            column: 0,
            value: "2".to_string()
        })
    );
    assert_eq!(definite(&m), Err(Rejection::ZeroDiagonal { index: 1 }));
}

#[test]
fn zero_pivot_only_after_a_step() {
    // The rows (1, 1, 0), (1, 1, 1), (0, 1, 1): after row 2, [[1, 1], [1, 0]] is left.
    let m = integral(&[&[1, 1, 0], &[1, 1, 1], &[0, 1, 1]]);
    assert_eq!(
        semidefinite(&m),
        Err(Rejection::ZeroPivotInRow {
            component: 0,
            index: 1,
            column: 0,
            value: "1".to_string()
        })
    );
}

#[test]
fn semidefinite_is_not_definite() {
    let m = integral(&[&[1, 1], &[1, 1]]);
    assert_eq!(
        definite(&m),
        Err(Rejection::ZeroPivot {
            component: 0,
            index: 0
        })
    );
}

#[test]
fn elimination_goes_on_after_a_zero_pivot() {
    // J on rows 1 and 2 leaves a zero pivot in row 1, and row 0 is reached with a minor of the rest as divisor.
    let good = integral(&[&[3, 2, 2], &[2, 2, 2], &[2, 2, 2]]);
    assert_eq!(semidefinite(&good), Ok(()));
    let bad = integral(&[&[1, 2, 2], &[2, 2, 2], &[2, 2, 2]]);
    assert_eq!(
        semidefinite(&bad),
        Err(Rejection::NegativePivot {
            component: 0,
            index: 0,
            pivot: "-1".to_string()
        })
    );
}

#[test]
fn square_roots() {
    let half = "1/2*sqrt(2)";
    assert_eq!(definite(&surds(&[&["1", half], &[half, "1"]])), Ok(()));
    let singular = surds(&[&["1", "sqrt(2)"], &["sqrt(2)", "2"]]);
    assert_eq!(semidefinite(&singular), Ok(()));
    assert_eq!(
        definite(&singular),
        Err(Rejection::ZeroPivot {
            component: 0,
            index: 0
        })
    );
    assert_eq!(
        semidefinite(&surds(&[&["1", "sqrt(3)"], &["sqrt(3)", "2"]])),
        Err(Rejection::NegativePivot {
            component: 0,
            index: 0,
            pivot: "-1/2".to_string()
        })
    );
}

#[test]
fn the_pivot_named_is_that_of_the_matrix_with_square_roots() {
    // Row 2 leaves [[1, sqrt(2)], [sqrt(2), 3/2]], row 1 leaves 1 - 2/(3/2) = -1/3.
    let m = surds(&[
        &["1", "sqrt(2)", "0"],
        &["sqrt(2)", "2", "1"],
        &["0", "1", "2"],
    ]);
    assert_eq!(
        semidefinite(&m),
        Err(Rejection::NegativePivot {
            component: 0,
            index: 0,
            pivot: "-1/3".to_string()
        })
    );
}

#[test]
fn square_roots_that_floats_do_not_separate() {
    // 1 - (1 - 10^-30): as a float the pivot is 0.
    let near = |x: &str| surds(&[&[x, "sqrt(2)"], &["sqrt(2)", "2"]]);
    assert_eq!(definite(&near(&format!("1.{:0>30}", 1))), Ok(()));
    assert!(matches!(
        semidefinite(&near(&format!("0.{:9>30}", 9))),
        Err(Rejection::NegativePivot { .. })
    ));
}

#[test]
fn numbers_too_long_to_be_read_are_still_decided() {
    let tiny = ratio(1, 3).pow(10_000);
    let m = |x: Rational| {
        let one = ratio(1, 1);
        symmetric(&[vec![&one + x, one.clone()], vec![one.clone(), one]])
    };
    assert_eq!(definite(&m(tiny.clone())), Ok(()));
    assert!(matches!(
        semidefinite(&m(-tiny)),
        Err(Rejection::NegativePivot { .. })
    ));
}

#[test]
fn a_component_too_large_to_be_written_out() {
    // A star: one long row, hardly any entries.
    let mut entries: BTreeMap<_, _> = (0..5000).map(|k| ((k, k), ratio(10_000, 1))).collect();
    for k in 1..5000 {
        entries.insert((0, k), ratio(1, 1));
        entries.insert((k, 0), ratio(1, 1));
    }
    assert_eq!(
        semidefinite(&Symmetric::new(5000, &entries).unwrap()),
        Err(Rejection::TooLarge {
            rows: 5000,
            cols: 5000,
            limit: 1 << 24
        })
    );
}

/// G^T G for an r x n matrix of fractions with 22 bits on either side.
fn product(r: usize, n: usize, mut seed: u64) -> Vec<Vec<Rational>> {
    let mut next = || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ratio((seed >> 41) as i64 - (1 << 22), 1 << 22)
    };
    let g: Vec<Vec<Rational>> = (0..r).map(|_| (0..n).map(|_| next()).collect()).collect();
    times(&transpose(&g), &g)
}

#[test]
fn a_full_component_of_42_rows() {
    assert_eq!(definite(&symmetric(&product(42, 42, 1))), Ok(()));
    let mut singular = product(41, 42, 2);
    assert_eq!(semidefinite(&symmetric(&singular)), Ok(()));
    assert!(matches!(
        definite(&symmetric(&singular)),
        Err(Rejection::ZeroPivot { index: 0, .. })
    ));
    singular[20][20] = &singular[20][20] - ratio(1, 1 << 60);
    assert!(matches!(
        semidefinite(&symmetric(&singular)),
        Err(Rejection::NegativePivot { index: 0, .. })
    ));
}

#[test]
fn hundreds_of_components() {
    let mut entries = BTreeMap::new();
    for k in 0..300 {
        for (i, j, x) in [(0, 0, 2), (0, 300, 1), (300, 0, 1), (300, 300, 1)] {
            entries.insert((k + i, k + j), Rational::integer(x));
        }
    }
    let m = Symmetric::new(600, &entries).unwrap();
    assert_eq!(definite(&m), Ok(()));
    entries.insert((123, 123), ratio(1, 2));
    assert_eq!(
        semidefinite(&Symmetric::new(600, &entries).unwrap()),
        Err(Rejection::NegativePivot {
            component: 123,
            index: 123,
            pivot: "-1/2".to_string()
        })
    );
}

fn square(n: usize, entries: &[i64]) -> Vec<Vec<Rational>> {
    let at = |i: usize, j: usize| Rational::integer(entries[4 * i.min(j) + i.max(j)]);
    (0..n).map(|i| (0..n).map(|j| at(i, j)).collect()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Small integers on the diagonal larger than beside it, so that neither verdict is rare.
    #[test]
    fn agrees_with_all_principal_minors(
        n in 0usize..5,
        beside in prop::collection::vec(-2i64..3, 16),
        diagonal in prop::collection::vec(-1i64..5, 4),
        scale in prop::collection::vec(1i64..9, 4),
    ) {
        let mut entries = beside;
        for (k, x) in diagonal.iter().enumerate() {
            entries[5 * k] = *x;
        }
        let rows = square(n, &entries);
        let expected = oracle(&rows);
        prop_assert_eq!(semidefinite(&symmetric(&rows)).is_ok(), expected);
        let positive = expected && !determinant(&rows).is_zero();
        prop_assert_eq!(definite(&symmetric(&rows)).is_ok(), positive);
        // D M D with square roots in D: other numbers, eliminated in another way, the same verdict.
        let root = |k: usize| Surd::sqrt(&Rational::integer(scale[k])).unwrap();
        let scaled: Vec<Vec<Surd>> = (0..n)
            .map(|i| (0..n).map(|j| (root(i) * root(j)).scale(&rows[i][j])).collect())
            .collect();
        prop_assert_eq!(semidefinite(&symmetric(&scaled)).is_ok(), expected);
        prop_assert_eq!(definite(&symmetric(&scaled)).is_ok(), positive);
    }
}

proptest! {
    /// G^T G is semidefinite, and hardly so when it is singular.
    #[test]
    fn sums_of_squares(seed in any::<u64>(), r in 1usize..4, n in 1usize..5, k in 0usize..4) {
        let mut rows = product(r, n, seed);
        prop_assert_eq!(semidefinite(&symmetric(&rows)), Ok(()));
        let k = k % n;
        rows[k][k] = &rows[k][k] - ratio(1, 1 << 50);
        prop_assert_eq!(semidefinite(&symmetric(&rows)).is_ok(), oracle(&rows));
    }
}
