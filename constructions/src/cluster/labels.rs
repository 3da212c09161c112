//! Labels of a cluster block: every token, and copy tokens after every multiset of dormants up to a stated size.
//!
//! Attention is taken as the pattern says (the margins are checked apart): hard, and uniform over the preceding dormants of a
//! copy token's group, each counted as often as it occurs.

use super::block::{Neuron, Output, output};
use super::build::{Build, Pattern};
use super::factor::{Factor, Spread};
use super::reading::{Columns, apply, covector_square, vector_square};
use super::task::{Orders, Task, Token};
use crate::matrix::{Sparse, at, combine};
use exact::{Rational, Surd};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// Most multisets that are checked; the stated size is the largest that stays below.
const MOST: usize = 5_000;
/// Most of them where a size is asked for.
const MOST_ASKED: usize = 200_000;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels {
    /// Labels decided.
    pub checked: u128,
    /// Multisets of at most this many dormants were decided.
    pub size: usize,
    /// The range of phi (dormant outputs are (1 + phi) d).
    pub phi: Spread,
    /// The range of theta (copy outputs are c + theta mu).
    pub theta: Spread,
    /// The first label that is missed.
    pub failing: Option<String>,
    /// A label that could not be decided.
    pub undecided: Option<String>,
}

/// The MLP with the units that are on for every state of length 1 gathered into a linear map.
pub struct Mlp {
    linear: Columns,
    constant: Sparse<Surd>,
    rest: Vec<Neuron<Surd>>,
}

impl Mlp {
    /// Gathers the units with bias >= |w|: these never switch off.
    pub fn new(task: &Task, build: &Build) -> Mlp {
        let n = task.geometry.dimension();
        let mut columns: Vec<Vec<(Surd, &Sparse<Surd>)>> = vec![Vec::new(); n];
        let mut constant = vec![(Surd::one(), &build.output_bias)];
        let mut rest = Vec::new();
        for neuron in &build.neurons {
            let always = neuron.bias.signum() >= 0
                && covector_square(task, &neuron.reads) <= &neuron.bias * &neuron.bias;
            if always {
                constant.push((neuron.bias.clone(), &neuron.writes));
                for (k, x) in &neuron.reads {
                    columns[*k].push((x.clone(), &neuron.writes));
                }
            } else {
                rest.push(neuron.clone());
            }
        }
        Mlp {
            linear: columns.into_iter().map(combine).collect(),
            constant: combine(constant),
            rest,
        }
    }

    /// The linear map, if the whole MLP is one on states of length 1.
    pub fn linear(&self) -> Option<&Columns> {
        (self.rest.is_empty() && self.constant.is_empty()).then_some(&self.linear)
    }

    /// The output on a state.
    fn output(&self, state: &Sparse<Surd>, square: &Surd) -> Output<Surd> {
        let mut found = output(state, square, &self.rest, &self.constant);
        if !square.is_zero() {
            let read = apply(&self.linear, state);
            found.root = combine([(Surd::one(), &found.root), (Surd::one(), &read)]);
        }
        found
    }
}

