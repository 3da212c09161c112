//! `sinkproof/psd-1`: a symmetric rational matrix is positive semidefinite, by A = L D L^T.

use super::{FileError, Format, wire};
use crate::ldl;
use crate::psd::Symmetric;
use serde::{Deserialize, Serialize};

/// The format.
pub struct Psd;

/// A matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// Number of rows.
    pub side: usize,
    /// The nonzero entries on both sides of the diagonal, row by row.
    pub entries: Vec<wire::Entry>,
}

/// Its factors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The nonzero entries of L below the diagonal, row by row.
    pub lower: Vec<wire::Entry>,
    /// The diagonal of D, >= 0.
    pub diagonal: Vec<String>,
}

impl Format for Psd {
    const NAME: &'static str = "sinkproof/psd-1";
    type Problem = Problem;
    type Certificate = Certificate;

    fn prove(problem: &Problem, certificate: &Certificate) -> Result<String, FileError> {
        let side = problem.side;
        let entries = wire::matrix("problem", side, side, &problem.entries)?;
        let a = Symmetric::new(side, &entries)?;
        let lower = wire::matrix("lower", side, side, &certificate.lower)?;
        let diagonal = wire::numbers("diagonal entry", &certificate.diagonal)?;
        ldl::check(&a, &lower, &diagonal)?;
        Ok(format!(
            "the symmetric {side} x {side} matrix with {} nonzero entries is positive semidefinite",
            entries.len()
        ))
    }
}
