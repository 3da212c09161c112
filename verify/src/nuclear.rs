//! Nuclear norms of given matrices: exact where the structure gives it, enclosed between rationals otherwise.
//!
//! What is found here (blocks, float singular vectors) is only proposed; the `certificates` crate decides.

use crate::evidence::Value;
use certificates::enclosure::{Dense, lower_by_dual, upper_by_factorisation};
use certificates::{Entries, RankOne, orthogonal, projector};
use constructions::matrix::Operator;
use exact::{Rational, Surd};
use nalgebra::{DMatrix, DVector};
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
    /// The frame is no frame.
    #[error("{0}")]
    Gram(String),
    /// The proposed certificate was rejected.
    #[error(transparent)]
    Rejected(#[from] certificates::Rejection),
}

impl Norm {
    /// Compares with an exact number; nothing when the enclosure does not decide.
    pub fn compare(&self, other: &Surd) -> Option<Ordering> {
        Value::from(self.clone()).compare(other)
    }
}

impl From<Norm> for Value {
    fn from(norm: Norm) -> Self {
        match norm {
            Norm::Exact(x) => x.into(),
            Norm::Enclosed(low, high) => Value::Enclosed(low, high),
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
    let float = DMatrix::from_fn(rows, cols, |i, j| {
        scaled.get(&(i, j)).map_or(0.0, Rational::to_f64)
    });
    let triples = singular_triples(&float).ok_or(NormError::Diverged)?;
    let n = triples.len();
    let rounded = |r: usize, c: usize, f: &dyn Fn(usize, usize) -> f64| {
        let all: Option<Vec<Rational>> = (0..r)
            .flat_map(|i| (0..c).map(move |j| (i, j)))
            .map(|(i, j)| Rational::from_f64_rounded(f(i, j), BITS))
            .collect();
        Ok::<_, NormError>(Dense::new(r, c, all.ok_or(NormError::Diverged)?)?)
    };
    // Completed to as full an isometry as the shape allows: the checker bounds its norm by row sums of Y^T Y, which is
    // close to the identity only then.
    let full = rows.min(cols);
    let us = completed(triples.iter().map(|t| &t.left), rows, full);
    let vs = completed(triples.iter().map(|t| &t.right), cols, full);
    let isometry = us * vs.transpose();
    let dual = rounded(rows, cols, &|i, j| isometry[(i, j)])?;
    let left = rounded(rows, n, &|i, k| {
        triples[k].left[i] * triples[k].value.sqrt()
    })?;
    let right = rounded(n, cols, &|k, j| {
        triples[k].value.sqrt() * triples[k].right[j]
    })?;
    let lower = lower_by_dual(&small, &dual)? * &scale;
    let upper = upper_by_factorisation(&small, &left, &right)? * &scale;
    Ok(Norm::Enclosed(
        shorter(&lower, false),
        shorter(&upper, true),
    ))
}

/// A singular value with its unit vectors, in floats.
struct Triple {
    value: f64,
    left: DVector<f64>,
    right: DVector<f64>,
}

/// The singular values that are not tiny, in floats.
pub(crate) fn singular_values(a: &DMatrix<f64>) -> Option<Vec<f64>> {
    let largest = a.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if largest == 0.0 {
        return Some(Vec::new());
    }
    Some(singular_triples(a)?.iter().map(|t| t.value).collect())
}

/// The singular triples with a value that is not tiny, from the eigenvectors `(u, v)/sqrt 2` of `[[0, A], [A^T, 0]]`.
///
/// On matrices without full rank this is more accurate than nalgebra's own decomposition.
fn singular_triples(a: &DMatrix<f64>) -> Option<Vec<Triple>> {
    let (rows, cols) = a.shape();
    let both = DMatrix::from_fn(rows + cols, rows + cols, |i, j| {
        match (i.checked_sub(rows), j.checked_sub(rows)) {
            (None, Some(j)) => a[(i, j)],
            (Some(i), None) => a[(j, i)],
            _ => 0.0,
        }
    });
    let eigen = both.try_symmetric_eigen(f64::EPSILON, 100_000)?;
    let largest = eigen.eigenvalues.max();
    let found = (0..rows + cols).filter(|k| eigen.eigenvalues[*k] > 1e-12 * largest);
    let scale = std::f64::consts::SQRT_2;
    Some(
        found
            .map(|k| {
                let vector = eigen.eigenvectors.column(k);
                Triple {
                    value: eigen.eigenvalues[k],
                    left: scale * vector.rows(0, rows),
                    right: scale * vector.rows(rows, cols),
                }
            })
            .collect(),
    )
}

/// Orthonormal columns, continued to `count` of them by what is left of unit vectors.
fn completed<'a>(
    given: impl Iterator<Item = &'a DVector<f64>>,
    dimension: usize,
    count: usize,
) -> DMatrix<f64> {
    let mut all: Vec<DVector<f64>> = given.take(count).cloned().collect();
    // Squares of what the columns so far leave of each unit vector.
    let mut rest: Vec<f64> = (0..dimension)
        .map(|i| 1.0 - all.iter().map(|v| v[i] * v[i]).sum::<f64>())
        .collect();
    while all.len() < count {
        let best = (0..dimension).max_by(|a, b| rest[*a].total_cmp(&rest[*b]));
        let mut next = DVector::zeros(dimension);
        if let Some(i) = best {
            next[i] = 1.0;
        }
        // Twice is enough for orthogonality to rounding.
        for _ in 0..2 {
            for v in &all {
                let inner = next.dot(v);
                next.axpy(-inner, v, 1.0);
            }
            next.normalize_mut();
        }
        for (r, x) in rest.iter_mut().zip(next.iter()) {
            *r -= x * x;
        }
        all.push(next);
    }
    DMatrix::from_fn(dimension, count, |i, k| all[k][i])
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

    proptest::proptest! {
        /// Whatever the rank, the enclosure is narrow and agrees with the float reading's singular values.
        #[test]
        fn enclosures_are_narrow(
            rows in 1usize..7,
            cols in 1usize..7,
            rank in 1usize..4,
            numbers in proptest::collection::vec(-2i64..3, 36),
        ) {
            // A product of two integer matrices has at most the inner dimension as its rank.
            let entry = |i: usize, j: usize| -> i64 {
                (0..rank).map(|k| numbers[(i * rank + k) % 36] * numbers[(7 + k * cols + j) % 36]).sum()
            };
            let all = (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j)));
            let matrix = Operator::from_entries(
                rows,
                cols,
                all.map(|(i, j)| (i, j, Rational::integer(entry(i, j)))),
            );
            let float = constructions::reading::float_nuclear_norm(
                &constructions::basis::dense(&matrix).map(|x| x.to_f64()),
            )
            .unwrap();
            let (low, high) = match norm(&matrix).unwrap() {
                Norm::Exact(x) => x.enclosure(80),
                Norm::Enclosed(low, high) => (low, high),
            };
            let wide = (&high - &low).to_f64();
            proptest::prop_assert!(wide <= 1e-9 * (1.0 + float), "{wide} wide at {float}");
            // nalgebra's own decomposition is off by up to a percent or so on matrices without full rank.
            proptest::prop_assert!((low.to_f64() - float).abs() <= 0.1 * (1.0 + float));
        }
    }
}
