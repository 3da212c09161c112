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
    #[error("\"{0}\" is not an exact number: write an integer, a fraction such as 3/5, or a decimal such as 0.25")]
    Malformed(String),
    /// A square root that has no exact form.
    #[error(transparent)]
    Sqrt(#[from] SqrtError),
}

fn digits(text: &str) -> Option<BigInt> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| BigInt::from_str(text).ok()).flatten()
}

impl FromStr for Rational {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Rational, ParseError> {
        if text.is_empty() {
            return Err(ParseError::Empty);
        }
        if text.len() > LONGEST_RATIONAL {
            return Err(ParseError::TooLong { length: text.len(), limit: LONGEST_RATIONAL });
        }
        let malformed = || ParseError::Malformed(text.to_string());
        let (negative, unsigned) = match text.as_bytes()[0] {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
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
            (all, BigInt::from(10).pow(u32::try_from(fraction.len()).unwrap_or(0)))
        } else if let Some(whole) = digits(unsigned) {
            (whole, BigInt::from(1))
        } else if unsigned.split_once(['e', 'E']).is_some_and(|(a, _)| a.parse::<f64>().is_ok()) {
            return Err(ParseError::Exponent(text.to_string()));
        } else {
            return Err(malformed());
        };
        let value = Rational::from(BigRational::new(numerator, denominator));
        Ok(if negative { -value } else { value })
    }
}

impl FromStr for Surd {
    type Err = ParseError;

    /// Terms `q`, `sqrt(q)` and `q*sqrt(q)` joined by plus and minus signs; blanks are free around signs.
    fn from_str(text: &str) -> Result<Surd, ParseError> {
        if text.trim().is_empty() {
            return Err(ParseError::Empty);
        }
        if text.len() > LONGEST_SUM {
            return Err(ParseError::TooLong { length: text.len(), limit: LONGEST_SUM });
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
            let end = unsigned.find(['+', '-']).unwrap_or(unsigned.len());
            let term = term(unsigned[..end].trim_end()).map_err(|e| match e {
                ParseError::Sqrt(_) | ParseError::ZeroDenominator(_) => e,
                _ => malformed(),
            })?;
            total += &if negative { -term } else { term };
            rest = &unsigned[end..];
            first = false;
        }
        Ok(total)
    }
}

/// One unsigned term.
fn term(text: &str) -> Result<Surd, ParseError> {
    let Some(start) = text.find("sqrt(") else { return Ok(Surd::from(text.parse::<Rational>()?)) };
    let malformed = || ParseError::Malformed(text.to_string());
    let inside = text[start + 5..].strip_suffix(')').ok_or_else(malformed)?;
    let root = Surd::sqrt(&inside.parse::<Rational>()?)?;
    match text[..start].strip_suffix('*') {
        Some(factor) => Ok(root.scale(&factor.parse::<Rational>()?)),
        None if start == 0 => Ok(root),
        None => Err(malformed()),
    }
}
