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

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may stop where something is missing
mod tests {
    use super::*;
    use crate::proofs::formula::polynomial;
    use crate::proofs::step::Decision;
    use exact::Rational;

    /// The closed forms against sums term by term, and one that grows by something else.
    #[test]
    fn closed_forms_are_sums() {
        for sum in &SUMS {
            let closed = polynomial(&sum.closed.replace('#', "n")).unwrap();
            let summand = polynomial(sum.summand).unwrap();
            for t in 1..7 {
                let mut total = Rational::default();
                for n in 1..=t {
                    let here = [("n".into(), ratio(n, 1)), ("T".into(), ratio(t, 1))].into();
                    total += summand.evaluate(&here).unwrap();
                    assert_eq!(closed.evaluate(&here).unwrap(), total, "{}", sum.says);
                }
            }
        }
        let here = [("T", ratio(5, 1)), ("n", ratio(2, 1))];
        let wrong = Step::identity("", "n^2 - (n - 1)^2", "2*n", &here).unwrap();
        assert!(matches!(wrong.decide(), Decision::Refuted(_)));
    }
}
