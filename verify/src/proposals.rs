//! Dual certificates for the lower bounds on diagonal attention, proposed here and checked by `certificates`.
//!
//! Each names inequalities of the task by (query, winner, loser); [`bound`] refuses one that the task does not impose.

use certificates::dual::{DualBound, Inequality, NormPart, check};
use certificates::{Entries, RankOne, Rejection, SparseVec};
use constructions::backcopy::{BOS, Pattern, Reading, Task, Token};
use exact::Rational;
use thiserror::Error;

/// An inequality of the task with its multiplier.
#[derive(Clone, Debug)]
pub struct Weighted {
    /// The multiplier.
    pub multiplier: Rational,
    /// The query.
    pub query: Token,
    /// The key that must win.
    pub winner: Token,
    /// The key that must lose.
    pub loser: Token,
}

/// A proposed certificate.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The inequalities used.
    pub inequalities: Vec<Weighted>,
    /// How the norm of their sum is bounded.
    pub parts: Vec<NormPart>,
}

/// Why no bound follows.
#[derive(Clone, Debug, Error)]
pub enum ProposalError {
    /// Not an inequality of the task.
    #[error("query {query}: the task does not ask that {winner} beat {loser}")]
    NotImposed {
        /// The query.
        query: Token,
        /// The alleged winner.
        winner: Token,
        /// The alleged loser.
        loser: Token,
    },
    /// Rejected by the checker.
    #[error(transparent)]
    Rejected(#[from] Rejection),
}

/// Does the pattern ask this query to prefer `winner` to `loser`?
pub fn imposed(task: &Task, pattern: Pattern, w: &Weighted) -> bool {
    let Weighted {
        query,
        winner,
        loser,
        ..
    } = w;
    let exists = |k: &Token| k.t <= task.sizes.t && task.tokens_at(k.t).contains(&k.i);
    let earlier = |k: &Token, before: usize| 1 <= k.t && k.t < before && exists(k);
    if query.t == 0 || !exists(query) {
        return false;
    }
    if !task.sizes.is_copy(query.i) {
        return match pattern {
            Pattern::Sink => *winner == BOS && (loser == query || earlier(loser, query.t)),
            Pattern::Diagonal => winner == query && (*loser == BOS || earlier(loser, query.t)),
        };
    }
    if query.t == 1 {
        return task.reading == Reading::L && *winner == BOS && loser == query;
    }
    winner.t == query.t - 1
        && exists(winner)
        && (*loser == BOS || loser == query || earlier(loser, query.t - 1))
}

/// The bound that a proposal proves for every diagonal solution.
///
/// # Errors
/// An inequality that the task does not impose, or a certificate that the checker rejects.
pub fn bound(task: &Task, proposal: &Proposal) -> Result<DualBound, ProposalError> {
    let mut inequalities = Vec::with_capacity(proposal.inequalities.len());
    for w in &proposal.inequalities {
        if !imposed(task, Pattern::Diagonal, w) {
            return Err(ProposalError::NotImposed {
                query: w.query,
                winner: w.winner,
                loser: w.loser,
            });
        }
        let mut key = vector(task, w.winner);
        for (k, x) in vector(task, w.loser) {
            *key.entry(k).or_default() -= x;
        }
        inequalities.push(Inequality {
            multiplier: w.multiplier.clone(),
            key,
            query: vector(task, w.query),
        });
    }
    Ok(check(&inequalities, &proposal.parts)?)
}

fn vector(task: &Task, token: Token) -> SparseVec {
    task.embedding(token).into_iter().collect()
}

fn over(n: usize) -> Rational {
    Rational::from(n).recip().unwrap_or_default()
}

/// mean of the dormant h minus mean of the copy h.
fn contrast(task: &Task) -> SparseVec {
    let s = &task.sizes;
    let copy = (1..=s.c).map(|a| (s.h(a), -over(s.c)));
    copy.chain((s.c + 1..=s.v()).map(|i| (s.h(i), over(s.d))))
        .collect()
}

/// The ramp weights W_t = sum_{r >= t} (r - (T+1)/2), t in `from..=T`, recentred on positions `from - 1..=T`.
fn ramp(from: usize, t: usize) -> Vec<(usize, Rational)> {
    let centre = Rational::from(from - 1 + t) * exact::ratio(1, 2);
    // Suffix sums, built from the end.
    let mut all = Vec::new();
    let mut sum = Rational::default();
    for s in (from..=t).rev() {
        sum += Rational::from(s) - &centre;
        all.push((s, sum.clone()));
    }
    all.reverse();
    all
}

/// All rows, averaged over all dormant-copy pairs, from step `from` on: every inequality is "self against predecessor" or
/// "predecessor against self" with the same token before, so reading B may use it from t = 3.
pub fn all_rows(task: &Task, from: usize) -> Proposal {
    let s = &task.sizes;
    let (mut inequalities, mut positions) = (Vec::new(), SparseVec::new());
    for (t, w) in ramp(from, s.t) {
        step(task, t, &w, &mut inequalities);
        *positions.entry(s.p(t)).or_default() += &w;
        *positions.entry(s.p(t - 1)).or_default() -= &w;
    }
    let term = RankOne {
        coefficient: Rational::integer(1),
        left: positions,
        right: contrast(task),
    };
    Proposal {
        inequalities,
        parts: vec![NormPart::RankOnes(vec![term])],
    }
}

/// The inequalities of step t, with total weight w for dormant and for copy queries alike.
fn step(task: &Task, t: usize, w: &Rational, inequalities: &mut Vec<Weighted>) {
    let s = &task.sizes;
    for i in s.c + 1..=s.v() {
        let query = Token { t, i };
        inequalities.push(Weighted {
            multiplier: w * over(s.d),
            query,
            winner: query,
            loser: Token { t: t - 1, i },
        });
    }
    for a in 1..=s.c {
        let query = Token { t, i: a };
        let before: Vec<usize> = if task.reading == Reading::B && t == 2 {
            task.tokens_at(1).collect()
        } else {
            vec![a]
        };
        for i in &before {
            let multiplier = w * over(s.c) * over(before.len());
            inequalities.push(Weighted {
                multiplier,
                query,
                winner: Token { t: t - 1, i: *i },
                loser: query,
            });
        }
    }
}

/// Reading B with its step at t = 2, where a dormant token precedes: the sum is no longer of rank one.
///
/// `split` bounds it as the all-rows part plus the remainder (the closed form); otherwise the whole is bounded at once
/// through its Gram matrix, which is sharper.
pub fn with_second(task: &Task, split: bool) -> Proposal {
    let s = &task.sizes;
    let (mut inequalities, mut positions) = (Vec::new(), SparseVec::new());
    let mut second = Rational::default();
    for (t, w) in ramp(2, s.t) {
        step(task, t, &w, &mut inequalities);
        *positions.entry(s.p(t)).or_default() += &w;
        *positions.entry(s.p(t - 1)).or_default() -= &w;
        if t == 2 {
            second = w;
        }
    }
    let contrast = contrast(task);
    let up = RankOne {
        coefficient: Rational::integer(1),
        left: positions,
        right: contrast.clone(),
    };
    let down = RankOne {
        coefficient: second.clone(),
        left: contrast,
        right: [(s.p(2), Rational::integer(1))].into(),
    };
    // The remainder: (1/C) sum_a (mean of dormant h - h_a) h_a^T, times W_2.
    let mut rest = Entries::new();
    for a in 1..=s.c {
        let c = &second * over(s.c);
        *rest.entry((s.h(a), s.h(a))).or_default() -= &c;
        for i in s.c + 1..=s.v() {
            *rest.entry((s.h(i), s.h(a))).or_default() += &c * over(s.d);
        }
    }
    let equal = |columns: &[usize]| {
        columns
            .iter()
            .map(|k| (*k, Rational::integer(1)))
            .collect::<SparseVec>()
    };
    if split {
        let weights = equal(&(1..=s.c).map(|a| s.h(a)).collect::<Vec<_>>());
        return Proposal {
            inequalities,
            parts: vec![
                NormPart::RankOnes(vec![up, down]),
                NormPart::Gram {
                    matrix: rest,
                    weights,
                },
            ],
        };
    }
    let mut matrix = rest;
    for term in [&up, &down] {
        for (i, x) in &term.left {
            for (j, y) in &term.right {
                *matrix.entry((*i, *j)).or_default() += &term.coefficient * x * y;
            }
        }
    }
    let weights = perron_weights(task, &matrix);
    Proposal {
        inequalities,
        parts: vec![NormPart::Gram { matrix, weights }],
    }
}

/// Weights near the Perron vector of |Y^T Y|, by floats; any positive weights are sound, these are sharp.
///
/// Tokens of a class are alike, so the vector has three values: copy, dormant, and p_2.
fn perron_weights(task: &Task, matrix: &Entries) -> SparseVec {
    let s = &task.sizes;
    let (copy, dormant, second) = (s.h(1), s.h(s.c + 1), s.p(2));
    let class = |k: usize| {
        if s.is_copy(k) {
            0
        } else if k <= s.v() {
            1
        } else {
            2
        }
    };
    let mut rows = std::collections::BTreeMap::<usize, Vec<(usize, f64)>>::new();
    for ((i, j), x) in matrix {
        rows.entry(*i).or_default().push((*j, x.to_f64()));
    }
    // |Y^T Y| on class-constant vectors, from one representative row a class.
    let mut reduced = [[0.0f64; 3]; 3];
    for (r, representative) in [copy, dormant, second].into_iter().enumerate() {
        let mut gram = std::collections::BTreeMap::<usize, f64>::new();
        for row in rows.values() {
            if let Some((_, x)) = row.iter().find(|(j, _)| *j == representative) {
                for (j, y) in row {
                    *gram.entry(*j).or_default() += x * y;
                }
            }
        }
        for (j, g) in gram {
            reduced[r][class(j)] += g.abs();
        }
    }
    let mut v = [1.0f64; 3];
    for _ in 0..500 {
        let w: Vec<f64> = reduced
            .iter()
            .map(|row| row.iter().zip(&v).map(|(a, b)| a * b).sum())
            .collect();
        let least = w
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min)
            .max(f64::MIN_POSITIVE);
        v = [w[0] / least, w[1] / least, w[2] / least];
    }
    let positive = |x: f64| {
        Rational::from_f64_rounded(x, 24)
            .filter(Rational::is_positive)
            .unwrap_or_else(|| Rational::integer(1))
    };
    let mut weights: SparseVec = (1..=s.v())
        .map(|k| (s.h(k), positive(v[class(s.h(k))])))
        .collect();
    weights.insert(second, positive(v[2]));
    weights
}

