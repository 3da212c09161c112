//! The task: which tokens may stand where, which queries are constrained, and where each must attend.

use crate::Sizes;
use crate::matrix::Sparse;
use exact::Rational;
use std::fmt::{self, Display, Formatter};
use std::ops::RangeInclusive;
use std::str::FromStr;
use thiserror::Error;

/// What may stand at t = 1, which the statement of the theorem leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reading {
    /// Copy tokens may stand at t = 1 and are unconstrained there: what the proof's inequalities say.
    A,
    /// Only dormant tokens stand at t = 1.
    B,
    /// Literal: a copy token at t = 1 must copy BOS.
    L,
}

/// Not a reading.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "reading \"{0}\": it is A (copy tokens free at t = 1), B (only dormant tokens at t = 1) or L (literal: copies BOS)"
)]
pub struct ReadingError(String);

impl FromStr for Reading {
    type Err = ReadingError;
    fn from_str(text: &str) -> Result<Reading, ReadingError> {
        match text {
            "A" => Ok(Reading::A),
            "B" => Ok(Reading::B),
            "L" => Ok(Reading::L),
            other => Err(ReadingError(other.to_string())),
        }
    }
}

impl Display for Reading {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// The attention pattern asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Dormant tokens attend to BOS.
    Sink,
    /// Dormant tokens attend to themselves.
    Diagonal,
}

/// Which queries are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Queries {
    /// Every dormant query, and copy queries at t >= 2: what all readings share.
    Proof,
    /// Copy queries at t = 1: reading L alone has them.
    First,
}

/// A token `x(t, i)`; BOS is `(0, 0)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Token {
    /// Position.
    pub t: usize,
    /// Context index.
    pub i: usize,
}

/// BOS.
pub const BOS: Token = Token { t: 0, i: 0 };

impl Display for Token {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        if *self == BOS {
            write!(f, "BOS")
        } else {
            write!(f, "x({},{})", self.t, self.i)
        }
    }
}

/// The backcopy task at given sizes, in a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    /// The sizes.
    pub sizes: Sizes,
    /// The reading.
    pub reading: Reading,
}

impl Task {
    /// The tokens that may stand at position `t >= 1`.
    pub fn tokens_at(&self, t: usize) -> RangeInclusive<usize> {
        match (t, self.reading) {
            (0, _) => 0..=0,
            (1, Reading::B) => self.sizes.c + 1..=self.sizes.v(),
            _ => 1..=self.sizes.v(),
        }
    }

    /// Is this query constrained, and by which set?
    pub fn queries_at(&self, t: usize, queries: Queries) -> RangeInclusive<usize> {
        match (queries, t, self.reading) {
            (Queries::Proof, 1, _) => self.sizes.c + 1..=self.sizes.v(),
            (Queries::Proof, t, _) if t >= 2 => 1..=self.sizes.v(),
            (Queries::First, 1, Reading::L) => 1..=self.sizes.c,
            #[allow(clippy::reversed_empty_ranges)]
            _ => 1..=0,
        }
    }

    /// `h_i + p_t` in frame coordinates.
    pub fn embedding(&self, token: Token) -> Sparse {
        vec![
            (self.sizes.h(token.i), Rational::integer(1)),
            (self.sizes.p(token.t), Rational::integer(1)),
        ]
    }

    /// How a token is called in messages: `dormant x(3,7)`.
    pub fn describe(&self, token: Token) -> String {
        match token.i {
            0 => "BOS".to_string(),
            i if self.sizes.is_copy(i) => format!("copy {token}"),
            _ => format!("dormant {token}"),
        }
    }
}
