//! The lower bounds of Theorem D.1 for all C, phi, lambda and delta: duality with the pattern's own margins.
//!
//! Letters: l = lambda, x = 2 C phi. Copy margins of group c are added up to a row over the frame e_0, e_k, e_{C+k}; their
//! matrix is U N U^T, N N^T = p I + q J with J all ones, whose norm is the larger of p (where C >= 2) and p + C q. Costs are 2 |B|_*.

use super::formula::FormulaError;
use super::positive::Hints;
use super::step::{ProofError, Step};
use exact::{Rational, ratio};

type Steps = Result<Vec<Step>, FormulaError>;

fn products(factors: u32) -> Hints {
    Hints {
        factors,
        ..Hints::default()
    }
}

/// `bound - root >= 0` through `(bound - root)(bound + root)`; the first hypothesis says that the second factor is positive.
pub(super) fn by_conjugate(factors: u32) -> Hints {
    Hints {
        multiplier: vec![(0, 1)],
        factors,
        multiples: 0,
        ..Hints::default()
    }
}

/// Sizes and parameters for identities.
fn here() -> [(&'static str, Rational); 2] {
    [("C", ratio(3, 1)), ("l", ratio(12, 13))]
}

fn identity(says: &str, left: &str, right: &str) -> Result<Step, FormulaError> {
    Step::identity(says, left, right, &here())
}

/// The products of two rows `l ((C+1) e_c - sum_k e_k) - e`: of one row with itself, and of two, whose e are the same or not.
fn rows() -> Steps {
    Ok(vec![
        identity(
            "l^2 (C^2 + (C-1)) is the own product without e",
            "l^2*(C^2 + (C - 1))",
            "l^2*((C + 1)^2 - (C + 2))",
        )?,
        identity(
            "l^2 (-2C + (C-2)) is that of two rows",
            "l^2*(-2*C + (C - 2))",
            "-l^2*(C + 2)",
        )?,
        identity(
            "on the vector of ones, e shared: C + l^2",
            "l^2*(C + 1)^2 + C*(1 - l^2*(C + 2))",
            "C + l^2",
        )?,
        identity(
            "on the vector of ones, e not shared: 1 + l^2",
            "l^2*(C + 1)^2 + 1 - C*l^2*(C + 2)",
            "1 + l^2",
        )?,
    ])
}

/// The margins of part 2 (the idle key is the query's own embedding) and part 4 (BOS): one over the idle key, C - 1 over wrong
/// groups.
fn printed_rows() -> Steps {
    let mut steps = vec![identity(
        "the margins over the idle key and over C - 1 groups give e_c the factor l C",
        "l + (C - 1)*l",
        "l*((C + 1) - 1)",
    )?];
    steps.extend(rows()?);
    Ok(steps)
}

/// `goal >= 0` for 0 <= l <= 1, C >= 1, 0 <= x <= 1/4.
fn in_range(says: &str, goal: &str, factors: u32) -> Result<Step, FormulaError> {
    let given = [
        "C - 1 >= 0",
        "l >= 0",
        "1 - l >= 0",
        "x >= 0",
        "1/4 - x >= 0",
    ];
    let here = [("C", ratio(3, 1)), ("l", ratio(12, 13)), ("x", ratio(1, 5))];
    Step::real(says, &given, goal, products(factors), &here)
}

/// `thm-D.1.sink.lower`, with the constant 1/2.
///
/// # Errors
/// A formula that is no polynomial: a defect of this file.
pub fn sink_lower(copy: &Rational) -> Steps {
    let mut steps = printed_rows()?;
    steps.push(in_range(
        "|N_sink| <= C + 1",
        "(C + 1)^2 - l^2*(C + 1)^2",
        4,
    )?);
    steps.push(in_range(
        "|N_sink| <= C + 1 on the vector of ones",
        "(C + 1)^2 - (C + l^2)",
        2,
    )?);
    steps.push(in_range(
        &format!("2 C^2/((1 + x)(C + 1)) >= {copy} C"),
        &format!("2*C^2 - ({copy})*C*(1 + x)*(C + 1)"),
        3,
    )?);
    Ok(steps)
}

/// The copy part of `thm-D.1.diag.lower`, with the constant 1/2.
fn diagonal_copies(copy: &Rational) -> Steps {
    let mut steps = printed_rows()?;
    steps.push(in_range(
        "|N_lambda| <= C + 2",
        "(C + 2)^2 - l^2*(C + 1)^2 - 1",
        4,
    )?);
    steps.push(in_range(
        "|N_lambda| <= C + 2 on the vector of ones",
        "(C + 2)^2 - (1 + l^2)",
        2,
    )?);
    steps.push(in_range(
        &format!("2 C^2/((1 + x)(C + 2)) >= {copy} C"),
        &format!("2*C^2 - ({copy})*C*(1 + x)*(C + 2)"),
        3,
    )?);
    Ok(steps)
}

/// The margins of both orders of a pair of dormants, `B_ij` the score of key j for query i, add up to
/// `(d_i - d_j)^T B (d_i - d_j) >= 2`.
pub fn pair() -> Steps {
    let here = [
        ("Bii", ratio(1, 1)),
        ("Bij", ratio(0, 1)),
        ("Bji", ratio(0, 1)),
        ("Bjj", ratio(1, 1)),
    ];
    Ok(vec![Step::real(
        "both orders of a pair: (d_i - d_j)^T B (d_i - d_j) >= 2",
        &["Bii - Bij - 1 >= 0", "Bjj - Bji - 1 >= 0"],
        "(Bii - Bij) - (Bji - Bjj) - 2",
        products(1),
        &here,
    )?])
}

/// `thm-D.1.diag.lower`, with the constants 1/2 and 1: N pairs, t = tr Sigma_D, S = |Sigma_D|_2, E = t/S = r_eff, D = delta^2.
///
/// # Errors
/// A formula that is no polynomial: a defect of this file.
pub fn diagonal_lower(copy: &Rational, effective: &Rational) -> Steps {
    let mut steps = pair()?;
    steps.push(Step::real(
        "|eta_i - eta_j|^2 <= 4 delta^2",
        &["D - p >= 0", "D + p >= 0"],
        "4*D - (2*D - 2*p)",
        products(1),
        &[("D", ratio(1, 4)), ("p", ratio(0, 1))],
    )?);
    steps.push(Step::real(
        format!("4 N/|Sigma_D| >= {effective} r_eff/delta^2, times |Sigma_D| delta^2"),
        &["4*D*N - t >= 0", "t >= 0", "E*S - t = 0"],
        &format!("4*N*D - ({effective})*E*S"),
        products(1),
        &[
            ("D", ratio(1, 4)),
            ("N", ratio(3, 1)),
            ("t", ratio(2, 1)),
            ("S", ratio(1, 1)),
            ("E", ratio(2, 1)),
        ],
    )?);
    steps.extend(diagonal_copies(copy)?);
    Ok(steps)
}

/// `thm-D.1.copy-cost~`: 1.13 C from the copy query's own key, 1.77 C in two steps.
///
/// # Errors
/// A formula that is no polynomial: a defect of this file.
pub fn copy_cost() -> Result<Vec<Step>, ProofError> {
    let mut steps = vec![
        identity(
            "the rows l e_c - e_{C+c} are orthogonal, of square",
            "l*l + 1",
            "1 + l^2",
        )?,
        own_root()?,
        Step::real(
            "2/((1 + x) sqrt(1 + l^2)) >= 1.13",
            &["x >= 0", "1/4 - x >= 0", "n >= 0", "1.4143 - n >= 0"],
            "2 - 1.13*(1 + x)*n",
            products(2),
            &[("x", ratio(1, 5)), ("n", ratio(1, 1))],
        )?,
        identity(
            "in two steps: the idle key drops out",
            "-C + 1 + (C - 1)",
            "0",
        )?,
        identity(
            "in two steps: e_c has the factor l C",
            "C*l",
            "l*((C + 1) - 1)",
        )?,
        identity("in two steps: the margins add up", "C + 1 + (C - 1)", "2*C")?,
    ];
    steps.extend(rows()?);
    for (which, square) in [
        ("not shared", "l^2*(C + 1)^2 + 1"),
        ("not shared, on the vector of ones", "1 + l^2"),
        ("shared", "l^2*(C + 1)^2"),
        ("shared, on the vector of ones", "C + l^2"),
    ] {
        steps.push(two_or_more(which, square)?);
    }
    steps.push(Step::real(
        "C >= 2: 4 C^2/((1 + x) |N|) >= 1.77 C",
        &["x >= 0", "1/4 - x >= 0", "n >= 0", "9/5*C - n >= 0"],
        "4*C - 1.77*(1 + x)*n",
        products(2),
        &[("x", ratio(1, 5)), ("n", ratio(3, 1)), ("C", ratio(2, 1))],
    )?);
    steps.push(identity(
        "C = 1, shared or not: |N|^2 = 1 + l^2",
        "C + l^2 - (C - 1)",
        "1 + l^2",
    )?);
    steps.push(Step::real(
        "C = 1: 4/((1 + x) |N|) >= 1.77",
        &["x >= 0", "1/4 - x >= 0", "n >= 0", "1.4143 - n >= 0"],
        "4 - 1.77*(1 + x)*n",
        products(2),
        &[("x", ratio(1, 5)), ("n", ratio(1, 1))],
    )?);
    Ok(steps)
}

/// `sqrt(1 + l^2) <= 1.4143`.
fn own_root() -> Result<Step, FormulaError> {
    Step::real(
        "sqrt(1 + l^2) <= 1.4143",
        &[
            "1.4143 + n > 0",
            "l >= 0",
            "1 - l >= 0",
            "n^2 - 1 - l^2 = 0",
        ],
        "1.4143 - n",
        by_conjugate(2),
        &[("l", ratio(3, 4)), ("n", ratio(5, 4))],
    )
}

/// For C >= 2 a root of `square` is at most 9/5 C.
fn two_or_more(which: &str, square: &str) -> Result<Step, FormulaError> {
    let root = format!("n^2 - ({square}) = 0");
    let given = [
        "9/5*C + n > 0",
        "C - 2 >= 0",
        "l >= 0",
        "1 - l >= 0",
        root.as_str(),
    ];
    // l = 0 makes every root rational.
    let n = match which {
        "shared" => ratio(0, 1),
        "shared, on the vector of ones" => ratio(2, 1),
        _ => ratio(1, 1),
    };
    Step::real(
        format!("C >= 2: |N| <= 9/5 C, e {which}"),
        &given,
        "9/5*C - n",
        by_conjugate(4),
        &[("C", ratio(4, 1)), ("l", ratio(0, 1)), ("n", n)],
    )
}
