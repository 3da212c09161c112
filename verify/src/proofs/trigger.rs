//! The ReLU model for every length and every trigger position: scores by cases in the positions of query, key and trigger; and the
//! chain of inequalities that bounds the mass off BOS in softmax solutions with small errors.

use super::positive::Hints;
use super::step::{ProofError, Step, between, plus, v};
use certificates::cases::Relation;
use constructions::reading::symbolic_reading::Unreadable;
use constructions::trigger::relu::{Model, Token};
use exact::formula::{Expression, Fact, Form};
use exact::{Rational, ratio};

/// The cases in which position `p` holds a token of a kind: BOS at 1, the trigger at j >= 3, all others elsewhere.
fn cases(token: Token, p: &str) -> Result<Vec<Vec<Fact>>, ProofError> {
    let less = |a: &Form, b: &Form| a.combine(-1, b).ok_or(Unreadable::Overflow);
    let one = Form::from(1);
    Ok(match token {
        Token::Bos => vec![vec![Fact::Zero(less(&v(p), &one)?)]],
        Token::Trigger => vec![vec![Fact::Zero(less(&v(p), &v("j"))?)]],
        Token::Other => vec![
            between(&Form::from(2), &v(p), &plus("j", -1)?)?,
            vec![Fact::NonNegative(less(&v(p), &plus("j", 1)?)?)],
        ],
    })
}

/// relu(score) of query i and key k, summed over what the two may be.
fn score(model: &Model) -> Result<Expression, ProofError> {
    let kinds = [Token::Bos, Token::Trigger, Token::Other];
    let mut sum = Vec::new();
    for query in kinds {
        for key in kinds {
            let value = &model.0[query.coordinate()][key.coordinate()];
            for a in cases(query, "i")? {
                for b in cases(key, "k")? {
                    let both = [&a[..], &b].concat();
                    let number = Box::new(Expression::Number(value.clone()));
                    sum.push((ratio(1, 1), Expression::Where(both, number)));
                }
            }
        }
    }
    Ok(Expression::Relu(Box::new(Expression::Sum(sum))))
}

/// Off the trigger every weight is 0; at the trigger j >= 3, keys 2..j-1 have relu(score) = 1, BOS and the trigger itself 0.
///
/// # Errors
/// Numbers beyond 64 bits: none here.
pub fn relu(model: &Model) -> Result<Vec<Step>, ProofError> {
    let less = |a: &Form, b: &Form| a.combine(-1, b).ok_or(Unreadable::Overflow);
    let mut base = vec![Fact::NonNegative(plus("j", -3)?)];
    base.extend(between(&Form::from(1), &v("k"), &v("i"))?);
    let with = |more: Vec<Fact>| [&base[..], &more].concat();
    let at_trigger = Fact::Zero(less(&v("i"), &v("j"))?);
    let range = |low: i64, high: Form| between(&Form::from(low), &v("k"), &high);
    let mut steps = Vec::new();
    let mut push = |says: &str, facts: Vec<Fact>, value: i64| -> Result<(), ProofError> {
        let value = Rational::integer(value);
        steps.push(Step::new(
            says,
            with(facts),
            score(model)?,
            Relation::Equal,
            value,
        ));
        Ok(())
    };
    push(
        "a query before the trigger gives every key the score 0",
        vec![Fact::NonNegative(less(&plus("j", -1)?, &v("i"))?)],
        0,
    )?;
    push(
        "a query after the trigger gives every key the score 0",
        vec![Fact::NonNegative(less(&v("i"), &plus("j", 1)?)?)],
        0,
    )?;
    push(
        "the trigger gives the keys 2..j-1 the score 1, so the weight 1/(j-2)",
        [vec![at_trigger.clone()], range(2, plus("j", -1)?)?].concat(),
        1,
    )?;
    push(
        "the trigger gives BOS the score 0",
        vec![at_trigger.clone(), Fact::Zero(plus("k", -1)?)],
        0,
    )?;
    push(
        "the trigger gives itself the score 0",
        vec![at_trigger, Fact::Zero(less(&v("k"), &v("j"))?)],
        0,
    )?;
    Ok(steps)
}

/// From s = S c with M S = Y + E to the bound on the mass: c = |c|, sg = sigma, f = |E|, e = 2 eta, n = |S|, l = |l|, m the mass.
///
/// # Errors
/// A formula that is no polynomial.
pub fn softmax() -> Result<Vec<Step>, ProofError> {
    let one = |n: &'static str, a: i64| (n, ratio(a, 1));
    let example = [
        one("c", 1),
        one("sg", 3),
        one("f", 1),
        one("e", 2),
        one("n", 1),
        one("l", 1),
        one("m", 1),
    ];
    let hints = Hints {
        factors: 3,
        ..Hints::default()
    };
    // |M s - y| <= |output - y| + w_0 |M b|, both errors at most eta.
    let parts = [
        ("h", ratio(1, 1)),
        ("u", ratio(1, 1)),
        ("v", ratio(1, 1)),
        ("w", ratio(1, 1)),
    ];
    let errors = Step::real(
        "an error u <= eta at a position and v <= eta at BOS of weight w <= 1 add up to at most 2 eta",
        &["h - u >= 0", "h - v >= 0", "1 - w >= 0", "w >= 0", "v >= 0"],
        "2*h - (u + w*v)",
        Hints {
            factors: 2,
            ..Hints::default()
        },
        &parts,
    )?;
    let (sizes, chain) = (
        ["c >= 0", "sg - f > 0", "e - (sg*c - f*c) >= 0"],
        ["n >= 0", "l >= 0", "l*n*c - m >= 0"],
    );
    let given = [&sizes[..], &chain].concat();
    let product = Step::real(
        "mass (sigma - |E|) <= |l| |S| 2 eta",
        &given,
        "l*n*e - m*(sg - f)",
        hints,
        &example,
    )?;
    Ok(vec![errors, product])
}
