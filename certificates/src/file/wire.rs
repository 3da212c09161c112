//! Numbers, matrices and polynomials as they stand in files.

use super::FileError;
use crate::polynomial::{Monomial, Polynomial};
use crate::{Entries, Rejection, SparseVec};
use exact::{ParseError, Rational};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// An entry of a matrix: row, column, value.
pub type Entry = (usize, usize, String);

/// A number.
pub(super) fn number(place: &str, text: &str) -> Result<Rational, FileError> {
    let place = || place.to_string();
    let value: Rational = text.parse().map_err(|cause| match cause {
        ParseError::ZeroDenominator(text) => FileError::ZeroDenominator {
            place: place(),
            text,
        },
        ParseError::TooLong { length, limit } => FileError::NumberTooLong {
            place: place(),
            length,
            limit,
        },
        cause => FileError::Number {
            place: place(),
            cause,
        },
    })?;
    let canonical = value.to_string();
    if canonical != text {
        return Err(FileError::NotCanonical {
            place: place(),
            text: text.to_string(),
            canonical,
        });
    }
    Ok(value)
}

/// A number that is not 0.
fn nonzero(place: &str, text: &str) -> Result<Rational, FileError> {
    let value = number(place, text)?;
    if value.is_zero() {
        return Err(FileError::Zero {
            place: place.to_string(),
        });
    }
    Ok(value)
}

/// A list of numbers.
pub(super) fn numbers(what: &str, texts: &[String]) -> Result<Vec<Rational>, FileError> {
    let numbered = texts.iter().enumerate();
    numbered
        .map(|(k, text)| number(&format!("{what} {k}"), text))
        .collect()
}

/// A sparse matrix.
pub(super) fn matrix(
    place: &str,
    rows: usize,
    cols: usize,
    entries: &[Entry],
) -> Result<Entries, FileError> {
    let mut matrix = Entries::new();
    for (row, column, text) in entries {
        let (row, column) = (*row, *column);
        let here = format!("{place}, entry ({row}, {column})");
        if row >= rows || column >= cols {
            return Err(Rejection::OutOfRange {
                row,
                column,
                rows,
                cols,
            }
            .into());
        }
        if matrix
            .last_key_value()
            .is_some_and(|(k, _)| *k >= (row, column))
        {
            return Err(FileError::Order { place: here });
        }
        matrix.insert((row, column), nonzero(&here, text)?);
    }
    Ok(matrix)
}

/// A sparse vector.
pub(super) fn vector(
    place: &str,
    cols: usize,
    entries: &[(usize, String)],
) -> Result<SparseVec, FileError> {
    let placed = entries.iter().map(|(k, text)| (0, *k, text.clone()));
    let row = matrix(place, 1, cols, &placed.collect::<Vec<_>>())?;
    Ok(row.into_iter().map(|((_, k), x)| (k, x)).collect())
}

/// The powers of a monomial, as a JSON object: `{"C": 2, "x": 1}`, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Powers(pub Vec<(String, u32)>);

impl Serialize for Powers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, power)| (name, power)))
    }
}

impl<'de> Deserialize<'de> for Powers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Powers, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Powers;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of powers")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Powers, A::Error> {
                // A map would keep the last of two equal names without a word.
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Powers(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

/// A coefficient times a monomial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The coefficient, not 0.
    pub coefficient: String,
    /// The powers, none 0.
    pub powers: Powers,
}

/// A polynomial, its monomials ascending as lists of (variable, power).
pub(super) fn polynomial(place: &str, terms: &[Term]) -> Result<Polynomial, FileError> {
    let mut sum = Polynomial::zero();
    let mut last: Option<Monomial> = None;
    for (k, term) in terms.iter().enumerate() {
        let here = format!("{place}, term {k}");
        let order = || FileError::Order {
            place: here.clone(),
        };
        let powers = &term.powers.0;
        if powers
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if a.0 >= b.0))
        {
            return Err(order());
        }
        if let Some((name, _)) = powers.iter().find(|(_, power)| *power == 0) {
            return Err(FileError::Zero {
                place: format!("{here}, the power of {name:?}"),
            });
        }
        let monomial = Monomial::new(powers.iter().cloned().collect());
        if last.as_ref().is_some_and(|last| *last >= monomial) {
            return Err(order());
        }
        sum.add_term(monomial.clone(), &nonzero(&here, &term.coefficient)?);
        last = Some(monomial);
    }
    Ok(sum)
}

/// A polynomial as it is written.
pub fn terms(polynomial: &Polynomial) -> Vec<Term> {
    let written = polynomial.terms().map(|(monomial, coefficient)| {
        let powers = monomial.powers().map(|(name, k)| (name.to_string(), k));
        Term {
            coefficient: coefficient.to_string(),
            powers: Powers(powers.collect()),
        }
    });
    written.collect()
}

/// A matrix as it is written.
pub fn entries(matrix: &Entries) -> Vec<Entry> {
    let nonzero = matrix.iter().filter(|(_, x)| !x.is_zero());
    nonzero.map(|((i, j), x)| (*i, *j, x.to_string())).collect()
}
