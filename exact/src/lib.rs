//! Exact numbers: rationals, and sums of rationals times square roots of squarefree integers.
//!
//! Every bound of the paper lives in this field, so no float is needed to compare two of them:
//!
//! ```
//! use exact::{Rational, Surd};
//! let x: Surd = "3/5 + 2*sqrt(35)".parse()?;
//! assert!(x > Surd::from(12i64));
//! assert_eq!(x.approx(4), "12.4322");
//! # Ok::<(), exact::ParseError>(())
//! ```

mod exp;
mod field;
pub mod formula;
mod parse;
mod rational;
mod root;
mod surd;

pub use exp::exp_neg;
pub use field::Field;
pub use parse::ParseError;
pub use rational::{Rational, ratio};
pub use root::{SqrtError, sqrt_enclosure};
pub use surd::Surd;
