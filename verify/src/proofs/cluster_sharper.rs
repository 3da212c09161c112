//! Sharper constants for D.1's builds, the cheaper sink, and Theorem 7.2, mended, for all parameters.
//!
//! Letters: l = lambda, x = 2 C phi, e = epsilon, r = r_eta, b = beta. As phi <= 1/20, x <= C/10: what the sink's 9.2 needs.

use super::cluster_costs::{factors, special_norm};
use super::cluster_lower::by_conjugate;
use super::formula::FormulaError;
use super::positive::Hints;
use super::step::{ProofError, Step};
use super::theta::{is_base, multiple_of_base};
use constructions::cluster::sink;
use constructions::language::{Family, Matrix, Member};
use exact::{Rational, ratio};
use std::collections::BTreeMap;

type Steps = Result<Vec<Step>, ProofError>;

fn products(factors: u32) -> Hints {
    Hints {
        factors,
        ..Hints::default()
    }
}

/// `thm-D.1.constants~`: 9.2, 3.5 and 4.52 for the sink, 8.76, 4, 1.9 and 2.46 for the diagonal.
///
/// # Errors
/// Definitions of another form.
pub fn constants([qk, vo, w1, w2]: [&Matrix; 4], [diagonal, diagonal_vo]: [&Matrix; 2]) -> Steps {
    let (mut steps, norm) = special_norm(&qk.0)?;
    steps.extend(attention_of_sink(&norm)?);
    steps.extend(is_base()?);
    steps.push(beta()?);
    let [v, k] = factors(vo, w1, w2)?;
    steps.push(rest(
        "3.5 r_eta + 4.52 C",
        &format!("3.5*r + 4.52*C - (2*({v}) + 2*({k}))*(r + C*b)"),
    )?);
    let (special, alpha) = super::clusters::split(diagonal)?;
    let alpha = alpha.abs();
    steps.extend(attention_of_diagonal(&special)?);
    steps.push(rest("4/Delta r_eta", &format!("4*r - 2*({alpha})*r"))?);
    let v = multiple_of_base(diagonal_vo)?;
    steps.push(rest(
        "1.9 r_eta + 2.46 C",
        &format!("1.9*r + 2.46*C - 2*({v})*(r + C*b)"),
    )?);
    Ok(steps)
}

/// `beta <= 1.291`.
fn beta() -> Result<Step, FormulaError> {
    Step::real(
        "beta <= 1.291",
        &[
            "1.291 + b > 0",
            "1 - x > 0",
            "x >= 0",
            "1/4 - x >= 0",
            "b^2*(1 - x) - 1 - x = 0",
        ],
        "1.291 - b",
        Hints {
            multiplier: vec![(0, 1), (1, 1)],
            factors: 1,
            ..Hints::default()
        },
        &[("x", ratio(0, 1)), ("b", ratio(1, 1))],
    )
}

/// What does not grow with kappa is at most as stated.
fn rest(stated: &str, goal: &str) -> Result<Step, FormulaError> {
    let given = [
        "r >= 0",
        "C - 1 >= 0",
        "b >= 0",
        "1.291 - b >= 0",
        "e - 1/20 >= 0",
        "1/4 - e >= 0",
    ];
    let here = [
        ("r", ratio(3, 1)),
        ("C", ratio(2, 1)),
        ("b", ratio(1, 1)),
        ("e", ratio(1, 10)),
    ];
    Step::real(
        format!("at most {stated}"),
        &given,
        goal,
        products(3),
        &here,
    )
}

