//! Sigma_w, the weighted sum of squares of differences of dormants: trace, operator norm, effective rank.
//!
//! Singular values are proposed by floats and decided exactly: with H the coordinates of Sigma_w in the frame and K its Gram
//! matrix, `|Sigma_w|_2 <= s` means `s K^-1 - H` semidefinite, which exact elimination decides; a Rayleigh quotient of a
//! rational vector bounds the norm from below. A simple rational s at which `s K^-1 - H` is semidefinite and singular is the norm.

use crate::nuclear::Norm;
use certificates::psd::{Symmetric, semidefinite};
use constructions::cluster::task::Task;
use constructions::matrix::{Sparse, at, combine, rank};
use exact::{Rational, Surd};
use nalgebra::{DMatrix, DVector};
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// A pair of dormants of one group with its weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The group.
    pub group: usize,
    /// One dormant.
    pub i: usize,
    /// The other.
    pub j: usize,
    /// Its weight, at least 0.
    pub weight: Rational,
}

/// Trace and norm of Sigma_w, all vectors divided by sqrt d.
#[derive(Clone, Debug)]
pub struct Effective {
    /// The weights of all pairs together: N_D when all are 1.
    pub total: Rational,
    /// tr Sigma_w, exact or enclosed.
    pub trace: Norm,
    /// |Sigma_w|_2, exact or enclosed; the message of what failed otherwise.
    pub norm: Result<Norm, String>,
}

impl Effective {
    /// r_eff = tr/norm; 0 where there is no pair.
    ///
    /// # Errors
    /// The norm is unknown.
    pub fn rank(&self) -> Result<Norm, String> {
        match &self.trace {
            Norm::Exact(trace) => match trace.as_rational() {
                Some(trace) => self.over_norm(&trace),
                None => Err("an irrational trace".into()),
            },
            Norm::Enclosed(low, high) => {
                let (a, b) = (self.over_norm(low)?, self.over_norm(high)?);
                Ok(Norm::Enclosed(
                    crate::frame_norm::bounds(&a).0,
                    crate::frame_norm::bounds(&b).1,
                ))
            }
        }
    }

    /// `x / |Sigma_w|_2` for x >= 0; 0 where Sigma_w is zero.
    ///
    /// # Errors
    /// The norm is unknown.
    pub fn over_norm(&self, x: &Rational) -> Result<Norm, String> {
        let over = |s: &Rational| x.checked_div(s).ok_or("a norm of zero");
        match self.norm.as_ref().map_err(Clone::clone)? {
            Norm::Exact(s) if s.is_zero() => Ok(Norm::Exact(Surd::zero())),
            Norm::Exact(s) => {
                let inverse = s.inverse().ok_or("a norm of zero")?;
                Ok(Norm::Exact(inverse.scale(x)))
            }
            Norm::Enclosed(low, high) => Ok(Norm::Enclosed(over(high)?, over(low)?)),
        }
    }
}

/// Every pair of P_c with weight 1: Sigma_D.
pub fn uniform(task: &Task) -> Vec<Edge> {
    let edge = |(group, i, j)| Edge {
        group,
        i,
        j,
        weight: Rational::one(),
    };
    task.pairs().into_iter().map(edge).collect()
}

/// Sigma_w of pairs of dormants.
pub fn pairs(task: &Task, edges: &[Edge]) -> Effective {
    let one = Rational::one;
    let parts = edges.iter().map(|e| {
        let (a, b) = (task.nuisance(e.group, e.i), task.nuisance(e.group, e.j));
        (combine([(one(), a), (-one(), b)]), e.weight.clone())
    });
    sum(&task.geometry.gram, &task.geometry.inverse, parts)
}

/// Denominators of long coordinates are rounded to 2^GRID.
const GRID: u32 = 80;

fn long(x: &Rational) -> bool {
    x.numer().bits() + x.denom().bits() > 96
}

