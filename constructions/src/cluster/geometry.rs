//! The vectors of a cluster task, by their inner products alone.
//!
//! Scores, labels and norms depend on inner products only. Vectors are coordinates in a frame `f_1..f_n` of their span whose
//! Gram matrix K is rational; the frame need not be orthonormal, so irrational geometry costs nothing. All vectors are
//! divided by sqrt d.

use super::gram::{NoVectors, Orthogonal, inverse, orthogonalise};
use crate::matrix::{Sparse, combine, dot, rank};
use exact::Rational;
use num_traits::One;
use std::sync::OnceLock;
use thiserror::Error;

/// The vectors of a cluster task with C groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    /// K, by columns.
    pub gram: Vec<Sparse>,
    /// K^-1, by columns.
    pub inverse: Vec<Sparse>,
    /// u_0 = b, u_1..u_C the group directions, u_{C+1}..u_{2C} the copy tokens, in the frame.
    pub special: Vec<Sparse>,
    /// Their duals Pi^T e_j, in the frame.
    pub special_dual: Vec<Sparse>,
    /// The nuisances, in the frame.
    pub nuisances: Vec<Sparse>,
    r_eta: usize,
    explicit: bool,
    basis: OnceLock<Basis>,
}

/// An orthogonal basis of the nuisance span. It need not be normalised, so that it is rational.
#[derive(Clone, Debug, PartialEq)]
pub struct Basis {
    /// g_1..g_{r_eta}, in the frame.
    pub vectors: Vec<Sparse>,
    /// Their duals g_k/|g_k|^2.
    pub duals: Vec<Sparse>,
}

/// Why there are no such vectors.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum GeometryError {
    /// The Gram matrix of b, the group directions and the copy tokens.
    #[error("b, dbar and c: {0}")]
    Special(NoVectors),
    /// That of the nuisances.
    #[error("nuisances: {0}")]
    Nuisance(NoVectors),
    /// b, the group directions and the copy tokens are linearly dependent.
    #[error("b, dbar and c are linearly dependent, so Pi = (U^T U)^-1 U^T does not exist")]
    Dependent,
    /// A nuisance with a component along S.
    #[error("nuisance {nuisance} has inner product {value} with vector {special} of S, not 0")]
    NotOrthogonal {
        /// Which nuisance, counted from 1.
        nuisance: usize,
        /// Which vector of b, dbar_1.., c_1.., counted from 0.
        special: usize,
        /// Their inner product.
        value: Rational,
    },
}

impl Geometry {
    /// From the Gram matrices of the special vectors and of the nuisances, both by columns.
    ///
    /// # Errors
    /// One of them is no Gram matrix, or the special vectors are dependent.
    pub fn from_grams(special: &[Sparse], nuisances: &[Sparse]) -> Result<Geometry, GeometryError> {
        let m = special.len();
        let special_inverse = definite(special)?;
        let found = orthogonalise(nuisances).map_err(GeometryError::Nuisance)?;
        let r = found.squares.len();
        let shifted = |v: &Sparse| v.iter().map(|(k, x)| (m + k, x.clone())).collect();
        let own = |k: usize| vec![(k, Rational::one())];
        let mut gram = special.to_vec();
        let mut whole = special_inverse.clone();
        for (k, square) in found.squares.iter().enumerate() {
            gram.push(vec![(m + k, square.clone())]);
            whole.push(vec![(m + k, square.recip().unwrap_or_default())]);
        }
        Ok(Geometry {
            special: (0..m).map(own).collect(),
            special_dual: special_inverse,
            nuisances: found.coordinates.iter().map(shifted).collect(),
            r_eta: r,
            explicit: false,
            basis: OnceLock::from(Basis {
                vectors: (m..m + r).map(own).collect(),
                duals: whole[m..].to_vec(),
            }),
            gram,
            inverse: whole,
        })
    }

