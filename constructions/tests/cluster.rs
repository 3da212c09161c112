//! The cluster task: tokens, scores and margins of both builds of Theorem D.1, labels by hand, and what is refused.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

#[path = "tasks/explicit.rs"]
mod explicit;
mod tasks;

use constructions::cluster::build::{Build, Pattern};
use constructions::cluster::geometry::{Geometry, GeometryError};
use constructions::cluster::labels;
use constructions::cluster::margins::{self, Imposed, imposed};
use constructions::cluster::shapes::{
    COHERENCES, Coherence, Shape, ShapeError, nuisances, special,
};
use constructions::cluster::task::{Data, Orders, Task, TaskError, Token, lift};
use constructions::cluster::theta;
use constructions::matrix::{Sparse, combine};
use exact::{Rational, SqrtError, Surd, ratio};
use explicit::{turns, two_ways};
use proptest::prelude::*;
use proptest::sample::select;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use tasks::tasks;

const PATTERNS: [Pattern; 2] = [Pattern::Sink, Pattern::Diagonal];

fn plain(
    dormants: Vec<usize>,
    delta_squared: Rational,
    phi: (Rational, Coherence),
    epsilon: Rational,
) -> Result<Task, TaskError> {
    let shape = Shape::Orthogonal;
    Task::new(
        dormants,
        delta_squared,
        epsilon,
        phi,
        &shape,
        Data::default(),
    )
}

/// One group, two orthogonal nuisances, delta = 5/13, lambda = 12/13, epsilon = 1/20.
fn smallest() -> Task {
    let phi = (ratio(0, 1), Coherence::Equal);
    plain(vec![2], ratio(25, 169), phi, ratio(1, 20)).unwrap()
}

/// Logits, queries down and keys across.
fn scores(build: &Build, task: &Task) -> Vec<Vec<Surd>> {
    let tokens = task.tokens();
    let row = |x| tokens.iter().map(|(_, y)| build.logit(x, y)).collect();
    tokens.iter().map(|(_, x)| row(x)).collect()
}

/// A pattern is out of reach where dormants that meet coincide.
fn feasible(task: &Task, pattern: Pattern) -> bool {
    pattern == Pattern::Sink || task.separation().is_none_or(|x| !x.is_zero())
}

#[test]
fn the_smallest_case_by_hand() {
    let task = smallest();
    let names: Vec<String> = task.tokens().iter().map(|(t, _)| t.to_string()).collect();
    assert_eq!(names, ["b", "c_1", "d_{1,1}", "d_{1,2}"]);
    assert_eq!(task.separation(), Some(ratio(50, 169)));
    let expected = [
        // a = 13/12 at BOS, lambda b = 25/12 at dormants.
        [
            [(0, 1), (0, 1), (0, 1), (0, 1)],
            [(13, 12), (0, 1), (25, 12), (25, 12)],
            [(1, 1), (0, 1), (0, 1), (0, 1)],
            [(1, 1), (0, 1), (0, 1), (0, 1)],
        ],
        // alpha = 2/Delta = 169/25 adds alpha delta^2 = 1 to a dormant's score at itself.
        [
            [(0, 1), (0, 1), (0, 1), (0, 1)],
            [(0, 1), (1, 1), (2, 1), (2, 1)],
            [(0, 1), (0, 1), (2, 1), (1, 1)],
            [(0, 1), (0, 1), (1, 1), (2, 1)],
        ],
    ];
    for (pattern, expected) in PATTERNS.into_iter().zip(expected) {
        let build = Build::printed(&task, pattern);
        let expected = expected.map(|row| row.map(|(p, q)| Surd::from(ratio(p, q))).to_vec());
        assert_eq!(scores(&build, &task), expected, "{pattern:?}");
    }
    // Dormants lead 3 keys each; the copy token's two winners lead BOS and itself; the idle key leads the other of these. One
    // equality of scores, and two nuisances that a copy query must not read.
    let found = margins::check(&Build::printed(&task, Pattern::Sink), &task, Pattern::Sink);
    assert_eq!(found.checked, 6 + 4 + 1 + 1 + 2);
    assert_eq!((found.least, found.failing), (Some(Surd::one()), None));
}

#[test]
fn labels_of_the_smallest_case_by_hand() {
    let task = smallest();
    let near = |(low, high): (Rational, Rational), x: &Surd| {
        assert!(Surd::from(low.clone()) <= *x && *x <= Surd::from(high.clone()));
        assert!(high - low < ratio(1, 1 << 50));
    };
    let sink = labels::check(
        &Build::printed(&task, Pattern::Sink),
        &task,
        Pattern::Sink,
        None,
    );
    // b, two dormants, the idle copy token, and 2 + 3 + 4 multisets of at most three dormants.
    assert_eq!((sink.checked, sink.size), (1 + 2 + 1 + 9, 3));
    assert_eq!((sink.failing, sink.undecided), (None, None));
    let phi = Surd::from(ratio(21, 20));
    near(sink.phi.least.unwrap(), &phi);
    near(sink.phi.greatest.unwrap(), &phi);
    // 1/2 + 21/40/R: R^2 = 5/4 after a single dormant; after both, |mu|^2 = 313/338 and R^2 = 1665/1352.
    let theta = |r_squared| {
        let r = Surd::sqrt(&r_squared).unwrap().inverse().unwrap();
        &Surd::from(ratio(1, 2)) + &r.scale(&ratio(21, 40))
    };
    near(sink.theta.least.unwrap(), &theta(ratio(5, 4)));
    near(sink.theta.greatest.unwrap(), &theta(ratio(1665, 1352)));
    let diagonal = labels::check(
        &Build::printed(&task, Pattern::Diagonal),
        &task,
        Pattern::Diagonal,
        None,
    );
    assert_eq!((diagonal.failing, diagonal.undecided), (None, None));
    for end in [
        diagonal.phi.least,
        diagonal.phi.greatest,
        diagonal.theta.least,
        diagonal.theta.greatest,
    ] {
        assert_eq!(end, Some((ratio(19, 20), ratio(19, 20))));
    }
}

