//! Statements about integers, proved by cases: every leaf of a tree either evaluates the goal or is shown to be empty
//! by Farkas multipliers.

use exact::Rational;
use exact::formula::{Expression, Fact, Form, Point};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use thiserror::Error;

mod budget;

use budget::Budget;
pub use budget::WORK;

/// What is said of the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It is at least the bound.
    AtLeast,
    /// It equals the bound.
    Equal,
}

/// For all integers: where the facts hold, the goal stands in the relation to the bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The hypotheses.
    pub facts: Vec<Fact>,
    /// The goal.
    pub goal: Expression,
    /// What is said of it.
    pub relation: Relation,
    /// The bound.
    pub bound: Rational,
}

impl Problem {
    /// Does the relation hold for this value of the goal?
    pub fn accepts(&self, value: &Rational) -> bool {
        match self.relation {
            Relation::AtLeast => *value >= self.bound,
            Relation::Equal => *value == self.bound,
        }
    }

    /// Are all hypotheses met at the point?
    pub fn admits(&self, point: &Point) -> bool {
        self.facts.iter().all(|fact| fact.at(point) == Some(true))
    }

    /// Is the point a counterexample: admitted, with a goal that fails?
    pub fn refuted_by(&self, point: &Point) -> bool {
        self.admits(point) && self.goal.at(point).is_some_and(|x| !self.accepts(&x))
    }
}

impl Display for Problem {
    /// The statement, in one line.
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let facts: Vec<String> = self.facts.iter().map(Fact::to_string).collect();
        let relation = match self.relation {
            Relation::AtLeast => ">=",
            Relation::Equal => "=",
        };
        write!(f, "for all integers: ")?;
        if !facts.is_empty() {
            write!(f, "if {} then ", facts.join(", "))?;
        }
        write!(f, "{} {relation} {}", self.goal, self.bound)
    }
}

/// A proof by cases. The facts known at a node are the hypotheses, then those of the branches taken, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// The facts known here decide every fact of the goal that matters; the goal is evaluated.
    Evaluate,
    /// The facts known here contradict each other: these multiples of them (by index) add up to a negative constant.
    Absurd(Vec<(usize, Rational)>),
    /// Either the fact holds, or one of its negations does, in the order of [`Fact::negations`].
    Split(Fact, Vec<Tree>),
}

/// Why a proof by cases was refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CasesError {
    /// The goal depends on a fact that is not decided at a leaf.
    #[error("case {case}: \"{fact}\" is not decided")]
    Undecided {
        /// Which leaf, counted from 1.
        case: usize,
        /// The fact.
        fact: Fact,
    },
    /// The goal fails at a leaf that is not shown to be empty.
    #[error("case {case}: the goal is {value}, the bound {bound}")]
    Fails {
        /// Which leaf.
        case: usize,
        /// The goal.
        value: Rational,
        /// The bound.
        bound: Rational,
    },
    /// A multiplier of a fact that does not exist.
    #[error("case {case}: multiplier of fact {index}, there are {facts}")]
    NoSuchFact {
        /// Which leaf.
        case: usize,
        /// The index.
        index: usize,
        /// How many facts there are.
        facts: usize,
    },
    /// An inequality with a negative multiplier.
    #[error("case {case}: \"{fact}\" has the multiplier {multiplier}, not at least 0")]
    Negative {
        /// Which leaf.
        case: usize,
        /// The fact.
        fact: Fact,
        /// Its multiplier.
        multiplier: Rational,
    },
    /// The combination is not a negative constant.
    #[error("case {case}: the multiples add up to {left}, not to a negative constant")]
    NotAbsurd {
        /// Which leaf.
        case: usize,
        /// What they add up to.
        left: String,
    },
    /// A split with too few or too many branches.
    #[error("the split on \"{fact}\" has {found} branches, it needs {needed}")]
    Branches {
        /// The fact.
        fact: Fact,
        /// How many there are.
        found: usize,
        /// How many there must be.
        needed: usize,
    },
    /// Numbers that do not fit 64 bits.
    #[error("\"{0}\": the negation does not fit 64 bits")]
    Overflow(Fact),
    /// An example that does not meet the hypotheses.
    #[error("the example does not meet the hypothesis \"{fact}\"")]
    Example {
        /// The hypothesis.
        fact: Fact,
    },
    /// A list of nodes that ends before the tree is whole.
    #[error("the list of nodes ends before every split has its branches")]
    MissingNode,
    /// A list of nodes that goes on after the tree is whole.
    #[error("node {at} follows a tree that is whole")]
    SpareNode {
        /// Its index.
        at: usize,
    },
    /// A proof that takes too long.
    #[error("case {case}: checking takes more than {WORK} steps")]
    Work {
        /// The leaf at which the steps were used up.
        case: usize,
    },
    /// A tree that is too deep for any honest proof.
    #[error("the tree is deeper than {DEEPEST}")]
    TooDeep,
}

