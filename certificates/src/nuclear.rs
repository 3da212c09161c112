//! Bounds on nuclear norms of explicit rational matrices, from both sides.

use crate::psd::{Symmetric, semidefinite};
use crate::{Entries, Rejection, by_row, first_difference, transposed_product};
use exact::{Rational, ratio};
use std::collections::BTreeMap;

/// Is the nuclear norm of every B with <A_i, B> >= 1 for all i at least `value`?
///
/// With y >= 0 and Y = sum y_i A_i, <Y, B> >= sum y_i, and <Y, B> <= |Y|_2 |B|_*. The matrix s^2 I - Y^T Y being positive
/// semidefinite means |Y|_2 <= s, so |B|_* >= (sum y_i) / s, which is returned. That some B satisfies the inequalities
/// is not proved.
///
/// # Errors
/// Not one multiplier for each inequality, a negative one, or none positive; a zero left side; Y = 0; s not positive or
/// below |Y|_2; a value above what is shown.
pub fn at_least(
    inequalities: &[Entries],
    value: &Rational,
    multipliers: &[Rational],
    s: &Rational,
) -> Result<Rational, Rejection> {
    if inequalities.len() != multipliers.len() {
        return Err(Rejection::Count {
            what: "multipliers",
            found: multipliers.len(),
            expected: inequalities.len(),
        });
    }
    let (mut y, mut total) = (Entries::new(), Rational::default());
    for (index, (a, multiplier)) in inequalities.iter().zip(multipliers).enumerate() {
        if multiplier.is_negative() {
            return Err(Rejection::NegativeMultiplier {
                index,
                value: multiplier.clone(),
            });
        }
        if a.values().all(Rational::is_zero) {
            return Err(Rejection::ZeroMatrix { index });
        }
        total += multiplier;
        for (key, x) in a {
            *y.entry(*key).or_default() += multiplier * x;
        }
    }
    if total.is_zero() {
        return Err(Rejection::NoMultiplier);
    }
    y.retain(|_, x| !x.is_zero());
    if y.is_empty() {
        return Err(Rejection::ZeroCombination { total });
    }
    norm_at_most(&y, s)?;
    let not_positive = || Rejection::BoundNotPositive {
        bound: s.to_string(),
    };
    let shown = total.checked_div(s).ok_or_else(not_positive)?;
    if *value > shown {
        return Err(Rejection::Claim {
            claimed: value.clone(),
            shown,
        });
    }
    Ok(shown)
}

/// Is |Y|_2 <= s, and s > 0?
fn norm_at_most(y: &Entries, s: &Rational) -> Result<(), Rejection> {
    if !s.is_positive() {
        return Err(Rejection::BoundNotPositive {
            bound: s.to_string(),
        });
    }
    // Columns of zeros have s^2 on the diagonal alone; they are left out.
    let mut places = BTreeMap::new();
    for (_, column) in y.keys() {
        let next = places.len();
        places.entry(*column).or_insert(next);
    }
    let place = |column: &usize| places.get(column).copied().unwrap_or_default();
    let dense = y.iter().map(|((i, j), x)| ((*i, place(j)), x.clone()));
    let rows = by_row(&dense.collect());
    let mut gap = transposed_product("Y^T Y", &rows, &rows)?;
    gap.values_mut().for_each(|x| *x = -&*x);
    for k in 0..places.len() {
        *gap.entry((k, k)).or_default() += s * s;
    }
    let decided = Symmetric::new(places.len(), &gap).and_then(|m| semidefinite(&m));
    decided.map_err(|cause| Rejection::NormAbove {
        bound: s.to_string(),
        test: "s^2 I - Y^T Y on the nonzero columns",
        cause: Box::new(cause),
    })
}

/// Is the nuclear norm of B at most `value`? With B = U^T V it is at most (|U|_F^2 + |V|_F^2) / 2, which is returned.
///
/// # Errors
/// Factors whose product is not B; a value below what is shown.
pub fn at_most(
    b: &Entries,
    value: &Rational,
    u: &Entries,
    v: &Entries,
) -> Result<Rational, Rejection> {
    let product = transposed_product("U^T V", &by_row(u), &by_row(v))?;
    if let Some(difference) = first_difference(&product, b) {
        return Err(difference);
    }
    let squares: Rational = u.values().chain(v.values()).map(|x| x * x).sum();
    let shown = squares * ratio(1, 2);
    if *value < shown {
        return Err(Rejection::Claim {
            claimed: value.clone(),
            shown,
        });
    }
    Ok(shown)
}