#[test]
fn two_groups_by_hand() {
    // Vertices of a triangle and an antipodal pair, delta = 1/2, lambda = sqrt(3)/2: Delta = min(3 delta^2, 4 delta^2) = 3/4.
    let task = Task::new(
        vec![3, 2],
        ratio(1, 4),
        ratio(1, 10),
        (ratio(1, 16), Coherence::Opposed),
        &Shape::Simplex,
        Data::default(),
    )
    .unwrap();
    assert_eq!(task.separation(), Some(ratio(3, 4)));
    assert_eq!(task.geometry.r_eta(), 3);
    let place = |t| task.place(t).unwrap();
    let (d1, d2, d4) = (
        Token::Dormant(1, 1),
        Token::Dormant(1, 2),
        Token::Dormant(2, 1),
    );
    let diagonal = scores(&Build::printed(&task, Pattern::Diagonal), &task);
    let at = |q, k| diagonal[place(q)][place(k)].clone();
    // alpha = 8/3: 1 + alpha/4 at itself, 1 - alpha/8 at its neighbour, 1 - alpha/4 at its opposite.
    assert_eq!(at(d1, d1), Surd::from(ratio(5, 3)));
    assert_eq!(at(d1, d2), Surd::from(ratio(2, 3)));
    assert_eq!(at(d4, Token::Dormant(2, 2)), Surd::from(ratio(1, 3)));
    assert_eq!(at(d1, d4), Surd::zero());
    assert_eq!(at(Token::Copy(2), d4), Surd::from(2));
    assert_eq!(at(Token::Copy(2), d1), Surd::zero());
    let sink = scores(&Build::printed(&task, Pattern::Sink), &task);
    // 1/lambda = 2/sqrt 3 at BOS, 1 + 1/lambda at the copy token's own group.
    let a = Surd::sqrt(&ratio(4, 3)).unwrap();
    assert_eq!(sink[place(Token::Copy(1))][0], a);
    assert_eq!(sink[place(Token::Copy(1))][place(d1)], &Surd::one() + &a);
    assert_eq!(sink[place(Token::Copy(1))][place(d4)], Surd::zero());
    assert_eq!(sink[place(d4)][0], Surd::one());
}

