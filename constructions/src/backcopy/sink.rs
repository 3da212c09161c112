//! The sink constructions: equations (7) to (10) as printed, and the mended pieces.

use crate::language::*;
use exact::{Rational, ratio};

/// Eq. (7), `W_K^T W_Q`, in units of 2 kappa/sqrt d. Keys on the left.
pub fn qk() -> Matrix {
    let (k, t) = (var("k"), var("t"));
    (h(0) + p(0)) * total(k, DORMANT, h(k)).t() + sum(t, steps(1, T - 1), p(t) * p(t + 1).t())
}

/// Eq. (7) with the first-position repair of reading L: `(h_0 + p_0) p_1^T / 2` is added.
pub fn qk_first() -> Matrix {
    let (k, t) = (var("k"), var("t"));
    (h(0) + p(0)) * (total(k, DORMANT, h(k)) + ratio(1, 2) * p(1)).t()
        + sum(t, steps(1, T - 1), p(t) * p(t + 1).t())
}

/// Eq. (8), `W_O W_V`.
pub fn vo() -> Matrix {
    identity() - h(0) * h(0).t() - p(0) * p(0).t()
}

/// The mended value-output map: the projector onto span{h_i + p_t : i in V, 1 <= t <= T-1}.
///
/// `g` is orthogonal to that span inside the span of the `h_i` and `p_t`, and |g|^2 = C + D + T - 1.
pub fn vo_projector() -> Matrix {
    let (i, t) = (var("i"), var("t"));
    let g = || total(i, CONTEXT, h(i)) - total(t, steps(1, T - 1), p(t));
    sum(i, CONTEXT, h(i) * h(i).t()) + sum(t, steps(1, T - 1), p(t) * p(t).t())
        - one_over(C + D + T - 1) * (g() * g().t())
}

/// Eq. (9), `W_1`: the hidden layer is R^d itself.
pub fn w1() -> Matrix {
    let (i, t, j) = (var("i"), var("t"), var("j"));
    sum(i, DORMANT, h(i) * h(i).t()) + sum(t, steps(1, T), p(t) * p(t).t())
        - Rational::integer(2) * (ones() * total(j, COPY, h(j)).t())
}

/// Eq. (10), `W_2`.
pub fn w2() -> Matrix {
    let (i, t) = (var("i"), var("t"));
    sum(i, DORMANT, h(i) * h(i).t()) + sum(t, steps(1, T), p(t) * p(t).t())
}

/// The mended `W_1`: one unit for each dormant token and each position, and a kill of `scale` on these T + D units.
pub fn w1_units(scale: &Rational) -> Matrix {
    let (i, t, j) = (var("i"), var("t"), var("j"));
    sum(i, DORMANT, unit_h(i) * h(i).t()) + sum(t, steps(1, T), unit_p(t) * p(t).t())
        - scale.clone() * (ones() * total(j, COPY, h(j)).t())
}

/// The mended `W_2`.
pub fn w2_units() -> Matrix {
    let (i, t) = (var("i"), var("t"));
    sum(i, DORMANT, h(i) * unit_h(i).t()) + sum(t, steps(1, T), p(t) * unit_p(t).t())
}

/// The mended `W_1` with the first-position unit `p_1 - sum_D h_i - p_2` of reading L (no `p_2` when T = 1).
pub fn w1_first(scale: &Rational) -> Matrix {
    let (i, j, t) = (var("i"), var("j"), var("t"));
    // The kill reaches the T + D ordinary units only, so it is written out over them.
    let kill = sum(i, DORMANT, unit_h(i) * total(j, COPY, h(j)).t())
        + sum(t, steps(1, T), unit_p(t) * total(j, COPY, h(j)).t());
    let s = var("s");
    let second = total(s, SECOND, p(s));
    sum(i, DORMANT, unit_h(i) * h(i).t()) + sum(t, steps(1, T), unit_p(t) * p(t).t())
        - scale.clone() * kill
        + unit_first() * (p(1) - total(i, DORMANT, h(i)) - second).t()
}

/// The mended `W_2` of reading L: the first-position unit writes `h_0 + p_0`.
pub fn w2_first() -> Matrix {
    w2_units() + (h(0) + p(0)) * unit_first().t()
}