/// `sum w x x^T` over differences x of two vectors of length at most 1, in a frame of such vectors with Gram matrix `gram`.
///
/// Long coordinates are rounded: with e the length of what is rounded away from x, `|x x^T - x' x'^T|_* <= e (2 |x| + e)`, and
/// trace and norm are enclosed.
pub fn sum(
    gram: &[Sparse],
    inverse: &[Sparse],
    parts: impl Iterator<Item = (Sparse, Rational)>,
) -> Effective {
    let (mut total, mut trace, mut error) = (Rational::zero(), Rational::zero(), Rational::zero());
    let mut entries: BTreeMap<(usize, usize), Rational> = BTreeMap::new();
    let grid = Rational::integer(2).pow(GRID);
    let unit = grid.recip().unwrap_or_default();
    for (mut x, weight) in parts {
        if x.iter().any(|(_, c)| long(c)) {
            for (_, c) in &mut x {
                *c = Rational::from((&*c * &grid).floor()) * &unit;
            }
            let off = &unit * Rational::from(x.len());
            error += &weight * &off * (Rational::integer(4) + &off);
        }
        total += &weight;
        for (i, a) in &x {
            for (j, b) in &x {
                let term = a * b * &weight;
                trace += &term * at(&gram[*i], *j);
                *entries.entry((*i, *j)).or_default() += term;
            }
        }
    }
    entries.retain(|_, x| !x.is_zero());
    let around = |found: Norm| {
        if error.is_zero() {
            return found;
        }
        let (low, high) = crate::frame_norm::bounds(&found);
        Norm::Enclosed((low - &error).max(Rational::zero()), high + &error)
    };
    Effective {
        total,
        trace: around(Norm::Exact(trace.into())),
        norm: norm(gram, inverse, &entries).map(around),
    }
}

/// The norm of `F H F^T`, F the frame: the largest over connected parts.
fn norm(
    gram: &[Sparse],
    inverse: &[Sparse],
    entries: &BTreeMap<(usize, usize), Rational>,
) -> Result<Norm, String> {
    let mut best = Norm::Exact(Surd::zero());
    let mut known: Vec<(Part, Norm)> = Vec::new();
    for part in parts(gram, inverse, entries) {
        // Groups often repeat each other.
        let found = match known.iter().find(|(p, _)| *p == part) {
            Some((_, found)) => found.clone(),
            None => {
                let found = part.norm()?;
                known.push((part, found.clone()));
                found
            }
        };
        best = larger(best, found);
    }
    Ok(best)
}

fn larger(a: Norm, b: Norm) -> Norm {
    let ((a0, a1), (b0, b1)) = (crate::frame_norm::bounds(&a), crate::frame_norm::bounds(&b));
    match (&a, &b) {
        (Norm::Exact(x), Norm::Exact(y)) => Norm::Exact(x.clone().max(y.clone())),
        (Norm::Exact(_), _) if a0 >= b1 => a,
        (_, Norm::Exact(_)) if b0 >= a1 => b,
        _ => Norm::Enclosed(a0.max(b0), a1.max(b1)),
    }
}

/// A connected part: K, K^-1 and H on it.
#[derive(PartialEq)]
struct Part {
    side: usize,
    gram: BTreeMap<(usize, usize), Rational>,
    inverse: BTreeMap<(usize, usize), Rational>,
    entries: BTreeMap<(usize, usize), Rational>,
}