/// A form with entries changed by `x + y sqrt 2`.
fn disturbed(build: &Build, raw: &[(usize, usize, i64, i64)]) -> Build {
    let mut build = build.clone();
    let n = build.qk.len();
    let root = Surd::sqrt(&ratio(2, 1)).unwrap();
    for (i, j, x, y) in raw {
        let entry = vec![(
            i % n,
            &Surd::from(ratio(*x, 3)) + &root.scale(&ratio(*y, 5)),
        )];
        let column = &mut build.qk[j % n];
        *column = combine([(Surd::one(), &*column), (Surd::one(), &entry)]);
    }
    build
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Margins against the triple loop, with the equalities counted and decided apart.
    #[test]
    fn fast_and_naive_margins_agree(
        task in tasks(),
        pattern in select(PATTERNS.to_vec()),
        raw in prop::collection::vec((0usize..16, 0usize..16, -2i64..3, -1i64..2), 0..6),
    ) {
        let build = disturbed(&Build::printed(&task, pattern), &raw);
        let found = margins::check(&build, &task, pattern);
        let (count, least) = margins::naive(&build, &task, pattern);
        let equalities: usize = task.dormants.iter().map(|n| n - 1).sum::<usize>()
            + task.groups() * task.dormants.iter().sum::<usize>();
        prop_assert_eq!(found.checked, count + equalities as u128);
        let mut holds = least.as_ref().is_none_or(|m| *m >= Surd::one());
        prop_assert_eq!(found.least, least);
        for (copy, x) in task.tokens() {
            let Token::Copy(c) = copy else { continue };
            let same: BTreeSet<Surd> = task.tokens().iter()
                .filter(|(t, _)| matches!(t, Token::Dormant(k, _) if k == c))
                .map(|(_, y)| build.logit(x, y))
                .collect();
            let reads = task.geometry.nuisances.iter().any(|eta| !build.logit(x, &lift(eta)).is_zero());
            holds &= same.len() == 1 && !reads;
        }
        prop_assert_eq!(found.failing.is_none(), holds);
    }

    /// The scores of both builds, whatever the geometry: Pi reads each vector of S alone.
    #[test]
    fn scores_are_those_of_the_proof(task in tasks()) {
        let one = Surd::one;
        let inverse = task.lambda.inverse().unwrap();
        let alpha = task.separation().and_then(|x| x.recip()).map_or(ratio(0, 1), |x| ratio(2, 1) * x);
        let eta = |c, i| task.nuisance(c, i);
        for pattern in PATTERNS {
            let build = Build::printed(&task, pattern);
            for (query, x) in task.tokens() {
                for (key, y) in task.tokens() {
                    let expected = match (pattern, query, key) {
                        (Pattern::Sink, Token::Dormant(..), Token::Bos) => one(),
                        (Pattern::Sink, Token::Copy(_), Token::Bos) => inverse.clone(),
                        (Pattern::Sink, Token::Copy(c), Token::Dormant(k, _)) if c == k => &one() + &inverse,
                        (Pattern::Diagonal, Token::Copy(c), Token::Copy(k)) if c == k => one(),
                        (Pattern::Diagonal, Token::Copy(c), Token::Dormant(k, _)) if c == k => Surd::from(2),
                        (Pattern::Diagonal, Token::Dormant(c, i), Token::Dormant(k, j)) => {
                            let same = ratio(i64::from(c == k), 1);
                            Surd::from(same + &alpha * task.geometry.inner(eta(*c, *i), eta(*k, *j)))
                        }
                        _ => Surd::zero(),
                    };
                    prop_assert_eq!(build.logit(x, y), expected, "{:?} {} {}", pattern, query, key);
                }
            }
        }
    }

    /// Both builds keep their margins, exactly 1 at the least, with or without the hypotheses, and miss them only where
    /// coinciding dormants meet.
    #[test]
    fn printed_margins(task in tasks(), pattern in select(PATTERNS.to_vec())) {
        let found = margins::check(&Build::printed(&task, pattern), &task, pattern);
        prop_assert_eq!(found.failing.is_none(), feasible(&task, pattern), "{:?}", found.failing);
        if feasible(&task, pattern) {
            prop_assert_eq!(found.least, Some(Surd::one()));
        } else {
            prop_assert_eq!(found.least, Some(Surd::zero()));
        }
    }

    /// Under the hypotheses all labels hold.
    #[test]
    fn printed_labels(task in tasks(), pattern in select(PATTERNS.to_vec())) {
        let build = Build::printed(&task, pattern);
        let found = labels::check(&build, &task, pattern, None);
        prop_assert_eq!(found.undecided, None);
        if task.outside().is_none() {
            prop_assert_eq!(found.failing, None);
        }
        // The dormants' factor is at the end of the tolerance.
        let end = match pattern {
            Pattern::Sink => ratio(1, 1) + &task.epsilon,
            Pattern::Diagonal => ratio(1, 1) - &task.epsilon,
        };
        prop_assert_eq!(found.phi.least, Some((end.clone(), end)));
    }

    /// The range of theta contains that of every multiset, and single dormants are its lower end.
    #[test]
    fn theta_is_in_its_range(task in tasks(), pattern in select(PATTERNS.to_vec()), s in 1i64..9) {
        let build = match pattern {
            Pattern::Sink if s < 8 => Build::cheaper(&task, &ratio(s, 8)),
            _ => Build::printed(&task, pattern),
        };
        let ranges = theta::ranges(&build, &task).unwrap();
        prop_assert_eq!(ranges.len(), task.groups());
        let found = labels::check(&build, &task, pattern, None);
        let (Some(least), Some(greatest)) = (found.theta.least, found.theta.greatest) else {
            prop_assert_eq!(task.data.most, Some(0));
            return Ok(());
        };
        let below = ranges.iter().map(|r| r.least.enclosure(64)).min().unwrap();
        let above = ranges.iter().map(|r| r.greatest.enclosure(64)).max().unwrap();
        prop_assert_eq!(least, below);
        prop_assert!(greatest.0 <= above.1, "{:?} {:?}", greatest, above);
    }
}

#[test]
fn theta_has_no_range_where_the_block_acts_otherwise() {
    let task = smallest();
    let sink = Build::printed(&task, Pattern::Sink);
    let refused = |edit: &dyn Fn(&mut Build)| {
        let mut build = sink.clone();
        edit(&mut build);
        theta::ranges(&build, &task).unwrap_err()
    };
    let off = refused(&|b| b.neurons[0].bias = Surd::zero());
    assert!(off.contains("not linear"), "{off}");
    // A unit that switches off, with the output bias that fits it; and a constant on top of units that do not.
    let fitted = refused(&|b| {
        b.neurons[0].bias = Surd::zero();
        b.output_bias = combine(b.neurons.iter().map(|n| (-&n.bias, &n.writes)));
    });
    assert!(fitted.contains("not linear"), "{fitted}");
    let constant = refused(&|b| b.output_bias = Sparse::new());
    assert!(constant.contains("not linear"), "{constant}");
    let negative = refused(&|b| {
        let minus = -Surd::one();
        b.vo.iter_mut()
            .for_each(|c| *c = combine([(minus.clone(), &*c)]));
    });
    assert!(negative.contains("negative"), "{negative}");
    // A value map that writes b for every dormant.
    let sideways = refused(&|b| b.vo[1] = vec![(0, Surd::one())]);
    assert!(sideways.contains("value map"), "{sideways}");
    // One nuisance direction with a value of its own.
    let single = refused(&|b| b.vo[3] = vec![(3, Surd::one())]);
    assert!(single.contains("value map"), "{single}");
    // Not what the proof's value map does to the copy token matters, but what the MLP does.
    let alive = refused(&|b| {
        let reads = b.neurons[2].reads.clone();
        let copy = vec![(2, Surd::one())];
        b.neurons[2].reads = combine([(Surd::one(), &reads), (Surd::one(), &copy)]);
        b.neurons[2].bias = Surd::from(4);
        b.output_bias = combine(b.neurons.iter().map(|n| (-&n.bias, &n.writes)));
    });
    assert!(alive.contains("does not kill c_1"), "{alive}");
}

