//! The cluster task of Theorem 7.2: its tokens, which of them may precede which, and its parameters.
//!
//! Tokens are unit vectors (divided by sqrt d), RMSNorm is `u / |u|`, and a query-key matrix is in units of kappa/sqrt d, so
//! that a logit margin of kappa is 1.

use super::geometry::{Geometry, GeometryError};
use super::shapes::{Coherence, Shape, nuisances, special};
use crate::matrix::{Sparse, combine};
use exact::{Rational, SqrtError, Surd};
use num_traits::{One, Zero};
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use thiserror::Error;

/// Most tokens.
pub const LARGEST: usize = 4096;

/// A token; groups and dormants are counted from 1, as in the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Token {
    /// b.
    Bos,
    /// c_c.
    Copy(usize),
    /// d_ci = lambda dbar_c + eta_ci.
    Dormant(usize, usize),
}

impl Display for Token {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Token::Bos => f.write_str("b"),
            Token::Copy(c) => write!(f, "c_{c}"),
            Token::Dormant(c, i) => write!(f, "d_{{{c},{i}}}"),
        }
    }
}

/// Which relative orders of two dormants of one group occur in the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Orders {
    /// Both, for every pair.
    Both,
    /// i before j only for i < j.
    Ascending,
    /// `(c, j, i)`: d_cj may precede d_ci.
    Pairs(BTreeSet<(usize, usize, usize)>),
}

impl Orders {
    /// May d_cj precede d_ci, j != i?
    pub fn may_precede(&self, c: usize, j: usize, i: usize) -> bool {
        match self {
            Orders::Both => true,
            Orders::Ascending => j < i,
            Orders::Pairs(pairs) => pairs.contains(&(c, j, i)),
        }
    }
}

/// What else the data contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    /// The orders of dormants of one group.
    pub orders: Orders,
    /// Do sequences occur in which no dormant of a copy token's group precedes it?
    pub absent: bool,
    /// The most dormants of its group that precede a copy token; `None` for any number.
    pub most: Option<usize>,
}

impl Default for Data {
    fn default() -> Data {
        Data {
            orders: Orders::Both,
            absent: true,
            most: None,
        }
    }
}

/// A cluster task.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// n_c, the dormants of each group.
    pub dormants: Vec<usize>,
    /// delta^2 = |eta|^2.
    pub delta_squared: Rational,
    /// lambda = sqrt(1 - delta^2).
    pub lambda: Surd,
    /// The tolerance epsilon of the labels.
    pub epsilon: Rational,
    /// The largest inner product of two different vectors of S, in size.
    pub phi: Rational,
    /// The vectors.
    pub geometry: Geometry,
    /// What the data contains.
    pub data: Data,
    tokens: Vec<(Token, Sparse<Surd>)>,
}

/// What is wrong with a task.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TaskError {
    /// No groups.
    #[error("C = 0: the cluster task needs C >= 1")]
    NoGroups,
    /// An empty group.
    #[error("group {0} has no dormant token: each needs at least one")]
    Empty(usize),
    /// Beyond what is supported.
    #[error("{0} tokens: at most {LARGEST} are supported")]
    TooMany(usize),
    /// delta out of range.
    #[error("delta^2 = {0}: the task needs 0 <= delta < 1")]
    Delta(Rational),
    /// epsilon out of range.
    #[error("epsilon = {0}: the task needs 0 <= epsilon < 1")]
    Epsilon(Rational),
    /// phi out of range.
    #[error("phi = {0}: the task needs 0 <= phi < 1")]
    Phi(Rational),
    /// lambda out of reach.
    #[error("lambda = sqrt(1 - delta^2): {0}")]
    Lambda(#[from] SqrtError),
    /// No such vectors.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A vector of the wrong length.
    #[error("{vector} has square {square}, {needed} is needed (vectors are divided by sqrt d)")]
    Length {
        /// Which.
        vector: String,
        /// Its square.
        square: Rational,
        /// What it must be.
        needed: Rational,
    },
    /// An order of dormants that do not exist.
    #[error("order [{0}, {1}, {2}]: there is no such pair of different dormants")]
    Order(usize, usize, usize),
}

