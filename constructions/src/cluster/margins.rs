//! Attention margins of a cluster block: every query against every key that can precede it.
//!
//! A pattern is implemented when the key that must win leads every other possible key by kappa: which other keys are present
//! then does not matter, so all sets of preceding keys are decided by pairs.

use super::build::{Build, Pattern};
use super::reading::apply;
use super::task::{Task, Token};
use crate::matrix::{Sparse, combine, dot};
use exact::Surd;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Margins {
    /// Margins and equalities decided.
    pub checked: u128,
    /// The least margin, in units of kappa.
    pub least: Option<Surd>,
    /// The first query at which the pattern is not implemented.
    pub failing: Option<String>,
}

/// An inequality that a pattern imposes: the winner leads the loser by kappa at this query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Imposed {
    /// The query.
    pub query: Token,
    /// The key that must lead.
    pub winner: Token,
    /// The key that must trail.
    pub loser: Token,
}

/// Does the pattern impose this inequality on every solution?
pub fn imposed(task: &Task, pattern: Pattern, asked: &Imposed) -> bool {
    let exists = |t: Token| task.place(t).is_some();
    if !exists(asked.query) || !exists(asked.winner) || !exists(asked.loser) {
        return false;
    }
    let own = |t: Token| {
        if pattern == Pattern::Sink {
            Token::Bos
        } else {
            t
        }
    };
    match asked.query {
        // Nothing precedes BOS.
        Token::Bos => false,
        Token::Dormant(c, i) => {
            asked.winner == own(asked.query)
                && asked.loser != asked.winner
                && match asked.loser {
                    Token::Dormant(k, j) if k == c && j != i => {
                        task.data.orders.may_precede(c, j, i)
                    }
                    _ => true,
                }
        }
        Token::Copy(c) => {
            let correct = |t: Token| matches!(t, Token::Dormant(k, _) if k == c);
            let present = correct(asked.winner) && task.data.most != Some(0);
            let absent = asked.winner == own(asked.query) && task.data.absent;
            (present || absent) && asked.loser != asked.winner && !correct(asked.loser)
        }
    }
}

/// Checks all inequalities of a pattern, that the dormants of a copy token's group are attended to uniformly, and that
/// nothing of a copy token's score depends on the nuisance of a key.
pub fn check(build: &Build, task: &Task, pattern: Pattern) -> Margins {
    let tokens = task.tokens();
    let images: Vec<Sparse<Surd>> = tokens.iter().map(|(_, x)| apply(&build.qk, x)).collect();
    let mut found = Margins::default();
    for (query, x) in tokens {
        let logits: Vec<Surd> = images.iter().map(|image| dot(x, image)).collect();
        let winners: Vec<usize> = match (query, pattern) {
            (Token::Bos, _) => continue,
            (Token::Dormant(..), Pattern::Sink) => vec![0],
            (Token::Dormant(..), Pattern::Diagonal) => task.place(*query).into_iter().collect(),
            (Token::Copy(c), _) => {
                let first = task.first_of(*c);
                let idle = match pattern {
                    Pattern::Sink => Some(0),
                    Pattern::Diagonal => task.place(*query),
                };
                (first..first + task.dormants[c - 1]).chain(idle).collect()
            }
        };
        for winner in winners {
            for (loser, (key, _)) in tokens.iter().enumerate() {
                let asked = Imposed {
                    query: *query,
                    winner: tokens[winner].0,
                    loser: *key,
                };
                if !imposed(task, pattern, &asked) {
                    continue;
                }
                let margin = &logits[winner] - &logits[loser];
                found.checked += 1;
                if margin < Surd::one() && found.failing.is_none() {
                    found.failing = Some(format!(
                        "query {query}: {} leads {key} by {} kappa, {} is needed",
                        asked.winner,
                        short(&margin),
                        "1 kappa"
                    ));
                }
                if found.least.as_ref().is_none_or(|m| margin < *m) {
                    found.least = Some(margin);
                }
            }
        }
        if let Token::Copy(c) = query {
            uniform(&mut found, task, *c, &logits);
            centroid_only(&mut found, task, build, *query, x);
        }
    }
    found
}

fn uniform(found: &mut Margins, task: &Task, c: usize, logits: &[Surd]) {
    let first = task.first_of(c);
    for i in 1..task.dormants[c - 1] {
        found.checked += 1;
        if logits[first + i] != logits[first] && found.failing.is_none() {
            found.failing = Some(format!(
                "query c_{c}: the logits {} kappa at d_{{{c},1}} and {} kappa at d_{{{c},{}}} differ, attention is not uniform",
                short(&logits[first]),
                short(&logits[first + i]),
                i + 1
            ));
        }
    }
}

fn centroid_only(found: &mut Margins, task: &Task, build: &Build, query: Token, x: &Sparse<Surd>) {
    // c_c^T B, as a covector.
    let reads: Sparse<Surd> = build
        .qk
        .iter()
        .enumerate()
        .map(|(k, column)| (k, dot(x, column)))
        .filter(|(_, value)| !value.is_zero())
        .collect();
    for (k, eta) in task.geometry.nuisances.iter().enumerate() {
        found.checked += 1;
        let score = dot(&reads, &super::task::lift(eta));
        if !score.is_zero() && found.failing.is_none() {
            found.failing = Some(format!(
                "query {query}: nuisance {} adds {} kappa to the score, which must depend on the group direction only",
                k + 1,
                short(&score)
            ));
        }
    }
}

fn short(x: &Surd) -> String {
    let exact = x.to_string();
    if exact.len() > 40 {
        format!("about {}", x.approx(9))
    } else {
        exact
    }
}

/// The same decisions by applying the form to every pair anew: the oracle of [`check`] in the tests.
pub fn naive(build: &Build, task: &Task, pattern: Pattern) -> (u128, Option<Surd>) {
    let (mut count, mut least) = (0, None::<Surd>);
    for (query, x) in task.tokens() {
        for (winner, y) in task.tokens() {
            for (loser, z) in task.tokens() {
                let asked = Imposed {
                    query: *query,
                    winner: *winner,
                    loser: *loser,
                };
                if imposed(task, pattern, &asked) {
                    let gap = combine([(Surd::one(), y), (-Surd::one(), z)]);
                    let margin = build.logit(x, &gap);
                    count += 1;
                    if least.as_ref().is_none_or(|m| margin < *m) {
                        least = Some(margin);
                    }
                }
            }
        }
    }
    (count, least)
}
