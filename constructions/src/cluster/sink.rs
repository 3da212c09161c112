//! The sink of Theorem D.1, part 1, and its cheaper variant.

use crate::language::{
    C, Matrix, NUISANCES, Range, bos, centroid, copy, epsilon, lambda, nuisance, steps, sum, total,
    var,
};
use exact::{Rational, ratio};

/// The groups 1..=C.
pub fn groups() -> Range {
    steps(1, C)
}

/// `B = Pi^T M Pi` of step 1, `M = a r e_0^T + b sum_c e_{C+c} e_c^T`, a = 1/lambda, b = (1 + lambda)/lambda^2, in units of
/// kappa/sqrt d; queries on the left.
pub fn qk() -> Matrix {
    let c = var("c");
    let everyone = total(c, groups(), centroid(c).dual()) + total(c, groups(), copy(c).dual());
    let link = || sum(c, groups(), copy(c).dual() * centroid(c).dual().t());
    lambda(-1) * (everyone * bos().dual().t()) + lambda(-2) * link() + lambda(-1) * link()
}

/// `T_base = P_eta + Q_cent` of step 2.
pub fn base() -> Matrix {
    let (c, k) = (var("c"), var("k"));
    sum(k, NUISANCES, nuisance(k) * nuisance(k).dual().t())
        + sum(c, groups(), centroid(c) * centroid(c).dual().t())
}

/// `W_O W_V = T_base / 2` of step 3.
pub fn vo() -> Matrix {
    ratio(1, 2) * base()
}

/// W_1: one hidden unit for every nuisance direction and every group, reading its dual. Biases keep all units on.
pub fn w1() -> Matrix {
    let (c, k) = (var("c"), var("k"));
    sum(k, NUISANCES, nuisance(k).unit() * nuisance(k).dual().t())
        + sum(c, groups(), centroid(c).unit() * centroid(c).dual().t())
}

/// W_2, so that `W_2 W_1 = (1 + epsilon) T_base`.
pub fn w2() -> Matrix {
    write() + epsilon() * write()
}

/// W_2 of the cheaper sink, so that `W_2 W_1 = (1 - epsilon) T_base`.
pub fn w2_cheaper() -> Matrix {
    write() - epsilon() * write()
}

/// `W_O W_V = s T_base` of the cheaper sink.
pub fn vo_cheaper(s: &Rational) -> Matrix {
    s.clone() * base()
}

fn write() -> Matrix {
    let (c, k) = (var("c"), var("k"));
    sum(k, NUISANCES, nuisance(k) * nuisance(k).unit().t())
        + sum(c, groups(), centroid(c) * centroid(c).unit().t())
}
