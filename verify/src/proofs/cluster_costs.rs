//! What the two builds of Theorem D.1 cost, for all C, phi, lambda, epsilon, Delta and r_eta.
//!
//! Letters: l = lambda, x = 2 C phi, e = epsilon, r = r_eta, b = beta, Q = sqrt(2C). A query-key product is read as a form M on an
//! orthonormal frame e_0, e_c, e_{C+c}, term by term: each term is an orthogonal sum, and norms add up at most.

use super::formula::FormulaError;
use super::norms::{Side, multiply, pairs, square, terms_of};
use super::positive::Hints;
use super::step::{ProofError, Step, plus};
use super::theta::{is_base, multiple_of_base, through_units};
use certificates::polynomial::Polynomial;
use constructions::language::{Family, Matrix, Member, Term};
use constructions::reading::symbolic_reading::affine;
use exact::formula::{Fact, Form};
use exact::{Rational, ratio};

type Steps = Result<Vec<Step>, ProofError>;

/// What is known of the parameters: the hypotheses of Theorem 7.2.
const RANGE: [&str; 8] = [
    "C - 1 >= 0",
    "l - 5/6 >= 0",
    "1 - l >= 0",
    "x >= 0",
    "1/4 - x >= 0",
    "Q >= 0",
    "3/2*C - Q >= 0",
    "r >= 0",
];

/// Parameters that meet it.
fn here() -> Vec<(&'static str, Rational)> {
    vec![
        ("C", ratio(2, 1)),
        ("l", ratio(12, 13)),
        ("x", ratio(1, 10)),
        ("Q", ratio(2, 1)),
        ("r", ratio(3, 1)),
    ]
}

fn products(factors: u32) -> Hints {
    Hints {
        factors,
        ..Hints::default()
    }
}

/// `lambda >= 5/6` from `lambda^2 >= 3/4`, and `sqrt(2C) <= 3/2 C`.
fn roots() -> Result<Vec<Step>, FormulaError> {
    let by_conjugate = || Hints {
        multiplier: vec![(0, 1)],
        factors: 2,
        multiples: 1,
        ..Hints::default()
    };
    Ok(vec![
        Step::real(
            "lambda >= 5/6",
            &["l + 5/6 > 0", "4*l^2 - 3 >= 0"],
            "l - 5/6",
            by_conjugate(),
            &[("l", ratio(12, 13))],
        )?,
        Step::real(
            "sqrt(2C) <= 3/2 C",
            &["Q + 3/2*C > 0", "C - 1 >= 0", "Q^2 - 2*C = 0"],
            "3/2*C - Q",
            by_conjugate(),
            &[("C", ratio(2, 1)), ("Q", ratio(2, 1))],
        )?,
    ])
}

/// The bound on |M|_* that the terms of a form give, times lambda^2, as a formula in l, C and Q, with the steps that show it.
pub(super) fn special_norm(form: &[Term]) -> Result<(Vec<Step>, String), ProofError> {
    let sizes = [Fact::NonNegative(plus("C", -1)?)];
    let two_c = Form::from(0).combine(2, &Form::variable("C"));
    let (mut steps, mut norm) = (Vec::new(), vec!["0".to_string()]);
    for (k, term) in form.iter().enumerate() {
        let other = |why: &str| ProofError::Other(format!("term {}: {why}", k + 1));
        let c = &term.coefficient;
        let power = c.powers.lambda.checked_add(2);
        let power = power.filter(|p| (0..=20).contains(p));
        let (Some(power), None, 0, 0) = (power, c.over, c.powers.separation, c.powers.epsilon)
        else {
            return Err(other("its factor is no number over lambda or lambda^2"));
        };
        let alone = Matrix(vec![term.clone()]);
        let mut shown = pairs(&alone, &sizes, &[Side::Left, Side::Right])?;
        let (of_left, left) = square(0, term, &sizes, Side::Left)?;
        let (of_right, right) = square(0, term, &sizes, Side::Right)?;
        shown.extend(of_left.into_iter().chain(of_right));
        steps.extend(shown.into_iter().map(|s| Step {
            says: format!("part {}: {}", k + 1, s.says),
            ..s
        }));
        let squared = multiply(&left, &right, &ratio(1, 1))?;
        let root = if squared == Form::from(1) {
            "1"
        } else if Some(&squared) == two_c.as_ref() {
            "Q"
        } else {
            return Err(other(&format!("its square {squared} is neither 1 nor 2C")));
        };
        let count = linear(&affine(&terms_of(term)?));
        let size = c.value.abs();
        norm.push(format!("{size}*l^{power}*({count})*{root}"));
    }
    Ok((steps, norm.join(" + ")))
}

