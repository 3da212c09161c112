//! The lower bound on every diagonal solution of Theorem 7.1, for all T >= 2, C and D.
//!
//! Margins, with multipliers W_t = (t-1)(T-t+1)/2 and averaged over all dormant i and copy a, add up to <Y, B> >= T(T^2-1)/6. In
//! readings A and L, Y = g f^T with g = sum_r (r - (T+1)/2) p_r and f the mean of the dormant h less that of the copy h, so
//! |B|_* >= <Y, B>/(|g| |f|). In reading B a dormant token precedes at t = 2 and Y has more terms.

use super::formula::FormulaError;
use super::positive::Hints;
use super::step::{ProofError, Step, between, plus, v};
use certificates::cases::Relation::Equal;
use constructions::language::{COPY, DORMANT, Family};
use constructions::reading::symbolic_reading::{Symbolic, Unreadable, members, token, within};
use exact::formula::{Expression, Fact, Form};
use exact::{Rational, ratio};

/// The weight W_t of step t.
pub const WEIGHT: &str = "1/2*(t - 1)*(T - t + 1)";

/// A sum of outer products, keys on the left.
type Outers = Vec<(Symbolic, Symbolic)>;

/// The steps.
///
/// # Errors
/// Indices beyond 64 bits, formulas that are no polynomials: defects of this file.
pub fn lower_bound() -> Result<Vec<Step>, ProofError> {
    let mut steps = same_token_before()?;
    steps.extend(weights()?);
    steps.extend(value()?);
    steps.extend(dormant_before()?);
    steps.extend(remainder()?);
    steps.extend(without_second()?);
    Ok(steps)
}

/// `winner` less `loser`.
fn gap(winner: &Symbolic, loser: &Symbolic) -> Symbolic {
    let turned = loser.iter().map(|(x, f, i)| (-x.clone(), *f, i.clone()));
    winner.iter().cloned().chain(turned).collect()
}

fn one(family: Family, index: &Form) -> Symbolic {
    vec![(ratio(1, 1), family, index.clone())]
}

/// Two sums of outer products are the same matrix, entry by entry.
fn same(
    says: &str,
    facts: &[Fact],
    margins: &Outers,
    claimed: &Outers,
) -> Result<Vec<Step>, Unreadable> {
    let mut steps = Vec::new();
    let families = [(Family::Context, "h"), (Family::Position, "p")];
    for (row, row_name) in families {
        for (column, column_name) in families {
            let mut facts = facts.to_vec();
            facts.extend(members(row, &v("r"))?);
            facts.extend(members(column, &v("q"))?);
            let mut terms = Vec::new();
            for (sign, outers) in [(1, margins), (-1, claimed)] {
                for (left, right) in outers {
                    terms.extend(entry(sign, left, right, row, column)?);
                }
            }
            let says = format!("{says}, entry {row_name}_r, {column_name}_q");
            let goal = Expression::Sum(terms);
            steps.push(Step::new(says, facts, goal, Equal, ratio(0, 1)));
        }
    }
    Ok(steps)
}

/// The entry at row r and column q of an outer product.
fn entry(
    sign: i64,
    left: &Symbolic,
    right: &Symbolic,
    row: Family,
    column: Family,
) -> Result<Vec<(Rational, Expression)>, Unreadable> {
    let at = |name: &str, index: &Form| {
        let zero = v(name).combine(-1, index).map(Fact::Zero);
        zero.ok_or(Unreadable::Overflow)
    };
    let mut terms = Vec::new();
    for (x, _, i) in left.iter().filter(|l| l.1 == row) {
        for (y, _, j) in right.iter().filter(|r| r.1 == column) {
            let number = Expression::Number(Rational::integer(sign) * x * y);
            let facts = vec![at("r", i)?, at("q", j)?];
            terms.push((ratio(1, 1), Expression::Where(facts, Box::new(number))));
        }
    }
    Ok(terms)
}

/// C, D >= 1; i dormant, a a copy token.
fn tokens() -> Result<Vec<Fact>, Unreadable> {
    let mut facts = vec![
        Fact::NonNegative(plus("C", -1)?),
        Fact::NonNegative(plus("D", -1)?),
    ];
    facts.extend(within(&v("i"), &DORMANT)?);
    facts.extend(within(&v("a"), &COPY)?);
    Ok(facts)
}

