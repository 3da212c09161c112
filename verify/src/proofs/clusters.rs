//! D.1 for all C, lambda and phi: the attention margins of the sink, from its definition.
//!
//! Everything is read by inner products with the duals, so the Gram matrix of the tokens does not enter: a dormant of group c
//! contracts to lambda at the dual of dbar_c, BOS and copy tokens to 1 at their own. A logit is a sum over powers of lambda of
//! formulas in the groups; each formula is shown to be a number, and the sum of these numbers times powers to be large enough.

use super::formula::FormulaError;
use super::positive::Hints;
use super::search::example;
use super::step::{ProofError, Step, between, difference, plus, v};
use certificates::cases::{Problem, Relation::Equal};
use constructions::language::{Family, Matrix, Member, Powers};
use constructions::reading::symbolic_reading::{Symbolic, Unreadable, entry};
use exact::formula::{Expression, Fact, Form};
use exact::{Rational, ratio};
use std::collections::BTreeMap;

/// A token: its power of lambda, and what it contracts to.
struct Token {
    power: i32,
    at: Symbolic,
}

fn token(power: i32, member: Member, index: Form) -> Token {
    let at = vec![(ratio(1, 1), Family::Dual(member), index)];
    Token { power, at }
}

fn bos() -> Token {
    token(0, Member::Bos, Form::from(0))
}

fn dormant(group: &str) -> Token {
    token(1, Member::Centroid, v(group))
}

fn copy(group: &str) -> Token {
    token(0, Member::Copy, v(group))
}

/// The logit of a query at a key, by powers of lambda.
fn logit(qk: &Matrix, query: &Token, key: &Token) -> Result<BTreeMap<i32, Expression>, Unreadable> {
    let mut by_power = BTreeMap::<i32, Vec<(Rational, Expression)>>::new();
    for term in &qk.0 {
        let mut term = term.clone();
        let powers = std::mem::take(&mut term.coefficient.powers);
        if powers.separation != 0 || powers.epsilon != 0 {
            return Err(Unreadable::Powers);
        }
        let found = entry(&Matrix(vec![term]), &query.at, &key.at)?;
        if !found.divided.is_empty() {
            return Err(Unreadable::Powers);
        }
        let Powers { lambda, .. } = powers;
        let parts = by_power
            .entry(lambda + query.power + key.power)
            .or_default();
        parts.push((ratio(1, 1), found.plain));
    }
    let sum = by_power
        .into_iter()
        .map(|(p, parts)| (p, Expression::Sum(parts)));
    Ok(sum.collect())
}

/// `logit(winner) - logit(loser) >= 1` for every lambda in range.
fn margin(
    says: &str,
    facts: &[Fact],
    qk: &Matrix,
    [query, winner, loser]: [&Token; 3],
) -> Result<Vec<Step>, ProofError> {
    let (first, second) = (logit(qk, query, winner)?, logit(qk, query, loser)?);
    let mut powers: Vec<i32> = first.keys().chain(second.keys()).copied().collect();
    powers.sort_unstable();
    powers.dedup();
    let mut steps = Vec::new();
    let mut numbers = Vec::new();
    for power in powers {
        let part = |side: &BTreeMap<i32, Expression>| {
            let none = || Expression::Sum(Vec::new());
            side.get(&power).cloned().unwrap_or_else(none)
        };
        let goal = difference(part(&first), part(&second));
        // Guessed at one point and then shown everywhere.
        let problem = Problem {
            facts: facts.to_vec(),
            goal: goal.clone(),
            relation: Equal,
            bound: ratio(0, 1),
        };
        let here = example(&problem).and_then(|point| goal.at(&point));
        let number = here.ok_or_else(|| {
            ProofError::Other(format!("no groups meet the hypotheses of: {says}"))
        })?;
        let says = format!("{says}: lambda^{power} has the factor {number}");
        steps.push(Step::new(says, facts.to_vec(), goal, Equal, number.clone()));
        numbers.push((power, number));
    }
    steps.push(large_enough(says, &numbers)?);
    Ok(steps)
}

/// `sum of number lambda^power >= 1`, multiplied by the power of lambda that leaves a polynomial.
fn large_enough(says: &str, numbers: &[(i32, Rational)]) -> Result<Step, FormulaError> {
    let least = numbers.iter().map(|(p, _)| *p).min().unwrap_or(0).min(0);
    let term = |(power, number): &(i32, Rational)| format!("({number})*l^{}", power - least);
    let terms: Vec<String> = numbers.iter().map(term).collect();
    let goal = format!("0 + {} - l^{}", terms.join(" + "), -least);
    let hints = Hints {
        factors: 3,
        ..Hints::default()
    };
    let given = ["l > 0", "1 - l >= 0", "4*l^2 - 3 >= 0"];
    let says = format!("{says}, by at least 1 for every lambda");
    Step::real(says, &given, &goal, hints, &[("l", ratio(12, 13))])
}

/// The margins of the sink pattern: dormants attend to BOS; a copy token attends to its group where it is present, and to BOS
/// where it is not. Keys may be any token of the task.
///
/// # Errors
/// A definition that the symbolic reading cannot express.
pub fn sink_margins(qk: &Matrix) -> Result<Vec<Step>, ProofError> {
    let (one, groups) = (Form::from(1), v("C"));
    let mut base = vec![Fact::NonNegative(plus("C", -1)?)];
    base.extend(between(&one, &v("c"), &groups)?);
    let other = between(&one, &v("g"), &groups)?;
    let with = |more: &[Fact]| [&base[..], &other, more].concat();
    let apart = |a: &str, b: &str| -> Result<Fact, ProofError> {
        let form = v(a)
            .combine(-1, &v(b))
            .and_then(|f| f.combine(1, &Form::from(-1)));
        Ok(Fact::NonNegative(form.ok_or(Unreadable::Overflow)?))
    };
    let equal = v("g")
        .combine(-1, &v("c"))
        .map(Fact::Zero)
        .ok_or(Unreadable::Overflow)?;
    let cases = [
        ("the own group", equal),
        ("a later group", apart("g", "c")?),
        ("an earlier group", apart("c", "g")?),
    ];
    let mut steps = Vec::new();
    let (sleeping, copying, own) = (dormant("c"), copy("c"), dormant("c"));
    for (which, fact) in &cases {
        let facts = with(std::slice::from_ref(fact));
        let same = *which == "the own group";
        for (what, key) in [("dormant", dormant("g")), ("copy token", copy("g"))] {
            let key_is = format!("a {what} of {which}");
            let says = format!("a dormant prefers BOS to {key_is}");
            steps.extend(margin(&says, &facts, qk, [&sleeping, &bos(), &key])?);
            if same && what == "dormant" {
                continue;
            }
            let says = format!("a copy token prefers its group to {key_is}");
            steps.extend(margin(&says, &facts, qk, [&copying, &own, &key])?);
            let says = format!("a copy token without its group prefers BOS to {key_is}");
            steps.extend(margin(&says, &facts, qk, [&copying, &bos(), &key])?);
        }
    }
    let says = "a copy token prefers its group to BOS";
    steps.extend(margin(says, &base, qk, [&copying, &own, &bos()])?);
    Ok(steps)
}
