//! Searching for proofs by cases, and for counterexamples. Nothing here is believed: the checker of `certificates` decides,
//! and a counterexample is evaluated.

use certificates::cases::{Problem, Tree, truth};
use exact::Rational;
use exact::formula::{Fact, Point};
use std::collections::BTreeSet;

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A proof, to be checked.
    Proof(Tree),
    /// Integers that meet every hypothesis, where the goal fails.
    Counterexample(Point),
    /// Neither.
    Nothing,
}

/// Looks for a proof; where a case fails, for a counterexample with small numbers.
pub fn prove(problem: &Problem) -> Found {
    if let Some(tree) = cases(problem, &mut problem.facts.clone(), 0) {
        return Found::Proof(tree);
    }
    let refuted = |point: &Point| problem.refuted_by(point);
    match small_point(problem, &refuted) {
        Some(point) => Found::Counterexample(point),
        None => Found::Nothing,
    }
}

/// A point that meets all hypotheses, with small numbers.
pub fn example(problem: &Problem) -> Option<Point> {
    small_point(problem, &|point| problem.admits(point))
}

fn cases(problem: &Problem, known: &mut Vec<Fact>, depth: usize) -> Option<Tree> {
    if let Some(multipliers) = farkas(known) {
        return Some(Tree::Absurd(multipliers));
    }
    if depth > 40 {
        return None;
    }
    match problem.goal.value(&mut |fact| truth(known, fact)) {
        Ok(value) => problem.accepts(&value).then_some(Tree::Evaluate),
        Err(fact) => {
            let branches = std::iter::once(fact.clone()).chain(fact.negations()?);
            let mut trees = Vec::new();
            for assumed in branches {
                known.push(assumed);
                let tree = cases(problem, known, depth + 1);
                known.pop();
                trees.push(tree?);
            }
            Some(Tree::Split(fact, trees))
        }
    }
}

/// A linear combination of facts: what it adds up to, and the multipliers.
#[derive(Clone)]
struct Row {
    terms: Vec<Rational>,
    constant: Rational,
    multipliers: Vec<Rational>,
}

impl Row {
    fn plus(&self, factor: &Rational, other: &Row) -> Row {
        let add = |a: &[Rational], b: &[Rational]| -> Vec<Rational> {
            a.iter().zip(b).map(|(x, y)| x + &(factor * y)).collect()
        };
        Row {
            terms: add(&self.terms, &other.terms),
            constant: &self.constant + &(factor * &other.constant),
            multipliers: add(&self.multipliers, &other.multipliers),
        }
    }

    fn first(&self) -> Option<usize> {
        self.terms.iter().position(|x| !x.is_zero())
    }

    fn listed(&self, sign: &Rational) -> Vec<(usize, Rational)> {
        let all = self.multipliers.iter().map(|m| m * sign).enumerate();
        all.filter(|(_, m)| !m.is_zero()).collect()
    }
}

/// Multipliers that show the facts to be contradictory over the rationals, by elimination (Fourier and Motzkin).
pub fn farkas(facts: &[Fact]) -> Option<Vec<(usize, Rational)>> {
    const MOST: usize = 1500;
    let names: BTreeSet<&String> = facts.iter().flat_map(|f| f.form().terms.keys()).collect();
    let one = Rational::integer(1);
    let row = |(k, fact): (usize, &Fact)| {
        let form = fact.form();
        let of = |n: &&String| Rational::integer(form.terms.get(*n).copied().unwrap_or(0));
        let mut multipliers = vec![Rational::default(); facts.len()];
        multipliers[k] = one.clone();
        Row {
            terms: names.iter().map(of).collect(),
            constant: Rational::integer(form.constant),
            multipliers,
        }
    };
    let of_kind = |zero: bool| {
        let wanted = move |f: &Fact| matches!(f, Fact::Zero(_)) == zero;
        facts.iter().enumerate().filter(move |(_, f)| wanted(f))
    };
    let mut equal: Vec<Row> = of_kind(true).map(row).collect();
    let mut rows: Vec<Row> = of_kind(false).map(row).collect();
    while let Some(pivot) = equal.pop() {
        let Some(v) = pivot.first() else {
            if pivot.constant.is_zero() {
                continue;
            }
            let sign = Rational::integer(if pivot.constant.is_positive() { -1 } else { 1 });
            return Some(pivot.listed(&sign));
        };
        let inverse = pivot.terms[v].recip()?;
        for other in equal.iter_mut().chain(&mut rows) {
            if !other.terms[v].is_zero() {
                let factor = -(&other.terms[v] * &inverse);
                *other = other.plus(&factor, &pivot);
            }
        }
    }
    for v in 0..names.len() {
        if let Some(absurd) = rows
            .iter()
            .find(|r| r.first().is_none() && r.constant.is_negative())
        {
            return Some(absurd.listed(&one));
        }
        let (with, mut rest): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|r| !r.terms[v].is_zero());
        let (up, down): (Vec<Row>, Vec<Row>) =
            with.into_iter().partition(|r| r.terms[v].is_positive());
        for a in &up {
            for b in &down {
                // a / |a_v| + b / |b_v|
                let factor = -(&a.terms[v] * &b.terms[v].recip()?);
                rest.push(a.plus(&factor, b));
            }
        }
        if rest.len() > MOST {
            return None;
        }
        rows = rest;
    }
    let absurd = rows.iter().find(|r| r.constant.is_negative())?;
    Some(absurd.listed(&one))
}

/// Depth-first over small values, each hypothesis tested as soon as its variables have values.
fn small_point(problem: &Problem, wanted: &dyn Fn(&Point) -> bool) -> Option<Point> {
    const STEPS: usize = 400_000;
    let mut names: Vec<String> = Vec::new();
    for fact in &problem.facts {
        for name in fact.form().terms.keys() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    // The sizes bound everything else.
    names.sort_by_key(|n| !n.starts_with(|c: char| c.is_ascii_uppercase()));
    let mut steps = STEPS;
    assign(problem, &names, &mut Point::new(), wanted, &mut steps)
}

fn assign(
    problem: &Problem,
    names: &[String],
    point: &mut Point,
    wanted: &dyn Fn(&Point) -> bool,
    steps: &mut usize,
) -> Option<Point> {
    *steps = steps.checked_sub(1)?;
    if problem.facts.iter().any(|f| f.at(point) == Some(false)) {
        return None;
    }
    let Some((name, rest)) = names.split_first() else {
        return wanted(point).then(|| point.clone());
    };
    for value in [1, 2, 3, 0, 4, 5, 6] {
        point.insert(name.clone(), value);
        let found = assign(problem, rest, point, wanted, steps);
        point.remove(name);
        if found.is_some() {
            return found;
        }
    }
    None
}
