//! What both kinds of exact numbers can do, for code that is written once over either.

use crate::{Rational, Surd};
use num_traits::{One, Zero};
use std::fmt::{Debug, Display};

/// An ordered field with exact comparison: [`Rational`], or [`Surd`] where square roots occur.
pub trait Field: Clone + Debug + Display + Ord + From<Rational> + Send + Sync {
    /// 0.
    fn nought() -> Self {
        Rational::zero().into()
    }

    /// 1.
    fn unit() -> Self {
        Rational::one().into()
    }

    /// `self + other`.
    fn plus(&self, other: &Self) -> Self;

    /// `self - other`.
    fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    /// `self * other`.
    fn times(&self, other: &Self) -> Self;

    /// `-self`.
    fn negated(&self) -> Self;

    /// `1 / self`; nothing for zero.
    fn reciprocal(&self) -> Option<Self>;

    /// The sign: -1, 0 or 1.
    fn sign(&self) -> i32;

    /// The number as a rational, if it is one.
    fn rational(&self) -> Option<Rational>;

    /// Rational bounds; their distance falls by half with every bit.
    fn bounds(&self, bits: u32) -> (Rational, Rational);

    /// Is it zero?
    fn is_nought(&self) -> bool {
        self.sign() == 0
    }
}

impl Field for Rational {
    fn plus(&self, other: &Rational) -> Rational {
        self + other
    }

    fn times(&self, other: &Rational) -> Rational {
        self * other
    }

    fn negated(&self) -> Rational {
        -self
    }

    fn reciprocal(&self) -> Option<Rational> {
        self.recip()
    }

    fn sign(&self) -> i32 {
        self.signum()
    }

    fn rational(&self) -> Option<Rational> {
        Some(self.clone())
    }

    fn bounds(&self, _bits: u32) -> (Rational, Rational) {
        (self.clone(), self.clone())
    }
}

impl Field for Surd {
    fn plus(&self, other: &Surd) -> Surd {
        self + other
    }

    fn times(&self, other: &Surd) -> Surd {
        self * other
    }

    fn negated(&self) -> Surd {
        -self
    }

    fn reciprocal(&self) -> Option<Surd> {
        self.inverse()
    }

    fn sign(&self) -> i32 {
        self.signum()
    }

    fn rational(&self) -> Option<Rational> {
        self.as_rational()
    }

    fn bounds(&self, bits: u32) -> (Rational, Rational) {
        self.enclosure(bits)
    }

    fn is_nought(&self) -> bool {
        self.is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratio;

    fn laws<F: Field>(x: &F, y: &F) {
        assert_eq!(x.minus(y).plus(y), *x);
        assert_eq!(x.times(y).sign(), x.sign() * y.sign());
        assert!(x.minus(x).is_nought());
        match y.reciprocal() {
            Some(inverse) => assert_eq!(y.times(&inverse), F::unit()),
            None => assert!(y.is_nought()),
        }
    }

    #[test]
    fn both_are_fields() {
        for (a, b) in [(3, -2), (0, 5), (-7, 0)] {
            laws(&ratio(a, 4), &ratio(b, 3));
            let root = Surd::sqrt(&ratio(3, 1)).unwrap_or_else(|_| Surd::zero());
            let x = &Surd::from(ratio(a, 4)) + &root;
            laws(&x, &root.scale(&ratio(b, 3)));
        }
    }
}
