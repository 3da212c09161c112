//! Lower bounds on |B|_* for every solution of a cluster task, by dual certificates.
//!
//! A bound is proposed as inequalities that the pattern imposes, each with a multiplier; `certificates` decides that their
//! sum has norm at most 1. Scores of copy queries at dormants depend on the group direction only, which the task assumes of
//! every solution, so the dormant stands there without its nuisance.

use super::spectrum::{Edge, Effective};
use crate::frame_norm::contrasts;
use certificates::gram::{Asked, lower_bound};
use certificates::psd::Symmetric;
use constructions::cluster::build::Pattern;
use constructions::cluster::margins::{Imposed, imposed};
use constructions::cluster::reading::{Columns, apply};
use constructions::cluster::task::{Task, Token, lift};
use constructions::matrix::{Sparse, combine, dot};
use exact::{Rational, Surd};
use num_traits::{One, Zero};
use std::collections::BTreeMap;
use thiserror::Error;

/// An inequality with its multiplier.
#[derive(Clone, Debug)]
pub struct Weighted {
    /// The multiplier.
    pub multiplier: Rational,
    /// The inequality.
    pub asked: Imposed,
}

/// Why no bound follows.
#[derive(Clone, Debug, Error)]
pub enum BoundError {
    /// Not an inequality of the task.
    #[error("query {}: the task does not ask that {} beat {}", .0.query, .0.winner, .0.loser)]
    NotImposed(Imposed),
    /// Rejected by the checker.
    #[error(transparent)]
    Rejected(#[from] certificates::Rejection),
    /// A norm that is needed is unknown.
    #[error("{0}")]
    Norm(String),
}

/// The bound on |B|_* of every solution of the pattern that these inequalities prove; their weighted sum must have norm at
/// most 1.
///
/// # Errors
/// An inequality that is not imposed, or a sum of larger norm.
pub fn bound(task: &Task, pattern: Pattern, all: &[Weighted]) -> Result<Surd, BoundError> {
    // In sums and contrasts over groups the matrices of symmetric patterns fall apart into small parts.
    let exchange = contrasts(task.geometry.dimension(), task.groups());
    let scales: Vec<Surd> = exchange
        .iter()
        .map(|t| dot(t, t).inverse().unwrap_or_else(Surd::zero))
        .collect();
    let own: Columns = task.geometry.gram.iter().map(lift).collect();
    let mut entries = BTreeMap::new();
    for (j, t) in exchange.iter().enumerate() {
        let image = apply(&own, t);
        for (i, s) in exchange.iter().enumerate() {
            let x = dot(s, &image);
            if !x.is_zero() {
                entries.insert((i, j), x);
            }
        }
    }
    let gram = Symmetric::new(task.geometry.dimension(), &entries)?;
    // Nuisance directions are their own contrasts.
    let exchanged = |x: Sparse<Surd>| -> Sparse<Surd> {
        let special = 1 + 2 * task.groups();
        let sums = (0..special).map(|k| (k, &dot(&exchange[k], &x) * &scales[k]));
        let rest = x.iter().filter(|(k, _)| *k >= special).cloned();
        sums.filter(|(_, c)| !c.is_zero()).chain(rest).collect()
    };
    // Tokens recur in many inequalities.
    let mut known: BTreeMap<(Token, bool), Sparse<Surd>> = BTreeMap::new();
    let mut key = |token: Token, bare: bool| {
        known
            .entry((token, bare))
            .or_insert_with(|| exchanged(coordinates(task, token, bare)))
            .clone()
    };
    let mut asked = Vec::with_capacity(all.len());
    for w in all {
        if !imposed(task, pattern, &w.asked) {
            return Err(BoundError::NotImposed(w.asked));
        }
        let copy = matches!(w.asked.query, Token::Copy(_));
        asked.push(Asked {
            multiplier: w.multiplier.clone().into(),
            query: key(w.asked.query, false),
            winner: key(w.asked.winner, copy),
            loser: key(w.asked.loser, copy),
        });
    }
    Ok(lower_bound(&gram, &asked, &Surd::one())?)
}

/// The coordinates of a token, of a dormant without its nuisance if `bare`.
fn coordinates(task: &Task, token: Token, bare: bool) -> Sparse<Surd> {
    match token {
        Token::Dormant(c, _) if bare => {
            let centre = lift(&task.geometry.special[c]);
            combine([(task.lambda.clone(), &centre)])
        }
        _ => task
            .place(token)
            .map(|k| task.tokens()[k].1.clone())
            .unwrap_or_default(),
    }
}

/// The sums of margins of both orders of pairs: `<B, sum w (d_i - d_j)(d_i - d_j)^T> >= 2 sum w`, divided by the norm.
///
/// # Errors
/// The norm is unknown.
pub fn pairs(edges: &[Edge], effective: &Effective) -> Result<Vec<Weighted>, BoundError> {
    let norm = effective.norm.clone().map_err(BoundError::Norm)?;
    let (_, high) = crate::frame_norm::bounds(&norm);
    let Some(inverse) = high.recip() else {
        return Ok(Vec::new());
    };
    let both = |e: &Edge| {
        let (a, b) = (Token::Dormant(e.group, e.i), Token::Dormant(e.group, e.j));
        [(a, b), (b, a)].map(|(winner, loser)| Weighted {
            multiplier: &e.weight * &inverse,
            asked: Imposed {
                query: winner,
                winner,
                loser,
            },
        })
    };
    Ok(edges.iter().flat_map(both).collect())
}

/// Which inequalities of copy queries are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopySum {
    /// Part 2 (diagonal: over itself) or part 4 (sink: over BOS) of the proof, and over every wrong group.
    Printed,
    /// Only over itself, which is a key in either pattern.
    Itself,
    /// In two steps, where sequences with an absent group occur: over the idle key, and that key over the wrong groups and over BOS
    /// (diagonal) or itself (sink).
    Chained,
}

