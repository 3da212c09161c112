//! Searching for proofs that a polynomial is nonnegative: products of the hypotheses, given squares and multiples of the
//! equations are combined by an exact linear program. The checker of `certificates` decides whether what is found proves it.

use super::simplex::solve;
use certificates::polynomial::{Monomial, Polynomial};
use certificates::positivity::{Certificate, Factors, Multiple, Problem, Product, Square};
use exact::{Rational, ratio};
use std::collections::{BTreeMap, BTreeSet};

/// Where to look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// Strict hypotheses that the goal is multiplied by.
    pub multiplier: Factors,
    /// The most factors of a product of hypotheses.
    pub factors: u32,
    /// What may be squared.
    pub squares: Vec<Polynomial>,
    /// The greatest degree of what multiplies an equation.
    pub multiples: u32,
}

/// A certificate, to be checked.
pub fn search(problem: &Problem, hints: &Hints) -> Option<Certificate> {
    enum Source {
        Product(Factors),
        Square(Polynomial),
        Multiple(usize, Monomial, Rational),
    }
    let mut sources: Vec<(Source, Polynomial)> = Vec::new();
    for factors in products(problem.hypotheses.len(), hints.factors) {
        let value = power(problem, &factors);
        sources.push((Source::Product(factors), value));
    }
    for square in &hints.squares {
        sources.push((Source::Square(square.clone()), square.times(square)));
    }
    for (k, (_, equation)) in problem.equations.iter().enumerate() {
        for monomial in monomials(&problem.variables, hints.multiples) {
            for sign in [ratio(1, 1), ratio(-1, 1)] {
                let by = Polynomial::term(monomial.clone(), sign.clone());
                let value = by.times(equation);
                sources.push((Source::Multiple(k, monomial.clone(), sign), value));
            }
        }
    }
    let goal = power(problem, &hints.multiplier).times(&problem.goal);
    let mut rows: BTreeSet<Monomial> = goal.terms().map(|(m, _)| m.clone()).collect();
    for (_, value) in &sources {
        rows.extend(value.terms().map(|(m, _)| m.clone()));
    }
    let column =
        |p: &Polynomial| -> Vec<Rational> { rows.iter().map(|m| p.coefficient(m)).collect() };
    let columns: Vec<Vec<Rational>> = sources.iter().map(|(_, p)| column(p)).collect();
    let weights = solve(&columns, &column(&goal))?;
    let mut found = Certificate {
        multiplier: hints.multiplier.clone(),
        ..Certificate::default()
    };
    let mut multiples = BTreeMap::<usize, Polynomial>::new();
    for ((source, _), weight) in sources.into_iter().zip(weights) {
        if weight.is_zero() {
            continue;
        }
        match source {
            Source::Product(factors) => found.products.push(Product { weight, factors }),
            Source::Square(polynomial) => found.squares.push(Square {
                weight,
                polynomial,
                factors: Factors::new(),
            }),
            Source::Multiple(k, monomial, sign) => {
                let by = multiples.entry(k).or_insert_with(Polynomial::zero);
                by.add_term(monomial, &(weight * sign));
            }
        }
    }
    let kept = multiples.into_iter().filter(|(_, by)| !by.is_zero());
    found.multiples = kept
        .map(|(equation, by)| Multiple { equation, by })
        .collect();
    Some(found)
}

fn power(problem: &Problem, factors: &Factors) -> Polynomial {
    let mut value = Polynomial::one();
    for (k, times) in factors {
        for _ in 0..*times {
            value = value.times(&problem.hypotheses[*k].polynomial);
        }
    }
    value
}

/// All products of at most `most` of `n` hypotheses.
fn products(n: usize, most: u32) -> Vec<Factors> {
    let mut all = vec![Factors::new()];
    for k in 0..n {
        for factors in all.clone() {
            let used: u32 = factors.iter().map(|f| f.1).sum();
            for times in 1..=most.saturating_sub(used) {
                let mut more = factors.clone();
                more.push((k, times));
                all.push(more);
            }
        }
    }
    all
}

fn monomials(variables: &[String], degree: u32) -> Vec<Monomial> {
    let named = |factors: Factors| {
        let powers = factors
            .into_iter()
            .map(|(k, times)| (variables[k].clone(), times));
        Monomial::new(powers.collect())
    };
    products(variables.len(), degree)
        .into_iter()
        .map(named)
        .collect()
}
