//! Theorem 7.1: the backcopy task, its sink and diagonal builds, what is checked of them, and what they cost.
//!
//! Tokens are `x(t, i) = sqrt(d/2) (h_i + p_t)`; BOS is `x(0, 0)`. Everything is computed for `h_i + p_t`, in units of
//! `sqrt(d/2)`, and query-key matrices in units of `2 kappa/sqrt d`, so that a logit margin of kappa is 1.

pub mod block;
pub mod bounds;
pub mod diagonal;
pub mod labels;
pub mod margins;
pub mod sink;
pub mod softmax;
mod task;

pub use task::{BOS, Pattern, Queries, Reading, ReadingError, Task, Token};
