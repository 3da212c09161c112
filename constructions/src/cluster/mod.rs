//! Theorem 7.2: the cluster task, the two builds of Theorem D.1, and two families that refute the conjectured lower bound on
//! sinks.
//!
//! All vectors are divided by sqrt d: tokens are unit vectors, RMSNorm is `u / |u|`, and a query-key matrix is in units of
//! kappa/sqrt d, so that a logit margin of kappa is 1. Vectors are coordinates in a frame with a rational Gram matrix
//! ([`geometry`]), so that no token needs rational coordinates in an orthonormal basis.
//!
//! * [`shapes`], [`task`]: which tokens there are, and which may precede which.
//! * [`sink`], [`diagonal`]: the definitions, as the proof writes them; [`build`]: blocks read from them.
//! * [`margins`], [`labels`], [`theta`]: what a block must satisfy.
//! * [`families`]: sinks of bounded cost whose nuisances have any rank.

pub mod block;
pub mod build;
pub mod diagonal;
pub mod factor;
pub mod families;
pub mod geometry;
pub mod gram;
pub mod labels;
pub mod margins;
pub mod reading;
pub mod shapes;
pub mod sink;
pub mod task;
pub mod theta;
