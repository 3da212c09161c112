//! (3) fails whenever kappa <= 7 sqrt 3, for all T, C, D and d.
//!
//! With c = sqrt m and g = kappa/sqrt 3, the right side of (3) is g c u, u = T^{3/2}/sqrt d, and u <= T because d >= T. The left
//! side is at least 3T + 3D + C + 4dC - 2, its first term being positive, and 4c^2 - 7c + 3 = (c - 1)(4c - 3) >= 0.

use super::formula::FormulaError;
use super::positive::Hints;
use super::step::Step;
use exact::ratio;

/// The left side of (3) without its positive first term.
pub const LEFT: &str = "3*T + 3*D + C + 4*d*C - 2";

/// The steps.
///
/// # Errors
/// A formula that is no polynomial: a defect of this file.
pub fn reach() -> Result<Vec<Step>, FormulaError> {
    let wide = "d - (T + C + D + 2) >= 0";
    let sizes = [
        "T - 1 >= 0",
        "C - 1 >= 0",
        "D - 1 >= 0",
        "C - c^2 >= 0",
        "c - 1 >= 0",
        wide,
    ];
    let with = |more: &[&'static str]| [&sizes[..], more].concat();
    let one = || ratio(1, 1);
    let numbers = |more: &[(&'static str, exact::Rational)]| {
        let sizes = [
            ("T", one()),
            ("C", one()),
            ("D", one()),
            ("c", one()),
            ("d", ratio(5, 1)),
        ];
        [&sizes[..], more].concat()
    };
    let products = |factors| Hints {
        factors,
        ..Hints::default()
    };
    Ok(vec![
        Step::real(
            "u = T^{3/2}/sqrt d is at most T",
            &[
                "T > 0",
                "u > 0",
                "T + u > 0",
                "d > 0",
                "d - T >= 0",
                "u^2*d - T^3 = 0",
            ],
            "T - u",
            Hints {
                multiplier: vec![(2, 1), (3, 1)],
                factors: 3,
                ..Hints::default()
            },
            &[("T", one()), ("u", ratio(1, 2)), ("d", ratio(4, 1))],
        )?,
        Step::real(
            "g c u <= 7 c T for g <= 7 and u <= T",
            &["g >= 0", "7 - g >= 0", "u >= 0", "T - u >= 0", "c - 1 >= 0"],
            "7*c*T - g*c*u",
            products(3),
            &[("g", one()), ("u", one()), ("T", one()), ("c", one())],
        )?,
        Step::real(
            "7 c T is at most the left side of (3)",
            &with(&[]),
            &format!("{LEFT} - 7*c*T"),
            products(3),
            &numbers(&[]),
        )?,
    ])
}
