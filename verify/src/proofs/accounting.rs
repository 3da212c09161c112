//! (3) implies the consistent comparison 2 QK + 2 VO + MLP < 2 (diagonal bound), for all T, C, D, d and kappa.
//!
//! (3) says that g = r - q - VO - MLP > 0, where q is the cost of the sink's query-key product and r the bound on any diagonal's.
//! The consistent comparison says that 2 r - 2 q - 2 VO - MLP > 0, and that is 2 g + MLP.

use super::formula::FormulaError;
use super::positive::Hints;
use super::step::Step;
use exact::ratio;

/// T + C + D - 2: the value map of the printed sum.
pub const VO: &str = "T + C + D - 2";
/// The cost of (9) and (10).
pub const MLP: &str = "4*d*C + 2*T + 2*D";

/// The steps.
///
/// # Errors
/// A formula that is no polynomial: a defect of this file.
pub fn accounting() -> Result<Vec<Step>, FormulaError> {
    let given = [
        "T - 1 >= 0",
        "C - 1 >= 0",
        "D - 1 >= 0",
        "d - (T + C + D + 2) >= 0",
    ];
    let gap = format!("r - q - ({VO}) - ({MLP})");
    let consistent = format!("2*r - 2*q - 2*({VO}) - ({MLP})");
    let one = || ratio(1, 1);
    Ok(vec![Step::real(
        "2 (bound) - 2 QK - 2 VO - MLP is at least twice the gap of (3)",
        &given,
        &format!("({consistent}) - 2*({gap})"),
        Hints {
            factors: 2,
            ..Hints::default()
        },
        &[
            ("T", one()),
            ("C", one()),
            ("D", one()),
            ("d", ratio(5, 1)),
            ("q", one()),
            ("r", ratio(100, 1)),
        ],
    )?])
}
