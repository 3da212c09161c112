//! The settings at which Theorem 5.1 is decided: distributions of signs, matrices W, scales beta and lengths T.

use crate::oversmoothing::SmoothingCell;
use constructions::dense::Dense;
use constructions::oversmoothing::law::{Law, LawError};
use constructions::oversmoothing::setting::Setting;
use exact::{Rational, ratio};

/// Lengths of the distributions that are summed atom by atom.
pub const SUMMED: [u32; 2] = [2, 3];
/// Lengths at which the similarity is compared.
pub const LENGTHS: [usize; 5] = [2, 3, 4, 7, 16];

/// A vector of two halves.
fn halves(a: i64, b: i64) -> Vec<Rational> {
    vec![ratio(a, 2), ratio(b, 2)]
}

/// A 2 x 2 matrix of halves.
fn square([a, b, c, d]: [i64; 4]) -> Dense {
    let entries = [a, b, c, d];
    Dense::of(2, 2, |i, j| ratio(entries[2 * i + j], 2))
}

/// W: of every regime, symmetric or not, singular or not.
pub fn maps() -> Vec<Dense> {
    let halves = [
        [0, 0, 0, 0],
        [2, 0, 0, 2],
        [2, 0, 0, -1],
        [2, 0, 0, -2],
        [0, 0, 0, -3],
        [2, 0, 0, -3],
        [2, 0, 0, -4],
        [2, 0, 0, 0],
        [0, 2, -2, 0],
        [1, 1, 0, -2],
        [2, -1, 1, 3],
        [-2, 0, 0, -2],
        [4, 2, 2, -1],
    ];
    halves.into_iter().map(square).collect()
}

/// beta.
pub fn betas() -> Vec<Rational> {
    vec![ratio(0, 1), ratio(1, 1), ratio(1, 2), ratio(-1, 1)]
}

/// Distributions of T tokens in the plane: independent, with a common part, and in a slanted direction.
pub fn laws(t: u32) -> Vec<Law> {
    let of = |zbar: [i64; 2], own: [i64; 2], common: [i64; 2]| {
        let v = |[a, b]: [i64; 2]| halves(a, b);
        Law::signs(t, &v(zbar), &v(own), &v(common))
    };
    vec![
        of([2, 0], [0, 2], [0, 0]),
        of([2, 1], [0, 2], [1, 0]),
        of([4, 0], [1, 1], [1, -1]),
    ]
}

/// `Z_i = (1, +-1)` for T = 2.
pub fn plane() -> Law {
    Law::signs(2, &halves(2, 0), &halves(0, 2), &halves(0, 0))
}

/// T = 2 in one dimension, eps_2 = -eps_1 = +-1, zbar = 0.
pub fn opposite() -> Result<Law, LawError> {
    let atom = |a: i64| {
        Ok((
            ratio(1, 2),
            Dense::from_rows(vec![vec![ratio(a, 1), ratio(-a, 1)]])?,
        ))
    };
    Ok(Law {
        atoms: [1, -1]
            .into_iter()
            .map(atom)
            .collect::<Result<_, LawError>>()?,
    })
}

/// All settings, each at every length.
///
/// # Errors
/// A setting that is none: a defect of this file.
pub fn cells() -> Result<Vec<SmoothingCell>, LawError> {
    let mut all = Vec::new();
    for law in laws(2) {
        for w in maps() {
            for beta in betas() {
                let two = law.setting(beta, w.clone())?;
                for t in LENGTHS {
                    let Setting {
                        beta,
                        zbar,
                        w,
                        sigma_v,
                        sigma_c,
                        ..
                    } = two.clone();
                    let setting = Setting::new(t, beta, zbar, w, sigma_v, sigma_c)?;
                    all.push(SmoothingCell::new(setting));
                }
            }
        }
    }
    Ok(all)
}
