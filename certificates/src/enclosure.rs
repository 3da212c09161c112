//! Bounds on the nuclear norm of one given matrix, for matrices without useful structure.

use crate::{Entries, Rejection};
use exact::{Rational, sqrt_enclosure};
use num_bigint::BigInt;
use num_integer::Integer;

/// A dense matrix, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    data: Vec<Rational>,
}

impl Dense {
    /// From its entries row by row; nothing when the count does not fit.
    pub fn new(rows: usize, cols: usize, data: Vec<Rational>) -> Option<Dense> {
        (data.len() == rows * cols).then_some(Dense { rows, cols, data })
    }

    /// From sparse entries; those out of range are an error of the caller and make it nothing.
    pub fn from_entries(rows: usize, cols: usize, entries: &Entries) -> Option<Dense> {
        let mut data = vec![Rational::default(); rows * cols];
        for ((i, j), x) in entries {
            if *i >= rows || *j >= cols {
                return None;
            }
            data[i * cols + j] = x.clone();
        }
        Some(Dense { rows, cols, data })
    }

    /// The entry in row `i`, column `j`.
    pub fn get(&self, i: usize, j: usize) -> &Rational {
        &self.data[i * self.cols + j]
    }

    /// The transpose.
    pub fn transpose(&self) -> Dense {
        let data = (0..self.cols)
            .flat_map(|j| (0..self.rows).map(move |i| self.get(i, j).clone()))
            .collect();
        Dense {
            rows: self.cols,
            cols: self.rows,
            data,
        }
    }

    fn square(&self) -> Rational {
        self.data.iter().map(|x| x * x).sum()
    }

    /// The entries times their common denominator.
    fn integers(&self) -> (Vec<BigInt>, BigInt) {
        let mut common = BigInt::from(1);
        for x in &self.data {
            common = common.lcm(&x.denom());
        }
        (
            self.data
                .iter()
                .map(|x| x.numer() * (&common / x.denom()))
                .collect(),
            common,
        )
    }
}

/// The exact product, through integers over common denominators.
fn product(a: &Dense, b: &Dense) -> Dense {
    let ((x, p), (y, q)) = (a.integers(), b.integers());
    let inverse = Rational::from(p * q).recip().unwrap_or_default();
    let narrow = |v: &[BigInt]| {
        v.iter()
            .map(|x| i64::try_from(x).ok())
            .collect::<Option<Vec<i64>>>()
    };
    let mut data = Vec::with_capacity(a.rows * b.cols);
    // Factors below 2^58 leave room for 2^11 terms in an i128.
    let small = |v: &[i64]| v.iter().all(|x| x.unsigned_abs() < 1 << 58);
    match (narrow(&x), narrow(&y)) {
        (Some(x), Some(y)) if small(&x) && small(&y) && a.cols <= 1 << 10 => {
            for i in 0..a.rows {
                let mut row = vec![0i128; b.cols];
                for k in 0..a.cols {
                    let factor = i128::from(x[i * a.cols + k]);
                    if factor != 0 {
                        row.iter_mut()
                            .zip(&y[k * b.cols..])
                            .for_each(|(s, z)| *s += factor * i128::from(*z));
                    }
                }
                data.extend(
                    row.into_iter()
                        .map(|s| Rational::from(BigInt::from(s)) * &inverse),
                );
            }
        }
        _ => {
            for i in 0..a.rows {
                for j in 0..b.cols {
                    let sum: BigInt = (0..a.cols)
                        .map(|k| &x[i * a.cols + k] * &y[k * b.cols + j])
                        .sum();
                    data.push(Rational::from(sum) * &inverse);
                }
            }
        }
    }
    Dense {
        rows: a.rows,
        cols: b.cols,
        data,
    }
}

/// A rational not above |A|_*: `<Y, A> / s` with s >= |Y|_2, from the row sums of |Y^T Y| or |Y Y^T|.
///
/// # Errors
/// Y has another shape than A.
pub fn lower_by_dual(matrix: &Dense, dual: &Dense) -> Result<Rational, Rejection> {
    if (matrix.rows, matrix.cols) != (dual.rows, dual.cols) {
        return Err(Rejection::Shape(format!(
            "matrix {}x{}, dual {}x{}",
            matrix.rows, matrix.cols, dual.rows, dual.cols
        )));
    }
    let paired: Rational = matrix.data.iter().zip(&dual.data).map(|(a, y)| a * y).sum();
    let other = dual.transpose();
    let gram = if dual.rows < dual.cols {
        product(dual, &other)
    } else {
        product(&other, dual)
    };
    let row = |i: usize| {
        (0..gram.cols)
            .map(|j| gram.get(i, j).abs())
            .sum::<Rational>()
    };
    let square = (0..gram.rows).map(row).max().unwrap_or_default();
    let Some((_, above)) = sqrt_enclosure(&square, 80) else {
        return Ok(Rational::default());
    };
    // A dual that pairs negatively proves nothing beyond |A|_* >= 0.
    Ok(paired
        .checked_div(&above)
        .unwrap_or_default()
        .max(Rational::default()))
}

/// A rational not below |A|_*.
///
/// With E = A - L R, A = [L | E/b] [R ; b I] is a factorisation, and |A|_* is at most half the sum of the squared
/// Frobenius norms of its factors, for every b > 0.
///
/// # Errors
/// L and R do not multiply to the shape of A.
pub fn upper_by_factorisation(
    matrix: &Dense,
    left: &Dense,
    right: &Dense,
) -> Result<Rational, Rejection> {
    if left.rows != matrix.rows || right.cols != matrix.cols || left.cols != right.rows {
        return Err(Rejection::Shape(format!(
            "matrix {}x{}, factors {}x{} and {}x{}",
            matrix.rows, matrix.cols, left.rows, left.cols, right.rows, right.cols
        )));
    }
    let near = product(left, right);
    let residual: Rational = matrix
        .data
        .iter()
        .zip(&near.data)
        .map(|(a, b)| a - b)
        .map(|e| &e * &e)
        .sum();
    let half = Rational::new(1, 2).unwrap_or_default();
    let main = (left.square() + right.square()) * &half;
    if residual.is_zero() {
        return Ok(main);
    }
    let n = Rational::from(matrix.cols);
    // The best b^2 is |E|_F / sqrt(n); any positive rational is sound.
    let best = residual
        .checked_div(&n)
        .and_then(|x| sqrt_enclosure(&x, 200))
        .map(|(_, above)| above)
        .unwrap_or_default();
    let rest = residual.checked_div(&best).unwrap_or_default() + best * n;
    Ok(main + rest * half)
}
