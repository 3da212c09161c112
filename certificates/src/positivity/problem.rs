//! What is to be proved.

use super::budget::Budget;
use super::{Refusal, degree, limit};
use crate::polynomial::Polynomial;
use exact::Rational;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

/// A polynomial that is assumed to be >= 0, or > 0 when strict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hypothesis {
    /// Its name.
    pub name: String,
    /// The polynomial.
    pub polynomial: Polynomial,
    /// Is it > 0?
    pub strict: bool,
}

/// For all real values of the variables: where every hypothesis is >= 0 (> 0 when strict) and every equation 0, the goal
/// is >= 0 (> 0 when strict).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The variables.
    pub variables: Vec<String>,
    /// What is assumed to be positive.
    pub hypotheses: Vec<Hypothesis>,
    /// What is assumed to be 0, by name.
    pub equations: Vec<(String, Polynomial)>,
    /// The polynomial that is to be positive.
    pub goal: Polynomial,
    /// Is the goal > 0?
    pub strict: bool,
}

impl Problem {
    /// Are all names readable and told apart, all variables declared, and no polynomial too large?
    ///
    /// # Errors
    /// The first that is not.
    pub fn well_formed(&self) -> Result<(), Refusal> {
        let mut declared = BTreeSet::new();
        for name in &self.variables {
            let name_of = |name: &String| name.clone();
            if !is_variable(name) {
                return Err(Refusal::VariableName {
                    name: name_of(name),
                });
            }
            if !declared.insert(name) {
                return Err(Refusal::VariableTwice {
                    name: name_of(name),
                });
            }
        }
        let mut names = BTreeSet::new();
        let hypotheses = self.hypotheses.iter().enumerate();
        let hypotheses =
            hypotheses.map(|(k, h)| (format!("hypothesis {k}"), &h.name, &h.polynomial));
        let equations = self.equations.iter().enumerate();
        let equations = equations.map(|(k, (name, p))| (format!("equation {k}"), name, p));
        for (place, name, polynomial) in hypotheses.chain(equations) {
            if name.is_empty() || name.chars().count() > 200 || name.chars().any(char::is_control) {
                return Err(Refusal::Name { place });
            }
            if !names.insert(name) {
                return Err(Refusal::NameTwice { name: name.clone() });
            }
            self.readable_with(&declared, &place, polynomial)?;
        }
        self.readable_with(&declared, "the goal", &self.goal)
    }

    /// Refuses a polynomial with other variables, or above the limits.
    pub(super) fn readable(&self, place: &str, polynomial: &Polynomial) -> Result<(), Refusal> {
        self.readable_with(&self.variables.iter().collect(), place, polynomial)
    }

    fn readable_with(
        &self,
        declared: &BTreeSet<&String>,
        place: &str,
        polynomial: &Polynomial,
    ) -> Result<(), Refusal> {
        limit(place, polynomial)?;
        degree(place, polynomial.degree())?;
        let mut used = polynomial.terms().flat_map(|(m, _)| m.powers());
        match used.find(|(name, _)| !declared.contains(&(*name).to_string())) {
            Some((name, _)) => Err(Refusal::UnknownVariable {
                place: place.to_string(),
                name: name.to_string(),
            }),
            None => Ok(()),
        }
    }

    /// Does the point meet all hypotheses and equations? Where some point does, the problem is not empty.
    ///
    /// # Errors
    /// A variable without a value, a value without a variable, and what the point does not meet.
    pub fn satisfied_by(&self, point: &BTreeMap<String, Rational>) -> Result<(), Refusal> {
        let declared: BTreeSet<&String> = self.variables.iter().collect();
        if let Some(name) = self.variables.iter().find(|v| !point.contains_key(*v)) {
            return Err(Refusal::NoValue { name: name.clone() });
        }
        if let Some(name) = point.keys().find(|k| !declared.contains(k)) {
            return Err(Refusal::SpareValue { name: name.clone() });
        }
        let mut budget = Budget::new();
        let mut at = |place: &str, p: &Polynomial| {
            budget.evaluate(place, p, point)?;
            p.evaluate(point).map_err(|name| Refusal::NoValue { name })
        };
        for h in &self.hypotheses {
            let value = at(&h.name, &h.polynomial)?;
            if value.is_negative() || (h.strict && value.is_zero()) {
                return Err(Refusal::HypothesisFails {
                    name: h.name.clone(),
                    value,
                    rule: if h.strict { ">" } else { ">=" },
                });
            }
        }
        for (name, equation) in &self.equations {
            let value = at(name, equation)?;
            if !value.is_zero() {
                return Err(Refusal::EquationFails {
                    name: name.clone(),
                    value,
                });
            }
        }
        Ok(())
    }
}

/// A letter, then letters, digits or underscores.
pub(crate) fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

impl Display for Problem {
    /// The statement, in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |strict| if strict { ">" } else { ">=" };
        match self.variables.as_slice() {
            [] => {}
            names => write!(f, "for all real {}: ", names.join(", "))?,
        }
        let hypotheses = self.hypotheses.iter();
        let mut assumed: Vec<String> = hypotheses
            .map(|h| format!("{} {} 0", h.polynomial, sign(h.strict)))
            .collect();
        assumed.extend(self.equations.iter().map(|(_, e)| format!("{e} = 0")));
        if !assumed.is_empty() {
            write!(f, "if {} then ", assumed.join(", "))?;
        }
        write!(f, "{} {} 0", self.goal, sign(self.strict))
    }
}