    /// From explicit vectors in an orthonormal frame of `width` vectors.
    ///
    /// # Errors
    /// Dependent special vectors, or a nuisance that is not orthogonal to them.
    pub fn from_vectors(
        width: usize,
        special: Vec<Sparse>,
        nuisances: Vec<Sparse>,
    ) -> Result<Geometry, GeometryError> {
        for (i, eta) in nuisances.iter().enumerate() {
            for (j, u) in special.iter().enumerate() {
                let value = dot(eta, u);
                if !value.is_zero() {
                    return Err(GeometryError::NotOrthogonal {
                        nuisance: i + 1,
                        special: j,
                        value,
                    });
                }
            }
        }
        let special_inverse = definite(&grams(&special))?;
        let unit: Vec<Sparse> = (0..width).map(|k| vec![(k, Rational::one())]).collect();
        Ok(Geometry {
            special_dual: combinations(&special_inverse, &special),
            gram: unit.clone(),
            inverse: unit,
            special,
            r_eta: rank(nuisances.iter().cloned()),
            explicit: true,
            nuisances,
            basis: OnceLock::new(),
        })
    }

    /// Dimension of the frame: 1 + 2C + r_eta, or the width of explicit vectors.
    pub fn dimension(&self) -> usize {
        self.gram.len()
    }

    /// Is the frame an orthonormal basis in which the vectors were given?
    pub fn is_explicit(&self) -> bool {
        self.explicit
    }

    /// r_eta, the rank of the nuisances.
    pub fn r_eta(&self) -> usize {
        self.r_eta
    }

    /// An orthogonal basis of the nuisance span. Only what reads P_eta needs it: of explicit vectors it may have huge
    /// numbers.
    pub fn basis(&self) -> &Basis {
        self.basis.get_or_init(|| {
            // A Gram matrix of given vectors is one.
            let found = orthogonalise(&self.nuisance_gram()).unwrap_or_else(|_| Orthogonal {
                combinations: Vec::new(),
                squares: Vec::new(),
                coordinates: Vec::new(),
            });
            let vectors = combinations(&found.combinations, &self.nuisances);
            let dual = |(g, square): (&Sparse, &Rational)| {
                combine([(square.recip().unwrap_or_default(), g)])
            };
            let duals = vectors.iter().zip(&found.squares).map(dual).collect();
            Basis { vectors, duals }
        })
    }

    /// The inner products of a vector with the frame, K x.
    pub fn covector(&self, x: &Sparse) -> Sparse {
        combine(x.iter().map(|(k, c)| (c.clone(), &self.gram[*k])))
    }

    /// The inner product of two vectors.
    pub fn inner(&self, x: &Sparse, y: &Sparse) -> Rational {
        dot(x, &self.covector(y))
    }

    /// The Gram matrix of the special vectors, by columns.
    pub fn special_gram(&self) -> Vec<Sparse> {
        self.grams(&self.special)
    }

    /// The Gram matrix of the nuisances, by columns.
    pub fn nuisance_gram(&self) -> Vec<Sparse> {
        self.grams(&self.nuisances)
    }

    fn grams(&self, vectors: &[Sparse]) -> Vec<Sparse> {
        let covectors: Vec<Sparse> = vectors.iter().map(|x| self.covector(x)).collect();
        let column = |y: &Sparse| {
            let all = vectors.iter().enumerate().map(|(k, x)| (k, dot(x, y)));
            all.filter(|(_, x)| !x.is_zero()).collect()
        };
        covectors.iter().map(column).collect()
    }
}

fn combinations(columns: &[Sparse], of: &[Sparse]) -> Vec<Sparse> {
    let sum = |c: &Sparse| combine(c.iter().map(|(k, x)| (x.clone(), &of[*k])));
    columns.iter().map(sum).collect()
}

fn definite(special: &[Sparse]) -> Result<Vec<Sparse>, GeometryError> {
    orthogonalise(special).map_err(GeometryError::Special)?;
    inverse(special).ok_or(GeometryError::Dependent)
}

/// Inner products of explicit vectors, by columns.
fn grams(vectors: &[Sparse]) -> Vec<Sparse> {
    let column = |y: &Sparse| {
        let all = vectors.iter().enumerate().map(|(k, x)| (k, dot(x, y)));
        all.filter(|(_, x)| !x.is_zero()).collect()
    };
    vectors.iter().map(column).collect()
}