#[test]
fn below_the_least_tolerance_labels_are_refuted() {
    // theta = (1 + (1 + epsilon)/R)/2 >= 1 - epsilon from epsilon = (R - 1)/(2R + 1) on. R is greatest after single dormants:
    // R^2 = 5/4 + lambda <c, dbar>, here with lambda = 12/13, 1/2 sqrt 3 or 1, and <c, dbar> = phi or -phi.
    for (delta_squared, lambda) in [(ratio(25, 169), 12.0 / 13.0), (ratio(1, 4), 0.75f64.sqrt())] {
        for (coherence, sign) in [(Coherence::Paired, 1.0), (Coherence::Opposed, -1.0)] {
            for phi in [ratio(0, 1), ratio(1, 20), ratio(1, 10)] {
                let r = (1.25 + lambda * sign * phi.to_f64()).sqrt();
                let least = (r - 1.0) / (2.0 * r + 1.0);
                let at = |epsilon: f64| {
                    let epsilon = Rational::from_f64_rounded(epsilon, 60).unwrap();
                    let phi = (phi.clone(), coherence);
                    let task = plain(vec![2, 3], delta_squared.clone(), phi, epsilon).unwrap();
                    let build = Build::printed(&task, Pattern::Sink);
                    let found = labels::check(&build, &task, Pattern::Sink, None);
                    assert_eq!(found.undecided, None);
                    let range = &theta::ranges(&build, &task).unwrap()[0];
                    assert_eq!(range.least.within(&task.epsilon), found.failing.is_none());
                    found.failing
                };
                assert_eq!(at(least + 1e-12), None);
                let failing = at(least - 1e-12).unwrap();
                assert!(failing.contains("is not within epsilon"), "{failing}");
            }
        }
    }
    // 7/6 > sqrt(13/10): the paper's 1/20 is enough, with something to spare.
    let phi = (ratio(1, 20), Coherence::Paired);
    let task = |epsilon| plain(vec![2], ratio(1, 100), phi.clone(), epsilon).unwrap();
    for (epsilon, holds) in [(ratio(1, 20), true), (ratio(1, 25), false)] {
        let task = task(epsilon);
        assert_eq!(task.outside().is_none(), holds);
        let build = Build::printed(&task, Pattern::Sink);
        let found = labels::check(&build, &task, Pattern::Sink, None);
        assert_eq!(found.failing.is_none(), holds);
    }
}

#[test]
fn the_hypotheses_at_their_ends() {
    let inside = |groups: usize, phi: Rational, delta_squared: Rational, epsilon: Rational| {
        let phi = (phi, Coherence::Negative);
        let task = plain(vec![1; groups], delta_squared, phi, epsilon).unwrap();
        task.outside()
    };
    let quarter = || ratio(1, 4);
    for (groups, phi, delta_squared, epsilon) in [
        (2, ratio(1, 20), quarter(), ratio(1, 20)),
        (3, ratio(1, 24), quarter(), quarter()),
        (1, ratio(0, 1), ratio(0, 1), quarter()),
    ] {
        assert_eq!(inside(groups, phi, delta_squared, epsilon), None);
    }
    for (groups, phi, delta_squared, epsilon, word) in [
        (3, ratio(1, 20), quarter(), quarter(), "2 C phi = 3/10"),
        (1, ratio(1, 19), quarter(), quarter(), "phi = 1/19"),
        (1, ratio(1, 20), ratio(4, 9), quarter(), "delta^2 = 4/9"),
        (1, ratio(1, 20), quarter(), ratio(1, 21), "epsilon = 1/21"),
        (
            1,
            ratio(1, 20),
            quarter(),
            ratio(26, 100),
            "epsilon = 13/50",
        ),
    ] {
        let found = inside(groups, phi, delta_squared, epsilon).unwrap();
        assert!(found.starts_with(word), "{found}");
    }
}

// ---- What the pattern imposes, from sequences.

/// All inequalities that some sequence of at most four tokens after BOS asks for, by the definition in the paper.
fn asked(task: &Task, pattern: Pattern) -> BTreeSet<Imposed> {
    let others: Vec<Token> = task.tokens()[1..].iter().map(|(t, _)| *t).collect();
    let mut all = BTreeSet::new();
    let mut open: Vec<Vec<Token>> = vec![vec![Token::Bos]];
    for _ in 0..4 {
        let mut next = Vec::new();
        for (sequence, token) in open
            .iter()
            .flat_map(|s| others.iter().map(move |t| (s, *t)))
        {
            let mut longer = sequence.clone();
            longer.push(token);
            if occurs(task, &longer) {
                read(&mut all, &longer, pattern);
                next.push(longer);
            }
        }
        open = next;
    }
    all
}

/// May the last token follow the others?
fn occurs(task: &Task, sequence: &[Token]) -> bool {
    let (last, before) = sequence.split_last().unwrap();
    match last {
        Token::Bos => false,
        Token::Dormant(c, i) => before.iter().all(|t| match (t, &task.data.orders) {
            (Token::Dormant(k, j), _) if k != c || j == i => true,
            (Token::Dormant(_, j), Orders::Ascending) => j < i,
            (Token::Dormant(_, j), Orders::Pairs(pairs)) => pairs.contains(&(*c, *j, *i)),
            _ => true,
        }),
        Token::Copy(c) => {
            let own = before
                .iter()
                .filter(|t| matches!(t, Token::Dormant(k, _) if k == c))
                .count();
            (own > 0 || task.data.absent) && task.data.most.is_none_or(|most| own <= most)
        }
    }
}

