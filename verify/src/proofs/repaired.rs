//! The repaired lower bound on sinks with `W_O W_V b = 0`, for all of them.
//!
//! D holds the dormants, L is a weighted graph Laplacian on them, Sigma_w = D L D^T; F = D Phi are the MLP's outputs on them, each
//! 1 - epsilon to 1 + epsilon times the dormant, for dormants read BOS, whose value is 0. F L^{1/2} is tested against D L^{1/2}.
//! Letters: e = epsilon, n^2 = |Sigma_w|_2, t = tr Sigma_w, X = sum |v||w| over hidden units, N = |F L^{1/2}|_*.

use super::formula::{FormulaError, polynomial};
use super::positive::Hints;
use super::step::Step;
use exact::ratio;

/// The steps.
///
/// # Errors
/// A formula that is no polynomial: a defect of this file.
pub fn repaired() -> Result<Vec<Step>, FormulaError> {
    let products = |factors| Hints {
        factors,
        ..Hints::default()
    };
    Ok(vec![
        Step::real(
            "ReLU contracts differences: r = relu(a), q = relu(b)",
            &[
                "r >= 0",
                "r - a >= 0",
                "q >= 0",
                "q - b >= 0",
                "r*(r - a) = 0",
                "q*(q - b) = 0",
            ],
            "(a - b)^2 - (r - q)^2",
            Hints {
                factors: 2,
                squares: vec![polynomial("r - a - q + b")?],
                ..Hints::default()
            },
            &[
                ("a", ratio(1, 1)),
                ("b", ratio(-1, 1)),
                ("r", ratio(1, 1)),
                ("q", ratio(0, 1)),
            ],
        )?,
        Step::real(
            "an edge adds at least (1 - epsilon) |d_p - d_q|^2, y and z being the factors of its ends, p = <d_p, d_q>",
            &["1 - p >= 0", "y - 1 + e >= 0", "z - 1 + e >= 0"],
            "y*(1 - p) + z*(1 - p) - (1 - e)*(2 - 2*p)",
            products(2),
            &[
                ("p", ratio(0, 1)),
                ("y", ratio(1, 1)),
                ("z", ratio(1, 1)),
                ("e", ratio(1, 10)),
            ],
        )?,
        Step::real(
            "N <= n X and (1 - epsilon) t <= n N give 2 X |Sigma_w|_2 >= 2 (1 - epsilon) t",
            &["n >= 0", "n*X - N >= 0", "n*N - (1 - e)*t >= 0"],
            "2*X*n^2 - 2*(1 - e)*t",
            products(2),
            &[
                ("n", ratio(1, 1)),
                ("X", ratio(2, 1)),
                ("N", ratio(2, 1)),
                ("t", ratio(1, 1)),
                ("e", ratio(1, 10)),
            ],
        )?,
    ])
}
