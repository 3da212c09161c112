//! A no-op's participation ratio is above a broadcast's, for every n >= 2 and every mass 0 < s < 1; x = 1/n.

use super::positive::Hints;
use super::step::{ProofError, Step};
use exact::ratio;

/// The steps.
///
/// # Errors
/// A formula that is no polynomial.
pub fn separate() -> Result<Vec<Step>, ProofError> {
    let example = [("n", ratio(2, 1)), ("s", ratio(1, 2))];
    let mut steps = Vec::new();
    // Outputs (1-s) m + s v_i with <m, m> = <m, v_i> = 1/n.
    let entry = "(1 - s)^2*x + 2*s*(1 - s)*x";
    let spread = "(1 - s^2)*x";
    for (end, goal) in [
        ("at least", format!("{entry} - {spread}")),
        ("at most", format!("{spread} - ({entry})")),
    ] {
        let example = [("x", ratio(1, 2)), ("s", ratio(1, 2))];
        let says =
            format!("outputs of a broadcast have inner products (1-s^2)/n off the diagonal, {end}");
        steps.push(Step::real(says, &[], &goal, Hints::default(), &example)?);
    }
    let hints = Hints {
        factors: 5,
        ..Hints::default()
    };
    steps.push(Step::real(
        "(1+(n-1)s^2)^2 < n (1+(n-1)s^4)",
        &["n - 1 > 0", "s > 0", "1 - s > 0"],
        "n*(1 + (n - 1)*s^4) - (1 + (n - 1)*s^2)^2 > 0",
        hints,
        &example,
    )?);
    Ok(steps)
}
