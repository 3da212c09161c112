//! The two lower bounds of Theorem D.1, and the norms that its proof uses.

use super::constants::Constants;
use super::{Fallible, brief, share, shortened, sizes, under_hypotheses};
use crate::claims::{Claim, Decide, Kind};
use crate::cluster::bounds::{self, CopySum, Weighted};
use crate::cluster::spectrum;
use crate::cluster::{ClusterCell, spectrum::Edge};
use crate::evidence::{Evidence, Method, Value};
use crate::frame_norm;
use crate::nuclear::Norm;
use certificates::psd::{Symmetric, semidefinite};
use constructions::cluster::build::Pattern;
use exact::{Rational, Surd};
use num_traits::{One, Zero};
use std::collections::BTreeMap;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "thm-D.1.diag.lower",
        kind: Kind::Bound,
        place: "Theorem D.1 (2)",
        statement: "Every diagonal solution costs at least kappa/(delta^2 sqrt d) r_eff(Sigma_D) + kappa C/(2 sqrt d)",
        needs: &[],
        repairs: None,
        explain: "A dual certificate: both orders of every pair in P_c with weight 1/|Sigma_D|_2, and the copy inequalities of part 2; the checker \
                  decides that their sum has norm at most 1. lower_bound is what the certificate proves, direct_bound its part before the trace estimate tr Sigma_D <= 4 delta^2 d N_D, \
                  4 N_D/|Sigma_D|_2. Where no pair occurs in both orders r_eff(0) is read as 0. Values in kappa/sqrt d.",
        decide: Decide::InCluster(|cell| {
            under_hypotheses(cell, || diagonal(cell, &Constants::printed()))
        }),
    },
    Claim {
        id: "thm-D.1.sink.lower",
        kind: Kind::Bound,
        place: "Theorem D.1 (4)",
        statement: "Every sink solution costs at least kappa C/(2 sqrt d)",
        needs: &[],
        repairs: None,
        explain: "A dual certificate from the copy inequalities of part 4. lower_bound in kappa/sqrt d.",
        decide: Decide::InCluster(|cell| {
            under_hypotheses(cell, || sink(cell, &Constants::printed()))
        }),
    },
    Claim {
        id: "thm-D.1.norms",
        kind: Kind::Bound,
        place: "App. D, D.1 parts 2 and 4",
        statement: "|N_lambda|_2 = sqrt(1 + lambda^2 (C+1)^2) and |N_sink|_2 = max(lambda (C+1), sqrt(C + lambda^2))",
        needs: &[],
        repairs: None,
        explain: "N N^T is computed; s is its norm if s^2 I - N N^T is semidefinite and singular. With one group the rows are lambda dbar - c: there the norm is \
                  sqrt(1 + lambda^2), less than printed, so the bounds that use it stand.",
        decide: Decide::InCluster(|cell| norms(cell).unwrap_or_else(Evidence::unknown)),
    },
    Claim {
        id: "thm-D.1.copy-cost~",
        kind: Kind::Bound,
        place: "Theorem D.1 (2) and (4), sharper",
        statement: "From the copy query's own key alone both patterns cost at least 2 kappa C/((1 + 2 C phi) sqrt(1 + lambda^2) sqrt d) >= 1.13 kappa C/sqrt d; where sequences with an absent group occur, at least 1.77 kappa C/sqrt d",
        needs: &[],
        repairs: Some("thm-D.1.sink.lower"),
        explain: "Dual certificates for both patterns: a dormant leads the query's own embedding; in two steps, a dormant leads the idle key and that one \
                  leads BOS, itself and the wrong groups, so that dormants lead these by 2 kappa. Values in kappa/sqrt d.",
        decide: Decide::InCluster(|cell| under_hypotheses(cell, || copy_cost(cell))),
    },
    Claim {
        id: "thm-D.1.weighted~",
        kind: Kind::Bound,
        place: "Theorem D.1 (2), sharper",
        statement: "With any pair weights w >= 0 every diagonal solution costs at least 4 sum w/|Sigma_w|_2 kappa/sqrt d, never less than the direct bound at its best",
        needs: &[],
        repairs: Some("thm-D.1.diag.lower"),
        explain: "Weights are tried (equal, by inverse squared distance, the closest pair of every group alone, and multiplicative updates); the best is \
                  certified. weighted_bound, direct_bound (equal weights, 4 N_D/|Sigma_D|_2) and printed_bound (r_eff/delta^2), in kappa/sqrt d.",
        decide: Decide::InCluster(|cell| under_hypotheses(cell, || weighted(cell))),
    },
];

/// The proven lower bound on the cost, 2 |B|_*, in kappa/sqrt d.
fn proven(cell: &ClusterCell, pattern: Pattern, all: &[Weighted]) -> Result<Surd, String> {
    if all.is_empty() {
        return Ok(Surd::zero());
    }
    let bound = bounds::bound(&cell.task, pattern, all).map_err(|e| e.to_string())?;
    Ok(bound.scale(&Rational::integer(2)))
}

