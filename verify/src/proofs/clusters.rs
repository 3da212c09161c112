//! D.1 for all C, lambda, Delta and phi: the attention margins of both builds, from their definitions.
//!
//! Everything is read by inner products with the duals, so the Gram matrix of the tokens does not enter: a dormant of group c
//! contracts to lambda at the dual of dbar_c, BOS and copy tokens to 1 at their own. A logit is a sum over powers of lambda of
//! formulas in the groups; each formula is shown to be a number, and the sum of these numbers times powers to be large enough.
//!
//! A term alpha/Delta P_eta adds alpha/Delta <eta, eta'>. Of these inner products only differences matter: w is <eta, eta> less
//! <eta, eta'>, half of |eta - eta'|^2: at least Delta/2 for two dormants of a group that must be told apart, and never negative.

use super::formula::FormulaError;
use super::positive::Hints;
use super::search::example;
use super::step::{ProofError, Step, between, difference, plus, v};
use certificates::cases::{Problem, Relation::Equal};
use constructions::language::{Family, Matrix, Member, Powers, Range, nuisance};
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

/// What is known of w, the difference that the nuisances make.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nuisances {
    /// Query or both keys have none.
    Absent,
    /// w >= 0.
    NoHarm,
    /// w >= Delta/2.
    Apart,
}

/// The definition without its multiple of P_eta / Delta, and that multiple.
pub(super) fn split(qk: &Matrix) -> Result<(Matrix, Rational), Unreadable> {
    let (mut rest, mut alpha) = (Vec::new(), ratio(0, 1));
    for term in &qk.0 {
        let Some((k, Range::Nuisances)) = term.over else {
            rest.push(term.clone());
            continue;
        };
        let projector = nuisance(k) * nuisance(k).dual().t();
        let inverse = Powers {
            separation: -1,
            ..Powers::default()
        };
        let plain = projector
            .0
            .first()
            .is_some_and(|p| p.left == term.left && p.right == term.right);
        if !plain || term.coefficient.powers != inverse || term.coefficient.over.is_some() {
            return Err(Unreadable::Free("the nuisances".into()));
        }
        alpha += &term.coefficient.value;
    }
    Ok((Matrix(rest), alpha))
}

/// The logit of a query at a key without the nuisances, by powers of lambda.
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
        let parts = by_power.entry(powers.lambda + query.power + key.power);
        parts.or_default().push((ratio(1, 1), found.plain));
    }
    let sum = by_power
        .into_iter()
        .map(|(p, parts)| (p, Expression::Sum(parts)));
    Ok(sum.collect())
}

/// `logit(winner) - logit(loser) >= 1` for every lambda and Delta in range.
fn margin(
    says: &str,
    facts: &[Fact],
    qk: &Matrix,
    [query, winner, loser]: [&Token; 3],
    nuisances: Nuisances,
) -> Result<Vec<Step>, ProofError> {
    let (rest, alpha) = split(qk)?;
    let (first, second) = (logit(&rest, query, winner)?, logit(&rest, query, loser)?);
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
    steps.push(large_enough(says, &numbers, &alpha, nuisances)?);
    Ok(steps)
}

/// `sum of number lambda^power + alpha w / Delta >= 1`, multiplied by Delta and the power of lambda that leaves a polynomial.
fn large_enough(
    says: &str,
    numbers: &[(i32, Rational)],
    alpha: &Rational,
    nuisances: Nuisances,
) -> Result<Step, FormulaError> {
    let least = numbers.iter().map(|(p, _)| *p).min().unwrap_or(0).min(0);
    let term = |(power, number): &(i32, Rational)| format!("({number})*l^{}", power - least);
    let terms: Vec<String> = numbers.iter().map(term).collect();
    let share = match nuisances {
        Nuisances::Absent => "0",
        Nuisances::NoHarm | Nuisances::Apart => "w",
    };
    let goal = format!(
        "S*(0 + {} - l^{}) + ({alpha})*l^{}*{share}",
        terms.join(" + "),
        -least,
        -least
    );
    let w = match nuisances {
        Nuisances::Absent | Nuisances::NoHarm => "w >= 0",
        Nuisances::Apart => "w - 1/2*S >= 0",
    };
    let hints = Hints {
        factors: 4,
        ..Hints::default()
    };
    let given = ["l > 0", "1 - l >= 0", "4*l^2 - 3 >= 0", "S > 0", w];
    let says = format!("{says}, by at least 1 for every lambda");
    let here = [
        ("l", ratio(12, 13)),
        ("S", ratio(1, 9)),
        ("w", ratio(1, 18)),
    ];
    Step::real(says, &given, &goal, hints, &here)
}

