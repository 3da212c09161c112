//! Why a proof of positivity was refused.

use crate::polynomial::Monomial;
use exact::Rational;
use thiserror::Error;

/// A defect of a problem, of a certificate or of a point. Each message names the value, the rule and the place.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Refusal {
    /// A name of a variable that cannot be read back.
    #[error("variable \"{name}\": a name is a letter and then letters, digits or underscores")]
    VariableName {
        /// The name.
        name: String,
    },
    /// A variable that is declared twice.
    #[error("variable \"{name}\" is declared twice")]
    VariableTwice {
        /// The name.
        name: String,
    },
    /// A variable that is not declared.
    #[error("{place} has the variable \"{name}\", which is not declared")]
    UnknownVariable {
        /// Which polynomial.
        place: String,
        /// The name.
        name: String,
    },
    /// A name of a hypothesis or an equation that is empty, too long or not printable.
    #[error("{place}: a name has 1 to 200 characters, all printable")]
    Name {
        /// Which.
        place: String,
    },
    /// Two hypotheses or equations of one name.
    #[error("the name \"{name}\" is given to two hypotheses or equations")]
    NameTwice {
        /// The name.
        name: String,
    },
    /// A hypothesis that there is not.
    #[error("{place} names hypothesis {index}, but there are {count}, counted from 0")]
    UnknownHypothesis {
        /// Where.
        place: String,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// An equation that there is not.
    #[error("{place} names equation {index}, but there are {count}, counted from 0")]
    UnknownEquation {
        /// Where.
        place: String,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// Indices that are not strictly ascending.
    #[error("{place} lists index {index} after {previous}: indices ascend, each at most once")]
    Order {
        /// Where.
        place: String,
        /// The index.
        index: usize,
        /// The one before it.
        previous: usize,
    },
    /// A power of 0.
    #[error("{place} has hypothesis {index} to the power 0: powers are >= 1")]
    ZeroPower {
        /// Where.
        place: String,
        /// Which hypothesis.
        index: usize,
    },
    /// A negative weight.
    #[error("{place} has weight {weight}: weights are >= 0")]
    NegativeWeight {
        /// Where.
        place: String,
        /// The weight.
        weight: Rational,
    },
    /// A multiplier that may be zero.
    #[error(
        "the multiplier has hypothesis {index} (\"{name}\"), which is not strict: only what is > 0 can be divided by"
    )]
    MultiplierNotStrict {
        /// Which hypothesis.
        index: usize,
        /// Its name.
        name: String,
    },
    /// The two sides differ.
    #[error(
        "the coefficient of {monomial} is {left} in multiplier*goal, but {right} in the certificate's sum"
    )]
    IdentityFails {
        /// The first monomial with two coefficients.
        monomial: Monomial,
        /// Its coefficient on the left.
        left: Rational,
        /// Its coefficient on the right.
        right: Rational,
    },
    /// A strict goal whose sum may be zero.
    #[error("the goal is strict, but no product of strict hypotheses has a weight > 0")]
    StrictnessNotShown,
    /// A degree too high.
    #[error("{place} has degree {degree}: at most {limit} is read")]
    Degree {
        /// Where.
        place: String,
        /// The degree, or the number of factors.
        degree: u64,
        /// The largest allowed.
        limit: u64,
    },
    /// Too many factors.
    #[error("{place} has {factors} factors: at most {limit} are read")]
    Factors {
        /// Where.
        place: String,
        /// How many, with their powers.
        factors: u64,
        /// The largest number allowed.
        limit: u64,
    },
    /// Too many monomials.
    #[error("{place} has {terms} monomials: at most {limit} are read")]
    Terms {
        /// Where.
        place: String,
        /// How many.
        terms: usize,
        /// The largest number allowed.
        limit: usize,
    },
    /// Too much to multiply out.
    #[error("{place}: computing takes more than {limit} steps in all")]
    Work {
        /// Where the limit was reached.
        place: String,
        /// The largest number of steps.
        limit: u64,
    },
    /// A point that leaves out a variable.
    #[error("the point gives no value to \"{name}\"")]
    NoValue {
        /// The variable.
        name: String,
    },
    /// A point that gives a value to what is no variable.
    #[error("the point gives a value to \"{name}\", which is not declared")]
    SpareValue {
        /// The name.
        name: String,
    },
    /// A hypothesis that a point does not meet.
    #[error("hypothesis \"{name}\" has the value {value} at the point, not {rule} 0")]
    HypothesisFails {
        /// Its name.
        name: String,
        /// Its value.
        value: Rational,
        /// What it should be.
        rule: &'static str,
    },
    /// An equation that a point does not meet.
    #[error("equation \"{name}\" has the value {value} at the point, not 0")]
    EquationFails {
        /// Its name.
        name: String,
        /// Its value.
        value: Rational,
    },
}
