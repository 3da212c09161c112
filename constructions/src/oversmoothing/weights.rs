//! The weights of `A_lambda = (1 - lambda) I + lambda A_u`, A_u being uniform causal attention.

use super::formula::{Formula, Symbol, sum};
use exact::Rational;
use num_traits::One;
use std::cmp::Ordering;

/// The weight that row i, counted from 1, gives to column k: a formula in lambda and 1/i for each side of the diagonal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// k < i.
    pub below: Formula,
    /// k = i.
    pub diagonal: Formula,
    /// k > i.
    pub above: Formula,
}

impl Weights {
    /// As in Appendix B.2: lambda/i below the diagonal, 1 - lambda + lambda/i on it, 0 above.
    pub fn printed() -> Weights {
        use Symbol::{Lambda, OverI};
        Weights {
            below: sum(&[(1, &[Lambda, OverI])]),
            diagonal: sum(&[(1, &[]), (-1, &[Lambda]), (1, &[Lambda, OverI])]),
            above: sum(&[]),
        }
    }

    /// The weight of column k in row i, both from 1.
    pub fn at(&self, i: usize, k: usize, lambda: &Rational) -> Rational {
        let over_i = Rational::from(i).recip().unwrap_or_default();
        let formula = match k.cmp(&i) {
            Ordering::Less => &self.below,
            Ordering::Equal => &self.diagonal,
            Ordering::Greater => &self.above,
        };
        formula.at(|symbol| match symbol {
            Symbol::Lambda => lambda.clone(),
            Symbol::OverI => over_i.clone(),
            _ => Rational::default(),
        })
    }
}

/// The same weight by its definition, `(1 - lambda) [i = k] + lambda (A_u)_{ik}`.
pub fn by_definition(i: usize, k: usize, lambda: &Rational) -> Rational {
    let uniform = match k <= i {
        true => Rational::from(i).recip().unwrap_or_default(),
        false => Rational::default(),
    };
    let same = match i == k {
        true => Rational::one() - lambda,
        false => Rational::default(),
    };
    same + lambda * uniform
}
