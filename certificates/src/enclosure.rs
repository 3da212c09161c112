//! Bounds on the nuclear norm of one given matrix, for matrices without useful structure.

use crate::{Entries, Rejection};
use exact::{Rational, ratio, sqrt_enclosure};
use num_bigint::BigInt;
use num_integer::Integer;

/// The most entries that [`Dense::from_entries`] writes out: a short list must not ask for all the memory.
const LARGEST: usize = 1 << 24;

/// A dense matrix, row by row. There are always exactly `rows * cols` entries; a side may be 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense {
    rows: usize,
    cols: usize,
    data: Vec<Rational>,
}

impl Dense {
    /// From its entries row by row.
    ///
    /// # Errors
    /// The number of entries is not rows times columns.
    pub fn new(rows: usize, cols: usize, data: Vec<Rational>) -> Result<Dense, Rejection> {
        if rows.checked_mul(cols) != Some(data.len()) {
            return Err(Rejection::EntryCount {
                rows,
                cols,
                found: data.len(),
            });
        }
        Ok(Dense { rows, cols, data })
    }

    /// From sparse entries; all others are 0.
    ///
    /// # Errors
    /// An entry out of range, also when it is 0; a shape with more than 2^24 entries.
    pub fn from_entries(rows: usize, cols: usize, entries: &Entries) -> Result<Dense, Rejection> {
        let count =
            rows.checked_mul(cols)
                .filter(|n| *n <= LARGEST)
                .ok_or(Rejection::TooLarge {
                    rows,
                    cols,
                    limit: LARGEST,
                })?;
        let mut data = vec![Rational::default(); count];
        for (&(row, column), x) in entries {
            if row >= rows || column >= cols {
                return Err(Rejection::OutOfRange {
                    row,
                    column,
                    rows,
                    cols,
                });
            }
            data[row * cols + column] = x.clone();
        }
        Ok(Dense { rows, cols, data })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The entry in row `i`, column `j`; nothing outside the matrix.
    pub fn get(&self, i: usize, j: usize) -> Option<&Rational> {
        // Without the test, column `cols` would be read as the start of the next row.
        (i < self.rows && j < self.cols).then(|| &self.data[i * self.cols + j])
    }

    /// The transpose.
    pub fn transpose(&self) -> Dense {
        // Without rows there may be any number of columns, not to be walked through.
        let columns = if self.rows == 0 { 0 } else { self.cols };
        let data = (0..columns)
            .flat_map(|j| self.data.iter().skip(j).step_by(self.cols))
            .cloned()
            .collect();
        Dense {
            rows: self.cols,
            cols: self.rows,
            data,
        }
    }

    /// The squared Frobenius norm.
    fn square(&self) -> Rational {
        self.data.iter().map(|x| x * x).sum()
    }

    /// The entries times their common denominator, and that denominator, which is positive.
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

/// The exact product, through integers over common denominators. The caller has seen that `a.cols == b.rows`, and that
/// a matrix of the shape of the product fits in memory.
fn product(a: &Dense, b: &Dense) -> Dense {
    let (rows, cols) = (a.rows, b.cols);
    if rows == 0 || cols == 0 {
        // The other side may be any number, not to be walked through.
        return Dense {
            rows,
            cols,
            data: Vec::new(),
        };
    }
    let ((x, p), (y, q)) = (a.integers(), b.integers());
    // p q is positive. A product that were 0 by mistake would do no harm: both bounds below stay true with it.
    let inverse = Rational::from(p * q).recip().unwrap_or_default();
    let narrow = |v: &[BigInt]| {
        v.iter()
            .map(|x| i64::try_from(x).ok())
            .collect::<Option<Vec<i64>>>()
    };
    let mut data = Vec::with_capacity(rows * cols);
    // Factors below 2^58 leave room for 2^11 terms in an i128; half of that is used.
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
    Dense { rows, cols, data }
}

/// A rational not above |A|_*, and never negative: `<Y, A> / s` with s >= |Y|_2.
///
/// <Y, A> <= |Y|_2 |A|_* for every Y. |Y|_2^2 is the largest eigenvalue of Y^T Y and of Y Y^T, hence at most the largest
/// absolute row sum of either; the smaller one is multiplied out, and the root is rounded up. Y = 0 and an empty matrix
/// give 0.
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
    if dual.data.is_empty() {
        return Ok(Rational::default());
    }
    let other = dual.transpose();
    let gram = if dual.rows < dual.cols {
        product(dual, &other)
    } else {
        product(&other, dual)
    };
    // The matrix is not empty, so neither is the Gram matrix, and its rows have entries.
    let row_sums = gram
        .data
        .chunks(gram.cols)
        .map(|row| row.iter().map(Rational::abs).sum::<Rational>());
    let square = row_sums.max().unwrap_or_default();
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
/// Frobenius norms of its factors, for every b > 0: with A = F G and the polar isometry W of A,
/// |A|_* = <W, F G> = <F^T W, G> <= |F^T W|_F |G|_F <= |F|_F |G|_F, at most the mean of the squares.
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
    let half = ratio(1, 2);
    let main = (left.square() + right.square()) * &half;
    if residual.is_zero() {
        return Ok(main);
    }
    let n = Rational::from(matrix.cols);
    // The best b^2 is |E|_F / sqrt(n); any positive rational is sound, so 1 where that one cannot be had.
    let (best, inverse) = residual
        .checked_div(&n)
        .and_then(|x| sqrt_enclosure(&x, 200))
        .and_then(|(_, above)| above.recip().map(|inverse| (above, inverse)))
        .unwrap_or((Rational::integer(1), Rational::integer(1)));
    let rest = residual * inverse + best * n;
    Ok(main + rest * half)
}
