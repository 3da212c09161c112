//! Theorem 7.1 for all T, C and D: attention margins and labels, from the definitions themselves.

use super::norms::{Summand, orthogonal_sum};
use super::step::{Step, between, difference, plus, v};
use certificates::cases::Relation::{AtLeast, Equal};
use constructions::language::{Affine, CONTEXT, COPY, DORMANT, T};
use constructions::language::{Family, Matrix};
use constructions::reading::symbolic_reading::{
    Symbolic, Unreadable, entry, members, product, row, token, within,
};
use exact::formula::{Expression, Fact, Form};
use exact::{Rational, ratio};

type Steps = Result<Vec<Step>, Unreadable>;

/// T, C, D >= 1.
///
/// # Errors
/// Never.
pub fn sizes() -> Result<Vec<Fact>, Unreadable> {
    let at_least_one = |name| plus(name, -1).map(Fact::NonNegative);
    ["T", "C", "D"].into_iter().map(at_least_one).collect()
}

/// The facts of a step: the sizes, and what is put together here.
fn given(parts: Vec<Result<Vec<Fact>, Unreadable>>) -> Result<Vec<Fact>, Unreadable> {
    let mut facts = sizes()?;
    for part in parts {
        facts.extend(part?);
    }
    Ok(facts)
}

fn dormant(name: &str) -> Result<Vec<Fact>, Unreadable> {
    within(&v(name), &DORMANT)
}

fn copy(name: &str) -> Result<Vec<Fact>, Unreadable> {
    within(&v(name), &COPY)
}

fn any(name: &str) -> Result<Vec<Fact>, Unreadable> {
    within(&v(name), &CONTEXT)
}

fn bos() -> Symbolic {
    token(&Form::from(0), &Form::from(0))
}

/// `winner B query - loser B query >= 1`.
fn margin(
    says: &str,
    facts: Vec<Fact>,
    qk: &Matrix,
    [winner, loser, query]: [&Symbolic; 3],
) -> Result<Step, Unreadable> {
    let logit = |key: &Symbolic| -> Result<Expression, Unreadable> {
        let entry = entry(qk, key, query)?;
        if entry.divided.is_empty() {
            Ok(entry.plain)
        } else {
            Err(Unreadable::Powers)
        }
    };
    let goal = difference(logit(winner)?, logit(loser)?);
    Ok(Step::new(says, facts, goal, AtLeast, ratio(1, 1)))
}

/// The margins of the sink pattern for dormant queries, and for copy queries from position 2 on. Keys may be any token that
/// some reading allows before the query.
///
/// # Errors
/// A definition that the symbolic reading cannot express.
pub fn sink_margins(qk: &Matrix) -> Steps {
    let (one, t, two) = (Form::from(1), v("t"), Form::from(2));
    let before = plus("t", -1)?;
    let query = token(&v("j"), &t);
    let key = token(&v("i"), &v("s"));
    let previous = token(&v("k"), &before);
    let here = || between(&one, &t, &v("T"));
    let later = || between(&two, &t, &v("T"));
    Ok(vec![
        margin(
            "a dormant query prefers BOS to every earlier token",
            given(vec![
                here(),
                dormant("j"),
                any("i"),
                between(&one, &v("s"), &before),
            ])?,
            qk,
            [&bos(), &key, &query],
        )?,
        margin(
            "a dormant query prefers BOS to itself",
            given(vec![here(), dormant("j")])?,
            qk,
            [&bos(), &query, &query],
        )?,
        margin(
            "a copy query at t >= 2 prefers its predecessor to BOS",
            given(vec![later(), copy("j"), any("k")])?,
            qk,
            [&previous, &bos(), &query],
        )?,
        margin(
            "a copy query at t >= 2 prefers its predecessor to every earlier token",
            given(vec![
                later(),
                copy("j"),
                any("k"),
                any("i"),
                between(&one, &v("s"), &plus("t", -2)?),
            ])?,
            qk,
            [&previous, &key, &query],
        )?,
        margin(
            "a copy query at t >= 2 prefers its predecessor to itself",
            given(vec![later(), copy("j"), any("k")])?,
            qk,
            [&previous, &query, &query],
        )?,
    ])
}

/// Reading L's extra margin: a copy query at t = 1 prefers BOS to itself.
///
/// # Errors
/// A definition that the symbolic reading cannot express.
pub fn first_margin(qk: &Matrix) -> Steps {
    let query = token(&v("j"), &Form::from(1));
    Ok(vec![margin(
        "a copy query at t = 1 prefers BOS to itself",
        given(vec![copy("j")])?,
        qk,
        [&bos(), &query, &query],
    )?])
}

