//! A block after attention, exact: residual, RMSNorm, ReLU neurons with biases, output bias, residual.

use crate::matrix::{Sparse, combine, dot};
use exact::{Field, Rational};
use std::cmp::Ordering;

/// A hidden unit `v relu(w . z + bias)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Neuron<F = Rational> {
    /// `w`, what it reads: its inner products with the frame.
    pub reads: Sparse<F>,
    /// Its bias. Biases cost nothing.
    pub bias: F,
    /// `v`, what it writes.
    pub writes: Sparse<F>,
}

/// An output `plain + root / |u|` for a state `u`, where `|u|^2` is in the field and `|u|` need not be.
#[derive(Clone, Debug, PartialEq)]
pub struct Output<F = Rational> {
    /// What does not depend on |u|.
    pub plain: Sparse<F>,
    /// What is divided by |u|.
    pub root: Sparse<F>,
}

/// `u + sum_k v_k relu(w_k . u/|u| + bias_k) + b_2`, given `|u|^2`; a zero state is normalised to zero.
pub fn output<F: Field>(
    state: &Sparse<F>,
    square: &F,
    neurons: &[Neuron<F>],
    output_bias: &Sparse<F>,
) -> Output<F> {
    let mut plain = vec![(F::unit(), state), (F::unit(), output_bias)];
    let mut root: Vec<(F, &Sparse<F>)> = Vec::new();
    for neuron in neurons {
        let read = if square.is_nought() {
            F::nought()
        } else {
            dot(&neuron.reads, state)
        };
        // read/|u| + bias has the sign of read + bias |u|.
        let on = if square.is_nought() {
            neuron.bias.sign() > 0
        } else {
            sign_with_root(&read, &neuron.bias, square) == Ordering::Greater
        };
        if on {
            plain.push((neuron.bias.clone(), &neuron.writes));
            root.push((read, &neuron.writes));
        }
    }
    Output {
        plain: combine(plain),
        root: combine(root),
    }
}

/// The sign of `p + q sqrt(n)`, n >= 0, by squares.
pub fn sign_with_root<F: Field>(p: &F, q: &F, n: &F) -> Ordering {
    let second = if n.is_nought() { 0 } else { q.sign() };
    match (p.sign(), second) {
        (0, second) => second.cmp(&0),
        (first, 0) => first.cmp(&0),
        (first, second) if first == second => first.cmp(&0),
        // Opposite signs: the larger square wins.
        (first, _) => match p.times(p).cmp(&q.times(q).times(n)) {
            Ordering::Greater => first.cmp(&0),
            Ordering::Equal => Ordering::Equal,
            Ordering::Less => 0.cmp(&first),
        },
    }
}
