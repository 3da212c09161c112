//! The exact simplex method for systems of inequalities: it looks for a Farkas certificate, and where there is none its dual is a
//! solution.

use super::Answer;
use super::table::Table;
use certificates::farkas::Row;
use exact::Rational;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// Decides `rows . x >= bounds` in `width` unknowns.
///
/// Multipliers are the y >= 0 with `sum y_j (a_j, b_j) = (0, 1)`. The first phase of the simplex method either reaches them or ends with a
/// vector (p, s) that has `p . a_j + s b_j <= 0` for all j and `s > 0`; then x = -p/s is a solution. The method ends: after a number of
/// pivots by the largest cost it goes on by Bland's rule, which never returns to a basis.
pub fn decide(width: usize, rows: &[&Row]) -> Answer {
    let (height, n) = (width + 1, rows.len());
    let columns: Vec<(BigInt, Vec<BigInt>)> = rows.iter().map(|r| whole(width, r)).collect();
    // The last equation has the right side 1; equation k has the artificial variable n + k.
    let right = n + height;
    let mut table: Vec<Vec<BigInt>> = (0..height)
        .map(|k| {
            let mut line: Vec<BigInt> = columns.iter().map(|(_, c)| c[k].clone()).collect();
            line.extend((0..height).map(|a| BigInt::from(i32::from(a == k))));
            line.push(BigInt::from(i32::from(k == width)));
            line
        })
        .collect();
    let mut costs = vec![BigInt::zero(); right + 1];
    for line in &table {
        for j in (0..n).chain([right]) {
            costs[j] += &line[j];
        }
    }
    table.push(costs);
    let mut table = Table::new(table, (n..right).collect());
    let largest = 4 * (height + n);
    let mut pivots = 0;
    while !table.costs()[right].is_zero() {
        let costs = &table.costs()[..n];
        let positive = |j: &usize| costs[*j].is_positive();
        let enters = if pivots < largest {
            (0..n)
                .filter(positive)
                .max_by(|a, b| costs[*a].cmp(&costs[*b]))
        } else {
            (0..n).find(positive)
        };
        // The sum of the artificial variables has no way to grow without end, so some equation always leaves.
        let Some((column, row)) = enters.and_then(|j| Some((j, table.leaves(j)?))) else {
            return Answer::Solution(solution(&table, n, width));
        };
        table.pivot(row, column);
        pivots += 1;
    }
    let mut multipliers = vec![Rational::default(); n];
    for (row, j) in table.basis().iter().enumerate().filter(|(_, j)| **j < n) {
        let y = &columns[*j].0 * table.numerator(row, right);
        multipliers[*j] = quotient(y, table.denominator());
    }
    Answer::Contradiction(multipliers)
}

/// The solution in the duals: an artificial variable's reduced cost is its dual less 1.
fn solution(table: &Table, n: usize, width: usize) -> Vec<Rational> {
    let dual = |k: usize| &table.costs()[n + k] + table.denominator();
    let last = dual(width);
    (0..width).map(|k| quotient(-dual(k), &last)).collect()
}

/// A row as integers, the bound last, and the positive factor that makes them so.
fn whole(width: usize, row: &Row) -> (BigInt, Vec<BigInt>) {
    let numbers = row.coefficients.values().chain([&row.bound]);
    let factor = numbers.fold(BigInt::one(), |lcm, x| lcm.lcm(&x.denom()));
    let scaled = |x: &Rational| x.numer() * (&factor / x.denom());
    let mut column = vec![BigInt::zero(); width + 1];
    for (k, x) in &row.coefficients {
        column[*k] = scaled(x);
    }
    column[width] = scaled(&row.bound);
    (factor, column)
}

fn quotient(numerator: BigInt, denominator: &BigInt) -> Rational {
    let quotient = Rational::from(numerator).checked_div(&denominator.clone().into());
    quotient.unwrap_or_default()
}
