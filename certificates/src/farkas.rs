//! Linear inequalities without a common solution.

use crate::{Rejection, SparseVec};
use exact::Rational;

/// `coefficients . x >= bound`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The coefficients.
    pub coefficients: SparseVec,
    /// The bound.
    pub bound: Rational,
}

/// Do the multipliers show that no x satisfies all rows? They do if the combination reads 0 >= a positive number, which
/// is returned.
///
/// # Errors
/// Not one multiplier for each row; a negative one; a combination that is not zero on the left or not positive on the
/// right.
pub fn check(rows: &[Row], multipliers: &[Rational]) -> Result<Rational, Rejection> {
    if rows.len() != multipliers.len() {
        return Err(Rejection::Count {
            what: "multipliers",
            found: multipliers.len(),
            expected: rows.len(),
        });
    }
    let (mut left, mut right) = (SparseVec::new(), Rational::default());
    for (index, (row, multiplier)) in rows.iter().zip(multipliers).enumerate() {
        if multiplier.is_negative() {
            return Err(Rejection::NegativeMultiplier {
                index,
                value: multiplier.clone(),
            });
        }
        for (column, x) in &row.coefficients {
            *left.entry(*column).or_default() += multiplier * x;
        }
        right += multiplier * &row.bound;
    }
    if let Some((column, value)) = left.into_iter().find(|(_, x)| !x.is_zero()) {
        return Err(Rejection::CombinationNotZero { column, value });
    }
    if !right.is_positive() {
        return Err(Rejection::NoContradiction { value: right });
    }
    Ok(right)
}