/// What the last token of a sequence attends to leads everything else in it.
fn read(all: &mut BTreeSet<Imposed>, sequence: &[Token], pattern: Pattern) {
    let query = *sequence.last().unwrap();
    let idle = match pattern {
        Pattern::Sink => Token::Bos,
        Pattern::Diagonal => query,
    };
    let own: BTreeSet<Token> = sequence
        .iter()
        .copied()
        .filter(|t| matches!((query, t), (Token::Copy(c), Token::Dormant(k, _)) if c == *k))
        .collect();
    let winners = if own.is_empty() {
        BTreeSet::from([idle])
    } else {
        own
    };
    for winner in &winners {
        for loser in sequence.iter().filter(|t| !winners.contains(t)) {
            all.insert(Imposed {
                query,
                winner: *winner,
                loser: *loser,
            });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn imposed_inequalities_are_those_of_some_sequence(task in tasks(), pattern in select(PATTERNS.to_vec())) {
        // Copy tokens that never occur are no keys either; the check asks more than needed there.
        prop_assume!(task.data.absent || task.data.most != Some(0));
        prop_assume!(task.tokens().len() <= 9);
        let expected = asked(&task, pattern);
        // Tokens that do not exist are tried too.
        let beyond = [Token::Copy(4), Token::Dormant(1, 4), Token::Dormant(4, 1), Token::Copy(0), Token::Dormant(0, 1)];
        let every: Vec<Token> = task.tokens().iter().map(|(t, _)| *t).chain(beyond).collect();
        for query in &every {
            for winner in &every {
                for loser in &every {
                    let one = Imposed { query: *query, winner: *winner, loser: *loser };
                    prop_assert_eq!(imposed(&task, pattern, &one), expected.contains(&one), "{} {} {}", query, winner, loser);
                }
            }
        }
    }

    /// The multisets whose labels are decided are those of sequences that occur.
    #[test]
    fn multisets_that_occur(task in tasks()) {
        let size = task.data.most.map_or(3, |most| most.min(3));
        let mut expected = 1 + task.dormants.iter().sum::<usize>();
        expected += if task.data.absent { task.groups() } else { 0 };
        for (c, n) in task.dormants.iter().enumerate() {
            let mut seen = BTreeSet::new();
            let mut open: Vec<Vec<Token>> = vec![Vec::new()];
            for _ in 0..size {
                let longer = open.iter().flat_map(|s| {
                    (1..=*n).map(move |i| s.iter().copied().chain([Token::Dormant(c + 1, i)]).collect::<Vec<_>>())
                });
                open = longer.filter(|s| occurs(&task, s)).collect();
                seen.extend(open.iter().map(|s| {
                    let mut sorted = s.clone();
                    sorted.sort();
                    sorted
                }));
            }
            expected += seen.len();
        }
        let found = labels::check(&Build::printed(&task, Pattern::Diagonal), &task, Pattern::Diagonal, Some(3));
        prop_assert_eq!(found.size, size);
        prop_assert_eq!(found.checked, expected as u128);
    }
}

#[test]
fn multisets_are_counted_by_binomials() {
    let binomial = |n: usize, k: usize| (0..k).fold(1, |b, i| b * (n - i) / (i + 1));
    for n in 0..7 {
        for size in 0..5 {
            let found = labels::multisets(n, size);
            let count: usize = (1..=size)
                .map(|k| if n == 0 { 0 } else { binomial(n + k - 1, k) })
                .sum();
            assert_eq!(found.len(), count, "{n} {size}");
            assert!(found.iter().all(|m| m.is_sorted()
                && !m.is_empty()
                && m.len() <= size
                && m.iter().all(|k| *k < n)));
            assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), count);
        }
    }
}

#[test]
fn pairs_and_separation_follow_the_orders() {
    // Squared distances in group 1: d1 d2 at 2/5 delta^2, the others at 2 delta^2.
    let with = |orders| {
        let data = Data {
            orders,
            ..Data::default()
        };
        let phi = (ratio(0, 1), Coherence::Equal);
        let shape = Shape::Near(ratio(1, 5));
        Task::new(vec![3], ratio(1, 4), ratio(1, 20), phi, &shape, data).unwrap()
    };
    let listed = |all: &[(usize, usize, usize)]| Orders::Pairs(all.iter().copied().collect());
    let (near, far) = (Some(ratio(1, 10)), Some(ratio(1, 2)));
    let all = vec![(1, 1, 2), (1, 1, 3), (1, 2, 3)];
    let both = with(Orders::Both);
    assert_eq!(
        (both.pairs(), both.met(), both.separation()),
        (all.clone(), all.clone(), near.clone())
    );
    let ascending = with(Orders::Ascending);
    assert_eq!(
        (ascending.pairs(), ascending.met(), ascending.separation()),
        (vec![], all, near.clone())
    );
    // d_3 may precede d_1 and the other way round; d_2 is met by none.
    let some = with(listed(&[(1, 3, 1), (1, 1, 3)]));
    let outer = vec![(1, 1, 3)];
    assert_eq!(
        (some.pairs(), some.met(), some.separation()),
        (outer.clone(), outer, far)
    );
    // One order counts in Delta, not in Sigma.
    let once = with(listed(&[(1, 2, 1)]));
    assert_eq!(
        (once.pairs(), once.met(), once.separation()),
        (vec![], vec![(1, 1, 2)], near)
    );
    assert!(once.data.orders.may_precede(1, 2, 1) && !once.data.orders.may_precede(1, 1, 2));
    assert!(ascending.data.orders.may_precede(1, 1, 2));
    assert!(!ascending.data.orders.may_precede(1, 2, 1));
    let never = with(listed(&[]));
    assert_eq!((never.met(), never.separation()), (vec![], None));
}

