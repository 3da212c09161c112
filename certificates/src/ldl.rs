//! Positive semidefiniteness by a factorisation A = L D L^T that is given.

use crate::psd::Symmetric;
use crate::{Entries, Rejection, SparseVec, first_difference, transposed_product};
use exact::Rational;
use std::collections::BTreeMap;

/// Is A = L D L^T with L unit lower triangular and D >= 0 diagonal? Then A is positive semidefinite.
///
/// Of L only the entries below the diagonal are given.
///
/// # Errors
/// Not one diagonal entry for each row; a negative one; an entry of L not below the diagonal or outside; a product that
/// is not A.
pub fn check(
    a: &Symmetric<Rational>,
    lower: &Entries,
    diagonal: &[Rational],
) -> Result<(), Rejection> {
    let side = a.side();
    if diagonal.len() != side {
        return Err(Rejection::Count {
            what: "diagonal entries",
            found: diagonal.len(),
            expected: side,
        });
    }
    let negative = diagonal.iter().enumerate().find(|(_, d)| d.is_negative());
    if let Some((index, value)) = negative {
        return Err(Rejection::NegativeDiagonal {
            index,
            value: value.clone(),
        });
    }
    // L^T by its rows, which are the columns of L.
    let one = |k| (k, SparseVec::from([(k, Rational::integer(1))]));
    let mut columns: BTreeMap<usize, SparseVec> = (0..side).map(one).collect();
    for ((row, column), x) in lower {
        let (row, column) = (*row, *column);
        if row >= side || column >= side {
            return Err(Rejection::OutOfRange {
                row,
                column,
                rows: side,
                cols: side,
            });
        }
        if column >= row {
            return Err(Rejection::NotLower { row, column });
        }
        columns.entry(column).or_default().insert(row, x.clone());
    }
    let scaled = columns.iter().map(|(k, v)| {
        let d = diagonal.get(*k).cloned().unwrap_or_default();
        (*k, v.iter().map(|(i, x)| (*i, x * &d)).collect())
    });
    let product = transposed_product("L D L^T", &columns, &scaled.collect())?;
    let a = a.entries().map(|(key, x)| (key, x.clone())).collect();
    first_difference(&product, &a).map_or(Ok(()), Err)
}
