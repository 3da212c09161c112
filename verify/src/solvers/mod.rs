//! Asks SMT solvers one question and takes nothing but a plain answer for an answer.
//!
//! Whatever is not plainly `sat` or `unsat` is [`Answer::Unknown`] with its reason: a text that does not parse, a
//! solver that crashed, printed anything else first or ran out of time.

mod process;
mod query;
mod z3;

pub use process::ask_process;
pub use query::QueryError;
pub use z3::{HAS_Z3, ask_z3};

/// What a solver said about the assertions of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The assertions can all hold; the text is the solver's model, unchecked, when it gave one.
    Sat(Option<String>),
    /// The assertions cannot all hold.
    Unsat,
    /// No answer, and why.
    Unknown(String),
}
