//! One transformer block, exact: value-output map, residual, RMSNorm, ReLU MLP, residual.
//!
//! States are in frame coordinates and in units of sqrt(d/2), so tokens are `h_i + p_t`. RMSNorm multiplies a state u by
//! sqrt(2)/|u| in these units. Without biases ReLU is positively homogeneous, so signs are decided on W_1 u, which
//! is rational, and the irrational scale only enters the comparison of the output with the label.

use crate::matrix::{Hidden, HiddenMap, Operator, Sparse, combine, dot};
use exact::{Rational, SqrtError, Surd};
use num_traits::{One, Zero};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// The weights of a block in frame coordinates.
#[derive(Clone, Debug)]
pub struct Block {
    /// `B = W_K^T W_Q sqrt(d)/(2 kappa)`, keys on the left, d x d.
    pub qk: Operator,
    /// `W_O W_V`, d x d.
    pub vo: Operator,
    /// `W_1`, hidden x d.
    pub w1: HiddenMap,
    /// `W_2`, d x hidden.
    pub w2: Operator,
    /// Bias of the hidden layer, in the units of the embeddings themselves (not divided by sqrt(d/2)).
    pub b1: Option<Hidden>,
    /// Bias of the output, likewise.
    pub b2: Option<Sparse>,
}

/// A block prepared for many states.
pub struct Prepared<'a> {
    block: &'a Block,
    width: usize,
    /// `W_2 1`, which a constant hidden vector needs.
    row_sums: Sparse,
}

/// One summand of the state after attention, with its image in the hidden layer.
#[derive(Clone, Debug)]
pub struct Share {
    /// The summand, in units of sqrt(d/2).
    pub vector: Sparse,
    /// `W_1` of it.
    pub hidden: Hidden,
}

/// A nonzero coordinate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coordinate {
    /// Its value.
    Exact(Surd),
    /// `plus + factor sqrt(square)`, where the squarefree part of a huge `square` is out of reach. The square root is
    /// irrational, so this is nonzero unless both numbers are zero.
    Root {
        /// The rational part.
        plus: Rational,
        /// The factor of the root.
        factor: Rational,
        /// What the root is taken of.
        square: Rational,
    },
}

impl Display for Coordinate {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Coordinate::Exact(x) if x.terms().count() > 1 => write!(f, "({x})"),
            Coordinate::Exact(x) => write!(f, "{x}"),
            Coordinate::Root {
                plus,
                factor,
                square,
            } => write!(f, "({plus} + {factor}*sqrt({square}))"),
        }
    }
}

/// How a computed output differs from its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Equal, exactly.
    Equal,
    /// The nonzero coordinates of output minus label, in units of sqrt(d/2).
    Differs(BTreeMap<usize, Coordinate>),
}

