//! The warm-up of Section 7: the token sequence is the identity, T + 1 tokens, token 0 is BOS.
//!
//! Units of kappa; keys on the left. Token k is frame vector k.

use crate::Sizes;
use crate::language::*;
use crate::matrix::{Operator, at};
use exact::{Rational, ratio};

/// The printed sink, kappa 1 e_1^T with queries as rows: BOS is the key of every query.
pub fn sink() -> Matrix {
    let q = var("q");
    frame(0) * total(q, steps(0, T), frame(q)).t()
}

/// The printed diagonal, kappa I_{T+1}.
pub fn diagonal() -> Matrix {
    let q = var("q");
    sum(q, steps(0, T), frame(q) * frame(q).t())
}

/// A cheaper sink under the causal mask: BOS as a query needs nothing, and the other keys may be pushed down.
pub fn cheaper_sink() -> Matrix {
    let (k, q) = (var("k"), var("q"));
    let target = frame(0) * total(q, steps(1, T), frame(q)).t();
    let all = total(k, steps(0, T), frame(k)) * total(q, steps(1, T), frame(q)).t();
    target - one_over(T + 1.into()) * all
}

/// A cheaper diagonal under the causal mask.
pub fn cheaper_diagonal() -> Matrix {
    let (k, q) = (var("k"), var("q"));
    let all = total(k, steps(0, T), frame(k)) * total(q, steps(1, T), frame(q)).t();
    sum(q, steps(1, T), frame(q) * frame(q).t()) - one_over(T + 1.into()) * all
}

/// The least margin of queries 1..=T over the keys that may precede them; the target is BOS (`sink`) or the query.
pub fn least_margin(b: &Operator, t: usize, sink: bool) -> (Rational, u128) {
    let (mut least, mut checked): (Option<Rational>, u128) = (None, 0);
    for q in 1..=t {
        let column = b.column(q);
        let target = if sink { 0 } else { q };
        for k in (0..=q).filter(|k| *k != target) {
            checked += 1;
            let margin = at(&column, target) - at(&column, k);
            if least.as_ref().is_none_or(|m| margin < *m) {
                least = Some(margin);
            }
        }
    }
    (least.unwrap_or_else(|| ratio(0, 1)), checked)
}

/// Sizes under which the T + 1 tokens are the first frame vectors.
pub fn sizes(t: usize) -> Sizes {
    Sizes {
        t,
        c: 1,
        d: 1,
        width: t + 4,
    }
}
