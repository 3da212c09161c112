//! Gram patterns: how b, the group directions and the copy tokens lie, and how the nuisances do.

use crate::matrix::Sparse;
use exact::{ParseError, Rational};
use num_traits::{One, Zero};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use thiserror::Error;

/// Inner products of two different vectors of S, all of size phi or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coherence {
    /// All +phi.
    Equal,
    /// All -phi: the least eigenvalue 1 - 2C phi is reached.
    Negative,
    /// (-1)^(i+j) phi.
    Alternating,
    /// Only between a group's direction and its copy token: phi.
    Paired,
    /// The same with -phi.
    Opposed,
}

/// All patterns, with their names.
pub const COHERENCES: [(&str, Coherence); 5] = [
    ("equal", Coherence::Equal),
    ("negative", Coherence::Negative),
    ("alternating", Coherence::Alternating),
    ("paired", Coherence::Paired),
    ("opposed", Coherence::Opposed),
];

/// How the nuisances lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All mutually orthogonal.
    Orthogonal,
    /// In every group the vertices of a regular simplex; groups are orthogonal to each other.
    Simplex,
    /// One simplex whose vertices serve every group.
    Shared,
    /// Orthogonal, but the first two of every group at squared distance `2 tau delta^2`; tau = 0 makes them coincide.
    Near(Rational),
}

/// An unknown name.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ShapeError {
    /// Of a coherence.
    #[error("pattern \"{0}\": it is equal, negative, alternating, paired, opposed or a JSON file")]
    Coherence(String),
    /// Of a shape.
    #[error("shape \"{0}\": it is orthogonal, simplex, shared, near:TAU or a JSON file")]
    Shape(String),
    /// Of the distance.
    #[error("near:TAU: {0}")]
    Number(#[from] ParseError),
    /// Outside its range.
    #[error("near:{0}: TAU must be at least 0 and at most 2")]
    Distance(Rational),
}

impl FromStr for Coherence {
    type Err = ShapeError;
    fn from_str(name: &str) -> Result<Coherence, ShapeError> {
        let found = COHERENCES.iter().find(|(n, _)| *n == name);
        found
            .map(|(_, c)| *c)
            .ok_or_else(|| ShapeError::Coherence(name.into()))
    }
}

impl Display for Coherence {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let found = COHERENCES.iter().find(|(_, c)| c == self);
        f.write_str(found.map_or("", |(n, _)| n))
    }
}

impl FromStr for Shape {
    type Err = ShapeError;
    fn from_str(name: &str) -> Result<Shape, ShapeError> {
        match name {
            "orthogonal" => Ok(Shape::Orthogonal),
            "simplex" => Ok(Shape::Simplex),
            "shared" => Ok(Shape::Shared),
            _ => {
                let Some(("near", tau)) = name.split_once(':') else {
                    return Err(ShapeError::Shape(name.into()));
                };
                let tau: Rational = tau.parse()?;
                if tau.is_negative() || tau > Rational::integer(2) {
                    return Err(ShapeError::Distance(tau));
                }
                Ok(Shape::Near(tau))
            }
        }
    }
}

impl Display for Shape {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Shape::Orthogonal => f.write_str("orthogonal"),
            Shape::Simplex => f.write_str("simplex"),
            Shape::Shared => f.write_str("shared"),
            Shape::Near(tau) => write!(f, "near:{tau}"),
        }
    }
}

/// The Gram matrix of `b, dbar_1..dbar_C, c_1..c_C` by columns, with coherence `phi`.
pub fn special(groups: usize, phi: &Rational, coherence: Coherence) -> Vec<Sparse> {
    let m = 1 + 2 * groups;
    let entry = |i: usize, j: usize| {
        let pair = i != 0 && i + groups == j || j != 0 && j + groups == i;
        match coherence {
            _ if i == j => Rational::one(),
            Coherence::Equal => phi.clone(),
            Coherence::Negative => -phi,
            Coherence::Alternating if (i + j).is_multiple_of(2) => phi.clone(),
            Coherence::Alternating => -phi,
            Coherence::Paired if pair => phi.clone(),
            Coherence::Opposed if pair => -phi,
            Coherence::Paired | Coherence::Opposed => Rational::zero(),
        }
    };
    columns(m, entry)
}

/// The Gram matrix of the nuisances by columns, group after group; all have square `square` = delta^2.
pub fn nuisances(dormants: &[usize], square: &Rational, shape: &Shape) -> Vec<Sparse> {
    let all: Vec<(usize, usize)> = dormants
        .iter()
        .enumerate()
        .flat_map(|(c, n)| (0..*n).map(move |i| (c, i)))
        .collect();
    let most = dormants.iter().copied().max().unwrap_or_default();
    // Vertices of a simplex of n points have inner products -1/(n-1).
    let simplex = |n: usize| match n {
        0 | 1 => Rational::zero(),
        _ => {
            -(square
                .checked_div(&Rational::from(n - 1))
                .unwrap_or_default())
        }
    };
    let entry = |a: usize, b: usize| {
        let ((c, i), (d, j)) = (all[a], all[b]);
        match shape {
            _ if a == b => square.clone(),
            Shape::Simplex if c == d => simplex(dormants[c]),
            Shape::Shared if i == j => square.clone(),
            Shape::Shared => simplex(most),
            Shape::Near(tau) if c == d && i + j == 1 => square * (Rational::one() - tau),
            Shape::Orthogonal | Shape::Simplex | Shape::Near(_) => Rational::zero(),
        }
    };
    columns(all.len(), entry)
}

fn columns(n: usize, entry: impl Fn(usize, usize) -> Rational) -> Vec<Sparse> {
    let column = |j: usize| {
        let all = (0..n).map(|i| (i, entry(i, j)));
        all.filter(|(_, x)| !x.is_zero()).collect()
    };
    (0..n).map(column).collect()
}
