//! The numeric constants of Theorem D.1, in one place, so that the kill table can change them.

use exact::{Rational, ratio};

/// The constants.
#[derive(Clone, Debug)]
pub struct Constants {
    /// 12 in (1).
    pub sink_attention: Rational,
    /// 5 in (1).
    pub sink_rest: Rational,
    /// 13 in (3).
    pub diagonal_attention: Rational,
    /// 4 in (3).
    pub separation: Rational,
    /// 3 in (3).
    pub diagonal_rest: Rational,
    /// 1/2 in (2) and (4).
    pub copy: Rational,
    /// The factor of r_eff/delta^2 in (2).
    pub effective: Rational,
    /// 7/6, the bound on R_mu; the proof has R_mu^2 <= 13/10.
    pub r_mu: Rational,
}

impl Constants {
    /// As printed.
    pub fn printed() -> Constants {
        Constants {
            sink_attention: Rational::integer(12),
            sink_rest: Rational::integer(5),
            diagonal_attention: Rational::integer(13),
            separation: Rational::integer(4),
            diagonal_rest: Rational::integer(3),
            copy: ratio(1, 2),
            effective: Rational::integer(1),
            r_mu: ratio(7, 6),
        }
    }
}