/// Checks all labels of a pattern; multisets up to `size`, or as many as stay below a fixed number.
pub fn check(build: &Build, task: &Task, pattern: Pattern, size: Option<usize>) -> Labels {
    let mlp = Mlp::new(task, build);
    let mut found = Labels::default();
    let tokens = task.tokens();
    let values: Vec<Sparse<Surd>> = tokens.iter().map(|(_, x)| apply(&build.vo, x)).collect();
    let one = Surd::one;
    let nothing = Sparse::new();
    let mut decide = |place: String,
                      own: &Sparse<Surd>,
                      value: &Sparse<Surd>,
                      base: &Sparse<Surd>,
                      along: Option<&Sparse<Surd>>|
     -> Option<Factor> {
        let state = combine([(one(), own), (one(), value)]);
        let square = vector_square(task, &state);
        let out = mlp.output(&state, &square);
        found.checked += 1;
        match factor(&out, &square, base, along) {
            Found::Factor(f) => Some(f),
            Found::Exactly => None,
            Found::Missed => {
                let missed = format!("{place}: the output is not the label");
                found.failing.get_or_insert(missed);
                None
            }
            Found::Undecided => {
                let reason = format!("{place}: |u|^2 = {square} has no root in the field");
                found.undecided.get_or_insert(reason);
                None
            }
        }
    };
    let (mut phis, mut thetas) = (Vec::new(), Vec::new());
    let own = |k: usize| if pattern == Pattern::Sink { 0 } else { k };
    for (k, (token, x)) in tokens.iter().enumerate() {
        match token {
            Token::Bos => {
                decide(token.to_string(), x, &values[k], x, None);
            }
            Token::Dormant(..) => {
                let place = token.to_string();
                if let Some(f) = decide(place.clone(), x, &values[own(k)], &nothing, Some(x)) {
                    let alpha = f.alpha - one();
                    phis.push((place, Factor { alpha, ..f }));
                }
            }
            Token::Copy(_) if task.data.absent => {
                decide(
                    format!("{token} without a dormant of its group"),
                    x,
                    &values[own(k)],
                    x,
                    None,
                );
            }
            Token::Copy(_) => {}
        }
    }
    let wanted = |size: usize| task.data.most.map_or(size, |most| most.min(size));
    let size = match size {
        Some(size) => affordable(task, wanted(size), MOST_ASKED),
        None => affordable(task, wanted(3), MOST),
    };
    let size = wanted(size);
    for (k, (token, x)) in tokens.iter().enumerate() {
        let Token::Copy(c) = token else { continue };
        let first = task.first_of(*c);
        for multiset in multisets(task.dormants[c - 1], size) {
            if !occurs(task, *c, &multiset) {
                continue;
            }
            let share = Rational::from(multiset.len()).recip().unwrap_or_default();
            let weight = || Surd::from(share.clone());
            let mu = combine(multiset.iter().map(|i| (weight(), &tokens[first + i].1)));
            let value = combine(multiset.iter().map(|i| (weight(), &values[first + i])));
            let names = multiset.iter().map(|i| tokens[first + i].0.to_string());
            let place = format!(
                "{} after {}",
                tokens[k].0,
                names.collect::<Vec<_>>().join(", ")
            );
            if let Some(f) = decide(place.clone(), x, &value, x, Some(&mu)) {
                thetas.push((place, f));
            }
        }
    }
    found.size = size;
    for (spread, factors) in [(&mut found.phi, phis), (&mut found.theta, thetas)] {
        // Most multisets share their factor with many others.
        let mut different: BTreeMap<[Surd; 3], String> = BTreeMap::new();
        for (
            place,
            Factor {
                alpha,
                beta,
                square,
            },
        ) in factors
        {
            different.entry([alpha, beta, square]).or_insert(place);
        }
        for ([alpha, beta, square], place) in different {
            let f = Factor {
                alpha,
                beta,
                square,
            };
            spread.add(&f);
            if !f.within(&task.epsilon) {
                let (low, _) = f.enclosure(64);
                let about = Surd::from(low).approx(9);
                found.failing.get_or_insert(format!(
                    "{place}: the factor {about} is not within epsilon = {} of 1",
                    task.epsilon
                ));
            }
        }
    }
    found
}

/// The largest size up to `size` at which there are at most `most` multisets; at least 1.
fn affordable(task: &Task, size: usize, most: usize) -> usize {
    // Multisets of size k from n: (n + k - 1 choose k).
    let count = |n: usize, size: usize| -> usize {
        let (mut all, mut of_size) = (0usize, 1usize);
        for k in 1..=size {
            of_size = of_size.saturating_mul(n + k - 1) / k;
            all = all.saturating_add(of_size);
        }
        all
    };
    let total = |size| {
        let counts = task.dormants.iter().map(|n| count(*n, size));
        counts.fold(0usize, usize::saturating_add)
    };
    (1..=size)
        .rev()
        .find(|size| total(*size) <= most)
        .unwrap_or(1)
}

