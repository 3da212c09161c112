//! Proofs for all sizes: claims decided from the symbolic reading of the definitions, by certificates that are checked.
//!
//! [`registry`] lists which claims have one. A proof is a list of [`step`]s; each is found by [`search`], accepted by the
//! checker of `certificates`, and written as a query for any solver ([`smt`]); where the build has Z3, it is asked as well
//! ([`second`]).

pub mod accounting;
pub mod backcopy;
pub mod cluster_costs;
pub mod cluster_lower;
pub mod cluster_sharper;
pub mod clusters;
pub mod diagnostics;
pub mod formula;
pub mod lift;
pub mod lower;
pub mod mlp;
pub mod norms;
pub mod oversmoothing;
pub mod positive;
pub mod projector;
pub mod reach;
pub mod registry;
pub mod repaired;
pub mod search;
pub mod second;
pub mod simplex;
pub mod smt;
pub mod step;
pub mod sums;
pub mod theorem;
pub mod theta;
pub mod trigger;
pub mod trusted;