/// The cases of two groups c and g: the same, g later, g earlier; with the facts of each.
fn cases() -> Result<[(&'static str, Vec<Fact>); 3], ProofError> {
    let (one, groups) = (Form::from(1), v("C"));
    let mut base = vec![Fact::NonNegative(plus("C", -1)?)];
    base.extend(between(&one, &v("c"), &groups)?);
    base.extend(between(&one, &v("g"), &groups)?);
    let apart = |a: &str, b: &str| -> Result<Fact, Unreadable> {
        let form = v(a)
            .combine(-1, &v(b))
            .and_then(|f| f.combine(1, &Form::from(-1)));
        Ok(Fact::NonNegative(form.ok_or(Unreadable::Overflow)?))
    };
    let equal = v("g")
        .combine(-1, &v("c"))
        .map(Fact::Zero)
        .ok_or(Unreadable::Overflow)?;
    let with = |fact: Fact| base.iter().cloned().chain([fact]).collect();
    Ok([
        ("the own group", with(equal)),
        ("a later group", with(apart("g", "c")?)),
        ("an earlier group", with(apart("c", "g")?)),
    ])
}

/// The margins of the sink pattern: dormants attend to BOS; a copy token attends to its group where it is present, and to BOS
/// where it is not. Keys may be any token of the task.
///
/// # Errors
/// A definition that the symbolic reading cannot express.
pub fn sink_margins(qk: &Matrix) -> Result<Vec<Step>, ProofError> {
    let mut steps = Vec::new();
    let (sleeping, copying, own, start) = (dormant("c"), copy("c"), dormant("c"), bos());
    for (which, facts) in &cases()? {
        let same = *which == "the own group";
        for (what, key) in [("dormant", dormant("g")), ("copy token", copy("g"))] {
            let mut add = |says: &str, tokens| -> Result<(), ProofError> {
                let says = format!("{says} a {what} of {which}");
                steps.extend(margin(&says, facts, qk, tokens, Nuisances::Absent)?);
                Ok(())
            };
            add("a dormant prefers BOS to", [&sleeping, &start, &key])?;
            if same && what == "dormant" {
                continue;
            }
            add("a copy token prefers its group to", [&copying, &own, &key])?;
            add(
                "a copy token without its group prefers BOS to",
                [&copying, &start, &key],
            )?;
        }
        let says = format!("a copy token prefers its group to BOS, beside {which}");
        steps.extend(margin(
            &says,
            facts,
            qk,
            [&copying, &own, &start],
            Nuisances::Absent,
        )?);
    }
    Ok(steps)
}

/// The margins of the diagonal pattern: dormants attend to themselves; a copy token attends to its group where it is present,
/// and to itself where it is not. Keys may be any token of the task.
///
/// # Errors
/// A definition that the symbolic reading cannot express.
pub fn diagonal_margins(qk: &Matrix) -> Result<Vec<Step>, ProofError> {
    let mut steps = Vec::new();
    let (sleeping, copying, own, start) = (dormant("c"), copy("c"), dormant("c"), bos());
    for (which, facts) in &cases()? {
        let same = *which == "the own group";
        let mut add = |says: &str, tokens, nuisances| -> Result<(), ProofError> {
            steps.extend(margin(
                &format!("{says} ({which})"),
                facts,
                qk,
                tokens,
                nuisances,
            )?);
            Ok(())
        };
        let apart = if same {
            Nuisances::Apart
        } else {
            Nuisances::NoHarm
        };
        let (other, token) = (dormant("g"), copy("g"));
        add(
            "a dormant prefers itself to another dormant",
            [&sleeping, &own, &other],
            apart,
        )?;
        add(
            "a dormant prefers itself to a copy token",
            [&sleeping, &own, &token],
            Nuisances::NoHarm,
        )?;
        add(
            "a dormant prefers itself to BOS",
            [&sleeping, &own, &start],
            Nuisances::NoHarm,
        )?;
        add(
            "a copy token prefers its group to BOS",
            [&copying, &own, &start],
            Nuisances::Absent,
        )?;
        add(
            "a copy token prefers its group to a copy token",
            [&copying, &own, &token],
            Nuisances::Absent,
        )?;
        add(
            "a copy token without its group prefers itself to BOS",
            [&copying, &copying, &start],
            Nuisances::Absent,
        )?;
        if !same {
            add(
                "a copy token prefers its group to a dormant",
                [&copying, &own, &other],
                Nuisances::Absent,
            )?;
            let says = "a copy token without its group prefers itself to";
            add(
                &format!("{says} a dormant"),
                [&copying, &copying, &other],
                Nuisances::Absent,
            )?;
            add(
                &format!("{says} a copy token"),
                [&copying, &copying, &token],
                Nuisances::Absent,
            )?;
        }
    }
    Ok(steps)
}
