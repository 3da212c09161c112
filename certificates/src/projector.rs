//! The exact nuclear norm of positive semidefinite matrices: it is the trace.

use crate::{Entries, Rejection, SparseVec, inner};
use exact::Rational;
use std::collections::{BTreeMap, BTreeSet};

/// The nuclear norm of an orthogonal projector: symmetric and idempotent, so positive semidefinite, so the trace.
///
/// Rows without nonzero entries are zero in the square as well, so only the others are multiplied out; each is compared
/// wherever the square or the matrix has an entry. The matrix may be thought of as square of any size that holds its
/// entries: more rows or columns of zeros change no singular value but 0.
///
/// # Errors
/// The matrix is not symmetric, or not equal to its square.
pub fn trace_norm_of_projector(matrix: &Entries) -> Result<Rational, Rejection> {
    let zero = Rational::default();
    let mut rows: BTreeMap<usize, Vec<(usize, &Rational)>> = BTreeMap::new();
    for ((i, j), x) in matrix.iter().filter(|(_, x)| !x.is_zero()) {
        if matrix.get(&(*j, *i)).unwrap_or(&zero) != x {
            return Err(Rejection::NotSymmetric {
                row: *i,
                column: *j,
            });
        }
        rows.entry(*i).or_default().push((*j, x));
    }
    for (i, row) in &rows {
        let mut square = SparseVec::new();
        for (k, x) in row {
            for (j, y) in rows.get(k).into_iter().flatten() {
                *square.entry(*j).or_default() += *x * *y;
            }
        }
        square.extend(
            row.iter()
                .filter(|(j, _)| !square.contains_key(j))
                .map(|(j, _)| (*j, zero.clone()))
                .collect::<Vec<_>>(),
        );
        for (j, found) in square {
            let value = matrix.get(&(*i, j)).unwrap_or(&zero);
            if found != *value {
                return Err(Rejection::NotIdempotent {
                    row: *i,
                    column: j,
                    square: found,
                    value: value.clone(),
                });
            }
        }
    }
    Ok(matrix
        .iter()
        .filter(|((i, j), _)| i == j)
        .map(|(_, x)| x)
        .sum())
}

/// `sum_{k in support} e_k e_k^T - coefficient g g^T`, symmetric by its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Downdate {
    /// The coordinates of the partial identity.
    pub support: BTreeSet<usize>,
    /// The coefficient, >= 0.
    pub coefficient: Rational,
    /// The vector g.
    pub vector: SparseVec,
}

/// The nuclear norm of a downdated partial identity.
///
/// With g inside the support and 0 <= coefficient |g|^2 <= 1 its eigenvalues are 1 on the vectors of the support orthogonal
/// to g, 1 - coefficient |g|^2 >= 0 on g, and 0 outside the support, so it is positive semidefinite and the norm is the
/// trace |support| - coefficient |g|^2. An empty support admits only g = 0: the zero matrix, of norm 0.
///
/// # Errors
/// g leaves the support, the coefficient is negative, or coefficient |g|^2 exceeds 1.
pub fn nuclear_norm_of_downdate(matrix: &Downdate) -> Result<Rational, Rejection> {
    if let Some((k, _)) = matrix
        .vector
        .iter()
        .find(|(k, x)| !x.is_zero() && !matrix.support.contains(k))
    {
        return Err(Rejection::Downdate(format!(
            "the vector has coordinate {k}, which is outside the support"
        )));
    }
    if matrix.coefficient.is_negative() {
        return Err(Rejection::Downdate(format!(
            "the coefficient {} is negative",
            matrix.coefficient
        )));
    }
    let removed = &matrix.coefficient * inner(&matrix.vector, &matrix.vector);
    if removed > Rational::integer(1) {
        return Err(Rejection::Downdate(format!(
            "coefficient |g|^2 = {removed} exceeds 1"
        )));
    }
    Ok(Rational::from(matrix.support.len()) - removed)
}
