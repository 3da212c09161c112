//! Evidence, and the verdicts computed from it. A verdict has no success default.

use exact::{Rational, Surd};
use std::cmp::Ordering;
use std::fmt::{self, Display, Formatter};

/// An exact quantity of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// An exact number.
    Exact(Surd),
    /// A count.
    Count(u128),
    /// A number known to lie between two rationals.
    Enclosed(Rational, Rational),
    /// Something that is no number: `never`, or a form in kappa.
    Text(String),
}

impl Value {
    /// A number between two rationals: itself where they are equal.
    pub fn between(low: Rational, high: Rational) -> Value {
        if low == high {
            low.into()
        } else {
            Value::Enclosed(low, high)
        }
    }

    /// Compares with an exact number; nothing when an enclosure does not decide, or when it is no number.
    pub fn compare(&self, other: &Surd) -> Option<Ordering> {
        match self {
            Value::Exact(x) => Some(x.cmp(other)),
            Value::Enclosed(low, _) if Surd::from(low.clone()) > *other => Some(Ordering::Greater),
            Value::Enclosed(_, high) if Surd::from(high.clone()) < *other => Some(Ordering::Less),
            Value::Enclosed(..) | Value::Count(_) | Value::Text(_) => None,
        }
    }
}

/// The value of this name.
pub fn named<'a>(values: &'a [(&'static str, Value)], name: &str) -> Option<&'a Value> {
    values.iter().find(|(n, _)| *n == name).map(|(_, v)| v)
}

impl From<Surd> for Value {
    fn from(x: Surd) -> Value {
        Value::Exact(x)
    }
}

impl From<Rational> for Value {
    fn from(x: Rational) -> Value {
        Value::Exact(x.into())
    }
}

impl From<u128> for Value {
    fn from(n: u128) -> Value {
        Value::Count(n)
    }
}

/// What evidence says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// True in every case that was decided.
    Holds,
    /// False: there is a witness.
    Refuted,
    /// Not decided.
    Unknown,
    /// A condition on kappa, with its threshold.
    Conditional,
    /// The hypotheses are not met here.
    Vacuous,
    /// No case was decided.
    NothingChecked,
}

impl Outcome {
    /// The name used in reports and pins.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Holds => "holds",
            Outcome::Refuted => "refuted",
            Outcome::Unknown => "unknown",
            Outcome::Conditional => "conditional",
            Outcome::Vacuous => "vacuous",
            Outcome::NothingChecked => "nothing checked",
        }
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a verdict was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Every case evaluated in exact arithmetic.
    Exact,
    /// A certificate, accepted by the checker.
    Certificate,
    /// A proof for all sizes, by certificates and once more by the solver Z3.
    Twice,
}

impl Method {
    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Method::Exact => "exact evaluation",
            Method::Certificate => "certificate",
            Method::Twice => "certificate and z3",
        }
    }
}

/// What was found for one claim at one place.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Cases decided.
    pub checked: u128,
    /// A case that fails, re-checked.
    pub witness: Option<String>,
    /// Why something was not decided.
    pub undecided: Option<String>,
    /// Why the claim does not apply.
    pub vacuous: Option<String>,
    /// A condition on kappa that was not given one.
    pub conditional: bool,
    /// How it was decided.
    pub method: Method,
    /// Named exact values.
    pub values: Vec<(&'static str, Value)>,
    /// A step of the printed proof that fails although the statement may stand.
    pub proof_gap: Option<String>,
}

impl Evidence {
    /// Evidence that counts `checked` cases, with the failing one if there is any.
    pub fn of(checked: u128, witness: Option<String>) -> Evidence {
        Evidence {
            checked,
            witness,
            undecided: None,
            vacuous: None,
            conditional: false,
            method: Method::Exact,
            values: Vec::new(),
            proof_gap: None,
        }
    }

    /// The claim does not apply.
    pub fn vacuous(reason: impl Into<String>) -> Evidence {
        Evidence {
            vacuous: Some(reason.into()),
            ..Evidence::of(0, None)
        }
    }

    /// Not decided.
    pub fn unknown(reason: impl Into<String>) -> Evidence {
        Evidence {
            undecided: Some(reason.into()),
            ..Evidence::of(0, None)
        }
    }

    /// Adds a value.
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Evidence {
        self.values.push((name, value.into()));
        self
    }

    /// Sets the method.
    pub fn by(mut self, method: Method) -> Evidence {
        self.method = method;
        self
    }

    /// Joins two pieces of evidence for one claim: both must stand.
    pub fn and(mut self, other: Evidence) -> Evidence {
        self.checked += other.checked;
        self.witness = self.witness.or(other.witness);
        self.undecided = self.undecided.or(other.undecided);
        self.vacuous = self.vacuous.or(other.vacuous);
        self.conditional |= other.conditional;
        self.values.extend(other.values);
        self.proof_gap = self.proof_gap.or(other.proof_gap);
        self
    }

    /// The outcome. A witness outweighs everything; nothing decided is never a pass.
    pub fn outcome(&self) -> Outcome {
        if self.witness.is_some() {
            Outcome::Refuted
        } else if self.undecided.is_some() {
            Outcome::Unknown
        } else if self.vacuous.is_some() {
            Outcome::Vacuous
        } else if self.checked == 0 {
            Outcome::NothingChecked
        } else if self.conditional {
            Outcome::Conditional
        } else {
            Outcome::Holds
        }
    }
}
