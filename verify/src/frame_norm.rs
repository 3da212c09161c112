//! Nuclear norms of forms on a frame that need not be orthonormal, with entries that may have square roots.
//!
//! The norm of `B` is that of `K^(-1/2) S K^(-1/2)`, S the form on the frame and K its Gram matrix. It falls apart into the
//! connected parts of S and K. On each, Gram-Schmidt makes K diagonal without square roots; a part of rank one or two then has
//! a norm in closed form, `(s_1 + s_2)^2 = |S|_F^2 + 2 sqrt(sum of squared 2x2 minors)`, and any other is enclosed by the
//! certificates of [`crate::nuclear`].

use crate::nuclear::{Norm, NormError, norm};
use constructions::cluster::gram::orthogonalise;
use constructions::cluster::reading::Columns;
use constructions::matrix::{Operator, Sparse, at, combine, dot, rank};
use exact::{Rational, Surd, sqrt_enclosure};
use num_traits::{One, Zero};
use std::collections::{BTreeMap, BTreeSet};

/// Bits of enclosures.
const BITS: u32 = 96;

/// The nuclear norm of a form (rows and columns by frame vectors), K the Gram matrix of the frame.
///
/// # Errors
/// K is not definite, or a part without closed form is too large to enclose.
pub fn nuclear(form: &Columns, gram: &[Sparse]) -> Result<Norm, NormError> {
    let mut total = Norm::Exact(Surd::zero());
    for (rows, cols) in parts(form, gram) {
        total = add(total, part(form, gram, &rows, &cols)?);
    }
    Ok(total)
}

/// The same where frame vectors 1..=C and C+1..=2C are the group directions and the copy tokens: if it makes the parts
/// smaller, these are first exchanged for their sum and for the contrasts `x_1 + .. + x_k - k x_{k+1}`, in which a form that
/// treats all groups alike falls apart.
///
/// # Errors
/// As [`nuclear`].
pub fn grouped(form: &Columns, gram: &[Sparse], groups: usize) -> Result<Norm, NormError> {
    let largest = |form: &Columns, gram: &[Sparse]| {
        let sizes = parts(form, gram)
            .into_iter()
            .map(|(r, c)| r.len().max(c.len()));
        sizes.max().unwrap_or_default()
    };
    let exchange = contrasts(gram.len(), groups);
    let change = |columns: &Columns| -> Columns {
        // T^T M T: columns first, then rows.
        let right: Columns = exchange
            .iter()
            .map(|t| combine(t.iter().map(|(k, x)| (x.clone(), &columns[*k]))))
            .collect();
        let entry = |column: &Sparse<Surd>| -> Sparse<Surd> {
            let all = exchange
                .iter()
                .enumerate()
                .map(|(i, t)| (i, dot(t, column)));
            all.filter(|(_, x)| !x.is_zero()).collect()
        };
        right.iter().map(entry).collect()
    };
    let lifted: Columns = gram
        .iter()
        .map(constructions::cluster::task::lift)
        .collect();
    let new_gram: Option<Vec<Sparse>> = change(&lifted)
        .iter()
        .map(|c| {
            c.iter()
                .map(|(k, x)| x.as_rational().map(|x| (*k, x)))
                .collect()
        })
        .collect();
    let new_form = change(form);
    match new_gram {
        Some(new) if largest(&new_form, &new) < largest(form, gram) => nuclear(&new_form, &new),
        _ => nuclear(form, gram),
    }
}

/// The exchange of [`grouped`], by the coordinates of the new frame vectors; these are orthogonal as lists of numbers.
pub(crate) fn contrasts(n: usize, groups: usize) -> Columns {
    let whole = |k: i64| Surd::from(Rational::integer(k));
    let mut all: Columns = (0..n).map(|k| vec![(k, Surd::one())]).collect();
    for start in [1, 1 + groups] {
        for k in 0..groups {
            all[start + k] = match k {
                0 => (0..groups).map(|c| (start + c, Surd::one())).collect(),
                _ => {
                    let ones = (0..k).map(|c| (start + c, Surd::one()));
                    ones.chain([(start + k, whole(-(k as i64)))]).collect()
                }
            };
        }
    }
    all
}

/// The sum of two norms.
pub fn add(a: Norm, b: Norm) -> Norm {
    match (a, b) {
        (Norm::Exact(x), Norm::Exact(y)) => Norm::Exact(x + y),
        (a, b) => {
            let ((a0, a1), (b0, b1)) = (bounds(&a), bounds(&b));
            Norm::Enclosed(a0 + b0, a1 + b1)
        }
    }
}

