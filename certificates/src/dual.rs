//! Lower bounds on the nuclear norm of every matrix that satisfies linear inequalities.
//!
//! If key_k^T B query_k >= 1 for all k and y_k >= 0, then Y = sum y_k key_k query_k^T has <Y, B> >= sum y_k, and since
//! <Y, B> <= |Y|_2 |B|_*, the nuclear norm of B is at least (sum y_k) / |Y|_2. An inequality used twice counts twice on
//! both sides, which is sound. Vectors may have coordinates beyond B, which is then continued by zeros: neither the
//! inequalities nor |B|_* change.
//!
//! Y is given as a sum of parts, and |Y|_2 is at most the sum of the norms of the parts.
//!
//! # What is not proved
//! That some B satisfies the inequalities. Where the certificate itself shows that none does (a left side that is 0, or
//! Y = 0 with a positive sum of multipliers), it is rejected, since every number would be a bound. Other contradictions
//! cannot be seen from one combination: whoever states the bound has to exhibit a B.

use crate::orthogonal::pairwise_orthogonal;
use crate::{Entries, RankOne, Rejection, SparseVec, first_difference};
use exact::{Rational, SqrtError, Surd, sqrt_enclosure};
use std::collections::BTreeMap;

/// `key^T B query >= 1`, with its multiplier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inequality {
    /// The multiplier, >= 0.
    pub multiplier: Rational,
    /// Winning key minus losing key.
    pub key: SparseVec,
    /// The query.
    pub query: SparseVec,
}

/// A part of Y whose operator norm is bounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NormPart {
    /// Rank-one parts, orthogonal on both sides: with the vectors normalised this is a singular value decomposition, so
    /// the norm is the largest |coefficient| |left| |right|. Zero vectors add nothing.
    RankOnes(Vec<RankOne>),
    /// Any matrix with positive weights v on its nonzero columns: |Y|^2 <= max_i (|Y^T Y| v)_i / v_i (Collatz-Wielandt).
    ///
    /// Let G = Y^T Y on the nonzero columns and D = diag(v). |Y|^2 is the largest eigenvalue of G, hence one of
    /// D^{-1} G D, hence at most the largest absolute row sum of D^{-1} G D, which is the quotient above. Columns of Y
    /// that are zero are rows and columns of zeros in the full Gram matrix and add only the eigenvalue 0.
    Gram {
        /// The part.
        matrix: Entries,
        /// The weights.
        weights: SparseVec,
    },
}

/// What was proved: the nuclear norm is at least `total / sum sqrt(norms_squared)`.
///
/// Only [`check`] makes one, so `total` is positive, no square is negative and some square is positive: the bound is a
/// positive number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DualBound {
    total: Rational,
    norms_squared: Vec<Rational>,
}

/// Checks the certificate.
///
/// # Errors
/// A negative multiplier or none positive, an inequality that asks 0 >= 1, Y = 0, parts that do not add up to Y, parts
/// that break their own rule.
pub fn check(inequalities: &[Inequality], parts: &[NormPart]) -> Result<DualBound, Rejection> {
    let (mut y, mut total) = (Entries::new(), Rational::default());
    for (index, inequality) in inequalities.iter().enumerate() {
        let multiplier = &inequality.multiplier;
        if multiplier.is_negative() {
            return Err(Rejection::NegativeMultiplier {
                index,
                value: multiplier.clone(),
            });
        }
        if [&inequality.key, &inequality.query]
            .iter()
            .any(|v| v.values().all(Rational::is_zero))
        {
            return Err(Rejection::EmptyInequality { index });
        }
        total += multiplier;
        for (i, x) in &inequality.key {
            let c = multiplier * x;
            for (j, z) in &inequality.query {
                *y.entry((*i, *j)).or_default() += &c * z;
            }
        }
    }
    if total.is_zero() {
        return Err(Rejection::NoMultiplier);
    }
    // <Y, B> = 0 >= total > 0 is absurd; parts such as U and -U would still give a finite number.
    if y.values().all(Rational::is_zero) {
        return Err(Rejection::ZeroCombination { total });
    }
    let mut sum = Entries::new();
    for part in parts {
        match part {
            NormPart::RankOnes(terms) => terms.iter().for_each(|t| t.add_to(&mut sum)),
            NormPart::Gram { matrix, .. } => {
                for (key, x) in matrix {
                    *sum.entry(*key).or_default() += x;
                }
            }
        }
    }
    if let Some(defect) = first_difference(&sum, &y) {
        return Err(defect);
    }
    let norms_squared = parts
        .iter()
        .map(norm_squared)
        .collect::<Result<Vec<_>, _>>()?;
    // Parts of norm 0 add up to Y = 0, which is excluded; what follows divides by the sum, so nothing is left to trust.
    if norms_squared.iter().all(Rational::is_zero) {
        return Err(Rejection::ZeroCombination { total });
    }
    Ok(DualBound {
        total,
        norms_squared,
    })
}

