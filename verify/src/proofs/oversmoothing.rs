//! Theorem 5.1 for every T, every pair of tokens, every d and every lambda: the expectations (2) from the weights of A_lambda, and
//! monotonicity from (2). Formulas are read from `constructions::oversmoothing`.
//!
//! Letters: L and M are two values of lambda, L < M; x = 1/i (or 1/k), y = 1/j; b = beta, t = tr(BW), q = tr(B W^T W),
//! b0 = tr(B), c0, c1, c2 the same traces with C; p = b t. The number of columns summed so far is m.

use super::positive::Hints;
use super::step::{ProofError, Step};
use constructions::oversmoothing::formula::{Formula, Symbol};
use constructions::oversmoothing::moments::Moments;
use constructions::oversmoothing::weights::Weights;
use exact::{Rational, ratio};

/// Sum of the first m weights of a row, m < i.
const ROW: &str = "m*L*x";
/// Sum of the first m products of rows i < j, m < i.
const PRODUCTS: &str = "m*L^2*x*y";
/// Sum of the first m squares of row i, m < i.
const SQUARES: &str = "m*L^2*x^2";
/// The printed sum of products over all columns, i < j.
const ALL_PRODUCTS: &str = "L*y";
/// The printed sum of squares over all columns.
const ALL_SQUARES: &str = "1 - L*(2 - L)*(1 - x)";

/// The formula with 1/i called `over`, and lambda `lambda`.
fn text(formula: &Formula, lambda: &'static str, over: &'static str) -> String {
    formula.named(|symbol| match symbol {
        Symbol::Lambda => lambda,
        Symbol::OverI => over,
        other => other.name(),
    })
}

/// Numbers for every letter of sums: i = 2, j = 3, m = 1, lambda = 1/2.
fn place() -> Vec<(&'static str, Rational)> {
    let numbers = [
        ("i", ratio(2, 1)),
        ("m", ratio(1, 1)),
        ("L", ratio(1, 2)),
        ("x", ratio(1, 2)),
        ("y", ratio(1, 3)),
    ];
    [&numbers[..], &traces()].concat()
}

/// Numbers for beta and the traces, with p > 0.
fn traces() -> Vec<(&'static str, Rational)> {
    let names = ["b", "t", "q", "b0", "c0", "c1", "c2"];
    names.into_iter().map(|name| (name, ratio(1, 1))).collect()
}

/// `left = right` where i x = 1, as two steps.
fn equal(says: &str, left: &str, right: &str, degree: u32) -> Result<[Step; 2], ProofError> {
    let one = |end: &str, a: &str, b: &str| {
        let hints = Hints {
            factors: 0,
            multiples: degree,
            ..Hints::default()
        };
        let goal = format!("({a}) - ({b})");
        Step::real(
            format!("{says}, {end}"),
            &["i*x - 1 = 0"],
            &goal,
            hints,
            &place(),
        )
    };
    Ok([one("at least", left, right)?, one("at most", right, left)?])
}

