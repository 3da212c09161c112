//! Theorem 7.2: the cluster task. So far: a block with free biases, and two families that refute the conjectured lower
//! bound on sinks.
//!
//! All vectors are divided by sqrt d: tokens are unit vectors, RMSNorm is `u / |u|`, and a query-key matrix is in units of
//! kappa/sqrt d, so that a logit margin of kappa is 1. Coordinates are those of a user's or family's own orthonormal basis.

pub mod block;
pub mod conjecture;
pub mod families;
