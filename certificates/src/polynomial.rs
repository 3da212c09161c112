//! Polynomials in named variables with exact rational coefficients.

use exact::Rational;
use std::collections::BTreeMap;
use std::fmt::{self, Display};

/// A product of powers of variables; the empty product is 1.
///
/// Monomials are ordered as the lists of their (variable, power) pairs, so 1 is the least.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Monomial(BTreeMap<String, u32>);

impl Monomial {
    /// From its powers; powers of 0 are dropped.
    pub fn new(powers: BTreeMap<String, u32>) -> Monomial {
        Monomial(powers.into_iter().filter(|(_, power)| *power > 0).collect())
    }

    /// The variables and their powers, all > 0, by name.
    pub fn powers(&self) -> impl Iterator<Item = (&str, u32)> {
        self.0.iter().map(|(name, power)| (name.as_str(), *power))
    }

    /// The sum of the powers.
    pub fn degree(&self) -> u64 {
        self.0.values().map(|power| u64::from(*power)).sum()
    }

    /// The product.
    fn times(&self, other: &Monomial) -> Monomial {
        let mut powers = self.0.clone();
        for (name, power) in &other.0 {
            *powers.entry(name.clone()).or_default() += power;
        }
        Monomial(powers)
    }
}

impl Display for Monomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("1");
        }
        for (k, (name, power)) in self.0.iter().enumerate() {
            let times = if k == 0 { "" } else { "*" };
            match power {
                1 => write!(f, "{times}{name}")?,
                _ => write!(f, "{times}{name}^{power}")?,
            }
        }
        Ok(())
    }
}

/// A polynomial, by its nonzero coefficients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polynomial(BTreeMap<Monomial, Rational>);

impl Polynomial {
    /// 0.
    pub fn zero() -> Polynomial {
        Polynomial::default()
    }

    /// 1.
    pub fn one() -> Polynomial {
        Polynomial::constant(Rational::integer(1))
    }

    /// A constant.
    pub fn constant(value: Rational) -> Polynomial {
        Polynomial::term(Monomial::default(), value)
    }

    /// A variable.
    pub fn variable(name: &str) -> Polynomial {
        let monomial = Monomial(BTreeMap::from([(name.to_string(), 1)]));
        Polynomial::term(monomial, Rational::integer(1))
    }

    /// A coefficient times a monomial.
    pub fn term(monomial: Monomial, coefficient: Rational) -> Polynomial {
        let mut sum = Polynomial::zero();
        sum.add_term(monomial, &coefficient);
        sum
    }

    /// Is it 0?
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The monomials and their coefficients, none 0, in the order of the monomials.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, &Rational)> {
        self.0.iter()
    }

    /// The number of monomials.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Has it no monomials, that is, is it 0?
    pub fn is_empty(&self) -> bool {
        self.is_zero()
    }

    /// The coefficient of a monomial.
    pub fn coefficient(&self, monomial: &Monomial) -> Rational {
        self.0.get(monomial).cloned().unwrap_or_default()
    }

    /// The largest degree of a monomial; 0 for constants, the constant 0 included.
    pub fn degree(&self) -> u64 {
        self.0.keys().map(Monomial::degree).max().unwrap_or(0)
    }

    /// Adds a coefficient times a monomial.
    pub fn add_term(&mut self, monomial: Monomial, coefficient: &Rational) {
        if coefficient.is_zero() {
            return;
        }
        let sum = self.0.entry(monomial.clone()).or_default();
        *sum += coefficient;
        if sum.is_zero() {
            self.0.remove(&monomial);
        }
    }

    /// Adds another polynomial.
    pub fn add(&mut self, other: &Polynomial) {
        for (monomial, coefficient) in &other.0 {
            self.add_term(monomial.clone(), coefficient);
        }
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Polynomial) -> Polynomial {
        let mut sum = self.clone();
        sum.add(other);
        sum
    }

    /// The difference.
    #[must_use]
    pub fn minus(&self, other: &Polynomial) -> Polynomial {
        self.plus(&other.scale(&Rational::integer(-1)))
    }

    /// The product. A power above `u32::MAX` is an overflow, which stops the program.
    #[must_use]
    pub fn times(&self, other: &Polynomial) -> Polynomial {
        let mut sum = Polynomial::zero();
        for (m, x) in &self.0 {
            for (n, y) in &other.0 {
                sum.add_term(m.times(n), &(x * y));
            }
        }
        sum
    }

    /// The product with a number.
    #[must_use]
    pub fn scale(&self, factor: &Rational) -> Polynomial {
        if factor.is_zero() {
            return Polynomial::zero();
        }
        let terms = self.0.iter().map(|(m, x)| (m.clone(), x * factor));
        Polynomial(terms.collect())
    }

    /// The value at a point, or the name of a variable that the point gives no value.
    ///
    /// # Errors
    /// A variable without a value.
    pub fn evaluate(&self, point: &BTreeMap<String, Rational>) -> Result<Rational, String> {
        let mut sum = Rational::default();
        for (monomial, coefficient) in &self.0 {
            let mut term = coefficient.clone();
            for (name, power) in &monomial.0 {
                let value = point.get(name).ok_or_else(|| name.clone())?;
                term *= value.pow(*power);
            }
            sum += term;
        }
        Ok(sum)
    }
}

impl Display for Polynomial {
    /// Higher degrees first, as in `3/2*C^2*x - 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        let mut terms: Vec<_> = self.0.iter().collect();
        terms.sort_by_key(|(monomial, _)| std::cmp::Reverse(monomial.degree()));
        for (k, (monomial, coefficient)) in terms.into_iter().enumerate() {
            f.write_str(match (k, coefficient.is_negative()) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            let size = coefficient.abs();
            match (monomial.0.is_empty(), size == Rational::integer(1)) {
                (true, _) => write!(f, "{size}")?,
                (false, true) => write!(f, "{monomial}")?,
                (false, false) => write!(f, "{size}*{monomial}")?,
            }
        }
        Ok(())
    }
}
