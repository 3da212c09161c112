//! Appendix B.1: the dynamics (5), layer by layer, with RMSNorm exact where norms stay rational.

use crate::dense::{Dense, DenseError, inner};
use exact::Rational;
use num_traits::One;
use thiserror::Error;

/// A layer that cannot be computed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LayerError {
    /// RMSNorm of 0.
    #[error("token {0} is 0, which RMSNorm cannot scale")]
    Zero(usize),
    /// An irrational norm.
    #[error("token {token} has |x|^2/d = {square}, which is no square of a rational")]
    Irrational {
        /// Which, from 1.
        token: usize,
        /// Its mean square.
        square: Rational,
    },
    /// Shapes.
    #[error(transparent)]
    Dense(#[from] DenseError),
}

/// Uniform causal attention of T tokens: row i gives 1/i to each of 1..i.
pub fn uniform(t: usize) -> Dense {
    let over = |i: usize| Rational::from(i).recip().unwrap_or_default();
    Dense::of(t, t, |i, j| {
        if j <= i {
            over(i + 1)
        } else {
            Rational::default()
        }
    })
}

/// |x_i|/sqrt d of every column.
///
/// # Errors
/// A column that is 0 or has an irrational norm.
pub fn scales(x: &Dense) -> Result<Vec<Rational>, LayerError> {
    let (d, t) = x.shape();
    let over = Rational::from(d).recip().unwrap_or_default();
    let scale = |k: usize| {
        let column = x.column(k);
        let square = inner(&column, &column) * &over;
        if square.is_zero() {
            return Err(LayerError::Zero(k + 1));
        }
        let irrational = LayerError::Irrational {
            token: k + 1,
            square: square.clone(),
        };
        square.sqrt_exact().ok_or(irrational)
    };
    (0..t).map(scale).collect()
}

/// RMSNorm of every column: z = x sqrt d / |x|.
///
/// # Errors
/// A column that is 0 or has an irrational norm.
pub fn rms(x: &Dense) -> Result<Dense, LayerError> {
    let scales = scales(x)?;
    let inverse: Vec<Rational> = scales.iter().filter_map(Rational::recip).collect();
    Ok(x.times(&Dense::diagonal(&inverse))?)
}

/// One layer of (5): X + W_VO RMS(X) A^T.
///
/// # Errors
/// RMSNorm, shapes.
pub fn layer(x: &Dense, w_vo: &Dense, attention: &Dense) -> Result<Dense, LayerError> {
    let update = w_vo.times(&rms(x)?)?.times(&attention.t())?;
    Ok(x.plus(&Rational::one(), &update)?)
}

/// Proposition B.1's demand on W_VO, as the matrix that W_VO V must equal: lambda v_1, then lambda (v_i - v_{i-1}).
pub fn demand(v: &Dense, lambda: &Rational) -> Dense {
    let (d, t) = v.shape();
    Dense::of(d, t, |row, i| {
        let before = match i {
            0 => Rational::default(),
            _ => v.at(row, i - 1),
        };
        lambda * (v.at(row, i) - before)
    })
}

/// Proposition B.3's demand for X -> sigma Q X in one layer, as matrices V and R with W_VO V = R.
///
/// # Errors
/// RMSNorm, shapes.
pub fn rotation_demand(
    x: &Dense,
    q: &Dense,
    sigma: &Rational,
    attention: &Dense,
) -> Result<(Dense, Dense), LayerError> {
    let mixed = rms(x)?.times(&attention.t())?;
    let moved = q.times(x)?.scale(sigma).plus(&Rational::integer(-1), x)?;
    Ok((mixed, moved))
}

/// Proposition B.3's own formula: `X (B - I) (A^T)^{-1} D^{-1} X^+` with `B = sigma X^+ Q X`.
///
/// # Errors
/// RMSNorm; dependent columns; an attention matrix without inverse; shapes.
pub fn rotation_weights(
    x: &Dense,
    q: &Dense,
    sigma: &Rational,
    attention: &Dense,
) -> Result<Dense, LayerError> {
    let (_, t) = x.shape();
    let plus = x.left_inverse()?;
    let b = plus.times(q)?.times(x)?.scale(sigma);
    let less = b.plus(&Rational::integer(-1), &Dense::identity(t))?;
    let unmixed = less.times(&attention.t().inverse()?)?;
    let unscaled = unmixed.times(&Dense::diagonal(&scales(x)?))?;
    Ok(x.times(&unscaled)?.times(&plus)?)
}

/// The reflection `I - 2 u u^T/|u|^2`; the identity for u = 0.
pub fn reflection(u: &[Rational]) -> Dense {
    let factor = Rational::integer(-2)
        .checked_div(&inner(u, u))
        .unwrap_or_default();
    let outer = Dense::outer(u, u);
    Dense::of(u.len(), u.len(), |i, j| {
        let same = if i == j {
            Rational::one()
        } else {
            Rational::default()
        };
        same + &factor * outer.at(i, j)
    })
}
