//! The exact nuclear norm from orthogonal rank-one parts.
//!
//! If M = sum_k c_k u_k v_k^T with the u_k pairwise orthogonal and the v_k pairwise orthogonal, the singular values of M
//! are |c_k| |u_k| |v_k|, and the nuclear norm is their sum. Terms with a zero vector or coefficient count 0. A term given
//! twice is not orthogonal to itself, so nothing can be counted twice or cancel.

use crate::{Entries, RankOne, Rejection, SparseVec, first_difference, inner};
use exact::{Rational, Surd};
use std::collections::{BTreeMap, BTreeSet};

/// The nuclear norm of `matrix`, proved by `terms`.
///
/// # Errors
/// The terms do not add up to the matrix, or are not orthogonal on one side.
pub fn nuclear_norm(matrix: &Entries, terms: &[RankOne]) -> Result<Surd, Rejection> {
    let mut sum = Entries::new();
    for term in terms {
        term.add_to(&mut sum);
    }
    if let Some(defect) = first_difference(&sum, matrix) {
        return Err(defect);
    }
    pairwise_orthogonal(terms)?;
    // Equal singular values are common; one square root serves them all.
    let mut squares: BTreeMap<Rational, i64> = BTreeMap::new();
    for term in terms {
        *squares.entry(term.square()).or_default() += 1;
    }
    let mut norm = Surd::zero();
    for (square, count) in squares {
        norm += &Surd::sqrt(&square)?.scale(&Rational::integer(count));
    }
    Ok(norm)
}

/// Are the left vectors pairwise orthogonal, and the right ones?
pub(crate) fn pairwise_orthogonal(terms: &[RankOne]) -> Result<(), Rejection> {
    let lefts: Vec<&SparseVec> = terms.iter().map(|t| &t.left).collect();
    if let Some((first, second, value)) = overlap(&lefts) {
        return Err(Rejection::LeftNotOrthogonal {
            first,
            second,
            value,
        });
    }
    let rights: Vec<&SparseVec> = terms.iter().map(|t| &t.right).collect();
    match overlap(&rights) {
        Some((first, second, value)) => Err(Rejection::RightNotOrthogonal {
            first,
            second,
            value,
        }),
        None => Ok(()),
    }
}

/// Two vectors that are not orthogonal. Only vectors that share a coordinate are compared: the others are orthogonal.
fn overlap(vectors: &[&SparseVec]) -> Option<(usize, usize, Rational)> {
    let mut owners: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (k, v) in vectors.iter().enumerate() {
        let mut met = BTreeSet::new();
        for coordinate in v.keys() {
            let list = owners.entry(*coordinate).or_default();
            met.extend(list.iter().copied());
            list.push(k);
        }
        for other in met {
            let value = inner(vectors[other], v);
            if !value.is_zero() {
                return Some((other, k, value));
            }
        }
    }
    None
}
