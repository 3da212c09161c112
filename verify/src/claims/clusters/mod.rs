//! Theorem 7.2 and Theorem D.1: the cluster task.

mod builds;
mod conditions;
pub(crate) mod constants;
mod lower;
mod sharper;
mod upper;

use super::Claim;
use crate::cluster::ClusterCell;
use crate::evidence::{Evidence, Value};
use crate::frame_norm::bounds;
use crate::nuclear::Norm;
use constants::Constants;
use constructions::cluster::build::Pattern;
use exact::{Rational, Surd};

/// All claims about the cluster task, in the order of the paper.
pub(super) fn all() -> impl Iterator<Item = &'static Claim> {
    [
        builds::CLAIMS,
        upper::CLAIMS,
        lower::CLAIMS,
        sharper::CLAIMS,
        conditions::CLAIMS,
    ]
    .into_iter()
    .flatten()
}

/// The bounds of Theorem D.1 and the range of theta with other constants than the printed ones: the claims that state them, and what
/// they say then.
pub(crate) fn with_constants(
    cell: &ClusterCell,
    constants: &Constants,
) -> [(&'static str, Evidence); 5] {
    [
        (
            "thm-D.1.sink.upper",
            upper::bound(cell, Pattern::Sink, constants),
        ),
        (
            "thm-D.1.diag.upper",
            upper::bound(cell, Pattern::Diagonal, constants),
        ),
        (
            "thm-D.1.diag.lower",
            under_hypotheses(cell, || lower::diagonal(cell, constants)),
        ),
        (
            "thm-D.1.sink.lower",
            under_hypotheses(cell, || lower::sink(cell, constants)),
        ),
        ("thm-D.1.theta", builds::all_multisets(cell, constants)),
    ]
}

type Fallible = Result<Evidence, String>;

/// Evidence under the hypotheses of Theorem 7.2: vacuous where they are not met.
fn under_hypotheses(cell: &ClusterCell, decide: impl FnOnce() -> Fallible) -> Evidence {
    match cell.task.outside() {
        Some(reason) => Evidence::vacuous(reason),
        None => decide().unwrap_or_else(Evidence::unknown),
    }
}

/// An inequality `norm <= bound` that must hold.
struct AtMost {
    what: &'static str,
    found: Norm,
    bound: Surd,
}

impl AtMost {
    fn new(what: &'static str, found: Norm, bound: impl Into<Surd>) -> AtMost {
        AtMost {
            what,
            found,
            bound: bound.into(),
        }
    }
}

/// Decides all of them: the first that fails is the witness, one that an enclosure leaves open makes the claim unknown.
fn decide_all(all: &[AtMost]) -> Evidence {
    let mut evidence = Evidence::of(all.len() as u128, None);
    for AtMost { what, found, bound } in all {
        let (low, high) = bounds(found);
        let exact = matches!(found, Norm::Exact(x) if x <= bound);
        if exact || Surd::from(high.clone()) <= *bound {
            continue;
        }
        let above = match found {
            Norm::Exact(_) => true,
            Norm::Enclosed(..) => Surd::from(low.clone()) > *bound,
        };
        let about = |x: Rational| Surd::from(x).approx(9);
        if above {
            evidence.witness.get_or_insert(format!(
                "{what} is {}, more than {}",
                about(low),
                bound.approx(9)
            ));
        } else {
            evidence.undecided.get_or_insert(format!(
                "{what} is between {} and {}, the bound is {}",
                about(low),
                about(high),
                bound.approx(9)
            ));
        }
    }
    evidence
}

/// A number for a report: of a long one an enclosure is shown.
fn shortened(x: &Surd) -> Value {
    if x.to_string().len() <= 24 {
        return x.clone().into();
    }
    let (low, high) = x.enclosure(64);
    Value::Enclosed(low, high)
}

/// `found / bound` for a report: how much of a bound is used.
fn share(found: &Norm, bound: &Surd) -> Value {
    let Some(inverse) = bound.inverse() else {
        return Value::Text("no bound".into());
    };
    match found {
        Norm::Exact(x) => shortened(&(x * &inverse)),
        Norm::Enclosed(low, high) => {
            let times = |x: &Rational| inverse.scale(x).enclosure(64);
            Value::Enclosed(times(low).0, times(high).1)
        }
    }
}

/// A cost `attention * kappa/sqrt d + rest`: a number where kappa is fixed, a form otherwise.
fn cost(cell: &ClusterCell, attention: &Norm, rest: &Norm) -> Value {
    match cell.unit() {
        Some(unit) => {
            let sum = |a: &Surd, r: &Surd| &(a * &unit) + r;
            match (attention, rest) {
                (Norm::Exact(a), Norm::Exact(r)) => sum(a, r).into(),
                _ => {
                    let ((a0, a1), (r0, r1)) = (bounds(attention), bounds(rest));
                    let at = |a: Rational, r: Rational| sum(&a.into(), &r.into()).enclosure(64);
                    Value::Enclosed(at(a0, r0).0, at(a1, r1).1)
                }
            }
        }
        None => Value::Text(format!(
            "{} kappa/sqrt d + {}",
            brief(attention),
            brief(rest)
        )),
    }
}

/// A norm in a form: exact where it is short, otherwise as many decimals as are known.
fn brief(x: &Norm) -> String {
    if let Norm::Exact(x) = x {
        let text = x.to_string();
        if text.len() <= 12 {
            return text;
        }
        return x.approx(6);
    }
    let (low, high) = bounds(x);
    let (a, b) = (Surd::from(low).approx(6), Surd::from(high).approx(6));
    if a == b { a } else { format!("[{a}, {b}]") }
}

/// r_eta and C as numbers.
fn sizes(cell: &ClusterCell) -> (Rational, Rational) {
    (
        Rational::from(cell.task.geometry.r_eta()),
        Rational::from(cell.task.groups()),
    )
}
