//! The fast margin check against the triple loop over queries, winners and losers.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use constructions::Sizes;
use constructions::backcopy::margins::{check, logit};
use constructions::backcopy::{Pattern, Queries, Reading, Task, Token};
use constructions::matrix::Operator;
use exact::Rational;
use proptest::prelude::*;

/// Smallest margin and number of inequalities, by the definition.
fn naive(qk: &Operator, task: &Task, pattern: Pattern) -> (Rational, u128) {
    let bos = Token { t: 0, i: 0 };
    let (mut least, mut count): (Option<Rational>, u128) = (None, 0);
    for t in 1..=task.sizes.t {
        for i in task.queries_at(t, Queries::Proof) {
            let query = Token { t, i };
            let all =
                |to: usize| (1..=to).flat_map(|t| task.tokens_at(t).map(move |i| Token { t, i }));
            let (winners, mut losers): (Vec<Token>, Vec<Token>) = if task.sizes.is_copy(i) {
                let before = task
                    .tokens_at(t - 1)
                    .map(|i| Token { t: t - 1, i })
                    .collect();
                (before, all(t - 2).chain([bos, query]).collect())
            } else if pattern == Pattern::Sink {
                (vec![bos], all(t - 1).chain([query]).collect())
            } else {
                (vec![query], all(t - 1).chain([bos]).collect())
            };
            for winner in winners {
                for loser in &mut losers {
                    count += 1;
                    let margin = logit(qk, task, winner, query) - logit(qk, task, *loser, query);
                    least = Some(least.map_or(margin.clone(), |m| m.min(margin)));
                }
            }
        }
    }
    (least.unwrap(), count)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn fast_and_naive_agree(
        (t, c, d) in (1usize..6, 1usize..4, 1usize..4),
        reading in prop::sample::select(vec![Reading::A, Reading::B, Reading::L]),
        pattern in prop::sample::select(vec![Pattern::Sink, Pattern::Diagonal]),
        raw in prop::collection::vec((0usize..14, 0usize..14, -3i64..4), 0..60),
    ) {
        let sizes = Sizes::new(t, c, d, None).unwrap();
        let n = sizes.width;
        let entries = raw.into_iter().map(|(i, j, x)| (i % n, j % n, Rational::integer(x)));
        let (qk, task) = (Operator::from_entries(n, n, entries), Task { sizes, reading });
        let found = check(&qk, &task, pattern, Queries::Proof);
        let (least, count) = naive(&qk, &task, pattern);
        prop_assert_eq!(found.checked, count);
        prop_assert_eq!(found.least.unwrap().value(), least);
    }
}