/// The greatest depth that is followed.
pub const DEEPEST: usize = 200;

/// Checks a proof by cases; gives the number of leaves.
///
/// # Errors
/// The first defect.
pub fn check(problem: &Problem, tree: &Tree) -> Result<usize, CasesError> {
    let (mut cases, mut budget) = (0, Budget::new(&problem.goal));
    let known = &mut problem.facts.clone();
    walk(problem, tree, known, &mut cases, &mut budget, 0)?;
    Ok(cases)
}

fn walk(
    problem: &Problem,
    tree: &Tree,
    known: &mut Vec<Fact>,
    cases: &mut usize,
    budget: &mut Budget,
    depth: usize,
) -> Result<(), CasesError> {
    if depth > DEEPEST {
        return Err(CasesError::TooDeep);
    }
    match tree {
        Tree::Split(fact, branches) => {
            let negations = fact
                .negations()
                .ok_or_else(|| CasesError::Overflow(fact.clone()))?;
            if branches.len() != negations.len() + 1 {
                return Err(CasesError::Branches {
                    fact: fact.clone(),
                    found: branches.len(),
                    needed: negations.len() + 1,
                });
            }
            for (assumed, branch) in std::iter::once(fact.clone()).chain(negations).zip(branches) {
                known.push(assumed);
                let result = walk(problem, branch, known, cases, budget, depth + 1);
                known.pop();
                result?;
            }
            Ok(())
        }
        Tree::Evaluate => {
            *cases += 1;
            let case = *cases;
            budget.evaluate(known.len(), case)?;
            let value = problem
                .goal
                .value(&mut |fact| truth(known, fact))
                .map_err(|fact| CasesError::Undecided { case, fact })?;
            if problem.accepts(&value) {
                Ok(())
            } else {
                let bound = problem.bound.clone();
                Err(CasesError::Fails { case, value, bound })
            }
        }
        Tree::Absurd(multipliers) => {
            *cases += 1;
            budget.add_up(known, multipliers, *cases)?;
            absurd(known, multipliers, *cases)
        }
    }
}

/// What the known facts say of a fact: it is one of them, or one of its negations is. Constant facts speak for themselves.
pub fn truth(known: &[Fact], fact: &Fact) -> Option<bool> {
    if fact.form().terms.is_empty() {
        return fact.at(&Point::new());
    }
    if stated(known, fact) {
        return Some(true);
    }
    let negations = fact.negations()?;
    negations.iter().any(|n| stated(known, n)).then_some(false)
}

/// Forms that must be 0 may stand with either sign.
fn stated(known: &[Fact], fact: &Fact) -> bool {
    let turned = match fact {
        Fact::Zero(form) => Form::from(0).combine(-1, form).map(Fact::Zero),
        Fact::NonNegative(_) => None,
    };
    known
        .iter()
        .any(|k| k == fact || Some(k) == turned.as_ref())
}