/// The expectations (2) from the weights: sums over columns by induction on m, then what they are put into.
///
/// # Errors
/// A formula that is no polynomial.
pub fn moments(weights: &Weights, moments: &Moments) -> Result<Vec<Step>, ProofError> {
    let of = |f: &Formula, over| text(f, "L", over);
    let (below, on, above) = (&weights.below, &weights.diagonal, &weights.above);
    let (below_i, on_i, above_i) = (of(below, "x"), of(on, "x"), of(above, "x"));
    let (below_j, on_j, above_j) = (of(below, "y"), of(on, "y"), of(above, "y"));
    let mut steps = Vec::new();
    // Name, partial sum, what a column k < i adds, what column i adds, the whole sum.
    let sums = [
        ("row i", ROW, below_i.clone(), on_i.clone(), "1"),
        (
            "rows i < j",
            PRODUCTS,
            format!("{below_i}*{below_j}"),
            format!("{on_i}*{below_j}"),
            ALL_PRODUCTS,
        ),
        (
            "squares of row i",
            SQUARES,
            format!("{below_i}*{below_i}"),
            format!("{on_i}*{on_i}"),
            ALL_SQUARES,
        ),
    ];
    for (name, partial, column, last, whole) in sums {
        let at = |m: &str| partial.replace('m', m);
        let mut push = |says: &str, left: &str, right: &str, degree| -> Result<(), ProofError> {
            steps.extend(equal(&format!("{name}: {says}"), left, right, degree)?);
            Ok(())
        };
        push("no column adds up to 0", &at("0"), "0", 0)?;
        push(
            "column m + 1 < i is added",
            &format!("{partial} + {column}"),
            &at("(m + 1)"),
            0,
        )?;
        push(
            "column i completes the sum",
            &format!("{} + {last}", at("(i - 1)")),
            whole,
            3,
        )?;
    }
    for (says, product) in [
        ("columns after i add nothing to row i", above_i.clone()),
        (
            "columns between i and j add nothing",
            format!("{above_i}*{below_j}"),
        ),
        ("column j adds nothing", format!("{above_i}*{on_j}")),
        (
            "columns after j add nothing",
            format!("{above_i}*{above_j}"),
        ),
    ] {
        steps.extend(equal(says, &product, "0", 0)?);
    }
    let pair =
        format!("b^2*c0 + b*(c1 + {below_j}*t) + b*(c1 + {above_i}*t) + c2 + {ALL_PRODUCTS}*q");
    let norm = format!("b^2*(b0 + c0) + 2*b*(c1 + {on_i}*t) + c2 + ({ALL_SQUARES})*q");
    steps.extend(equal(
        "E[Y_i^T Y_j] for i < j, the sums put in, is (2)",
        &pair,
        &of(&moments.pair, "x"),
        0,
    )?);
    steps.extend(equal(
        "E[|Y_i|^2], the sums put in, is (2)",
        &norm,
        &of(&moments.norm, "x"),
        0,
    )?);
    Ok(steps)
}

/// Where p and p + q stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Signs {
    /// p > 0, as (i).
    Increasing,
    /// p + q < 0, as (ii).
    Decreasing,
    /// q > 0 and p >= 0.
    SharplyIncreasing,
    /// q > 0 and p + q <= 0.
    SharplyDecreasing,
    /// p < 0 < p + q, for lambda up to r = (p + q)/q.
    BeforeTurning,
    /// The same, from r on.
    AfterTurning,
}

impl Signs {
    fn given(self) -> &'static [&'static str] {
        match self {
            Signs::Increasing => &["b*t > 0", "q >= 0"],
            Signs::Decreasing => &["-b*t - q > 0", "q >= 0"],
            Signs::SharplyIncreasing => &["b*t >= 0", "q > 0"],
            Signs::SharplyDecreasing => &["-b*t - q >= 0", "q > 0"],
            Signs::BeforeTurning => &["b*t + q > 0", "q > 0", "r - M >= 0", "q*r - b*t - q = 0"],
            Signs::AfterTurning => &["b*t + q > 0", "q > 0", "L - r >= 0", "q*r - b*t - q = 0"],
        }
    }

    /// tr(BW), tr(B W^T W), the two lambdas and r of an example.
    fn example(self) -> [i64; 5] {
        match self {
            Signs::Increasing | Signs::SharplyIncreasing => [1, 1, 0, 1, 2],
            Signs::Decreasing | Signs::SharplyDecreasing => [-2, 1, 0, 1, -1],
            Signs::BeforeTurning => [-1, 2, 0, 0, 1],
            Signs::AfterTurning => [-1, 2, 1, 2, 1],
        }
    }
}

/// One step about two values L < M of lambda; `k` says whether tokens from 2 on are meant.
fn compare(
    signs: Signs,
    says: &str,
    goal: &str,
    strict: bool,
    later: bool,
) -> Result<Step, ProofError> {
    let mut given = vec!["M - L > 0", "L >= 0", "1 - M >= 0"];
    given.extend(signs.given());
    given.push(if goal.contains('y') {
        "y > 0"
    } else if later {
        "1 - x > 0"
    } else {
        "1 - x >= 0"
    });
    let [t, q, l, m, r] = signs.example();
    let half = |n: i64| ratio(n, 2);
    let mut example = vec![
        ("t", ratio(t, 1)),
        ("q", ratio(q, 1)),
        ("L", half(l)),
        ("M", if l == m { ratio(1, 4) } else { half(m) }),
        ("x", ratio(1, 2)),
        ("y", ratio(1, 2)),
        ("r", half(r)),
    ];
    example.extend(traces().into_iter().filter(|(n, _)| *n != "t" && *n != "q"));
    let hints = Hints {
        factors: 4,
        multiples: if matches!(signs, Signs::BeforeTurning | Signs::AfterTurning) {
            3
        } else {
            0
        },
        ..Hints::default()
    };
    let goal = format!("{goal}{}", if strict { " > 0" } else { "" });
    Ok(Step::real(says, &given, &goal, hints, &example)?)
}

