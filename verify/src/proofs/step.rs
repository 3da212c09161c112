//! A step of a proof for all sizes: a problem, how it was decided, and what confirms it.

use super::search::{Found, example, prove};
use certificates::cases::{Problem, Relation, Tree, check};
use constructions::reading::symbolic_reading::Unreadable;
use exact::formula::{Expression, Fact, Form, Point};
use exact::{Rational, ratio};

/// A step: what it says in words, and as a problem.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it says.
    pub says: String,
    /// The problem.
    pub problem: Problem,
}

/// What became of a step.
#[derive(Clone, Debug)]
pub enum Decision {
    /// Proved: the tree, accepted by the checker, its number of cases, and integers that meet the hypotheses.
    Proved(Tree, usize, Point),
    /// Refuted by integers, re-evaluated.
    Refuted(Point),
    /// Not decided.
    Unknown(String),
}

impl Step {
    /// A step that says that the expression is at least, or equals, the bound where the facts hold.
    pub fn new(
        says: impl Into<String>,
        facts: Vec<Fact>,
        goal: Expression,
        relation: Relation,
        bound: i64,
    ) -> Step {
        let bound = Rational::integer(bound);
        let problem = Problem {
            facts,
            goal,
            relation,
            bound,
        };
        let says = says.into();
        Step { says, problem }
    }

    /// Decides the step: searches, and has the finding checked. Hypotheses that nothing meets prove nothing.
    pub fn decide(&self) -> Decision {
        match prove(&self.problem) {
            Found::Proof(tree) => match (check(&self.problem, &tree), example(&self.problem)) {
                (Ok(cases), Some(point)) => Decision::Proved(tree, cases, point),
                (Ok(_), None) => {
                    Decision::Unknown("no integers found that meet the hypotheses".into())
                }
                (Err(e), _) => Decision::Unknown(e.to_string()),
            },
            Found::Counterexample(point) if self.problem.refuted_by(&point) => {
                Decision::Refuted(point)
            }
            Found::Counterexample(_) | Found::Nothing => {
                Decision::Unknown("neither a proof nor a counterexample was found".into())
            }
        }
    }
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
