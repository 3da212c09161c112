//! Families A and B are sink solutions of bounded cost, and any change of a number makes them none.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use constructions::cluster::block::{Neuron, output, sign_with_root};
use constructions::cluster::conjecture::Family;
use constructions::cluster::families;
use constructions::matrix::Sparse;
use exact::{Rational, Surd, ratio};
use proptest::prelude::*;

#[test]
fn family_a_costs_less_than_23_at_every_rank() {
    for (n, k) in [(4, 4), (8, 16), (32, 64), (128, 256)] {
        let found = families::a(n, k).decide().unwrap();
        assert_eq!(found.r_eta, n);
        assert_eq!(found.labels, 2 + 2 * n as u128);
        assert!(found.cost.1 < Rational::integer(23));
        assert!(found.qk_cost < Rational::integer(12));
        assert_eq!(found.least_margin, Rational::integer(1));
        // theta = 1/n + 12/13, phi = 1.
        let theta = Rational::from(n).recip().unwrap() + ratio(12, 13);
        assert_eq!(found.theta, (theta.clone(), theta));
        assert_eq!(found.phi, (Rational::integer(1), Rational::integer(1)));
    }
}

#[test]
fn family_b_costs_less_than_9_at_every_rank() {
    for (n, k) in [(8, 400), (16, 4000), (32, 40000)] {
        let family = families::b(n, k);
        // Here BOS has no value.
        assert!(
            family
                .vo
                .iter()
                .all(|(_, read)| read.iter().all(|(i, _)| *i != 0))
        );
        let found = family.decide().unwrap();
        assert_eq!(found.r_eta, n);
        assert!(found.cost.1 < Rational::integer(9));
        assert_eq!(found.phi, (ratio(3, 4), ratio(3, 4)));
    }
}

#[test]
fn parameters_out_of_range_give_no_solution() {
    // k = 3: lambda = 4/5 < 5/6, so K is active for the idle copy token.
    assert!(families::a(4, 3).decide().is_err());
    // Three points of a circle are too far apart for the neurons of family B.
    assert!(families::b(3, 400).decide().is_err());
}

/// Every number of a family, changed by a hundredth, with the place it stands at.
fn changes(family: &Family) -> Vec<(String, Family)> {
    let factor = ratio(101, 100);
    let mut all = Vec::new();
    let mut add = |place: String, edit: &dyn Fn(&mut Family)| {
        let mut changed = family.clone();
        edit(&mut changed);
        all.push((place, changed));
    };
    for i in 0..family.vo.len() {
        add(format!("vo {i} output"), &|f| {
            f.vo[i].0.iter_mut().for_each(|x| x.1 *= &factor)
        });
    }
    for i in 0..family.neurons.len() {
        for l in 0..family.neurons[i].reads.len() {
            add(format!("neuron {i} reads {l}"), &|f| {
                f.neurons[i].reads[l].1 *= &factor
            });
        }
        for l in 0..family.neurons[i].writes.len() {
            add(format!("neuron {i} writes {l}"), &|f| {
                f.neurons[i].writes[l].1 *= &factor
            });
        }
        add(format!("neuron {i} bias"), &|f| {
            f.neurons[i].bias += &ratio(1, 100)
        });
        add(format!("neuron {i} dropped"), &|f| {
            drop(f.neurons.remove(i))
        });
    }
    for l in 0..family.output_bias.len() {
        add(format!("output bias {l}"), &|f| {
            f.output_bias[l].1 *= &factor
        });
    }
    for i in 0..family.dormants.len() {
        for l in 0..family.dormants[i].len() {
            add(format!("dormant {i} entry {l}"), &|f| {
                f.dormants[i][l].1 *= &factor
            });
        }
    }
    for i in 0..family.qk.len() {
        add(format!("qk {i} dropped"), &|f| drop(f.qk.remove(i)));
        add(format!("qk {i} smaller"), &|f| {
            f.qk[i].0.iter_mut().for_each(|x| x.1 *= ratio(99, 100));
        });
    }
    all
}

#[test]
fn every_changed_number_is_refused() {
    let mut harmless = Vec::new();
    for family in [families::a(4, 8), families::b(8, 400)] {
        for (place, changed) in changes(&family) {
            if changed.decide().is_ok() {
                harmless.push(format!("{}: {place}", family.name));
            }
        }
    }
    // What A and K read of dbar only has to clip them: in their active states dbar is absent.
    assert_eq!(
        harmless,
        [
            "family A, n = 4, k = 8: neuron 0 reads 0",
            "family A, n = 4, k = 8: neuron 1 reads 0",
        ]
    );
}

proptest! {
    /// Signs of p + q sqrt(n) against exact square roots.
    #[test]
    fn signs(p in -30i64..30, q in -30i64..30, n in 0i64..40) {
        let (p, q, n) = (Rational::integer(p), Rational::integer(q), Rational::integer(n));
        let value = &Surd::from(p.clone()) + &Surd::sqrt(&n).unwrap().scale(&q);
        prop_assert_eq!(sign_with_root(&p, &q, &n) as i32, value.signum());
    }

    /// The block against floats, where an output is rational and where it is not.
    #[test]
    fn outputs(
        state in prop::collection::vec(-3i64..4, 3),
        units in prop::collection::vec((prop::collection::vec(-3i64..4, 3), -2i64..3, prop::collection::vec(-3i64..4, 3)), 0..4),
    ) {
        let sparse = |x: &[i64]| -> Sparse {
            let all = x.iter().enumerate().map(|(k, v)| (k, Rational::integer(*v)));
            all.filter(|(_, v)| !v.is_zero()).collect()
        };
        let neurons: Vec<Neuron> = units
            .iter()
            .map(|(w, b, v)| Neuron { reads: sparse(w), bias: Rational::integer(*b), writes: sparse(v) })
            .collect();
        let square: i64 = state.iter().map(|x| x * x).sum();
        let norm = (square as f64).sqrt();
        let mut expected: Vec<f64> = state.iter().map(|x| *x as f64).collect();
        for (w, b, v) in &units {
            let read: i64 = w.iter().zip(&state).map(|(x, y)| x * y).sum();
            let unit = if square == 0 { *b as f64 } else { read as f64 / norm + *b as f64 };
            for (e, x) in expected.iter_mut().zip(v) {
                *e += unit.max(0.0) * *x as f64;
            }
        }
        let found = output(&sparse(&state), &neurons, &Vec::new());
        for (k, e) in expected.iter().enumerate() {
            prop_assert!((found.approx(k, norm) - e).abs() < 1e-9);
        }
    }
}
