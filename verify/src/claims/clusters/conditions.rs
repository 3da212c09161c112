//! Condition (4) of Theorem 7.2 and the mended one.

use super::lower::{nothing_copied, too_many};
use super::{Fallible, brief, sizes, under_hypotheses};
use crate::claims::{Claim, Decide, Kind};
use crate::cluster::bounds::{self, CopySum};
use crate::cluster::{ClusterCell, spectrum};
use crate::evidence::{Evidence, Method, Value};
use crate::frame_norm::{self, times};
use crate::nuclear::Norm;
use constructions::cluster::build::{Build, Pattern};
use exact::{Rational, Surd, ratio};
use std::cmp::Ordering;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "thm-7.2.condition-4",
        kind: Kind::Condition,
        place: "Theorem 7.2 (4)",
        statement: "12 kappa C/sqrt d + 5 (r_eta + C) < kappa/(delta^2 sqrt d) r_eff(Sigma_D)",
        needs: &[],
        repairs: None,
        explain: "Both sides are affine in kappa: above kappa* = sqrt(d) 5 (r_eta + C)/(r_eff/delta^2 - 12 C) the condition holds, and never where r_eff/delta^2 <= 12 C.",
        decide: Decide::InCluster(|cell| under_hypotheses(cell, || printed(cell))),
    },
    Claim {
        id: "thm-7.2~",
        kind: Kind::Bound,
        place: "Theorem 7.2, mended",
        statement: "The sink is cheaper if x kappa C/sqrt d + 3.8 (r_eta + C) < kappa/(delta^2 sqrt d) r_eff(Sigma_D), x = 7.5 where sequences with an absent group occur, x = 8.1 otherwise",
        needs: &[
            "thm-D.1.sink.margins",
            "thm-D.1.sink.labels",
            "thm-D.1.sink.cheaper~",
            "thm-D.1.constants~",
            "thm-D.1.copy-cost~",
            "thm-D.1.diag.lower",
        ],
        repairs: Some("thm-7.2.condition-4"),
        explain: "The exact cost of the cheaper sink against a certified bound on every diagonal solution, pairs and copy inequalities together: \
                  2 |B|_* <= lower bound - r_eff/delta^2 + x C, and the rest at most 3.8 (r_eta + C). kappa_star is the threshold of the stated condition.",
        decide: Decide::InCluster(|cell| under_hypotheses(cell, || mended(cell))),
    },
];

/// `slope q + constant < rank/delta^2 q`, q = kappa/sqrt d.
struct Condition {
    slope: Rational,
    constant: Rational,
    right: Norm,
}

impl Condition {
    fn new(cell: &ClusterCell, per_c: Rational, per_size: Rational) -> Result<Condition, String> {
        let (r, c) = sizes(cell);
        let rank = cell.effective().rank()?;
        let right = match cell.task.delta_squared.recip() {
            Some(inverse) => times(rank, &inverse),
            None => rank,
        };
        Ok(Condition {
            slope: per_c * &c,
            constant: per_size * (r + c),
            right,
        })
    }

    /// kappa*, or why there is none.
    fn threshold(&self, cell: &ClusterCell) -> Result<Value, String> {
        let root = Surd::sqrt(&Rational::from(cell.width)).map_err(|e| e.to_string())?;
        let at = |right: &Surd| -> Option<Surd> {
            let gain = right - &Surd::from(self.slope.clone());
            (gain.signum() > 0)
                .then(|| gain.inverse())
                .flatten()
                .map(|inverse| (&root * &inverse).scale(&self.constant))
        };
        Ok(match &self.right {
            Norm::Exact(x) => match at(x) {
                Some(threshold) => threshold.into(),
                None => Value::Text("never".into()),
            },
            Norm::Enclosed(low, high) => {
                match (at(&low.clone().into()), at(&high.clone().into())) {
                    (Some(most), Some(least)) => {
                        Value::Enclosed(least.enclosure(64).0, most.enclosure(64).1)
                    }
                    (None, None) => Value::Text("never".into()),
                    _ => return Err("r_eff is not known well enough".into()),
                }
            }
        })
    }

