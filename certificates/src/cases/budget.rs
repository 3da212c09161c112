//! Checking a proof by cases without asking for all the time.

use super::CasesError;
use exact::Rational;
use exact::formula::{Expression, Fact};

/// The steps that a proof may take. A step compares two facts, or adds two short numbers; long ones count for more.
pub const WORK: u64 = 100_000_000;

/// What evaluating the goal takes, and the steps that are left.
pub(super) struct Budget {
    /// Facts of the goal, counted with their terms.
    facts: u64,
    /// Steps of its arithmetic.
    arithmetic: u64,
    left: u64,
}

impl Budget {
    pub(super) fn new(goal: &Expression) -> Budget {
        let (mut facts, mut numbers, mut bits) = (0, 1, 0);
        measure(goal, &mut facts, &mut numbers, &mut bits);
        Budget {
            facts,
            arithmetic: numbers_of(numbers, bits),
            left: WORK,
        }
    }

    /// The goal is evaluated where so many facts are known.
    pub(super) fn evaluate(&mut self, known: usize, case: usize) -> Result<(), CasesError> {
        let compare = self.facts.saturating_mul(known as u64 + 1);
        self.spend(compare.saturating_add(self.arithmetic), case)
    }

    /// Multiples of known facts are added up.
    pub(super) fn add_up(
        &mut self,
        known: &[Fact],
        multipliers: &[(usize, Rational)],
        case: usize,
    ) -> Result<(), CasesError> {
        let terms = |(k, _): &(usize, Rational)| known.get(*k).map_or(0, |f| f.form().terms.len());
        let terms: u64 = multipliers.iter().map(|m| terms(m) as u64 + 1).sum();
        // A factor of 64 bits lengthens the product of each.
        let bits = multipliers.iter().map(|(_, x)| length(x) + 64).sum();
        self.spend(numbers_of(terms, bits), case)
    }

    fn spend(&mut self, steps: u64, case: usize) -> Result<(), CasesError> {
        let left = self.left.checked_sub(steps.max(1));
        self.left = left.ok_or(CasesError::Work { case })?;
        Ok(())
    }
}

/// Sums of so many numbers, that have so many bits together: no sum is longer than all of them.
fn numbers_of(count: u64, bits: u64) -> u64 {
    let words = bits / 1024 + 1;
    count.saturating_mul(words.saturating_mul(words))
}

fn length(x: &Rational) -> u64 {
    x.numer().bits() + x.denom().bits()
}

fn measure(goal: &Expression, facts: &mut u64, numbers: &mut u64, bits: &mut u64) {
    *numbers += 1;
    match goal {
        Expression::Number(x) => *bits += length(x),
        Expression::Sum(terms) => {
            for (factor, term) in terms {
                *bits += length(factor);
                measure(term, facts, numbers, bits);
            }
        }
        Expression::Where(conditions, inner) => {
            let terms = conditions.iter().map(|f| f.form().terms.len() as u64 + 1);
            *facts += terms.sum::<u64>();
            measure(inner, facts, numbers, bits);
        }
        Expression::Relu(inner) => measure(inner, facts, numbers, bits),
    }
}
