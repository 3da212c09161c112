//! Orthonormal bases of the residual stream: where the `h_i` and `p_t` really point.
//!
//! Every check works in the coordinates of a full orthonormal frame `q_0..q_{d-1}` of R^d whose first N vectors are
//! `h_0..h_{C+D}, p_0..p_T`. Matrices given in the standard coordinates of R^d are pulled back to the frame exactly.

use crate::Sizes;
use crate::integer::product;
use crate::matrix::Operator;
use exact::Rational;
use nalgebra::DMatrix;
use num_traits::One;
use thiserror::Error;

/// An orthonormal frame of R^d.
#[derive(Clone, Debug)]
pub struct Basis {
    /// How it was given: `standard`, `rotated:SEED`, or a file's name.
    pub name: String,
    /// The frame vectors as columns, d x d; nothing for the standard basis.
    frame: Option<DMatrix<Rational>>,
}

/// Largest d for a basis that is not the standard one: its d x d matrices are dense.
pub const LARGEST_DENSE: usize = 2048;

/// Why a basis was refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BasisError {
    /// Dense matrices beyond reach.
    #[error(
        "basis {name}: d = {width} would take dense {width} x {width} matrices of exact numbers, about {gigabytes} GB each; only the standard basis goes beyond d = {LARGEST_DENSE}"
    )]
    TooWide {
        /// The basis.
        name: String,
        /// d.
        width: usize,
        /// Size of one matrix.
        gigabytes: usize,
    },
    /// Wrong number of rows or columns.
    #[error(
        "basis {name}: {rows} x {cols}; it needs d = {width} rows and at least N = T + C + D + 2 = {needed} columns (at most d)"
    )]
    Shape {
        /// The basis.
        name: String,
        /// Rows found.
        rows: usize,
        /// Columns found.
        cols: usize,
        /// d.
        width: usize,
        /// N.
        needed: usize,
    },
    /// Two columns are not orthonormal.
    #[error(
        "basis {name}: not orthonormal: columns {i} ({first}) and {j} ({second}) have inner product {found}, not {expected}"
    )]
    NotOrthonormal {
        /// The basis.
        name: String,
        /// One column.
        i: usize,
        /// Its vector.
        first: String,
        /// The other column.
        j: usize,
        /// Its vector.
        second: String,
        /// Their inner product.
        found: Rational,
        /// 0 or 1.
        expected: u8,
    },
}

/// Refuses widths whose dense matrices are beyond reach.
///
/// # Errors
/// d above [`LARGEST_DENSE`].
pub fn dense_fits(name: &str, width: usize) -> Result<(), BasisError> {
    if width <= LARGEST_DENSE {
        return Ok(());
    }
    let bytes = width.saturating_mul(width) * size_of::<Rational>();
    Err(BasisError::TooWide {
        name: name.into(),
        width,
        gigabytes: bytes.div_ceil(1 << 30),
    })
}

impl Basis {
    /// The standard basis of R^d.
    pub fn standard() -> Basis {
        Basis {
            name: "standard".into(),
            frame: None,
        }
    }

