//! Exact positive semidefiniteness of sparse symmetric matrices.
//!
//! A matrix is semidefinite exactly if every connected component of its sparsity pattern is, and a component is decided
//! by elimination: with pivot p and the rest c of its row, [[S, c], [c^T, p]] is semidefinite exactly if either p > 0
//! and the Schur complement S - c c^T / p is, or p = 0, c = 0 and S is. So no order of the pivots is better than another
//! as to the verdict, and rows are taken from the last one up.

use crate::Rejection;
use crate::elimination::{Defect, eliminate};
use exact::Field;
use std::collections::{BTreeMap, BTreeSet};

/// The most entries of a component that is written out: a long row of a sparse matrix must not ask for all the memory.
const LARGEST: usize = 1 << 24;

/// A symmetric matrix, by its nonzero entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetric<F> {
    side: usize,
    entries: BTreeMap<(usize, usize), F>,
}

impl<F: Field> Symmetric<F> {
    /// From its entries, on both sides of the diagonal; what is missing is 0.
    ///
    /// # Errors
    /// An entry outside the matrix, also when it is 0; an entry that differs from its mirror image.
    pub fn new(side: usize, entries: &BTreeMap<(usize, usize), F>) -> Result<Self, Rejection> {
        for &(row, column) in entries.keys() {
            if row >= side || column >= side {
                return Err(Rejection::OutOfRange {
                    row,
                    column,
                    rows: side,
                    cols: side,
                });
            }
        }
        let entries: BTreeMap<_, _> = entries
            .iter()
            .filter(|(_, x)| !x.is_nought())
            .map(|(key, x)| (*key, x.clone()))
            .collect();
        for (&(row, column), x) in &entries {
            if entries.get(&(column, row)) != Some(x) {
                return Err(Rejection::NotSymmetric { row, column });
            }
        }
        Ok(Symmetric { side, entries })
    }

    /// Number of rows.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The nonzero entries, row by row.
    pub fn entries(&self) -> impl Iterator<Item = ((usize, usize), &F)> {
        self.entries.iter().map(|(key, x)| (*key, x))
    }

    /// The nonzero entries of a row, by column; none outside the matrix.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, &F)> {
        self.entries
            .range((row, 0)..=(row, usize::MAX))
            .map(|((_, column), x)| (*column, x))
    }

    /// The connected components of the sparsity pattern, each ascending; rows of zeros are in none.
    fn components(&self) -> Vec<Vec<usize>> {
        let (mut seen, mut components) = (BTreeSet::new(), Vec::new());
        for (start, _) in self.entries.keys() {
            if !seen.insert(*start) {
                continue;
            }
            let (mut component, mut open) = (BTreeSet::new(), vec![*start]);
            while let Some(row) = open.pop() {
                component.insert(row);
                open.extend(self.row(row).map(|(k, _)| k).filter(|k| seen.insert(*k)));
            }
            components.push(component.into_iter().collect());
        }
        components
    }

    /// The lower triangle of a component, row by row.
    fn triangle(&self, component: &[usize]) -> Result<Vec<Vec<F>>, Rejection> {
        let size = component.len();
        if size.checked_mul(size).is_none_or(|n| n > LARGEST) {
            return Err(Rejection::TooLarge {
                rows: size,
                cols: size,
                limit: LARGEST,
            });
        }
        let entry = |i, j| self.entries.get(&(i, j)).cloned();
        let row = |(k, i): (usize, &usize)| {
            let columns = component.iter().take(k + 1);
            columns
                .map(|j| entry(*i, *j).unwrap_or_else(F::nought))
                .collect()
        };
        Ok(component.iter().enumerate().map(row).collect())
    }
}

/// Is the matrix positive semidefinite?
///
/// # Errors
/// A negative pivot, a zero pivot whose row is not zero; a component of more than 4096 rows.
pub fn semidefinite<F: Field>(m: &Symmetric<F>) -> Result<(), Rejection> {
    decide(m, false)
}

/// Is the matrix positive definite? With no rows it is.
///
/// # Errors
/// A pivot that is not positive; a component of more than 4096 rows.
pub fn definite<F: Field>(m: &Symmetric<F>) -> Result<(), Rejection> {
    // Ends at the first gap, so a large side without entries costs nothing.
    if let Some(index) = (0..m.side).find(|k| !m.entries.contains_key(&(*k, *k))) {
        return Err(Rejection::ZeroDiagonal { index });
    }
    decide(m, true)
}

fn decide<F: Field>(m: &Symmetric<F>, strict: bool) -> Result<(), Rejection> {
    for (component, rows) in m.components().iter().enumerate() {
        let place = |k: usize| rows.get(k).copied().unwrap_or_default();
        let triangle = m.triangle(rows)?;
        eliminate(triangle, strict).map_err(|defect| match defect {
            Defect::Negative { at, pivot } => Rejection::NegativePivot {
                component,
                index: place(at),
                pivot,
            },
            Defect::Zero { at } => Rejection::ZeroPivot {
                component,
                index: place(at),
            },
            Defect::Row { at, other, value } => Rejection::ZeroPivotInRow {
                component,
                index: place(at),
                column: place(other),
                value,
            },
        })?;
    }
    Ok(())
}
