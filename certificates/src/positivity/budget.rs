//! Multiplying polynomials out without asking for all the time and memory.

use super::{Refusal, TERMS, WORK};
use crate::polynomial::Polynomial;
use exact::Rational;
use std::collections::BTreeMap;

/// The steps that are left. A step is one product of two short coefficients; long ones count for more.
pub(super) struct Budget {
    left: u64,
}

impl Budget {
    pub(super) fn new() -> Budget {
        Budget { left: WORK }
    }

    /// a * b.
    pub(super) fn times(
        &mut self,
        place: &str,
        a: &Polynomial,
        b: &Polynomial,
    ) -> Result<Polynomial, Refusal> {
        let count = (a.len() as u64).saturating_mul(b.len() as u64);
        self.spend(place, count, bits(a).saturating_add(bits(b)))?;
        bounded(place, a.times(b))
    }

    /// sum + a.
    pub(super) fn add(
        &mut self,
        place: &str,
        sum: &mut Polynomial,
        a: &Polynomial,
    ) -> Result<(), Refusal> {
        self.spend(place, a.len() as u64, bits(a))?;
        sum.add(a);
        limit(place, sum)
    }

    /// The value of a at a point is about to be computed.
    pub(super) fn evaluate(
        &mut self,
        place: &str,
        a: &Polynomial,
        point: &BTreeMap<String, Rational>,
    ) -> Result<(), Refusal> {
        let length = |x: &Rational| x.numer().bits() + x.denom().bits();
        let powers = point.values().map(length).sum::<u64>();
        let coefficients = a.terms().map(|(_, x)| length(x)).sum::<u64>();
        let bits = coefficients.saturating_add(powers.saturating_mul(a.degree()));
        self.spend(place, (a.len() as u64).saturating_mul(a.degree() + 1), bits)
    }

    fn spend(&mut self, place: &str, count: u64, bits: u64) -> Result<(), Refusal> {
        let long = (bits / 256).saturating_mul(bits / 256).saturating_add(1);
        let left = self.left.checked_sub(count.saturating_mul(long));
        self.left = left.ok_or_else(|| Refusal::Work {
            place: place.to_string(),
            limit: WORK,
        })?;
        Ok(())
    }
}

/// The bits of the longest coefficient.
fn bits(a: &Polynomial) -> u64 {
    let length = a.terms().map(|(_, x)| x.numer().bits() + x.denom().bits());
    length.max().unwrap_or(0)
}

fn bounded(place: &str, a: Polynomial) -> Result<Polynomial, Refusal> {
    limit(place, &a)?;
    Ok(a)
}

/// Refuses polynomials of too many monomials.
pub(super) fn limit(place: &str, a: &Polynomial) -> Result<(), Refusal> {
    if a.len() > TERMS {
        return Err(Refusal::Terms {
            place: place.to_string(),
            terms: a.len(),
            limit: TERMS,
        });
    }
    Ok(())
}
