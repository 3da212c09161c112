//! Two families of sink solutions whose cost stays bounded while r_eta, the rank of the nuisances, grows.
//!
//! Both have one group of n dormant tokens d_i = lambda dbar + eta_i, one copy token c, tolerance 1/4, and sequences in which a
//! copy token sees at most one dormant: (b, d_i, c). Family A uses that nothing forces `W_O W_V b = 0`; family B has it zero.
//! They are written out in an orthonormal basis of their own, and every number is rational.

use super::block::Neuron;
use super::build::Build;
use super::geometry::Geometry;
use super::task::{Data, Task, TaskError, lift};
use crate::matrix::{Sparse, combine, dot};
use exact::{Rational, Surd, ratio};
use num_traits::{One, Zero};

/// A sink solution of a cluster task with C = 1, in orthonormal coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// Its name, with its parameters.
    pub name: String,
    /// The width of the basis.
    pub width: usize,
    /// b, dbar, c.
    pub special: Vec<Sparse>,
    /// The nuisances eta_i.
    pub nuisances: Vec<Sparse>,
    /// `B`, as outer products (query side, key side), in units of kappa/sqrt d.
    pub qk: Vec<(Sparse, Sparse)>,
    /// `W_O W_V`, as outer products (output, input).
    pub vo: Vec<(Sparse, Sparse)>,
    /// The hidden units.
    pub neurons: Vec<Neuron>,
    /// The output bias b_2.
    pub output_bias: Sparse,
}

impl Family {
    /// The task and the block, for the checks that every block passes through.
    ///
    /// # Errors
    /// The tokens are not those of a cluster task.
    pub fn solution(&self) -> Result<(Task, Build), TaskError> {
        let geometry =
            Geometry::from_vectors(self.width, self.special.clone(), self.nuisances.clone())?;
        let delta_squared = self
            .nuisances
            .first()
            .map_or_else(Rational::zero, |eta| dot(eta, eta));
        let data = Data {
            most: Some(1),
            ..Data::default()
        };
        let dormants = vec![self.nuisances.len()];
        let task = Task::of(dormants, delta_squared, ratio(1, 4), geometry, data)?;
        let columns = |outers: &[(Sparse, Sparse)]| {
            let mut parts: Vec<Vec<(Rational, &Sparse)>> = vec![Vec::new(); self.width];
            for (left, right) in outers {
                for (k, x) in right {
                    parts[*k].push((x.clone(), left));
                }
            }
            parts.into_iter().map(|p| lift(&combine(p))).collect()
        };
        let neuron = |n: &Neuron| Neuron {
            reads: lift(&n.reads),
            bias: Surd::from(n.bias.clone()),
            writes: lift(&n.writes),
        };
        let build = Build {
            qk: columns(&self.qk),
            vo: columns(&self.vo),
            neurons: self.neurons.iter().map(neuron).collect(),
            output_bias: lift(&self.output_bias),
        };
        Ok((task, build))
    }
}

/// `((k^2 - 1)/(k^2 + 1), 2k/(k^2 + 1))`, a rational point of the unit circle.
fn pythagorean(k: u64) -> (Rational, Rational) {
    let k = Rational::from(k as usize);
    let square = &k * &k;
    let below = (&square + Rational::one()).recip().unwrap_or_default();
    (
        (square - Rational::one()) * &below,
        Rational::integer(2) * k * below,
    )
}

fn unit(k: usize) -> Sparse {
    vec![(k, Rational::one())]
}

/// A vector from its coordinates, zeros left out.
fn vector(entries: impl IntoIterator<Item = (usize, Rational)>) -> Sparse {
    let mut all: Sparse = entries.into_iter().filter(|(_, x)| !x.is_zero()).collect();
    all.sort_by_key(|(k, _)| *k);
    all
}

fn scaled(c: Rational, x: &Sparse) -> Sparse {
    combine([(c, x)])
}

fn inverse(x: &Rational) -> Rational {
    x.recip().unwrap_or_default()
}

// Coordinates common to both families.
const B: usize = 0;
const DBAR: usize = 1;
const COPY: usize = 2;

/// `B = c (b + (2/lambda) dbar)^T + (1/lambda) dbar b^T`: a copy query scores a dormant 2, BOS 1 and itself 0; a dormant query
/// scores BOS 1 and everything else 0.
fn query_key(lambda: &Rational) -> Vec<(Sparse, Sparse)> {
    let keys = vector([
        (B, Rational::one()),
        (DBAR, Rational::integer(2) * inverse(lambda)),
    ]);
    let dormant = vector([(DBAR, inverse(lambda))]);
    vec![(unit(COPY), keys), (dormant, unit(B))]
}

/// The tokens and attention that both families share; value map and MLP are zero.
fn tokens(name: String, width: usize, lambda: &Rational, nuisances: Vec<Sparse>) -> Family {
    Family {
        name,
        width,
        special: vec![unit(B), unit(DBAR), unit(COPY)],
        nuisances,
        qk: query_key(lambda),
        vo: Vec::new(),
        neurons: Vec::new(),
        output_bias: Sparse::new(),
    }
}

