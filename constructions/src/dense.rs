//! Small dense matrices over the rationals: products, ranks, kernels, and solutions of `W V = R`.

use exact::Rational;
use num_traits::One;
use thiserror::Error;

/// A matrix by its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense {
    rows: usize,
    cols: usize,
    entries: Vec<Rational>,
}

/// Why matrices do not go together.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DenseError {
    /// Rows of different lengths.
    #[error("row {row} has {found} entries, row 1 has {needed}")]
    Ragged {
        /// Which row, from 1.
        row: usize,
        /// Its length.
        found: usize,
        /// The length of the first row.
        needed: usize,
    },
    /// Shapes that do not fit.
    #[error("{operation}: a {}x{} matrix does not go with a {}x{} one", left.0, left.1, right.0, right.1)]
    Shape {
        /// What was tried.
        operation: &'static str,
        /// Rows and columns of the first matrix.
        left: (usize, usize),
        /// Rows and columns of the second one.
        right: (usize, usize),
    },
    /// A matrix without an inverse.
    #[error("a {0}x{1} matrix of lower rank has no inverse")]
    Singular(usize, usize),
}

/// Why no `W` has `W V = R`: a vector that V kills and R does not.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("no W exists: V y = 0 but R y != 0 for y = ({})", listed(.0))]
pub struct Unsolvable(pub Vec<Rational>);