/// A multiple of a norm, by a number that is not negative.
pub fn times(a: Norm, factor: &Rational) -> Norm {
    match a {
        Norm::Exact(x) => Norm::Exact(x.scale(factor)),
        Norm::Enclosed(low, high) => Norm::Enclosed(low * factor, high * factor),
    }
}

/// Rational bounds of a norm.
pub fn bounds(a: &Norm) -> (Rational, Rational) {
    match a {
        Norm::Exact(x) => x.enclosure(BITS),
        Norm::Enclosed(low, high) => (low.clone(), high.clone()),
    }
}

/// The root of a number that is not negative: exact where it is rational, enclosed otherwise.
pub fn root(x: &Surd) -> Option<Norm> {
    if let Some(r) = x.as_rational() {
        if let Some(exact) = r.sqrt_exact() {
            return Some(Norm::Exact(exact.into()));
        }
        let (low, high) = sqrt_enclosure(&r, BITS)?;
        return Some(Norm::Enclosed(low, high));
    }
    let (low, high) = x.enclosure(BITS);
    let below = sqrt_enclosure(&low.max(Rational::zero()), BITS)?.0;
    Some(Norm::Enclosed(below, sqrt_enclosure(&high, BITS)?.1))
}

/// Row and column sets without common entries of S, none of them joined by K.
fn parts(form: &Columns, gram: &[Sparse]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let n = gram.len();
    let mut top: Vec<usize> = (0..2 * n).collect();
    fn find(top: &mut [usize], mut x: usize) -> usize {
        while top[x] != x {
            top[x] = top[top[x]];
            x = top[x];
        }
        x
    }
    let mut join = |a: usize, b: usize| {
        let (a, b) = (find(&mut top, a), find(&mut top, b));
        top[a] = b;
    };
    for (j, column) in gram.iter().enumerate() {
        for (i, _) in column {
            join(*i, j);
            join(n + i, n + j);
        }
    }
    let mut used = BTreeSet::new();
    for (j, column) in form.iter().enumerate() {
        for (i, _) in column {
            join(*i, n + j);
            used.extend([*i, n + j]);
        }
    }
    let mut found: BTreeMap<usize, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for x in 0..2 * n {
        let entry = found.entry(find(&mut top, x)).or_default();
        if x < n {
            entry.0.push(x);
        } else {
            entry.1.push(x - n);
        }
    }
    found
        .into_values()
        .filter(|(rows, cols)| {
            rows.iter().any(|i| used.contains(i)) && cols.iter().any(|j| used.contains(&(n + j)))
        })
        .collect()
}

/// An orthogonal basis of some frame vectors, by its combinations and squares.
struct Side {
    combinations: Vec<Sparse>,
    squares: Vec<Rational>,
}

fn side(gram: &[Sparse], members: &[usize]) -> Result<Side, NormError> {
    let place: BTreeMap<usize, usize> = members.iter().copied().zip(0..).collect();
    let within = |k: &usize| -> Sparse {
        let entries = gram[*k].iter();
        entries
            .filter_map(|(i, x)| place.get(i).map(|i| (*i, x.clone())))
            .collect()
    };
    let local: Vec<Sparse> = members.iter().map(within).collect();
    let found = orthogonalise(&local).map_err(|e| NormError::Gram(e.to_string()))?;
    let global =
        |g: &Sparse| -> Sparse { g.iter().map(|(k, x)| (members[*k], x.clone())).collect() };
    Ok(Side {
        combinations: found.combinations.iter().map(global).collect(),
        squares: found.squares,
    })
}

