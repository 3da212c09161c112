//! The setting of Theorem 5.1: how many tokens, beta, W, and the tokens' mean and second moments.

use super::formula::Symbol;
use crate::cluster::gram::{NoVectors, orthogonalise};
use crate::dense::{Dense, DenseError};
use crate::matrix::Sparse;
use exact::Rational;
use thiserror::Error;

/// The largest T and the largest width.
pub const LARGEST: (usize, usize) = (4096, 256);

/// A setting that some distribution of tokens has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// T >= 2.
    pub t: usize,
    /// beta.
    pub beta: Rational,
    /// The mean token, d numbers.
    pub zbar: Vec<Rational>,
    /// The value-output matrix W, d x d.
    pub w: Dense,
    /// `E[eps_i eps_i^T]`, d x d.
    pub sigma_v: Dense,
    /// `E[eps_j eps_i^T]` for i != j, d x d.
    pub sigma_c: Dense,
    traces: [Rational; 6],
}

/// What no distribution of tokens has.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SettingError {
    /// T.
    #[error("T = {0}: at least 2 tokens are needed for a pair, at most {most} are taken", most = LARGEST.0)]
    Length(usize),
    /// d.
    #[error("d = {0}: zbar has from 1 to {most} entries", most = LARGEST.1)]
    Width(usize),
    /// A matrix of the wrong shape.
    #[error("{name} is {rows}x{cols}: zbar has {d} entries, so it must be {d}x{d}")]
    Shape {
        /// Which.
        name: &'static str,
        /// Its rows.
        rows: usize,
        /// Its columns.
        cols: usize,
        /// d.
        d: usize,
    },
    /// A matrix that is not symmetric.
    #[error(
        "{name} is not symmetric: entries [{i}, {j}] = {first} and [{j}, {i}] = {second} differ (from 0)"
    )]
    Symmetric {
        /// Which.
        name: &'static str,
        /// Row.
        i: usize,
        /// Column.
        j: usize,
        /// The entry.
        first: Rational,
        /// Its mirror image.
        second: Rational,
    },
    /// Second moments of no tokens.
    #[error(
        "{name} is not positive semidefinite, so no T = {t} tokens have these second moments: {source}"
    )]
    Semidefinite {
        /// Which.
        name: &'static str,
        /// T.
        t: usize,
        /// Why.
        source: NoVectors,
    },
    /// Matrices that do not go together.
    #[error(transparent)]
    Dense(#[from] DenseError),
}

impl Setting {
    /// A setting.
    ///
    /// Tokens with these second moments exist exactly if Sigma_V - Sigma_C and Sigma_V + (T-1) Sigma_C are positive
    /// semidefinite: these are what the T x T matrix of blocks is on differences of tokens and on their sum.
    ///
    /// # Errors
    /// Sizes and shapes, asymmetry, second moments that no tokens have.
    pub fn new(
        t: usize,
        beta: Rational,
        zbar: Vec<Rational>,
        w: Dense,
        sigma_v: Dense,
        sigma_c: Dense,
    ) -> Result<Setting, SettingError> {
        if !(2..=LARGEST.0).contains(&t) {
            return Err(SettingError::Length(t));
        }
        let d = zbar.len();
        if !(1..=LARGEST.1).contains(&d) {
            return Err(SettingError::Width(d));
        }
        for (name, m) in [("W", &w), ("Sigma_V", &sigma_v), ("Sigma_C", &sigma_c)] {
            let (rows, cols) = m.shape();
            if (rows, cols) != (d, d) {
                return Err(SettingError::Shape {
                    name,
                    rows,
                    cols,
                    d,
                });
            }
        }
        for (name, m) in [("Sigma_V", &sigma_v), ("Sigma_C", &sigma_c)] {
            let mut places = (0..d).flat_map(|i| (i + 1..d).map(move |j| (i, j)));
            if let Some((i, j)) = places.find(|(i, j)| m.at(*i, *j) != m.at(*j, *i)) {
                let (first, second) = (m.at(i, j), m.at(j, i));
                return Err(SettingError::Symmetric {
                    name,
                    i,
                    j,
                    first,
                    second,
                });
            }
        }
        let b = sigma_v.plus(&Rational::integer(-1), &sigma_c)?;
        let whole = sigma_v.plus(&Rational::from(t - 1), &sigma_c)?;
        for (name, m) in [
            ("Sigma_V - Sigma_C", &b),
            ("Sigma_V + (T-1) Sigma_C", &whole),
        ] {
            let columns: Vec<Sparse> = (0..d).map(|j| sparse(&m.column(j))).collect();
            if let Err(source) = orthogonalise(&columns) {
                return Err(SettingError::Semidefinite { name, t, source });
            }
        }
        let c = Dense::outer(&zbar, &zbar).plus(&Rational::integer(1), &sigma_c)?;
        let square = w.t().times(&w)?;
        let of = |m: &Dense| -> Result<[Rational; 3], DenseError> {
            Ok([m.trace(), m.trace_with(&w)?, m.trace_with(&square)?])
        };
        let ([b0, bw, bww], [c0, cw, cww]) = (of(&b)?, of(&c)?);
        Ok(Setting {
            t,
            beta,
            zbar,
            w,
            sigma_v,
            sigma_c,
            traces: [b0, bw, bww, c0, cw, cww],
        })
    }

    /// The value of a symbol; lambda, 1/i and 1/j have none here.
    pub fn value(&self, symbol: Symbol) -> Option<&Rational> {
        let k = match symbol {
            Symbol::Beta => return Some(&self.beta),
            Symbol::Lambda | Symbol::OverI | Symbol::OverJ => return None,
            Symbol::TraceB => 0,
            Symbol::TraceBw => 1,
            Symbol::TraceBww => 2,
            Symbol::TraceC => 3,
            Symbol::TraceCw => 4,
            Symbol::TraceCww => 5,
        };
        self.traces.get(k)
    }

    /// p = beta tr(BW).
    pub fn p(&self) -> Rational {
        &self.beta * &self.traces[1]
    }

    /// q = tr(B W^T W).
    pub fn q(&self) -> Rational {
        self.traces[2].clone()
    }

    /// p + q.
    pub fn s(&self) -> Rational {
        self.p() + self.q()
    }

    /// `E[Z_l Z_k^T]`: C, and B besides where k = l.
    ///
    /// # Errors
    /// Shapes that do not fit: none in a setting.
    pub fn second_moment(&self, same: bool) -> Result<Dense, DenseError> {
        let sigma = if same { &self.sigma_v } else { &self.sigma_c };
        Dense::outer(&self.zbar, &self.zbar).plus(&Rational::integer(1), sigma)
    }

    /// The width d.
    pub fn width(&self) -> usize {
        self.zbar.len()
    }
}

fn sparse(column: &[Rational]) -> Sparse {
    let entries = column.iter().cloned().enumerate();
    entries.filter(|(_, x)| !x.is_zero()).collect()
}
