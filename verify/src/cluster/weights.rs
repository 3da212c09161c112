//! Proposed pair weights for the weighted lower bound. Floats propose, certificates decide.

use super::spectrum::{Edge, uniform};
use constructions::cluster::task::Task;
use constructions::matrix::at;
use exact::Rational;
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeSet;

/// Most pairs for which weights are sought.
const LARGEST: usize = 400;
/// Largest dimension of the nuisances for which weights are sought.
const LARGEST_SIDE: usize = 40;
/// Rounds of multiplicative updates.
const ROUNDS: usize = 60;

/// Weights worth trying, besides equal ones.
pub fn proposals(task: &Task) -> Vec<Vec<Edge>> {
    let edges = uniform(task);
    let inverse: Vec<Edge> = edges
        .iter()
        .filter_map(|e| {
            let weight = task.distance_squared(e.group, e.i, e.j).recip()?;
            Some(Edge {
                weight,
                ..e.clone()
            })
        })
        .collect();
    let mut closest: Vec<Edge> = Vec::new();
    for e in &inverse {
        match closest.last_mut() {
            Some(last) if last.group == e.group => {
                if e.weight > last.weight {
                    *last = e.clone();
                }
            }
            _ => closest.push(e.clone()),
        }
    }
    let mut all = vec![inverse, closest];
    all.extend(updated(task, &edges));
    all
}

/// Weights that push against the largest eigenvalues of Sigma_w, by multiplicative updates.
fn updated(task: &Task, edges: &[Edge]) -> Option<Vec<Edge>> {
    if edges.len() > LARGEST {
        return None;
    }
    // Differences of nuisances, in the part of the frame that they use: it is orthogonal there.
    let gram = &task.geometry.gram;
    let used: BTreeSet<usize> = edges
        .iter()
        .flat_map(|e| [task.nuisance(e.group, e.i), task.nuisance(e.group, e.j)])
        .flat_map(|eta| eta.iter().map(|(k, _)| *k))
        .collect();
    let r = used.len();
    if r > LARGEST_SIDE || used.iter().any(|k| gram[*k].len() != 1) {
        return None;
    }
    let coordinates = |c: usize, i: usize| {
        let eta = task.nuisance(c, i);
        let scaled = used
            .iter()
            .map(|k| at(eta, *k).to_f64() * at(&gram[*k], *k).to_f64().sqrt());
        DVector::from_iterator(r, scaled)
    };
    let differences: Vec<DVector<f64>> = edges
        .iter()
        .map(|e| coordinates(e.group, e.i) - coordinates(e.group, e.j))
        .collect();
    let mut w: Vec<f64> = differences
        .iter()
        .map(|x| 1.0 / x.norm_squared().max(1e-300))
        .collect();
    let mut best: (f64, Vec<f64>) = (0.0, w.clone());
    for round in 0..ROUNDS {
        let mut sum = DMatrix::<f64>::zeros(r, r);
        for (x, w) in differences.iter().zip(&w) {
            sum += x * x.transpose() * *w;
        }
        let eigen = sum.try_symmetric_eigen(f64::EPSILON, 10_000)?;
        let top = eigen.eigenvalues.max();
        let value = w.iter().sum::<f64>() / top;
        if value > best.0 {
            best = (value, w.iter().map(|x| x / top).collect());
        }
        // A soft indicator of the largest eigenvalues.
        let sharp = 10.0 + 2.0 * round as f64;
        let soft: Vec<f64> = eigen
            .eigenvalues
            .iter()
            .map(|l| (sharp * (l / top - 1.0)).exp())
            .collect();
        let mass: f64 = soft.iter().sum();
        for (x, w) in differences.iter().zip(&mut w) {
            let load: f64 = (0..r)
                .map(|k| soft[k] / mass * eigen.eigenvectors.column(k).dot(x).powi(2))
                .sum();
            *w *= (1.0 / (load * best.0).max(1e-12)).powf(0.3);
        }
    }
    let largest = best.1.iter().copied().fold(0.0, f64::max);
    edges
        .iter()
        .zip(&best.1)
        .map(|(e, w)| {
            let weight = Rational::from_f64_rounded(w / largest, 24)?;
            Some(Edge {
                weight,
                ..e.clone()
            })
        })
        .collect()
}
