//! The two builds of Theorem D.1: margins, labels, the range of theta.

use super::constants::Constants;
use super::under_hypotheses;
use crate::claims::{Claim, Decide, Kind};
use crate::cluster::ClusterCell;
use crate::evidence::{Evidence, Method, Value};
use constructions::cluster::build::Pattern;
use constructions::cluster::theta;
use exact::Surd;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "thm-D.1.sink.margins",
        kind: Kind::Margin,
        place: "App. D, D.1 part 1, step 1",
        statement: "Under W_QK = Pi^T M Pi dormants attend to BOS, and a copy token uniformly to the dormants of its group or, without one, to BOS, with margin kappa",
        needs: &[],
        repairs: None,
        explain: "Every query against every key that can precede it, exactly, in inner products only; whichever keys are present, the winner leads all. \
                  Also: equal scores within a group, and no dependence of a copy query's score on a nuisance, which the paper assumes of every solution. \
                  There are no positions, so \"itself\" means its own embedding.",
        decide: Decide::InCluster(|cell| margins(cell, Pattern::Sink)),
    },
    Claim {
        id: "thm-D.1.sink.labels",
        kind: Kind::Label,
        place: "App. D, D.1 part 1, step 4",
        statement: "The sink block gives every label within epsilon, whichever dormants precede a copy token",
        needs: &["thm-D.1.sink.margins"],
        repairs: None,
        explain: "BOS, every dormant, the copy token without a dormant of its group, and after every multiset of up to multiset_size of them: a dormant \
                  that occurs twice counts twice in the average over R_c. The MLP is W_1, W_2 with one unit for each nuisance direction and group; biases (1 + |w|^2)/2 \
                  >= |w| keep all units on for every state of length 1, the output bias takes them away. Factors alpha + beta/|u| are compared \
                  with 1 - epsilon and 1 + epsilon through squares. Larger ones are decided by the range of R_mu as in thm-D.1.theta; where that does not apply, and the data does not exclude them, the claim is unknown.",
        decide: Decide::InCluster(|cell| labels(cell, Pattern::Sink)),
    },
    Claim {
        id: "thm-D.1.theta",
        kind: Kind::Label,
        place: "App. D, D.1 part 1, step 4",
        statement: "1 - epsilon <= theta_mu <= 1 + epsilon for every multiset of dormants, and 1 <= R_mu <= 7/6 for the printed block",
        needs: &["thm-D.1.sink.margins"],
        repairs: None,
        explain: "Value map and MLP multiply all dormants of a group by one number each and the MLP kills the copy token: computed. Then theta = v (1 + l/R), and \
                  R^2 = 1 + v^2 |mu|^2 + 2 v <c, mu> runs between its values at |mu|^2 = lambda^2 and 1, as mu is a mean of unit vectors with a common part lambda dbar. \
                  r_mu_squared_max is the largest R^2, at most 13/10 < (7/6)^2: epsilon >= 1/20 is needed for the rounded 7/6 only.",
        decide: Decide::InCluster(|cell| all_multisets(cell, &Constants::printed())),
    },
    Claim {
        id: "thm-D.1.diag.margins",
        kind: Kind::Margin,
        place: "App. D, D.1 part 3",
        statement: "Under W_QK = Pi^T M_diag Pi + alpha P_eta dormants and idle copy tokens attend to themselves, and a copy token uniformly to the dormants of its group, with margin kappa",
        needs: &[],
        repairs: None,
        explain: "As thm-D.1.sink.margins. alpha = 2 kappa sqrt d/Delta, Delta the least squared distance of two dormants of a group one of which may \
                  precede the other; where two of these coincide no diagonal pattern exists and the claim does not apply.",
        decide: Decide::InCluster(|cell| margins(cell, Pattern::Diagonal)),
    },
    Claim {
        id: "thm-D.1.diag.labels",
        kind: Kind::Label,
        place: "App. D, D.1 part 3",
        statement: "The diagonal block gives every label within epsilon, whichever dormants precede a copy token",
        needs: &["thm-D.1.diag.margins"],
        repairs: None,
        explain: "As thm-D.1.sink.labels, with W_O W_V = (1 - epsilon) T_base and no MLP.",
        decide: Decide::InCluster(|cell| labels(cell, Pattern::Diagonal)),
    },
];

fn apart(cell: &ClusterCell, pattern: Pattern) -> Option<Evidence> {
    let reason = cell.infeasible()?;
    (pattern == Pattern::Diagonal && !cell.is_own(pattern)).then(|| Evidence::vacuous(reason))
}

fn margins(cell: &ClusterCell, pattern: Pattern) -> Evidence {
    if let Some(vacuous) = apart(cell, pattern) {
        return vacuous;
    }
    let found = cell.margins(pattern);
    let evidence =
        Evidence::of(found.checked, found.failing.clone()).with("checked", found.checked);
    match &found.least {
        Some(least) => evidence.with("min_margin", least.clone()),
        None => evidence,
    }
}

