//! Exact linear programs. Floats propose, exact arithmetic decides, and every answer is checked before it is given out.

pub mod halfspace;
pub mod optimum;
pub mod proposal;
pub mod simplex;
mod table;

use certificates::farkas::{self, Row};
use exact::Rational;
use thiserror::Error;

/// Whether some x satisfies `coefficients . x >= bound` for all rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A point that satisfies every row.
    Solution(Vec<Rational>),
    /// A Farkas certificate: a multiplier of each row, accepted by the checker of the `certificates` crate.
    Contradiction(Vec<Rational>),
}

/// Why a linear program has no answer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LinearError {
    /// A column that is none of the unknowns.
    #[error("row {row} has a coefficient in column {column}, there are {width} unknowns")]
    Column {
        /// Which row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
        /// The number of unknowns.
        width: usize,
    },
    /// Vectors of different lengths.
    #[error("vector {index} has {found} entries, the first one has {needed}")]
    Length {
        /// Which vector, from 0.
        index: usize,
        /// Its length.
        found: usize,
        /// The length of the first one.
        needed: usize,
    },
    /// The exact method gave something that the check refuses: a defect of this program.
    #[error("the answer of the exact simplex method does not stand: {0}")]
    Refused(String),
    /// A program over no point at all, or without a bound.
    #[error("{0}")]
    NoOptimum(&'static str),
}

/// The value of a row's left side at x.
pub fn value(row: &Row, x: &[Rational]) -> Rational {
    let terms = row.coefficients.iter();
    terms
        .filter_map(|(column, a)| x.get(*column).map(|x| a * x))
        .sum()
}

/// The first row that x does not satisfy.
pub fn violated(rows: &[Row], x: &[Rational]) -> Option<usize> {
    rows.iter().position(|row| value(row, x) < row.bound)
}

/// Decides whether the rows have a common solution in `width` unknowns.
///
/// A float solver looks first for a point with room around it, which is rounded, then for multipliers, of which only the set
/// of those that are not 0 is kept: exact arithmetic solves for their values. Where neither stands, the exact simplex method
/// decides on all rows. The answer has been checked on the rows as given; floats have no say in it.
///
/// # Errors
/// A column that is no unknown; an answer that its check refuses, which would be a defect.
pub fn feasible(width: usize, rows: &[Row]) -> Result<Answer, LinearError> {
    known(width, rows)?;
    if let Some(x) = proposal::point(width, rows) {
        return Ok(Answer::Solution(x));
    }
    if let Some(support) = proposal::support(width, rows)
        && let Ok(answer @ Answer::Contradiction(_)) = exactly(width, rows, &support)
    {
        return Ok(answer);
    }
    exactly(width, rows, &(0..rows.len()).collect::<Vec<_>>())
}

/// The same by the exact simplex method alone, on these rows; multipliers of others are 0.
///
/// # Errors
/// Those of [`feasible`]; a point that satisfies the chosen rows and not all of them is refused too.
pub fn exactly(width: usize, rows: &[Row], chosen: &[usize]) -> Result<Answer, LinearError> {
    known(width, rows)?;
    let few: Vec<&Row> = chosen.iter().filter_map(|k| rows.get(*k)).collect();
    match simplex::decide(width, &few) {
        Answer::Contradiction(found) => {
            let mut multipliers = vec![Rational::default(); rows.len()];
            for (k, y) in chosen.iter().zip(found) {
                multipliers[*k] = y;
            }
            farkas::check(rows, &multipliers).map_err(|e| LinearError::Refused(e.to_string()))?;
            Ok(Answer::Contradiction(multipliers))
        }
        Answer::Solution(x) => match violated(rows, &x) {
            Some(k) => Err(LinearError::Refused(format!("row {k} is violated"))),
            None => Ok(Answer::Solution(x)),
        },
    }
}

fn known(width: usize, rows: &[Row]) -> Result<(), LinearError> {
    for (row, r) in rows.iter().enumerate() {
        if let Some(column) = r.coefficients.keys().copied().find(|c| *c >= width) {
            return Err(LinearError::Column { row, column, width });
        }
    }
    Ok(())
}
