//! `sinkproof/cases-1`: a statement about all integers, proved by cases.
//!
//! The tree stands as a list of its nodes, each before its branches, so that no depth of it nests in the file.

use super::wire::number;
use super::{FileError, Format};
use crate::cases::{self as proof, CasesError, DEEPEST, Relation, Tree};
use crate::positivity::{Refusal, is_variable};
use exact::Rational;
use exact::formula::{self, Expression, Form, Point};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The format.
pub struct Cases;

/// `sum of factor times variable, plus a constant`, in integers of 64 bits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Linear {
    /// The variables, ascending, and their factors, none 0.
    pub terms: Vec<(String, String)>,
    /// The constant.
    pub constant: String,
}

/// A fact about integers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Fact {
    /// The form is 0.
    Zero(Linear),
    /// The form is at least 0.
    NonNegative(Linear),
}

/// A number that depends on integers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Goal {
    /// A number.
    Number(String),
    /// Factors and what they multiply.
    Sum(Vec<(String, Goal)>),
    /// The second where all of the first hold, 0 elsewhere.
    Where(Vec<Fact>, Box<Goal>),
    /// The larger of it and 0.
    Relu(Box<Goal>),
}

/// What is said of the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Says {
    /// It is at least the bound.
    AtLeast,
    /// It equals the bound.
    Equal,
}

/// For all integers: where the facts hold, the goal stands in the relation to the bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// The hypotheses.
    pub facts: Vec<Fact>,
    /// The goal.
    pub goal: Goal,
    /// The relation.
    pub relation: Says,
    /// The bound.
    pub bound: String,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Node {
    /// The goal is evaluated: what is known here decides every fact in it that matters.
    Evaluate,
    /// What is known here (the hypotheses, then what each split above assumed) adds up to a negative constant, with
    /// these multipliers, ascending by index.
    Absurd(Vec<(usize, String)>),
    /// The fact holds in the first branch. Then follow, for `l >= 0`, the branch of `-l - 1 >= 0`, and for `l = 0` those of
    /// `l - 1 >= 0` and `-l - 1 >= 0`.
    Split(Fact),
}

/// The proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Integers that meet the hypotheses, by name: a statement about nothing is refused.
    pub example: Vec<(String, String)>,
    /// The tree, each node before its branches.
    pub nodes: Vec<Node>,
}

impl Format for Cases {
    const NAME: &'static str = "sinkproof/cases-1";
    type Problem = Problem;
    type Certificate = Certificate;

    fn prove(problem: &Problem, certificate: &Certificate) -> Result<String, FileError> {
        let problem = problem.read()?;
        let (tree, example) = certificate.read()?;
        if let Some(fact) = problem.facts.iter().find(|f| f.at(&example) != Some(true)) {
            let fact = fact.clone();
            return Err(CasesError::Example { fact }.into());
        }
        proof::check(&problem, &tree)?;
        Ok(problem.to_string())
    }
}

impl Problem {
    /// The problem.
    ///
    /// # Errors
    /// Numbers, names and lists that are not written as they must be.
    pub fn read(&self) -> Result<proof::Problem, FileError> {
        Ok(proof::Problem {
            facts: facts("hypothesis", &self.facts)?,
            goal: self.goal.read("the goal")?,
            relation: match self.relation {
                Says::AtLeast => Relation::AtLeast,
                Says::Equal => Relation::Equal,
            },
            bound: number("the bound", &self.bound)?,
        })
    }

    /// As it is written.
    pub fn of(problem: &proof::Problem) -> Problem {
        Problem {
            facts: problem.facts.iter().map(Fact::of).collect(),
            goal: Goal::of(&problem.goal),
            relation: match problem.relation {
                Relation::AtLeast => Says::AtLeast,
                Relation::Equal => Says::Equal,
            },
            bound: problem.bound.to_string(),
        }
    }
}

impl Linear {
    fn read(&self, place: &str) -> Result<Form, FileError> {
        let mut terms = BTreeMap::new();
        for (name, factor) in &self.terms {
            variable(name)?;
            let place = format!("{place}, the factor of {name}");
            let after = terms.last_key_value().is_none_or(|(last, _)| last < name);
            if !after {
                return Err(FileError::Order { place });
            }
            let factor = integer(&place, factor)?;
            if factor == 0 {
                return Err(FileError::Zero { place });
            }
            terms.insert(name.clone(), factor);
        }
        let constant = integer(&format!("{place}, the constant"), &self.constant)?;
        Ok(Form { terms, constant })
    }
}

impl Fact {
    fn read(&self, place: &str) -> Result<formula::Fact, FileError> {
        Ok(match self {
            Fact::Zero(form) => formula::Fact::Zero(form.read(place)?),
            Fact::NonNegative(form) => formula::Fact::NonNegative(form.read(place)?),
        })
    }

    fn of(fact: &formula::Fact) -> Fact {
        let form = fact.form();
        let terms = form.terms.iter().map(|(n, x)| (n.clone(), x.to_string()));
        let form = Linear {
            terms: terms.collect(),
            constant: form.constant.to_string(),
        };
        match fact {
            formula::Fact::Zero(_) => Fact::Zero(form),
            formula::Fact::NonNegative(_) => Fact::NonNegative(form),
        }
    }
}

