//! The weight constructions of the paper, each written once as the paper writes it, and their exact and float readings.
//!
//! * [`language`]: sums over index ranges of outer products of basis families; the definitions are data.
//! * [`reading`]: a definition read at given sizes, as an exact sparse matrix or as floats.
//! * [`basis`]: exact orthonormal bases of the residual stream.
//! * [`backcopy`]: the task of Theorem 7.1, its builds (eqs. 7 to 10 and the mended ones), checks, costs and bounds.
//! * [`cluster`]: Theorem 7.2; so far the two families that refute the conjectured lower bound on sinks.
//! * [`identity`]: the warm-up of Section 7.
//! * [`diagnostics`]: what tells a no-op sink from a broadcast sink, for synthetic and measured values.
//! * [`trigger`]: the trigger-conditional task of the companion paper.
//! * [`oversmoothing`]: Theorem 5.1 and the layers of Appendix B.1.
//!
//! No solver is called here, and no float decides anything.

pub mod backcopy;
pub mod basis;
pub mod cluster;
pub mod dense;
pub mod diagnostics;
pub mod identity;
pub mod integer;
pub mod language;
pub mod matrix;
pub mod oversmoothing;
pub mod reading;
pub mod rope;
pub mod sizes;
pub mod trigger;

pub use sizes::{SizeError, Sizes};
