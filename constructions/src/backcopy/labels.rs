//! Labels: the block's exact output for every query and every predecessor.
//!
//! BOS gives itself, a dormant token gives twice itself, a copy token gives itself plus its predecessor. A query whose
//! margins hold puts all its weight on its target, so its output depends on the predecessor alone. For a query
//! with a failing margin, the sequence that attains it is run: hard attention where one key leads by 1, the exact
//! average where keys tie, and no verdict where the leading keys are neither tied nor 1 apart.

use super::block::{Block, Coordinate, Outcome, Prepared, Share};
use super::margins::{Margin, logits};
use super::task::{BOS, Pattern, Queries, Task, Token};
use crate::matrix::{Sparse, combine};
use exact::{Rational, SqrtError};
use num_traits::One;
use std::collections::{BTreeMap, HashMap};

/// A label that the block misses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// The query.
    pub query: Token,
    /// The token before it.
    pub predecessor: Token,
    /// Where the attention went: keys with equal weights.
    pub attended: Vec<Token>,
    /// Output minus label: frame coordinate and exact value, in units of sqrt(d/2).
    pub difference: BTreeMap<usize, Coordinate>,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// Number of (query, predecessor) pairs decided, BOS included where it was asked for.
    pub checked: u128,
    /// Number of pairs that miss their label.
    pub missed: u128,
    /// The first misses.
    pub misses: Vec<Miss>,
    /// Queries whose attention is not hard and whose keys do not tie: nothing is said about their labels.
    pub undetermined: Vec<Margin>,
    /// A pair that exact arithmetic did not decide (biases with huge entries), and why.
    pub undecided: Option<(Token, Token, SqrtError)>,
}

/// How many misses are kept with their details.
const KEPT: usize = 4;

/// Checks every label of the chosen queries. `failing` are the queries whose margins fail, from the margin check.
pub fn check(
    block: &Block,
    task: &Task,
    pattern: Pattern,
    queries: Queries,
    failing: &[Margin],
) -> Labels {
    let runner = Runner {
        block,
        task,
        prepared: Prepared::new(block, task.sizes.width),
    };
    let failing: HashMap<Token, &Margin> = failing.iter().map(|m| (m.query, m)).collect();
    let mut found = Labels::default();
    let start = runner.read(&[BOS]);
    if queries == Queries::Proof {
        // BOS attends to itself and keeps itself.
        let own = runner.prepared.own(&task.embedding(BOS));
        let missing = start.share.vector.clone();
        let outcome = runner.prepared.compare(&own, &start.share, &missing);
        found.record(BOS, BOS, &start, outcome, 1);
    }
    for t in 1..=task.sizes.t {
        let here = task.queries_at(t, queries);
        if here.is_empty() {
            continue;
        }
        // A copy query's output minus its label is, before the MLP, V x - x for its predecessor x, whatever the query.
        let before: Vec<(Token, Read, Sparse)> = task
            .tokens_at(t - 1)
            .map(|i| {
                let key = Token { t: t - 1, i };
                let read = runner.read(&[key]);
                let missing = minus(&read.share.vector, &task.embedding(key));
                (key, read, missing)
            })
            .collect();
        for i in here {
            let query = Token { t, i };
            if let Some(margin) = failing.get(&query) {
                runner.run_failing(&mut found, margin);
                continue;
            }
            let x = task.embedding(query);
            let own = runner.prepared.own(&x);
            if task.sizes.is_copy(i) {
                for (predecessor, read, missing) in &before {
                    let outcome = runner.prepared.compare(&own, &read.share, missing);
                    found.record(query, *predecessor, read, outcome, 1);
                }
            } else if let Some((predecessor, ..)) = before.first() {
                // The predecessor does not enter: one evaluation decides all of them.
                let itself;
                let read = match pattern {
                    Pattern::Sink => &start,
                    Pattern::Diagonal => {
                        itself = runner.read(&[query]);
                        &itself
                    }
                };
                let missing = minus(&read.share.vector, &x);
                let outcome = runner.prepared.compare(&own, &read.share, &missing);
                found.record(query, *predecessor, read, outcome, before.len() as u128);
            }
        }
    }
    found
}

fn minus(a: &Sparse, b: &Sparse) -> Sparse {
    combine([(Rational::one(), a), (Rational::integer(-1), b)])
}

impl Labels {
    fn record(
        &mut self,
        query: Token,
        predecessor: Token,
        read: &Read,
        outcome: Result<Outcome, SqrtError>,
        pairs: u128,
    ) {
        let difference = match outcome {
            Err(e) => {
                self.undecided.get_or_insert((query, predecessor, e));
                return;
            }
            Ok(outcome) => {
                self.checked += pairs;
                match outcome {
                    Outcome::Equal => return,
                    Outcome::Differs(difference) => difference,
                }
            }
        };
        self.missed += pairs;
        if self.misses.len() < KEPT {
            self.misses.push(Miss {
                query,
                predecessor,
                attended: read.attended.clone(),
                difference,
            });
        }
    }
}

/// What attention reads: the keys it is spread over evenly, and the mixture of their values.
struct Read {
    attended: Vec<Token>,
    share: Share,
}

struct Runner<'a> {
    block: &'a Block,
    task: &'a Task,
    prepared: Prepared<'a>,
}

impl Runner<'_> {
    fn read(&self, attended: &[Token]) -> Read {
        let values: Vec<Share> = attended
            .iter()
            .map(|k| self.prepared.value(&self.task.embedding(*k)))
            .collect();
        let share = match <[Share; 1]>::try_from(values) {
            Ok([only]) => only,
            Err(several) => self.prepared.average(&several),
        };
        Read {
            attended: attended.to_vec(),
            share,
        }
    }

    /// Runs the sequence that attains a failing margin.
    fn run_failing(&self, found: &mut Labels, margin: &Margin) {
        let query = margin.query;
        let mut keys: Vec<Token> = (0..query.t)
            .map(|t| Token {
                t,
                i: *self.task.tokens_at(t).start(),
            })
            .collect();
        for key in [margin.winner, margin.loser] {
            if key.t < query.t {
                keys[key.t] = key;
            }
        }
        keys.push(query);
        let predecessor = keys[query.t - 1];
        let logit = logits(&self.block.qk, self.task, query);
        let logits: Vec<Rational> = keys.iter().map(|k| logit(*k)).collect();
        let Some(top) = logits.iter().max().cloned() else {
            return;
        };
        let decided = logits
            .iter()
            .all(|x| *x == top || &top - x >= Rational::one());
        if !decided {
            found.undetermined.push(margin.clone());
            return;
        }
        let attended: Vec<Token> = keys
            .iter()
            .zip(&logits)
            .filter(|(_, x)| **x == top)
            .map(|(k, _)| *k)
            .collect();
        let read = self.read(&attended);
        let x = self.task.embedding(query);
        let other = if self.task.sizes.is_copy(query.i) {
            self.task.embedding(predecessor)
        } else {
            x.clone()
        };
        let missing = minus(&read.share.vector, &other);
        let outcome = self
            .prepared
            .compare(&self.prepared.own(&x), &read.share, &missing);
        if outcome == Ok(Outcome::Equal) {
            // This sequence happens to give the label; others were not run.
            found.undetermined.push(margin.clone());
        }
        found.record(query, predecessor, &read, outcome, 1);
    }
}
