//! Certificates for norms of exact matrices, and their checker.
//!
//! Whoever proposes a certificate (a closed form, a float SVD, a solver) is not trusted: each function here decides
//! from exact arithmetic alone whether the certificate proves its number, and rejects it otherwise.

pub mod dual;
mod elimination;
pub mod enclosure;
pub mod gram;
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
