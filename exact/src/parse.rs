//! Reading numbers: `3`, `-3/5`, `0.25`, and `3/5 + 2*sqrt(35)`.

use crate::{Rational, SqrtError, Surd};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use std::str::FromStr;
use thiserror::Error;

/// Longest text read as one rational.
const LONGEST_RATIONAL: usize = 4096;
/// Longest text read as a sum with square roots.
const LONGEST_SUM: usize = 65536;

/// Why a text is not a number.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ParseError {
    /// Nothing there.
    #[error("\"\" is not a number: it is empty")]
    Empty,
    /// Too long.
    #[error("a number of {length} characters is too long: at most {limit} are read")]
    TooLong {
        /// Characters found.
        length: usize,
        /// Characters allowed.
        limit: usize,
    },
    /// The denominator is zero.
    #[error("\"{0}\" is not a number: its denominator is zero")]
    ZeroDenominator(String),
    /// An exponent.
    #[error("\"{0}\" has an exponent: write the number out, or as a fraction such as 1/1000")]
    Exponent(String),
    /// Anything else.
    #[error(
        "\"{0}\" is not an exact number: write an integer, a fraction such as 3/5, or a decimal such as 0.25"
    )]
    Malformed(String),
    /// A square root that has no exact form.
    #[error(transparent)]
    Sqrt(#[from] SqrtError),
}

/// An unsigned integer: digits and nothing else (`BigInt` alone would let signs and underscores through).
fn digits(text: &str) -> Option<BigInt> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| BigInt::from_str(text).ok()).flatten()
}

impl FromStr for Rational {
    type Err = ParseError;

    /// An integer, a fraction or a decimal, with a sign in front at most.
    ///
    /// # Errors
    /// Anything else, blanks, exponents and zero denominators included, and texts above 4096 bytes.
    fn from_str(text: &str) -> Result<Rational, ParseError> {
        if text.is_empty() {
            return Err(ParseError::Empty);
        }
        if text.len() > LONGEST_RATIONAL {
            return Err(ParseError::TooLong {
                length: text.len(),
                limit: LONGEST_RATIONAL,
            });
        }
        let malformed = || ParseError::Malformed(text.to_string());
        let (negative, unsigned) = match text.as_bytes()[0] {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        // Only a number can have an exponent: "Noether" is merely malformed.
        if let Some((mantissa, _)) = unsigned.split_once(['e', 'E'])
            && mantissa.bytes().any(|b| b.is_ascii_digit())
            && mantissa.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        {
            return Err(ParseError::Exponent(text.to_string()));
        }
        let (numerator, denominator) = if let Some((n, d)) = unsigned.split_once('/') {
            let d = digits(d).ok_or_else(malformed)?;
            if d.is_zero() {
                return Err(ParseError::ZeroDenominator(text.to_string()));
            }
            (digits(n).ok_or_else(malformed)?, d)
        } else if let Some((whole, fraction)) = unsigned.split_once('.') {
            if digits(whole).is_none() || digits(fraction).is_none() {
                return Err(malformed());
            }
            let all = digits(&format!("{whole}{fraction}")).ok_or_else(malformed)?;
            (all, num_traits::pow(BigInt::from(10), fraction.len()))
        } else if let Some(whole) = digits(unsigned) {
            (whole, BigInt::from(1))
        } else {
            return Err(malformed());
        };
        let value = Rational::from(BigRational::new(numerator, denominator));
        Ok(if negative { -value } else { value })
    }
}

impl FromStr for Surd {
    type Err = ParseError;

    /// Terms `q`, `sqrt(q)` and `q*sqrt(q)` joined by plus and minus signs; blanks are free around signs, the
    /// asterisk and inside the parentheses.
    ///
    /// # Errors
    /// Anything else, a negative radicand, one whose squarefree part is out of reach, and texts above 65536 bytes.
    fn from_str(text: &str) -> Result<Surd, ParseError> {
        if text.trim().is_empty() {
            return Err(ParseError::Empty);
        }
        if text.len() > LONGEST_SUM {
            return Err(ParseError::TooLong {
                length: text.len(),
                limit: LONGEST_SUM,
            });
        }
        let malformed = || ParseError::Malformed(text.to_string());
        let (mut total, mut rest, mut first) = (Surd::zero(), text.trim(), true);
        while !rest.is_empty() {
            let (negative, unsigned) = match (rest.strip_prefix('-'), rest.strip_prefix('+')) {
                (Some(r), _) => (true, r.trim_start()),
                (_, Some(r)) => (false, r.trim_start()),
                _ if first => (false, rest),
                _ => return Err(malformed()),
            };
            let end = term_end(unsigned);
            let term = term(unsigned[..end].trim_end()).map_err(|e| match e {
                ParseError::Empty | ParseError::Malformed(_) => malformed(),
                _ => e,
            })?;
            total += &if negative { -term } else { term };
            rest = &unsigned[end..];
            first = false;
        }
        Ok(total)
    }
}

/// Where the first term ends: at the next sign outside parentheses (a sign inside belongs to the radicand).
fn term_end(text: &str) -> usize {
    let mut inside = false;
    let sign = text.char_indices().find(|(_, c)| {
        match c {
            '(' => inside = true,
            ')' => inside = false,
            _ => {}
        }
        !inside && matches!(c, '+' | '-')
    });
    sign.map_or(text.len(), |(at, _)| at)
}

/// One unsigned term.
fn term(text: &str) -> Result<Surd, ParseError> {
    let Some(start) = text.find("sqrt(") else {
        return Ok(Surd::from(text.parse::<Rational>()?));
    };
    let malformed = || ParseError::Malformed(text.to_string());
    let inside = text[start + 5..].strip_suffix(')').ok_or_else(malformed)?;
    let root = Surd::sqrt(&inside.trim().parse::<Rational>()?)?;
    match text[..start].trim_end().strip_suffix('*') {
        Some(factor) => Ok(root.scale(&factor.trim_end().parse::<Rational>()?)),
        None if start == 0 => Ok(root),
        None => Err(malformed()),
    }
}
