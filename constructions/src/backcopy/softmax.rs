//! What the hard-attention limit hides: rigorous bounds at a finite kappa.

use super::margins::logits;
use super::task::{Reading, Task, Token};
use crate::matrix::Operator;
use exact::{Rational, exp_neg, sqrt_enclosure};
use std::collections::BTreeMap;

/// Rational bounds of one quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosure {
    /// Not above the value.
    pub lower: Rational,
    /// Not below the value.
    pub upper: Rational,
}

/// Bits of the enclosures.
const BITS: u32 = 64;

/// 1/(1 + n e^-kappa), enclosed: the least weight of a target that leads n competing keys by kappa.
///
/// Nothing when kappa is negative.
pub fn target_weight(kappa: &Rational, competitors: usize) -> Option<Enclosure> {
    let (low, high) = exp_neg(kappa, BITS)?;
    let n = Rational::from(competitors);
    let weight = |e: Rational| (Rational::integer(1) + &n * e).recip();
    Some(Enclosure {
        lower: weight(high)?,
        upper: weight(low)?,
    })
}

/// The weight of a target whose competitors trail by `gaps` (units of kappa): 1/(1 + sum e^(-kappa gap)), enclosed.
pub fn weight_of_gaps(kappa: &Rational, gaps: &[(Rational, u128)]) -> Option<Enclosure> {
    let (mut low, mut high) = (Rational::integer(1), Rational::integer(1));
    for (gap, count) in gaps {
        let (l, h) = exp_neg(&(kappa * gap), BITS)?;
        let count = Rational::from(num_bigint::BigInt::from(*count));
        low += l * &count;
        high += h * &count;
    }
    Some(Enclosure {
        lower: high.recip()?,
        upper: low.recip()?,
    })
}

/// How far each key trails the target for a query, in units of kappa, with how often each gap occurs.
pub fn gaps(
    qk: &Operator,
    task: &Task,
    query: Token,
    target: Token,
    keys: impl Iterator<Item = Token>,
) -> Vec<(Rational, u128)> {
    let logit = logits(qk, task, query);
    let top = logit(target);
    let mut counts = BTreeMap::<Rational, u128>::new();
    for key in keys {
        *counts.entry(&top - logit(key)).or_default() += 1;
    }
    counts.into_iter().collect()
}

/// An upper bound on |output - label| / sqrt(d) of the mended block at a finite kappa, every query included.
///
/// At most T keys compete. The attention output is off by at most (1 - weight) |V (x_k - x_target)|
/// <= (1 - weight) sqrt(2 d), V being a projector. RMSNorm moves by at most 2 delta sqrt(d)/|u| for a shift delta of a
/// state u with |u| >= sqrt(d), and the MLP has Lipschitz constant at most |W_2| |W_1|: here |W_2| = 1 and
/// |W_1|^2 = 1 + C (T + D). The repair of reading L adds a row of |.|^2 <= D + 2 to W_1 and makes |W_2| = sqrt(2).
pub fn label_error(task: &Task, kappa: &Rational) -> Option<Rational> {
    let sizes = &task.sizes;
    let weight = target_weight(kappa, sizes.t)?;
    let two = Rational::integer(2);
    let (_, root_two) = sqrt_enclosure(&two, BITS)?;
    let plain = 1 + sizes.c * (sizes.t + sizes.d);
    let gram = match task.reading {
        Reading::A | Reading::B => Rational::from(plain),
        Reading::L => Rational::from(2 * (plain + sizes.d + 2)),
    };
    let (_, lipschitz) = sqrt_enclosure(&gram, BITS)?;
    let shift = (Rational::integer(1) - weight.lower) * root_two;
    Some(shift * (Rational::integer(1) + two * lipschitz))
}
