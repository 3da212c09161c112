//! Lower bounds on diagonal solutions: only the task's own inequalities count, and no bound exceeds a solution's cost.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use constructions::Sizes;
use constructions::backcopy::{BOS, Pattern, Queries, Reading, Task, Token, diagonal};
use constructions::basis::Basis;
use constructions::reading::{Side, operator};
use exact::{Rational, Surd};
use std::collections::BTreeSet;
use verify::nuclear::{Norm, norm};
use verify::proposals::{self, Proposal, ProposalError, Weighted, imposed};

fn tasks(longest: usize) -> impl Iterator<Item = Task> {
    let sizes =
        (1..=longest).flat_map(|t| [(1, 1), (2, 1), (1, 2), (3, 3)].map(|(c, d)| (t, c, d)));
    sizes.flat_map(|(t, c, d)| {
        [Reading::A, Reading::B, Reading::L].map(|reading| Task {
            sizes: Sizes::new(t, c, d, None).unwrap(),
            reading,
        })
    })
}

/// The proposals that a task admits.
fn all(task: &Task) -> Vec<Proposal> {
    match (task.sizes.t, task.reading) {
        (1, Reading::L) => vec![proposals::single_position_literal(task)],
        (1, _) => vec![proposals::single_position(task)],
        (2, Reading::B) => [true, false]
            .map(|s| proposals::with_second(task, s))
            .into(),
        (_, Reading::B) => vec![
            proposals::with_second(task, true),
            proposals::with_second(task, false),
            proposals::all_rows(task, 3),
        ],
        _ => vec![proposals::all_rows(task, 2)],
    }
}

#[test]
fn imposed_inequalities_are_those_of_the_task() {
    for task in tasks(4) {
        for pattern in [Pattern::Sink, Pattern::Diagonal] {
            let mut asked: BTreeSet<(Token, Token, Token)> = BTreeSet::new();
            let upto = |to: usize| {
                (1..=to).flat_map(move |t| task.tokens_at(t).map(move |i| Token { t, i }))
            };
            for t in 1..=task.sizes.t {
                for i in task.queries_at(t, Queries::First) {
                    let query = Token { t, i };
                    asked.insert((query, BOS, query));
                }
                for i in task.queries_at(t, Queries::Proof) {
                    let query = Token { t, i };
                    let (winners, losers): (Vec<Token>, Vec<Token>) = if task.sizes.is_copy(i) {
                        let before = task.tokens_at(t - 1).map(|i| Token { t: t - 1, i });
                        (before.collect(), upto(t - 2).chain([BOS, query]).collect())
                    } else if pattern == Pattern::Sink {
                        (vec![BOS], upto(t - 1).chain([query]).collect())
                    } else {
                        (vec![query], upto(t - 1).chain([BOS]).collect())
                    };
                    for winner in &winners {
                        asked.extend(losers.iter().map(|loser| (query, *winner, *loser)));
                    }
                }
            }
            // Tokens that may not exist, at positions before and after the end, are tried too.
            let every: Vec<Token> = (0..=task.sizes.t + 1)
                .flat_map(|t| (0..=task.sizes.v() + 1).map(move |i| Token { t, i }))
                .collect();
            for query in &every {
                for winner in &every {
                    for loser in &every {
                        let w = Weighted {
                            multiplier: Rational::integer(1),
                            query: *query,
                            winner: *winner,
                            loser: *loser,
                        };
                        let expected = asked.contains(&(*query, *winner, *loser));
                        let found = imposed(&task, pattern, &w);
                        assert_eq!(
                            found, expected,
                            "{task:?} {pattern:?} {query} {winner} {loser}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_foreign_inequality_or_a_negative_multiplier_is_refused() {
    for task in tasks(4) {
        for proposal in all(&task) {
            proposals::bound(&task, &proposal).unwrap();
            let mut exchanged = proposal.clone();
            let w = &mut exchanged.inequalities[0];
            std::mem::swap(&mut w.winner, &mut w.loser);
            let refused = proposals::bound(&task, &exchanged).unwrap_err();
            assert!(
                matches!(refused, ProposalError::NotImposed { .. }),
                "{refused}"
            );
            let mut negated = proposal.clone();
            let w = &mut negated.inequalities[0];
            w.multiplier = -w.multiplier.clone();
            let refused = proposals::bound(&task, &negated).unwrap_err();
            assert!(matches!(refused, ProposalError::Rejected(_)), "{refused}");
            let mut shortened = proposal.clone();
            shortened.inequalities.pop();
            let refused = proposals::bound(&task, &shortened).unwrap_err();
            assert!(matches!(refused, ProposalError::Rejected(_)), "{refused}");
        }
    }
}

#[test]
fn no_bound_exceeds_the_norm_of_a_diagonal_solution() {
    for task in tasks(7) {
        let qk = operator(
            &diagonal::qk(),
            Side::Residual,
            Side::Residual,
            &task.sizes,
            &Basis::standard(),
        );
        let above = match norm(&qk).unwrap() {
            Norm::Exact(x) => x,
            Norm::Enclosed(_, high) => Surd::from(high),
        };
        for proposal in all(&task) {
            let bound = proposals::bound(&task, &proposal).unwrap();
            let below = bound.lower(64);
            assert!(below > Rational::integer(0));
            assert!(
                Surd::from(below.clone()) <= above,
                "{task:?}: {below} > {above}"
            );
            // Twice the bound is not proved.
            let double = &below * Rational::integer(2);
            assert!(!bound.at_least_sqrt(&(&double * &double)).unwrap());
        }
    }
}
