//! The diagonal pattern of Theorem D.1, part 3.

use super::sink::{base, groups};
use crate::language::{
    Matrix, NUISANCES, centroid, copy, epsilon, lambda, nuisance, separation, sum, var,
};
use exact::Rational;

/// `B = Pi^T M_diag Pi + alpha P_eta`, s = 1/lambda^2, a = 1, b = 2/lambda, alpha = 2/Delta, in units of kappa/sqrt d;
/// queries on the left.
pub fn qk() -> Matrix {
    let (c, k) = (var("c"), var("k"));
    let two = || Rational::integer(2);
    lambda(-2) * sum(c, groups(), centroid(c).dual() * centroid(c).dual().t())
        + sum(c, groups(), copy(c).dual() * copy(c).dual().t())
        + lambda(-1) * (two() * sum(c, groups(), copy(c).dual() * centroid(c).dual().t()))
        + separation(-1) * (two() * sum(k, NUISANCES, nuisance(k) * nuisance(k).dual().t()))
}

/// `W_O W_V = (1 - epsilon) T_base`; the MLP is zero.
pub fn vo() -> Matrix {
    base() - epsilon() * base()
}