/// The margins of step t add up to `(p_t - p_{t-1})(h_i - h_a)^T`: a dormant query against the same token before, and that
/// token before against a copy query. All readings have both from t = 3 on, A and L from t = 2 on.
fn same_token_before() -> Result<Vec<Step>, Unreadable> {
    let (t, before) = (v("t"), plus("t", -1)?);
    let mut facts = tokens()?;
    facts.extend(between(&Form::from(2), &t, &v("T"))?);
    let (sleeping, copying) = (token(&v("i"), &t), token(&v("a"), &t));
    let margins = vec![
        (gap(&sleeping, &token(&v("i"), &before)), sleeping),
        (gap(&token(&v("a"), &before), &copying), copying),
    ];
    let up = gap(&one(Family::Position, &t), &one(Family::Position, &before));
    let claimed = vec![(up, contrast())];
    same("the margins of step t", &facts, &margins, &claimed)
}

/// `h_i - h_a`.
fn contrast() -> Symbolic {
    gap(
        &one(Family::Context, &v("i")),
        &one(Family::Context, &v("a")),
    )
}

/// W_t >= 0, and sum_t W_t (p_t - p_{t-1}) = sum_r (r - (T+1)/2) p_r.
fn weights() -> Result<Vec<Step>, FormulaError> {
    let here = [("T", ratio(4, 1)), ("t", ratio(2, 1))];
    let at = |t: &str| WEIGHT.replace('t', &format!("({t})"));
    Ok(vec![
        Step::real(
            "W_t >= 0",
            &["t - 1 >= 0", "T - t + 1 >= 0"],
            WEIGHT,
            products(2),
            &here,
        )?,
        Step::identity(
            "W_t - W_{t+1} = t - (T+1)/2",
            &format!("{} - {}", at("t"), at("t + 1")),
            "t - 1/2*(T + 1)",
            &here,
        )?,
        Step::identity("W_1 = 0", &at("1"), "0", &here)?,
        Step::identity("W_{T+1} = 0", &at("T + 1"), "0", &here)?,
    ])
}

fn products(factors: u32) -> Hints {
    Hints {
        factors,
        ..Hints::default()
    }
}

/// With N = T(T^2-1): <Y, B> >= 2 sum W_t = N/6, |g|^2 = N/12, |f|^2 = 1/C + 1/D, and these give the stated bound.
fn value() -> Result<Vec<Step>, FormulaError> {
    let given = [
        "C > 0",
        "D > 0",
        "C + D > 0",
        "3*(C + D)*b - C*D*N = 0",
        "12*C*D*y - N*(C + D) = 0",
    ];
    let here = [
        ("C", ratio(1, 1)),
        ("D", ratio(1, 1)),
        ("N", ratio(6, 1)),
        ("b", ratio(1, 1)),
        ("y", ratio(1, 1)),
    ];
    let hints = Hints {
        multiplier: vec![(0, 1), (1, 1), (2, 1)],
        factors: 0,
        multiples: 3,
        ..Hints::default()
    };
    Ok(vec![Step::real(
        "the stated bound b satisfies b^2 |Y|^2 <= (N/6)^2",
        &given,
        "N^2 - 36*b*y",
        hints,
        &here,
    )?])
}

/// Reading B at t = 2, where dormant i precedes: the margins add up to one more term, `(h_i - h_a)(h_a + p_2)^T`.
fn dormant_before() -> Result<Vec<Step>, Unreadable> {
    let (first, second) = (Form::from(1), Form::from(2));
    let mut facts = tokens()?;
    facts.push(Fact::NonNegative(plus("T", -2)?));
    let (sleeping, copying) = (token(&v("i"), &second), token(&v("a"), &second));
    let before = token(&v("i"), &first);
    let margins = vec![
        (gap(&sleeping, &before), sleeping),
        (gap(&before, &copying), copying.clone()),
    ];
    let up = gap(
        &one(Family::Position, &second),
        &one(Family::Position, &first),
    );
    let claimed = vec![(up, contrast()), (contrast(), copying)];
    same(
        "the margins at t = 2 in reading B",
        &facts,
        &margins,
        &claimed,
    )
}

