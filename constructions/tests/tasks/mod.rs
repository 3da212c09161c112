//! Random cluster tasks.

use constructions::cluster::shapes::{COHERENCES, Shape};
use constructions::cluster::task::{Data, Orders, Task};
use exact::ratio;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeSet;

/// One to three groups of one to three dormants, every coherence, shape and kind of orders; the hypotheses of Theorem 7.2
/// need not be met, and dormants may coincide.
pub fn tasks() -> impl Strategy<Value = Task> {
    let geometry = (
        select(vec![ratio(25, 169), ratio(1, 4), ratio(1, 8), ratio(0, 1)]),
        0i64..7,
        select(COHERENCES.map(|(_, c)| c).to_vec()),
        select(vec![
            Shape::Orthogonal,
            Shape::Simplex,
            Shape::Shared,
            Shape::Near(ratio(0, 1)),
            Shape::Near(ratio(1, 5)),
            Shape::Near(ratio(2, 1)),
        ]),
    );
    let data = (
        0u8..4,
        any::<u32>(),
        any::<bool>(),
        select(vec![None, None, Some(2), Some(1), Some(0)]),
    );
    let epsilon = select(vec![ratio(1, 20), ratio(1, 4), ratio(0, 1)]);
    (
        prop::collection::vec(1usize..4, 1..4),
        geometry,
        epsilon,
        data,
    )
        .prop_map(
            |(
                dormants,
                (delta_squared, k, coherence, shape),
                epsilon,
                (kind, bits, absent, most),
            )| {
                let orders = match kind {
                    0 => Orders::Both,
                    1 => Orders::Ascending,
                    _ => Orders::Pairs(pairs(&dormants, bits)),
                };
                let data = Data {
                    orders,
                    absent,
                    most,
                };
                // 2 C phi <= 9/10, so every pattern has its vectors.
                let phi = (ratio(k, 40), coherence);
                Task::new(dormants, delta_squared, epsilon, phi, &shape, data).unwrap()
            },
        )
}

/// Some of the orders of two dormants of one group.
fn pairs(dormants: &[usize], bits: u32) -> BTreeSet<(usize, usize, usize)> {
    let all = dormants
        .iter()
        .enumerate()
        .flat_map(|(c, n)| (1..=*n).flat_map(move |j| (1..=*n).map(move |i| (c + 1, j, i))));
    all.filter(|(_, j, i)| i != j)
        .enumerate()
        .filter(|(k, _)| bits >> k & 1 == 1)
        .map(|(_, order)| order)
        .collect()
}
