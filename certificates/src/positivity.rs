//! Proofs that a polynomial is positive wherever some others are.
//!
//! A goal g is shown to be >= 0 by an identity of polynomials
//!
//! multiplier * g = sum of weight * product + sum of weight * square * product + sum of anything * equation,
//!
//! where the multiplier is a product of hypotheses that are > 0, the weights are >= 0, the products are of hypotheses,
//! and the equations are 0. At every point that meets the hypotheses and equations the right side is >= 0 and the
//! multiplier > 0, so g >= 0. A strict goal needs one product of strict hypotheses of weight > 0 besides.

mod budget;
mod problem;
mod refusal;

pub(crate) use problem::is_variable;
pub use problem::{Hypothesis, Problem};
pub use refusal::Refusal;

use crate::polynomial::Polynomial;
use budget::{Budget, limit};
use exact::Rational;

/// The highest total degree, and the most factors of a product.
pub const DEGREE: u64 = 64;
/// The most monomials of a polynomial.
pub const TERMS: usize = 1_000_000;
/// The most steps of multiplying out one certificate.
pub const WORK: u64 = 10_000_000;

/// Hypotheses, by index, and their powers: ascending, each at most once, powers >= 1.
pub type Factors = Vec<(usize, u32)>;

/// A weight times a product of hypotheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// The weight, >= 0.
    pub weight: Rational,
    /// The hypotheses; none stand for 1.
    pub factors: Factors,
}

/// A weight times a square times a product of hypotheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Square {
    /// The weight, >= 0.
    pub weight: Rational,
    /// What is squared.
    pub polynomial: Polynomial,
    /// The hypotheses; none stand for 1.
    pub factors: Factors,
}

/// A multiple of an equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multiple {
    /// Which equation.
    pub equation: usize,
    /// What it is multiplied by.
    pub by: Polynomial,
}

/// An identity that proves a [`Problem`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// Strict hypotheses, whose product the goal is multiplied by.
    pub multiplier: Factors,
    /// Products of hypotheses.
    pub products: Vec<Product>,
    /// Squares times products of hypotheses.
    pub squares: Vec<Square>,
    /// Multiples of equations, ascending by equation.
    pub multiples: Vec<Multiple>,
}

/// Does the certificate prove the problem?
///
/// # Errors
/// A problem that is not well formed; an index that names nothing or is out of order; a negative weight; a multiplier
/// that is not strict; an identity that does not hold; a strict goal that is not shown to be; sizes above the limits.
pub fn check(problem: &Problem, certificate: &Certificate) -> Result<(), Refusal> {
    problem.well_formed()?;
    let left = "multiplier*goal";
    factors(problem, left, &certificate.multiplier)?;
    for (index, _) in &certificate.multiplier {
        if let Some(h) = problem.hypotheses.get(*index).filter(|h| !h.strict) {
            return Err(Refusal::MultiplierNotStrict {
                index: *index,
                name: h.name.clone(),
            });
        }
    }
    let mut budget = Budget::new();
    let goal = product(
        problem,
        &mut budget,
        left,
        &certificate.multiplier,
        &problem.goal,
    )?;
    let sum = right_side(problem, &mut budget, certificate)?;
    same(&goal, &sum)?;
    if problem.strict && !certificate.products.iter().any(|p| positive(problem, p)) {
        return Err(Refusal::StrictnessNotShown);
    }
    Ok(())
}

