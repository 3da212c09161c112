//! Certificates for norms of exact matrices, and their checker.
//!
//! Whoever proposes a certificate (a closed form, a float SVD, a solver) is not trusted: each function here decides
//! from exact arithmetic alone whether the certificate proves its number, and rejects it otherwise.

pub mod cases;
pub mod dual;
mod elimination;
pub mod enclosure;
pub mod farkas;
pub mod file;
pub mod gram;
pub mod ldl;
pub mod nuclear;
pub mod orthogonal;
pub mod polynomial;
pub mod positivity;
pub mod projector;
pub mod psd;
mod rejection;

pub use rejection::Rejection;

use exact::Rational;
use std::collections::BTreeMap;

/// A sparse vector: coordinate to value.
pub type SparseVec = BTreeMap<usize, Rational>;
/// A sparse matrix: (row, column) to value.
pub type Entries = BTreeMap<(usize, usize), Rational>;

/// `coefficient * left * right^T`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankOne {
    /// The coefficient.
    pub coefficient: Rational,
    /// The left vector.
    pub left: SparseVec,
    /// The right vector.
    pub right: SparseVec,
}

impl RankOne {
    /// (coefficient |left| |right|)^2, the square of its only singular value.
    fn square(&self) -> Rational {
        &self.coefficient
            * &self.coefficient
            * inner(&self.left, &self.left)
            * inner(&self.right, &self.right)
    }

    /// Adds the matrix to `sum`.
    fn add_to(&self, sum: &mut Entries) {
        for (i, x) in &self.left {
            let c = &self.coefficient * x;
            for (j, y) in &self.right {
                *sum.entry((*i, *j)).or_default() += &c * y;
            }
        }
    }
}

/// The inner product; coordinates that only one vector has count 0.
fn inner(a: &SparseVec, b: &SparseVec) -> Rational {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    short
        .iter()
        .filter_map(|(k, x)| long.get(k).map(|y| x * y))
        .sum()
}

/// The most products of two entries in one product of matrices.
const STEPS: usize = 10_000_000;

/// The rows of left^T right are summed over the shared rows of the two factors, each given by its rows.
fn transposed_product(
    what: &'static str,
    left: &BTreeMap<usize, SparseVec>,
    right: &BTreeMap<usize, SparseVec>,
) -> Result<Entries, Rejection> {
    let shared = || left.iter().filter_map(|(k, u)| Some((u, right.get(k)?)));
    let steps = shared().map(|(u, v)| u.len().saturating_mul(v.len()));
    if steps.fold(0, usize::saturating_add) > STEPS {
        return Err(Rejection::Work { what, limit: STEPS });
    }
    let mut product = Entries::new();
    for (u, v) in shared() {
        for (i, x) in u {
            for (j, y) in v {
                *product.entry((*i, *j)).or_default() += x * y;
            }
        }
    }
    Ok(product)
}

/// A matrix by its rows.
fn by_row(matrix: &Entries) -> BTreeMap<usize, SparseVec> {
    let mut rows: BTreeMap<usize, SparseVec> = BTreeMap::new();
    for ((i, j), x) in matrix {
        rows.entry(*i).or_default().insert(*j, x.clone());
    }
    rows
}

/// The first entry in which two matrices differ, zeros ignored.
fn first_difference(found: &Entries, expected: &Entries) -> Option<Rejection> {
    let zero = Rational::default();
    let rows = found.keys().chain(expected.keys());
    rows.map(|key| {
        (
            key,
            found.get(key).unwrap_or(&zero),
            expected.get(key).unwrap_or(&zero),
        )
    })
    .find(|(_, a, b)| a != b)
    .map(|(key, a, b)| Rejection::SumDiffers {
        row: key.0,
        column: key.1,
        found: a.clone(),
        expected: b.clone(),
    })
}