/// A generic coordinate of the residual stream: its name, itself, and the facts that say which.
type Coordinate = (&'static str, Symbolic, Vec<Fact>);

/// The generic coordinates.
fn coordinates() -> Result<Vec<Coordinate>, Unreadable> {
    let one = |family, name| -> Symbolic { vec![(ratio(1, 1), family, v(name))] };
    Ok(vec![
        (
            "h_a",
            one(Family::Context, "a"),
            members(Family::Context, &v("a"))?,
        ),
        (
            "p_a",
            one(Family::Position, "a"),
            members(Family::Position, &v("a"))?,
        ),
        // Whatever the frame has beside the h_i and p_t.
        ("other", one(Family::Frame, "a"), Vec::new()),
    ])
}

/// `V x = factor x`, coordinate by coordinate.
fn value(says: &str, facts: &[Fact], vo: &Matrix, x: &Symbolic, factor: i64) -> Steps {
    let mut steps = Vec::new();
    for (name, at, more) in coordinates()? {
        let entry = entry(vo, &at, x)?;
        let facts: Vec<Fact> = facts.iter().cloned().chain(more).collect();
        let wanted = Expression::Sum(vec![(Rational::integer(factor), product(&at, x)?)]);
        let goal = difference(entry.plain, wanted);
        steps.push(Step::new(
            format!("{says}, coordinate {name}"),
            facts.clone(),
            goal,
            Equal,
            ratio(0, 1),
        ));
        for (k, part) in entry.divided.into_iter().enumerate() {
            let says = format!("{says}, coordinate {name}: divided term {} vanishes", k + 1);
            steps.push(Step::new(
                says,
                facts.clone(),
                part.right,
                Equal,
                ratio(0, 1),
            ));
        }
    }
    Ok(steps)
}

/// The MLP without biases maps a state to a target, coordinate by coordinate: `W_2 relu(W_1 u) = y`.
fn mlp(
    says: &str,
    facts: &[Fact],
    [w1, w2]: [&Matrix; 2],
    state: &Symbolic,
    target: &Symbolic,
) -> Steps {
    let mut steps = Vec::new();
    for (name, at, more) in coordinates()? {
        let mut output = Vec::new();
        for (weight, facts, family, index) in row(w2, &at)? {
            let unit = vec![(ratio(1, 1), family, index)];
            let before = entry(w1, &unit, state)?;
            if !before.divided.is_empty() {
                return Err(Unreadable::Powers);
            }
            let relu = Expression::Relu(Box::new(before.plain));
            output.push((weight, Expression::Where(facts, Box::new(relu))));
        }
        output.push((ratio(-1, 1), product(&at, target)?));
        let facts = facts.iter().cloned().chain(more).collect();
        let says = format!("{says}, coordinate {name}");
        steps.push(Step::new(
            says,
            facts,
            Expression::Sum(output),
            Equal,
            ratio(0, 1),
        ));
    }
    Ok(steps)
}

/// The value of BOS is 0, and that of a predecessor is itself.
///
/// # Errors
/// A definition that the symbolic reading cannot express.
pub fn passes(vo: &Matrix) -> Steps {
    let later = between(&Form::from(2), &v("t"), &v("T"));
    let copying = given(vec![later, copy("j"), any("k")])?;
    let previous = token(&v("k"), &plus("t", -1)?);
    let mut steps = value("BOS has the value 0", &sizes()?, vo, &bos(), 0)?;
    let says = "a predecessor passes as it is";
    steps.extend(value(says, &copying, vo, &previous, 1)?);
    Ok(steps)
}

/// The labels of the sink pattern, given its margins: BOS keeps itself, a dormant token doubles, a copy token at t >= 2 adds
/// its predecessor.
///
/// # Errors
/// A definition that the symbolic reading cannot express.
pub fn sink_labels(vo: &Matrix, w1: &Matrix, w2: &Matrix) -> Steps {
    let (one, two, t) = (Form::from(1), Form::from(2), v("t"));
    let (x, previous) = (token(&v("j"), &t), token(&v("k"), &plus("t", -1)?));
    let sleeping = given(vec![between(&one, &t, &v("T")), dormant("j")])?;
    let copying = given(vec![between(&two, &t, &v("T")), copy("j"), any("k")])?;
    let mut steps = passes(vo)?;
    let (layers, nothing) = ([w1, w2], Symbolic::new());
    steps.extend(mlp(
        "the MLP is silent on BOS",
        &sizes()?,
        layers,
        &bos(),
        &nothing,
    )?);
    // The state of a dormant query is its token, which RMSNorm leaves alone because its square is 2 = |h|^2 + |p|^2.
    let says = "a dormant token has the norm that RMSNorm gives";
    steps.push(Step::new(
        says,
        sleeping.clone(),
        product(&x, &x)?,
        Equal,
        ratio(2, 1),
    ));
    let says = "the MLP repeats a dormant token";
    steps.extend(mlp(says, &sleeping, layers, &x, &x)?);
    let state: Symbolic = x.into_iter().chain(previous).collect();
    let says = "the MLP is silent on a copy token and its predecessor";
    steps.extend(mlp(says, &copying, layers, &state, &nothing)?);
    Ok(steps)
}

/// Reading L's extra label, given its margin: a copy token at t = 1 adds BOS.
///
/// # Errors
/// A definition that the symbolic reading cannot express.
pub fn first_label(w1: &Matrix, w2: &Matrix) -> Steps {
    let (facts, x) = (given(vec![copy("j")])?, token(&v("j"), &Form::from(1)));
    let says = "a copy token has the norm that RMSNorm gives";
    let mut steps = vec![Step::new(
        says,
        facts.clone(),
        product(&x, &x)?,
        Equal,
        ratio(2, 1),
    )];
    let says = "the MLP adds BOS to a copy token at t = 1";
    steps.extend(mlp(says, &facts, [w1, w2], &x, &bos())?);
    Ok(steps)
}

/// The nuclear norm of (7), `sqrt(2D) + T - 1`; with the repair of reading L, `sqrt(2D + 1/2) + T - 1`.
///
/// # Errors
/// A definition that the symbolic reading cannot express.
pub fn sink_norm(qk: &Matrix, first: bool) -> Steps {
    let (eight_d, half) = (Affine { d: 8, ..0.into() }, if first { 2 } else { 0 });
    let claimed = [
        Summand {
            count: 1.into(),
            four_squares: eight_d + half.into(),
        },
        Summand {
            count: T - 1,
            four_squares: 4.into(),
        },
    ];
    orthogonal_sum(qk, &sizes()?, &claimed)
}