    /// Does it hold at the cell's kappa? Nothing without one, or where an enclosure does not tell.
    fn holds(&self, cell: &ClusterCell) -> Option<bool> {
        let unit = cell.unit()?;
        let left = &unit.scale(&self.slope) + &Surd::from(self.constant.clone());
        let (low, high) = frame_norm::bounds(&self.right);
        let right = |x: Rational| unit.scale(&x);
        match &self.right {
            Norm::Exact(x) => Some(left < &unit * x),
            _ if left < right(low) => Some(true),
            _ if left.cmp(&right(high)) != Ordering::Less => Some(false),
            _ => None,
        }
    }

    fn evidence(&self, cell: &ClusterCell) -> Fallible {
        let mut evidence = Evidence::of(1, None);
        evidence.conditional = cell.kappa.is_none();
        if let Some(kappa) = &cell.kappa {
            match self.holds(cell) {
                Some(true) => {}
                Some(false) => {
                    evidence.witness = Some(format!(
                        "at kappa = {kappa} the left side is not below the right side"
                    ));
                }
                None => return Err("r_eff is not known well enough".into()),
            }
        }
        Ok(self
            .values(evidence, cell)?
            .with("r_eff", cell.effective().rank()?))
    }

    fn values(&self, evidence: Evidence, cell: &ClusterCell) -> Fallible {
        let left = format!("{} kappa/sqrt d + {}", self.slope, self.constant);
        Ok(evidence
            .with("kappa_star", self.threshold(cell)?)
            .with("lhs", Value::Text(left))
            .with(
                "rhs",
                Value::Text(format!("{} kappa/sqrt d", brief(&self.right))),
            ))
    }
}

fn printed(cell: &ClusterCell) -> Fallible {
    Condition::new(cell, Rational::integer(12), Rational::integer(5))?.evidence(cell)
}

fn mended(cell: &ClusterCell) -> Fallible {
    if let Some(vacuous) = nothing_copied(cell).or_else(|| too_many(cell)) {
        return Ok(vacuous);
    }
    if let Some(reason) = cell.infeasible() {
        return Ok(Evidence::vacuous(reason));
    }
    let task = &cell.task;
    let (_, c) = sizes(cell);
    let (which, per_c) = if task.data.absent {
        (CopySum::Chained, ratio(75, 10))
    } else {
        (CopySum::Itself, ratio(81, 10))
    };
    let condition = Condition::new(cell, per_c.clone(), ratio(38, 10))?;
    let effective = cell.effective();
    let mut all = bounds::pairs(&spectrum::uniform(task), effective).map_err(|e| e.to_string())?;
    all.extend(bounds::copies(task, Pattern::Diagonal, which));
    let lower = bounds::bound(task, Pattern::Diagonal, &all)
        .map_err(|e| e.to_string())?
        .scale(&Rational::integer(2));
    // The cheaper sink shares the printed query-key matrix.
    let printed = Build::printed(task, Pattern::Sink);
    let norm = crate::cluster::cost::norm(task, &printed.qk).map_err(|e| e.to_string())?;
    let attention = times(norm, &Rational::integer(2));
    let room = &lower + &Surd::from(per_c * c);
    let need = frame_norm::add(attention.clone(), condition.right.clone());
    let met = match &need {
        Norm::Exact(x) => *x <= room,
        Norm::Enclosed(_, high) => Surd::from(high.clone()) <= room,
    };
    let mut evidence = Evidence::of(all.len() as u128, None).by(Method::Certificate);
    if !met {
        evidence.undecided = Some(format!(
            "sink {} and r_eff/delta^2 {} against the certified {}",
            brief(&attention),
            brief(&condition.right),
            room.approx(9)
        ));
    }
    condition.values(evidence, cell)
}