// ---- Explicit vectors and Gram matrices.

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn explicit_vectors_and_gram_matrices_agree(
        dormants in prop::collection::vec(1usize..4, 1..4),
        delta in select(vec![ratio(5, 13), ratio(3, 10)]),
        (bent, shape, turns) in (turns(), turns(), turns()),
        (absent, ascending) in any::<(bool, bool)>(),
    ) {
        let orders = if ascending { Orders::Ascending } else { Orders::Both };
        let data = Data { orders, absent, most: None };
        let Some((explicit, by_grams)) = two_ways(&dormants, &delta, &data, (&bent, &shape, &turns)) else {
            return Ok(());
        };
        prop_assert_eq!(explicit.geometry.r_eta(), by_grams.geometry.r_eta());
        prop_assert_eq!(&explicit.phi, &by_grams.phi);
        prop_assert_eq!(explicit.separation(), by_grams.separation());
        prop_assert_eq!(explicit.pairs(), by_grams.pairs());
        prop_assert_eq!(explicit.geometry.special_gram(), by_grams.geometry.special_gram());
        prop_assert_eq!(explicit.geometry.nuisance_gram(), by_grams.geometry.nuisance_gram());
        for pattern in PATTERNS {
            let builds = [&explicit, &by_grams].map(|task| (Build::printed(task, pattern), task));
            let [a, b] = &builds;
            prop_assert_eq!(scores(&a.0, a.1), scores(&b.0, b.1));
            let [a, b] = builds.each_ref().map(|(build, task)| margins::check(build, task, pattern));
            prop_assert_eq!(a, b);
            let [a, b] = builds.each_ref().map(|(build, task)| labels::check(build, task, pattern, Some(2)));
            prop_assert_eq!(a, b);
            let [a, b] = builds.each_ref().map(|(build, task)| theta::ranges(build, task).unwrap());
            prop_assert_eq!(a, b);
        }
    }
}

// ---- What is refused, and degenerate tasks that are not.

#[test]
fn tasks_that_do_not_exist_are_refused() {
    let quarter = || ratio(1, 4);
    let zero = || (ratio(0, 1), Coherence::Equal);
    let refused = |dormants, delta_squared, phi, epsilon| {
        plain(dormants, delta_squared, phi, epsilon).unwrap_err()
    };
    let sizes = |dormants| refused(dormants, quarter(), zero(), quarter());
    assert_eq!(sizes(vec![]), TaskError::NoGroups);
    assert_eq!(sizes(vec![1, 0, 2]), TaskError::Empty(2));
    // b and c_1 count too.
    assert_eq!(sizes(vec![4095]), TaskError::TooMany(4097));
    assert_eq!(
        sizes(vec![usize::MAX, usize::MAX]),
        TaskError::TooMany(usize::MAX)
    );
    for square in [ratio(1, 1), ratio(3, 2), ratio(-1, 4)] {
        let found = refused(vec![2], square.clone(), zero(), quarter());
        assert_eq!(found, TaskError::Delta(square));
    }
    for epsilon in [ratio(1, 1), ratio(-1, 20)] {
        let found = refused(vec![2], quarter(), zero(), epsilon.clone());
        assert_eq!(found, TaskError::Epsilon(epsilon));
    }
    for phi in [ratio(1, 1), ratio(-1, 20)] {
        let found = refused(
            vec![2],
            quarter(),
            (phi.clone(), Coherence::Equal),
            quarter(),
        );
        assert_eq!(found, TaskError::Phi(phi));
    }
    // 1 - 2 C phi is the least eigenvalue: zero, then below it.
    let phi = |p, q| (ratio(p, q), Coherence::Negative);
    let found = refused(vec![1, 1], quarter(), phi(1, 4), quarter());
    assert_eq!(found, TaskError::Geometry(GeometryError::Dependent));
    let found = refused(vec![1, 1], quarter(), phi(26, 100), quarter());
    assert!(
        matches!(found, TaskError::Geometry(GeometryError::Special(_))),
        "{found}"
    );
    // 1 - delta^2 = 2 p q/.. with large primes.
    let out_of_reach = ratio(1, 1)
        - "1000000000000000003/1000000000000000000000000000057"
            .parse::<Rational>()
            .unwrap();
    let found = refused(vec![1], out_of_reach, zero(), quarter());
    assert!(
        matches!(found, TaskError::Lambda(SqrtError::TooLarge(_))),
        "{found}"
    );
    for order in [(1, 1, 1), (1, 3, 1), (1, 1, 0), (2, 1, 2), (0, 1, 2)] {
        let data = Data {
            orders: Orders::Pairs(BTreeSet::from([order])),
            ..Data::default()
        };
        let shape = Shape::Orthogonal;
        let found = Task::new(vec![2], quarter(), quarter(), zero(), &shape, data).unwrap_err();
        assert_eq!(found, TaskError::Order(order.0, order.1, order.2));
    }
}

