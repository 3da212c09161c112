//! Sparse exact matrices by columns, and hidden-layer vectors that are constant up to a few rows.

use exact::{Field, Rational};
use num_traits::Zero;
use std::collections::BTreeMap;

/// A sparse vector: coordinate and value, coordinates strictly ascending, no zeros.
pub type Sparse<F = Rational> = Vec<(usize, F)>;

/// Sums scaled sparse vectors.
pub fn combine<'a, F: Field + 'a>(
    parts: impl IntoIterator<Item = (F, &'a Sparse<F>)>,
) -> Sparse<F> {
    let mut parts = parts.into_iter();
    let Some((scale, first)) = parts.next() else {
        return Vec::new();
    };
    let mut sum: Sparse<F> = first
        .iter()
        .map(|(k, x)| (*k, scale.times(x)))
        .filter(|(_, x)| !x.is_nought())
        .collect();
    for (scale, part) in parts {
        if part.is_empty() {
            continue;
        }
        let mut merged = Vec::with_capacity(sum.len() + part.len());
        let (mut a, mut b) = (sum.into_iter().peekable(), part.iter().peekable());
        loop {
            let next = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some((i, _)), Some((j, _))) if i == j => {
                    let (Some((i, x)), Some((_, y))) = (a.next(), b.next()) else {
                        break;
                    };
                    (i, x.plus(&scale.times(y)))
                }
                (Some((i, _)), Some((j, _))) if i < j => match a.next() {
                    Some(entry) => entry,
                    None => break,
                },
                (Some(_), None) => match a.next() {
                    Some(entry) => entry,
                    None => break,
                },
                (_, Some(_)) => match b.next() {
                    Some((j, y)) => (*j, scale.times(y)),
                    None => break,
                },
            };
            if !next.1.is_nought() {
                merged.push(next);
            }
        }
        sum = merged;
    }
    sum
}

/// Inner product.
pub fn dot<F: Field>(a: &Sparse<F>, b: &Sparse<F>) -> F {
    let (mut i, mut j, mut total) = (0, 0, F::nought());
    while let (Some((k, x)), Some((l, y))) = (a.get(i), b.get(j)) {
        match k.cmp(l) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                total = total.plus(&x.times(y));
                i += 1;
                j += 1;
            }
        }
    }
    total
}

/// The value at a coordinate, zero if absent.
pub fn at<F: Field>(v: &Sparse<F>, k: usize) -> F {
    v.binary_search_by_key(&k, |(i, _)| *i)
        .map_or_else(|_| F::nought(), |i| v[i].1.clone())
}

/// The rank of a set of sparse vectors, by exact elimination: each independent one keeps a pivot of its own.
pub fn rank<F: Field>(vectors: impl IntoIterator<Item = Sparse<F>>) -> usize {
    let mut pivots: BTreeMap<usize, Sparse<F>> = BTreeMap::new();
    for vector in vectors {
        let mut rest = vector;
        // Every step clears the last coordinate, so this ends.
        while let Some((k, x)) = rest.last().cloned() {
            let Some(pivot) = pivots.get(&k) else {
                pivots.insert(k, rest);
                break;
            };
            let Some(inverse) = at(pivot, k).reciprocal() else {
                break;
            };
            let factor = x.times(&inverse).negated();
            rest = combine([(F::unit(), &rest), (factor, pivot)]);
        }
    }
    pivots.len()
}

/// A scaled outer product that is kept factored because expanding it would be dense.
#[derive(Clone, Debug, PartialEq)]
pub struct Outer<F = Rational> {
    /// The coefficient.
    pub coefficient: F,
    /// The left vector.
    pub left: Sparse<F>,
    /// The right vector.
    pub right: Sparse<F>,
}

/// A matrix: sparse columns plus factored outer products.
#[derive(Clone, Debug, PartialEq)]
pub struct Operator {
    /// Number of rows.
    pub rows: usize,
    /// The sparse part, by columns.
    pub columns: Vec<Sparse>,
    /// The factored part.
    pub outers: Vec<Outer>,
}

impl Operator {
    /// From a list of entries; later ones add to earlier ones.
    pub fn from_entries(
        rows: usize,
        cols: usize,
        entries: impl IntoIterator<Item = (usize, usize, Rational)>,
    ) -> Operator {
        let mut columns = vec![BTreeMap::<usize, Rational>::new(); cols];
        for (i, j, x) in entries {
            *columns[j].entry(i).or_default() += x;
        }
        let columns = columns
            .into_iter()
            .map(|c| c.into_iter().filter(|(_, x)| !x.is_zero()).collect())
            .collect();
        Operator {
            rows,
            columns,
            outers: Vec::new(),
        }
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.columns.len()
    }

    /// The image of a sparse vector.
    pub fn apply(&self, x: &Sparse) -> Sparse {
        let mut image = combine(x.iter().map(|(k, c)| (c.clone(), &self.columns[*k])));
        for outer in &self.outers {
            let c = dot(&outer.right, x);
            if !c.is_zero() {
                image = combine([
                    (Rational::from(1i64), &image),
                    (&c * &outer.coefficient, &outer.left),
                ]);
            }
        }
        image
    }

    /// Column `k`, with the factored part multiplied out.
    pub fn column(&self, k: usize) -> Sparse {
        if self.outers.is_empty() {
            self.columns[k].clone()
        } else {
            self.apply(&vec![(k, Rational::from(1i64))])
        }
    }

