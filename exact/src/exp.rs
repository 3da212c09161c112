//! Rigorous rational enclosures of e^-x.

use crate::Rational;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// Bits below which e^-x is only said to lie in [0, 2^-DEEPEST].
const DEEPEST: i64 = 4096;

/// Bounds `lower <= e^-x <= upper` with a relative width of about 2^-bits; nothing when `x` is negative.
///
/// `x = 2^k y` with `y <= 1/2`; the alternating Taylor series of e^-y is cut between two partial sums, which
/// enclose it, and squared `k` times with outward rounding.
pub fn exp_neg(x: &Rational, bits: u32) -> Option<(Rational, Rational)> {
    if x.is_negative() {
        return None;
    }
    if x.is_zero() {
        return Some((Rational::one(), Rational::one()));
    }
    // e^-x < 2^-x, so beyond DEEPEST the value itself is below 2^-DEEPEST.
    if *x > Rational::integer(DEEPEST) {
        return Some((Rational::zero(), Rational::one().checked_div(&Rational::from(BigInt::one() << DEEPEST))?));
    }
    let (mut y, mut halvings) = (x.clone(), 0u32);
    let half = Rational::new(1, 2)?;
    while y > half {
        y *= &half;
        halvings += 1;
    }
    // e^-x >= 2^-(3x/2), and each squaring doubles the relative error.
    let size = u32::try_from((x * Rational::integer(3) * &half).floor()).ok()? + 1;
    let precision = bits + 2 * halvings + size + 16;
    let (mut lower, mut upper) = series(&y, precision)?;
    for _ in 0..halvings {
        lower = round(&(&lower * &lower), precision, false)?;
        upper = round(&(&upper * &upper), precision, true)?;
    }
    Some((lower, upper))
}

/// Two neighbouring partial sums of the alternating series of e^-y, 0 < y <= 1/2, less than 2^-precision apart.
fn series(y: &Rational, precision: u32) -> Option<(Rational, Rational)> {
    let tolerance = Rational::one().checked_div(&Rational::from(BigInt::one() << precision))?;
    let (mut low, mut high) = (Rational::zero(), Rational::one());
    let (mut term, mut sum) = (Rational::one(), Rational::one());
    for k in 1..i64::from(precision) + 8 {
        // The term's size is rounded up: the sums then enclose with at most its last bit of slack on either side.
        term = round(&(&term * y).checked_div(&Rational::integer(k))?, precision + 16, true)?;
        let slack = Rational::integer(k + 1).checked_div(&Rational::from(BigInt::one() << (precision + 15)))?;
        if k % 2 == 1 {
            sum -= &term;
            low = &sum - &slack;
        } else {
            sum += &term;
            high = &sum + &slack;
        }
        if term < tolerance {
            break;
        }
    }
    Some((low.max(Rational::zero()), high))
}

/// The multiple of 2^-bits next to `x`, below or above.
fn round(x: &Rational, bits: u32, up: bool) -> Option<Rational> {
    let scale = Rational::from(BigInt::one() << bits);
    let floor = (x * &scale).floor();
    let whole = if up && Rational::from(floor.clone()) != x * &scale { floor + 1 } else { floor };
    Rational::from(whole).checked_div(&scale)
}
