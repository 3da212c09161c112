//! Enclosures of the nuclear norm of given matrices: sound for every proposal, sharp for good ones.

use certificates::enclosure::{Dense, lower_by_dual, upper_by_factorisation};
use certificates::{Entries, Rejection};
use exact::{Rational, ratio};
use proptest::prelude::*;

fn dense(rows: usize, cols: usize, data: &[i64]) -> Dense {
    Dense::new(
        rows,
        cols,
        data.iter().map(|x| Rational::integer(*x)).collect(),
    )
    .expect("as many entries as the shape asks for")
}

/// diag(3, -4), norm 7.
fn example() -> Dense {
    dense(2, 2, &[3, 0, 0, -4])
}

#[test]
fn the_sign_matrix_is_a_tight_dual() {
    assert_eq!(
        lower_by_dual(&example(), &dense(2, 2, &[1, 0, 0, -1])),
        Ok(ratio(7, 1))
    );
}

#[test]
fn a_dual_of_any_scale_gives_the_same_bound() {
    assert_eq!(
        lower_by_dual(&example(), &dense(2, 2, &[1000, 0, 0, -1000])),
        Ok(ratio(7, 1))
    );
}

#[test]
fn a_dual_with_large_norm_is_divided_by_it() {
    // Y = J has norm 2, found exactly by the row sums: <J, I> / 2 = 1, although |I|_* = 2.
    assert_eq!(
        lower_by_dual(&dense(2, 2, &[1, 0, 0, 1]), &dense(2, 2, &[1, 1, 1, 1])),
        Ok(ratio(1, 1))
    );
}

#[test]
fn cancelling_signs_do_not_shrink_the_dual_norm() {
    // Y = [[1, -1], [-1, 1]] has norm 2, but its Gram matrix has signed row sums 0.
    let y = dense(2, 2, &[1, -1, -1, 1]);
    assert_eq!(lower_by_dual(&y, &y), Ok(ratio(2, 1)));
}

#[test]
fn a_zero_or_opposed_dual_proves_nothing() {
    assert_eq!(
        lower_by_dual(&example(), &dense(2, 2, &[0, 0, 0, 0])),
        Ok(Rational::default())
    );
    assert_eq!(
        lower_by_dual(&example(), &dense(2, 2, &[-1, 0, 0, 1])),
        Ok(Rational::default())
    );
}

#[test]
fn rows_and_columns_may_differ() {
    // (3, 4) has norm 5, as a row and as a column.
    for (rows, cols) in [(1, 2), (2, 1)] {
        let m = dense(rows, cols, &[3, 4]);
        let low = lower_by_dual(&m, &m).unwrap();
        // s^2 = 25 for the row (its 1x1 Gram matrix) and for the column alike.
        assert_eq!(low, ratio(5, 1));
    }
}

#[test]
fn an_irrational_dual_norm_is_rounded_up() {
    // (1, 1) has norm sqrt(2): the bound 2/s must not pass it, and comes close.
    let m = dense(1, 2, &[1, 1]);
    let low = lower_by_dual(&m, &m).unwrap();
    assert!(&low * &low <= ratio(2, 1), "{low}");
    let near = low + ratio(1, 1 << 50);
    assert!(&near * &near > ratio(2, 1), "{near}");
}

#[test]
fn dual_of_another_shape() {
    assert!(matches!(
        lower_by_dual(&dense(1, 2, &[3, 4]), &dense(2, 1, &[3, 4])),
        Err(Rejection::Shape(_))
    ));
}

#[test]
fn an_exact_factorisation_is_accepted() {
    // (1, 1)(1, 1)^T: norm 2, both factors of square 2.
    assert_eq!(
        upper_by_factorisation(
            &dense(2, 2, &[1, 1, 1, 1]),
            &dense(2, 1, &[1, 1]),
            &dense(1, 2, &[1, 1])
        ),
        Ok(ratio(2, 1))
    );
}

#[test]
fn unbalanced_factors_only_loosen() {
    // (4, 4)(1/4, 1/4)^T: (32 + 1/8)/2.
    let quarter = Dense::new(1, 2, vec![ratio(1, 4), ratio(1, 4)]).unwrap();
    assert_eq!(
        upper_by_factorisation(&dense(2, 2, &[1, 1, 1, 1]), &dense(2, 1, &[4, 4]), &quarter),
        Ok(ratio(257, 16))
    );
}

#[test]
fn wrong_factors_pay_for_their_residual() {
    // L = R = 0: the whole matrix is residual, and the bound is sqrt(n) |E|_F = sqrt(2) * 5 >= 7, never below.
    let bound =
        upper_by_factorisation(&example(), &dense(2, 1, &[0, 0]), &dense(1, 2, &[0, 0])).unwrap();
    assert!(bound >= ratio(7, 1), "{bound}");
    assert!(
        &bound * &bound >= ratio(50, 1) && bound < ratio(70_711, 10_000),
        "{bound}"
    );
}