fn labels(cell: &ClusterCell, pattern: Pattern) -> Evidence {
    if let Some(vacuous) = apart(cell, pattern) {
        return vacuous;
    }
    let task = &cell.task;
    let decide = || {
        let found = cell.labels(pattern);
        let mut evidence = Evidence::of(found.checked, found.failing.clone())
            .with("checked", found.checked)
            .with("multiset_size", found.size as u128);
        evidence.undecided = found.undecided.clone();
        if task.data.most.is_none_or(|most| most > found.size)
            && let Some(reason) = beyond(cell, pattern)
        {
            evidence.undecided.get_or_insert(format!(
                "multisets of more than {} dormants are not decided: {reason}",
                found.size
            ));
        }
        for (names, spread) in [
            (["phi_min", "phi_max"], &found.phi),
            (["theta_min", "theta_max"], &found.theta),
        ] {
            for (name, range) in names.into_iter().zip([&spread.least, &spread.greatest]) {
                if let Some((low, high)) = range {
                    evidence = evidence.with(name, Value::between(low.clone(), high.clone()));
                }
            }
        }
        Ok(evidence)
    };
    if cell.is_own(pattern) {
        decide().unwrap_or_else(|e: String| Evidence::unknown(e))
    } else {
        under_hypotheses(cell, decide)
    }
}

/// Why labels after multisets larger than those that were run are not decided: the block does not act as [`theta::ranges`] needs, or
/// some theta in its range is not in tolerance.
fn beyond(cell: &ClusterCell, pattern: Pattern) -> Option<String> {
    let task = &cell.task;
    let within =
        |r: &theta::Range| r.least.within(&task.epsilon) && r.greatest.within(&task.epsilon);
    match theta::ranges(cell.build(pattern), task) {
        Ok(ranges) if ranges.iter().all(within) => None,
        Ok(_) => Some("at |mu|^2 = lambda^2 theta may be out of tolerance".into()),
        Err(reason) => Some(format!(
            "{reason} (most_copied limits what the data contains)"
        )),
    }
}

/// The range of theta, with the bound on R_mu among these constants.
pub(super) fn all_multisets(cell: &ClusterCell, constants: &Constants) -> Evidence {
    let task = &cell.task;
    let own = cell.is_own(Pattern::Sink);
    if task.data.most == Some(0) {
        return Evidence::vacuous("no copy token follows a dormant of its group");
    }
    let decide = || {
        let ranges = match theta::ranges(cell.build(Pattern::Sink), task) {
            Ok(ranges) => ranges,
            // A user's block need not be of this form: its labels are decided up to a size.
            Err(reason) if own => return Ok(Evidence::vacuous(reason)),
            Err(reason) => return Err(reason),
        };
        let mut evidence = Evidence::of(0, None);
        let (mut spread, mut r) = (constructions::cluster::factor::Spread::default(), None);
        for range in &ranges {
            let shortest = if range.least == range.greatest {
                "1"
            } else {
                "lambda^2"
            };
            for (end, at) in [(&range.least, "1"), (&range.greatest, shortest)] {
                evidence.checked += 1;
                spread.add(end);
                if !end.within(&task.epsilon) {
                    let about = Surd::from(end.enclosure(64).0).approx(9);
                    let place = format!(
                        "group {}, |mu|^2 = {at}: theta = {about} is not within epsilon = {} of 1",
                        range.group, task.epsilon
                    );
                    // Single dormants reach the first end; the other one need not be reached.
                    if at == "1" {
                        evidence.witness.get_or_insert(place);
                    } else {
                        evidence.undecided.get_or_insert(place);
                    }
                }
                let square = &end.square;
                if r.as_ref().is_none_or(|r| square > r) {
                    r = Some(square.clone());
                }
                let most = &constants.r_mu * &constants.r_mu;
                if !own && (*square < Surd::one() || *square > most.clone().into()) {
                    evidence.witness.get_or_insert(format!(
                        "group {}: R^2 = {} is not between 1 and {most}",
                        range.group,
                        square.approx(9)
                    ));
                }
            }
        }
        for (name, range) in [("theta_min", spread.least), ("theta_max", spread.greatest)] {
            if let Some((low, high)) = range {
                evidence = evidence.with(name, Value::between(low, high));
            }
        }
        if let Some(square) = r {
            evidence = evidence.with("r_mu_squared_max", square);
        }
        Ok(evidence.by(Method::Exact))
    };
    if own {
        decide().unwrap_or_else(|e: String| Evidence::unknown(e))
    } else {
        under_hypotheses(cell, decide)
    }
}
