//! Oracles: the expectations summed directly, from second moments and from a finite distribution of tokens.

use super::setting::{Setting, SettingError};
use super::weights::by_definition;
use crate::dense::{Dense, DenseError, inner};
use exact::Rational;
use thiserror::Error;

impl Setting {
    /// `E[Y_i^T Y_j]` by the double sum over all pairs of tokens, with the d x d matrices `beta [i = k] I + a_ik W`.
    ///
    /// # Errors
    /// Shapes that do not fit: none in a setting.
    pub fn direct(&self, i: usize, j: usize, lambda: &Rational) -> Result<Rational, DenseError> {
        let map = |row: usize, k: usize| {
            let skip = if row == k {
                self.beta.clone()
            } else {
                Rational::default()
            };
            let identity = Dense::identity(self.width()).scale(&skip);
            identity.plus(&by_definition(row, k, lambda), &self.w)
        };
        let moments = [self.second_moment(false)?, self.second_moment(true)?];
        let mut sum = Rational::default();
        for k in 1..=self.t {
            let left = map(i, k)?.t();
            for l in 1..=self.t {
                let product = left.times(&map(j, l)?)?;
                sum += product.trace_with(&moments[usize::from(k == l)])?;
            }
        }
        Ok(sum)
    }
}

/// A finite distribution of T tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// Probabilities, and the tokens Z as columns (d x T).
    pub atoms: Vec<(Rational, Dense)>,
}

/// A distribution that is not as Theorem 5.1 assumes.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LawError {
    /// Probabilities.
    #[error("probabilities add up to {0}, not to 1")]
    Total(Rational),
    /// Different tokens, different moments.
    #[error("token {0} does not have the mean, the variance or the covariances of token 1")]
    Uneven(usize),
    /// The setting.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Shapes.
    #[error(transparent)]
    Dense(#[from] DenseError),
}

impl Law {
    /// `Z_i = zbar + s_i own + s_0 common` with independent signs s_0, .., s_T, each one of +1 and -1.
    pub fn signs(t: u32, zbar: &[Rational], own: &[Rational], common: &[Rational]) -> Law {
        let count = 1u32 << (t + 1);
        let share = Rational::from(count as usize).recip().unwrap_or_default();
        let sign =
            |pattern: u32, k: u32| Rational::integer(if pattern >> k & 1 == 1 { -1 } else { 1 });
        let atom = |pattern: u32| {
            let tokens = Dense::of(zbar.len(), t as usize, |row, i| {
                let own = &own[row] * &sign(pattern, i as u32 + 1);
                &zbar[row] + &own + &common[row] * &sign(pattern, 0)
            });
            (share.clone(), tokens)
        };
        Law {
            atoms: (0..count).map(atom).collect(),
        }
    }

    /// The setting that this distribution has.
    ///
    /// # Errors
    /// Probabilities that do not add up to 1, tokens that differ in their moments, and what no setting is.
    pub fn setting(&self, beta: Rational, w: Dense) -> Result<Setting, LawError> {
        let total: Rational = self.atoms.iter().map(|(share, _)| share.clone()).sum();
        if total != Rational::integer(1) {
            return Err(LawError::Total(total));
        }
        let (d, t) = self.atoms.first().map_or((0, 0), |(_, z)| z.shape());
        let mean = |i: usize| -> Vec<Rational> {
            let of = |row| self.atoms.iter().map(|(p, z)| p * z.at(row, i)).sum();
            (0..d).map(of).collect()
        };
        let zbar = mean(0);
        let covariance = |i: usize, j: usize| {
            Dense::of(d, d, |a, b| {
                let centred = |z: &Dense, row: usize, token| z.at(row, token) - &zbar[row];
                let each = self
                    .atoms
                    .iter()
                    .map(|(p, z)| p * centred(z, a, i) * centred(z, b, j));
                each.sum()
            })
        };
        let (sigma_v, sigma_c) = (covariance(0, 0), covariance(1, 0));
        for i in 0..t {
            let mut fits = mean(i) == zbar && covariance(i, i) == sigma_v;
            fits &= (0..t)
                .filter(|j| *j != i)
                .all(|j| covariance(j, i) == sigma_c);
            if !fits {
                return Err(LawError::Uneven(i + 1));
            }
        }
        Ok(Setting::new(t, beta, zbar, w, sigma_v, sigma_c)?)
    }

    /// `E[Y_i^T Y_j]` over all atoms, tokens from 1.
    ///
    /// # Errors
    /// A W that does not fit.
    pub fn expectation(
        &self,
        (i, j): (usize, usize),
        beta: &Rational,
        w: &Dense,
        lambda: &Rational,
    ) -> Result<Rational, DenseError> {
        let mut sum = Rational::default();
        for (share, z) in &self.atoms {
            let (_, t) = z.shape();
            let weights = Dense::of(t, t, |row, k| by_definition(row + 1, k + 1, lambda));
            let mixed = w.times(z)?.times(&weights.t())?;
            let y = z.scale(beta).plus(&Rational::integer(1), &mixed)?;
            sum += share * inner(&y.column(i - 1), &y.column(j - 1));
        }
        Ok(sum)
    }
}