/// All nonempty multisets of `0..n` with at most `size` members, as ascending lists, small ones first.
pub fn multisets(n: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    let mut last: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let longer = |m: &Vec<usize>| {
            let from = m.last().copied().unwrap_or(0);
            let m = m.clone();
            (from..n).map(move |k| m.iter().copied().chain([k]).collect())
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// Can these dormants of group c precede its copy token in one sequence? Some order of the different ones must be allowed.
fn occurs(task: &Task, c: usize, multiset: &[usize]) -> bool {
    if !matches!(task.data.orders, Orders::Pairs(_)) {
        return true;
    }
    let mut different: Vec<usize> = multiset.iter().map(|i| i + 1).collect();
    different.dedup();
    orderable(task, c, &different)
}

/// Is there an order of all of them in which each may precede all later ones?
fn orderable(task: &Task, c: usize, rest: &[usize]) -> bool {
    if rest.len() < 2 {
        return true;
    }
    rest.iter().any(|first| {
        let others: Vec<usize> = rest.iter().copied().filter(|j| j != first).collect();
        let may = |j: &usize| task.data.orders.may_precede(c, *first, *j);
        others.iter().all(may) && orderable(task, c, &others)
    })
}

enum Found {
    Factor(Factor),
    Exactly,
    Missed,
    Undecided,
}

/// `output = base + f along`, or `output = base` where nothing may be added.
fn factor(
    out: &Output<Surd>,
    square: &Surd,
    base: &Sparse<Surd>,
    along: Option<&Sparse<Surd>>,
) -> Found {
    let plain = combine([(Surd::one(), &out.plain), (-Surd::one(), base)]);
    if let Some(found) = matched(&plain, &out.root, square, along) {
        return found;
    }
    // Not part by part: then only together, which needs |u| itself.
    if let Some(inverse) = root(square).and_then(|root| root.inverse()) {
        let whole = combine([(Surd::one(), &plain), (inverse, &out.root)]);
        return matched(&whole, &Sparse::new(), square, along).unwrap_or(Found::Missed);
    }
    // A root outside the field: enclosures may still tell that the output is no label.
    if apart(&plain, &out.root, square, along) {
        Found::Missed
    } else {
        Found::Undecided
    }
}

/// The root of a rational, or of `a + b sqrt n` where it is `sqrt x + sqrt y`; nothing where it is not found.
fn root(square: &Surd) -> Option<Surd> {
    if let Some(rational) = square.as_rational() {
        return Surd::sqrt(&rational).ok();
    }
    let terms: Vec<(Rational, Rational)> = square
        .terms()
        .map(|(root, x)| (Rational::from(BigInt::from(root.clone())), x.clone()))
        .collect();
    let [(one, a), (n, b)] = terms.as_slice() else {
        return None;
    };
    if *one != Rational::integer(1) {
        return None;
    }
    // x + y = a and 4 x y = b^2 n.
    let split = (a * a - b * b * n).sqrt_exact()?;
    let half = Rational::integer(2).recip()?;
    let (x, y) = ((a + &split) * &half, (a - &split) * &half);
    let sign = Rational::integer(i64::from(b.signum()));
    let found = &Surd::sqrt(&x).ok()? + &Surd::sqrt(&y).ok()?.scale(&sign);
    (&found * &found == *square && found.signum() >= 0).then_some(found)
}

/// Do enclosures of `plain + root/|u|` exclude every multiple of the direction, or zero where there is none?
fn apart(
    plain: &Sparse<Surd>,
    root: &Sparse<Surd>,
    square: &Surd,
    along: Option<&Sparse<Surd>>,
) -> bool {
    let excluded = |alpha: Surd, beta: Surd| {
        let square = square.clone();
        let (low, high) = Factor {
            alpha,
            beta,
            square,
        }
        .enclosure(64);
        low.is_positive() || high.is_negative()
    };
    let places = plain.iter().chain(root).map(|(k, _)| *k);
    match along.and_then(|direction| direction.first().map(|first| (direction, first))) {
        None => places
            .into_iter()
            .any(|k| excluded(at(plain, k), at(root, k))),
        // x_i m_k - x_k m_i = 0 for every multiple x of m.
        Some((m, (k, first))) => {
            let cross = |v: &Sparse<Surd>, i: usize| &at(v, i) * first - &(&at(v, *k) * &at(m, i));
            places
                .chain(m.iter().map(|(i, _)| *i))
                .any(|i| excluded(cross(plain, i), cross(root, i)))
        }
    }
}

fn matched(
    plain: &Sparse<Surd>,
    root: &Sparse<Surd>,
    square: &Surd,
    along: Option<&Sparse<Surd>>,
) -> Option<Found> {
    match along {
        None => (plain.is_empty() && root.is_empty()).then_some(Found::Exactly),
        Some(direction) => Some(Found::Factor(Factor {
            alpha: multiple(plain, direction)?,
            beta: multiple(root, direction)?,
            square: square.clone(),
        })),
    }
}

/// The factor with `x = factor * direction`.
pub fn multiple(x: &Sparse<Surd>, direction: &Sparse<Surd>) -> Option<Surd> {
    if x.is_empty() {
        return Some(Surd::zero());
    }
    let (k, first) = direction.first()?;
    let factor = &at(x, *k) * &first.inverse()?;
    (combine([(factor.clone(), direction)]) == *x).then_some(factor)
}
