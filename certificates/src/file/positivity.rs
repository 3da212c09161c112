//! `sinkproof/positivity-2`: a polynomial is positive wherever some others are.

use super::wire::{self, Term, number, polynomial};
use super::{FileError, Format};
use crate::positivity::{self as proof, Factors};
use exact::Rational;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The format.
pub struct Positivity;

/// A polynomial that is assumed to be >= 0, or > 0 when strict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hypothesis {
    /// Its name.
    pub name: String,
    /// The polynomial.
    pub polynomial: Vec<Term>,
    /// Is it > 0?
    pub strict: bool,
}

/// A polynomial that is assumed to be 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equation {
    /// Its name.
    pub name: String,
    /// The polynomial.
    pub polynomial: Vec<Term>,
}

/// What is to be proved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// The variables.
    pub variables: Vec<String>,
    /// What is assumed to be positive.
    pub hypotheses: Vec<Hypothesis>,
    /// What is assumed to be 0.
    pub equations: Vec<Equation>,
    /// The polynomial that is to be positive.
    pub goal: Vec<Term>,
    /// Is the goal > 0?
    pub strict: bool,
}

/// A weight times a product of hypotheses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Product {
    /// The weight, >= 0.
    pub weight: String,
    /// Hypotheses and their powers.
    pub factors: Factors,
}

/// A weight times a square times a product of hypotheses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Square {
    /// The weight, >= 0.
    pub weight: String,
    /// What is squared.
    pub polynomial: Vec<Term>,
    /// Hypotheses and their powers.
    pub factors: Factors,
}

/// A multiple of an equation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Multiple {
    /// Which equation.
    pub equation: usize,
    /// What it is multiplied by.
    pub by: Vec<Term>,
}

/// The identity, and numbers that meet the hypotheses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// A number for each variable, ascending by name, that meet the hypotheses: a statement about nothing is refused.
    pub example: Vec<(String, String)>,
    /// Strict hypotheses and their powers.
    pub multiplier: Factors,
    /// Products of hypotheses.
    pub products: Vec<Product>,
    /// Squares times products of hypotheses.
    pub squares: Vec<Square>,
    /// Multiples of equations.
    pub multiples: Vec<Multiple>,
}

impl Problem {
    /// The problem.
    ///
    /// # Errors
    /// Numbers and polynomials that are not written as they must be.
    pub fn read(&self) -> Result<proof::Problem, FileError> {
        let hypotheses = self.hypotheses.iter().enumerate().map(|(k, h)| {
            Ok(proof::Hypothesis {
                name: h.name.clone(),
                polynomial: polynomial(&format!("hypothesis {k}"), &h.polynomial)?,
                strict: h.strict,
            })
        });
        let equations = self.equations.iter().enumerate().map(|(k, e)| {
            let equation = polynomial(&format!("equation {k}"), &e.polynomial)?;
            Ok((e.name.clone(), equation))
        });
        Ok(proof::Problem {
            variables: self.variables.clone(),
            hypotheses: hypotheses.collect::<Result<_, FileError>>()?,
            equations: equations.collect::<Result<_, FileError>>()?,
            goal: polynomial("the goal", &self.goal)?,
            strict: self.strict,
        })
    }

    /// As it is written.
    pub fn of(problem: &proof::Problem) -> Problem {
        let hypotheses = problem.hypotheses.iter().map(|h| Hypothesis {
            name: h.name.clone(),
            polynomial: wire::terms(&h.polynomial),
            strict: h.strict,
        });
        let equations = problem.equations.iter().map(|(name, e)| Equation {
            name: name.clone(),
            polynomial: wire::terms(e),
        });
        Problem {
            variables: problem.variables.clone(),
            hypotheses: hypotheses.collect(),
            equations: equations.collect(),
            goal: wire::terms(&problem.goal),
            strict: problem.strict,
        }
    }
}

impl Certificate {
    /// The example.
    ///
    /// # Errors
    /// Numbers that are not written as they must be, names out of order.
    pub fn point(&self) -> Result<BTreeMap<String, Rational>, FileError> {
        let mut point = BTreeMap::new();
        for (k, (name, value)) in self.example.iter().enumerate() {
            let place = format!("example {k}");
            if point.last_key_value().is_some_and(|(last, _)| last >= name) {
                return Err(FileError::Order { place });
            }
            point.insert(name.clone(), number(&place, value)?);
        }
        Ok(point)
    }

    /// The certificate.
    ///
    /// # Errors
    /// Numbers and polynomials that are not written as they must be.
    pub fn read(&self) -> Result<proof::Certificate, FileError> {
        let products = self.products.iter().enumerate().map(|(k, p)| {
            Ok(proof::Product {
                weight: number(&format!("product {k}, weight"), &p.weight)?,
                factors: p.factors.clone(),
            })
        });
        let squares = self.squares.iter().enumerate().map(|(k, s)| {
            Ok(proof::Square {
                weight: number(&format!("square {k}, weight"), &s.weight)?,
                polynomial: polynomial(&format!("square {k}"), &s.polynomial)?,
                factors: s.factors.clone(),
            })
        });
        let multiples = self.multiples.iter().enumerate().map(|(k, m)| {
            Ok(proof::Multiple {
                equation: m.equation,
                by: polynomial(&format!("multiple {k}"), &m.by)?,
            })
        });
        Ok(proof::Certificate {
            multiplier: self.multiplier.clone(),
            products: products.collect::<Result<_, FileError>>()?,
            squares: squares.collect::<Result<_, FileError>>()?,
            multiples: multiples.collect::<Result<_, FileError>>()?,
        })
    }

    /// As it is written.
    pub fn of(
        certificate: &proof::Certificate,
        example: &BTreeMap<String, Rational>,
    ) -> Certificate {
        let products = certificate.products.iter().map(|p| Product {
            weight: p.weight.to_string(),
            factors: p.factors.clone(),
        });
        let squares = certificate.squares.iter().map(|s| Square {
            weight: s.weight.to_string(),
            polynomial: wire::terms(&s.polynomial),
            factors: s.factors.clone(),
        });
        let multiples = certificate.multiples.iter().map(|m| Multiple {
            equation: m.equation,
            by: wire::terms(&m.by),
        });
        let example = example.iter().map(|(n, x)| (n.clone(), x.to_string()));
        Certificate {
            example: example.collect(),
            multiplier: certificate.multiplier.clone(),
            products: products.collect(),
            squares: squares.collect(),
            multiples: multiples.collect(),
        }
    }
}

impl Format for Positivity {
    const NAME: &'static str = "sinkproof/positivity-2";
    type Problem = Problem;
    type Certificate = Certificate;

    fn prove(problem: &Problem, certificate: &Certificate) -> Result<String, FileError> {
        let problem = problem.read()?;
        // Names are looked at before messages and statements print them.
        problem.well_formed()?;
        problem.satisfied_by(&certificate.point()?)?;
        proof::check(&problem, &certificate.read()?)?;
        Ok(problem.to_string())
    }
}
