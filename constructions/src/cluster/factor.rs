//! Factors `alpha + beta/|u|` of a label, |u| a square root that need not be in the field.

use super::block::sign_with_root;
use exact::{Rational, Surd, sqrt_enclosure};
use num_traits::{One, Zero};
use std::cmp::Ordering;

/// `alpha + beta / sqrt(square)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// alpha.
    pub alpha: Surd,
    /// beta.
    pub beta: Surd,
    /// |u|^2, positive where beta is not zero.
    pub square: Surd,
}

impl Factor {
    /// Compares with a rational, by squares.
    pub fn compare(&self, x: &Rational) -> Ordering {
        let rest = &self.alpha - &Surd::from(x.clone());
        if self.beta.is_zero() {
            return rest.signum().cmp(&0);
        }
        // beta/|u| + rest has the sign of beta + rest |u|.
        sign_with_root(&self.beta, &rest, &self.square)
    }

    /// Is it within epsilon of 1?
    pub fn within(&self, epsilon: &Rational) -> bool {
        let one = Rational::one();
        self.compare(&(&one - epsilon)) != Ordering::Less
            && self.compare(&(&one + epsilon)) != Ordering::Greater
    }

    /// Rational bounds.
    pub fn enclosure(&self, bits: u32) -> (Rational, Rational) {
        let (low, high) = self.alpha.enclosure(bits);
        if self.beta.is_zero() {
            return (low, high);
        }
        let (b0, b1) = self.beta.enclosure(bits);
        let (s0, s1) = self.square.enclosure(bits);
        let inverse = |x: &Rational, up: bool| {
            let (below, above) = sqrt_enclosure(x, bits)?;
            if up { below.recip() } else { above.recip() }
        };
        // 1/sqrt of an enclosure; where it reaches zero nothing is known.
        let (Some(i0), Some(i1)) = (
            inverse(&s1, false),
            Some(s0)
                .filter(Rational::is_positive)
                .and_then(|s| inverse(&s, true)),
        ) else {
            let far = Rational::integer(i64::MAX);
            return (-&far, far);
        };
        let products = [&b0 * &i0, &b0 * &i1, &b1 * &i0, &b1 * &i1];
        let least = products
            .iter()
            .min()
            .cloned()
            .unwrap_or_else(Rational::zero);
        let most = products
            .iter()
            .max()
            .cloned()
            .unwrap_or_else(Rational::zero);
        (low + least, high + most)
    }
}

/// The least and the greatest of many factors, each enclosed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread {
    /// Encloses the least.
    pub least: Option<(Rational, Rational)>,
    /// Encloses the greatest.
    pub greatest: Option<(Rational, Rational)>,
}

impl Spread {
    /// Adds a factor.
    pub fn add(&mut self, factor: &Factor) {
        let (low, high) = factor.enclosure(64);
        self.least = Some(match self.least.take() {
            None => (low.clone(), high.clone()),
            Some((a, b)) => (a.min(low.clone()), b.min(high.clone())),
        });
        self.greatest = Some(match self.greatest.take() {
            None => (low, high),
            Some((a, b)) => (a.max(low), b.max(high)),
        });
    }
}
