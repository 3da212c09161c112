//! Do vectors lie in an open half-space?

use super::{Answer, LinearError, feasible};
use certificates::SparseVec;
use certificates::farkas::Row;
use exact::Rational;

/// Which one, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HalfSpace {
    /// u with `u . z >= 1` for every vector z.
    Normal(Vec<Rational>),
    /// Nonnegative multipliers, not all 0, whose combination of the vectors is 0 (Gordan's alternative).
    Mixture(Vec<Rational>),
}

/// The rows `z . u >= 1`: an open half-space holds finitely many vectors exactly if they have a solution, for u may be scaled.
pub fn rows(vectors: &[Vec<Rational>]) -> Vec<Row> {
    vectors.iter().map(|z| at_least_one(z)).collect()
}

/// The row `z . u >= 1`.
pub fn at_least_one(z: &[Rational]) -> Row {
    Row {
        coefficients: sparse(z),
        bound: Rational::integer(1),
    }
}

/// The entries that are not 0.
pub fn sparse(z: &[Rational]) -> SparseVec {
    let entries = z.iter().cloned().enumerate();
    entries.filter(|(_, x)| !x.is_zero()).collect()
}

/// Decides it for vectors of one length, with a certificate that has been checked.
///
/// # Errors
/// Vectors of different lengths; a defect of the exact method.
pub fn halfspace(vectors: &[Vec<Rational>]) -> Result<HalfSpace, LinearError> {
    let width = vectors.first().map_or(0, Vec::len);
    if let Some((index, z)) = vectors.iter().enumerate().find(|(_, z)| z.len() != width) {
        return Err(LinearError::Length {
            index,
            found: z.len(),
            needed: width,
        });
    }
    Ok(match feasible(width, &rows(vectors))? {
        Answer::Solution(u) => HalfSpace::Normal(u),
        Answer::Contradiction(y) => HalfSpace::Mixture(y),
    })
}
