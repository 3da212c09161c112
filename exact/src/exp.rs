//! Rigorous rational enclosures of e^-x.

use crate::Rational;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// Beyond this argument e^-x is only said to lie in [0, 2^-DEEPEST].
const DEEPEST: u32 = 4096;

/// Bounds `lower <= e^-x <= upper`, about 2^-bits times the value apart; nothing when `x` is negative.
///
/// `x = 2^k y` with `y <= 1/2`; the alternating Taylor series of e^-y is cut between two partial sums, which
/// enclose it, and squared `k` times. All of it is fixed-point arithmetic on integers, rounded outwards, so the
/// numbers stay as short as the precision. For `x > 4096`, where the value is below 2^-4096 by far, the bounds are
/// 0 and 2^-4096.
pub fn exp_neg(x: &Rational, bits: u32) -> Option<(Rational, Rational)> {
    if x.is_negative() {
        return None;
    }
    if x.is_zero() {
        return Some((Rational::one(), Rational::one()));
    }
    if *x > Rational::from(i64::from(DEEPEST)) {
        return Some((Rational::zero(), fixed(BigInt::one(), u64::from(DEEPEST))));
    }
    let (numerator, mut denominator) = (x.numer(), x.denom());
    let mut halvings = 0u64;
    while &numerator * 2 > denominator {
        denominator *= 2;
        halvings += 1;
    }
    // e^-x >= 2^-(3x/2), and each squaring doubles the relative error.
    let size = u64::try_from((x.numer() * 3u32).div_ceil(&(x.denom() * 2u32))).ok()?;
    let precision = u64::from(bits) + 2 * halvings + size + 16;
    let (mut lower, mut upper) = series(&numerator, &denominator, precision);
    for _ in 0..halvings {
        lower = (&lower * &lower) >> precision;
        upper = ceil_shift(&upper * &upper, precision);
    }
    Some((fixed(lower, precision), fixed(upper, precision)))
}

/// Two neighbouring partial sums of the alternating series of e^-y, `0 < y = n/d <= 1/2`, in units of 2^-precision.
fn series(n: &BigInt, d: &BigInt, precision: u64) -> (BigInt, BigInt) {
    // Guard bits, so that the roundings of all terms together stay below one unit.
    let guard = 8 + u64::from(precision.max(2).ilog2());
    let one = BigInt::one() << (precision + guard);
    let (mut term, mut sum) = (one.clone(), one.clone());
    let (mut low, mut high) = (BigInt::zero(), one);
    let mut k = 0u32;
    // A term is rounded up by less than one after its predecessor's excess was at least halved: its excess stays
    // below 2, that of the sum of k terms below 2k. The term is at least one, and ends the sum when it is below a unit.
    while term.bits() > guard {
        k += 1;
        term = (&term * n).div_ceil(&(d * k));
        let slack = 2 * k;
        if k % 2 == 1 {
            sum -= &term;
            low = &sum - slack;
        } else {
            sum += &term;
            high = &sum + slack;
        }
    }
    ((low >> guard).max(BigInt::zero()), ceil_shift(high, guard))
}

/// `x / 2^bits` rounded up; the shift alone rounds down.
fn ceil_shift(x: BigInt, bits: u64) -> BigInt {
    -((-x) >> bits)
}

/// `x / 2^bits`.
fn fixed(x: BigInt, bits: u64) -> Rational {
    Rational::from(BigRational::new(x, BigInt::one() << bits))
}
