//! Exact numbers of a cyclotomic field: polynomials in w = exp(2 pi i/n) modulo the n-th cyclotomic polynomial.

use exact::Rational;
use std::sync::Arc;

/// The field of order n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    n: usize,
    /// The cyclotomic polynomial, lowest power first; its leading coefficient is 1.
    modulus: Arc<Vec<Rational>>,
}

/// A number of a field, lowest power of w first, reduced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cyclotomic {
    field: Field,
    coefficients: Vec<Rational>,
}

impl Field {
    /// The field of order n, n >= 1.
    pub fn new(n: usize) -> Field {
        Field {
            n,
            modulus: Arc::new(cyclotomic_polynomial(n.max(1))),
        }
    }

    /// w^k.
    pub fn root(&self, k: i64) -> Cyclotomic {
        let power = usize::try_from(k.rem_euclid(self.n as i64)).unwrap_or(0);
        let mut coefficients = vec![Rational::default(); power + 1];
        coefficients[power] = Rational::integer(1);
        self.reduced(coefficients)
    }

    /// A rational number.
    pub fn number(&self, x: Rational) -> Cyclotomic {
        self.reduced(vec![x])
    }

    fn reduced(&self, mut all: Vec<Rational>) -> Cyclotomic {
        let degree = self.modulus.len() - 1;
        while all.len() > degree {
            let Some(lead) = all.pop() else { break };
            if lead.is_zero() {
                continue;
            }
            let shift = all.len() - degree;
            for (k, m) in self.modulus[..degree].iter().enumerate() {
                all[shift + k] -= &lead * m;
            }
        }
        while all.last().is_some_and(Rational::is_zero) {
            all.pop();
        }
        Cyclotomic {
            field: self.clone(),
            coefficients: all,
        }
    }
}

impl Cyclotomic {
    /// `self + other`, of the same field.
    pub fn plus(&self, other: &Cyclotomic) -> Cyclotomic {
        let length = self.coefficients.len().max(other.coefficients.len());
        let at = |x: &Cyclotomic, k: usize| x.coefficients.get(k).cloned().unwrap_or_default();
        let sum = (0..length).map(|k| at(self, k) + at(other, k)).collect();
        self.field.reduced(sum)
    }

    /// `self other`, of the same field.
    pub fn times(&self, other: &Cyclotomic) -> Cyclotomic {
        let length = self.coefficients.len() + other.coefficients.len();
        let mut product = vec![Rational::default(); length];
        for (i, x) in self.coefficients.iter().enumerate() {
            for (j, y) in other.coefficients.iter().enumerate() {
                product[i + j] += x * y;
            }
        }
        self.field.reduced(product)
    }

    /// The complex conjugate: w becomes 1/w.
    pub fn conjugate(&self) -> Cyclotomic {
        let zero = self.field.number(Rational::default());
        let terms = self.coefficients.iter().enumerate();
        terms.fold(zero, |sum, (k, x)| {
            let turned = self.field.root(-(k as i64));
            sum.plus(&turned.times(&self.field.number(x.clone())))
        })
    }

    /// The number, if it is rational.
    pub fn rational(&self) -> Option<Rational> {
        match self.coefficients.as_slice() {
            [] => Some(Rational::default()),
            [x] => Some(x.clone()),
            _ => None,
        }
    }
}

/// The quotient of x^n - 1 by the polynomials of all smaller divisors of n.
fn cyclotomic_polynomial(n: usize) -> Vec<Rational> {
    let mut quotient = vec![Rational::default(); n + 1];
    quotient[0] = Rational::integer(-1);
    quotient[n] = Rational::integer(1);
    for k in (1..n).filter(|k| n.is_multiple_of(*k)) {
        quotient = divided(quotient, &cyclotomic_polynomial(k));
    }
    quotient
}

/// The quotient by a polynomial with leading coefficient 1 that divides it.
fn divided(mut all: Vec<Rational>, by: &[Rational]) -> Vec<Rational> {
    let degree = by.len() - 1;
    let mut quotient = Vec::new();
    while all.len() > degree {
        let Some(lead) = all.pop() else { break };
        let shift = all.len() - degree;
        for (k, m) in by[..degree].iter().enumerate() {
            all[shift + k] -= &lead * m;
        }
        quotient.push(lead);
    }
    quotient.reverse();
    quotient
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_small_orders() {
        let known: [(usize, &[i64]); 6] = [
            (1, &[-1, 1]),
            (2, &[1, 1]),
            (5, &[1, 1, 1, 1, 1]),
            (6, &[1, -1, 1]),
            (9, &[1, 0, 0, 1, 0, 0, 1]),
            (15, &[1, -1, 0, 1, -1, 1, 0, -1, 1]),
        ];
        for (n, coefficients) in known {
            let expected: Vec<Rational> =
                coefficients.iter().map(|x| Rational::integer(*x)).collect();
            assert_eq!(cyclotomic_polynomial(n), expected, "order {n}");
        }
    }

    /// Sums of powers against floats.
    #[test]
    fn sums_of_roots() {
        for n in [3usize, 5, 9, 15] {
            let field = Field::new(n);
            for m in 0..n as i64 {
                let zero = field.number(Rational::default());
                let sum = (0..n as i64).fold(zero, |s, f| s.plus(&field.root(f * m)));
                let expected = if m == 0 { n as i64 } else { 0 };
                assert_eq!(sum.rational(), Some(Rational::integer(expected)));
                let root = field.root(m);
                let square = root.times(&root.conjugate());
                assert_eq!(square.rational(), Some(Rational::integer(1)));
            }
            assert_eq!(field.root(1).rational(), None);
        }
    }
}
