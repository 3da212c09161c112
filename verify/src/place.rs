//! A place where claims are decided: a cell of one of the tasks.

use crate::cell::Cell;
use crate::cluster::ClusterCell;

/// Which task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// That of Theorem 7.1.
    Backcopy,
    /// That of Theorem 7.2.
    Clusters,
}

impl Subject {
    /// The name used on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Subject::Backcopy => "backcopy",
            Subject::Clusters => "clusters",
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
}

impl Place {
    /// Its task.
    pub fn subject(&self) -> Subject {
        match self {
            Place::Backcopy(_) => Subject::Backcopy,
            Place::Clusters(_) => Subject::Clusters,
        }
    }

    /// Does a user's own block, or part of one, stand here?
    pub fn is_own(&self) -> bool {
        match self {
            Place::Backcopy(cell) => cell.overrides.any(),
            Place::Clusters(cell) => cell.own.is_some(),
        }
    }

    /// Where it is, in one line.
    pub fn describe(&self) -> String {
        match self {
            Place::Backcopy(cell) => cell.describe(),
            Place::Clusters(cell) => cell.describe(),
        }
    }
}

impl From<Cell> for Place {
    fn from(cell: Cell) -> Place {
        Place::Backcopy(cell)
    }
}

impl From<ClusterCell> for Place {
    fn from(cell: ClusterCell) -> Place {
        Place::Clusters(cell)
    }
}