/// So Y = g f^T + W_2 f p_2^T + R in reading B, R = (W_2/C) sum_a (hbar_D - h_a) h_a^T: the first two are an orthogonal sum, of
/// norm |g| |f| since |g| >= W_2, and |R|^2 = (W_2/C)^2 (1 + C/D) = rho^2 |g|^2 |f|^2 with rho^2 = 3(T-1)/(C T (T+1)).
fn remainder() -> Result<Vec<Step>, FormulaError> {
    let two = || [("T", ratio(2, 1))];
    Ok(vec![
        Step::identity(
            "W_2 = (T-1)/2",
            &WEIGHT.replace('t', "(2)"),
            "1/2*(T - 1)",
            &two(),
        )?,
        Step::real(
            "|g| >= W_2",
            &["T - 2 >= 0"],
            "1/12*T*(T^2 - 1) - 1/4*(T - 1)^2",
            products(3),
            &two(),
        )?,
        // Both sides times C T (T+1) C D.
        Step::identity(
            "|R|^2 = rho^2 |g|^2 |f|^2",
            "1/4*(T - 1)^2*T*(T + 1)*(C + D)",
            "3*(T - 1)*1/12*T*(T^2 - 1)*(C + D)",
            &[("T", ratio(2, 1)), ("C", ratio(1, 1)), ("D", ratio(1, 1))],
        )?,
    ])
}

/// Without the step at t = 2, positions 2..T are a sequence of length T - 1.
fn without_second() -> Result<Vec<Step>, FormulaError> {
    let value = "T*(T^2 - 1)".replace('T', "(T - 1)");
    Ok(vec![Step::identity(
        "N for T - 1 positions is T(T-1)(T-2)",
        &value,
        "T*(T - 1)*(T - 2)",
        &[("T", ratio(3, 1))],
    )?])
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may stop where something is missing
mod tests {
    use super::super::step::{Decision, Question};
    use super::*;

    fn refuted(steps: &[Step]) -> bool {
        let wrong = |s: &Step| matches!(s.decide(), Decision::Refuted(_));
        steps.iter().any(wrong)
    }

    #[test]
    fn other_margins_do_not_add_up() {
        let (t, before) = (v("t"), plus("t", -1).unwrap());
        let mut facts = tokens().unwrap();
        facts.extend(between(&Form::from(2), &t, &v("T")).unwrap());
        let sleeping = token(&v("i"), &t);
        let (copying, previous) = (token(&v("a"), &t), token(&v("a"), &before));
        let up = gap(&one(Family::Position, &t), &one(Family::Position, &before));
        let claimed = vec![(up, contrast())];
        let with = |winner: &Symbolic, loser: &Symbolic, key: &Symbolic| {
            let margins = vec![
                (gap(&sleeping, key), sleeping.clone()),
                (gap(winner, loser), copying.clone()),
            ];
            same("margins", &facts, &margins, &claimed).unwrap()
        };
        let own = token(&v("i"), &before);
        assert!(!refuted(&with(&previous, &copying, &own)));
        // The copy query prefers itself; another token precedes the dormant one; the copy token is not where the dormant one is.
        assert!(refuted(&with(&copying, &previous, &own)));
        assert!(refuted(&with(&previous, &copying, &previous)));
        assert!(refuted(&with(&token(&v("i"), &before), &copying, &own)));
    }

    #[test]
    fn other_weights_and_bounds_fail() {
        let two = [("T", ratio(4, 1)), ("t", ratio(2, 1))];
        let wrong = Step::identity("", "1/2*t*(T - t)", WEIGHT, &two).unwrap();
        assert!(refuted(&[wrong]));
        // A bound whose square is 1.01 times the stated one.
        let Question::Reals {
            mut problem,
            script,
            hints,
            example,
        } = value().unwrap().remove(0).question
        else {
            unreachable!("it is about real numbers")
        };
        problem.goal = super::super::formula::polynomial("N^2 - 36.36*b*y").unwrap();
        let question = Question::Reals {
            problem,
            script,
            hints,
            example,
        };
        assert!(refuted(&[Step {
            says: String::new(),
            question
        }]));
    }
}