/// The copy inequalities of a pattern with equal multipliers, scaled so that their sum has norm at most 1.
pub fn copies(task: &Task, pattern: Pattern, which: CopySum) -> Vec<Weighted> {
    let groups = task.groups();
    let mut all = Vec::new();
    for c in 1..=groups {
        let query = Token::Copy(c);
        let dormant = Token::Dormant(c, 1);
        let idle = match pattern {
            Pattern::Sink => Token::Bos,
            Pattern::Diagonal => query,
        };
        let other = match pattern {
            Pattern::Sink => query,
            Pattern::Diagonal => Token::Bos,
        };
        let mut add = |winner, loser, times: usize| {
            all.push(Weighted {
                multiplier: Rational::from(times),
                asked: Imposed {
                    query,
                    winner,
                    loser,
                },
            });
        };
        let wrong = (1..=groups)
            .filter(|k| *k != c)
            .map(|k| Token::Dormant(k, 1));
        match which {
            CopySum::Printed => {
                add(dormant, idle, 1);
                for k in wrong {
                    add(dormant, k, 1);
                }
            }
            CopySum::Itself => add(dormant, query, 1),
            CopySum::Chained => {
                // Every step over the idle key is used once for each key it leads.
                add(dormant, idle, groups);
                add(idle, other, 1);
                for k in wrong {
                    add(idle, k, 1);
                }
            }
        }
    }
    let high = norm_of_sum(task, pattern, which);
    let inverse = high.recip().unwrap_or_else(Rational::zero);
    for w in &mut all {
        w.multiplier *= &inverse;
    }
    all
}

/// A rational above `(1 + 2 C phi) |N|_2`, `sum c_c (..)^T = U N U^T`: N N^T = x I + y J has norm `max(x, x + C y)`.
fn norm_of_sum(task: &Task, pattern: Pattern, which: CopySum) -> Rational {
    let c = Rational::from(task.groups());
    let l = Rational::one() - &task.delta_squared;
    let one = Rational::one;
    // Row c is lambda ((C+1) e_c - s) - e_idle, or lambda e_c - e_{C+c}.
    let centre = (&c + one()).pow(2) * &l;
    let spread = -(&l * (&c + Rational::integer(2)));
    let (x, y) = match (which, pattern) {
        (CopySum::Itself, _) => (&l + one(), Rational::zero()),
        (CopySum::Printed, Pattern::Diagonal) | (CopySum::Chained, Pattern::Sink) => {
            (centre + one(), spread)
        }
        (CopySum::Printed, Pattern::Sink) | (CopySum::Chained, Pattern::Diagonal) => {
            (centre, spread + one())
        }
    };
    // With one group there is no vector orthogonal to that of ones.
    let ones = &x + &c * &y;
    let squared = if task.groups() == 1 {
        ones
    } else {
        ones.max(x)
    };
    let root = exact::sqrt_enclosure(&squared, 64).map_or_else(one, |r| r.1);
    (one() + Rational::integer(2) * c * &task.phi) * root
}