fn listed(y: &[Rational]) -> String {
    let texts: Vec<String> = y.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

impl Dense {
    /// From its rows.
    ///
    /// # Errors
    /// Rows of different lengths.
    pub fn from_rows(rows: Vec<Vec<Rational>>) -> Result<Dense, DenseError> {
        let cols = rows.first().map_or(0, Vec::len);
        if let Some((k, row)) = rows.iter().enumerate().find(|(_, r)| r.len() != cols) {
            return Err(DenseError::Ragged {
                row: k + 1,
                found: row.len(),
                needed: cols,
            });
        }
        Ok(Dense {
            rows: rows.len(),
            cols,
            entries: rows.into_iter().flatten().collect(),
        })
    }

    /// From its columns.
    ///
    /// # Errors
    /// Columns of different lengths.
    pub fn from_columns(columns: Vec<Vec<Rational>>) -> Result<Dense, DenseError> {
        Ok(Dense::from_rows(columns)?.t())
    }

    /// From a function of row and column, both from 0.
    pub fn of(rows: usize, cols: usize, entry: impl Fn(usize, usize) -> Rational) -> Dense {
        let places = (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j)));
        Dense {
            rows,
            cols,
            entries: places.map(|(i, j)| entry(i, j)).collect(),
        }
    }

    /// The identity.
    pub fn identity(n: usize) -> Dense {
        let one = |same| {
            if same {
                Rational::one()
            } else {
                Rational::default()
            }
        };
        Dense::of(n, n, |i, j| one(i == j))
    }

    /// The diagonal matrix of these numbers.
    pub fn diagonal(numbers: &[Rational]) -> Dense {
        let n = numbers.len();
        Dense::of(n, n, |i, j| match i == j {
            true => numbers[i].clone(),
            false => Rational::default(),
        })
    }

    /// The outer product `u v^T`.
    pub fn outer(u: &[Rational], v: &[Rational]) -> Dense {
        Dense::of(u.len(), v.len(), |i, j| &u[i] * &v[j])
    }

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// An entry; outside the matrix nothing.
    pub fn get(&self, i: usize, j: usize) -> Option<&Rational> {
        let inside = i < self.rows && j < self.cols;
        inside
            .then(|| self.entries.get(i * self.cols + j))
            .flatten()
    }

    /// An entry; 0 outside the matrix.
    pub fn at(&self, i: usize, j: usize) -> Rational {
        self.get(i, j).cloned().unwrap_or_default()
    }

    /// A row; empty outside the matrix.
    pub fn row(&self, i: usize) -> Vec<Rational> {
        (0..self.cols)
            .filter_map(|j| self.get(i, j).cloned())
            .collect()
    }

    /// A column; empty outside the matrix.
    pub fn column(&self, j: usize) -> Vec<Rational> {
        (0..self.rows)
            .filter_map(|i| self.get(i, j).cloned())
            .collect()
    }

    /// The transpose.
    #[must_use]
    pub fn t(&self) -> Dense {
        Dense::of(self.cols, self.rows, |i, j| self.at(j, i))
    }

    /// `self + factor * other`.
    ///
    /// # Errors
    /// Different shapes.
    pub fn plus(&self, factor: &Rational, other: &Dense) -> Result<Dense, DenseError> {
        if self.shape() != other.shape() {
            return Err(self.misfit("sum", other));
        }
        let pairs = self.entries.iter().zip(&other.entries);
        Ok(Dense {
            entries: pairs.map(|(a, b)| a + &(factor * b)).collect(),
            ..*self
        })
    }

    /// `factor * self`.
    #[must_use]
    pub fn scale(&self, factor: &Rational) -> Dense {
        Dense {
            entries: self.entries.iter().map(|x| x * factor).collect(),
            ..*self
        }
    }

    /// The product.
    ///
    /// # Errors
    /// Columns of the first that are not as many as rows of the second.
    pub fn times(&self, other: &Dense) -> Result<Dense, DenseError> {
        if self.cols != other.rows {
            return Err(self.misfit("product", other));
        }
        let mut entries = vec![Rational::default(); self.rows * other.cols];
        for i in 0..self.rows {
            for k in 0..self.cols {
                let factor = &self.entries[i * self.cols + k];
                if factor.is_zero() {
                    continue;
                }
                for j in 0..other.cols {
                    entries[i * other.cols + j] += factor * &other.entries[k * other.cols + j];
                }
            }
        }
        Ok(Dense {
            rows: self.rows,
            cols: other.cols,
            entries,
        })
    }

    /// The trace of `self * other`, the sum of their entries' products.
    ///
    /// # Errors
    /// Shapes that are not transposes of each other.
    pub fn trace_with(&self, other: &Dense) -> Result<Rational, DenseError> {
        if self.shape() != (other.cols, other.rows) {
            return Err(self.misfit("trace of a product", other));
        }
        let places = (0..self.rows).flat_map(|i| (0..self.cols).map(move |j| (i, j)));
        Ok(places
            .map(|(i, j)| &self.entries[i * self.cols + j] * &other.entries[j * other.cols + i])
            .sum())
    }

    /// The trace.
    pub fn trace(&self) -> Rational {
        (0..self.rows.min(self.cols)).map(|i| self.at(i, i)).sum()
    }

    /// Is every entry 0?
    pub fn is_zero(&self) -> bool {
        self.entries.iter().all(Rational::is_zero)
    }

    fn misfit(&self, operation: &'static str, other: &Dense) -> DenseError {
        DenseError::Shape {
            operation,
            left: self.shape(),
            right: other.shape(),
        }
    }

    /// The reduced row echelon form, and its pivot columns.
    fn reduced(&self) -> (Vec<Vec<Rational>>, Vec<usize>) {
        let mut rows: Vec<Vec<Rational>> = (0..self.rows).map(|i| self.row(i)).collect();
        let mut pivots = Vec::new();
        for j in 0..self.cols {
            let top = pivots.len();
            let Some(found) = (top..rows.len()).find(|i| !rows[*i][j].is_zero()) else {
                continue;
            };
            rows.swap(top, found);
            let Some(inverse) = rows[top][j].recip() else {
                continue;
            };
            let pivot: Vec<Rational> = rows[top].iter().map(|x| x * &inverse).collect();
            for (i, row) in rows.iter_mut().enumerate() {
                let factor = row[j].clone();
                if i != top && !factor.is_zero() {
                    row.iter_mut()
                        .zip(&pivot)
                        .for_each(|(x, p)| *x -= &factor * p);
                }
            }
            rows[top] = pivot;
            pivots.push(j);
        }
        (rows, pivots)
    }

    /// The rank.
    pub fn rank(&self) -> usize {
        self.reduced().1.len()
    }

    /// The first columns that are independent of those before them.
    pub fn independent_columns(&self) -> Vec<usize> {
        self.reduced().1
    }

    /// A basis of the vectors `y` with `self y = 0`.
    pub fn kernel(&self) -> Vec<Vec<Rational>> {
        let (rows, pivots) = self.reduced();
        let free = (0..self.cols).filter(|j| !pivots.contains(j));
        free.map(|j| {
            let mut y = vec![Rational::default(); self.cols];
            y[j] = Rational::one();
            for (row, pivot) in rows.iter().zip(&pivots) {
                y[*pivot] = -row[j].clone();
            }
            y
        })
        .collect()
    }

    /// The inverse.
    ///
    /// # Errors
    /// No square matrix of full rank.
    pub fn inverse(&self) -> Result<Dense, DenseError> {
        let (n, m) = self.shape();
        let unit = Dense::identity(n);
        let wide = Dense::of(n, m + n, |i, j| match j < m {
            true => self.at(i, j),
            false => unit.at(i, j - m),
        });
        let (rows, pivots) = wide.reduced();
        if n != m || pivots.iter().copied().ne(0..n) {
            return Err(DenseError::Singular(n, m));
        }
        Ok(Dense::of(n, n, |i, j| rows[i][n + j].clone()))
    }

    /// `(self^T self)^{-1} self^T`, which takes `self` to the identity.
    ///
    /// # Errors
    /// Columns that are not independent.
    pub fn left_inverse(&self) -> Result<Dense, DenseError> {
        let t = self.t();
        t.times(self)?.inverse()?.times(&t)
    }

    /// A `W` with `W self = target`, or a vector that shows that there is none. The columns of both are as many.
    ///
    /// # Errors
    /// Shapes that do not fit.
    pub fn solve_left(&self, target: &Dense) -> Result<Result<Dense, Unsolvable>, DenseError> {
        if self.cols != target.cols {
            return Err(self.misfit("W V = R", target));
        }
        for y in self.kernel() {
            let image = target.times(&Dense::from_columns(vec![y.clone()])?)?;
            if !image.is_zero() {
                return Ok(Err(Unsolvable(y)));
            }
        }
        let chosen = self.independent_columns();
        let pick = |m: &Dense| Dense::of(m.rows, chosen.len(), |i, j| m.at(i, chosen[j]));
        Ok(Ok(pick(target).times(&pick(self).left_inverse()?)?))
    }
}

/// The inner product of two vectors of one length.
pub fn inner(u: &[Rational], v: &[Rational]) -> Rational {
    u.iter().zip(v).map(|(a, b)| a * b).sum()
}
