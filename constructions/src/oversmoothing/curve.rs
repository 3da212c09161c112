//! The similarity rho-hat as a function of lambda: exact moments, signs, regimes, and enclosures of the mean.

use super::formula::Symbol;
use super::moments::Moments;
use super::setting::Setting;
use exact::{Rational, Surd, sqrt_enclosure};
use num_traits::{One, Zero};
use std::fmt::{self, Display, Formatter};
use thiserror::Error;

/// Most tokens for which the mean similarity is written with square roots.
const EXACT: usize = 4;

/// What the signs of q, p and p + q say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Regime {
    /// q = 0: nothing depends on lambda.
    Constant,
    /// q > 0 and p >= 0.
    Increasing,
    /// q > 0 and p + q <= 0.
    Decreasing,
    /// p < 0 < p + q: token norms turn at lambda*, strictly between 0 and 1.
    Turning,
}

impl Display for Regime {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.pad(match self {
            Regime::Constant => "constant",
            Regime::Increasing => "increasing",
            Regime::Decreasing => "decreasing",
            Regime::Turning => "turning",
        })
    }
}

/// An expectation that is not positive: `E[Y_i^T Y_j]`, i = j included.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("E[Y_{i}^T Y_{j}] = {value} at lambda = {lambda} is not positive")]
pub struct NotPositive {
    /// The first token, from 1.
    pub i: usize,
    /// The second token.
    pub j: usize,
    /// Where.
    pub lambda: Rational,
    /// The expectation.
    pub value: Rational,
}

/// The expectations at one lambda.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// lambda.
    pub lambda: Rational,
    /// `N_j = E[Y_i^T Y_j]` for any i < j, at index j - 1; index 0 stands for nothing and is 0.
    pub pairs: Vec<Rational>,
    /// `D_k = E[|Y_k|^2]` at index k - 1.
    pub norms: Vec<Rational>,
}

impl Setting {
    /// The regime.
    pub fn regime(&self) -> Regime {
        if self.q().is_zero() {
            Regime::Constant
        } else if !self.p().is_negative() {
            Regime::Increasing
        } else if !self.s().is_positive() {
            Regime::Decreasing
        } else {
            Regime::Turning
        }
    }

    /// lambda* = (p + q)/q, where token norms are least; nothing for q = 0. Outside (0, 1) they do not turn.
    pub fn lambda_star(&self) -> Option<Rational> {
        self.s().checked_div(&self.q())
    }

    /// An expectation (2): `E[|Y_k|^2]` for i = j = k, else `E[Y_i^T Y_j]`; tokens from 1.
    pub fn expectation(&self, m: &Moments, i: usize, j: usize, lambda: &Rational) -> Rational {
        let formula = if i == j { &m.norm } else { &m.pair };
        let over = |k: usize| Rational::from(k).recip().unwrap_or_default();
        formula.at(|symbol| match symbol {
            Symbol::Lambda => lambda.clone(),
            Symbol::OverI => over(i.min(j)),
            Symbol::OverJ => over(i.max(j)),
            other => self.value(other).cloned().unwrap_or_default(),
        })
    }

    /// All expectations at a lambda, by (2).
    pub fn point(&self, lambda: &Rational) -> Point {
        let printed = Moments::printed();
        let pairs = (2..=self.t).map(|j| self.expectation(&printed, 1, j, lambda));
        let norms = (1..=self.t).map(|k| self.expectation(&printed, k, k, lambda));
        Point {
            lambda: lambda.clone(),
            pairs: std::iter::once(Rational::zero()).chain(pairs).collect(),
            norms: norms.collect(),
        }
    }

    /// Are all expectations positive for every lambda in [0, 1]? Pairs are linear in lambda, norms convex with their least value
    /// at lambda*, so the end points and lambda* decide.
    ///
    /// # Errors
    /// The first that is not.
    pub fn positive(&self) -> Result<(), NotPositive> {
        let turn = self.lambda_star().into_iter();
        let inside = turn.filter(|x| x.is_positive() && *x < Rational::one());
        let mut decisive = [Rational::zero(), Rational::one()]
            .into_iter()
            .chain(inside);
        decisive.try_for_each(|lambda| self.point(&lambda).positive())
    }
}

