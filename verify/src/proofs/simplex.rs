//! An exact simplex method: a nonnegative solution of linear equations, in rationals, with Bland's rule.

use exact::Rational;

/// Nonnegative `x` with `columns x = target`, or nothing. Columns and target have the same length.
pub fn solve(columns: &[Vec<Rational>], target: &[Rational]) -> Option<Vec<Rational>> {
    let (rows, n) = (target.len(), columns.len());
    // Rows with a nonnegative right side, a basis of artificial variables n.., and their sum to be driven to 0.
    let mut table: Vec<Vec<Rational>> = (0..rows)
        .map(|r| {
            let sign = Rational::integer(if target[r].is_negative() { -1 } else { 1 });
            let entries = columns.iter().map(|c| &c[r]).chain([&target[r]]);
            entries.map(|x| x * &sign).collect()
        })
        .collect();
    let mut basis: Vec<usize> = (n..n + rows).collect();
    let mut cost: Vec<Rational> = (0..=n)
        .map(|k| table.iter().map(|row| row[k].clone()).sum())
        .collect();
    while !cost[n].is_zero() {
        let enter = (0..n).find(|k| cost[*k].is_positive())?;
        let leave = (0..rows)
            .filter(|r| table[*r][enter].is_positive())
            .min_by(|a, b| {
                let over = |r: usize| &table[r][n] * &table[r][enter].recip().unwrap_or_default();
                over(*a).cmp(&over(*b)).then(basis[*a].cmp(&basis[*b]))
            })?;
        let inverse = table[leave][enter].recip()?;
        let pivot: Vec<Rational> = table[leave].iter().map(|x| x * &inverse).collect();
        let reduce = |row: &mut Vec<Rational>| {
            let factor = row[enter].clone();
            if !factor.is_zero() {
                for (x, p) in row.iter_mut().zip(&pivot) {
                    *x -= &factor * p;
                }
            }
        };
        table
            .iter_mut()
            .enumerate()
            .filter(|(r, _)| *r != leave)
            .for_each(|(_, row)| reduce(row));
        reduce(&mut cost);
        table[leave] = pivot;
        basis[leave] = enter;
    }
    let mut x = vec![Rational::default(); n];
    for (r, k) in basis.iter().enumerate().filter(|(_, k)| **k < n) {
        x[*k] = table[r][n].clone();
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use exact::ratio;
    use proptest::prelude::*;

    fn numbers(list: &[i64]) -> Vec<Rational> {
        list.iter().map(|x| Rational::integer(*x)).collect()
    }

    #[test]
    fn finds_and_refuses() {
        let columns = [numbers(&[1, 0]), numbers(&[1, 1]), numbers(&[0, -1])];
        assert_eq!(
            solve(&columns, &numbers(&[2, 1])),
            Some(vec![ratio(1, 1), ratio(1, 1), ratio(0, 1)])
        );
        assert_eq!(solve(&columns[..2], &numbers(&[1, 2])), None);
        assert_eq!(solve(&columns[..2], &numbers(&[-1, 0])), None);
    }

    proptest! {
        /// A target that is made of the columns is reached, degenerate and repeated columns included.
        #[test]
        fn reaches_what_is_reachable(a in prop::collection::vec(-2i64..3, 20), w in prop::collection::vec(0i64..3, 5)) {
            let columns: Vec<Vec<Rational>> = a.chunks(4).map(numbers).collect();
            let combine = |w: &[Rational]| -> Vec<Rational> {
                (0..4).map(|r| columns.iter().zip(w).map(|(c, x)| &c[r] * x).sum()).collect()
            };
            let target = combine(&numbers(&w));
            let found = solve(&columns, &target);
            prop_assert!(found.is_some());
            let found = found.unwrap_or_default();
            prop_assert!(found.iter().all(|x| !x.is_negative()));
            prop_assert_eq!(combine(&found), target);
        }
    }
}