/// `2 gamma |M|_* <= 9.2 C`, by the number of groups; `norm` is lambda^2 |M|_* at most, Q = sqrt(2C).
fn attention_of_sink(norm: &str) -> Result<Vec<Step>, FormulaError> {
    let goal = format!("4.6*C*(1 - x)*l^2 - ({norm})");
    let mut steps = vec![
        Step::real(
            "lambda >= 0.866",
            &["l + 0.866 > 0", "4*l^2 - 3 >= 0"],
            "l - 0.866",
            by_conjugate(1),
            &[("l", ratio(12, 13))],
        )?,
        root(
            "C = 1: sqrt(2C) <= 1.4143",
            &["1 - C >= 0"],
            "1.4143",
            (ratio(1, 2), ratio(1, 1)),
        )?,
        root(
            "C = 2: sqrt(2C) <= 2",
            &["2 - C >= 0"],
            "2",
            (ratio(2, 1), ratio(2, 1)),
        )?,
        root(
            "C >= 3: sqrt(2C) <= 0.8166 C",
            &["C - 3 >= 0"],
            "0.8166*C",
            (ratio(8, 1), ratio(4, 1)),
        )?,
    ];
    for (says, groups, most, small, here) in [
        (
            "C = 1",
            "C - 1 = 0",
            "1/10 - x >= 0",
            "1.4143 - Q >= 0",
            (1, 1),
        ),
        ("C = 2", "C - 2 = 0", "1/5 - x >= 0", "2 - Q >= 0", (2, 2)),
        (
            "C >= 3",
            "C - 3 >= 0",
            "1/4 - x >= 0",
            "0.8166*C - Q >= 0",
            (3, 2),
        ),
    ] {
        let given = [
            groups,
            "C > 0",
            "x >= 0",
            most,
            "Q >= 0",
            small,
            "l - 0.866 >= 0",
            "1 - l >= 0",
        ];
        let hints = Hints {
            factors: 4,
            multiples: 3,
            ..Hints::default()
        };
        let here = [
            ("C", ratio(here.0, 1)),
            ("x", ratio(1, 20)),
            ("Q", ratio(here.1, 1)),
            ("l", ratio(12, 13)),
        ];
        let says = format!("{says}: 2 gamma |M|_* <= 9.2 C");
        steps.push(Step::real(says, &given, &goal, hints, &here)?);
    }
    Ok(steps)
}

/// `sqrt(2C) <= bound` where the facts hold.
fn root(
    says: &str,
    facts: &[&str],
    bound: &str,
    (c, q): (Rational, Rational),
) -> Result<Step, FormulaError> {
    let positive = format!("Q + {bound} > 0");
    let mut given = vec![positive.as_str()];
    given.extend(facts);
    given.extend(["C >= 0", "Q^2 - 2*C = 0"]);
    let goal = format!("{bound} - Q");
    Step::real(says, &given, &goal, by_conjugate(2), &[("C", c), ("Q", q)])
}

/// The factors of `e_i e_c^T` in a form that falls apart into equal 2 x 2 blocks, one a group, on (e_c, e_{C+c}); times lambda^2.
fn block(form: &Matrix) -> Result<[[String; 2]; 2], ProofError> {
    let mut entries: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for (k, term) in form.0.iter().enumerate() {
        let other = || ProofError::Other(format!("term {} is no part of a block", k + 1));
        let side = |v: &constructions::language::Vector| match v.0.as_slice() {
            [t] if t.coefficient == ratio(1, 1)
                && t.over.is_none()
                && !t.by_index
                && term.over.is_some_and(|(var, range)| {
                    t.atom.index == var.into() && range == sink::groups()
                }) =>
            {
                match t.atom.family {
                    Family::Dual(Member::Centroid) => Some(0),
                    Family::Dual(Member::Copy) => Some(1),
                    _ => None,
                }
            }
            _ => None,
        };
        let c = &term.coefficient;
        let power = c.powers.lambda.checked_add(2);
        let power = power.filter(|p| (0..=20).contains(p));
        let (Some(i), Some(j), Some(power), None, 0, 0) = (
            side(&term.left),
            side(&term.right),
            power,
            c.over,
            c.powers.separation,
            c.powers.epsilon,
        ) else {
            return Err(other());
        };
        let entry = entries.entry((i, j)).or_insert_with(|| "0".into());
        *entry += &format!(" + ({})*l^{power}", c.value);
    }
    let at = |i, j| entries.get(&(i, j)).cloned().unwrap_or_else(|| "0".into());
    Ok([[at(0, 0), at(0, 1)], [at(1, 0), at(1, 1)]])
}

