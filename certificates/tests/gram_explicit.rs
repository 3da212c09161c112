//! Norms on the span of a frame, compared with explicit matrices.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

mod matrices;

use certificates::Rejection;
use certificates::gram::{Asked, lower_bound, norm_at_most};
use exact::{Rational, Surd, ratio, sqrt_enclosure};
use matrices::{Rows, determinant, entries, oracle, symmetric, times, transpose};
use proptest::prelude::*;

fn integers(flat: &[i64], columns: usize) -> Rows<Rational> {
    let row = |r: &[i64]| r.iter().map(|x| Rational::integer(*x)).collect();
    flat.chunks(columns).map(row).collect()
}

/// Is |Y|_2 <= s, by all principal minors of s^2 I - Y^T Y?
fn norm_oracle(y: &[Vec<Rational>], s: &Rational) -> bool {
    let mut m = times(&transpose(y), y);
    for (i, row) in m.iter_mut().enumerate() {
        for (j, x) in row.iter_mut().enumerate() {
            let square = if i == j { s * s } else { Rational::default() };
            *x = square - &*x;
        }
    }
    oracle(&m)
}

/// A space of dimension 4, a frame of 1 to 3 vectors in it, H, and a number close to |Y|_2.
fn cases() -> impl Strategy<Value = (Rows<Rational>, Rows<Rational>, Rational)> {
    (1usize..4).prop_flat_map(|n| {
        let frame = prop::collection::vec(-2i64..3, 4 * n);
        let inside = prop::collection::vec(-2i64..3, n * n);
        (frame, inside, any::<bool>(), 0u32..12, 1i64..9).prop_map(
            move |(v, h, mirror, bits, nudge)| {
                let (v, mut h) = (integers(&v, n), integers(&h, n));
                if mirror {
                    let t = transpose(&h);
                    for (x, y) in h.iter_mut().flatten().zip(t.iter().flatten()) {
                        *x += y;
                    }
                }
                // |Y|_2 between two multiples of 2^-bits, by bisection from its Frobenius norm; then a little to either side.
                let y = times(&times(&v, &h), &transpose(&v));
                let square: Rational = y.iter().flatten().map(|x| x * x).sum();
                let mut high = sqrt_enclosure(&square, bits).unwrap().1;
                let mut low = Rational::default();
                for _ in 0..bits {
                    let middle = (&low + &high) * ratio(1, 2);
                    if norm_oracle(&y, &middle) {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                let s = &low + (&high - &low) * ratio(nudge, 4);
                (v, h, s)
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// The verdict on the frame is that on the explicit matrix, also when the vectors of the frame are given irrational
    /// lengths.
    #[test]
    fn norm_at_most_agrees_with_the_explicit_matrix((v, h, s) in cases(), lengths in prop::collection::vec(1i64..7, 3)) {
        let k = times(&transpose(&v), &v);
        let z = times(&times(&k, &h), &k);
        let verdict = norm_at_most(&symmetric(&k), &entries(&z), &s);
        if determinant(&k).is_zero() {
            let frame = matches!(verdict, Err(Rejection::Frame { .. }));
            prop_assert!(frame);
            return Ok(());
        }
        let y = times(&times(&v, &h), &transpose(&v));
        let expected = norm_oracle(&y, &s);
        prop_assert_eq!(verdict.is_ok(), expected);
        prop_assert_eq!(matches!(verdict, Err(Rejection::NormAbove { .. })), !expected);
        let root = |i: usize| Surd::sqrt(&Rational::integer(lengths[i])).unwrap();
        let stretched = |m: &Rows<Rational>| -> Rows<Surd> {
            (0..m.len())
                .map(|i| (0..m.len()).map(|j| (root(i) * root(j)).scale(&m[i][j])).collect())
                .collect()
        };
        let verdict = norm_at_most(&symmetric(&stretched(&k)), &entries(&stretched(&z)), &s.into());
        prop_assert_eq!(verdict.is_ok(), expected);
    }

    /// Y by its inequalities has the norm of the explicit matrix, and a matrix that satisfies them is not below the bound.
    #[test]
    fn lower_bound_agrees_with_the_explicit_matrix(
        (v, h, s) in cases(),
        left in prop::collection::vec(-2i64..3, 4),
        right in prop::collection::vec(-2i64..3, 4),
    ) {
        let n = h.len();
        let k = times(&transpose(&v), &v);
        prop_assume!(!determinant(&k).is_zero() && s.is_positive());
        // H row by row: query f_i, key row i of H, split over winner and loser.
        let list: Vec<Asked<Rational>> = (0..n)
            .filter(|i| h[*i].iter().any(|x| !x.is_zero()))
            .map(|i| Asked {
                multiplier: ratio(1, 2),
                query: vec![(i, ratio(1, 1))],
                winner: h[i].iter().enumerate().map(|(j, x)| (j, x.clone())).collect(),
                loser: h[i].iter().enumerate().map(|(j, x)| (j, -x)).collect(),
            })
            .collect();
        prop_assume!(!list.is_empty());
        let y = times(&times(&v, &h), &transpose(&v));
        let total = Rational::from(list.len()) * ratio(1, 2);
        let verdict = lower_bound(&symmetric(&k), &list, &s);
        if !norm_oracle(&y, &s) {
            let above = matches!(verdict, Err(Rejection::NormAbove { .. }));
            prop_assert!(above);
            return Ok(());
        }
        let bound = verdict.unwrap();
        prop_assert_eq!(&bound * &s, total);
        // B = c left right^T with the least c that satisfies all inequalities, if there is one: |B|_* = c |left| |right|.
        let (left, right) = (integers(&left, 1), integers(&right, 1));
        let values = |side: &Rows<Rational>, a: &Rows<Rational>| times(&times(a, &transpose(&v)), side);
        let unit: Rows<Rational> = (0..n)
            .map(|i| (0..n).map(|j| Rational::integer((i == j).into())).collect())
            .collect();
        let (queries, keys) = (values(&left, &unit), values(&right, &h));
        let margins = list.iter().map(|a| a.query[0].0).map(|i| &queries[i][0] * &keys[i][0] * ratio(2, 1));
        let least = margins.min().unwrap();
        if least.is_positive() {
            let size = |x: &Rows<Rational>| x.iter().flatten().map(|x| x * x).sum::<Rational>();
            let c = least.recip().unwrap();
            prop_assert!(&bound * &bound <= &c * &c * size(&left) * size(&right));
        }
    }
}