impl<'a> Prepared<'a> {
    /// Prepares the block; `width` is d.
    pub fn new(block: &'a Block, width: usize) -> Prepared<'a> {
        let mut sums = BTreeMap::<usize, Rational>::new();
        let needed = block.b1.is_some() || block.w1.columns.iter().any(|c| !c.default.is_zero());
        if needed {
            for k in 0..block.w2.cols() {
                for (i, x) in block.w2.column(k) {
                    *sums.entry(i).or_default() += x;
                }
            }
        }
        let row_sums = sums.into_iter().filter(|(_, x)| !x.is_zero()).collect();
        Prepared {
            block,
            width,
            row_sums,
        }
    }

    /// What a token adds to the state as a query: itself, and `W_1 x`.
    pub fn own(&self, token: &Sparse) -> Share {
        self.share(token.clone())
    }

    /// What a token adds to the state as a key that is attended to: `V x`, and `W_1 V x`.
    pub fn value(&self, token: &Sparse) -> Share {
        self.share(self.block.vo.apply(token))
    }

    /// The equal mixture of several values.
    pub fn average(&self, values: &[Share]) -> Share {
        let weight = Rational::from(values.len()).recip().unwrap_or_default();
        self.share(combine(values.iter().map(|v| (weight.clone(), &v.vector))))
    }

    fn share(&self, vector: Sparse) -> Share {
        let hidden = self.block.w1.apply(&vector);
        Share { vector, hidden }
    }

    /// Compares the block's output on the state `own + read` (attention and its residual) with a label.
    ///
    /// `missing` is `own + read - label`: what is wrong before the MLP writes anything.
    ///
    /// # Errors
    /// With biases only: a square root whose squarefree part is out of reach, for user matrices with huge entries.
    pub fn compare(
        &self,
        own: &Share,
        read: &Share,
        missing: &Sparse,
    ) -> Result<Outcome, SqrtError> {
        let one = Rational::one();
        let state = || combine([(one.clone(), &own.vector), (one.clone(), &read.vector)]);
        if self.block.b1.is_some() || self.block.b2.is_some() {
            let pre = Hidden::combine(&[(one.clone(), &own.hidden), (one.clone(), &read.hidden)]);
            return self.compare_with_biases(&state(), &pre, missing);
        }
        let raw = self.rectified(&own.hidden, &read.hidden);
        let plain = || outcome(missing.iter().map(|(k, x)| (*k, Surd::from(x.clone()))));
        if raw.is_empty() {
            return Ok(plain());
        }
        let state = state();
        // Output = u + sqrt(2/|u|^2) raw.
        let Some(ratio) = Rational::integer(2).checked_div(&dot(&state, &state)) else {
            return Ok(plain());
        };
        if let Some(scale) = ratio.sqrt_exact() {
            let difference = combine([(one, missing), (scale, &raw)]);
            return Ok(outcome(
                difference.into_iter().map(|(k, x)| (k, Surd::from(x))),
            ));
        }
        let Ok(root) = Surd::sqrt(&ratio) else {
            // The root is irrational, so a coordinate vanishes only where both of its parts do.
            let mut parts: BTreeMap<usize, (Rational, Rational)> = raw
                .into_iter()
                .map(|(k, x)| (k, (Rational::zero(), x)))
                .collect();
            for (k, x) in missing {
                parts.entry(*k).or_default().0 = x.clone();
            }
            let coordinate = |(k, (plus, factor))| {
                let square = ratio.clone();
                let root = Coordinate::Root {
                    plus,
                    factor,
                    square,
                };
                (k, root)
            };
            return Ok(Outcome::Differs(
                parts.into_iter().map(coordinate).collect(),
            ));
        };
        let mut difference: BTreeMap<usize, Surd> =
            raw.iter().map(|(k, x)| (*k, root.scale(x))).collect();
        for (k, x) in missing {
            *difference.entry(*k).or_default() += &Surd::from(x.clone());
        }
        Ok(outcome(difference))
    }

    /// `W_2 relu(a + b)`. Nothing is allocated when no unit is active, the common case for copy tokens.
    fn rectified(&self, a: &Hidden, b: &Hidden) -> Sparse {
        let positive = |x: Rational| if x.is_positive() { x } else { Rational::zero() };
        let base = positive(&a.default + &b.default);
        let mut columns: Vec<(Rational, Sparse)> = Vec::new();
        a.merge(b, |row, x| {
            let weight = positive(x) - &base;
            if !weight.is_zero() {
                columns.push((weight, self.block.w2.column(row)));
            }
        });
        if !base.is_zero() {
            columns.push((base, self.row_sums.clone()));
        }
        combine(columns.iter().map(|(c, v)| (c.clone(), v)))
    }

    /// With biases the scale matters before ReLU too: unit k is sqrt(d/n) (W_1 u)_k + b_k, n = |u|^2.
    fn compare_with_biases(
        &self,
        state: &Sparse,
        pre: &Hidden,
        missing: &Sparse,
    ) -> Result<Outcome, SqrtError> {
        let square = dot(state, state);
        let width = Rational::from(self.width);
        let norm = match width.checked_div(&square) {
            Some(ratio) => Surd::sqrt(&ratio)?,
            None => Surd::zero(),
        };
        let half = Surd::sqrt(&(width * exact::ratio(1, 2)))?;
        let units = self.block.w1.units;
        let mut output: BTreeMap<usize, Surd> =
            missing.iter().map(|(k, x)| (*k, half.scale(x))).collect();
        for row in 0..units {
            let bias = self
                .block
                .b1
                .as_ref()
                .map_or_else(Rational::zero, |b| b.at(row).clone());
            let unit = &norm.scale(pre.at(row)) + &Surd::from(bias);
            if unit.signum() > 0 {
                for (k, x) in self.block.w2.column(row) {
                    *output.entry(k).or_default() += &unit.scale(&x);
                }
            }
        }
        for (k, x) in self.block.b2.iter().flatten() {
            *output.entry(*k).or_default() += &Surd::from(x.clone());
        }
        // Back to units of sqrt(d/2).
        let back = half.inverse().unwrap_or_default();
        Ok(outcome(output.into_iter().map(|(k, x)| (k, &x * &back))))
    }
}

fn outcome(difference: impl IntoIterator<Item = (usize, Surd)>) -> Outcome {
    let nonzero: BTreeMap<usize, Coordinate> = difference
        .into_iter()
        .filter(|(_, x)| !x.is_zero())
        .map(|(k, x)| (k, Coordinate::Exact(x)))
        .collect();
    if nonzero.is_empty() {
        Outcome::Equal
    } else {
        Outcome::Differs(nonzero)
    }
}
