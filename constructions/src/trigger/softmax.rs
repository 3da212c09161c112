//! Finite data of the task, and heads with weights on the simplex: W_O W_V kills BOS and is M on the other tokens.

use crate::dense::{Dense, DenseError, inner};
use exact::Rational;

/// A position of a sequence, as indices into a list of tokens that are not BOS: what stands there, and what stood before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The tokens before it, BOS apart, in order.
    pub before: Vec<usize>,
    /// The token there.
    pub here: usize,
    /// Is it a trigger?
    pub trigger: bool,
}

/// Tokens that are not BOS, as columns, the triggers among them, and sequences as lists of tokens after BOS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    /// The tokens.
    pub tokens: Dense,
    /// Which are triggers.
    pub triggers: Vec<usize>,
    /// The sequences.
    pub sequences: Vec<Vec<usize>>,
}

/// Every sequence of one or more of the tokens 0..r without repetition, then the trigger r, then again one of those tokens.
pub fn arrangements(r: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    let mut next = 0;
    while next < all.len() {
        for k in (0..r)
            .filter(|k| !all[next].contains(k))
            .collect::<Vec<_>>()
        {
            let mut longer = all[next].clone();
            longer.push(k);
            all.push(longer);
        }
        next += 1;
    }
    all.into_iter()
        .skip(1)
        .map(|mut s| {
            let first = s[0];
            s.extend([r, first]);
            s
        })
        .collect()
}

impl Data {
    /// All positions of all sequences; a trigger has a token before it.
    pub fn positions(&self) -> Vec<Position> {
        let each = self.sequences.iter().flat_map(|s| {
            s.iter().enumerate().map(|(k, here)| Position {
                before: s[..k].to_vec(),
                here: *here,
                trigger: self.triggers.contains(here),
            })
        });
        each.collect()
    }

    /// What the task wants at a position: the mean of the tokens before a trigger, else 0.
    pub fn target(&self, position: &Position) -> Vec<Rational> {
        let over = Rational::from(position.before.len())
            .recip()
            .unwrap_or_default();
        let (d, _) = self.tokens.shape();
        let coordinate = |row| -> Rational {
            let all = position.before.iter().map(|k| self.tokens.at(row, *k));
            all.sum::<Rational>() * &over
        };
        match position.trigger {
            true => (0..d).map(coordinate).collect(),
            false => vec![Rational::default(); d],
        }
    }

    /// The rank of the targets at triggers.
    ///
    /// # Errors
    /// None: targets have one length.
    pub fn target_rank(&self) -> Result<usize, DenseError> {
        let triggers = self.positions().into_iter().filter(|p| p.trigger);
        Ok(Dense::from_rows(triggers.map(|p| self.target(&p)).collect())?.rank())
    }

    /// A functional that is 1 on every token, or nothing.
    ///
    /// # Errors
    /// None: shapes fit.
    pub fn level(&self) -> Result<Option<Vec<Rational>>, DenseError> {
        functional(&self.tokens)
    }
}

/// A vector l with <l, column> = 1 for all columns, or nothing.
///
/// # Errors
/// None: shapes fit.
pub fn functional(columns: &Dense) -> Result<Option<Vec<Rational>>, DenseError> {
    let (_, n) = columns.shape();
    let ones = Dense::of(1, n, |_, _| Rational::integer(1));
    Ok(columns.solve_left(&ones)?.ok().map(|l| l.row(0)))
}

/// The weights of one position: on the tokens before it, and on itself; the rest is BOS's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Of each token before.
    pub before: Vec<Rational>,
    /// Of the token itself.
    pub own: Rational,
}

impl Row {
    /// The mass that is not BOS's.
    pub fn mass(&self) -> Rational {
        self.before.iter().cloned().sum::<Rational>() + &self.own
    }

    /// Are all weights, BOS's included, nonnegative?
    pub fn on_simplex(&self) -> bool {
        let each = self.before.iter().chain([&self.own]);
        let mass = self.mass();
        each.into_iter().all(|x| !x.is_negative()) && mass <= Rational::integer(1)
    }
}

/// Output less target: M applied to the weighted sum of tokens, less what is wanted.
///
/// # Errors
/// An M whose shape does not fit the tokens.
pub fn error(
    data: &Data,
    m: &Dense,
    position: &Position,
    row: &Row,
) -> Result<Vec<Rational>, DenseError> {
    let (d, _) = data.tokens.shape();
    let pairs = || {
        position
            .before
            .iter()
            .zip(&row.before)
            .chain([(&position.here, &row.own)])
    };
    let sum = |r: usize| pairs().map(|(k, w)| data.tokens.at(r, *k) * w).sum();
    let state = Dense::from_columns(vec![(0..d).map(sum).collect()])?;
    let output = m.times(&state)?.column(0);
    let target = data.target(position);
    Ok(output.iter().zip(&target).map(|(a, b)| a - b).collect())
}

/// The squared length of a vector.
pub fn square(v: &[Rational]) -> Rational {
    inner(v, v)
}
