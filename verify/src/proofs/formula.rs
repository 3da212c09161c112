//! Polynomials written as text, for the formulas of proofs: `(1+e)*(R - 1) + 3/2*x^2`.

use certificates::polynomial::Polynomial;
use exact::Rational;
use thiserror::Error;

/// A formula that is no polynomial.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("formula \"{formula}\": {rule} expected at character {place}")]
pub struct FormulaError {
    formula: String,
    rule: &'static str,
    place: usize,
}

/// What a formula can be read as.
pub trait Ring: Sized + Clone {
    /// A number.
    fn number(x: Rational) -> Self;
    /// A variable.
    fn variable(name: &str) -> Self;
    /// `self + other`.
    fn add(&self, other: &Self) -> Self;
    /// `self - other`.
    fn subtract(&self, other: &Self) -> Self;
    /// `self other`.
    fn multiply(&self, other: &Self) -> Self;
}

impl Ring for Polynomial {
    fn number(x: Rational) -> Polynomial {
        Polynomial::constant(x)
    }

    fn variable(name: &str) -> Polynomial {
        Polynomial::variable(name)
    }

    fn add(&self, other: &Polynomial) -> Polynomial {
        self.plus(other)
    }

    fn subtract(&self, other: &Polynomial) -> Polynomial {
        self.minus(other)
    }

    fn multiply(&self, other: &Polynomial) -> Polynomial {
        self.times(other)
    }
}

/// Reads a polynomial.
///
/// # Errors
/// What is not one, and nesting beyond 50.
pub fn polynomial(formula: &str) -> Result<Polynomial, FormulaError> {
    read(formula)
}

/// Reads a formula.
///
/// # Errors
/// What is no polynomial, and nesting beyond 50.
pub fn read<A: Ring>(formula: &str) -> Result<A, FormulaError> {
    let text: Vec<char> = formula.chars().collect();
    let mut reader = Reader {
        formula,
        text: &text,
        at: 0,
        depth: 0,
    };
    let value = reader.sum()?;
    if reader.peek().is_some() {
        return Err(reader.error("an operator"));
    }
    Ok(value)
}

struct Reader<'a> {
    formula: &'a str,
    text: &'a [char],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn error(&self, rule: &'static str) -> FormulaError {
        FormulaError {
            formula: self.formula.to_string(),
            rule,
            place: self.at + 1,
        }
    }

    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at) == Some(&' ') {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn takes(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn run(&mut self, wanted: impl Fn(char) -> bool) -> String {
        self.peek();
        let rest = &self.text[self.at..];
        let word: String = rest.iter().take_while(|c| wanted(**c)).collect();
        self.at += word.chars().count();
        word
    }

    fn sum<A: Ring>(&mut self) -> Result<A, FormulaError> {
        self.depth += 1;
        if self.depth > 50 {
            return Err(self.error("less nesting"));
        }
        let minus = self.takes('-');
        let mut value: A = self.product()?;
        if minus {
            value = A::number(Rational::default()).subtract(&value);
        }
        loop {
            if self.takes('+') {
                value = value.add(&self.product()?);
            } else if self.takes('-') {
                value = value.subtract(&self.product()?);
            } else {
                self.depth -= 1;
                return Ok(value);
            }
        }
    }

    fn product<A: Ring>(&mut self) -> Result<A, FormulaError> {
        let mut value: A = self.power()?;
        while self.takes('*') {
            value = value.multiply(&self.power()?);
        }
        Ok(value)
    }

    fn power<A: Ring>(&mut self) -> Result<A, FormulaError> {
        let base: A = self.atom()?;
        if !self.takes('^') {
            return Ok(base);
        }
        let digits = self.run(|c| c.is_ascii_digit());
        let times: u32 = digits.parse().map_err(|_| self.error("a power"))?;
        if times > 20 {
            return Err(self.error("a power of at most 20"));
        }
        Ok((0..times).fold(A::number(Rational::integer(1)), |p, _| p.multiply(&base)))
    }

    fn atom<A: Ring>(&mut self) -> Result<A, FormulaError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let value = self.sum()?;
                if self.takes(')') {
                    Ok(value)
                } else {
                    Err(self.error("a closing parenthesis"))
                }
            }
            Some(c) if c.is_ascii_digit() => {
                let number = self.run(|c| c.is_ascii_digit() || c == '/' || c == '.');
                let value: Rational = number.parse().map_err(|_| self.error("a number"))?;
                Ok(A::number(value))
            }
            Some(c) if c.is_ascii_alphabetic() => {
                let name = self.run(|c| c.is_ascii_alphanumeric() || c == '_');
                Ok(A::variable(&name))
            }
            _ => Err(self.error("a number, a variable or a parenthesis")),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may stop where something is missing
mod tests {
    use super::*;

    #[test]
    fn reads_and_refuses() {
        let p = polynomial("(1 + e)*(R - 1) - 3/2*e^2").unwrap();
        assert_eq!(p, polynomial("R - 1 + e*R - e - 1.5*e*e").unwrap());
        for wrong in ["", "1 +", "(1", "x y", "2^", "2^99", "1/0", "x)", "*x"] {
            assert!(polynomial(wrong).is_err(), "{wrong}");
        }
        assert!(polynomial(&"(".repeat(100_000)).is_err());
    }
}
