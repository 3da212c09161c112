//! Dense matrices, and definiteness through determinants: slow, and unlike the code under test.

#![allow(dead_code)] // no test uses all of it

use certificates::psd::Symmetric;
use exact::{Field, Rational, ratio};
use std::collections::BTreeMap;

/// A dense matrix.
pub type Rows<F> = Vec<Vec<F>>;

/// Its entries.
pub fn entries<F: Field>(rows: &[Vec<F>]) -> BTreeMap<(usize, usize), F> {
    let mut entries = BTreeMap::new();
    for (i, row) in rows.iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            entries.insert((i, j), x.clone());
        }
    }
    entries
}

/// A symmetric matrix.
pub fn symmetric<F: Field>(rows: &[Vec<F>]) -> Symmetric<F> {
    Symmetric::new(rows.len(), &entries(rows)).unwrap()
}

/// A matrix of integers.
pub fn rationals(rows: &[&[i64]]) -> Rows<Rational> {
    let row = |r: &&[i64]| r.iter().map(|x| Rational::integer(*x)).collect();
    rows.iter().map(row).collect()
}

/// The product.
pub fn times<F: Field>(a: &[Vec<F>], b: &[Vec<F>]) -> Rows<F> {
    let columns = b.first().map_or(0, Vec::len);
    let entry = |row: &Vec<F>, j: usize| {
        let terms = row.iter().zip(b).map(|(x, r)| x.times(&r[j]));
        terms.fold(F::nought(), |s, x| s.plus(&x))
    };
    a.iter()
        .map(|row| (0..columns).map(|j| entry(row, j)).collect())
        .collect()
}

/// The transpose.
pub fn transpose<F: Field>(a: &[Vec<F>]) -> Rows<F> {
    let columns = a.first().map_or(0, Vec::len);
    (0..columns)
        .map(|j| a.iter().map(|row| row[j].clone()).collect())
        .collect()
}

/// The determinant by the first row.
pub fn determinant(rows: &[Vec<Rational>]) -> Rational {
    let Some(first) = rows.first() else {
        return ratio(1, 1);
    };
    let mut sum = Rational::default();
    for (k, x) in first.iter().enumerate() {
        let minor: Vec<Vec<Rational>> = rows[1..]
            .iter()
            .map(|r| [&r[..k], &r[k + 1..]].concat())
            .collect();
        let term = x * determinant(&minor);
        sum += if k % 2 == 0 { term } else { -term };
    }
    sum
}

/// Is a symmetric matrix semidefinite, that is, are all its principal minors nonnegative?
pub fn oracle(rows: &[Vec<Rational>]) -> bool {
    (0..1usize << rows.len()).all(|set| {
        let chosen: Vec<usize> = (0..rows.len()).filter(|k| set >> k & 1 == 1).collect();
        let minor: Vec<Vec<Rational>> = chosen
            .iter()
            .map(|i| chosen.iter().map(|j| rows[*i][*j].clone()).collect())
            .collect();
        !determinant(&minor).is_negative()
    })
}