/// T = 1 in readings A and B: dormant tokens against BOS. Tight.
pub fn single_position(task: &Task) -> Proposal {
    let s = &task.sizes;
    let (mut inequalities, mut matrix, mut weights) =
        (Vec::new(), Entries::new(), SparseVec::new());
    for i in s.c + 1..=s.v() {
        let query = Token { t: 1, i };
        inequalities.push(Weighted {
            multiplier: over(s.d),
            query,
            winner: query,
            loser: BOS,
        });
        for (row, x) in [(s.h(i), 1i64), (s.p(1), 1), (s.h(0), -1), (s.p(0), -1)] {
            for column in [s.h(i), s.p(1)] {
                *matrix.entry((row, column)).or_default() += Rational::integer(x) * over(s.d);
            }
        }
        weights.insert(s.h(i), Rational::integer(1));
    }
    weights.insert(s.p(1), Rational::from(s.d));
    Proposal {
        inequalities,
        parts: vec![NormPart::Gram { matrix, weights }],
    }
}

/// T = 1 in reading L: dormant tokens against BOS, and BOS against copy tokens.
pub fn single_position_literal(task: &Task) -> Proposal {
    let s = &task.sizes;
    let mut inequalities = Vec::new();
    let mut own = Vec::new();
    for i in 1..=s.v() {
        let query = Token { t: 1, i };
        let copy = s.is_copy(i);
        let weight = over(if copy { s.c } else { s.d });
        let (winner, loser) = if copy { (BOS, query) } else { (query, BOS) };
        inequalities.push(Weighted {
            multiplier: weight.clone(),
            query,
            winner,
            loser,
        });
        let unit: SparseVec = [(s.h(i), Rational::integer(1))].into();
        own.push(RankOne {
            coefficient: if copy { -weight } else { weight },
            left: unit.clone(),
            right: unit,
        });
    }
    let one = || Rational::integer(1);
    let left: SparseVec = [(s.p(1), one()), (s.h(0), -one()), (s.p(0), -one())].into();
    let right: SparseVec = [(s.p(1), one())].into();
    let across = vec![
        RankOne {
            coefficient: one(),
            left,
            right: contrast(task),
        },
        RankOne {
            coefficient: one(),
            left: contrast(task),
            right,
        },
    ];
    Proposal {
        inequalities,
        parts: vec![NormPart::RankOnes(across), NormPart::RankOnes(own)],
    }
}