#[test]
fn a_tiny_residual_is_not_dropped() {
    let almost = Dense::new(1, 1, vec![ratio(1_000_000_001, 1_000_000_000)]).unwrap();
    let bound = upper_by_factorisation(&almost, &dense(1, 1, &[1]), &dense(1, 1, &[1])).unwrap();
    assert!(bound >= ratio(1_000_000_001, 1_000_000_000), "{bound}");
}

#[test]
fn the_zero_matrix_has_bound_zero() {
    let zero = dense(2, 3, &[0; 6]);
    assert_eq!(
        upper_by_factorisation(&zero, &dense(2, 1, &[0, 0]), &dense(1, 3, &[0, 0, 0])),
        Ok(Rational::default())
    );
    assert_eq!(lower_by_dual(&zero, &zero), Ok(Rational::default()));
}

#[test]
fn factors_of_another_shape() {
    let m = dense(2, 2, &[1, 1, 1, 1]);
    let column = dense(2, 1, &[1, 1]);
    let row = dense(1, 2, &[1, 1]);
    for (left, right) in [
        (&row, &column),
        (&column, &column),
        (&row, &row),
        (&m, &row),
        (&column, &m),
    ] {
        assert!(matches!(
            upper_by_factorisation(&m, left, right),
            Err(Rejection::Shape(_))
        ));
    }
}

#[test]
fn wrong_number_of_entries() {
    for found in [0, 3, 5] {
        assert_eq!(
            Dense::new(2, 2, vec![ratio(1, 1); found]),
            Err(Rejection::EntryCount {
                rows: 2,
                cols: 2,
                found
            })
        );
    }
}

#[test]
fn a_shape_beyond_the_machine_word_is_refused() {
    // 2^32 * 2^32 wraps to 0, the number of entries given.
    let side = 1usize << 32;
    assert_eq!(
        Dense::new(side, side, vec![]),
        Err(Rejection::EntryCount {
            rows: side,
            cols: side,
            found: 0
        })
    );
    assert!(matches!(
        Dense::from_entries(side, side, &Entries::new()),
        Err(Rejection::TooLarge { .. })
    ));
}

#[test]
fn a_few_entries_do_not_ask_for_all_the_memory() {
    let one = Entries::from([((0, 0), ratio(1, 1))]);
    assert!(matches!(
        Dense::from_entries((1 << 12) + 1, 1 << 12, &one),
        Err(Rejection::TooLarge { .. })
    ));
    assert!(matches!(
        Dense::from_entries(1 << 30, 1 << 30, &one),
        Err(Rejection::TooLarge { .. })
    ));
}

#[test]
fn empty_matrices_have_norm_zero_whatever_their_other_side() {
    // A side of 2^64 - 1 must be neither walked through nor multiplied.
    let long = usize::MAX;
    let zero = Ok(Rational::default());
    for (rows, cols) in [(0, 0), (0, 3), (3, 0), (0, long), (long, 0)] {
        let m = dense(rows, cols, &[]);
        assert_eq!(m.transpose(), dense(cols, rows, &[]));
        assert_eq!(lower_by_dual(&m, &m), zero);
        let (left, right) = (dense(rows, 0, &[]), dense(0, cols, &[]));
        assert_eq!(upper_by_factorisation(&m, &left, &right), zero);
    }
    let nothing = dense(0, 0, &[]);
    assert_eq!(
        upper_by_factorisation(&nothing, &dense(0, long, &[]), &dense(long, 0, &[])),
        zero
    );
}

#[test]
fn factors_without_columns_are_the_zero_product() {
    // All of (3, 4) is residual: sqrt(2) * 5, not 0.
    let bound = upper_by_factorisation(&dense(1, 2, &[3, 4]), &dense(1, 0, &[]), &dense(0, 2, &[]))
        .unwrap();
    assert!(&bound * &bound >= ratio(50, 1), "{bound}");
}

#[test]
fn nothing_is_read_outside_the_matrix() {
    let m = dense(2, 3, &[1, 2, 3, 4, 5, 6]);
    assert_eq!((m.rows(), m.cols()), (2, 3));
    assert_eq!(m.get(1, 0), Some(&ratio(4, 1)));
    assert_eq!(m.get(1, 2), Some(&ratio(6, 1)));
    // Not the first entry of the next row.
    assert_eq!(m.get(0, 3), None);
    assert_eq!(m.get(2, 0), None);
    assert_eq!(m.get(usize::MAX, usize::MAX), None);
    assert_eq!(m.transpose(), dense(3, 2, &[1, 4, 2, 5, 3, 6]));
}