fn linear(form: &Form) -> String {
    let terms = form.terms.iter().map(|(name, x)| format!("({x})*{name}"));
    let all: Vec<String> = terms.chain([format!("({})", form.constant)]).collect();
    all.join(" + ")
}

/// `goal >= 0` over the range.
fn in_range(says: &str, goal: &str, factors: u32) -> Result<Step, FormulaError> {
    Step::real(says, &RANGE, goal, products(factors), &here())
}

/// The steps for a bound `most * C` on `2 gamma |M|_*`, gamma = 1/(1 - x), given `norm` = lambda^2 |M|_* at most.
fn attention(name: &str, norm: &str, most: &Rational) -> Result<Vec<Step>, FormulaError> {
    let mut steps = roots()?;
    steps.push(in_range(
        &format!("2 gamma |{name}|_* <= {most} C"),
        &format!("({most})*C*(1 - x)*l^2 - 2*({norm})"),
        4,
    )?);
    Ok(steps)
}

/// The factors of T_base in the value map and in the MLP, as polynomials in e. Every hidden unit must read one dual vector and write a
/// multiple of the vector that it belongs to.
pub(super) fn factors(
    vo: &Matrix,
    w1: &Matrix,
    w2: &Matrix,
) -> Result<[Polynomial; 2], ProofError> {
    let unit = |t: &Term| match t.left.0.as_slice() {
        [part] if part.coefficient == ratio(1, 1) => match part.atom.family {
            Family::ClusterUnit(member) => Some(member),
            _ => None,
        },
        _ => None,
    };
    let members: Vec<Option<Member>> = w1.0.iter().map(unit).collect();
    let plain = w1.0.iter().all(|t| t.coefficient == ratio(1, 1).into());
    let known = [Some(Member::Nuisance), Some(Member::Centroid)];
    if !plain || members.len() != 2 || !known.iter().all(|m| members.contains(m)) {
        let why = "W_1 must have one unit for each nuisance direction and group";
        return Err(ProofError::Other(why.into()));
    }
    Ok([
        multiple_of_base(vo)?,
        multiple_of_base(&through_units(w2, w1))?,
    ])
}

/// `beta <= 4/3`, and `sqrt gamma <= beta`.
fn beta() -> Result<Vec<Step>, FormulaError> {
    let one = || ratio(1, 1);
    let by_conjugate = || Hints {
        multiplier: vec![(0, 1), (1, 1)],
        factors: 1,
        multiples: 0,
        ..Hints::default()
    };
    Ok(vec![
        Step::real(
            "beta <= 4/3",
            &[
                "4/3 + b > 0",
                "1 - x > 0",
                "x >= 0",
                "1/4 - x >= 0",
                "b^2*(1 - x) - 1 - x = 0",
            ],
            "4/3 - b",
            by_conjugate(),
            &[("x", ratio(0, 1)), ("b", one())],
        )?,
        Step::real(
            "sqrt gamma <= beta",
            &[
                "b + g > 0",
                "1 - x > 0",
                "x >= 0",
                "b^2*(1 - x) - 1 - x = 0",
                "g^2*(1 - x) - 1 = 0",
            ],
            "b - g",
            by_conjugate(),
            &[("x", ratio(0, 1)), ("b", one()), ("g", one())],
        )?,
    ])
}

/// `goal >= 0` for the parts that do not grow with kappa.
fn rest(says: &str, goal: &str, factors: u32) -> Result<Step, FormulaError> {
    let given = [
        "r >= 0",
        "C - 1 >= 0",
        "b >= 0",
        "4/3 - b >= 0",
        "e - 1/20 >= 0",
        "1/4 - e >= 0",
    ];
    let here = [
        ("r", ratio(3, 1)),
        ("C", ratio(2, 1)),
        ("b", ratio(1, 1)),
        ("e", ratio(1, 10)),
    ];
    Step::real(says, &given, goal, products(factors), &here)
}

