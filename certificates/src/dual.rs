//! Lower bounds on the nuclear norm of every matrix that satisfies linear inequalities.
//!
//! If key_k^T B query_k >= 1 for all k and y_k >= 0, then Y = sum y_k key_k query_k^T has <Y, B> >= sum y_k, and since
//! <Y, B> <= |Y|_2 |B|_*, the nuclear norm of B is at least (sum y_k) / |Y|_2.

use crate::orthogonal::pairwise_orthogonal;
use crate::{Entries, RankOne, Rejection, SparseVec, first_difference};
use exact::{Rational, Surd, sqrt_enclosure};
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
    /// Rank-one parts, orthogonal on both sides: the norm is the largest singular value.
    RankOnes(Vec<RankOne>),
    /// Any matrix with positive weights v on its nonzero columns: |Y|^2 <= max_i (|Y^T Y| v)_i / v_i (Collatz-Wielandt).
    Gram {
        /// The part.
        matrix: Entries,
        /// The weights.
        weights: SparseVec,
    },
}

/// What was proved: the nuclear norm is at least `total / sum sqrt(norms_squared)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DualBound {
    /// The sum of the multipliers.
    pub total: Rational,
    /// Upper bounds of the squared operator norms of the parts.
    pub norms_squared: Vec<Rational>,
}

/// Checks the certificate.
///
/// # Errors
/// A negative multiplier or none positive, parts that do not add up to Y, parts that break their own rule.
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
    let norms_squared = parts.iter().map(norm_squared).collect::<Result<_, _>>()?;
    Ok(DualBound {
        total,
        norms_squared,
    })
}

fn norm_squared(part: &NormPart) -> Result<Rational, Rejection> {
    match part {
        NormPart::RankOnes(terms) => {
            pairwise_orthogonal(terms)?;
            Ok(terms.iter().map(RankOne::square).max().unwrap_or_default())
        }
        NormPart::Gram { matrix, weights } => gram_bound(matrix, weights),
    }
}

/// max_i (|Y^T Y| v)_i / v_i.
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
    /// Is the bound at least sqrt(q)? Exact; one part is compared through squares.
    ///
    /// # Errors
    /// A square root out of reach, with more than one part.
    pub fn at_least_sqrt(&self, q: &Rational) -> Result<bool, Rejection> {
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

    /// A rational number not above the bound, close to it.
    pub fn lower(&self, bits: u32) -> Rational {
        let roots = self
            .norms_squared
            .iter()
            .filter_map(|q| sqrt_enclosure(q, bits));
        let above: Rational = roots.map(|(_, upper)| upper).sum();
        self.total.checked_div(&above).unwrap_or_default()
    }
}
