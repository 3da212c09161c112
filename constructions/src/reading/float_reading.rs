//! Float reading: for spectra and plots. It decides nothing.

use crate::Sizes;
use crate::basis::{Basis, dense as exact_dense};
use crate::language::Matrix;
use crate::reading::{Side, operator};
use nalgebra::DMatrix;

/// The definition as a dense matrix of floats, in frame coordinates.
pub fn dense(
    definition: &Matrix,
    left: Side,
    right: Side,
    sizes: &Sizes,
    basis: &Basis,
) -> DMatrix<f64> {
    exact_dense(&operator(definition, left, right, sizes, basis)).map(|x| x.to_f64())
}

/// The sum of the singular values, by nalgebra's SVD; nothing when the SVD does not converge.
pub fn nuclear_norm(matrix: &DMatrix<f64>) -> Option<f64> {
    let svd = matrix.clone().try_svd(false, false, f64::EPSILON, 10_000)?;
    Some(svd.singular_values.sum())
}