/// A fraction N/sqrt(D E) grows strictly: its square does, numerator and denominator being positive. `n`, `d`, `e` are the lesser
/// numerator and greater norms, `u`, `v`, `w` those of the greater fraction; `strict` names what is strict.
fn fraction(says: &str, strict: &str) -> Result<Step, ProofError> {
    let sign = |name: &str| if name == strict { ">" } else { ">=" };
    let given = [
        format!("u - n {} 0", sign("numerator")),
        "n > 0".to_string(),
        "d - v >= 0".to_string(),
        "v > 0".to_string(),
        format!("e - w {} 0", sign("norm")),
        "w > 0".to_string(),
    ];
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    let example = [("n", 1), ("u", 2), ("d", 2), ("v", 1), ("e", 2), ("w", 1)];
    let example = example.map(|(name, x)| (name, ratio(x, 1)));
    let hints = Hints {
        factors: 4,
        ..Hints::default()
    };
    Ok(Step::real(
        says,
        &given,
        "u^2*d*e - n^2*v*w > 0",
        hints,
        &example,
    )?)
}

/// The differences of (2) between two lambdas: `E[Y_i^T Y_j]`, and `E[|Y_k|^2]`; greater minus smaller lambda.
fn differences(moments: &Moments) -> [String; 2] {
    let change = |f: &Formula| format!("{} - {}", text(f, "M", "x"), text(f, "L", "x"));
    [change(&moments.pair), change(&moments.norm)]
}

const GROWS: &str = "N_j/sqrt(D_i D_j) grows with N_j strictly, norms not growing";
const FALLS: &str = "N_j/sqrt(D_i D_j) falls with N_j strictly, norms not falling";

/// (i): p > 0.
///
/// # Errors
/// A formula that is no polynomial.
pub fn increasing(moments: &Moments) -> Result<Vec<Step>, ProofError> {
    rising(Signs::Increasing, moments, "p > 0")
}

fn rising(signs: Signs, moments: &Moments, name: &str) -> Result<Vec<Step>, ProofError> {
    let [pair, norm] = differences(moments);
    Ok(vec![
        compare(
            signs,
            &format!("{name}: N_j grows strictly"),
            &pair,
            true,
            false,
        )?,
        compare(
            signs,
            &format!("{name}: D_k does not grow"),
            &format!("-({norm})"),
            false,
            false,
        )?,
        fraction(GROWS, "numerator")?,
    ])
}

/// (ii): p + q < 0.
///
/// # Errors
/// A formula that is no polynomial.
pub fn decreasing(moments: &Moments) -> Result<Vec<Step>, ProofError> {
    let [pair, norm] = differences(moments);
    let signs = Signs::Decreasing;
    let fewer = format!("-({pair})");
    Ok(vec![
        compare(signs, "p + q < 0: N_j falls strictly", &fewer, true, false)?,
        compare(signs, "p + q < 0: D_k does not fall", &norm, false, false)?,
        fraction(FALLS, "numerator")?,
    ])
}

/// The sharp version: q > 0 with p >= 0 or p + q <= 0, and q = 0.
///
/// # Errors
/// A formula that is no polynomial.
pub fn sharp(moments: &Moments) -> Result<Vec<Step>, ProofError> {
    let mut steps = rising(Signs::SharplyIncreasing, moments, "q > 0, p >= 0")?;
    let [pair, norm] = differences(moments);
    let signs = Signs::SharplyDecreasing;
    let name = "q > 0, p + q <= 0";
    let fewer = format!("-({pair})");
    steps.extend([
        compare(
            signs,
            &format!("{name}: N_j does not grow"),
            &fewer,
            false,
            false,
        )?,
        compare(
            signs,
            &format!("{name}: D_k does not fall"),
            &norm,
            false,
            false,
        )?,
        compare(
            signs,
            &format!("{name}: D_k grows strictly for k >= 2"),
            &norm,
            true,
            true,
        )?,
        fraction(
            "N_j/sqrt(D_i D_j) falls where D_j grows strictly, j >= 2",
            "norm",
        )?,
    ]);
    for (what, change) in [("N_j", pair), ("D_k", norm)] {
        for (end, goal) in [
            ("does not fall", change.clone()),
            ("does not grow", format!("-({change})")),
        ] {
            let names = ["L", "M", "x", "y", "b", "b0", "c0", "c1", "c2"];
            let mut example: Vec<(&str, Rational)> =
                names.into_iter().map(|n| (n, ratio(1, 1))).collect();
            example.extend([("t", ratio(0, 1)), ("q", ratio(0, 1))]);
            let hints = Hints {
                multiples: 4,
                ..Hints::default()
            };
            let says = format!("q = 0 = tr(BW): {what} {end}");
            steps.push(Step::real(
                says,
                &["t = 0", "q = 0"],
                &goal,
                hints,
                &example,
            )?);
        }
    }
    Ok(steps)
}

