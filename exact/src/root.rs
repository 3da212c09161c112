//! Square roots: rational enclosures, and the split of an integer into a square and a squarefree part.

use crate::Rational;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use thiserror::Error;

/// Why a square root has no exact form here.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SqrtError {
    /// The radicand is negative.
    #[error("sqrt({0}): the radicand is negative")]
    Negative(Rational),
    /// The squarefree part needs the factors of a large number.
    #[error("sqrt({0}): the squarefree part of the radicand is out of reach (a factor beyond 2^60 was left)")]
    TooLarge(Rational),
}

/// Rational bounds `lower <= sqrt(x) <= upper` at most 2^-bits apart; nothing when `x` is negative.
pub fn sqrt_enclosure(x: &Rational, bits: u32) -> Option<(Rational, Rational)> {
    if x.is_negative() {
        return None;
    }
    let scale = BigInt::one() << bits;
    let floor = ((x.numer() << (2 * bits)) / x.denom()).sqrt();
    let lower = Rational::from(floor.clone()).checked_div(&Rational::from(scale.clone()))?;
    if &lower * &lower == *x {
        return Some((lower.clone(), lower));
    }
    let upper = Rational::from(floor + 1).checked_div(&Rational::from(scale))?;
    Some((lower, upper))
}

/// Writes `n > 0` as `square^2 * free` with `free` squarefree; nothing when that needs factors out of reach.
pub(crate) fn split_square(n: &BigUint) -> Option<(BigUint, BigUint)> {
    let root = n.sqrt();
    if &root * &root == *n {
        return Some((root, BigUint::one()));
    }
    let (mut square, mut free, mut rest) = (BigUint::one(), BigUint::one(), n.clone());
    let mut divisor = 2u64;
    while divisor < 1 << 20 {
        // Once no square of a prime can be left below the cube root, a perfect-square test settles the rest.
        if let Some(r) = rest.to_u128()
            && u128::from(divisor).pow(3) > r
        {
            break;
        }
        let mut power = 0u32;
        loop {
            let (q, r) = rest.div_rem(&BigUint::from(divisor));
            if !r.is_zero() {
                break;
            }
            rest = q;
            power += 1;
        }
        square *= BigUint::from(divisor).pow(power / 2);
        if power % 2 == 1 {
            free *= divisor;
        }
        divisor += if divisor == 2 { 1 } else { 2 };
    }
    let root = rest.sqrt();
    if &root * &root == rest {
        return Some((square * root, free));
    }
    // No prime factor below `divisor` is left: below its cube the rest has at most two, and they differ.
    (rest < BigUint::from(divisor).pow(3)).then(|| (square, free * rest))
}
