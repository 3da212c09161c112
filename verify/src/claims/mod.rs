//! The registry of claims: the statements of the paper, and how each is decided.

mod conditions;
pub(crate) mod costs;
mod diagonal;
mod identity;
mod sink;

use crate::cell::Cell;
use crate::evidence::Evidence;

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
    /// Gathers evidence in a cell.
    pub decide: fn(&Cell) -> Evidence,
}

/// All claims, in the order of the paper.
pub fn all() -> Vec<&'static Claim> {
    [
        identity::CLAIMS,
        sink::CLAIMS,
        costs::CLAIMS,
        diagonal::CLAIMS,
        conditions::CLAIMS,
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Unwraps an exact computation; what cannot be computed is unknown, never a pass.
fn decided<E: std::fmt::Display>(result: Result<Evidence, E>) -> Evidence {
    result.unwrap_or_else(|e| Evidence::unknown(e.to_string()))
}
