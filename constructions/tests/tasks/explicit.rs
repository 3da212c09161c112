//! Cluster tasks by explicit vectors and by Gram matrices.

use constructions::cluster::geometry::{Geometry, GeometryError};
use constructions::cluster::task::{Data, Task};
use constructions::matrix::{Sparse, combine, dot};
use exact::{Rational, ratio};
use proptest::prelude::*;

/// Turns the plane of two coordinates by the angle of a Pythagorean triple.
fn turned(vectors: &mut [Vec<Rational>], (i, j, triple): (usize, usize, bool)) {
    let n = vectors[0].len();
    let (i, j) = (i % n, j % n);
    if i == j {
        return;
    }
    let (c, s) = if triple {
        (ratio(12, 13), ratio(5, 13))
    } else {
        (ratio(3, 5), ratio(-4, 5))
    };
    for v in vectors {
        let (x, y) = (v[i].clone(), v[j].clone());
        v[i] = &c * &x - &s * &y;
        v[j] = &s * &x + &c * &y;
    }
}

fn listed(vector: &[Rational]) -> Sparse {
    let all = vector.iter().cloned().enumerate();
    all.filter(|(_, x)| !x.is_zero()).collect()
}

/// Inner products, by columns.
fn grams(vectors: &[Sparse]) -> Vec<Sparse> {
    let column = |y: &Sparse| {
        let all = vectors.iter().enumerate().map(|(k, x)| (k, dot(x, y)));
        all.filter(|(_, x)| !x.is_zero()).collect()
    };
    vectors.iter().map(column).collect()
}

/// Planes, each with one of two angles.
pub type Turns = Vec<(usize, usize, bool)>;

/// The same vectors, explicit and by Gram matrices; nothing where b, dbar and c turn out dependent.
pub fn two_ways(
    dormants: &[usize],
    delta: &Rational,
    data: &Data,
    (bent, shape, turns): (&Turns, &Turns, &Turns),
) -> Option<(Task, Task)> {
    let groups = dormants.len();
    let (m, total) = (1 + 2 * groups, dormants.iter().sum::<usize>());
    // Nuisances use one direction less than there are, so that they are often dependent.
    let r = total.max(2) - 1;
    let width = m + r + 1;
    let axis =
        |k: usize| -> Vec<Rational> { (0..width).map(|i| ratio(i64::from(i == k), 1)).collect() };
    let mut special: Vec<Vec<Rational>> = (0..m).map(axis).collect();
    for (i, j, triple) in bent {
        // One vector at a time: together they would stay orthogonal.
        let (i, j) = (i % m, j % m);
        turned(&mut special[i..=i], (i, j, *triple));
    }
    let mut nuisances: Vec<Vec<Rational>> = (0..total).map(|k| axis(m + k % r)).collect();
    for (k, j, triple) in shape {
        let k = k % total;
        turned(&mut nuisances[k..=k], (m + k % r, m + j % r, *triple));
    }
    for turn in turns {
        turned(&mut special, *turn);
        turned(&mut nuisances, *turn);
    }
    let special: Vec<Sparse> = special.iter().map(|v| listed(v)).collect();
    let nuisances: Vec<Sparse> = nuisances
        .iter()
        .map(|v| combine([(delta.clone(), &listed(v))]))
        .collect();
    let by_grams = Geometry::from_grams(&grams(&special), &grams(&nuisances));
    let explicit = Geometry::from_vectors(width, special, nuisances);
    if by_grams == Err(GeometryError::Dependent) {
        assert_eq!(explicit, Err(GeometryError::Dependent));
        return None;
    }
    let task = |geometry| {
        let square = delta * delta;
        Task::of(
            dormants.to_vec(),
            square,
            ratio(1, 10),
            geometry,
            data.clone(),
        )
        .unwrap()
    };
    Some((task(explicit.unwrap()), task(by_grams.unwrap())))
}

/// A few turns.
pub fn turns() -> impl Strategy<Value = Turns> {
    prop::collection::vec((0usize..16, 0usize..16, any::<bool>()), 0..8)
}