fn parts(
    gram: &[Sparse],
    inverse: &[Sparse],
    entries: &BTreeMap<(usize, usize), Rational>,
) -> Vec<Part> {
    let mut top: Vec<usize> = (0..gram.len()).collect();
    fn find(top: &mut [usize], mut x: usize) -> usize {
        while top[x] != x {
            top[x] = top[top[x]];
            x = top[x];
        }
        x
    }
    let joined = gram
        .iter()
        .chain(inverse)
        .enumerate()
        .flat_map(|(j, c)| c.iter().map(move |(i, _)| (*i, j % gram.len())))
        .chain(entries.keys().copied());
    for (i, j) in joined {
        let (a, b) = (find(&mut top, i), find(&mut top, j));
        top[a] = b;
    }
    let mut used: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, j) in entries.keys() {
        if i == j {
            used.entry(find(&mut top, *i)).or_default();
        }
    }
    for x in 0..gram.len() {
        let root = find(&mut top, x);
        if let Some(members) = used.get_mut(&root) {
            members.push(x);
        }
    }
    let part = |members: Vec<usize>| {
        let place: BTreeMap<usize, usize> = members.iter().copied().zip(0..).collect();
        let within = |columns: &[Sparse]| {
            let mut all = BTreeMap::new();
            for k in &members {
                for (i, x) in &columns[*k] {
                    if let (Some(a), Some(b)) = (place.get(i), place.get(k)) {
                        all.insert((*a, *b), x.clone());
                    }
                }
            }
            all
        };
        let own = members.iter().flat_map(|i| {
            let row = entries.range((*i, 0)..=(*i, usize::MAX));
            row.filter_map(|((i, j), x)| Some(((*place.get(i)?, *place.get(j)?), x.clone())))
        });
        Part {
            side: members.len(),
            gram: within(gram),
            inverse: within(inverse),
            entries: own.collect(),
        }
    };
    used.into_values().map(part).collect()
}

impl Part {
    fn norm(&self) -> Result<Norm, String> {
        let (value, vector) = self.proposed().ok_or("no eigenvalue was found")?;
        // Elimination of long numbers is slow, and their eigenvalues are hardly simple.
        let mut numbers = self.entries.values().chain(self.inverse.values());
        if !numbers.any(long) {
            // Norms are often simple multiples of the entries.
            let scale = self.entries.values().next().cloned().unwrap_or_default();
            let scaled = simple((value / scale.to_f64()).abs()).map(|x| x * scale.abs());
            for s in scaled.into_iter().chain(simple(value)) {
                if self.at_most(&s).is_ok() && self.singular(&s) {
                    return Ok(Norm::Exact(s.into()));
                }
            }
        }
        let low = self.rayleigh(&vector).ok_or("no Rayleigh quotient")?;
        // A little above the largest eigenvalue the matrix is definite, unless the float was far off.
        let high = Rational::from_f64_rounded(value * (1.0 + 1e-9), 60).ok_or("no bound")?;
        self.at_most_roughly(&high).map_err(|e| e.to_string())?;
        Ok(Norm::Enclosed(low, high))
    }

    /// The largest eigenvalue in floats, with the coordinates of an eigenvector's inner products with the frame.
    fn proposed(&self) -> Option<(f64, Vec<f64>)> {
        let dense = |m: &BTreeMap<(usize, usize), Rational>| {
            DMatrix::from_fn(self.side, self.side, |i, j| {
                m.get(&(i, j)).map_or(0.0, Rational::to_f64)
            })
        };
        // H in an orthonormal basis: L^T H L, K = L L^T.
        let l = dense(&self.gram).cholesky()?.l();
        let whitened = l.transpose() * dense(&self.entries) * &l;
        let whitened = (&whitened + whitened.transpose()) * 0.5;
        if self.side > LARGEST_EIGEN {
            let (value, vector) = power(&whitened);
            let vector = l * vector;
            return (value.is_finite() && value > 0.0)
                .then(|| (value, vector.iter().copied().collect()));
        }
        let eigen = whitened.try_symmetric_eigen(f64::EPSILON, 100_000)?;
        let (k, value) = eigen.eigenvalues.argmax();
        let vector = l * eigen.eigenvectors.column(k);
        (value.is_finite() && value > 0.0).then(|| (value, vector.iter().copied().collect()))
    }