impl Goal {
    // Deep nesting is refused while the file is read, so this ends.
    fn read(&self, place: &str) -> Result<Expression, FileError> {
        Ok(match self {
            Goal::Number(text) => Expression::Number(number(place, text)?),
            Goal::Sum(terms) => {
                let read = |(factor, term): &(String, Goal)| {
                    Ok((number(place, factor)?, term.read(place)?))
                };
                Expression::Sum(terms.iter().map(read).collect::<Result<_, FileError>>()?)
            }
            Goal::Where(conditions, inner) => {
                Expression::Where(facts(place, conditions)?, Box::new(inner.read(place)?))
            }
            Goal::Relu(inner) => Expression::Relu(Box::new(inner.read(place)?)),
        })
    }

    fn of(goal: &Expression) -> Goal {
        match goal {
            Expression::Number(x) => Goal::Number(x.to_string()),
            Expression::Sum(terms) => {
                let written = terms
                    .iter()
                    .map(|(x, term)| (x.to_string(), Goal::of(term)));
                Goal::Sum(written.collect())
            }
            Expression::Where(facts, inner) => {
                let facts = facts.iter().map(Fact::of).collect();
                Goal::Where(facts, Box::new(Goal::of(inner)))
            }
            Expression::Relu(inner) => Goal::Relu(Box::new(Goal::of(inner))),
        }
    }
}

impl Certificate {
    /// The tree, and the example.
    ///
    /// # Errors
    /// Numbers and lists that are not written as they must be, a tree with too few or too many nodes.
    pub fn read(&self) -> Result<(Tree, Point), FileError> {
        let mut example = Point::new();
        for (name, value) in &self.example {
            variable(name)?;
            let place = format!("example, {name}");
            let after = example.last_key_value().is_none_or(|(last, _)| last < name);
            if !after {
                return Err(FileError::Order { place });
            }
            example.insert(name.clone(), integer(&place, value)?);
        }
        let mut nodes = self.nodes.iter().enumerate();
        let tree = tree(&mut nodes, 0)?;
        match nodes.next() {
            Some((at, _)) => Err(CasesError::SpareNode { at }.into()),
            None => Ok((tree, example)),
        }
    }

    /// As it is written.
    pub fn of(tree: &Tree, example: &Point) -> Certificate {
        let named = example.iter().map(|(n, x)| (n.clone(), x.to_string()));
        let mut nodes = Vec::new();
        flatten(tree, &mut nodes);
        Certificate {
            example: named.collect(),
            nodes,
        }
    }
}

type Nodes<'a> = std::iter::Enumerate<std::slice::Iter<'a, Node>>;

fn tree(nodes: &mut Nodes, depth: usize) -> Result<Tree, FileError> {
    if depth > DEEPEST {
        return Err(CasesError::TooDeep.into());
    }
    let (at, node) = nodes.next().ok_or(CasesError::MissingNode)?;
    Ok(match node {
        Node::Evaluate => Tree::Evaluate,
        Node::Absurd(multipliers) => {
            let mut read: Vec<(usize, Rational)> = Vec::new();
            for (index, text) in multipliers {
                let place = format!("node {at}, the multiplier of fact {index}");
                if read.last().is_some_and(|(last, _)| last >= index) {
                    return Err(FileError::Order { place });
                }
                read.push((*index, number(&place, text)?));
            }
            Tree::Absurd(read)
        }
        Node::Split(fact) => {
            let fact = fact.read(&format!("node {at}"))?;
            let overflow = || CasesError::Overflow(fact.clone());
            let branches = 1 + fact.negations().ok_or_else(overflow)?.len();
            let read = (0..branches).map(|_| tree(nodes, depth + 1));
            let read = read.collect::<Result<_, FileError>>()?;
            Tree::Split(fact, read)
        }
    })
}

fn flatten(tree: &Tree, nodes: &mut Vec<Node>) {
    match tree {
        Tree::Evaluate => nodes.push(Node::Evaluate),
        Tree::Absurd(multipliers) => {
            let mut sums = BTreeMap::<usize, Rational>::new();
            for (index, x) in multipliers {
                *sums.entry(*index).or_default() += x.clone();
            }
            let written = sums.into_iter().map(|(k, x)| (k, x.to_string()));
            nodes.push(Node::Absurd(written.collect()));
        }
        Tree::Split(fact, branches) => {
            nodes.push(Node::Split(Fact::of(fact)));
            branches.iter().for_each(|branch| flatten(branch, nodes));
        }
    }
}

fn facts(place: &str, facts: &[Fact]) -> Result<Vec<formula::Fact>, FileError> {
    let numbered = facts.iter().enumerate();
    numbered
        .map(|(k, fact)| fact.read(&format!("{place}, fact {k}")))
        .collect()
}

/// Names are printed, and an example must name what the facts name.
fn variable(name: &str) -> Result<(), FileError> {
    if is_variable(name) {
        return Ok(());
    }
    let name = name.to_string();
    Err(Refusal::VariableName { name }.into())
}

fn integer(place: &str, text: &str) -> Result<i64, FileError> {
    let value = number(place, text)?;
    let small = value.is_integer().then(|| i64::try_from(value.numer()));
    small
        .and_then(Result::ok)
        .ok_or_else(|| FileError::NotInteger {
            place: place.to_string(),
            text: text.to_string(),
        })
}
