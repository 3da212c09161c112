//! Attention margins: every query against every key that can precede it.
//!
//! A logit is a sum of four table entries, `(h_i + p_s)^T B (h_j + p_t)`, so the best key at a position separates into the
//! best context token plus a positional term, and all inequalities at size T follow from O(T^2 + T (C+D)) operations,
//! or fewer when B is sparse. The triple loop is the oracle in the tests.

use super::task::{BOS, Pattern, Queries, Task, Token};
use crate::matrix::{Operator, Sparse, at, dot};
use exact::Rational;
use num_traits::Zero;
use std::ops::RangeInclusive;

/// One inequality `logit(winner) >= logit(loser) + 1`, with its exact logits (units of kappa).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Margin {
    /// The query.
    pub query: Token,
    /// The key that must win.
    pub winner: Token,
    /// The key that must lose.
    pub loser: Token,
    /// The winner's logit.
    pub winning: Rational,
    /// The loser's logit.
    pub losing: Rational,
}

impl Margin {
    /// The margin; at least 1 is asked for.
    pub fn value(&self) -> Rational {
        &self.winning - &self.losing
    }

    /// Does it hold?
    pub fn holds(&self) -> bool {
        self.value() >= Rational::integer(1)
    }
}

/// What was found over a set of queries.
#[derive(Clone, Debug, Default)]
pub struct Margins {
    /// Number of inequalities (query, winner, loser) decided.
    pub checked: u128,
    /// The smallest margin and where it is attained (the first such query).
    pub least: Option<Margin>,
    /// The worst inequality of every query that has a failing one.
    pub failing: Vec<Margin>,
}

impl Margins {
    fn record(&mut self, worst: Margin, inequalities: u128) {
        self.checked += inequalities;
        if !worst.holds() {
            self.failing.push(worst.clone());
        }
        if self
            .least
            .as_ref()
            .is_none_or(|m| worst.value() < m.value())
        {
            self.least = Some(worst);
        }
    }
}

/// The logit of a key for a query, in units of kappa.
pub fn logit(qk: &Operator, task: &Task, key: Token, query: Token) -> Rational {
    logits(qk, task, query)(key)
}

/// The logits of keys for one query, in units of kappa; `B` is applied to the query once.
pub fn logits<'a>(qk: &Operator, task: &'a Task, query: Token) -> impl Fn(Token) -> Rational + 'a {
    let image = qk.apply(&task.embedding(query));
    move |key| dot(&task.embedding(key), &image)
}

/// A column of B split into its context rows and its positional rows.
struct Split {
    context: Vec<Rational>,
    position: Sparse,
}

/// All margins of the chosen queries under the pattern.
pub fn check(qk: &Operator, task: &Task, pattern: Pattern, queries: Queries) -> Margins {
    let sizes = &task.sizes;
    let (v, first, last) = (sizes.v(), sizes.p(0), sizes.p(sizes.t));
    let split = |k: usize| {
        let column = qk.column(k);
        let context = (0..=v).map(|i| at(&column, i)).collect();
        let position = column
            .iter()
            .filter(|(r, _)| (first..=last).contains(r))
            .map(|(r, x)| (r - first, x.clone()))
            .collect();
        Split { context, position }
    };
    let tokens: Vec<Split> = (0..=v).map(|i| split(sizes.h(i))).collect();
    let ranges: Vec<RangeMax> = tokens
        .iter()
        .map(|c| RangeMax::new(&c.position, sizes.t))
        .collect();
    let mut found = Margins::default();
    for t in 1..=sizes.t {
        let here = task.queries_at(t, queries);
        if here.is_empty() {
            continue;
        }
        let step = split(sizes.p(t));
        for j in here {
            let query = Scores {
                task,
                token: &tokens[j],
                step: &step,
                range: &ranges[j],
            };
            query.record(&mut found, Token { t, i: j }, pattern);
        }
    }
    found
}

/// The logits of one query.
struct Scores<'a> {
    task: &'a Task,
    token: &'a Split,
    step: &'a Split,
    range: &'a RangeMax,
}

