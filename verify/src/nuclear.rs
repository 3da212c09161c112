//! Nuclear norms of given matrices: exact where the structure gives it, enclosed between rationals otherwise.
//!
//! What is found here (blocks, float singular vectors) is only proposed; the `certificates` crate decides.

use certificates::enclosure::{Dense, lower_by_dual, upper_by_factorisation};
use certificates::{Entries, RankOne, orthogonal, projector};
use constructions::matrix::Operator;
use exact::{Rational, Surd};
use nalgebra::DMatrix;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use thiserror::Error;

/// Largest side of a matrix for which an SVD is tried.
const LARGEST_DENSE: usize = 1200;
/// Largest side for which idempotence is tested.
const LARGEST_PROJECTOR: usize = 400;

/// A nuclear norm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Norm {
    /// Exactly known.
    Exact(Surd),
    /// Between two rationals.
    Enclosed(Rational, Rational),
}

/// Why no norm was found.
#[derive(Clone, Debug, Error)]
pub enum NormError {
    /// Too large for the dense path.
    #[error(
        "the {rows} x {cols} matrix has no block structure and is too large for a singular value decomposition"
    )]
    TooLarge {
        /// Rows.
        rows: usize,
        /// Columns.
        cols: usize,
    },
    /// The float search failed; nothing follows about the matrix.
    #[error("the singular value decomposition did not converge")]
    Diverged,
    /// The proposed certificate was rejected.
    #[error(transparent)]
    Rejected(#[from] certificates::Rejection),
}

impl Norm {
    /// Compares with an exact number; nothing when the enclosure does not decide.
    pub fn compare(&self, other: &Surd) -> Option<Ordering> {
        match self {
            Norm::Exact(x) => Some(x.cmp(other)),
            Norm::Enclosed(low, high) => {
                if Surd::from(low.clone()) > *other {
                    Some(Ordering::Greater)
                } else if Surd::from(high.clone()) < *other {
                    Some(Ordering::Less)
                } else {
                    None
                }
            }
        }
    }
}

impl From<Norm> for crate::evidence::Value {
    fn from(norm: Norm) -> Self {
        match norm {
            Norm::Exact(x) => x.into(),
            Norm::Enclosed(low, high) => crate::evidence::Value::Enclosed(low, high),
        }
    }
}

/// The nuclear norm of a matrix.
///
/// # Errors
/// Too large without structure, no convergence, or a rejected certificate: no verdict follows.
pub fn norm(matrix: &Operator) -> Result<Norm, NormError> {
    let entries = matrix.entries();
    if let Some(terms) = rank_one_blocks(&entries) {
        match orthogonal::nuclear_norm(&entries, &terms) {
            Ok(norm) => return Ok(Norm::Exact(norm)),
            // A radicand out of reach: fall through to the enclosure.
            Err(certificates::Rejection::SquareRoot(_)) => {}
            Err(rejection) => return Err(rejection.into()),
        }
    }
    let side = matrix.rows.max(matrix.cols());
    if side <= LARGEST_PROJECTOR
        && let Ok(trace) = projector::trace_norm_of_projector(&entries)
    {
        return Ok(Norm::Exact(trace.into()));
    }
    if side > LARGEST_DENSE {
        return Err(NormError::TooLarge {
            rows: matrix.rows,
            cols: matrix.cols(),
        });
    }
    enclose(matrix.rows, matrix.cols(), &entries)
}

/// Splits a sparse matrix into blocks without common rows or columns, each of rank one; nothing if some block is not.
fn rank_one_blocks(entries: &Entries) -> Option<Vec<RankOne>> {
    // Rows and columns are joined by entries; blocks are the connected components.
    let mut parent: BTreeMap<(bool, usize), (bool, usize)> = BTreeMap::new();
    fn root(
        parent: &mut BTreeMap<(bool, usize), (bool, usize)>,
        x: (bool, usize),
    ) -> (bool, usize) {
        let mut top = x;
        while let Some(next) = parent.get(&top).filter(|n| **n != top) {
            top = *next;
        }
        parent.insert(x, top);
        top
    }
    for (i, j) in entries.keys() {
        let (a, b) = (
            root(&mut parent, (true, *i)),
            root(&mut parent, (false, *j)),
        );
        parent.entry(b).or_insert(b);
        parent.insert(a, b);
    }
    let mut blocks: BTreeMap<(bool, usize), Entries> = BTreeMap::new();
    for (key, x) in entries {
        let top = root(&mut parent, (true, key.0));
        blocks.entry(top).or_default().insert(*key, x.clone());
    }
    blocks.into_values().map(|block| rank_one(&block)).collect()
}

fn rank_one(block: &Entries) -> Option<RankOne> {
    let ((i0, j0), pivot) = block.first_key_value()?;
    let right = block
        .iter()
        .filter(|((i, _), _)| i == i0)
        .map(|((_, j), x)| (*j, x.clone()))
        .collect::<BTreeMap<_, _>>();
    let left = block
        .iter()
        .filter(|((_, j), _)| j == j0)
        .map(|((i, _), x)| (*i, x.clone()))
        .collect::<BTreeMap<_, _>>();
    let fits = left.len() * right.len() == block.len()
        && block.iter().all(|((i, j), x)| matches!((left.get(i), right.get(j)), (Some(a), Some(b)) if a * b == x * pivot));
    fits.then_some(RankOne {
        coefficient: pivot.recip()?,
        left,
        right,
    })
}

