//! A simplex table in integers: every entry is over one common denominator, so a pivot needs no fractions.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rayon::prelude::*;

/// Tables with fewer entries are not worth a second thread.
const PARALLEL: usize = 4096;

/// Rows of equations and, as the last one, reduced costs; the last column is the right side.
pub(super) struct Table {
    rows: Vec<Vec<BigInt>>,
    /// The denominator of all entries, positive: the last pivot.
    denominator: BigInt,
    /// The variable that stands for each equation.
    basis: Vec<usize>,
}

impl Table {
    /// A table with an identity in the columns of the basis and reduced costs 0 there.
    pub fn new(rows: Vec<Vec<BigInt>>, basis: Vec<usize>) -> Table {
        Table {
            rows,
            denominator: BigInt::one(),
            basis,
        }
    }

    /// Equations.
    pub fn height(&self) -> usize {
        self.basis.len()
    }

    /// The basis.
    pub fn basis(&self) -> &[usize] {
        &self.basis
    }

    /// The numerator of an entry; row `height` holds the costs.
    pub fn numerator(&self, row: usize, column: usize) -> &BigInt {
        &self.rows[row][column]
    }

    /// The common denominator.
    pub fn denominator(&self) -> &BigInt {
        &self.denominator
    }

    /// The numerators of the reduced costs, and the value as the last one.
    pub fn costs(&self) -> &[BigInt] {
        &self.rows[self.height()]
    }

    /// The equation whose variable leaves when a column enters: the least ratio of right side and entry, among equals the variable
    /// of least index, as Bland's rule has it. Nothing where no entry is positive.
    pub fn leaves(&self, column: usize) -> Option<usize> {
        let right = self.rows[0].len() - 1;
        (0..self.height())
            .filter(|r| self.rows[*r][column].is_positive())
            .min_by(|a, b| {
                let (ra, rb) = (&self.rows[*a], &self.rows[*b]);
                let left = &ra[right] * &rb[column];
                left.cmp(&(&rb[right] * &ra[column]))
                    .then(self.basis[*a].cmp(&self.basis[*b]))
            })
    }

    /// A pivot on a positive entry. Entries are minors of the first table, so the division leaves no remainder.
    pub fn pivot(&mut self, row: usize, column: usize) {
        let line = std::mem::take(&mut self.rows[row]);
        let pivot = line[column].clone();
        let divisor = &self.denominator;
        let reduce = |other: &mut Vec<BigInt>| {
            let Some(factor) = other.get(column).cloned() else {
                return;
            };
            for (x, y) in other.iter_mut().zip(&line) {
                if x.is_zero() && (factor.is_zero() || y.is_zero()) {
                    continue;
                }
                let mut product = &*x * &pivot;
                if !factor.is_zero() && !y.is_zero() {
                    product -= &factor * y;
                }
                *x = product / divisor;
            }
        };
        if self.rows.len() * line.len() < PARALLEL {
            self.rows.iter_mut().for_each(reduce);
        } else {
            self.rows.par_iter_mut().for_each(reduce);
        }
        self.denominator = pivot;
        self.rows[row] = line;
        self.basis[row] = column;
    }
}