    /// The Householder reflection of the standard basis in a small integer vector drawn from the seed.
    ///
    /// # Errors
    /// None for a correct reflection; orthonormality is re-checked like anybody's.
    pub fn rotated(sizes: &Sizes, seed: u64) -> Result<Basis, BasisError> {
        dense_fits(&format!("rotated:{seed}"), sizes.width)?;
        let mut state = seed;
        let mut draw = || {
            // splitmix64, so that a seed means the same basis everywhere.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        let mut v: Vec<i64> = (0..sizes.width)
            .map(|_| [-2, -1, 1, 2][(draw() % 4) as usize])
            .collect();
        v[0] = 3;
        Basis::given(format!("rotated:{seed}"), sizes, reflection(&v))
    }

    /// The standard basis turned by the angle with cosine 3/5 in the plane of two frame vectors.
    ///
    /// # Errors
    /// None for indices below d; orthonormality is re-checked like anybody's.
    pub fn turned(sizes: &Sizes, i: usize, j: usize) -> Result<Basis, BasisError> {
        dense_fits("turned", sizes.width)?;
        let mut frame = DMatrix::<Rational>::identity(sizes.width, sizes.width);
        let (cos, sin) = (exact::ratio(3, 5), exact::ratio(4, 5));
        frame[(i, i)] = cos.clone();
        frame[(j, i)] = sin.clone();
        frame[(i, j)] = -sin;
        frame[(j, j)] = cos;
        Basis::given(
            format!("turned:{},{}", sizes.name(i), sizes.name(j)),
            sizes,
            frame,
        )
    }

    /// A basis given by columns `h_0..h_{C+D}, p_0..p_T` (and more, up to d), checked and completed to a frame.
    ///
    /// # Errors
    /// Wrong shape, or columns that are not orthonormal: the message names the pair.
    pub fn given(
        name: String,
        sizes: &Sizes,
        columns: DMatrix<Rational>,
    ) -> Result<Basis, BasisError> {
        dense_fits(&name, sizes.width)?;
        let (rows, cols) = columns.shape();
        if rows != sizes.width || cols < sizes.n() || cols > rows {
            return Err(BasisError::Shape {
                name,
                rows,
                cols,
                width: sizes.width,
                needed: sizes.n(),
            });
        }
        let gram = product(&columns.transpose(), &columns);
        for i in 0..cols {
            for j in i..cols {
                let expected = u8::from(i == j);
                if gram[(i, j)] != Rational::from(i32::from(expected)) {
                    let (first, second) = (sizes.name(i), sizes.name(j));
                    let found = gram[(i, j)].clone();
                    return Err(BasisError::NotOrthonormal {
                        name,
                        i,
                        first,
                        j,
                        second,
                        found,
                        expected,
                    });
                }
            }
        }
        Ok(Basis {
            name,
            frame: Some(complete(columns)),
        })
    }

    /// Is it the standard basis?
    pub fn is_standard(&self) -> bool {
        self.frame.is_none()
    }

    /// Frame vector `k` in standard coordinates, as a sparse vector.
    pub fn vector(&self, k: usize) -> crate::matrix::Sparse {
        match &self.frame {
            None => vec![(k, Rational::one())],
            Some(q) => q
                .column(k)
                .iter()
                .cloned()
                .enumerate()
                .filter(|(_, x)| !x.is_zero())
                .collect(),
        }
    }

    /// `Q^T M Q`, `M Q` or `Q^T M`: a matrix in standard coordinates, pulled back to the frame on the sides asked for.
    pub fn pull_back(&self, matrix: &Operator, left: bool, right: bool) -> Operator {
        self.change(matrix, left, right, false)
    }

    /// The inverse of [`Basis::pull_back`].
    pub fn push_forward(&self, matrix: &Operator, left: bool, right: bool) -> Operator {
        self.change(matrix, left, right, true)
    }

    fn change(&self, matrix: &Operator, left: bool, right: bool, forward: bool) -> Operator {
        let Some(q) = &self.frame else {
            return matrix.clone();
        };
        let (to, from) = if forward {
            (q.clone(), q.transpose())
        } else {
            (q.transpose(), q.clone())
        };
        let mut m = dense(matrix);
        if left {
            m = product(&to, &m);
        }
        if right {
            m = product(&m, &from);
        }
        sparse(&m)
    }
}

/// The exact dense form, by nalgebra.
pub fn dense(m: &Operator) -> DMatrix<Rational> {
    let mut full = DMatrix::<Rational>::zeros(m.rows, m.cols());
    for k in 0..m.cols() {
        for (i, x) in m.column(k) {
            full[(i, k)] = x;
        }
    }
    full
}

/// The sparse form of a dense matrix.
pub fn sparse(m: &DMatrix<Rational>) -> Operator {
    let column = |k: usize| {
        m.column(k)
            .iter()
            .cloned()
            .enumerate()
            .filter(|(_, x)| !x.is_zero())
            .collect()
    };
    Operator {
        rows: m.nrows(),
        columns: (0..m.ncols()).map(column).collect(),
        outers: Vec::new(),
    }
}

/// `I - 2 v v^T / |v|^2`, exact.
fn reflection(v: &[i64]) -> DMatrix<Rational> {
    let square: i64 = v.iter().map(|x| x * x).sum();
    DMatrix::from_fn(v.len(), v.len(), |i, j| {
        let removed = Rational::new(2 * v[i] * v[j], square).unwrap_or_default();
        Rational::from(i32::from(i == j)) - removed
    })
}

/// Orthonormal columns, completed to a frame by rational reflections.
///
/// Reflection `k` sends `e_k` to what is left of column `k`, which is orthogonal to `e_0..e_{k-1}`, so it leaves these
/// alone. The product of all of them is orthogonal and rational and begins with the given columns.
fn complete(columns: DMatrix<Rational>) -> DMatrix<Rational> {
    let (rows, cols) = columns.shape();
    if rows == cols {
        return columns;
    }
    let mut frame = DMatrix::<Rational>::identity(rows, rows);
    let mut rest = columns;
    for k in 0..cols {
        // v = e_k - column k; nothing to do when they agree.
        let mut v: Vec<Rational> = rest.column(k).iter().map(|x| -x).collect();
        v[k] += Rational::one();
        let square: Rational = v.iter().map(|x| x * x).sum();
        let Some(factor) = Rational::from(2i64).checked_div(&square) else {
            continue;
        };
        for j in 0..cols {
            let inner: Rational = (0..rows).map(|i| &v[i] * &rest[(i, j)]).sum();
            if !inner.is_zero() {
                for i in 0..rows {
                    let removed = &factor * &inner * &v[i];
                    rest[(i, j)] -= removed;
                }
            }
        }
        for r in 0..rows {
            let inner: Rational = (0..rows).map(|i| &frame[(r, i)] * &v[i]).sum();
            if !inner.is_zero() {
                for i in 0..rows {
                    let removed = &factor * &inner * &v[i];
                    frame[(r, i)] -= removed;
                }
            }
        }
    }
    frame
}
