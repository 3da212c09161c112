//! The registry of claims: the statements of the paper, and how each is decided.

pub(crate) mod clusters;
mod conditions;
mod conjecture;
mod costs;
mod diagnostics;
mod diagonal;
mod identity;
mod lemmas;
pub mod oversmoothing;
mod rope;
mod sink;
pub mod trigger;

use crate::cell::Cell;
use crate::cluster::ClusterCell;
use crate::evidence::Evidence;
use crate::oversmoothing::SmoothingCell;
use crate::place::{Place, Subject};

/// What kind of statement a claim is; the gate treats conditions apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Attention margins.
    Margin,
    /// Input-output labels.
    Label,
    /// The cost of a construction.
    Cost,
    /// A bound over all solutions, or a statement about the proof.
    Bound,
    /// A condition on kappa: reported, never gating.
    Condition,
}

/// A claim.
pub struct Claim {
    /// Its public name.
    pub id: &'static str,
    /// What kind of statement it is.
    pub kind: Kind,
    /// Where it is in the paper.
    pub place: &'static str,
    /// The statement.
    pub statement: &'static str,
    /// The claims it needs.
    pub needs: &'static [&'static str],
    /// The printed claim it mends.
    pub repairs: Option<&'static str>,
    /// How it is decided, and what to know about it.
    pub explain: &'static str,
    /// Gathers evidence.
    pub decide: Decide,
}

/// Where a claim is decided.
#[derive(Clone, Copy)]
pub enum Decide {
    /// In every cell of the backcopy task.
    InCell(fn(&Cell) -> Evidence),
    /// In every cell of the cluster task.
    InCluster(fn(&ClusterCell) -> Evidence),
    /// Once, on instances of its own.
    Alone(fn() -> Evidence),
    /// Once, on settings of its own, and at a setting of Theorem 5.1 that a user gives.
    Once {
        /// On settings of its own.
        alone: fn() -> Evidence,
        /// At a setting.
        smoothing: fn(&SmoothingCell) -> Evidence,
    },
}

impl Claim {
    /// The evidence at a place; what is decided alone does not depend on it.
    pub fn evidence(&self, place: &Place) -> Evidence {
        match (self.decide, place) {
            (Decide::InCell(decide), Place::Backcopy(cell)) => decide(cell),
            (Decide::InCluster(decide), Place::Clusters(cell)) => decide(cell),
            (Decide::Once { smoothing, .. }, Place::Oversmoothing(cell)) => smoothing(cell),
            (Decide::Alone(decide) | Decide::Once { alone: decide, .. }, _) => decide(),
            (Decide::InCell(_) | Decide::InCluster(_), _) => {
                Evidence::vacuous("it is about the other task")
            }
        }
    }

    /// The evidence of a claim that is decided alone.
    pub fn alone(&self) -> Option<Evidence> {
        match self.decide {
            Decide::Alone(decide) | Decide::Once { alone: decide, .. } => Some(decide()),
            Decide::InCell(_) | Decide::InCluster(_) => None,
        }
    }

    /// The task it is about; nothing if it is decided once, on instances of its own.
    pub fn subject(&self) -> Option<Subject> {
        match self.decide {
            Decide::InCell(_) => Some(Subject::Backcopy),
            Decide::InCluster(_) => Some(Subject::Clusters),
            Decide::Alone(_) | Decide::Once { .. } => None,
        }
    }
}

/// All claims, in the order of the paper.
pub fn all() -> Vec<&'static Claim> {
    [
        oversmoothing::CLAIMS,
        identity::CLAIMS,
        rope::CLAIMS,
        sink::CLAIMS,
        costs::CLAIMS,
        lemmas::CLAIMS,
        diagonal::CLAIMS,
        conditions::CLAIMS,
    ]
    .into_iter()
    .flatten()
    .chain(clusters::all())
    .chain(conjecture::CLAIMS)
    .chain(trigger::CLAIMS)
    .chain(diagnostics::CLAIMS)
    .collect()
}

/// Unwraps an exact computation; what cannot be computed is unknown, never a pass.
fn decided<E: std::fmt::Display>(result: Result<Evidence, E>) -> Evidence {
    result.unwrap_or_else(|e| Evidence::unknown(e.to_string()))
}
