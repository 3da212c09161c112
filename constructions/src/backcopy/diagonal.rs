//! Diagonal constructions: they witness that the hypotheses of the lower bounds can be met, and refute where they must.

use crate::language::*;
use exact::Rational;

/// A diagonal query-key matrix for every size and reading, in units of 2 kappa/sqrt d.
///
/// Dormant queries score a key at position s with 2 s; every query scores its predecessor with 1 more. At t = 1 a copy
/// query scores BOS with 1, which reading L asks for, and a dormant one scores itself with 2.
pub fn qk() -> Matrix {
    let (k, s, t) = (var("k"), var("s"), var("t"));
    let half = exact::ratio(1, 2);
    Rational::integer(2) * (ramp(s, steps(1, T), p(s)) * total(k, DORMANT, h(k)).t())
        + sum(t, steps(1, T - 1), p(t) * p(t + 1).t())
        + half * ((h(0) + p(0)) * p(1).t())
}

/// Values of every dormant and copy token pass; BOS's do not: the projector onto span{h_i + p_t : i in V, 1 <= t <= T}.
pub fn vo() -> Matrix {
    let (i, t) = (var("i"), var("t"));
    let g = || total(i, CONTEXT, h(i)) - total(t, steps(1, T), p(t));
    sum(i, CONTEXT, h(i) * h(i).t()) + sum(t, steps(1, T), p(t) * p(t).t())
        - one_over(C + D + T) * (g() * g().t())
}

/// The cheapest diagonal query-key matrix at T = 1 in readings A and B, of nuclear norm D / sqrt((1+3D)(1+D)).
///
/// u v^T with u proportional to sum_D h_i + D (p_1 - h_0 - p_0) and v
/// proportional to sum_D h_i + D p_1.
pub fn qk_single(dormant: usize) -> Matrix {
    let (i, j) = (var("i"), var("j"));
    let n = Rational::from(dormant);
    let u = total(i, DORMANT, h(i)) + n.clone() * (p(1) - h(0) - p(0));
    let v = total(j, DORMANT, h(j)) + n.clone() * p(1);
    // u . (h_i + p_1 - h_0 - p_0) = 1 + 3D and v . (h_i + p_1) = 1 + D.
    let one = Rational::integer(1);
    let scale = (&one + Rational::integer(3) * &n) * (&one + &n);
    scale.recip().unwrap_or_default() * (u * v.t())
}