impl Scores<'_> {
    fn context(&self, i: usize) -> Rational {
        &self.token.context[i] + &self.step.context[i]
    }

    fn position(&self, s: usize) -> Rational {
        at(&self.token.position, s) + at(&self.step.position, s)
    }

    fn logit(&self, key: Token) -> Rational {
        self.context(key.i) + self.position(key.t)
    }

    /// The best context token of a range (the first on ties).
    fn best_context(&self, tokens: RangeInclusive<usize>) -> Option<(usize, Rational)> {
        let mut best: Option<(usize, Rational)> = None;
        for i in tokens {
            let x = self.context(i);
            if best.as_ref().is_none_or(|(_, y)| x > *y) {
                best = Some((i, x));
            }
        }
        best
    }

    /// The best key among all tokens that may stand at positions `1..=last`, and how many these are.
    fn best_key(&self, last: usize) -> Option<(Token, Rational, u128)> {
        let mut best: Option<(Token, Rational)> = None;
        let mut offer = |key: Token, x: Rational| {
            if best.as_ref().is_none_or(|(_, y)| x > *y) {
                best = Some((key, x));
            }
        };
        let mut count = 0u128;
        if last >= 1 {
            let allowed = self.task.tokens_at(1);
            count += allowed.clone().count() as u128;
            let (i, x) = self.best_context(allowed)?;
            offer(Token { t: 1, i }, x + self.position(1));
        }
        if last >= 2 {
            // Beyond t = 1 every position admits the same tokens, so token and position are chosen apart.
            let allowed = self.task.tokens_at(2);
            count += allowed.clone().count() as u128 * (last as u128 - 1);
            let (i, x) = self.best_context(allowed)?;
            let (s, y) = self.range.best_with(&self.step.position, 2, last)?;
            offer(Token { t: s, i }, x + y);
        }
        best.map(|(key, x)| (key, x, count))
    }

    fn record(&self, found: &mut Margins, query: Token, pattern: Pattern) {
        let copy = self.task.sizes.is_copy(query.i);
        let (winner, winning, winners) = if copy {
            // Whatever token precedes must win: the worst of them is the one that counts.
            let mut worst: Option<(usize, Rational)> = None;
            let preceding = self.task.tokens_at(query.t - 1);
            let winners = preceding.clone().count() as u128;
            for i in preceding {
                let x = self.context(i);
                if worst.as_ref().is_none_or(|(_, y)| x < *y) {
                    worst = Some((i, x));
                }
            }
            let Some((i, x)) = worst else { return };
            (
                Token { t: query.t - 1, i },
                x + self.position(query.t - 1),
                winners,
            )
        } else {
            let target = if pattern == Pattern::Sink { BOS } else { query };
            (target, self.logit(target), 1)
        };
        let mut losers = 0u128;
        let mut worst: Option<(Token, Rational)> = None;
        let mut offer = |key: Token, x: Rational, count: u128| {
            losers += count;
            if worst.as_ref().is_none_or(|(_, y)| x > *y) {
                worst = Some((key, x));
            }
        };
        for key in [BOS, query] {
            if key != winner {
                offer(key, self.logit(key), 1);
            }
        }
        let last = if copy {
            query.t.saturating_sub(2)
        } else {
            query.t - 1
        };
        if let Some((key, x, count)) = self.best_key(last) {
            offer(key, x, count);
        }
        if let Some((loser, losing)) = worst {
            found.record(
                Margin {
                    query,
                    winner,
                    loser,
                    winning,
                    losing,
                },
                winners * losers,
            );
        }
    }
}

/// Maxima of a sparse positional column over ranges of positions: a sparse table, or nothing for a zero column.
struct RangeMax {
    /// `table[k][s]` is the position of the largest value in `s..s + 2^k`; the first one on ties.
    table: Vec<Vec<u32>>,
    values: Vec<Rational>,
}

impl RangeMax {
    fn new(column: &Sparse, t: usize) -> RangeMax {
        if column.is_empty() {
            return RangeMax {
                table: Vec::new(),
                values: Vec::new(),
            };
        }
        let mut values = vec![Rational::zero(); t + 1];
        for (s, x) in column {
            values[*s] = x.clone();
        }
        let mut table: Vec<Vec<u32>> = vec![(0..=t as u32).collect()];
        let mut length = 1;
        while 2 * length <= t + 1 {
            let Some(below) = table.last() else { break };
            let better = |a: u32, b: u32| {
                if values[b as usize] > values[a as usize] {
                    b
                } else {
                    a
                }
            };
            let row = (0..=t + 1 - 2 * length)
                .map(|s| better(below[s], below[s + length]))
                .collect();
            table.push(row);
            length *= 2;
        }
        RangeMax { table, values }
    }

    /// The first largest value over `from..=to`, a non-empty range.
    fn best(&self, from: usize, to: usize) -> (usize, Rational) {
        if self.table.is_empty() {
            return (from, Rational::zero());
        }
        let k = (to + 1 - from).ilog2();
        let row = &self.table[k as usize];
        let (a, b) = (row[from] as usize, row[to + 1 - (1 << k)] as usize);
        let s = if self.values[b] > self.values[a] {
            b
        } else {
            a
        };
        (s, self.values[s].clone())
    }

    fn value(&self, s: usize) -> Rational {
        self.values.get(s).cloned().unwrap_or_default()
    }

    /// The largest value of this column plus another sparse one over `from..=to`: the other column's entries are
    /// looked at one by one, the gaps between them through the table.
    fn best_with(&self, other: &Sparse, from: usize, to: usize) -> Option<(usize, Rational)> {
        let mut best: Option<(usize, Rational)> = None;
        let mut offer = |(s, x): (usize, Rational)| {
            if best.as_ref().is_none_or(|(_, y)| x > *y) {
                best = Some((s, x));
            }
        };
        let mut next = from;
        for (s, x) in other.iter().filter(|(s, _)| (from..=to).contains(s)) {
            if *s > next {
                offer(self.best(next, s - 1));
            }
            offer((*s, x + self.value(*s)));
            next = s + 1;
        }
        if next <= to {
            offer(self.best(next, to));
        }
        best
    }
}