/// `thm-D.1.sink.cost`.
///
/// # Errors
/// Definitions of another form.
pub fn sink_cost(qk: &Matrix, vo: &Matrix, w1: &Matrix, w2: &Matrix) -> Steps {
    let (mut steps, norm) = special_norm(&qk.0)?;
    let stated = "l*Q + (1 + l)*C";
    steps.push(in_range(
        "|M|_* <= a sqrt(2C) + b C",
        &format!("({stated}) - ({norm})"),
        1,
    )?);
    steps.extend(is_base()?);
    let [v, k] = factors(vo, w1, w2)?;
    steps.extend(beta()?);
    steps.extend(at_most("|W_O W_V|_*", &v, "1/2")?);
    steps.extend(at_most("half of the MLP's cost", &k, "1 + e")?);
    Ok(steps)
}

/// `0 <= factor <= most`, so a multiple of T_base costs at most `most (r_eta + C beta)`.
fn at_most(what: &str, factor: &Polynomial, most: &str) -> Result<[Step; 2], FormulaError> {
    Ok([
        rest(
            &format!("{what} is that of a multiple of T_base, the factor at least 0"),
            &factor.to_string(),
            1,
        )?,
        rest(
            &format!("{what} <= ({most}) (r_eta + C beta)"),
            &format!("{most} - ({factor})"),
            1,
        )?,
    ])
}

/// `thm-D.1.sink.upper`, with the constants 12 and 5.
///
/// # Errors
/// Definitions of another form.
pub fn sink_upper([qk, vo, w1, w2]: [&Matrix; 4], [attends, others]: [&Rational; 2]) -> Steps {
    let (mut steps, norm) = special_norm(&qk.0)?;
    steps.extend(attention("M", &norm, attends)?);
    steps.extend(is_base()?);
    let [v, k] = factors(vo, w1, w2)?;
    steps.extend(beta()?);
    steps.push(rest(
        &format!("2 |W_O W_V|_* and the MLP cost at most {others} (r_eta + C)"),
        &format!("({others})*(r + C) - (2*({v}) + 2*({k}))*(r + C*b)"),
        3,
    )?);
    Ok(steps)
}

/// `thm-D.1.diag.cost`.
///
/// # Errors
/// Definitions of another form.
pub fn diagonal_cost(qk: &Matrix, vo: &Matrix) -> Steps {
    let (special, alpha) = super::clusters::split(qk)?;
    let alpha = alpha.abs();
    let (mut steps, norm) = special_norm(&special.0)?;
    steps.push(in_range(
        "|M_diag|_* <= C (1 + 1/lambda)^2",
        &format!("(1 + l)^2*C - ({norm})"),
        1,
    )?);
    steps.push(in_range(
        "alpha |P_eta|_* <= 2/Delta r_eta",
        &format!("2*r - ({alpha})*r"),
        1,
    )?);
    steps.extend(is_base()?);
    let v = multiple_of_base(vo)?;
    steps.extend(at_most("|W_O W_V|_*", &v, "1 - e")?);
    Ok(steps)
}

/// `thm-D.1.diag.upper`, with the constants 13, 4 and 3.
///
/// # Errors
/// Definitions of another form.
pub fn diagonal_upper([qk, vo]: [&Matrix; 2], [attends, apart, others]: [&Rational; 3]) -> Steps {
    let (special, alpha) = super::clusters::split(qk)?;
    let alpha = alpha.abs();
    let (mut steps, norm) = special_norm(&special.0)?;
    steps.extend(attention("M_diag", &norm, attends)?);
    steps.extend(is_base()?);
    steps.push(in_range(
        &format!("2 alpha |P_eta|_* <= {apart}/Delta r_eta"),
        &format!("({apart})*r - 2*({alpha})*r"),
        1,
    )?);
    let v = multiple_of_base(vo)?;
    steps.extend(beta()?);
    steps.push(rest(
        &format!("2 |W_O W_V|_* <= {others} (r_eta + C)"),
        &format!("({others})*(r + C) - 2*({v})*(r + C*b)"),
        3,
    )?);
    Ok(steps)
}