    /// All entries, multiplied out.
    pub fn entries(&self) -> BTreeMap<(usize, usize), Rational> {
        let mut all = BTreeMap::new();
        for k in 0..self.cols() {
            all.extend(self.column(k).into_iter().map(|(i, x)| ((i, k), x)));
        }
        all
    }

    /// Sum of the squares of the entries, |M|_F^2.
    pub fn frobenius_squared(&self) -> Rational {
        (0..self.cols())
            .map(|k| self.column(k))
            .map(|c| dot(&c, &c))
            .sum()
    }
}

/// A vector of the hidden layer: one value everywhere, but for some rows.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Hidden {
    /// The value of every row that is not listed.
    pub default: Rational,
    /// The rows that differ, with their values.
    pub exceptions: Sparse,
}

impl Hidden {
    /// The value of a row.
    pub fn at(&self, row: usize) -> &Rational {
        match self.exceptions.binary_search_by_key(&row, |(i, _)| *i) {
            Ok(i) => &self.exceptions[i].1,
            Err(_) => &self.default,
        }
    }

    /// Visits every row where `self` or `other` is listed, ascending, with the sum of both there.
    pub fn merge(&self, other: &Hidden, mut visit: impl FnMut(usize, Rational)) {
        let (mut a, mut b) = (self.exceptions.as_slice(), other.exceptions.as_slice());
        loop {
            match (a, b) {
                ([], []) => break,
                ([(i, x), rest @ ..], tail) if tail.first().is_none_or(|(j, _)| i < j) => {
                    visit(*i, x + &other.default);
                    a = rest;
                }
                ([(i, x), rest @ ..], [(j, y), tail @ ..]) if i == j => {
                    visit(*i, x + y);
                    (a, b) = (rest, tail);
                }
                (_, [(j, y), tail @ ..]) => {
                    visit(*j, &self.default + y);
                    b = tail;
                }
                ([_, ..], []) => break,
            }
        }
    }

    /// Scaled sum.
    pub fn combine(parts: &[(Rational, &Hidden)]) -> Hidden {
        let default: Rational = parts.iter().map(|(c, v)| c * &v.default).sum();
        let mut rows: Vec<usize> = parts
            .iter()
            .flat_map(|(_, v)| v.exceptions.iter().map(|(k, _)| *k))
            .collect();
        rows.sort_unstable();
        rows.dedup();
        let value = |row: usize| parts.iter().map(|(c, v)| c * v.at(row)).sum::<Rational>();
        let exceptions = rows
            .into_iter()
            .map(|row| (row, value(row)))
            .filter(|(_, x)| *x != default)
            .collect();
        Hidden {
            default,
            exceptions,
        }
    }

    /// From a dense or sparse column of `rows` entries: the most frequent value becomes the default.
    pub fn compress(rows: usize, column: &Sparse) -> Hidden {
        let mut counts: BTreeMap<Rational, usize> = BTreeMap::new();
        for (_, x) in column {
            *counts.entry(x.clone()).or_default() += 1;
        }
        let zeros = rows - column.len();
        let Some((value, count)) = counts.into_iter().max_by_key(|(_, n)| *n) else {
            return Hidden::default();
        };
        if count <= zeros {
            return Hidden {
                default: Rational::zero(),
                exceptions: column.clone(),
            };
        }
        let mut exceptions = Vec::new();
        let mut listed = column.iter().peekable();
        for row in 0..rows {
            let x = match listed.next_if(|(k, _)| *k == row) {
                Some((_, x)) => x.clone(),
                None => Rational::zero(),
            };
            if x != value {
                exceptions.push((row, x));
            }
        }
        Hidden {
            default: value,
            exceptions,
        }
    }
}

/// A map into the hidden layer, by columns: W_1.
#[derive(Clone, Debug, PartialEq)]
pub struct HiddenMap {
    /// Number of hidden units.
    pub units: usize,
    /// One column for each frame vector of the residual stream.
    pub columns: Vec<Hidden>,
}

impl HiddenMap {
    /// The image of a sparse vector.
    pub fn apply(&self, x: &Sparse) -> Hidden {
        let parts: Vec<_> = x
            .iter()
            .map(|(k, c)| (c.clone(), &self.columns[*k]))
            .collect();
        Hidden::combine(&parts)
    }

    /// Sum of the squares of the entries.
    pub fn frobenius_squared(&self) -> Rational {
        let column = |v: &Hidden| {
            let rest = Rational::from(self.units - v.exceptions.len());
            rest * &v.default * &v.default + dot(&v.exceptions, &v.exceptions)
        };
        self.columns.iter().map(column).sum()
    }

    /// The entries as a plain matrix.
    pub fn operator(&self) -> Operator {
        let column = |v: &Hidden| {
            (0..self.units)
                .map(|r| (r, v.at(r).clone()))
                .filter(|(_, x)| !x.is_zero())
                .collect()
        };
        Operator {
            rows: self.units,
            columns: self.columns.iter().map(column).collect(),
            outers: Vec::new(),
        }
    }

    /// Row `r` as a sparse vector over the residual stream.
    pub fn row(&self, r: usize) -> Sparse {
        self.columns
            .iter()
            .enumerate()
            .map(|(k, v)| (k, v.at(r).clone()))
            .filter(|(_, x)| !x.is_zero())
            .collect()
    }
}