impl Task {
    /// A task with named patterns.
    ///
    /// # Errors
    /// Parameters out of range, or vectors that do not exist.
    pub fn new(
        dormants: Vec<usize>,
        delta_squared: Rational,
        epsilon: Rational,
        (phi, coherence): (Rational, Coherence),
        shape: &Shape,
        data: Data,
    ) -> Result<Task, TaskError> {
        sizes(&dormants)?;
        if phi.is_negative() || phi >= Rational::one() {
            return Err(TaskError::Phi(phi));
        }
        range(&delta_squared)?;
        let geometry = Geometry::from_grams(
            &special(dormants.len(), &phi, coherence),
            &nuisances(&dormants, &delta_squared, shape),
        )?;
        Task::of(dormants, delta_squared, epsilon, geometry, data)
    }

    /// A task with given vectors; |eta|^2 of the first nuisance is delta^2.
    ///
    /// # Errors
    /// Parameters out of range, or vectors that are not as the task asks.
    pub fn of(
        dormants: Vec<usize>,
        delta_squared: Rational,
        epsilon: Rational,
        geometry: Geometry,
        data: Data,
    ) -> Result<Task, TaskError> {
        sizes(&dormants)?;
        range(&delta_squared)?;
        if epsilon.is_negative() || epsilon >= Rational::one() {
            return Err(TaskError::Epsilon(epsilon));
        }
        if let Orders::Pairs(pairs) = &data.orders {
            for (c, j, i) in pairs {
                let n = c.checked_sub(1).and_then(|c| dormants.get(c));
                let inside = |k: &usize| n.is_some_and(|n| (1..=*n).contains(k));
                if i == j || !inside(i) || !inside(j) {
                    return Err(TaskError::Order(*c, *j, *i));
                }
            }
        }
        let groups = dormants.len();
        let mut phi = Rational::zero();
        let grams = geometry.special_gram();
        for (j, column) in grams.iter().enumerate() {
            length(
                &name(groups, j),
                crate::matrix::at(column, j),
                &Rational::one(),
            )?;
            for (i, x) in column {
                if *i != j && x.abs() > phi {
                    phi = x.abs();
                }
            }
        }
        let lambda = Surd::sqrt(&(Rational::one() - &delta_squared))?;
        let mut tokens = vec![(Token::Bos, lift(&geometry.special[0]))];
        for c in 1..=groups {
            tokens.push((Token::Copy(c), lift(&geometry.special[groups + c])));
        }
        let mut nuisances = geometry.nuisances.iter();
        for (c, n) in dormants.iter().enumerate() {
            let centre = lift(&geometry.special[1 + c]);
            for i in 1..=*n {
                let token = Token::Dormant(c + 1, i);
                let eta = nuisances.next().cloned().unwrap_or_default();
                length(
                    &format!("the nuisance of {token}"),
                    geometry.inner(&eta, &eta),
                    &delta_squared,
                )?;
                let eta = lift(&eta);
                tokens.push((
                    token,
                    combine([(lambda.clone(), &centre), (Surd::one(), &eta)]),
                ));
            }
        }
        Ok(Task {
            dormants,
            delta_squared,
            lambda,
            epsilon,
            phi,
            geometry,
            data,
            tokens,
        })
    }

    /// C, the number of groups.
    pub fn groups(&self) -> usize {
        self.dormants.len()
    }

    /// All tokens with their coordinates in the frame: b, the copy tokens, the dormants group after group.
    pub fn tokens(&self) -> &[(Token, Sparse<Surd>)] {
        &self.tokens
    }

    /// The place of a token in [`Task::tokens`]; nothing where there is none.
    pub fn place(&self, token: Token) -> Option<usize> {
        self.tokens.binary_search_by_key(&token, |(t, _)| *t).ok()
    }

    /// The place of d_{c,1} in [`Task::tokens`].
    pub fn first_of(&self, c: usize) -> usize {
        1 + self.groups() + self.dormants[..c - 1].iter().sum::<usize>()
    }

    /// The nuisance eta_ci, in the frame.
    pub fn nuisance(&self, c: usize, i: usize) -> &Sparse {
        &self.geometry.nuisances[self.first_of(c) - 1 - self.groups() + i - 1]
    }

