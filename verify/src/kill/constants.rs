//! Mutations of the numeric constants of Theorem D.1: how far each can be tightened before a claim refuses it on a small grid.
//!
//! A bound that holds with room holds with a slightly smaller constant too; here every constant is tightened to 11/12, 3/4, 7/12 and
//! 1/3 of what is printed (lower bounds: enlarged by the inverse), and the table says from where on it is refused.

use super::{Fate, Row};
use crate::claims::clusters::constants::Constants;
use crate::claims::clusters::with_constants;
use crate::cluster::ClusterCell;
use crate::cluster::spec::{ClusterSpec, SpecError};
use crate::evidence::Outcome;
use constructions::cluster::shapes::{Coherence, Shape};
use constructions::cluster::task::Data;
use exact::{Rational, Surd, ratio};

fn cells() -> Result<Vec<ClusterCell>, SpecError> {
    let mut all = Vec::new();
    let shapes = [
        Shape::Orthogonal,
        Shape::Simplex,
        Shape::Near(ratio(1, 100)),
    ];
    for (groups, n) in [(1, 1), (1, 2), (1, 4), (3, 1), (2, 4)] {
        for shape in &shapes {
            for (phi, coherence) in [
                (ratio(0, 1), Coherence::Equal),
                (ratio(1, 24), Coherence::Paired),
            ] {
                let spec = ClusterSpec {
                    dormants: vec![n; groups],
                    delta: Surd::from(ratio(1, 2)),
                    phi,
                    coherence,
                    epsilon: ratio(1, 20),
                    shape: shape.clone(),
                    data: Data::default(),
                    width: None,
                    kappa: None,
                    size: Some(1),
                };
                all.push(spec.cell()?);
            }
        }
    }
    Ok(all)
}

type Place = fn(&mut Constants) -> &mut Rational;

pub(super) fn table() -> Result<Vec<Row>, SpecError> {
    // Name, place, and whether it belongs to a lower bound.
    let places: [(&str, Place, bool); 8] = [
        ("12", |c| &mut c.sink_attention, false),
        ("5", |c| &mut c.sink_rest, false),
        ("13", |c| &mut c.diagonal_attention, false),
        ("4", |c| &mut c.separation, false),
        ("3", |c| &mut c.diagonal_rest, false),
        ("1/2", |c| &mut c.copy, true),
        ("1 of r_eff/delta^2", |c| &mut c.effective, true),
        ("7/6", |c| &mut c.r_mu, false),
    ];
    let cells = cells()?;
    let mut rows = Vec::new();
    for (name, place, lower) in places {
        for factor in [ratio(11, 12), ratio(3, 4), ratio(7, 12), ratio(1, 3)] {
            let mut constants = Constants::printed();
            let change = if lower {
                factor.recip().unwrap_or_default()
            } else {
                factor
            };
            *place(&mut constants) *= &change;
            let value = place(&mut constants).clone();
            rows.push(Row {
                equation: "Theorem D.1",
                change: format!("{name} times {change}"),
                formula: value.to_string(),
                fate: fate(&cells, &constants),
            });
        }
    }
    Ok(rows)
}

/// The first claim that no longer holds somewhere. A lower bound that is not reached is refused too: what is not certified does not
/// hold.
fn fate(cells: &[ClusterCell], constants: &Constants) -> Fate {
    for cell in cells {
        for (claim, evidence) in with_constants(cell, constants) {
            let outcome = evidence.outcome();
            let reason = evidence.witness.or(evidence.undecided);
            if matches!(outcome, Outcome::Refuted | Outcome::Unknown) {
                return Fate::Refused(claim, reason.unwrap_or_default());
            }
        }
    }
    Fate::Passes
}
