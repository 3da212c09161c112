//! A step of a proof for all sizes: a problem, how it was decided, and what confirms it.

use super::formula::{FormulaError, polynomial, read};
use super::positive::{Hints, search};
use super::search::{Found, example, prove};
use super::smt::Script;
use certificates::cases::{Problem, Relation, Tree, check};
use certificates::file::{self, FileError};
use certificates::positivity::{self, Hypothesis};
use constructions::reading::symbolic_reading::Unreadable;
use exact::formula::{Expression, Fact, Form, Point};
use exact::{Rational, ratio};
use std::collections::BTreeMap;
use thiserror::Error;

/// A step: what it says in words, and as a problem.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it says.
    pub says: String,
    /// The problem.
    pub question: Question,
}

/// What a step asks.
#[derive(Clone, Debug)]
pub enum Question {
    /// Of integers, by cases.
    Integers(Problem),
    /// Of real numbers: a polynomial is nonnegative.
    Reals {
        /// The problem.
        problem: positivity::Problem,
        /// Its formulas as they were written, for solvers.
        script: Script,
        /// Where to look for a proof.
        hints: Hints,
        /// Numbers that meet the hypotheses.
        example: BTreeMap<String, Rational>,
    },
}

/// What proves a step, with numbers that meet its hypotheses.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// A proof by cases.
    Cases(Tree, Point),
    /// An identity of polynomials.
    Identity(positivity::Certificate, BTreeMap<String, Rational>),
}

/// What became of a step.
#[derive(Clone, Debug)]
pub enum Decision {
    /// Proved by a certificate that the checker accepted, in so many cases; the example meets the hypotheses.
    Proved {
        /// The certificate.
        certificate: Certificate,
        /// Number of cases, 1 for an identity.
        cases: usize,
    },
    /// Refuted by numbers, re-evaluated.
    Refuted(String),
    /// Not decided.
    Unknown(String),
}

/// A proof that cannot be set up.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ProofError {
    /// A definition that the symbolic reading cannot express.
    #[error("the definition cannot be read symbolically: {0}")]
    Unreadable(#[from] Unreadable),
    /// A formula that is no polynomial.
    #[error(transparent)]
    Formula(#[from] FormulaError),
    /// A definition without what the proof speaks of.
    #[error("{0}")]
    Other(String),
}

impl Step {
    /// A step that says that the expression is at least, or equals, the bound where the facts hold.
    pub fn new(
        says: impl Into<String>,
        facts: Vec<Fact>,
        goal: Expression,
        relation: Relation,
        bound: Rational,
    ) -> Step {
        let problem = Problem {
            facts,
            goal,
            relation,
            bound,
        };
        Step {
            says: says.into(),
            question: Question::Integers(problem),
        }
    }

    /// A step over the reals, from formulas: `given` are >= 0 (> 0 where they end in ` > 0`) or equal (`... = 0`), the goal is
    /// to be >= 0 (> 0 where it ends in ` > 0`), and the example lists a number for every variable.
    ///
    /// # Errors
    /// A formula that is no polynomial.
    pub fn real(
        says: impl Into<String>,
        given: &[&str],
        goal: &str,
        hints: Hints,
        example: &[(&str, Rational)],
    ) -> Result<Step, FormulaError> {
        let (mut hypotheses, mut equations) = (Vec::new(), Vec::new());
        let strict = goal.ends_with(" > 0");
        let goal = goal.trim_end_matches(" > 0");
        let mut script = Script {
            hypotheses: Vec::new(),
            equations: Vec::new(),
            goal: read(goal)?,
        };
        for text in given {
            let name = (*text).to_string();
            if let Some(equation) = text.strip_suffix(" = 0") {
                equations.push((name, polynomial(equation)?));
                script.equations.push(read(equation)?);
                continue;
            }
            let strict = text.ends_with(" > 0");
            let formula = text.trim_end_matches(" > 0").trim_end_matches(" >= 0");
            let polynomial = polynomial(formula)?;
            script.hypotheses.push(read(formula)?);
            hypotheses.push(Hypothesis {
                name,
                polynomial,
                strict,
            });
        }
        let problem = positivity::Problem {
            variables: example.iter().map(|(n, _)| (*n).to_string()).collect(),
            hypotheses,
            equations,
            goal: polynomial(goal)?,
            strict,
        };
        let named = example.iter().map(|(n, x)| ((*n).to_string(), x.clone()));
        let question = Question::Reals {
            problem,
            script,
            hints,
            example: named.collect(),
        };
        let says = says.into();
        Ok(Step { says, question })
    }

    /// A step that says that two formulas are equal, whatever their variables are.
    ///
    /// # Errors
    /// A formula that is no polynomial.
    pub fn identity(
        says: impl Into<String>,
        left: &str,
        right: &str,
        example: &[(&str, Rational)],
    ) -> Result<Step, FormulaError> {
        let goal = format!("-(({left}) - ({right}))^2");
        Step::real(says, &[], &goal, Hints::default(), example)
    }

    /// Decides the step: searches, and has the finding checked. Hypotheses that nothing meets prove nothing.
    pub fn decide(&self) -> Decision {
        match &self.question {
            Question::Integers(problem) => integers(problem),
            Question::Reals {
                problem,
                hints,
                example,
                ..
            } => reals(problem, hints, example),
        }
    }
}

impl Certificate {
    /// The certificate as a file that `verify check` accepts; nothing where it belongs to another kind of question.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn file(&self, question: &Question) -> Result<Option<String>, FileError> {
        Ok(match (self, question) {
            (Certificate::Cases(tree, point), Question::Integers(problem)) => {
                let certificate = file::cases::Certificate::of(tree, point);
                let problem = file::cases::Problem::of(problem);
                Some(file::write::<file::cases::Cases>(&problem, &certificate)?)
            }
            (Certificate::Identity(found, example), Question::Reals { problem, .. }) => {
                let certificate = file::positivity::Certificate::of(found, example);
                let problem = file::positivity::Problem::of(problem);
                Some(file::write::<file::positivity::Positivity>(
                    &problem,
                    &certificate,
                )?)
            }
            _ => None,
        })
    }
}

