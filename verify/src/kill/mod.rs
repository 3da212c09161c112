//! The kill table: every small change of a printed definition or constant, and the claim that refuses it.
//!
//! A check that cannot fail proves nothing. Each mutation replaces the original in its block, as a user's own matrix would,
//! and the claims decide. What they let pass is at least as good as the original.

mod backcopy;
mod clusters;
mod constants;

use crate::cluster::spec::SpecError;
use constructions::SizeError;
use thiserror::Error;

/// What became of a mutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// This claim refuses it, with this witness.
    Refused(&'static str, String),
    /// It is the same matrix at the place where it was tried.
    Same,
    /// Margins and labels hold, and it costs no more.
    Passes,
    /// No claim refuses it, and none of those asked decided it.
    Undecided(&'static str),
}

/// A mutation and its fate.
#[derive(Clone, Debug)]
pub struct Row {
    /// The equation.
    pub equation: &'static str,
    /// What was changed.
    pub change: String,
    /// The changed formula.
    pub formula: String,
    /// Its fate.
    pub fate: Fate,
}

/// A place that could not be set up.
#[derive(Debug, Error)]
pub enum KillError {
    /// Of the backcopy task.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Of the cluster task.
    #[error(transparent)]
    Cluster(#[from] SpecError),
}

/// Theorem 7.1: every mutation of eqs. (7) to (10), of the mended value map and MLP, and of the first-position repair; each is
/// tried at T = 4, C = D = 2, d = N + 1.
///
/// # Errors
/// Never: the place is admissible.
pub fn backcopy() -> Result<Vec<Row>, KillError> {
    Ok(backcopy::table()?)
}

/// Theorem D.1: every mutation of the two builds and of the cheaper sink, at C = 2 with 2 and 3 dormants.
///
/// # Errors
/// Never: the place is admissible.
pub fn clusters() -> Result<Vec<Row>, KillError> {
    Ok(clusters::table()?)
}

/// The constants of Theorem D.1, tightened, on a small grid.
///
/// # Errors
/// Never: the places are admissible.
pub fn constants() -> Result<Vec<Row>, KillError> {
    Ok(constants::table()?)
}
