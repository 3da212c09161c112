//! A block after attention, exact: residual, RMSNorm, ReLU neurons with biases, output bias, residual.

use crate::matrix::{Sparse, at, combine, dot};
use exact::Rational;
use num_traits::{One, Zero};
use std::cmp::Ordering;

/// A hidden unit `v relu(w . z + bias)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Neuron {
    /// `w`, what it reads.
    pub reads: Sparse,
    /// Its bias. Biases cost nothing.
    pub bias: Rational,
    /// `v`, what it writes.
    pub writes: Sparse,
}

/// An output `rational + root / |u|` for a state `u`, where `|u|^2` is rational and `|u|` need not be.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    rational: Sparse,
    root: Sparse,
}

impl Output {
    /// The output where it is rational; nothing where it is not.
    pub fn exact(&self) -> Option<&Sparse> {
        self.root.is_empty().then_some(&self.rational)
    }

    /// Coordinate `k` as a float, given |u|: for comparison and display, nothing is decided by it.
    pub fn approx(&self, k: usize, norm: f64) -> f64 {
        let root = at(&self.root, k).to_f64();
        let plain = at(&self.rational, k).to_f64();
        if root == 0.0 {
            plain
        } else {
            plain + root / norm
        }
    }
}

/// `u + sum_k v_k relu(w_k . u/|u| + bias_k) + b_2`; a zero state is normalised to zero.
pub fn output(state: &Sparse, neurons: &[Neuron], output_bias: &Sparse) -> Output {
    let square = dot(state, state);
    // 1/|u| where it is rational.
    let inverse = square
        .sqrt_exact()
        .map(|norm| norm.recip().unwrap_or_default());
    let one = Rational::one();
    let mut rational = vec![(one.clone(), state.clone()), (one, output_bias.clone())];
    let mut root: Vec<(Rational, Sparse)> = Vec::new();
    for neuron in neurons {
        let read = dot(&neuron.reads, state);
        match &inverse {
            Some(inverse) => {
                let unit = read * inverse + &neuron.bias;
                if unit.is_positive() {
                    rational.push((unit, neuron.writes.clone()));
                }
            }
            // read/|u| + bias has the sign of read + bias |u|.
            None if sign_with_root(&read, &neuron.bias, &square) == Ordering::Greater => {
                rational.push((neuron.bias.clone(), neuron.writes.clone()));
                root.push((read, neuron.writes.clone()));
            }
            None => {}
        }
    }
    let sum = |parts: &[(Rational, Sparse)]| combine(parts.iter().map(|(c, v)| (c.clone(), v)));
    Output {
        rational: sum(&rational),
        root: sum(&root),
    }
}

/// The sign of `p + q sqrt(n)`, n >= 0, by squares.
pub fn sign_with_root(p: &Rational, q: &Rational, n: &Rational) -> Ordering {
    let zero = Rational::zero();
    let rest = if n.is_zero() { zero.clone() } else { q.clone() };
    match (p.cmp(&zero), rest.cmp(&zero)) {
        (Ordering::Equal, second) => second,
        (first, Ordering::Equal) => first,
        (first, second) if first == second => first,
        // Opposite signs: the larger square wins.
        (first, _) => match (p * p).cmp(&(q * q * n)) {
            Ordering::Greater => first,
            Ordering::Equal => Ordering::Equal,
            Ordering::Less => first.reverse(),
        },
    }
}
