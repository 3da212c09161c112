//! The printed and the mended costs and bounds of Theorem 7.1, as exact numbers.
//!
//! Query-key quantities are norms of B, in units of 2 kappa/sqrt d; [`per_kappa`] turns them into costs.

use crate::Sizes;
use exact::{Rational, SqrtError, Surd};

fn int(n: usize) -> Rational {
    Rational::from(n)
}

/// 2/sqrt(d): a norm of B times this is a cost per unit of kappa.
///
/// # Errors
/// Never for d within the accepted sizes.
pub fn per_kappa(sizes: &Sizes) -> Result<Surd, SqrtError> {
    Surd::sqrt(&(int(4) * int(sizes.width).recip().unwrap_or_default()))
}

/// sqrt(2D) + T - 1: the printed nuclear norm of eq. (7).
///
/// # Errors
/// Never for accepted sizes.
pub fn sink_qk(sizes: &Sizes) -> Result<Surd, SqrtError> {
    Ok(&Surd::sqrt(&int(2 * sizes.d))? + &Surd::from(int(sizes.t - 1)))
}

/// sqrt(2D + 1/2) + T - 1: the norm with the first-position repair.
///
/// # Errors
/// Never for accepted sizes.
pub fn sink_qk_first(sizes: &Sizes) -> Result<Surd, SqrtError> {
    Ok(&Surd::sqrt(&(int(2 * sizes.d) + exact::ratio(1, 2)))? + &Surd::from(int(sizes.t - 1)))
}

/// T + C + D - 2: the printed cost of the value-output map; d - 2 is the norm of eq. (8) itself.
pub fn vo_printed(sizes: &Sizes) -> Rational {
    int(sizes.t + sizes.v()) - int(2)
}

/// 4 d C + T + D: the printed cost of eq. (9).
pub fn w1_printed(sizes: &Sizes) -> Rational {
    int(4) * int(sizes.width) * int(sizes.c) + int(sizes.t + sizes.d)
}

/// T + D: the printed cost of eq. (10).
pub fn w2_printed(sizes: &Sizes) -> Rational {
    int(sizes.t + sizes.d)
}

/// 2 (T + D) sqrt(1 + C): the cost of the mended MLP, each neuron balanced.
///
/// # Errors
/// Never for accepted sizes.
pub fn mlp_mended(sizes: &Sizes) -> Result<Surd, SqrtError> {
    Ok(Surd::sqrt(&int(1 + sizes.c))?.scale(&int(2 * (sizes.t + sizes.d))))
}

/// The square of the printed lower bound on |B|_*: m T^3 / 12.
pub fn diagonal_printed_squared(sizes: &Sizes) -> Rational {
    int(sizes.m()) * int(sizes.t).pow(3) * exact::ratio(1, 12)
}

/// The square of the mended bound of reading A: C D T (T^2 - 1) / (3 (C + D)).
pub fn diagonal_mended_squared(sizes: &Sizes) -> Rational {
    let t = int(sizes.t);
    pairs(sizes) * &t * (&t * &t - int(1))
}

/// The square of the mended bound without the step at t = 2 (reading B): C D T (T-1) (T-2) / (3 (C + D)).
pub fn diagonal_without_second_squared(sizes: &Sizes) -> Rational {
    let t = int(sizes.t);
    pairs(sizes) * &t * (&t - int(1)) * (&t - int(2))
}

fn pairs(sizes: &Sizes) -> Rational {
    int(sizes.c) * int(sizes.d) * int(3 * sizes.v()).recip().unwrap_or_default()
}

/// The closed form for reading B: the bound of reading A over 1 + sqrt(3 (T-1) / (C T (T+1))).
///
/// # Errors
/// Never for accepted sizes.
pub fn diagonal_sharper_b(sizes: &Sizes) -> Result<Surd, SqrtError> {
    let (t, c) = (int(sizes.t), int(sizes.c));
    let under = (int(3) * (&t - int(1)))
        .checked_div(&(c * &t * (&t + int(1))))
        .unwrap_or_default();
    let below = &Surd::one() + &Surd::sqrt(&under)?;
    Ok(&Surd::sqrt(&diagonal_mended_squared(sizes))? * &below.inverse().unwrap_or_default())
}

/// An inequality `slope kappa + constant < right kappa` in kappa, as condition (3) is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Left side: factor of kappa.
    pub slope: Surd,
    /// Left side: what does not grow with kappa.
    pub constant: Surd,
    /// Right side: factor of kappa.
    pub right: Surd,
}

/// From which kappa on a condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Threshold {
    /// It holds exactly for kappa above this number.
    Above(Surd),
    /// No kappa > 0 satisfies it.
    Never,
    /// Every kappa > 0 satisfies it.
    Always,
}

impl Condition {
    /// The exact threshold, over kappa > 0.
    pub fn threshold(&self) -> Threshold {
        let gain = &self.right - &self.slope;
        match (gain.signum(), self.constant.signum()) {
            (1, 1) => gain
                .inverse()
                .map_or(Threshold::Never, |g| Threshold::Above(&self.constant * &g)),
            (1, _) | (0, -1) => Threshold::Always,
            (-1, -1) => Threshold::Never,
            _ => Threshold::Never,
        }
    }

    /// Left and right side at a given kappa.
    pub fn sides(&self, kappa: &Rational) -> (Surd, Surd) {
        (
            &self.slope.scale(kappa) + &self.constant,
            self.right.scale(kappa),
        )
    }
}

/// Condition (3), with c_1 = d / (T + C + D + 2), its least admissible value.
///
/// # Errors
/// Never for accepted sizes.
pub fn condition_3(sizes: &Sizes) -> Result<Condition, SqrtError> {
    let unit = per_kappa(sizes)?;
    let constant = vo_printed(sizes) + w1_printed(sizes) + w2_printed(sizes);
    Ok(Condition {
        slope: &unit * &sink_qk(sizes)?,
        constant: constant.into(),
        right: &unit * &Surd::sqrt(&diagonal_printed_squared(sizes))?,
    })
}

/// Condition (3) with the nuclear norm d - 2 that eq. (8) really has.
///
/// # Errors
/// Never for accepted sizes.
pub fn condition_3_own(sizes: &Sizes) -> Result<Condition, SqrtError> {
    let printed = condition_3(sizes)?;
    let more = int(sizes.width) - int(2) - vo_printed(sizes);
    Ok(Condition {
        constant: &printed.constant + &more.into(),
        ..printed
    })
}

/// The condition of the mended theorem, T >= 2: half the sink's cost, 2 QK + 2 VO + MLP, against the diagonal's bound.
///
/// # Errors
/// Never for accepted sizes.
pub fn condition_mended(sizes: &Sizes, diagonal: &Surd) -> Result<Condition, SqrtError> {
    let unit = per_kappa(sizes)?;
    let mlp = mlp_mended(sizes)?.scale(&exact::ratio(1, 2));
    Ok(Condition {
        slope: &unit * &sink_qk(sizes)?,
        constant: &Surd::from(vo_printed(sizes)) + &mlp,
        right: &unit * diagonal,
    })
}
