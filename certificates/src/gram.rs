//! Matrices on the span of a frame, known only through the inner products of its vectors.
//!
//! The columns f_1, ..., f_n of V are independent vectors of some space, and all that is known of them is the positive
//! definite K = V^T V; every positive definite K is the Gram matrix of some frame. A matrix Y = V H V^T is given by H, or
//! by its values Z = V^T Y V = K H K on the frame, and since K is invertible every Z belongs to exactly one such Y.
//!
//! # The operator norm
//! |Y|_2 <= s exactly if [[s K, Z], [Z^T, s K]] is semidefinite. Let P be the projector onto the span; Y = P Y P, so
//! x^T Y y is (V a)^T Y (V b) with P x = V a and P y = V b, both no longer than x and y: the span suffices. So |Y|_2 <= s
//! says a^T Z b <= s |V a| |V b| for all a and b. As the left side is linear in a and in b, that is the same as
//! a^T Z b <= s (|V a|^2 + |V b|^2) / 2 = (s/2) (a^T K a + b^T K b): one direction is |V a| |V b| <= the mean of the
//! squares, the other follows by scaling a and b to equal lengths. With -a for a this is the semidefiniteness claimed.
//! (With K = I it is the Schur complement s I - Z^T Z / s.) Where Z is symmetric, the change of coordinates (a, b) to
//! (a + b, a - b) splits the matrix into s K + Z and s K - Z.
//!
//! Where entries of Z have square roots or many digits, elimination is slow, and short rational numbers Z' near Z are tried first. If Z - Z' has
//! entries of size at most w, in n rows and columns I only, then |a^T (Z - Z') b| <= w n |a_I| |b_I|, so
//! [[t P, Z - Z'], [.., t P]] is semidefinite for t = w n and the indicator P of I; it is enough that [[s K - t P, Z'], [.., s K - t P]]
//! is too. Only where that fails is Z itself eliminated.
//!
//! # The nuclear norm
//! If query_k^T B (winner_k - loser_k) >= 1 and y_k >= 0 for all k, then Y = sum y_k query_k (winner_k - loser_k)^T has
//! sum y_k <= <Y, B> <= |Y|_2 |B|_* by the duality of the two norms, so |B|_* >= (sum y_k) / s for every s >= |Y|_2. B is
//! any matrix on the whole space; only Y lives on the span.
//!
//! What is not proved is that some B satisfies the inequalities, see [`crate::dual`].

use crate::Rejection;
use crate::psd::{Symmetric, definite, semidefinite};
use exact::{Field, Rational};
use std::collections::{BTreeMap, BTreeSet};

/// `query^T B (winner - loser) >= 1`, with its multiplier. A token is the sum of its coefficients times the vectors of the
/// frame at its coordinates, which ascend strictly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked<F> {
    /// The multiplier, >= 0.
    pub multiplier: F,
    /// The query.
    pub query: Vec<(usize, F)>,
    /// The key that must win.
    pub winner: Vec<(usize, F)>,
    /// The key that must lose.
    pub loser: Vec<(usize, F)>,
}

/// A matrix by its nonzero entries.
type Sparse<F> = BTreeMap<(usize, usize), F>;

/// Accepts exactly if the frame is independent and the matrix Y with V^T Y V = `inner` has |Y|_2 <= `bound`.
///
/// # Errors
/// An entry outside the frame, a negative bound, a Gram matrix that is not definite, a norm above the bound; more than
/// 4096 vectors, or half as many for an asymmetric Y, that cannot be taken apart.
pub fn norm_at_most<F: Field>(
    gram: &Symmetric<F>,
    inner: &BTreeMap<(usize, usize), F>,
    bound: &F,
) -> Result<(), Rejection> {
    let side = gram.side();
    if let Some((row, column)) = inner.keys().find(|(i, j)| *i >= side || *j >= side) {
        return Err(Rejection::OutOfRange {
            row: *row,
            column: *column,
            rows: side,
            cols: side,
        });
    }
    if bound.sign() < 0 {
        return Err(Rejection::NegativeBound {
            bound: bound.to_string(),
        });
    }
    definite(gram).map_err(|cause| Rejection::Frame {
        cause: Box::new(cause),
    })?;
    if rounded(gram, inner, bound) {
        return Ok(());
    }
    let scaled = (gram.entries())
        .map(|(key, x)| (key, bound.times(x)))
        .collect();
    contracts(side, scaled, inner).map_err(|(test, cause)| Rejection::NormAbove {
        bound: bound.to_string(),
        test,
        cause: Box::new(cause),
    })
}

