//! Which claims are proved for all sizes, and from which definitions.

use super::accounting::accounting;
use super::backcopy::{first_label, first_margin, sink_labels, sink_margins, sink_norm};
use super::cluster_costs::{diagonal_cost, diagonal_upper, sink_cost, sink_upper};
use super::cluster_lower::{copy_cost, diagonal_lower, pair, sink_lower};
use super::cluster_sharper::{cheaper, constants, theorem as theorem_of_clusters};
use super::clusters;
use super::diagnostics;
use super::lower::lower_bound;
use super::oversmoothing;
use super::reach::reach;
use super::repaired::repaired;
use super::second::{self, Second};
use super::step::{Decision, ProofError, Step};
use super::sums::sums;
use super::theorem::{printed_mlp, softmax, theorem, value_map, warm_up};
use super::theta::{diagonal_labels, sink_labels as sink_labels_of_clusters, theta};
use super::trigger;
use super::trusted::*;
use crate::claims::clusters::constants::Constants;
use constructions::backcopy::sink;
use constructions::cluster::{diagonal, sink as cluster};
use constructions::identity;
use constructions::oversmoothing::moments::Moments;
use constructions::oversmoothing::weights::Weights;
use constructions::trigger::relu::Model;
use exact::ratio;
use rayon::prelude::*;

/// A proof for all sizes.
pub struct Proof {
    /// The claim.
    pub claim: &'static str,
    /// Facts of mathematics that turn the steps into the claim and are trusted, not decided here.
    pub trusts: &'static [&'static str],
    /// The steps, from the definitions.
    pub steps: fn() -> Result<Vec<Step>, ProofError>,
}