#[test]
fn vectors_that_are_not_as_the_task_asks_are_refused() {
    let unit = |k: usize| vec![(k, ratio(1, 1))];
    let special = || vec![unit(0), unit(1), unit(2)];
    let eta = |x: Rational| vec![(3, x)];
    let of = |special, nuisances: Vec<Sparse>| {
        let n = nuisances.len();
        let geometry = Geometry::from_vectors(5, special, nuisances).unwrap();
        let data = Data::default();
        Task::of(vec![n], ratio(25, 169), ratio(1, 20), geometry, data)
    };
    assert!(of(special(), vec![eta(ratio(5, 13)), eta(ratio(-5, 13))]).is_ok());
    let found = of(special(), vec![eta(ratio(5, 13)), eta(ratio(4, 13))]).unwrap_err();
    assert_eq!(
        found,
        TaskError::Length {
            vector: "the nuisance of d_{1,2}".into(),
            square: ratio(16, 169),
            needed: ratio(25, 169)
        }
    );
    let mut long = special();
    long[2] = vec![(2, ratio(2, 1))];
    let found = of(long, vec![eta(ratio(5, 13))]).unwrap_err();
    assert!(
        matches!(&found, TaskError::Length { vector, .. } if vector == "c_1"),
        "{found}"
    );
    let slanted = vec![eta(ratio(5, 13)), vec![(1, ratio(3, 5)), (3, ratio(4, 5))]];
    let found = Geometry::from_vectors(5, special(), slanted).unwrap_err();
    assert_eq!(
        found,
        GeometryError::NotOrthogonal {
            nuisance: 2,
            special: 1,
            value: ratio(3, 5)
        }
    );
    let twice = vec![unit(0), unit(1), unit(1)];
    assert_eq!(
        Geometry::from_vectors(5, twice, vec![]).unwrap_err(),
        GeometryError::Dependent
    );
    // Three unit vectors cannot be pairwise opposed: distances beyond 2 delta.
    let opposed = |x: Rational| {
        let row = |k: usize| -> Sparse {
            let entry = |i| if i == k { ratio(1, 1) } else { x.clone() };
            (0..3).map(|i| (i, entry(i))).collect()
        };
        let gram: Vec<Sparse> = (0..3).map(row).collect();
        Geometry::from_grams(&[unit(0), unit(1), unit(2)], &gram)
    };
    assert_eq!(opposed(ratio(-1, 2)).unwrap().r_eta(), 2);
    assert_eq!(opposed(ratio(-1, 3)).unwrap().r_eta(), 3);
    assert!(matches!(
        opposed(ratio(-51, 100)),
        Err(GeometryError::Nuisance(_))
    ));
    // A vector of length 0 has no inner products, whichever comes first.
    for k in 0..2 {
        let entry = |i: usize, j: usize| {
            ratio(
                [0, 1, 5][usize::from(i != j) + 2 * usize::from(i == j && i == k)],
                1,
            )
        };
        let column = |j| {
            (0..2)
                .map(|i| (i, entry(i, j)))
                .filter(|(_, x)| !x.is_zero())
                .collect()
        };
        let gram: Vec<Sparse> = (0..2).map(column).collect();
        let found = Geometry::from_grams(&[unit(0), unit(1), unit(2)], &gram);
        assert!(
            matches!(found, Err(GeometryError::Nuisance(_))),
            "{found:?}"
        );
    }
}

#[test]
fn patterns_by_their_entries() {
    // b, dbar_1, dbar_2, c_1, c_2: signs of phi above the diagonal, row by row.
    let signs = |coherence| {
        let phi = ratio(1, 20);
        let columns = special(2, &phi, coherence);
        let at = |i: usize, j: usize| constructions::matrix::at(&columns[j], i);
        let all = (0..5).flat_map(|i| (0..5).map(move |j| (i, j)));
        for (i, j) in all.clone() {
            assert_eq!(at(i, j), at(j, i));
            assert!(i != j || at(i, j) == ratio(1, 1));
        }
        let sign = |(i, j)| match at(i, j) {
            x if x == phi => '+',
            x if x == -&phi => '-',
            x if x.is_zero() => '0',
            _ => '?',
        };
        all.filter(|(i, j)| i < j).map(sign).collect::<String>()
    };
    assert_eq!(signs(Coherence::Equal), "++++++++++");
    assert_eq!(signs(Coherence::Negative), "----------");
    assert_eq!(signs(Coherence::Alternating), "-+-+-+--+-");
    assert_eq!(signs(Coherence::Paired), "00000+00+0");
    assert_eq!(signs(Coherence::Opposed), "00000-00-0");
    // Nuisances of groups of 3 and 2 with delta^2 = 1, above the diagonal, row by row.
    let entries = |shape: &Shape| {
        let columns = nuisances(&[3, 2], &ratio(1, 1), shape);
        let at = |i: usize, j: usize| constructions::matrix::at(&columns[j], i);
        let all = (0..5).flat_map(|i| (i + 1..5).map(move |j| (i, j)));
        let entry = |(i, j)| {
            assert_eq!(at(i, j), at(j, i));
            at(i, j)
        };
        assert!((0..5).all(|i| at(i, i) == ratio(1, 1)));
        all.map(entry).collect::<Vec<Rational>>()
    };
    let (zero, half, one) = (|| ratio(0, 1), || ratio(-1, 2), || ratio(1, 1));
    assert_eq!(entries(&Shape::Orthogonal), vec![zero(); 10]);
    let simplex = [
        half(),
        half(),
        zero(),
        zero(),
        half(),
        zero(),
        zero(),
        zero(),
        zero(),
        -one(),
    ];
    assert_eq!(entries(&Shape::Simplex), simplex);
    // One triangle serves both.
    let shared = [
        half(),
        half(),
        one(),
        half(),
        half(),
        half(),
        one(),
        half(),
        half(),
        half(),
    ];
    assert_eq!(entries(&Shape::Shared), shared);
    let mut near = vec![zero(); 10];
    (near[0], near[9]) = (ratio(3, 4), ratio(3, 4));
    assert_eq!(entries(&Shape::Near(ratio(1, 4))), near);
}