/// Decides that [[A, Z], [Z^T, A]] is semidefinite; otherwise the test that fails.
fn contracts<F: Field>(
    side: usize,
    a: Sparse<F>,
    z: &Sparse<F>,
) -> Result<(), (&'static str, Rejection)> {
    let accept = |test, side, matrix: &Sparse<F>| {
        Symmetric::new(side, matrix)
            .and_then(|m| semidefinite(&m))
            .map_err(|cause| (test, cause))
    };
    let zero = F::nought();
    if (z.iter()).all(|(&(i, j), x)| z.get(&(j, i)).unwrap_or(&zero) == x) {
        let (mut sum, mut difference) = (a.clone(), a);
        for (key, x) in z {
            add(&mut sum, *key, x);
            add(&mut difference, *key, &x.negated());
        }
        accept("s K + Z", side, &sum)?;
        return accept("s K - Z", side, &difference);
    }
    // A definite Gram matrix has its whole diagonal stored, so twice its side is no overflow.
    let twice = side.saturating_mul(2);
    let mut block = a.clone();
    for ((i, j), x) in a {
        block.insert((side + i, side + j), x);
    }
    for ((i, j), x) in z {
        block.insert((*i, side + j), x.clone());
        block.insert((side + j, *i), x.clone());
    }
    accept("[[s K, Z], [Z^T, s K]]", twice, &block)
}

/// Bits of the rational numbers that stand for others.
const BITS: u32 = 128;

/// Bounds that are multiples of 2^-BITS.
fn outward<F: Field>(x: &F) -> (Rational, Rational) {
    let (low, high) = x.bounds(BITS + 8);
    let whole = Rational::integer(2).pow(BITS);
    let unit = whole.recip().unwrap_or_default();
    let below = |x: Rational| Rational::from((x * &whole).floor());
    (below(low) * &unit, -below(-high) * &unit)
}

/// Is the norm at most `bound` by rational numbers near irrational entries? They decide nothing where they do not say so.
fn rounded<F: Field>(gram: &Symmetric<F>, inner: &Sparse<F>, bound: &F) -> bool {
    let short = |x: &F| {
        x.rational()
            .is_some_and(|x| x.numer().bits() + x.denom().bits() <= u64::from(BITS))
    };
    if inner.values().chain([bound]).all(short) {
        return false;
    }
    let below = if short(bound) {
        bound.bounds(BITS).0
    } else {
        outward(bound).0
    };
    let Some(mut scaled) = gram
        .entries()
        .map(|(key, x)| Some((key, &below * x.rational()?)))
        .collect::<Option<Sparse<Rational>>>()
    else {
        return false;
    };
    let (mut off, mut touched) = (Rational::nought(), BTreeSet::new());
    let mut near = Sparse::new();
    for ((i, j), x) in inner {
        let (low, high) = if short(x) { x.bounds(BITS) } else { outward(x) };
        if low != high {
            off = (high - &low).max(off);
            touched.extend([*i, *j]);
        }
        near.insert((*i, *j), low);
    }
    let less = -(off * Rational::from(touched.len()));
    for i in touched {
        add(&mut scaled, (i, i), &less);
    }
    contracts(gram.side(), scaled, &near).is_ok()
}