    /// P_c for all groups: `(c, i, j)`, i < j, where both orders occur.
    pub fn pairs(&self) -> Vec<(usize, usize, usize)> {
        self.ordered(|may, back| may && back)
    }

    /// Pairs that occur in some order: `(c, i, j)`, i < j.
    pub fn met(&self) -> Vec<(usize, usize, usize)> {
        self.ordered(|may, back| may || back)
    }

    fn ordered(&self, keep: impl Fn(bool, bool) -> bool) -> Vec<(usize, usize, usize)> {
        let orders = &self.data.orders;
        let groups = self.dormants.iter().enumerate();
        groups
            .flat_map(|(c, n)| (1..=*n).flat_map(move |i| (i + 1..=*n).map(move |j| (c + 1, i, j))))
            .filter(|(c, i, j)| {
                keep(
                    orders.may_precede(*c, *i, *j),
                    orders.may_precede(*c, *j, *i),
                )
            })
            .collect()
    }

    /// |eta_ci - eta_cj|^2 = |d_ci - d_cj|^2.
    pub fn distance_squared(&self, c: usize, i: usize, j: usize) -> Rational {
        let inner = self
            .geometry
            .inner(self.nuisance(c, i), self.nuisance(c, j));
        Rational::integer(2) * (&self.delta_squared - inner)
    }

    /// Delta_diag/d: the least squared distance of two dormants of a group one of which may precede the other; nothing where
    /// there are none (Delta = +infinity).
    pub fn separation(&self) -> Option<Rational> {
        self.met()
            .into_iter()
            .map(|(c, i, j)| self.distance_squared(c, i, j))
            .min()
    }

    /// What of the hypotheses of Theorem 7.2 is not met: 2 C phi <= 1/4, phi <= 1/20, delta <= 1/2, 1/20 <= epsilon <= 1/4.
    pub fn outside(&self) -> Option<String> {
        let exact = exact::ratio;
        let coherence = Rational::from(2 * self.groups()) * &self.phi;
        if coherence > exact(1, 4) {
            return Some(format!("2 C phi = {coherence}, more than 1/4"));
        }
        if self.phi > exact(1, 20) {
            return Some(format!("phi = {}, more than 1/20", self.phi));
        }
        if self.delta_squared > exact(1, 4) {
            return Some(format!("delta^2 = {}, more than 1/4", self.delta_squared));
        }
        if !(exact(1, 20)..=exact(1, 4)).contains(&self.epsilon) {
            return Some(format!(
                "epsilon = {}, not between 1/20 and 1/4",
                self.epsilon
            ));
        }
        None
    }
}

/// A rational vector over the larger field.
pub fn lift(x: &Sparse) -> Sparse<Surd> {
    x.iter().map(|(k, c)| (*k, c.clone().into())).collect()
}

/// The name of a special vector.
fn name(groups: usize, j: usize) -> String {
    match j {
        0 => "b".into(),
        _ if j <= groups => format!("dbar_{j}"),
        _ => format!("c_{}", j - groups),
    }
}

fn length(vector: &str, square: Rational, needed: &Rational) -> Result<(), TaskError> {
    if square == *needed {
        return Ok(());
    }
    Err(TaskError::Length {
        vector: vector.into(),
        square,
        needed: needed.clone(),
    })
}

fn range(delta_squared: &Rational) -> Result<(), TaskError> {
    if delta_squared.is_negative() || *delta_squared >= Rational::one() {
        return Err(TaskError::Delta(delta_squared.clone()));
    }
    Ok(())
}

/// Checks the numbers of dormants.
///
/// # Errors
/// No groups, an empty one, or too many tokens.
pub fn sizes(dormants: &[usize]) -> Result<(), TaskError> {
    if dormants.is_empty() {
        return Err(TaskError::NoGroups);
    }
    if let Some(c) = dormants.iter().position(|n| *n == 0) {
        return Err(TaskError::Empty(c + 1));
    }
    let total = dormants
        .iter()
        .fold(dormants.len() + 1, |sum, n| sum.saturating_add(*n));
    if total > LARGEST {
        return Err(TaskError::TooMany(total));
    }
    Ok(())
}
