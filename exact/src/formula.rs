//! Formulas over integer variables: linear forms, facts about them, and sums of numbers that count where facts hold.
//!
//! A definition that is read for all sizes becomes such a formula; a certificate says something about it.

use crate::Rational;
use num_traits::Zero;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// Values of the variables.
pub type Point = BTreeMap<String, i64>;

/// `sum of factor times variable, plus a constant`. Factors are never stored as 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form {
    /// The factors.
    pub terms: BTreeMap<String, i64>,
    /// The constant.
    pub constant: i64,
}

impl Form {
    /// A variable.
    pub fn variable(name: &str) -> Form {
        Form {
            terms: BTreeMap::from([(name.to_string(), 1)]),
            constant: 0,
        }
    }

    /// `self + factor other`; nothing on overflow.
    pub fn combine(&self, factor: i64, other: &Form) -> Option<Form> {
        let mut sum = self.clone();
        sum.constant = sum
            .constant
            .checked_add(factor.checked_mul(other.constant)?)?;
        for (name, x) in &other.terms {
            let entry = sum.terms.entry(name.clone()).or_default();
            *entry = entry.checked_add(factor.checked_mul(*x)?)?;
        }
        sum.terms.retain(|_, x| *x != 0);
        Some(sum)
    }

    /// The value at a point; a variable without a value counts as nothing, and so does an overflow.
    pub fn at(&self, point: &Point) -> Option<i64> {
        self.terms.iter().try_fold(self.constant, |sum, (name, x)| {
            sum.checked_add(x.checked_mul(*point.get(name)?)?)
        })
    }
}

impl From<i64> for Form {
    fn from(constant: i64) -> Form {
        Form {
            terms: BTreeMap::new(),
            constant,
        }
    }
}

impl Display for Form {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let mut first = true;
        for (name, x) in &self.terms {
            let sign = match (first, *x < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            match x.unsigned_abs() {
                1 => write!(f, "{sign}{name}")?,
                x => write!(f, "{sign}{x}{name}")?,
            }
            first = false;
        }
        match (first, self.constant) {
            (true, c) => write!(f, "{c}"),
            (false, 0) => Ok(()),
            (false, c) if c < 0 => write!(f, " - {}", c.unsigned_abs()),
            (false, c) => write!(f, " + {c}"),
        }
    }
}

/// A fact about integers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fact {
    /// The form is 0.
    Zero(Form),
    /// The form is at least 0.
    NonNegative(Form),
}

impl Fact {
    /// Its form.
    pub fn form(&self) -> &Form {
        match self {
            Fact::Zero(form) | Fact::NonNegative(form) => form,
        }
    }

    /// Is it so at this point? Nothing where a variable has no value.
    pub fn at(&self, point: &Point) -> Option<bool> {
        Some(match self {
            Fact::Zero(form) => form.at(point)? == 0,
            Fact::NonNegative(form) => form.at(point)? >= 0,
        })
    }

    /// Facts of which exactly one holds where this one does not; nothing on overflow.
    pub fn negations(&self) -> Option<Vec<Fact>> {
        let below = |form: &Form| Form::from(-1).combine(-1, form).map(Fact::NonNegative);
        let above = |form: &Form| form.combine(1, &Form::from(-1)).map(Fact::NonNegative);
        match self {
            Fact::Zero(form) => Some(vec![above(form)?, below(form)?]),
            Fact::NonNegative(form) => Some(vec![below(form)?]),
        }
    }
}

impl Display for Fact {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Fact::Zero(form) => write!(f, "{form} = 0"),
            Fact::NonNegative(form) => write!(f, "{form} >= 0"),
        }
    }
}

/// A number that depends on integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A number.
    Number(Rational),
    /// A sum.
    Sum(Vec<(Rational, Expression)>),
    /// The expression where all facts hold, 0 elsewhere.
    Where(Vec<Fact>, Box<Expression>),
    /// The larger of the expression and 0.
    Relu(Box<Expression>),
}

impl Expression {
    /// The value at a point; nothing where a variable has no value.
    pub fn at(&self, point: &Point) -> Option<Rational> {
        self.value(&mut |fact| fact.at(point)).ok()
    }

    /// The value, where `truth` tells which facts hold.
    ///
    /// # Errors
    /// The first fact that `truth` cannot tell and that matters.
    pub fn value(&self, truth: &mut impl FnMut(&Fact) -> Option<bool>) -> Result<Rational, Fact> {
        match self {
            Expression::Number(x) => Ok(x.clone()),
            Expression::Sum(terms) => {
                let mut sum = Rational::zero();
                for (factor, term) in terms {
                    sum += factor * &term.value(truth)?;
                }
                Ok(sum)
            }
            Expression::Where(facts, inner) => {
                let mut open = None;
                for fact in facts {
                    match truth(fact) {
                        Some(false) => return Ok(Rational::zero()),
                        Some(true) => {}
                        None => open = open.or(Some(fact)),
                    }
                }
                match open {
                    Some(fact) => Err(fact.clone()),
                    None => inner.value(truth),
                }
            }
            Expression::Relu(inner) => {
                let x = inner.value(truth)?;
                Ok(if x.is_positive() { x } else { Rational::zero() })
            }
        }
    }
}

impl Display for Expression {
    /// `[facts] x` is x where the facts hold and 0 elsewhere.
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Expression::Number(x) => write!(f, "{x}"),
            Expression::Sum(terms) => {
                f.write_str("(")?;
                for (k, (factor, term)) in terms.iter().enumerate() {
                    f.write_str(if k == 0 { "" } else { " + " })?;
                    write!(f, "{factor}*{term}")?;
                }
                f.write_str(if terms.is_empty() { "0)" } else { ")" })
            }
            Expression::Where(facts, inner) => {
                f.write_str("[")?;
                for (k, fact) in facts.iter().enumerate() {
                    write!(f, "{}{fact}", if k == 0 { "" } else { ", " })?;
                }
                write!(f, "] {inner}")
            }
            Expression::Relu(inner) => write!(f, "max(0, {inner})"),
        }
    }
}