/// `2 gamma |M_diag|_* <= 8.76 C`: a 2 x 2 matrix has the nuclear norm sqrt(F + 2 |det|), F the sum of squares.
fn attention_of_diagonal(special: &Matrix) -> Steps {
    let [[a, b], [c, d]] = block(special)?;
    let det = format!("(({a})*({d}) - ({b})*({c}))");
    let square = format!("({a})^2 + ({b})^2 + ({c})^2 + ({d})^2 + 2*{det}");
    let given = [
        "4*l^2 - 3 >= 0",
        "l >= 0",
        "1 - l >= 0",
        "x >= 0",
        "1/4 - x >= 0",
    ];
    let here = [("l", ratio(1, 1)), ("x", ratio(1, 5))];
    Ok(vec![
        Step::real(
            "the determinant of a block is not negative",
            &given,
            &det,
            products(2),
            &here,
        )?,
        Step::real(
            "lambda^4 (F + 2 det) <= (4.38 (1 - x) lambda^2)^2",
            &given,
            &format!("(4.38*(1 - x)*l^2)^2 - ({square})"),
            products(4),
            &here,
        )?,
        Step::real(
            "so its root is at most 4.38 (1 - x) lambda^2",
            &["Z + Y > 0", "Z^2 - Y^2 >= 0"],
            "Z - Y",
            by_conjugate(1),
            &[("Z", ratio(2, 1)), ("Y", ratio(1, 1))],
        )?,
    ])
}