    fn gap(&self, s: &Rational) -> BTreeMap<(usize, usize), Rational> {
        let mut gap: BTreeMap<(usize, usize), Rational> =
            self.inverse.iter().map(|(k, x)| (*k, x * s)).collect();
        for (k, x) in &self.entries {
            *gap.entry(*k).or_default() -= x;
        }
        gap.retain(|_, x| !x.is_zero());
        gap
    }

    fn at_most(&self, s: &Rational) -> Result<(), certificates::Rejection> {
        semidefinite(&Symmetric::new(self.side, &self.gap(s))?)
    }

    /// As [`Part::at_most`] with entries rounded to a common denominator, where long ones make elimination slow: what is rounded
    /// away, at most w in each of n^2 entries, is less than n w I.
    fn at_most_roughly(&self, s: &Rational) -> Result<(), certificates::Rejection> {
        let unit = Rational::integer(2).pow(96).recip().unwrap_or_default();
        let mut gap = BTreeMap::new();
        for (key, x) in self.gap(s) {
            let whole = Rational::from(x.checked_div(&unit).unwrap_or_default().floor());
            gap.insert(key, whole * &unit);
        }
        let less = &unit * Rational::from(self.side);
        for i in 0..self.side {
            *gap.entry((i, i)).or_default() -= &less;
        }
        semidefinite(&Symmetric::new(self.side, &gap)?)
    }

    fn singular(&self, s: &Rational) -> bool {
        let mut rows: Vec<Sparse> = vec![Sparse::new(); self.side];
        for ((i, j), x) in self.gap(s) {
            rows[i].push((j, x));
        }
        rank(rows) < self.side
    }

    /// `z^T H z / z^T K^-1 z` for the vector with inner products z with the frame: at most the norm.
    fn rayleigh(&self, vector: &[f64]) -> Option<Rational> {
        let z: Vec<Rational> = vector
            .iter()
            .map(|x| Rational::from_f64_rounded(*x, 40))
            .collect::<Option<_>>()?;
        let form = |m: &BTreeMap<(usize, usize), Rational>| -> Rational {
            m.iter().map(|((i, j), x)| &z[*i] * &z[*j] * x).sum()
        };
        form(&self.entries).checked_div(&form(&self.inverse))
    }
}

/// Parts larger than this have their largest eigenvalue proposed by power iteration.
const LARGEST_EIGEN: usize = 96;

/// The largest eigenvalue of a semidefinite matrix, if the iteration converges; it is only proposed.
fn power(m: &DMatrix<f64>) -> (f64, DVector<f64>) {
    // Unequal entries, so that no symmetry of the matrix hides an eigenvector.
    let mut x = DVector::from_fn(m.nrows(), |i, _| 1.0 + ((i * 7919 + 13) % 101) as f64);
    let mut value = 0.0;
    for _ in 0..2000 {
        x.normalize_mut();
        let next = m * &x;
        let new = x.dot(&next);
        x = next;
        if (new - value).abs() <= 1e-15 * new.abs() {
            value = new;
            break;
        }
        value = new;
    }
    x.normalize_mut();
    (value, x)
}

/// The simplest rational within rounding of a float.
fn simple(x: f64) -> Option<Rational> {
    let mut rest = x;
    let (mut p, mut q) = ((1i64, 0i64), (0i64, 1i64));
    for _ in 0..24 {
        let whole = rest.floor();
        if whole.abs() > 1e9 {
            return None;
        }
        let a = whole as i64;
        p = (a.checked_mul(p.0)?.checked_add(p.1)?, p.0);
        q = (a.checked_mul(q.0)?.checked_add(q.1)?, q.0);
        if q.0 > 100_000 {
            return None;
        }
        if (p.0 as f64 / q.0 as f64 - x).abs() <= 1e-12 * x.abs() {
            return Rational::new(p.0, q.0);
        }
        rest = 1.0 / (rest - whole);
    }
    None
}
