//! Diagnostics of a sink: is it a no-op (its value is negligible) or a broadcast (its value carries what the head puts out)?
//!
//! * Value-norm ratio: the norm of the sink's value over that of the other values; squared here, so that it is rational:
//!   `|v_s|^2` over the mean of `|v_i|^2`.
//! * Participation ratio of the outputs o_1, .., o_n: `(sum sigma^2)^2 / sum sigma^4` over singular values, a rank that counts shares.
//!   From the Gram matrix G it is `tr(G)^2 / tr(G^2)`.
//! * Context variance: how far the sink's value moves between contexts, `mean |v - mean v|^2` over `mean |v|^2`.
//!
//! All take vectors as they are, so measured values, converted to exact numbers, can be given.

use crate::dense::{Dense, DenseError, inner};
use exact::Rational;
use num_traits::One;

/// The squared value-norm ratio; nothing where the other values are all 0 or there are none.
pub fn value_norm_ratio_squared(sink: &[Rational], others: &[Vec<Rational>]) -> Option<Rational> {
    let squares: Rational = others.iter().map(|v| inner(v, v)).sum();
    let mean = squares.checked_div(&Rational::from(others.len()))?;
    inner(sink, sink).checked_div(&mean)
}

/// The participation ratio of outputs, the rows of a matrix; nothing where all are 0.
///
/// # Errors
/// None for a matrix: the product of one with its transpose fits.
pub fn participation_ratio(outputs: &Dense) -> Result<Option<Rational>, DenseError> {
    let gram = outputs.times(&outputs.t())?;
    let trace = gram.trace();
    Ok((&trace * &trace).checked_div(&gram.trace_with(&gram)?))
}

/// The context variance of the sink's value, one vector of equal length for each context; 0 where all are 0, nothing without contexts.
pub fn context_variance(values: &[Vec<Rational>]) -> Option<Rational> {
    let over = Rational::from(values.len()).recip()?;
    let width = values.first()?.len();
    let mean: Vec<Rational> = (0..width)
        .map(|k| {
            values
                .iter()
                .filter_map(|v| v.get(k))
                .cloned()
                .sum::<Rational>()
                * &over
        })
        .collect();
    let square = values.iter().map(|v| inner(v, v)).sum::<Rational>() * &over;
    // mean |v - m|^2 = mean |v|^2 - |m|^2.
    let variance = &square - &inner(&mean, &mean);
    Some(variance.checked_div(&square).unwrap_or_default())
}

/// What a synthetic sink's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sink {
    /// 0.
    NoOp,
    /// The mean of the other values.
    Broadcast,
    /// A fixed vector, orthogonal to all values.
    Constant,
}

impl Sink {
    /// The three.
    pub const ALL: [Sink; 3] = [Sink::NoOp, Sink::Broadcast, Sink::Constant];

    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Sink::NoOp => "no-op",
            Sink::Broadcast => "broadcast",
            Sink::Constant => "constant",
        }
    }
}

/// A head in one context: n tokens with orthonormal values out of a vocabulary, each giving `self_mass` to itself and the rest to the sink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The sink's value.
    pub sink: Vec<Rational>,
    /// The tokens' values.
    pub values: Vec<Vec<Rational>>,
    /// The outputs, a row a token.
    pub outputs: Dense,
}

impl Head {
    /// The head whose context holds tokens `first .. first + n` of a vocabulary of `vocabulary` tokens with orthonormal values.
    pub fn synthetic(
        sink: Sink,
        n: usize,
        (first, vocabulary): (usize, usize),
        self_mass: &Rational,
    ) -> Head {
        let width = vocabulary + 1;
        let unit = |k: usize| -> Vec<Rational> {
            let one = |j| {
                if j == k {
                    Rational::one()
                } else {
                    Rational::default()
                }
            };
            (0..width).map(one).collect()
        };
        let values: Vec<Vec<Rational>> = (first..first + n).map(|k| unit(k % vocabulary)).collect();
        let over = Rational::from(n).recip().unwrap_or_default();
        let value = match sink {
            Sink::NoOp => vec![Rational::default(); width],
            Sink::Constant => unit(vocabulary),
            Sink::Broadcast => (0..width)
                .map(|k| values.iter().map(|v| v[k].clone()).sum::<Rational>() * &over)
                .collect(),
        };
        let rest = Rational::one() - self_mass;
        let outputs = Dense::of(n, width, |i, k| {
            &rest * &value[k] + self_mass * &values[i][k]
        });
        Head {
            sink: value,
            values,
            outputs,
        }
    }
}