/// Holds if the proven bound reaches `least`.
fn reaches(checked: usize, found: &Surd, least: &Norm, name: &str) -> Evidence {
    let (low, high) = frame_norm::bounds(least);
    let mut evidence = Evidence::of(checked as u128, None).by(Method::Certificate);
    let reached = match least {
        Norm::Exact(x) => found >= x,
        Norm::Enclosed(..) => *found >= Surd::from(high),
    };
    if !reached {
        // A certificate that falls short refutes nothing.
        evidence.undecided = Some(format!(
            "the certificate proves {}, {name} is {}",
            found.approx(9),
            Surd::from(low).approx(9)
        ));
    }
    evidence
}

/// Most pairs whose inequalities are added up.
const MOST_PAIRS: usize = 20_000;

/// Without copy inequalities there is no copy cost.
pub(super) fn nothing_copied(cell: &ClusterCell) -> Option<Evidence> {
    let none = cell.task.data.most == Some(0);
    none.then(|| Evidence::vacuous("no copy token follows a dormant of its group"))
}

pub(super) fn too_many(cell: &ClusterCell) -> Option<Evidence> {
    let pairs = cell.task.pairs().len();
    (pairs > MOST_PAIRS).then(|| {
        Evidence::vacuous(format!(
            "{pairs} pairs of dormants: the inequalities of at most {MOST_PAIRS} are added up"
        ))
    })
}

/// Bound (2) with these constants.
pub(super) fn diagonal(cell: &ClusterCell, constants: &Constants) -> Fallible {
    if let Some(vacuous) = nothing_copied(cell) {
        return Ok(vacuous);
    }
    if let Some(vacuous) = too_many(cell) {
        return Ok(vacuous);
    }
    if let Some(reason) = cell.infeasible() {
        return Ok(Evidence::vacuous(reason));
    }
    let task = &cell.task;
    let (_, c) = sizes(cell);
    let effective = cell.effective();
    let edges = spectrum::uniform(task);
    let mut all = bounds::pairs(&edges, effective).map_err(|e| e.to_string())?;
    all.extend(bounds::copies(task, Pattern::Diagonal, CopySum::Printed));
    let found = proven(cell, Pattern::Diagonal, &all)?;
    let rank = effective.rank()?;
    let pairs = match task.delta_squared.recip() {
        Some(inverse) => frame_norm::times(rank.clone(), &(inverse * &constants.effective)),
        // delta = 0: dormants of a group coincide, so no pair is left here.
        None => Norm::Exact(Surd::zero()),
    };
    let half = Surd::from(c * &constants.copy);
    let printed = frame_norm::add(pairs.clone(), Norm::Exact(half));
    let direct = effective.over_norm(&(Rational::integer(4) * &effective.total))?;
    Ok(reaches(all.len(), &found, &printed, "the printed bound")
        .with("r_eff", rank)
        .with("bound", Value::from(printed.clone()))
        .with("direct_bound", direct)
        .with("lower_bound", shortened(&found))
        .with("proven_share", share(&printed, &found)))
}

/// Bound (4) with these constants.
pub(super) fn sink(cell: &ClusterCell, constants: &Constants) -> Fallible {
    if let Some(vacuous) = nothing_copied(cell) {
        return Ok(vacuous);
    }
    let (_, c) = sizes(cell);
    let all = bounds::copies(&cell.task, Pattern::Sink, CopySum::Printed);
    let found = proven(cell, Pattern::Sink, &all)?;
    let printed = Norm::Exact(Surd::from(c * &constants.copy));
    Ok(reaches(all.len(), &found, &printed, "the printed bound")
        .with("bound", Value::from(printed.clone()))
        .with("lower_bound", shortened(&found))
        .with("proven_share", share(&printed, &found)))
}

fn copy_cost(cell: &ClusterCell) -> Fallible {
    if let Some(vacuous) = nothing_copied(cell) {
        return Ok(vacuous);
    }
    let task = &cell.task;
    let (_, c) = sizes(cell);
    let root = Surd::sqrt(&(Rational::integer(2) - &task.delta_squared))
        .map_err(|e| e.to_string())?
        .inverse()
        .ok_or("1 + lambda^2 = 0")?;
    let coherence = Rational::one() + Rational::integer(2) * &c * &task.phi;
    let formula = root.scale(
        &(Rational::integer(2) * &c)
            .checked_div(&coherence)
            .unwrap_or_default(),
    );
    let stated = Surd::from(exact::ratio(113, 100) * &c);
    let mut evidence = Evidence::of(1, None).by(Method::Certificate);
    if formula < stated {
        evidence.witness = Some(format!("2C/.. = {}, less than 1.13 C", formula.approx(6)));
    }
    // The certificate's multipliers are rational, just below the formula.
    let below = Norm::Exact(formula.scale(&(Rational::one() - exact::ratio(1, 1 << 40))));
    for (pattern, name) in [
        (Pattern::Sink, "sink_bound"),
        (Pattern::Diagonal, "diagonal_bound"),
    ] {
        let all = bounds::copies(task, pattern, CopySum::Itself);
        let found = proven(cell, pattern, &all)?;
        evidence = evidence
            .and(reaches(
                all.len(),
                &found,
                &below,
                "2C/((1 + 2 C phi) sqrt(1 + lambda^2))",
            ))
            .with(name, shortened(&found));
    }
    if task.data.absent {
        let stated = Norm::Exact(Surd::from(exact::ratio(177, 100) * c));
        for (pattern, name) in [
            (Pattern::Sink, "sink_bound_absent"),
            (Pattern::Diagonal, "diagonal_bound_absent"),
        ] {
            let all = bounds::copies(task, pattern, CopySum::Chained);
            let found = proven(cell, pattern, &all)?;
            evidence = evidence
                .and(reaches(all.len(), &found, &stated, "1.77 C"))
                .with(name, shortened(&found));
        }
    }
    Ok(evidence.by(Method::Certificate))
}