/// Family A: `W_O W_V b = -lambda dbar`. Parameters n >= 1 dormants and k >= 4, delta = 2k/(k^2 + 1).
pub fn a(n: usize, k: u64) -> Family {
    let one = Rational::one;
    let (lambda, delta) = pythagorean(k);
    let s = inverse(&Rational::from(n));
    let g = ratio(13, 12) * &delta * &s;
    let r = ratio(5, 13) * g;
    let theta = &s + ratio(12, 13);
    let e = |i: usize| 3 + i;
    let nuisances: Vec<Sparse> = (0..n).map(|i| vector([(e(i), delta.clone())])).collect();
    let mut vo = vec![
        (scaled(-lambda.clone(), &unit(DBAR)), unit(B)),
        (
            scaled(-(one() - &r) * inverse(&lambda), &unit(COPY)),
            unit(DBAR),
        ),
    ];
    vo.extend((0..n).map(|i| (scaled(s.clone(), &unit(e(i))), unit(e(i)))));
    let mut neurons = vec![
        // A writes lambda dbar, but not for BOS and the idle copy token.
        Neuron {
            reads: vector([(DBAR, ratio(3, 2))]),
            bias: lambda.clone(),
            writes: unit(DBAR),
        },
        // K mends the copy token's own part.
        Neuron {
            reads: vector([(COPY, one()), (DBAR, ratio(6, 5))]),
            bias: Rational::zero(),
            writes: vector([
                (COPY, ratio(13, 5) * (one() - &r)),
                (
                    DBAR,
                    ratio(13, 5) * (&theta - Rational::integer(2)) * &lambda,
                ),
            ]),
        },
    ];
    neurons.extend((0..n).map(|i| Neuron {
        reads: unit(e(i)),
        bias: Rational::zero(),
        writes: vector([(e(i), delta.clone())]),
    }));
    Family {
        vo,
        neurons,
        output_bias: vector([(DBAR, lambda.clone())]),
        ..tokens(
            format!("family A, n = {n}, k = {k}"),
            3 + n,
            &lambda,
            nuisances,
        )
    }
}

/// Points of the unit circle near n equally spaced angles, n >= 3, exactly on it: (1 - t^2, 2t)/(1 + t^2).
fn circle(n: usize) -> Vec<(Rational, Rational)> {
    (0..n)
        .map(|i| {
            // Angles in (-pi, pi); a float proposes tan(angle/2), rounded to a rational.
            let angle = std::f64::consts::PI * ((2 * i + 1) as f64 / n as f64 - 1.0);
            let t = Rational::from_f64_rounded((angle / 2.0).tan(), 16).unwrap_or_default();
            let square = &t * &t;
            let below = inverse(&(Rational::one() + &square));
            (
                (Rational::one() - square) * &below,
                Rational::integer(2) * t * below,
            )
        })
        .collect()
}

/// Family B: `W_O W_V b = 0`. n dormants whose nuisances lie near a plane: eta_i = delta (sigma p_i + tau q_i), p_i on a
/// circle, tau = 2k/(k^2 + 1). It needs n >= 6, so that neighbouring p_i are close enough, and a large k.
pub fn b(n: usize, k: u64) -> Family {
    let one = Rational::one;
    let (lambda, delta) = (ratio(12, 13), ratio(5, 13));
    let (sigma, tau) = pythagorean(k);
    let points = circle(n);
    let nearest = |i: usize| -> Rational {
        let inner = |j: usize| &points[i].0 * &points[j].0 + &points[i].1 * &points[j].1;
        (0..n)
            .filter(|j| *j != i)
            .map(inner)
            .max()
            .unwrap_or_default()
    };
    let short = &delta * &tau;
    let nu_squared = one() - &short * &short;
    let u = ratio(11, 50);
    let u_squared = &u * &u;
    let below = inverse(&(&nu_squared - &u_squared));
    let s = Rational::integer(2) * u * &below;
    // R^2 = 1 + s^2 nu^2 is the square of a copy state.
    let r = one() + Rational::integer(2) * u_squared * below;
    let linear = ratio(3, 4);
    let theta = &s * (one() + &linear * inverse(&r));
    let (x, y) = (3, 4);
    let q = |i: usize| 5 + i;
    let point = |i: usize, c: &Rational| vector([(x, c * &points[i].0), (y, c * &points[i].1)]);
    let nuisances: Vec<Sparse> = (0..n)
        .map(|i| {
            let near = point(i, &(&delta * &sigma));
            combine([(one(), &near), (short.clone(), &unit(q(i)))])
        })
        .collect();
    let plane = [DBAR, x, y];
    let vo = plane
        .iter()
        .map(|k| (scaled(s.clone(), &unit(*k)), unit(*k)))
        .collect();
    // Coordinates of a unit vector are at least -1, so a bias of 1 makes relu linear.
    let mut neurons: Vec<Neuron> = plane
        .iter()
        .map(|k| Neuron {
            reads: unit(*k),
            bias: one(),
            writes: scaled(linear.clone(), &unit(*k)),
        })
        .collect();
    let output_bias = vector(plane.iter().map(|k| (*k, -linear.clone())));
    for i in 0..n {
        let m = nearest(i);
        let gap = inverse(&(&sigma * (one() - &m)));
        neurons.push(Neuron {
            reads: point(i, &one()),
            bias: -(&delta * &sigma * &m),
            writes: scaled(&linear * &tau * &gap, &unit(q(i))),
        });
        let beta = &delta * &sigma * (&r - &s * &m);
        let bias = -(&delta * &sigma * &s * &m + &beta) * inverse(&r);
        let reads = combine([(one(), &point(i, &one())), (beta, &unit(COPY))]);
        neurons.push(Neuron {
            reads,
            bias,
            writes: scaled(&theta * &tau * &r * inverse(&s) * gap, &unit(q(i))),
        });
    }
    Family {
        vo,
        neurons,
        output_bias,
        ..tokens(
            format!("family B, n = {n}, k = {k}"),
            5 + n,
            &lambda,
            nuisances,
        )
    }
}