/// Bounds from a float SVD, believed only through exact certificates.
fn enclose(rows: usize, cols: usize, entries: &Entries) -> Result<Norm, NormError> {
    const BITS: u32 = 44;
    // A power of two near the largest entry keeps the floats in range; it is undone exactly.
    let largest = entries
        .values()
        .map(Rational::abs)
        .max()
        .unwrap_or_default();
    let shift = largest.numer().bits() as i64 - largest.denom().bits() as i64;
    let power = Rational::from(power_of_two(shift.unsigned_abs()));
    let scale = if shift >= 0 {
        power
    } else {
        power.recip().unwrap_or_default()
    };
    let inverse = scale.recip().unwrap_or_default();
    let scaled = entries
        .iter()
        .map(|(k, x)| (*k, x * &inverse))
        .collect::<Entries>();
    let small = Dense::from_entries(rows, cols, &scaled)?;
    let n = rows.max(cols);
    // Padded to a square, so that U V^T is a full isometry whatever the rank.
    let float = DMatrix::from_fn(n, n, |i, j| {
        scaled.get(&(i, j)).map_or(0.0, Rational::to_f64)
    });
    let svd = float
        .try_svd(true, true, f64::EPSILON, 100_000)
        .ok_or(NormError::Diverged)?;
    let (Some(u), Some(vt)) = (svd.u, svd.v_t) else {
        return Err(NormError::Diverged);
    };
    let rounded = |r: usize, c: usize, f: &dyn Fn(usize, usize) -> f64| {
        let all: Option<Vec<Rational>> = (0..r)
            .flat_map(|i| (0..c).map(move |j| (i, j)))
            .map(|(i, j)| Rational::from_f64_rounded(f(i, j), BITS))
            .collect();
        Ok::<_, NormError>(Dense::new(r, c, all.ok_or(NormError::Diverged)?)?)
    };
    let isometry = &u * &vt;
    let dual = rounded(rows, cols, &|i, j| isometry[(i, j)])?;
    let root = svd.singular_values.map(|s| s.max(0.0).sqrt());
    let left = rounded(rows, n, &|i, k| u[(i, k)] * root[k])?;
    let right = rounded(n, cols, &|k, j| root[k] * vt[(k, j)])?;
    let lower = lower_by_dual(&small, &dual)? * &scale;
    let upper = upper_by_factorisation(&small, &left, &right)? * &scale;
    Ok(Norm::Enclosed(
        shorter(&lower, false),
        shorter(&upper, true),
    ))
}

/// A short rational just outside: 60 significant bits are plenty to read.
fn shorter(x: &Rational, up: bool) -> Rational {
    let size = x.numer().bits() as i64 - x.denom().bits() as i64;
    let bits = 60 - size;
    let power = Rational::from(power_of_two(bits.unsigned_abs()));
    let factor = if bits >= 0 {
        power
    } else {
        power.recip().unwrap_or_default()
    };
    let scaled = x * &factor;
    let mut whole = Rational::from(scaled.floor());
    if up && whole != scaled {
        whole += Rational::integer(1);
    }
    whole.checked_div(&factor).unwrap_or_default()
}

fn power_of_two(bits: u64) -> num_bigint::BigInt {
    num_bigint::BigInt::from(1) << bits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: usize, cols: usize, entries: &[(usize, usize, i64)]) -> Operator {
        Operator::from_entries(
            rows,
            cols,
            entries
                .iter()
                .map(|(i, j, x)| (*i, *j, Rational::integer(*x))),
        )
    }

    #[test]
    fn diagonal_is_exact() {
        assert_eq!(
            norm(&of(3, 3, &[(0, 0, 2), (1, 2, -3)])).unwrap(),
            Norm::Exact(Surd::from(5i64))
        );
    }

    #[test]
    fn a_projector_is_exact() {
        let m = Operator::from_entries(
            2,
            2,
            [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| (i, j, exact::ratio(1, 2))),
        );
        assert_eq!(norm(&m).unwrap(), Norm::Exact(Surd::one()));
    }

    #[test]
    fn two_by_two_is_enclosed() {
        // [[1, 1], [0, 1]] has singular values with product 1 and squares adding up to 3: norm sqrt(5).
        let Norm::Enclosed(low, high) =
            norm(&of(2, 2, &[(0, 0, 1), (0, 1, 1), (1, 1, 1)])).unwrap()
        else {
            panic!("exact?")
        };
        let five = Surd::sqrt(&Rational::integer(5)).unwrap();
        assert!(Surd::from(low.clone()) <= five && five <= Surd::from(high.clone()));
        assert!(high - low < exact::ratio(1, 1_000_000_000));
    }

    #[test]
    fn rank_deficient_and_rectangular_are_enclosed() {
        // Rows (1,1,0), (1,0,1), (2,1,1): rank 2.
        let m = of(
            3,
            4,
            &[
                (0, 0, 1),
                (0, 1, 1),
                (1, 0, 1),
                (1, 2, 1),
                (2, 0, 2),
                (2, 1, 1),
                (2, 2, 1),
            ],
        );
        let Norm::Enclosed(low, high) = norm(&m).unwrap() else {
            panic!("exact?")
        };
        // Squares add up to 10, and sigma_1^2 sigma_2^2 is the sum of the 2x2 minors squared = 9: (s1+s2)^2 = 10 + 6.
        let four = Rational::integer(4);
        assert!(
            low <= four && four <= high && &high - &low < exact::ratio(1, 1_000_000_000),
            "{low} {high}"
        );
    }
}