fn integers(problem: &Problem) -> Decision {
    match prove(problem) {
        Found::Proof(tree) => match (check(problem, &tree), example(problem)) {
            (Ok(cases), Some(point)) => Decision::Proved {
                certificate: Certificate::Cases(tree, point),
                cases,
            },
            (Ok(_), None) => Decision::Unknown("no integers found that meet the hypotheses".into()),
            (Err(e), _) => Decision::Unknown(e.to_string()),
        },
        Found::Counterexample(point) if problem.refuted_by(&point) => {
            Decision::Refuted(listed(&point))
        }
        Found::Counterexample(_) | Found::Nothing => {
            Decision::Unknown("neither a proof nor a counterexample was found".into())
        }
    }
}

fn reals(
    problem: &positivity::Problem,
    hints: &Hints,
    example: &BTreeMap<String, Rational>,
) -> Decision {
    if let Err(e) = problem.satisfied_by(example) {
        return Decision::Unknown(format!("the example: {e}"));
    }
    // The example is admitted, so a negative goal there refutes, and so does 0 where it is to be > 0.
    let fails = |x: Rational| x.is_negative() || (problem.strict && x.is_zero());
    if problem.goal.evaluate(example).is_ok_and(fails) {
        return Decision::Refuted(listed(example));
    }
    let Some(found) = search(problem, hints) else {
        return Decision::Unknown("no proof of positivity was found".into());
    };
    match positivity::check(problem, &found) {
        Ok(()) => Decision::Proved {
            certificate: Certificate::Identity(found, example.clone()),
            cases: 1,
        },
        Err(e) => Decision::Unknown(e.to_string()),
    }
}

fn listed<V: std::fmt::Display>(point: &BTreeMap<String, V>) -> String {
    let values: Vec<String> = point.iter().map(|(n, x)| format!("{n} = {x}")).collect();
    values.join(", ")
}

/// `a - b`.
pub fn difference(a: Expression, b: Expression) -> Expression {
    Expression::Sum(vec![(ratio(1, 1), a), (ratio(-1, 1), b)])
}

/// `low <= form <= high`.
///
/// # Errors
/// Numbers beyond 64 bits.
pub fn between(low: &Form, form: &Form, high: &Form) -> Result<Vec<Fact>, Unreadable> {
    let at_least = |a: &Form, b: &Form| a.combine(-1, b).map(Fact::NonNegative);
    let both = at_least(form, low).zip(at_least(high, form));
    both.map(|(a, b)| vec![a, b]).ok_or(Unreadable::Overflow)
}

/// A variable.
pub fn v(name: &str) -> Form {
    Form::variable(name)
}

/// A variable plus a number.
///
/// # Errors
/// Numbers beyond 64 bits.
pub fn plus(name: &str, number: i64) -> Result<Form, Unreadable> {
    let sum = v(name).combine(1, &Form::from(number));
    sum.ok_or(Unreadable::Overflow)
}