fn absurd(
    known: &[Fact],
    multipliers: &[(usize, Rational)],
    case: usize,
) -> Result<(), CasesError> {
    let mut terms = BTreeMap::<&str, Rational>::new();
    let mut constant = Rational::default();
    for (index, multiplier) in multipliers {
        let fact = known.get(*index).ok_or(CasesError::NoSuchFact {
            case,
            index: *index,
            facts: known.len(),
        })?;
        if matches!(fact, Fact::NonNegative(_)) && multiplier.is_negative() {
            return Err(CasesError::Negative {
                case,
                fact: fact.clone(),
                multiplier: multiplier.clone(),
            });
        }
        let form = fact.form();
        constant += multiplier * &Rational::integer(form.constant);
        for (name, x) in &form.terms {
            *terms.entry(name).or_default() += multiplier * &Rational::integer(*x);
        }
    }
    terms.retain(|_, x| !x.is_zero());
    if terms.is_empty() && constant.is_negative() {
        return Ok(());
    }
    let variables = terms.iter().map(|(name, x)| format!("{x} {name} + "));
    Err(CasesError::NotAbsurd {
        case,
        left: variables.chain([constant.to_string()]).collect(),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may stop where something is missing
mod tests {
    use super::*;
    use exact::ratio;

    /// For x >= 1: [x = 0] + [x >= 1] = 1.
    fn problem() -> Problem {
        let x = Form::variable("x");
        let less = x.combine(1, &Form::from(-1)).unwrap();
        let one = || Box::new(Expression::Number(ratio(1, 1)));
        let goal = Expression::Sum(vec![
            (ratio(1, 1), Expression::Where(vec![Fact::Zero(x)], one())),
            (
                ratio(1, 1),
                Expression::Where(vec![Fact::NonNegative(less.clone())], one()),
            ),
        ]);
        Problem {
            facts: vec![Fact::NonNegative(less)],
            goal,
            relation: Relation::Equal,
            bound: ratio(1, 1),
        }
    }

    /// x = 0 contradicts x >= 1: fact 0 minus fact 1 is -1.
    fn tree(zero: Vec<(usize, Rational)>, negative: Vec<(usize, Rational)>) -> Tree {
        Tree::Split(
            Fact::Zero(Form::variable("x")),
            vec![Tree::Absurd(zero), Tree::Evaluate, Tree::Absurd(negative)],
        )
    }

    fn good() -> Tree {
        tree(
            vec![(0, ratio(1, 1)), (1, ratio(-1, 1))],
            vec![(0, ratio(1, 1)), (1, ratio(1, 1))],
        )
    }

    #[test]
    fn accepts_a_proof() {
        assert_eq!(check(&problem(), &good()), Ok(3));
    }

    #[test]
    fn refuses_what_proves_nothing() {
        let two = Problem {
            bound: ratio(2, 1),
            ..problem()
        };
        assert!(matches!(
            check(&two, &good()),
            Err(CasesError::Fails { .. })
        ));
        // x >= 1 is the negation of x = 0 and decides it; without that fact nothing does.
        assert_eq!(check(&problem(), &Tree::Evaluate), Ok(1));
        let bare = Problem {
            facts: Vec::new(),
            ..problem()
        };
        assert!(matches!(
            check(&bare, &Tree::Evaluate),
            Err(CasesError::Undecided { .. })
        ));
    }

    #[test]
    fn refuses_tampered_multipliers() {
        let negative = || vec![(0, ratio(1, 1)), (1, ratio(1, 1))];
        let with = |zero| check(&problem(), &tree(zero, negative())).unwrap_err();
        assert!(matches!(
            with(vec![(0, ratio(2, 1)), (1, ratio(-1, 1))]),
            CasesError::NotAbsurd { .. }
        ));
        assert!(matches!(with(vec![]), CasesError::NotAbsurd { .. }));
        assert!(matches!(
            with(vec![(0, ratio(-1, 1)), (1, ratio(1, 1))]),
            CasesError::Negative { .. }
        ));
        assert!(matches!(
            with(vec![(7, ratio(1, 1))]),
            CasesError::NoSuchFact { .. }
        ));
    }

    #[test]
    fn refuses_a_case_that_is_left_out() {
        let Tree::Split(fact, mut branches) = good() else {
            unreachable!("the proof is a split")
        };
        branches.pop();
        assert!(matches!(
            check(&problem(), &Tree::Split(fact, branches)),
            Err(CasesError::Branches { .. })
        ));
    }
}