impl Point {
    /// Are all expectations positive here?
    ///
    /// # Errors
    /// The first that is not.
    pub fn positive(&self) -> Result<(), NotPositive> {
        let refuse = |i, j, value: &Rational| NotPositive {
            i,
            j,
            lambda: self.lambda.clone(),
            value: value.clone(),
        };
        let norms = self.norms.iter().enumerate();
        if let Some((k, value)) = norms.into_iter().find(|(_, x)| !x.is_positive()) {
            return Err(refuse(k + 1, k + 1, value));
        }
        let mut pairs = self.pairs.iter().enumerate().skip(1);
        match pairs.find(|(_, x)| !x.is_positive()) {
            Some((k, value)) => Err(refuse(1, k + 1, value)),
            None => Ok(()),
        }
    }

    /// The square of the similarity of tokens i < j, with the sign of `E[Y_i^T Y_j]`; nothing where a norm is 0.
    pub fn signed_square(&self, i: usize, j: usize) -> Option<Rational> {
        let (n, a, b) = (
            self.pairs.get(j.checked_sub(1)?)?,
            self.norms.get(i.checked_sub(1)?)?,
            self.norms.get(j - 1)?,
        );
        let square = (n * n).checked_div(&(a * b))?;
        Some(if n.is_negative() { -square } else { square })
    }

    /// The mean similarity rho-hat, written with square roots; nothing where a norm is not positive, beyond 4 tokens, or where
    /// a root is out of reach.
    pub fn exact(&self) -> Option<Surd> {
        let t = self.norms.len();
        if t > EXACT || !self.norms.iter().all(Rational::is_positive) {
            return None;
        }
        let mut sum = Surd::zero();
        for j in 1..t {
            for i in 0..j {
                let product = &self.norms[i] * &self.norms[j];
                let share = self.pairs[j].checked_div(&product)?;
                sum = &sum + &Surd::sqrt(&product).ok()?.scale(&share);
            }
        }
        Some(sum.scale(&over_pairs(t)?))
    }

    /// Bounds of the mean similarity; nothing where a norm is not positive. More bits, closer bounds.
    pub fn enclosure(&self, bits: u32) -> Option<(Rational, Rational)> {
        let t = self.norms.len();
        // 1/sqrt(D_k), between bounds; the sum of those before j multiplies N_j/sqrt(D_j).
        let mut before = (Rational::zero(), Rational::zero());
        let (mut low, mut high) = (Rational::zero(), Rational::zero());
        let mut previous: Option<(&Rational, (Rational, Rational))> = None;
        for (n, d) in self.pairs.iter().zip(&self.norms) {
            let root = match &previous {
                Some((same, root)) if *same == d => root.clone(),
                _ if d.is_positive() => sqrt_enclosure(&d.recip()?, bits)?,
                _ => return None,
            };
            let (least, most) = (&before.0 * &root.0, &before.1 * &root.1);
            let (least, most) = if n.is_negative() {
                (most, least)
            } else {
                (least, most)
            };
            low += n * &least;
            high += n * &most;
            before = (before.0 + &root.0, before.1 + &root.1);
            // Short numbers: what is added up is rounded outwards.
            before = (
                round(&before.0, bits, false)?,
                round(&before.1, bits, true)?,
            );
            low = round(&low, bits, false)?;
            high = round(&high, bits, true)?;
            previous = Some((d, root));
        }
        let share = over_pairs(t)?;
        Some((low * &share, high * &share))
    }
}

/// 2/(T (T - 1)).
fn over_pairs(t: usize) -> Option<Rational> {
    Rational::from(t * t.checked_sub(1)?)
        .recip()
        .map(|x| x * Rational::integer(2))
}

/// The multiple of 2^-(bits + 8) next to x.
fn round(x: &Rational, bits: u32, up: bool) -> Option<Rational> {
    let scale = Rational::integer(2).pow(bits + 8);
    let scaled = x * &scale;
    let mut whole = scaled.floor();
    if up && Rational::from(whole.clone()) != scaled {
        whole += 1;
    }
    Rational::from(whole).checked_div(&scale)
}
