//! Index variables, affine bounds in T, C, D, and index ranges.

use crate::Sizes;
use std::ops::{Add, Sub};

/// A bound index variable, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Var(pub &'static str);

/// An index variable of this name.
pub fn var(name: &'static str) -> Var {
    Var(name)
}

/// An index: a variable plus an offset, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index {
    /// The variable, if any.
    pub var: Option<Var>,
    /// What is added to it.
    pub offset: i64,
}

impl From<i64> for Index {
    fn from(offset: i64) -> Self {
        Index { var: None, offset }
    }
}

impl From<Var> for Index {
    fn from(var: Var) -> Self {
        Index {
            var: Some(var),
            offset: 0,
        }
    }
}

impl Add<i64> for Var {
    type Output = Index;
    fn add(self, offset: i64) -> Index {
        Index {
            var: Some(self),
            offset,
        }
    }
}

/// An affine form `t T + c C + d D + constant`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affine {
    /// Factor of T.
    pub t: i64,
    /// Factor of C.
    pub c: i64,
    /// Factor of D.
    pub d: i64,
    /// The constant.
    pub constant: i64,
}

/// The context length, as a form.
pub const T: Affine = Affine {
    t: 1,
    c: 0,
    d: 0,
    constant: 0,
};
/// The number of copy tokens, as a form.
pub const C: Affine = Affine {
    t: 0,
    c: 1,
    d: 0,
    constant: 0,
};
/// The number of dormant tokens, as a form.
pub const D: Affine = Affine {
    t: 0,
    c: 0,
    d: 1,
    constant: 0,
};

/// How far the indices of a task run. A family that the task does not have is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extents {
    /// Context length T.
    pub t: usize,
    /// Copy tokens, or groups, C.
    pub c: usize,
    /// Dormant tokens D.
    pub d: usize,
    /// Width of the residual stream.
    pub width: usize,
    /// r_eta, the vectors of an orthogonal basis of the nuisances.
    pub nuisances: usize,
}

impl From<&Sizes> for Extents {
    fn from(sizes: &Sizes) -> Extents {
        Extents {
            t: sizes.t,
            c: sizes.c,
            d: sizes.d,
            width: sizes.width,
            nuisances: 0,
        }
    }
}

impl Affine {
    /// The value at these sizes.
    pub fn at(&self, e: &Extents) -> i64 {
        self.t * e.t as i64 + self.c * e.c as i64 + self.d * e.d as i64 + self.constant
    }
}

impl From<i64> for Affine {
    fn from(constant: i64) -> Self {
        Affine {
            t: 0,
            c: 0,
            d: 0,
            constant,
        }
    }
}

impl Add for Affine {
    type Output = Affine;
    fn add(self, o: Affine) -> Affine {
        Affine {
            t: self.t + o.t,
            c: self.c + o.c,
            d: self.d + o.d,
            constant: self.constant + o.constant,
        }
    }
}

impl Sub<i64> for Affine {
    type Output = Affine;
    fn sub(self, k: i64) -> Affine {
        Affine {
            constant: self.constant - k,
            ..self
        }
    }
}

/// An index range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// The copy tokens 1..=C.
    Copy,
    /// The dormant tokens C+1..=C+D.
    Dormant,
    /// All context tokens but BOS, 1..=C+D.
    Context,
    /// Every vector of the orthonormal frame of R^d, 0..d.
    Frame,
    /// `from..=to`.
    Steps(Affine, Affine),
    /// Position 2 where there is one: empty when T = 1.
    Second,
    /// The orthogonal basis of the nuisances, 1..=r_eta.
    Nuisances,
}

/// The copy tokens.
pub const COPY: Range = Range::Copy;
/// The dormant tokens.
pub const DORMANT: Range = Range::Dormant;
/// Copy and dormant tokens.
pub const CONTEXT: Range = Range::Context;
/// Position 2, if T >= 2.
pub const SECOND: Range = Range::Second;
/// The whole frame.
pub const FRAME: Range = Range::Frame;

/// The nuisance directions.
pub const NUISANCES: Range = Range::Nuisances;

/// The range `from..=to`.
pub fn steps(from: impl Into<Affine>, to: impl Into<Affine>) -> Range {
    Range::Steps(from.into(), to.into())
}

impl Range {
    /// The first and last index at these sizes; empty when the last is smaller.
    pub fn at(&self, e: &Extents) -> std::ops::RangeInclusive<i64> {
        let (c, v) = (e.c as i64, (e.c + e.d) as i64);
        match self {
            Range::Copy => 1..=c,
            Range::Dormant => c + 1..=v,
            Range::Context => 1..=v,
            Range::Frame => 0..=e.width as i64 - 1,
            Range::Steps(from, to) => from.at(e)..=to.at(e),
            Range::Second => 2..=(e.t as i64).min(2),
            Range::Nuisances => 1..=e.nuisances as i64,
        }
    }
}