/// `thm-D.1.sink.cheaper~`: every s between 0.4957 + e/2 and 0.4967 + e/2 keeps theta within epsilon of 1, so the least multiple of
/// 1/1000 that does is no more, and the cost is at most 2.95 r_eta + 3.80 C.
///
/// # Errors
/// Definitions of another form.
pub fn cheaper(vo: &Matrix, w1: &Matrix, w2: &Matrix) -> Steps {
    // The value map for s = 1.
    let [v, k] = factors(vo, w1, w2)?;
    let v = format!("s*({v})");
    let square = format!("1 + ({v})^2*m + 2*({v})*g");
    let theta = format!("th*R - ({v})*(R + ({k})) = 0");
    let scale = [
        "e - 1/20 >= 0",
        "1/4 - e >= 0",
        "s - 0.4957 - 1/2*e >= 0",
        "0.4967 + 1/2*e - s >= 0",
    ];
    let s = || [("e", ratio(1, 10)), ("s", ratio(546, 1000))];
    let mut steps = is_base()?;
    steps.push(Step::real(
        "s >= 1/2",
        &scale,
        "s - 1/2",
        products(1),
        &s(),
    )?);
    steps.push(Step::real(
        "R^2 <= 1 + s^2 + s/10",
        &[
            "s >= 0",
            "l >= 0",
            "1 - l >= 0",
            "1 - m >= 0",
            "phi >= 0",
            "1/20 - phi >= 0",
            "l*phi - g >= 0",
        ],
        &format!("1 + s^2 + 1/10*s - ({square})"),
        products(3),
        &[
            ("s", ratio(546, 1000)),
            ("l", ratio(1, 1)),
            ("m", ratio(1, 1)),
            ("phi", ratio(1, 20)),
            ("g", ratio(1, 64)),
        ],
    )?);
    steps.push(Step::real(
        "|mu|^2/2 + 2 <c, mu> >= 0",
        &[
            "4*l^2 - 3 >= 0",
            "l >= 0",
            "1 - l >= 0",
            "m - l^2 >= 0",
            "1/20 - phi >= 0",
            "l*phi + g >= 0",
        ],
        "1/2*m + 2*g",
        products(2),
        &[
            ("l", ratio(1, 1)),
            ("m", ratio(1, 1)),
            ("phi", ratio(1, 20)),
            ("g", ratio(1, 64)),
        ],
    )?);
    steps.push(Step::real(
        "R^2 >= 1",
        &["s - 1/2 >= 0", "m >= 0", "1/2*m + 2*g >= 0"],
        &format!("({square}) - 1"),
        products(3),
        &[
            ("s", ratio(546, 1000)),
            ("m", ratio(1, 1)),
            ("g", ratio(1, 64)),
        ],
    )?);
    steps.push(Step::real(
        "R >= 1",
        &["R + 1 > 0", "R^2 - 1 >= 0"],
        "R - 1",
        by_conjugate(1),
        &[("R", ratio(9, 8))],
    )?);
    // theta >= 1 - epsilon says R A <= B.
    let (a, b) = (format!("(1 - e - {v})"), format!("({v})*({k})"));
    steps.push(Step::real(
        "1 - epsilon - s >= 0",
        &scale,
        &a,
        products(1),
        &s(),
    )?);
    steps.push(Step::real(
        "(1 + s^2 + s/10) A^2 <= B^2, A = 1 - epsilon - s, B = s (1 - epsilon)",
        &scale,
        &format!("({b})^2 - (1 + s^2 + 1/10*s)*{a}^2"),
        products(5),
        &s(),
    )?);
    let last = [
        "B + R*A > 0".to_string(),
        "A >= 0".into(),
        "M - R^2 >= 0".into(),
        "B^2 - M*A^2 >= 0".into(),
    ];
    let last: Vec<&str> = last.iter().map(String::as_str).collect();
    steps.push(Step::real(
        "R A <= B, from R^2 <= M and M A^2 <= B^2",
        &last,
        "B - R*A",
        by_conjugate(3),
        &[
            ("R", ratio(1, 1)),
            ("A", ratio(1, 2)),
            ("B", ratio(1, 1)),
            ("M", ratio(1, 1)),
        ],
    )?);
    let lower = format!("{b} - R*{a} >= 0");
    let given = ["R > 0", "R - 1 >= 0", lower.as_str(), theta.as_str()];
    // theta at R = 1 and the example's s and e.
    let (sv, ev) = (ratio(546, 1000), ratio(1, 10));
    let here =
        |r: Rational, th: Rational| [("R", r), ("e", ev.clone()), ("s", sv.clone()), ("th", th)];
    let at_one = &sv * (ratio(2, 1) - &ev);
    let by_r = |factors| Hints {
        multiplier: vec![(0, 1)],
        factors,
        multiples: 0,
        ..Hints::default()
    };
    steps.push(Step::real(
        "theta >= 1 - epsilon",
        &given,
        "th - 1 + e",
        by_r(1),
        &here(ratio(1, 1), at_one.clone()),
    )?);
    let mut given: Vec<&str> = vec!["R > 0", "R - 1 >= 0", theta.as_str()];
    given.extend(scale);
    steps.push(Step::real(
        "theta <= 1 + epsilon",
        &given,
        "1 + e - th",
        by_r(3),
        &here(ratio(1, 1), at_one),
    )?);
    steps.push(beta()?);
    let cost = format!("2.95*r + 3.80*C - (2*({v}) + 2*({k}))*(r + C*b)");
    let mut given: Vec<&str> = vec!["r >= 0", "C - 1 >= 0", "b >= 0", "1.291 - b >= 0"];
    given.extend(scale);
    let [e, s] = s();
    let here = [
        ("r", ratio(3, 1)),
        ("C", ratio(2, 1)),
        ("b", ratio(1, 1)),
        e,
        s,
    ];
    steps.push(Step::real(
        "at most 2.95 r_eta + 3.80 C",
        &given,
        &cost,
        products(3),
        &here,
    )?);
    Ok(steps)
}

/// `thm-7.2~` with `x` for the factor of kappa C/sqrt d and `copy` for the copy cost: q = kappa/sqrt d, E = r_eff/delta^2.
///
/// # Errors
/// A formula that is no polynomial: a defect of this file.
pub fn theorem() -> Steps {
    let mut steps = Vec::new();
    for (says, x, copy) in [
        ("sequences with an absent group occur", "7.5", "1.77"),
        ("otherwise", "8.1", "1.13"),
    ] {
        let condition = format!("q*E - {x}*q*C - 3.8*(r + C) > 0");
        let given = ["q >= 0", "C >= 0", "r >= 0", condition.as_str()];
        let here = [
            ("q", ratio(1, 1)),
            ("C", ratio(1, 1)),
            ("r", ratio(1, 1)),
            ("E", ratio(100, 1)),
        ];
        steps.push(Step::real(
            format!("{says}: the sink costs less than any diagonal solution"),
            &given,
            &format!("q*(E + {copy}*C) - (9.2*q*C + 2.95*r + 3.80*C)"),
            products(2),
            &here,
        )?);
    }
    Ok(steps)
}
