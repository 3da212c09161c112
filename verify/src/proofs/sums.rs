//! The two sums of the lower bound, by induction: a closed form that is 0 at n = 0 and grows by the summand is the sum.

use super::formula::FormulaError;
use super::step::Step;
use exact::ratio;

/// A sum over n, from 1 on, with T as a parameter.
struct Sum {
    says: &'static str,
    summand: &'static str,
    /// The sum of the first n terms; `#` stands for n.
    closed: &'static str,
    /// The sum of all T terms.
    whole: &'static str,
}

/// The summands are those of the weights W_t and of their increments: see `lower`.
const SUMS: [Sum; 2] = [
    Sum {
        says: "sum of (2n - T - 1)^2",
        summand: "(2*n - T - 1)^2",
        closed: "2/3*#*(#+1)*(2*#+1) - 2*(T+1)*#*(#+1) + (T+1)^2*#",
        whole: "1/3*T*(T^2 - 1)",
    },
    Sum {
        says: "sum of (n - 1)(T - n + 1)",
        summand: "(n - 1)*(T - n + 1)",
        closed: "1/2*(T+2)*#*(#+1) - 1/6*#*(#+1)*(2*#+1) - (T+1)*#",
        whole: "1/6*T*(T^2 - 1)",
    },
];

/// The steps.
///
/// # Errors
/// A formula that is no polynomial: a defect of this file.
pub fn sums() -> Result<Vec<Step>, FormulaError> {
    let mut steps = Vec::new();
    for sum in &SUMS {
        let at = |n: &str| sum.closed.replace('#', &format!("({n})"));
        let here = [("T", ratio(5, 1)), ("n", ratio(2, 1))];
        let mut add = |what: &str, left: &str, right: &str| -> Result<(), FormulaError> {
            let says = format!("{}: {what}", sum.says);
            steps.push(Step::identity(says, left, right, &here)?);
            Ok(())
        };
        add("the closed form is 0 for no term", &at("0"), "0")?;
        let grows = format!("{} - ({})", at("n"), at("n - 1"));
        add("it grows by the nth term", &grows, sum.summand)?;
        add("its value for T terms", &at("T"), sum.whole)?;
    }
    Ok(steps)
}
