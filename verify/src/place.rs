//! A place where claims are decided: a cell of one of the tasks.

use crate::cell::Cell;
use crate::claims::{Claim, Decide};
use crate::cluster::ClusterCell;
use crate::oversmoothing::SmoothingCell;
use constructions::cluster::build::Pattern;

/// Which task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// That of Theorem 7.1.
    Backcopy,
    /// That of Theorem 7.2.
    Clusters,
    /// The setting of Theorem 5.1.
    Oversmoothing,
}

impl Subject {
    /// The name used on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Subject::Backcopy => "backcopy",
            Subject::Clusters => "clusters",
            Subject::Oversmoothing => "oversmoothing",
        }
    }
}

/// A cell of one of the tasks. There is one at a time, so its size does not matter.
#[allow(clippy::large_enum_variant)]
pub enum Place {
    /// Of the backcopy task.
    Backcopy(Cell),
    /// Of the cluster task.
    Clusters(ClusterCell),
    /// Of Theorem 5.1; always a user's own.
    Oversmoothing(SmoothingCell),
}

impl Place {
    /// Its task.
    pub fn subject(&self) -> Subject {
        match self {
            Place::Backcopy(_) => Subject::Backcopy,
            Place::Clusters(_) => Subject::Clusters,
            Place::Oversmoothing(_) => Subject::Oversmoothing,
        }
    }

    /// Does a user's own block, or part of one, stand here?
    pub fn is_own(&self) -> bool {
        match self {
            Place::Backcopy(cell) => cell.overrides.any(),
            Place::Clusters(cell) => cell.own.is_some(),
            Place::Oversmoothing(_) => true,
        }
    }

    /// Does a claim belong on the page of this place? It is about its task, and where a user's own block stands for a pattern it is
    /// not about the printed block of the other one.
    pub fn shows(&self, claim: &Claim) -> bool {
        let own = match self {
            Place::Clusters(cell) => cell.own.as_ref(),
            Place::Backcopy(_) => None,
            Place::Oversmoothing(_) => return matches!(claim.decide, Decide::Once { .. }),
        };
        let printed = own.is_some_and(|own| {
            let others: &[&str] = match own.pattern {
                Pattern::Sink => &[
                    "thm-D.1.diag.margins",
                    "thm-D.1.diag.labels",
                    "thm-D.1.diag.cost",
                    "thm-D.1.diag.upper",
                    "thm-D.1.diag.lower",
                    "thm-D.1.weighted~",
                ],
                Pattern::Diagonal => &[
                    "thm-D.1.sink.margins",
                    "thm-D.1.sink.labels",
                    "thm-D.1.theta",
                    "thm-D.1.sink.cost",
                    "thm-D.1.sink.upper",
                    "thm-D.1.sink.lower",
                    "conj-7.sink-lower~",
                ],
            };
            let both = ["thm-D.1.constants~", "thm-D.1.sink.cheaper~", "thm-7.2~"];
            others.contains(&claim.id) || both.contains(&claim.id)
        });
        claim.subject() == Some(self.subject()) && !printed
    }

    /// Where it is, in one line.
    pub fn describe(&self) -> String {
        match self {
            Place::Backcopy(cell) => cell.describe(),
            Place::Clusters(cell) => cell.describe(),
            Place::Oversmoothing(cell) => cell.describe(),
        }
    }
}

impl From<Cell> for Place {
    fn from(cell: Cell) -> Place {
        Place::Backcopy(cell)
    }
}

impl From<SmoothingCell> for Place {
    fn from(cell: SmoothingCell) -> Place {
        Place::Oversmoothing(cell)
    }
}

impl From<ClusterCell> for Place {
    fn from(cell: ClusterCell) -> Place {
        Place::Clusters(cell)
    }
}
