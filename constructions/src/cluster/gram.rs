//! Gram matrices: orthogonal bases without square roots, and inverses.

use crate::matrix::{Sparse, at, combine, dot};
use exact::Rational;
use num_traits::One;
use thiserror::Error;

/// A matrix that is no Gram matrix: the square of some combination of its vectors would be negative.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "no vectors have this Gram matrix: what vector {vector} adds to those before it has square {square}"
)]
pub struct NoVectors {
    /// The vector, counted from 0.
    pub vector: usize,
    /// The square.
    pub square: Rational,
}

/// An orthogonal basis `g_k` of the span of vectors `x_a` that are known by their Gram matrix alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Orthogonal {
    /// `g_k = sum_a combinations[k][a] x_a`.
    pub combinations: Vec<Sparse>,
    /// `|g_k|^2`.
    pub squares: Vec<Rational>,
    /// `x_a = sum_k coordinates[a][k] g_k`.
    pub coordinates: Vec<Sparse>,
}

/// Gram-Schmidt without normalisation, in the order of the vectors; a vector that depends on those before it adds nothing.
///
/// # Errors
/// `gram` (symmetric, by columns) is not positive semidefinite.
pub fn orthogonalise(gram: &[Sparse]) -> Result<Orthogonal, NoVectors> {
    let mut found = Orthogonal {
        combinations: Vec::new(),
        squares: Vec::new(),
        coordinates: Vec::new(),
    };
    for (a, column) in gram.iter().enumerate() {
        let mut coordinates = Sparse::new();
        let mut square = at(column, a);
        for (k, (g, size)) in found.combinations.iter().zip(&found.squares).enumerate() {
            let inner = dot(column, g);
            if inner.is_zero() {
                continue;
            }
            let share = inner.checked_div(size).unwrap_or_default();
            square -= &share * &inner;
            coordinates.push((k, share));
        }
        // A semidefinite matrix has a zero column where the diagonal of what is left is zero.
        let rest = || {
            let one = vec![(a, Rational::one())];
            let less = coordinates
                .iter()
                .map(|(k, share)| (-share, &found.combinations[*k]));
            combine(std::iter::once((Rational::one(), &one)).chain(less))
        };
        if square.is_negative() {
            return Err(NoVectors { vector: a, square });
        } else if square.is_positive() {
            let next = rest();
            coordinates.push((found.squares.len(), Rational::one()));
            found.combinations.push(next);
            found.squares.push(square);
        } else {
            let left = rest();
            if let Some(b) = (0..gram.len()).find(|b| !dot(&gram[*b], &left).is_zero()) {
                // Some combination of a and b then has a negative square.
                let square = -dot(&gram[b], &left).abs();
                return Err(NoVectors { vector: a, square });
            }
        }
        found.coordinates.push(coordinates);
    }
    Ok(found)
}

/// The inverse of a symmetric positive definite matrix, by columns; nothing where it is not definite.
pub fn inverse(gram: &[Sparse]) -> Option<Vec<Sparse>> {
    let found = orthogonalise(gram).ok()?;
    if found.squares.len() < gram.len() {
        return None;
    }
    // K^-1 = sum_k T_k T_k^T / |g_k|^2: sums by columns.
    let mut columns: Vec<Vec<(Rational, &Sparse)>> = vec![Vec::new(); gram.len()];
    for (g, square) in found.combinations.iter().zip(&found.squares) {
        for (a, x) in g {
            columns[*a].push((x.checked_div(square)?, g));
        }
    }
    Some(columns.into_iter().map(combine).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use exact::ratio;

    fn dense(rows: &[&[i64]], below: i64) -> Vec<Sparse> {
        let column = |r: &&[i64]| {
            let all = r.iter().enumerate().map(|(k, x)| (k, ratio(*x, below)));
            all.filter(|(_, x)| !x.is_zero()).collect()
        };
        rows.iter().map(column).collect()
    }

    #[test]
    fn a_triangle_spans_a_plane() {
        let found = orthogonalise(&dense(&[&[2, -1, -1], &[-1, 2, -1], &[-1, -1, 2]], 2)).unwrap();
        assert_eq!(found.squares, [ratio(1, 1), ratio(3, 4)]);
        // The third is minus the sum of the others: -(x_1) - (x_2), and x_2 = -g_1/2 + g_2.
        assert_eq!(
            found.coordinates[2],
            vec![(0, ratio(-1, 2)), (1, ratio(-1, 1))]
        );
        assert!(inverse(&dense(&[&[2, -1, -1], &[-1, 2, -1], &[-1, -1, 2]], 2)).is_none());
    }

    #[test]
    fn an_inverse_is_one() {
        let k = dense(&[&[20, 1, 1], &[1, 20, -1], &[1, -1, 20]], 20);
        let inverse = inverse(&k).unwrap();
        for (i, row) in k.iter().enumerate() {
            for (j, column) in inverse.iter().enumerate() {
                assert_eq!(dot(row, column), ratio(i64::from(i == j), 1));
            }
        }
    }

    #[test]
    fn what_is_no_gram_matrix_is_refused() {
        let refused = orthogonalise(&dense(&[&[1, 2], &[2, 1]], 1)).unwrap_err();
        assert_eq!(
            refused,
            NoVectors {
                vector: 1,
                square: ratio(-3, 1)
            }
        );
        // A zero square with a nonzero inner product, before or after it.
        assert!(orthogonalise(&dense(&[&[0, 1], &[1, 5]], 1)).is_err());
        assert!(orthogonalise(&dense(&[&[5, 1], &[1, 0]], 1)).is_err());
    }
}