/// All proofs, in the order of the claims.
pub const PROOFS: &[Proof] = &[
    Proof {
        claim: "thm-5.1.moments",
        trusts: &[LINEAR, SYMMETRIC],
        steps: || oversmoothing::moments(&Weights::printed(), &Moments::printed()),
    },
    Proof {
        claim: "thm-5.1.increasing",
        trusts: &[COVARIANCE, MEAN],
        steps: || oversmoothing::increasing(&Moments::printed()),
    },
    Proof {
        claim: "thm-5.1.decreasing",
        trusts: &[COVARIANCE, MEAN],
        steps: || oversmoothing::decreasing(&Moments::printed()),
    },
    Proof {
        claim: "thm-5.1.monotone~",
        trusts: &[COVARIANCE, VANISHES, MEAN],
        steps: || oversmoothing::sharp(&Moments::printed()),
    },
    Proof {
        claim: "rem-B.4.turning",
        trusts: &[COVARIANCE, MEAN],
        steps: || oversmoothing::turning(&Moments::printed()),
    },
    Proof {
        claim: "prop-B.1",
        trusts: &[DIRECTION],
        steps: oversmoothing::directions,
    },
    Proof {
        claim: "sec-7.identity.costs",
        trusts: &[ORTHOGONAL],
        steps: || warm_up(&identity::sink(), &identity::diagonal()),
    },
    Proof {
        claim: "thm-7.1.sink.margins",
        trusts: &[],
        steps: || Ok(sink_margins(&sink::qk())?),
    },
    Proof {
        claim: "thm-7.1.sink.first-position~",
        trusts: &[HARD, HOMOGENEOUS, ORTHOGONAL],
        steps: || {
            let one = ratio(1, 1);
            let (qk, w1, w2) = (sink::qk_first(), sink::w1_first(&one), sink::w2_first());
            let mut steps = sink_margins(&qk)?;
            steps.extend(first_margin(&qk)?);
            steps.extend(sink_labels(&sink::vo_projector(), &w1, &w2)?);
            steps.extend(first_label(&w1, &w2)?);
            steps.extend(sink_norm(&qk, true)?);
            Ok(steps)
        },
    },
    Proof {
        claim: "thm-7.1.sink.labels",
        trusts: &[HARD, HOMOGENEOUS],
        steps: || Ok(sink_labels(&sink::vo(), &sink::w1(), &sink::w2())?),
    },
    Proof {
        claim: "thm-7.1.sink.labels-any-basis~",
        trusts: &[HARD, HOMOGENEOUS],
        steps: || {
            let (w1, w2) = (sink::w1_units(&ratio(1, 1)), sink::w2_units());
            let mut steps = sink_labels(&sink::vo(), &w1, &w2)?;
            steps.extend(sink_labels(&sink::vo_projector(), &w1, &w2)?);
            Ok(steps)
        },
    },
    Proof {
        claim: "thm-7.1.sink.cost.qk",
        trusts: &[ORTHOGONAL],
        steps: || Ok(sink_norm(&sink::qk(), false)?),
    },
    Proof {
        claim: "thm-7.1.sink.cost.vo~",
        trusts: &[PROJECTION],
        steps: || value_map(&sink::vo_projector()),
    },
    Proof {
        claim: "thm-7.1.sink.cost.mlp",
        trusts: &[FROBENIUS],
        steps: || printed_mlp(&sink::w1(), &sink::w2()),
    },
    Proof {
        claim: "lemma.ramp-sums",
        trusts: &[INDUCTION],
        steps: || Ok(sums()?),
    },
    Proof {
        claim: "thm-7.1.diag.lower-bound~",
        trusts: &[DUALITY, AVERAGED, PARTS, REMAINDER],
        steps: lower_bound,
    },
    Proof {
        claim: "thm-7.1.accounting~",
        trusts: &[],
        steps: || Ok(accounting()?),
    },
    Proof {
        claim: "thm-7.1.reach",
        trusts: &[],
        steps: || Ok(reach()?),
    },
    Proof {
        claim: "thm-7.1~",
        trusts: &[HARD, BALANCE],
        steps: theorem,
    },
    Proof {
        claim: "thm-7.1.softmax~",
        trusts: &[DECAY],
        steps: || softmax(&sink::qk()),
    },
    Proof {
        claim: "thm-D.1.sink.margins",
        trusts: &[DUALS],
        steps: || clusters::sink_margins(&cluster::qk()),
    },
    Proof {
        claim: "thm-D.1.sink.labels",
        trusts: &[HARD, AVERAGES, COHERENT, PROJECTOR],
        steps: || sink_labels_of_clusters(&cluster::vo(), &cluster::w1(), &cluster::w2()),
    },
    Proof {
        claim: "thm-D.1.theta",
        trusts: &[AVERAGES, COHERENT, BASE],
        steps: || theta(&cluster::vo(), &cluster::w1(), &cluster::w2()),
    },
    Proof {
        claim: "thm-D.1.diag.margins",
        trusts: &[DUALS, SEPARATED],
        steps: || clusters::diagonal_margins(&diagonal::qk()),
    },
    Proof {
        claim: "thm-D.1.diag.labels",
        trusts: &[HARD, PROJECTOR],
        steps: || diagonal_labels(&diagonal::vo()),
    },
    Proof {
        claim: "thm-D.1.sink.cost",
        trusts: &[TRIANGLE, GRAM, BASE_NORM, DUAL_NORM],
        steps: || {
            let (qk, vo) = (cluster::qk(), cluster::vo());
            sink_cost(&qk, &vo, &cluster::w1(), &cluster::w2())
        },
    },
    Proof {
        claim: "thm-D.1.sink.upper",
        trusts: &[TRIANGLE, GRAM, BASE_NORM, DUAL_NORM, BALANCE],
        steps: || {
            let (qk, vo) = (cluster::qk(), cluster::vo());
            let constants = Constants::printed();
            let stated = [&constants.sink_attention, &constants.sink_rest];
            sink_upper([&qk, &vo, &cluster::w1(), &cluster::w2()], stated)
        },
    },
    Proof {
        claim: "thm-D.1.diag.cost",
        trusts: &[TRIANGLE, GRAM, BASE_NORM],
        steps: || diagonal_cost(&diagonal::qk(), &diagonal::vo()),
    },
    Proof {
        claim: "thm-D.1.diag.upper",
        trusts: &[TRIANGLE, GRAM, BASE_NORM, BALANCE],
        steps: || {
            let c = Constants::printed();
            let stated = [&c.diagonal_attention, &c.separation, &c.diagonal_rest];
            diagonal_upper([&diagonal::qk(), &diagonal::vo()], stated)
        },
    },
    Proof {
        claim: "thm-D.1.diag.lower",
        trusts: &[DUALITY, GRAM, APART, ROWS],
        steps: || {
            let c = Constants::printed();
            Ok(diagonal_lower(&c.copy, &c.effective)?)
        },
    },
    Proof {
        claim: "thm-D.1.sink.lower",
        trusts: &[DUALITY, GRAM, ROWS],
        steps: || Ok(sink_lower(&Constants::printed().copy)?),
    },
    Proof {
        claim: "thm-D.1.copy-cost~",
        trusts: &[DUALITY, GRAM, ROWS],
        steps: copy_cost,
    },
    Proof {
        claim: "thm-D.1.weighted~",
        trusts: &[DUALITY, CHOICE],
        steps: || Ok(pair()?),
    },
    Proof {
        claim: "thm-D.1.constants~",
        trusts: &[
            COUNTED, TRIANGLE, GRAM, BLOCKS, BASE_NORM, DUAL_NORM, BALANCE,
        ],
        steps: || {
            let (w1, w2) = (cluster::w1(), cluster::w2());
            constants(
                [&cluster::qk(), &cluster::vo(), &w1, &w2],
                [&diagonal::qk(), &diagonal::vo()],
            )
        },
    },
    Proof {
        claim: "thm-D.1.sink.cheaper~",
        trusts: &[AVERAGES, COHERENT, BASE_NORM, DUAL_NORM, BALANCE],
        steps: || {
            let vo = cluster::vo_cheaper(&ratio(1, 1));
            cheaper(&vo, &cluster::w1(), &cluster::w2_cheaper())
        },
    },
    Proof {
        claim: "thm-7.2~",
        trusts: &[DUALITY, APART, BALANCE],
        steps: theorem_of_clusters,
    },
    Proof {
        claim: "conj-7.sink-lower~",
        trusts: &[HARD, LAPLACIAN, BALANCE],
        steps: || Ok(repaired()?),
    },
    Proof {
        claim: "trigger.relu",
        trusts: &[MEANS],
        steps: || trigger::relu(&Model::printed()),
    },
    Proof {
        claim: "trigger.softmax~",
        trusts: &[INJECTIVE, STABLE],
        steps: trigger::softmax,
    },
    Proof {
        claim: "diagnostics.broadcast~",
        trusts: &[EIGENVALUES],
        steps: diagnostics::separate,
    },
];

