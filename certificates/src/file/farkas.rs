//! `sinkproof/farkas-1`: linear inequalities have no common solution.

use super::{FileError, Format, wire};
use crate::farkas;
use serde::{Deserialize, Serialize};

/// The format.
pub struct Farkas;

/// One inequality, `coefficients . x >= bound`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The nonzero coefficients, by column.
    pub coefficients: Vec<(usize, String)>,
    /// The bound.
    pub bound: String,
}

/// The inequalities.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// Number of unknowns.
    pub columns: usize,
    /// The inequalities.
    pub rows: Vec<Row>,
}

/// The multipliers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The multipliers, >= 0, one for each row.
    pub multipliers: Vec<String>,
}

impl Format for Farkas {
    const NAME: &'static str = "sinkproof/farkas-1";
    type Problem = Problem;
    type Certificate = Certificate;

    fn prove(problem: &Problem, certificate: &Certificate) -> Result<String, FileError> {
        let columns = problem.columns;
        let row = |(k, row): (usize, &Row)| {
            Ok(farkas::Row {
                coefficients: wire::vector(&format!("row {k}"), columns, &row.coefficients)?,
                bound: wire::number(&format!("row {k}, bound"), &row.bound)?,
            })
        };
        let rows = problem.rows.iter().enumerate().map(row);
        let rows = rows.collect::<Result<Vec<_>, FileError>>()?;
        let multipliers = wire::numbers("multiplier", &certificate.multipliers)?;
        farkas::check(&rows, &multipliers)?;
        Ok(format!(
            "the {} linear inequalities in {columns} unknowns have no common solution",
            rows.len()
        ))
    }
}
