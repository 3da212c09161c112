//! Why a certificate file was refused.

use crate::Rejection;
use crate::cases::CasesError;
use crate::positivity::Refusal;
use exact::ParseError;
use thiserror::Error;

/// A defect of a file. Each message names the value, the rule and the place.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FileError {
    /// Too long a file.
    #[error("the file has {bytes} bytes: at most {limit} are read")]
    TooLarge {
        /// Its length.
        bytes: usize,
        /// The longest that is read.
        limit: usize,
    },
    /// Something after the end.
    #[error("line {line}, column {column}: something follows the end of the certificate")]
    Trailing {
        /// Line.
        line: usize,
        /// Column.
        column: usize,
    },
    /// An entry that is not there.
    #[error("an entry is missing: {0}")]
    Missing(String),
    /// An entry that no format has.
    #[error("an entry is not known: {0}")]
    Unknown(String),
    /// An entry that is there twice.
    #[error("an entry is given twice: {0}")]
    Twice(String),
    /// Not JSON, or not of the shape of its format.
    #[error("not a certificate: {0}")]
    Syntax(String),
    /// A format that is not known.
    #[error("format \"{format}\" is not known: known are {known}")]
    Format {
        /// The format.
        format: String,
        /// Those that are known.
        known: String,
    },
    /// A version that is not known.
    #[error("format \"{format}\" has a version that is not read: \"{known}\" is")]
    Version {
        /// The format.
        format: String,
        /// The one that is read.
        known: &'static str,
    },
    /// A problem other than the one the certificate is for.
    #[error("problem_sha256 is \"{stated}\", but the problem of this file has {found}")]
    Hash {
        /// What the file states.
        stated: String,
        /// What its problem has.
        found: String,
    },
    /// A denominator of 0.
    #[error("{place}: \"{text}\" has denominator zero")]
    ZeroDenominator {
        /// Where.
        place: String,
        /// The text.
        text: String,
    },
    /// Too long a number.
    #[error("{place}: a number of {length} characters is too long: at most {limit} are read")]
    NumberTooLong {
        /// Where.
        place: String,
        /// Its length.
        length: usize,
        /// The longest that is read.
        limit: usize,
    },
    /// Not a number.
    #[error("{place}: {cause}")]
    Number {
        /// Where.
        place: String,
        /// Why.
        cause: ParseError,
    },
    /// A number that is written in another way than the one allowed.
    #[error(
        "{place}: \"{text}\" must be written \"{canonical}\": numbers are integers or fractions in lowest terms"
    )]
    NotCanonical {
        /// Where.
        place: String,
        /// The text.
        text: String,
        /// How it is written.
        canonical: String,
    },
    /// A number that must be an integer of 64 bits.
    #[error("{place}: \"{text}\" is not an integer of 64 bits")]
    NotInteger {
        /// Where.
        place: String,
        /// The text.
        text: String,
    },
    /// A zero that must be left out.
    #[error("{place} is 0: what is 0 is left out")]
    Zero {
        /// Where.
        place: String,
    },
    /// A list out of order.
    #[error("{place} does not come after the one before it: entries ascend, each at most once")]
    Order {
        /// Where.
        place: String,
    },
    /// A proof of positivity that is wrong.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A proof by cases that is wrong.
    #[error(transparent)]
    Cases(#[from] CasesError),
    /// Another certificate that is wrong.
    #[error(transparent)]
    Rejected(#[from] Rejection),
}

impl FileError {
    /// What went wrong while reading JSON.
    pub(super) fn reading(error: &serde_json::Error) -> FileError {
        let text = error.to_string();
        let starts = |start: &str| text.starts_with(start);
        if starts("trailing characters") {
            FileError::Trailing {
                line: error.line(),
                column: error.column(),
            }
        } else if starts("missing field") {
            FileError::Missing(text)
        } else if starts("unknown field") {
            FileError::Unknown(text)
        } else if starts("duplicate field") {
            FileError::Twice(text)
        } else {
            FileError::Syntax(text)
        }
    }
}