fn weighted(cell: &ClusterCell) -> Fallible {
    if let Some(vacuous) = too_many(cell) {
        return Ok(vacuous);
    }
    let task = &cell.task;
    if let Some(reason) = cell.infeasible() {
        return Ok(Evidence::vacuous(reason));
    }
    let direct = cell.effective();
    if direct.total.is_zero() {
        return Ok(Evidence::vacuous(
            "no pair of dormants occurs in both orders",
        ));
    }
    let four = |e: &spectrum::Effective| e.over_norm(&(Rational::integer(4) * &e.total));
    let mut best: (Vec<Edge>, spectrum::Effective) = (spectrum::uniform(task), direct.clone());
    for edges in crate::cluster::weights::proposals(task) {
        let effective = spectrum::pairs(task, &edges);
        let (Ok(new), Ok(old)) = (four(&effective), four(&best.1)) else {
            continue;
        };
        if frame_norm::bounds(&new).0 > frame_norm::bounds(&old).0 {
            best = (edges, effective);
        }
    }
    let all = bounds::pairs(&best.0, &best.1).map_err(|e| e.to_string())?;
    let found = proven(cell, Pattern::Diagonal, &all)?;
    let direct_bound = four(direct)?;
    let inverse = task.delta_squared.recip().unwrap_or_default();
    let printed = frame_norm::times(direct.rank()?, &inverse);
    // What is certified is at least the lower end of the direct bound's enclosure.
    let low = Norm::Exact(frame_norm::bounds(&direct_bound).0.into());
    Ok(reaches(all.len(), &found, &low, "the direct bound")
        .with("r_eff", direct.rank()?)
        .with("weighted_bound", shortened(&found))
        .with("direct_bound", direct_bound)
        .with("printed_bound", printed))
}

/// `(x, y)` of `N N^T = x I + y J`, computed from the rows of N, and whether s is the norm.
fn norms(cell: &ClusterCell) -> Fallible {
    let task = &cell.task;
    let groups = task.groups();
    let c = Rational::from(groups);
    let l = Rational::one() - &task.delta_squared;
    let one = Rational::one;
    // Rows lambda ((C+1) e_c - s) - e_idle; products of two rows are rational though lambda is not.
    let product = |a: usize, b: usize, shared: bool| {
        let entry = |row: usize, k: usize| {
            let own = if row == k {
                &c + one()
            } else {
                Rational::zero()
            };
            own - one()
        };
        let inner: Rational = (0..groups).map(|k| entry(a, k) * entry(b, k)).sum();
        let idle = if shared || a == b {
            one()
        } else {
            Rational::zero()
        };
        &l * inner + idle
    };
    let tilde = one() + &l * (&c + one()).pow(2);
    let s = (&l * (&c + one()).pow(2)).max(&c + &l);
    let mut evidence = Evidence::of(0, None);
    for (name, printed, shared) in [("N_lambda", tilde, false), ("N_sink", s, true)] {
        let mut gap = BTreeMap::new();
        let mut rows = Vec::new();
        for a in 0..groups {
            let mut row = Vec::new();
            for b in 0..groups {
                let own = if a == b {
                    printed.clone()
                } else {
                    Rational::zero()
                };
                let x = own - product(a, b, shared);
                if !x.is_zero() {
                    gap.insert((a, b), x.clone());
                    row.push((b, x));
                }
            }
            rows.push(row);
        }
        evidence.checked += 1;
        let gap = Symmetric::new(groups, &gap).map_err(|e| e.to_string())?;
        if semidefinite(&gap).is_err() {
            evidence
                .witness
                .get_or_insert(format!("|{name}|_2^2 is more than the printed {printed}"));
        } else if constructions::matrix::rank(rows) == groups {
            let found = if groups == 1 {
                format!("{}", product(0, 0, shared))
            } else {
                "less".into()
            };
            evidence.witness.get_or_insert(format!(
                "C = {groups}: |{name}|_2^2 is {found}, not the printed {}",
                brief(&Norm::Exact(printed.into()))
            ));
        }
    }
    Ok(evidence)
}
