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

/// Reads a polynomial.
///
/// # Errors
/// What is not one, and nesting beyond 50.
pub fn polynomial(formula: &str) -> Result<Polynomial, FormulaError> {
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

    fn sum(&mut self) -> Result<Polynomial, FormulaError> {
        self.depth += 1;
        if self.depth > 50 {
            return Err(self.error("less nesting"));
        }
        let minus = self.takes('-');
        let mut value = self.product()?;
        if minus {
            value = Polynomial::zero().minus(&value);
        }
        loop {
            if self.takes('+') {
                value = value.plus(&self.product()?);
            } else if self.takes('-') {
                value = value.minus(&self.product()?);
            } else {
                self.depth -= 1;
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<Polynomial, FormulaError> {
        let mut value = self.power()?;
        while self.takes('*') {
            value = value.times(&self.power()?);
        }
        Ok(value)
    }

    fn power(&mut self) -> Result<Polynomial, FormulaError> {
        let base = self.atom()?;
        if !self.takes('^') {
            return Ok(base);
        }
        let digits = self.run(|c| c.is_ascii_digit());
        let times: u32 = digits.parse().map_err(|_| self.error("a power"))?;
        if times > 20 {
            return Err(self.error("a power of at most 20"));
        }
        Ok((0..times).fold(Polynomial::one(), |p, _| p.times(&base)))
    }

    fn atom(&mut self) -> Result<Polynomial, FormulaError> {
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
                Ok(Polynomial::constant(value))
            }
            Some(c) if c.is_ascii_alphabetic() => {
                let name = self.run(|c| c.is_ascii_alphanumeric() || c == '_');
                Ok(Polynomial::variable(&name))
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