/// Remark B.4's regime p < 0 < p + q: lambda* = (p + q)/q is in (0, 1), and norms turn there.
///
/// # Errors
/// A formula that is no polynomial.
pub fn turning(moments: &Moments) -> Result<Vec<Step>, ProofError> {
    let [pair, norm] = differences(moments);
    let given = ["-b*t > 0", "b*t + q > 0", "q > 0", "q*r - b*t - q = 0"];
    let numbers = [("b", 1), ("t", -1), ("q", 2)];
    let mut example = numbers.map(|(n, x)| (n, ratio(x, 1))).to_vec();
    example.push(("r", ratio(1, 2)));
    let inside = |says: &str, goal: &str| {
        let hints = Hints {
            multiplier: vec![(2, 1)],
            factors: 2,
            multiples: 1,
            ..Hints::default()
        };
        Step::real(says, &given, goal, hints, &example)
    };
    let (before, after) = (Signs::BeforeTurning, Signs::AfterTurning);
    let fewer = format!("-({norm})");
    Ok(vec![
        inside("lambda* > 0", "r > 0")?,
        inside("lambda* < 1", "1 - r > 0")?,
        compare(
            before,
            "N_j grows strictly, before lambda*",
            &pair,
            true,
            false,
        )?,
        compare(
            after,
            "N_j grows strictly, after lambda*",
            &pair,
            true,
            false,
        )?,
        compare(
            before,
            "D_k falls strictly up to lambda*, k >= 2",
            &fewer,
            true,
            true,
        )?,
        compare(
            after,
            "D_k grows strictly from lambda* on, k >= 2",
            &norm,
            true,
            true,
        )?,
        compare(before, "no D_k grows up to lambda*", &fewer, false, false)?,
        fraction(GROWS, "numerator")?,
    ])
}

/// Proposition B.1, coordinate by coordinate: v and w are those of v_i and v_{i+1}, l is lambda, r = |X_i|/sqrt d, x = 1/i.
///
/// # Errors
/// A formula that is no polynomial.
pub fn directions() -> Result<Vec<Step>, ProofError> {
    let one = |n: &'static str, a: i64, b: i64| (n, ratio(a, b));
    let example = [
        one("l", 1, 1),
        one("r", 1, 1),
        one("v", 1, 1),
        one("w", 2, 1),
        one("x", 1, 2),
        one("i", 2, 1),
    ];
    let mut steps = Vec::new();
    for (says, left, right) in [
        (
            "W_VO v_{i+1} = lambda (v_{i+1} - v_i) takes the sum from lambda v_i to lambda v_{i+1}",
            "l*v + l*(w - v)",
            "l*w",
        ),
        (
            "X_i = r v_i goes to (r + lambda/i) v_i",
            "r*v + x*(l*v)",
            "(r + l*x)*v",
        ),
    ] {
        for (end, goal) in [
            ("at least", format!("({left}) - ({right})")),
            ("at most", format!("({right}) - ({left})")),
        ] {
            let says = format!("{says}, {end}");
            steps.push(Step::real(says, &[], &goal, Hints::default(), &example)?);
        }
    }
    let hints = Hints {
        factors: 2,
        ..Hints::default()
    };
    let given = ["r > 0", "l > 0", "x > 0"];
    steps.push(Step::real(
        "r + lambda/i > 0",
        &given,
        "r + l*x > 0",
        hints,
        &example,
    )?);
    Ok(steps)
}
