//! `sinkproof/dual-bound-1`: a lower bound on the nuclear norm of every matrix that satisfies linear inequalities.

use super::{FileError, Format, wire};
use crate::nuclear;
use serde::{Deserialize, Serialize};

/// The format.
pub struct DualBound;

/// <A_i, B> >= 1 for all i, and the bound on the nuclear norm of B.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// Number of rows of B.
    pub rows: usize,
    /// Number of columns of B.
    pub columns: usize,
    /// The nonzero entries of each A_i, row by row.
    pub inequalities: Vec<Vec<wire::Entry>>,
    /// The bound.
    pub value: String,
}

/// The multipliers y_i, and a bound on the operator norm of the sum of y_i A_i.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The multipliers, >= 0, one for each inequality.
    pub multipliers: Vec<String>,
    /// The bound on the operator norm, > 0.
    pub norm: String,
}

impl Format for DualBound {
    const NAME: &'static str = "sinkproof/dual-bound-1";
    type Problem = Problem;
    type Certificate = Certificate;

    fn prove(problem: &Problem, certificate: &Certificate) -> Result<String, FileError> {
        let (rows, columns) = (problem.rows, problem.columns);
        let inequalities = problem.inequalities.iter().enumerate();
        let inequalities = inequalities
            .map(|(k, a)| wire::matrix(&format!("inequality {k}"), rows, columns, a))
            .collect::<Result<Vec<_>, _>>()?;
        let value = wire::number("value", &problem.value)?;
        let multipliers = wire::numbers("multiplier", &certificate.multipliers)?;
        let norm = wire::number("norm", &certificate.norm)?;
        nuclear::at_least(&inequalities, &value, &multipliers, &norm)?;
        Ok(format!(
            "every {rows} x {columns} matrix that satisfies the {} inequalities has nuclear norm at least {value}",
            inequalities.len()
        ))
    }
}