#[test]
fn entry_out_of_range() {
    let outside = |key| Dense::from_entries(2, 3, &Entries::from([(key, ratio(1, 1))]));
    for (row, column) in [(2, 0), (0, 3), (usize::MAX, usize::MAX)] {
        assert_eq!(
            outside((row, column)),
            Err(Rejection::OutOfRange {
                row,
                column,
                rows: 2,
                cols: 3
            })
        );
    }
    assert_eq!(outside((1, 2)), Ok(dense(2, 3, &[0, 0, 0, 0, 0, 1])));
}

#[test]
fn huge_entries_leave_the_machine_words_exactly() {
    // 2^80 on both paths: too large for i64, so the big integers take over.
    let huge = Rational::integer(1 << 40).pow(2);
    let m = Dense::new(1, 1, vec![huge.clone()]).unwrap();
    let factor = Dense::new(1, 1, vec![Rational::integer(1 << 40)]).unwrap();
    assert_eq!(
        upper_by_factorisation(&m, &factor, &factor),
        Ok(huge.clone())
    );
    assert_eq!(lower_by_dual(&m, &m), Ok(huge));
}

#[test]
fn the_largest_machine_factors_do_not_overflow() {
    // Every factor just below 2^58, 1024 terms: the last case the i128 path takes.
    let n = 1024;
    let x = (1i64 << 58) - 1;
    let row = dense(1, n, &vec![x; n]);
    let column = dense(n, 1, &vec![x; n]);
    let square = Rational::integer(x).pow(2) * Rational::from(n);
    let m = Dense::new(1, 1, vec![square.clone()]).unwrap();
    assert_eq!(upper_by_factorisation(&m, &row, &column), Ok(square));
}

#[test]
fn too_many_terms_or_too_wide_factors_do_not_overflow() {
    // Sums of 2^128 and more: both must take the big integers.
    for (n, x) in [(4096, (1i64 << 58) - 1), (16, i64::MAX)] {
        let row = dense(1, n, &vec![x; n]);
        let column = dense(n, 1, &vec![x; n]);
        let square = Rational::integer(x).pow(2) * Rational::from(n);
        let m = Dense::new(1, 1, vec![square.clone()]).unwrap();
        assert_eq!(upper_by_factorisation(&m, &row, &column), Ok(square));
    }
}

#[test]
fn a_full_140_by_140_matrix_is_quick() {
    let n = 140;
    let entry = |k: usize| Rational::new(((k * 7919 + 13) % 2003) as i64 - 1001, 1 << 40).unwrap();
    let m = Dense::new(n, n, (0..n * n).map(entry).collect()).unwrap();
    let start = std::time::Instant::now();
    let low = lower_by_dual(&m, &m).unwrap();
    let high = upper_by_factorisation(&m, &m, &m).unwrap();
    assert!(low <= high);
    assert!(start.elapsed().as_secs() < 20);
}

proptest! {
    /// Whatever is proposed, the lower bound stays below the upper bound.
    #[test]
    fn any_proposals_enclose(
        m in prop::collection::vec(-9i64..10, 6),
        y in prop::collection::vec(-9i64..10, 6),
        l in prop::collection::vec(-3i64..4, 4),
        r in prop::collection::vec(-3i64..4, 6),
        divisor in 1i64..8,
    ) {
        let matrix = Dense::new(2, 3, m.iter().map(|x| ratio(*x, divisor)).collect()).unwrap();
        let low = lower_by_dual(&matrix, &dense(2, 3, &y)).unwrap();
        let high = upper_by_factorisation(&matrix, &dense(2, 2, &l), &dense(2, 3, &r)).unwrap();
        prop_assert!(low <= high, "{} {}", low, high);
    }

    /// Diagonal matrices, whose norm is known: no proposal moves a bound past it.
    #[test]
    fn a_known_norm_is_never_passed(d in prop::collection::vec(-9i64..10, 3), y in prop::collection::vec(-9i64..10, 9), l in prop::collection::vec(-3i64..4, 9)) {
        let matrix = dense(3, 3, &[d[0], 0, 0, 0, d[1], 0, 0, 0, d[2]]);
        let norm = Rational::integer(d.iter().map(|x| x.abs()).sum());
        prop_assert!(lower_by_dual(&matrix, &dense(3, 3, &y)).unwrap() <= norm);
        prop_assert!(upper_by_factorisation(&matrix, &dense(3, 3, &l), &dense(3, 3, &y)).unwrap() >= norm);
    }
}
