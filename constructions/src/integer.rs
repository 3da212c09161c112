//! Products of dense rational matrices through integers over a common denominator.
//!
//! One gcd an entry instead of one a multiplication: 140 x 140 takes tens of milliseconds instead of half a minute.

use exact::Rational;
use nalgebra::DMatrix;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The exact product `a b`; a naive product of rationals is its oracle in the tests.
///
/// # Panics
/// Never for shapes that fit: callers pass `a.ncols() == b.nrows()`.
pub fn product(a: &DMatrix<Rational>, b: &DMatrix<Rational>) -> DMatrix<Rational> {
    let (x, p) = integers(a);
    let (y, q) = integers(b);
    let scale = Rational::from(p * q);
    let inner = a.ncols();
    let narrow = |v: &[BigInt]| {
        v.iter()
            .map(ToPrimitive::to_i64)
            .collect::<Option<Vec<i64>>>()
    };
    // |sum| <= inner 2^126 < 2^127 would need inner = 1; bound the factors instead.
    let bits = |v: &[BigInt]| v.iter().map(|x| x.abs().bits()).max().unwrap_or(0);
    let fits = bits(&x) + bits(&y) + u64::from(usize::BITS - inner.leading_zeros()) < 126;
    let entry: Box<dyn Fn(usize, usize) -> BigInt> = match (fits, narrow(&x), narrow(&y)) {
        (true, Some(x), Some(y)) => {
            // Rows of `a` are made contiguous, as columns of `b` are.
            let rows: Vec<Vec<i64>> = (0..a.nrows())
                .map(|i| (0..inner).map(|k| x[k * a.nrows() + i]).collect())
                .collect();
            Box::new(move |i, j| {
                let column = &y[j * inner..(j + 1) * inner];
                rows[i]
                    .iter()
                    .zip(column)
                    .map(|(u, v)| i128::from(*u) * i128::from(*v))
                    .sum::<i128>()
                    .into()
            })
        }
        _ => {
            let n = a.nrows();
            Box::new(move |i, j| (0..inner).map(|k| &x[k * n + i] * &y[j * inner + k]).sum())
        }
    };
    let inverse = scale.recip().unwrap_or_default();
    DMatrix::from_fn(a.nrows(), b.ncols(), |i, j| {
        Rational::from(entry(i, j)) * &inverse
    })
}

/// All entries times their least common denominator, column-major, and that denominator.
fn integers(m: &DMatrix<Rational>) -> (Vec<BigInt>, BigInt) {
    let mut common = BigInt::one();
    for x in m.iter() {
        let d = x.denom();
        if !d.is_one() {
            common = common.lcm(&d);
        }
    }
    let scaled = |x: &Rational| {
        if x.is_zero() {
            BigInt::zero()
        } else {
            x.numer() * (&common / x.denom())
        }
    };
    (m.iter().map(scaled).collect(), common)
}
