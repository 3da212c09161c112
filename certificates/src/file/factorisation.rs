//! `sinkproof/factorisation-1`: an upper bound on a nuclear norm, by B = U^T V.

use super::{FileError, Format, wire};
use crate::nuclear;
use serde::{Deserialize, Serialize};

/// The format.
pub struct Factorisation;

/// A matrix, and the bound on its nuclear norm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The nonzero entries, row by row.
    pub entries: Vec<wire::Entry>,
    /// The bound.
    pub value: String,
}

/// The factors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The number of rows of both factors.
    pub inner: usize,
    /// The nonzero entries of U, row by row.
    pub u: Vec<wire::Entry>,
    /// The nonzero entries of V, row by row.
    pub v: Vec<wire::Entry>,
}

impl Format for Factorisation {
    const NAME: &'static str = "sinkproof/factorisation-1";
    type Problem = Problem;
    type Certificate = Certificate;

    fn prove(problem: &Problem, certificate: &Certificate) -> Result<String, FileError> {
        let (rows, columns) = (problem.rows, problem.columns);
        let b = wire::matrix("problem", rows, columns, &problem.entries)?;
        let value = wire::number("value", &problem.value)?;
        let u = wire::matrix("u", certificate.inner, rows, &certificate.u)?;
        let v = wire::matrix("v", certificate.inner, columns, &certificate.v)?;
        nuclear::at_most(&b, &value, &u, &v)?;
        Ok(format!(
            "the nuclear norm of the {rows} x {columns} matrix with {} nonzero entries is at most {value}",
            b.len()
        ))
    }
}