/// The proof of a claim, if there is one.
pub fn of(claim: &str) -> Option<&'static Proof> {
    PROOFS.iter().find(|p| p.claim == claim)
}

/// A step, what became of it, and what the solver says where it is proved.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The step.
    pub step: Step,
    /// What became of it.
    pub decision: Decision,
    /// The second confirmation; asked of proved steps, where this build can ask.
    pub second: Option<Second>,
}

/// What a proof came to.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The steps with their decisions; empty when the definition cannot be read.
    pub steps: Vec<Decided>,
    /// Why the definition could not be read.
    pub unreadable: Option<ProofError>,
}

impl Proof {
    /// Decides every step, and asks for a second confirmation.
    pub fn judge(&self) -> Judgement {
        let (steps, unreadable) = match (self.steps)() {
            Ok(steps) => (steps, None),
            Err(e) => (Vec::new(), Some(e)),
        };
        let decided = steps.into_par_iter().map(|step| {
            let decision = step.decide();
            let proved = matches!(decision, Decision::Proved { .. });
            let second = (proved && second::CAN_ASK).then(|| second::ask(&step));
            Decided {
                step,
                decision,
                second,
            }
        });
        Judgement {
            steps: decided.collect(),
            unreadable,
        }
    }
}

impl Judgement {
    /// Is every step proved, and none contradicted? A proof without steps proves nothing.
    pub fn proved(&self) -> bool {
        self.gap().is_none() && self.cases() > 0
    }

    /// Does the solver confirm every step of a proof that stands?
    pub fn confirmed(&self) -> bool {
        self.proved() && self.steps.iter().all(|s| s.second == Some(Second::Agrees))
    }

    /// Number of cases that the checker evaluated or found empty.
    pub fn cases(&self) -> usize {
        let cases = self.steps.iter().map(|s| match s.decision {
            Decision::Proved { cases, .. } => cases,
            Decision::Refuted(_) | Decision::Unknown(_) => 0,
        });
        cases.sum()
    }

    /// The first step that is not proved or that the solver contradicts, and why.
    pub fn gap(&self) -> Option<String> {
        if let Some(e) = &self.unreadable {
            return Some(e.to_string());
        }
        if self.steps.is_empty() {
            return Some("there is no step".into());
        }
        let gap = |s: &Decided| match (&s.decision, &s.second) {
            (Decision::Proved { .. }, Some(Second::Contradicts(why))) => Some(format!(
                "a certificate proves that {}, but {why}",
                s.step.says
            )),
            (Decision::Proved { .. }, _) => None,
            (Decision::Refuted(point), _) => {
                Some(format!("it fails that {}: {point}", s.step.says))
            }
            (Decision::Unknown(why), _) => Some(format!("undecided that {}: {why}", s.step.says)),
        };
        self.steps.iter().find_map(gap)
    }
}