/// An upper bound of the squared operator norm of a part, never negative, and 0 only for the zero matrix.
fn norm_squared(part: &NormPart) -> Result<Rational, Rejection> {
    match part {
        NormPart::RankOnes(terms) => {
            pairwise_orthogonal(terms)?;
            Ok(terms.iter().map(RankOne::square).max().unwrap_or_default())
        }
        NormPart::Gram { matrix, weights } => gram_bound(matrix, weights),
    }
}

/// max_i (|Y^T Y| v)_i / v_i over the nonzero columns i of Y, see [`NormPart::Gram`].
///
/// Each nonzero column j has a positive Gram entry (j, j), so its weight is looked at; no other weight is used.
fn gram_bound(matrix: &Entries, weights: &SparseVec) -> Result<Rational, Rejection> {
    let mut rows: BTreeMap<usize, SparseVec> = BTreeMap::new();
    for ((i, j), x) in matrix.iter().filter(|(_, x)| !x.is_zero()) {
        rows.entry(*i).or_default().insert(*j, x.clone());
    }
    let mut gram = Entries::new();
    for row in rows.values() {
        for (i, x) in row {
            for (j, y) in row {
                *gram.entry((*i, *j)).or_default() += x * y;
            }
        }
    }
    let mut sums = SparseVec::new();
    for ((i, j), x) in &gram {
        let weight = weights.get(j).cloned().unwrap_or_default();
        if !weight.is_positive() {
            return Err(Rejection::WeightNotPositive {
                column: *j,
                value: weight,
            });
        }
        *sums.entry(*i).or_default() += x.abs() * weight;
    }
    let mut largest = Rational::default();
    for (i, sum) in sums {
        let weight = weights.get(&i).cloned().unwrap_or_default();
        let quotient = sum
            .checked_div(&weight)
            .ok_or(Rejection::WeightNotPositive {
                column: i,
                value: weight,
            })?;
        largest = largest.max(quotient);
    }
    Ok(largest)
}

impl DualBound {
    /// The sum of the multipliers, positive.
    pub fn total(&self) -> &Rational {
        &self.total
    }

    /// Upper bounds of the squared operator norms of the parts.
    pub fn norms_squared(&self) -> &[Rational] {
        &self.norms_squared
    }

    /// Is the bound at least sqrt(q)? Exact; one part is compared through squares, both sides being nonnegative.
    ///
    /// # Errors
    /// A negative q, which has no square root. A square root out of reach, with more than one part.
    pub fn at_least_sqrt(&self, q: &Rational) -> Result<bool, Rejection> {
        if q.is_negative() {
            return Err(SqrtError::Negative(q.clone()).into());
        }
        if let [norm] = self.norms_squared.as_slice() {
            return Ok(&self.total * &self.total >= q * norm);
        }
        Ok(Surd::from(self.total.clone()) >= &Surd::sqrt(q)? * &self.norm()?)
    }

    /// The sum of the norms.
    fn norm(&self) -> Result<Surd, Rejection> {
        let mut norm = Surd::zero();
        for square in &self.norms_squared {
            norm += &Surd::sqrt(square)?;
        }
        Ok(norm)
    }

    /// The exact bound.
    ///
    /// # Errors
    /// A square root out of reach.
    pub fn value(&self) -> Result<Surd, Rejection> {
        let inverse = self.norm()?.inverse().unwrap_or_default();
        Ok(inverse.scale(&self.total))
    }

    /// A rational number not above the bound, close to it: each root is replaced by an upper bound.
    pub fn lower(&self, bits: u32) -> Rational {
        let mut above = Rational::default();
        for square in &self.norms_squared {
            // A root that is left out would raise the bound; 0 is always true.
            let Some((_, upper)) = sqrt_enclosure(square, bits) else {
                return Rational::default();
            };
            above += upper;
        }
        self.total.checked_div(&above).unwrap_or_default()
    }
}
