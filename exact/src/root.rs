//! Square roots: rational enclosures, and the split of an integer into a square and a squarefree part.

use crate::Rational;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};
use std::sync::OnceLock;
use thiserror::Error;

/// Why a square root has no exact form here.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SqrtError {
    /// The radicand is negative.
    #[error("sqrt({0}): the radicand is negative")]
    Negative(Rational),
    /// The squarefree part needs the factors of a large number.
    #[error(
        "sqrt({0}): the squarefree part of the radicand is out of reach (a factor beyond 2^60 was left)"
    )]
    TooLarge(Rational),
}

/// Rational bounds `lower <= sqrt(x) <= upper` at most 2^-bits apart; nothing when `x` is negative.
pub fn sqrt_enclosure(x: &Rational, bits: u32) -> Option<(Rational, Rational)> {
    if x.is_negative() {
        return None;
    }
    let scale = BigInt::one() << bits;
    let floor = ((x.numer() << (2 * u64::from(bits))) / x.denom()).sqrt();
    let lower = Rational::from(floor.clone()).checked_div(&Rational::from(scale.clone()))?;
    if &lower * &lower == *x {
        return Some((lower.clone(), lower));
    }
    let upper = Rational::from(floor + 1).checked_div(&Rational::from(scale))?;
    Some((lower, upper))
}

/// Trial division stops here; what is left may still be settled by its size.
const LAST_DIVISOR: u64 = 1 << 20;

/// Writes `n > 0` as `square^2 * free` with `free` squarefree; nothing when that needs factors out of reach.
pub(crate) fn split_square(n: &BigUint) -> Option<(BigUint, BigUint)> {
    let root = n.sqrt();
    if &root * &root == *n {
        return Some((root, BigUint::one()));
    }
    let mut split = Split {
        square: BigUint::one(),
        free: BigUint::one(),
    };
    let mut rest = n.clone();
    let mut divisor = 2u64;
    // Machine words as soon as they suffice: big numbers are the rare case, and some fifty times slower.
    if rest.to_u64().is_none() {
        for &prime in primes() {
            divisor = prime;
            let mut power = 0;
            while (&rest % prime).is_zero() {
                rest /= prime;
                power += 1;
            }
            split.take(prime, power);
            if power > 0 && rest.to_u64().is_some() {
                break;
            }
        }
    }
    if let Some(mut small) = rest.to_u64() {
        // No prime below the divisor is left: below its cube there are at most two, and size settles the rest.
        while divisor < LAST_DIVISOR && divisor * divisor * divisor <= small {
            let mut power = 0;
            while small.is_multiple_of(divisor) {
                small /= divisor;
                power += 1;
            }
            split.take(divisor, power);
            divisor += if divisor == 2 { 1 } else { 2 };
        }
        rest = small.into();
    }
    let root = rest.sqrt();
    if &root * &root == rest {
        return Some((split.square * root, split.free));
    }
    // At most two prime factors, and they differ.
    (rest < BigUint::from(divisor).pow(3)).then(|| (split.square, split.free * rest))
}

/// The primes below [`LAST_DIVISOR`], sieved when a big radicand first asks for them.
fn primes() -> &'static [u64] {
    static PRIMES: OnceLock<Vec<u64>> = OnceLock::new();
    PRIMES.get_or_init(|| {
        let mut composite = vec![false; LAST_DIVISOR as usize];
        let mut found = Vec::new();
        for n in 2..composite.len() {
            if !composite[n] {
                found.push(n as u64);
                for multiple in (n * n..composite.len()).step_by(n) {
                    composite[multiple] = true;
                }
            }
        }
        found
    })
}

/// The two parts found so far.
struct Split {
    square: BigUint,
    free: BigUint,
}

impl Split {
    /// Takes in a prime power.
    fn take(&mut self, prime: u64, power: u32) {
        if power > 1 {
            self.square *= BigUint::from(prime).pow(power / 2);
        }
        if power % 2 == 1 {
            self.free *= prime;
        }
    }
}