#[test]
fn names_of_patterns() {
    for (name, coherence) in COHERENCES {
        assert_eq!(name.parse::<Coherence>().unwrap(), coherence);
        assert_eq!(coherence.to_string(), name);
    }
    for name in [
        "orthogonal",
        "simplex",
        "shared",
        "near:1/3",
        "near:0",
        "near:2",
    ] {
        assert_eq!(name.parse::<Shape>().unwrap().to_string(), name);
    }
    let refused = |name: &str| name.parse::<Shape>().unwrap_err();
    assert_eq!(refused("near:5/2"), ShapeError::Distance(ratio(5, 2)));
    assert_eq!(refused("near:-1"), ShapeError::Distance(ratio(-1, 1)));
    assert!(matches!(refused("near:x"), ShapeError::Number(_)));
    assert!(matches!(refused("near"), ShapeError::Shape(_)));
    assert!("equall".parse::<Coherence>().is_err());
}

#[test]
fn degenerate_tasks_are_decided() {
    let decide = |dormants: Vec<usize>, delta_squared: Rational, shape: Shape| {
        let phi = (ratio(1, 40), Coherence::Alternating);
        let task = Task::new(
            dormants,
            delta_squared,
            ratio(1, 20),
            phi,
            &shape,
            Data::default(),
        )
        .unwrap();
        PATTERNS.map(|pattern| {
            let build = Build::printed(&task, pattern);
            let labels = labels::check(&build, &task, pattern, None);
            assert_eq!((labels.failing, labels.undecided), (None, None));
            assert!(theta::ranges(&build, &task).is_ok());
            margins::check(&build, &task, pattern).failing
        })
    };
    // Without a second dormant nothing has to be told apart: Delta = +infinity.
    for shape in [Shape::Orthogonal, Shape::Simplex, Shape::Shared] {
        for delta_squared in [ratio(25, 169), ratio(0, 1)] {
            assert_eq!(
                decide(vec![1, 1], delta_squared, shape.clone()),
                [None, None]
            );
        }
    }
    assert_eq!(decide(vec![1, 3], ratio(1, 4), Shape::Shared), [None, None]);
    for (delta_squared, shape) in [
        (ratio(0, 1), Shape::Orthogonal),
        (ratio(25, 169), Shape::Near(ratio(0, 1))),
    ] {
        let [sink, diagonal] = decide(vec![1, 2], delta_squared, shape);
        assert_eq!(sink, None);
        assert_eq!(
            diagonal.unwrap(),
            "query d_{2,1}: d_{2,1} leads d_{2,2} by 0 kappa, 1 kappa is needed"
        );
    }
}

#[test]
fn factors_compare_exactly() {
    use constructions::cluster::factor::Factor;
    let factor = |alpha, beta, square| Factor {
        alpha: Surd::from(alpha),
        beta: Surd::from(beta),
        square: Surd::from(square),
    };
    // 1/2 + 1/sqrt 4 = 1; 2 - 3/sqrt 9 = 1; 1 + 0/sqrt 0.
    for one in [
        factor(ratio(1, 2), ratio(1, 1), ratio(4, 1)),
        factor(ratio(2, 1), ratio(-3, 1), ratio(9, 1)),
        factor(ratio(1, 1), ratio(0, 1), ratio(0, 1)),
    ] {
        assert_eq!(one.compare(&ratio(1, 1)), Ordering::Equal);
        assert_eq!(one.compare(&ratio(99, 100)), Ordering::Greater);
        assert_eq!(one.compare(&ratio(101, 100)), Ordering::Less);
        assert!(one.within(&ratio(0, 1)));
    }
    // 1 +- 1/10: the ends count as within.
    for (alpha, end) in [(ratio(3, 5), ratio(1, 10)), (ratio(2, 5), ratio(1, 10))] {
        let f = factor(alpha, ratio(1, 1), ratio(4, 1));
        assert!(f.within(&end));
        assert!(!f.within(&(end - ratio(1, 1 << 60))));
    }
    // 1 - 1/sqrt 2 and 1/sqrt 2, enclosed.
    for (alpha, beta, value) in [(1, -1, 1.0 - 0.5f64.sqrt()), (0, 1, 0.5f64.sqrt())] {
        let f = factor(ratio(alpha, 1), ratio(beta, 1), ratio(2, 1));
        let (low, high) = f.enclosure(64);
        assert!((low.to_f64() - value).abs() < 1e-15 && (high.to_f64() - value).abs() < 1e-15);
        assert_eq!(f.compare(&low), Ordering::Greater);
        assert_eq!(f.compare(&high), Ordering::Less);
    }
    // Enclosures contain the number, also where |u|^2 is irrational itself, and where the rest is.
    let two = Surd::sqrt(&ratio(2, 1)).unwrap();
    for k in 1..60 {
        let square = &Surd::from(ratio(k, 3)) + &two.scale(&ratio(k % 7, 8));
        let of = |alpha: Surd, beta: Surd| Factor {
            alpha,
            beta,
            square: square.clone(),
        };
        for f in [
            of(Surd::zero(), Surd::one()),
            of(Surd::one(), Surd::from(-3)),
            of(two.scale(&ratio(k, 7)), &two - &Surd::from(ratio(k, 20))),
        ] {
            for bits in [2, 3, 5, 64] {
                let (low, high) = f.enclosure(bits);
                assert_ne!(f.compare(&low), Ordering::Less, "{f:?} {bits}");
                assert_ne!(f.compare(&high), Ordering::Greater, "{f:?} {bits}");
            }
        }
    }
}