/// A number that the nuclear norm of no B satisfying the inequalities falls below: the sum of the multipliers over `bound`.
///
/// # Errors
/// A bound that is not positive; coordinates outside the frame or not ascending; an inequality that asks 0 >= 1; a
/// negative multiplier or none positive; Y = 0; whatever [`norm_at_most`] rejects.
pub fn lower_bound<F: Field>(
    gram: &Symmetric<F>,
    asked: &[Asked<F>],
    bound: &F,
) -> Result<F, Rejection> {
    let not_positive = || Rejection::BoundNotPositive {
        bound: bound.to_string(),
    };
    if bound.sign() < 0 {
        return Err(not_positive());
    }
    let inverse = bound.reciprocal().ok_or_else(not_positive)?;
    let mut total = F::nought();
    // Inequalities of one query are added up first, by their keys: there are far fewer queries than inequalities.
    let mut sums: BTreeMap<Vec<(usize, F)>, BTreeMap<usize, F>> = BTreeMap::new();
    for (index, inequality) in asked.iter().enumerate() {
        let multiplier = &inequality.multiplier;
        let read = |name, list| token(gram.side(), index, name, list);
        let query = read("query", &inequality.query)?;
        let mut key = read("winner", &inequality.winner)?;
        for (k, x) in read("loser", &inequality.loser)? {
            add(&mut key, k, &x.negated());
        }
        if [&query, &key].iter().any(|v| v.values().all(F::is_nought)) {
            return Err(Rejection::EmptyInequality { index });
        }
        if multiplier.sign() < 0 {
            return Err(Rejection::MultiplierBelowZero {
                index,
                value: multiplier.to_string(),
            });
        }
        total = total.plus(multiplier);
        let sum = sums.entry(query.into_iter().collect()).or_default();
        for (j, z) in key {
            add(sum, j, &multiplier.times(&z));
        }
    }
    let mut h = Sparse::new();
    for (query, key) in &sums {
        for (i, x) in query {
            for (j, z) in key.iter().filter(|(_, z)| !z.is_nought()) {
                add(&mut h, (*i, *j), &x.times(z));
            }
        }
    }
    if total.is_nought() {
        return Err(Rejection::NoMultiplier);
    }
    // The frame is independent, so Y = 0 only with H = 0; and <Y, B> = 0 >= total > 0 is absurd.
    if h.values().all(F::is_nought) {
        return Err(Rejection::Contradiction {
            total: total.to_string(),
        });
    }
    norm_at_most(gram, &on_frame(gram, &h), bound)?;
    Ok(total.times(&inverse))
}

/// The coefficients of a token, after a look at its coordinates.
fn token<F: Field>(
    side: usize,
    index: usize,
    token: &'static str,
    list: &[(usize, F)],
) -> Result<BTreeMap<usize, F>, Rejection> {
    let mut coefficients = BTreeMap::new();
    let mut last = None;
    for (coordinate, x) in list {
        let coordinate = *coordinate;
        if coordinate >= side {
            return Err(Rejection::CoordinateOutside {
                index,
                token,
                coordinate,
                side,
            });
        }
        if let Some(previous) = last.filter(|k| *k >= coordinate) {
            return Err(Rejection::CoordinateOrder {
                index,
                token,
                coordinate,
                previous,
            });
        }
        last = Some(coordinate);
        coefficients.insert(coordinate, x.clone());
    }
    Ok(coefficients)
}

/// Z = K H K.
fn on_frame<F: Field>(gram: &Symmetric<F>, h: &Sparse<F>) -> Sparse<F> {
    let (mut half, mut z) = (Sparse::new(), Sparse::new());
    for ((i, j), x) in h.iter().filter(|(_, x)| !x.is_nought()) {
        for (l, k) in gram.row(*j) {
            add(&mut half, (*i, l), &x.times(k));
        }
    }
    for ((i, l), x) in half.iter().filter(|(_, x)| !x.is_nought()) {
        for (r, k) in gram.row(*i) {
            add(&mut z, (r, *l), &k.times(x));
        }
    }
    z
}

/// Adds to an entry.
fn add<K: Ord, F: Field>(sum: &mut BTreeMap<K, F>, key: K, x: &F) {
    let entry = sum.entry(key).or_insert_with(F::nought);
    *entry = entry.plus(x);
}