fn part(
    form: &Columns,
    gram: &[Sparse],
    rows: &[usize],
    cols: &[usize],
) -> Result<Norm, NormError> {
    let (left, right) = (side(gram, rows)?, side(gram, cols)?);
    let lifted = constructions::cluster::task::lift;
    // The form on the orthogonal bases, by columns.
    let lefts: Vec<Sparse<Surd>> = left.combinations.iter().map(lifted).collect();
    let columns: Columns = right
        .combinations
        .iter()
        .map(|g| {
            let image = combine(g.iter().map(|(k, x)| (Surd::from(x.clone()), &form[*k])));
            let all = lefts.iter().enumerate().map(|(i, f)| (i, dot(f, &image)));
            all.filter(|(_, x)| !x.is_zero()).collect()
        })
        .collect();
    let inverse = |x: &Rational| x.recip().unwrap_or_default();
    let (p, q): (Vec<Rational>, Vec<Rational>) = (
        left.squares.iter().map(inverse).collect(),
        right.squares.iter().map(inverse).collect(),
    );
    match rank(columns.iter().cloned()) {
        0 => return Ok(Norm::Exact(Surd::zero())),
        // |S|_F with entries S_ij / sqrt(|g_i|^2 |g_j|^2).
        1 => {
            if let Some(found) = root(&squares(&columns, &p, &q)) {
                return Ok(found);
            }
        }
        2 => {
            let minors = minors(&columns, &p, &q);
            let two = Rational::integer(2);
            let sum = squares(&columns, &p, &q);
            let found = match root(&minors) {
                Some(Norm::Exact(both)) => root(&(&sum + &both.scale(&two))),
                Some(Norm::Enclosed(low, high)) => {
                    let (s0, s1) = sum.enclosure(BITS);
                    let low = sqrt_enclosure(&(s0 + low * &two).max(Rational::zero()), BITS);
                    let high = sqrt_enclosure(&(s1 + high * &two), BITS);
                    low.zip(high).map(|(a, b)| Norm::Enclosed(a.0, b.1))
                }
                None => None,
            };
            if let Some(found) = found {
                return Ok(found);
            }
        }
        _ => {}
    }
    dense(&columns, &p, &q)
}

/// |S|_F^2, where p and q are the inverse squares of the bases.
fn squares(columns: &Columns, p: &[Rational], q: &[Rational]) -> Surd {
    let mut sum = Surd::zero();
    for (column, q) in columns.iter().zip(q) {
        for (i, x) in column {
            sum += &(x * x).scale(&(&p[*i] * q));
        }
    }
    sum
}

/// The sum of the squares of all 2x2 minors.
fn minors(columns: &Columns, p: &[Rational], q: &[Rational]) -> Surd {
    let mut sum = Surd::zero();
    for (l, b) in columns.iter().enumerate() {
        for (k, a) in columns[..l].iter().enumerate() {
            let rows: BTreeSet<usize> = a.iter().chain(b).map(|(i, _)| *i).collect();
            for j in &rows {
                for i in rows.iter().take_while(|i| *i < j) {
                    let minor = &(&at(a, *i) * &at(b, *j)) - &(&at(a, *j) * &at(b, *i));
                    let weight = &p[*i] * &p[*j] * &q[k] * &q[l];
                    sum += &(&minor * &minor).scale(&weight);
                }
            }
        }
    }
    sum
}

/// An enclosure through rational numbers near the entries `S_ij / sqrt(|g_i|^2 |g_j|^2)`.
///
/// Scaling by r with `|r^2/p - 1| <= e` changes singular values by factors between 1 - e and 1 + e; an error of at most w in
/// each entry changes the norm by at most their number times w.
fn dense(columns: &Columns, p: &[Rational], q: &[Rational]) -> Result<Norm, NormError> {
    let (mut e, mut w) = (Rational::zero(), Rational::zero());
    let mut scale = |x: &Rational| -> Result<Rational, NormError> {
        let r = x
            .sqrt_exact()
            .or_else(|| Rational::from_f64_rounded(x.to_f64().sqrt(), 50))
            .ok_or(NormError::Diverged)?;
        let off = ((&r * &r).checked_div(x).unwrap_or_default() - Rational::one()).abs();
        e = off.max(e.clone());
        Ok(r)
    };
    let r: Vec<Rational> = p.iter().map(&mut scale).collect::<Result<_, _>>()?;
    let t: Vec<Rational> = q.iter().map(&mut scale).collect::<Result<_, _>>()?;
    let mut entries = Vec::new();
    for (j, column) in columns.iter().enumerate() {
        for (i, x) in column {
            let x = x.scale(&(&r[*i] * &t[j]));
            let near = match x.as_rational() {
                Some(x) => x,
                None => {
                    let (low, high) = x.enclosure(BITS);
                    w = (&high - &low).max(w);
                    low
                }
            };
            entries.push((*i, j, near));
        }
    }
    let one = Rational::one();
    if e >= one {
        return Err(NormError::Diverged);
    }
    let error = w * Rational::from(entries.len());
    let (low, high) = bounds(&norm(&Operator::from_entries(p.len(), q.len(), entries))?);
    let low = (low - &error).checked_div(&(&one + &e)).unwrap_or_default();
    let high = (high + &error)
        .checked_div(&(&one - &e))
        .ok_or(NormError::Diverged)?;
    if e.is_zero() && error.is_zero() && low == high {
        return Ok(Norm::Exact(low.into()));
    }
    Ok(Norm::Enclosed(low, high))
}
