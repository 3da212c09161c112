//! Labels: the block's exact output for every query and every predecessor.
//!
//! BOS gives itself, a dormant token gives twice itself, a copy token gives itself plus its predecessor. A query whose
//! margins hold puts all its weight on its target, so its output depends on the predecessor alone. For a query
//! with a failing margin, the sequence that attains it is run: hard attention where one key leads by 1, the exact
//! average where keys tie, and no verdict where the leading keys are neither tied nor 1 apart.

use super::block::{Block, Outcome, Prepared};
use super::margins::{Margin, logit};
use super::task::{BOS, Pattern, Queries, Task, Token};
use crate::matrix::{Hidden, Sparse, combine};
use exact::{Rational, SqrtError, Surd};
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
    pub difference: BTreeMap<usize, Surd>,
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
}

/// How many misses are kept with their details.
const KEPT: usize = 4;

/// Checks every label of the chosen queries. `failing` are the queries whose margins fail, from the margin check.
///
/// # Errors
/// A square root out of reach (user matrices with huge entries).
pub fn check(
    block: &Block,
    task: &Task,
    pattern: Pattern,
    queries: Queries,
    failing: &[Margin],
) -> Result<Labels, SqrtError> {
    let runner = Runner::new(block, task);
    let failing: HashMap<Token, &Margin> = failing.iter().map(|m| (m.query, m)).collect();
    let mut found = Labels::default();
    if queries == Queries::Proof {
        runner.record(&mut found, BOS, BOS, &[BOS], &task.embedding(BOS), 1)?;
    }
    for t in 1..=task.sizes.t {
        for i in task.queries_at(t, queries) {
            let query = Token { t, i };
            let before: Vec<Token> = task
                .tokens_at(t - 1)
                .map(|i| Token { t: t - 1, i })
                .collect();
            if let Some(margin) = failing.get(&query) {
                runner.run_failing(&mut found, margin)?;
            } else if task.sizes.is_copy(i) {
                for predecessor in before {
                    let label = runner.label(query, predecessor);
                    runner.record(&mut found, query, predecessor, &[predecessor], &label, 1)?;
                }
            } else {
                // The predecessor does not enter: one evaluation decides all of them.
                let target = if pattern == Pattern::Sink { BOS } else { query };
                let label = runner.label(query, before[0]);
                runner.record(
                    &mut found,
                    query,
                    before[0],
                    &[target],
                    &label,
                    before.len() as u128,
                )?;
            }
        }
    }
    Ok(found)
}

struct Runner<'a> {
    block: &'a Block,
    task: &'a Task,
    prepared: Prepared<'a>,
    /// `V e_k` and `W_1 V e_k` for the frame vectors of tokens.
    values: Vec<Sparse>,
    hidden_values: Vec<Hidden>,
}

impl<'a> Runner<'a> {
    fn new(block: &'a Block, task: &'a Task) -> Runner<'a> {
        // Single columns of a factored projector are dense, those of tokens are not: values are taken token by token
        // when the map is factored.
        let single = if block.vo.outers.is_empty() {
            task.sizes.n()
        } else {
            0
        };
        let values: Vec<Sparse> = (0..single).map(|k| block.vo.column(k)).collect();
        let hidden_values = values.iter().map(|v| block.w1.apply(v)).collect();
        Runner {
            block,
            task,
            prepared: Prepared::new(block, task.sizes.width),
            values,
            hidden_values,
        }
    }

    fn label(&self, query: Token, predecessor: Token) -> Sparse {
        let own = self.task.embedding(query);
        let other = if self.task.sizes.is_copy(query.i) {
            self.task.embedding(predecessor)
        } else {
            own.clone()
        };
        combine([(Rational::one(), &own), (Rational::one(), &other)])
    }

    /// State and hidden preactivation when the attention is spread evenly over `attended`.
    fn state(&self, query: Token, attended: &[Token]) -> (Sparse, Hidden) {
        let weight = Rational::from(attended.len()).recip().unwrap_or_default();
        let own = self.task.embedding(query);
        let mut state: Vec<(Rational, &Sparse)> = vec![(Rational::one(), &own)];
        if self.values.is_empty() {
            let mixed: Vec<Sparse> = attended
                .iter()
                .map(|k| self.block.vo.apply(&self.task.embedding(*k)))
                .collect();
            state.extend(mixed.iter().map(|v| (weight.clone(), v)));
            let state = combine(state);
            let pre = self.block.w1.apply(&state);
            return (state, pre);
        }
        let (h, p) = (
            |k: &Token| self.task.sizes.h(k.i),
            |k: &Token| self.task.sizes.p(k.t),
        );
        let mut pre: Vec<(Rational, &Hidden)> = Vec::new();
        for (k, _) in &own {
            pre.push((Rational::one(), &self.block.w1.columns[*k]));
        }
        for key in attended {
            for k in [h(key), p(key)] {
                state.push((weight.clone(), &self.values[k]));
                pre.push((weight.clone(), &self.hidden_values[k]));
            }
        }
        (combine(state), Hidden::combine(&pre))
    }

    fn record(
        &self,
        found: &mut Labels,
        query: Token,
        predecessor: Token,
        attended: &[Token],
        label: &Sparse,
        pairs: u128,
    ) -> Result<(), SqrtError> {
        let (state, pre) = self.state(query, attended);
        found.checked += pairs;
        if let Outcome::Differs(difference) = self.prepared.compare(&state, &pre, label)? {
            found.missed += pairs;
            if found.misses.len() < KEPT {
                found.misses.push(Miss {
                    query,
                    predecessor,
                    attended: attended.to_vec(),
                    difference,
                });
            }
        }
        Ok(())
    }

    /// Runs the sequence that attains a failing margin.
    fn run_failing(&self, found: &mut Labels, margin: &Margin) -> Result<(), SqrtError> {
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
        let logits: Vec<Rational> = keys
            .iter()
            .map(|k| logit(&self.block.qk, self.task, *k, query))
            .collect();
        let Some(top) = logits.iter().max().cloned() else {
            return Ok(());
        };
        let decided = logits
            .iter()
            .all(|x| *x == top || &top - x >= Rational::one());
        if !decided {
            found.undetermined.push(margin.clone());
            return Ok(());
        }
        let attended: Vec<Token> = keys
            .iter()
            .zip(&logits)
            .filter(|(_, x)| **x == top)
            .map(|(k, _)| *k)
            .collect();
        let label = self.label(query, predecessor);
        let before = found.missed;
        self.record(found, query, predecessor, &attended, &label, 1)?;
        if found.missed == before {
            // This sequence happens to give the label; others were not run.
            found.undetermined.push(margin.clone());
        }
        Ok(())
    }
}
