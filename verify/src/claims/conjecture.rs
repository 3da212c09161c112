//! The lower bound on sinks that Section 7 conjectures after Theorem 7.2.

use super::{Claim, Decide, Kind, decided};
use crate::cluster::ClusterCell;
use crate::cluster::spec::family;
use crate::evidence::{Evidence, Method, Value};
use crate::frame_norm::bounds;
use crate::nuclear::Norm;
use constructions::cluster::build::Pattern;
use constructions::cluster::factor::Spread;
use exact::{Rational, Surd};
use rayon::prelude::*;

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "conj-7.sink-lower",
    kind: Kind::Bound,
    place: "Sec. 7, after Theorem 7.2",
    statement: "Every sink solution of the cluster task costs, in VO and MLP, at least of order r_eta + C",
    needs: &[],
    repairs: None,
    explain: "Two families of sink solutions with C = 1 and tolerance 1/4 are run label by label, while r_eta, the rank of the nuisances, grows. \
              In A, W_O W_V b = -lambda dbar and the nuisances are orthogonal: the value map costs 2(lambda + (1-r)/lambda + 1), the n \
              neurons that write the nuisances together 2 delta n, which the choice of delta keeps small. In B, W_O W_V b = 0 and the nuisances \
              lie near a plane, so their rank says little about their cost. Costs are enclosed from above; each shows that no \
              constant times r_eta + C above cost / (r_eta + C) is a lower bound. Rows a.n and b.n show r_eta, r_eff(Sigma_D) and the cost. One member alone: `verify scenario --task family-a --n 512 --k 1024`, `--task family-b --n 64 --k 400000`.",
    decide: Decide::Alone(|| decided(conjecture())),
}];

/// The parameters (n, k) at which the families are run, with the names of their rows; k makes delta or tau 2k/(k^2 + 1).
const A: [(&str, usize, u64); 5] = [
    ("a.4", 4, 4),
    ("a.8", 8, 16),
    ("a.32", 32, 64),
    ("a.128", 128, 256),
    ("a.512", 512, 1024),
];
const B: [(&str, usize, u64); 4] = [
    ("b.8", 8, 400),
    ("b.16", 16, 4000),
    ("b.32", 32, 40000),
    ("b.64", 64, 400_000),
];

/// A member of a family that is a sink solution.
struct Member {
    row: &'static str,
    r_eta: usize,
    r_eff: Norm,
    checked: u128,
    cost: (Rational, Rational),
    theta: Spread,
}

fn member(letter: char, (row, n, k): (&'static str, usize, u64)) -> Result<Member, String> {
    let cell: ClusterCell = family(letter, n, k, None).map_err(|e| e.to_string())?;
    let name = |reason: &String| format!("family {letter}, n = {n}, k = {k}: {reason}");
    let margins = cell.margins(Pattern::Sink);
    let labels = cell.labels(Pattern::Sink);
    let failing = margins.failing.iter().chain(&labels.failing);
    if let Some(reason) = failing.chain(&labels.undecided).next() {
        return Err(name(reason));
    }
    let cost = cell.cost(Pattern::Sink).map_err(name)?;
    Ok(Member {
        row,
        r_eff: cell.effective().rank()?,
        r_eta: cell.task.geometry.r_eta(),
        checked: margins.checked + labels.checked,
        cost: bounds(&cost.rest()),
        theta: labels.theta.clone(),
    })
}

fn conjecture() -> Result<Evidence, String> {
    let all = |letter, parameters: &[(&'static str, usize, u64)]| {
        let members = parameters.par_iter().map(|p| member(letter, *p));
        members.collect::<Result<Vec<Member>, String>>()
    };
    let (a, b) = (all('A', &A)?, all('B', &B)?);
    let checked = a.iter().chain(&b).map(|m| m.checked).sum();
    let witness =
        grows(&a).and_then(|x| grows(&b).map(|y| format!("family A: {x}; family B: {y}")));
    let mut evidence = Evidence::of(checked, witness).by(Method::Exact);
    for (names, found) in [
        (
            ["a.r_eta", "a.cost", "a.theta_min", "a.theta_max"],
            a.last(),
        ),
        (
            ["b.r_eta", "b.cost", "b.theta_min", "b.theta_max"],
            b.last(),
        ),
    ] {
        let Some(m) = found else { continue };
        let (low, high) = m.cost.clone();
        evidence = evidence
            .with(names[0], m.r_eta as u128)
            .with(names[1], Value::Enclosed(low, high));
        for (name, range) in [(names[2], &m.theta.least), (names[3], &m.theta.greatest)] {
            if let Some((low, high)) = range.clone() {
                evidence = evidence.with(name, Value::between(low, high));
            }
        }
    }
    for m in a.iter().chain(&b) {
        let about = |x: Rational| Surd::from(x).approx(2);
        let row = format!(
            "r_eta = {}, r_eff = {}, cost {}; the conjectured order r_eta + C is {}",
            m.r_eta,
            about(bounds(&m.r_eff).1),
            about(m.cost.1.clone()),
            m.r_eta + 1
        );
        evidence = evidence.with(m.row, Value::Text(row));
    }
    Ok(evidence.with("checked", checked))
}

/// The costs in one line, if the rank grows from member to member while cost / (r_eta + 1) falls.
fn grows(found: &[Member]) -> Option<String> {
    let share = |m: &Member| {
        let rank = Rational::from(m.r_eta + 1);
        (m.cost.0.checked_div(&rank), m.cost.1.checked_div(&rank))
    };
    let falls = found.windows(2).all(|pair| {
        let least_before = share(&pair[0]).0;
        pair[0].r_eta < pair[1].r_eta && share(&pair[1]).1 < least_before
    });
    let rows = found.iter().map(|m| {
        let cost = Surd::from(m.cost.1.clone()).approx(2);
        format!("r_eta = {} costs about {cost}", m.r_eta)
    });
    falls.then(|| rows.collect::<Vec<_>>().join(", "))
}