/// The sum of the certificate.
fn right_side(
    problem: &Problem,
    budget: &mut Budget,
    certificate: &Certificate,
) -> Result<Polynomial, Refusal> {
    let mut sum = Polynomial::zero();
    for (k, p) in certificate.products.iter().enumerate() {
        let place = format!("product {k}");
        weight(&place, &p.weight)?;
        factors(problem, &place, &p.factors)?;
        let constant = Polynomial::constant(p.weight.clone());
        let part = product(problem, budget, &place, &p.factors, &constant)?;
        budget.add(&place, &mut sum, &part)?;
    }
    for (k, s) in certificate.squares.iter().enumerate() {
        let place = format!("square {k}");
        weight(&place, &s.weight)?;
        factors(problem, &place, &s.factors)?;
        problem.readable(&place, &s.polynomial)?;
        degree(&place, s.polynomial.degree().saturating_mul(2))?;
        let square = budget.times(&place, &s.polynomial, &s.polynomial)?;
        let constant = Polynomial::constant(s.weight.clone());
        let weighted = budget.times(&place, &square, &constant)?;
        let part = product(problem, budget, &place, &s.factors, &weighted)?;
        budget.add(&place, &mut sum, &part)?;
    }
    let mut previous = None;
    for (k, m) in certificate.multiples.iter().enumerate() {
        let place = format!("multiple {k}");
        let equation =
            problem
                .equations
                .get(m.equation)
                .ok_or_else(|| Refusal::UnknownEquation {
                    place: place.clone(),
                    index: m.equation,
                    count: problem.equations.len(),
                })?;
        ascending(&place, &mut previous, m.equation)?;
        problem.readable(&place, &m.by)?;
        degree(&place, m.by.degree().saturating_add(equation.1.degree()))?;
        let part = budget.times(&place, &m.by, &equation.1)?;
        budget.add(&place, &mut sum, &part)?;
    }
    Ok(sum)
}

/// Is the product > 0 wherever the hypotheses hold?
fn positive(problem: &Problem, product: &Product) -> bool {
    let strict = |index: &usize| problem.hypotheses.get(*index).is_some_and(|h| h.strict);
    product.weight.is_positive() && product.factors.iter().all(|(index, _)| strict(index))
}

fn weight(place: &str, weight: &Rational) -> Result<(), Refusal> {
    if weight.is_negative() {
        return Err(Refusal::NegativeWeight {
            place: place.to_string(),
            weight: weight.clone(),
        });
    }
    Ok(())
}

fn ascending(place: &str, previous: &mut Option<usize>, index: usize) -> Result<(), Refusal> {
    match previous.replace(index) {
        Some(previous) if previous >= index => Err(Refusal::Order {
            place: place.to_string(),
            index,
            previous,
        }),
        _ => Ok(()),
    }
}

fn degree(place: &str, degree: u64) -> Result<(), Refusal> {
    if degree > DEGREE {
        return Err(Refusal::Degree {
            place: place.to_string(),
            degree,
            limit: DEGREE,
        });
    }
    Ok(())
}

/// Refuses factors that name nothing, are out of order, or are too many.
fn factors(problem: &Problem, place: &str, factors: &Factors) -> Result<(), Refusal> {
    let mut previous = None;
    for (index, power) in factors {
        if *index >= problem.hypotheses.len() {
            return Err(Refusal::UnknownHypothesis {
                place: place.to_string(),
                index: *index,
                count: problem.hypotheses.len(),
            });
        }
        ascending(place, &mut previous, *index)?;
        if *power == 0 {
            return Err(Refusal::ZeroPower {
                place: place.to_string(),
                index: *index,
            });
        }
    }
    // Constants have degree 0, so the degree alone does not bound the work.
    let count = factors.iter().map(|(_, power)| u64::from(*power)).sum();
    if count > DEGREE {
        return Err(Refusal::Factors {
            place: place.to_string(),
            factors: count,
            limit: DEGREE,
        });
    }
    Ok(())
}

/// start * the product of the factors, which have been looked at.
fn product(
    problem: &Problem,
    budget: &mut Budget,
    place: &str,
    factors: &Factors,
    start: &Polynomial,
) -> Result<Polynomial, Refusal> {
    let hypotheses = || {
        factors.iter().filter_map(|(index, power)| {
            let hypothesis = problem.hypotheses.get(*index)?;
            Some((&hypothesis.polynomial, *power))
        })
    };
    let degrees = hypotheses().map(|(h, power)| h.degree().saturating_mul(u64::from(power)));
    degree(
        place,
        degrees.fold(start.degree(), |sum, d| sum.saturating_add(d)),
    )?;
    let mut result = start.clone();
    for (hypothesis, power) in hypotheses() {
        for _ in 0..power {
            result = budget.times(place, &result, hypothesis)?;
        }
    }
    Ok(result)
}

/// Refuses two polynomials that differ, with the first monomial where they do.
fn same(left: &Polynomial, right: &Polynomial) -> Result<(), Refusal> {
    let differs = left.minus(right);
    match differs.terms().next() {
        None => Ok(()),
        Some((monomial, _)) => Err(Refusal::IdentityFails {
            monomial: monomial.clone(),
            left: left.coefficient(monomial),
            right: right.coefficient(monomial),
        }),
    }
}
