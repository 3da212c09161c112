//! Which claims are proved for all sizes, and from which definitions.

use super::accounting::accounting;
use super::backcopy::{first_label, first_margin, sink_labels, sink_margins, sink_norm};
use super::cluster_costs::{diagonal_cost, diagonal_upper, sink_cost, sink_upper};
use super::cluster_lower::{copy_cost, diagonal_lower, pair, sink_lower};
use super::cluster_sharper::{cheaper, constants, theorem as theorem_of_clusters};
use super::clusters;
use super::lower::lower_bound;
use super::reach::reach;
use super::second::{self, Second};
use super::step::{Decision, ProofError, Step};
use super::sums::sums;
use super::theorem::{printed_mlp, softmax, theorem, value_map, warm_up};
use super::theta::{diagonal_labels, sink_labels as sink_labels_of_clusters, theta};
use crate::claims::clusters::constants::Constants;
use constructions::backcopy::sink;
use constructions::cluster::{diagonal, sink as cluster};
use constructions::identity;
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

/// Attention that is hard where margins hold: what the labels are read from.
const HARD: &str =
    "a query puts all its weight on the key that leads by the margin (hard attention)";
/// The singular values of an orthogonal sum.
const ORTHOGONAL: &str = "a sum of outer products with orthogonal left and orthogonal right vectors has their norms as singular values";
/// What D.1 knows of a mean of dormants.
const AVERAGES: &str = "the mean mu of unit vectors lambda dbar_c + eta with eta orthogonal to dbar_c has lambda^2 <= |mu|^2 <= 1";
/// Nuisances are orthogonal to the span.
const COHERENT: &str =
    "|<c_c, mu>| = lambda |<c_c, dbar_c>| <= lambda phi, nuisances being orthogonal to copy tokens";
/// The duals exist and see no nuisance.
const DUALS: &str = "for 2 C phi < 1 the special vectors are independent (Gershgorin), so duals exist in their span, orthogonal to every nuisance";
/// The projector onto the nuisances.
const PROJECTOR: &str = "sum_k g_k g_k*^T is the orthogonal projector onto the nuisances, which keeps eta and kills the span of b, dbar and c";
/// What Delta says.
const SEPARATED: &str = "nuisances have one norm, so |eta|^2 - <eta, eta'> = |eta - eta'|^2 / 2, at least Delta/2 where two dormants must be told apart";
/// The base map.
const BASE: &str = "T_base keeps centroids and nuisances and kills copy tokens";
/// RMSNorm only scales.
const HOMOGENEOUS: &str =
    "ReLU without biases is positively homogeneous, so a silent MLP is silent at every scale";

/// The norm of a projector.
const PROJECTION: &str = "sum e e^T - g g^T/|g|^2, with orthonormal e whose span contains g, is an orthogonal projector, whose nuclear norm is its rank, the number of the e less 1";
/// The Frobenius norm.
const FROBENIUS: &str = "the squared Frobenius norm of a sum of outer products with orthogonal right vectors is the sum of |left|^2 |right|^2, and the all-ones vector of d hidden units has the square d";
/// What factors and units cost at least.
const BALANCE: &str = "the least |A|_F^2 + |B|_F^2 over the factorisations of AB is 2 |AB|_*, and a ReLU unit that reads w and writes v can be rescaled to cost 2 |w| |v|";
/// Norms of sums.
const TRIANGLE: &str = "the nuclear norm of a sum is at most the sum of norms, and of an orthogonal sum of outer products the sum of |left| |right|";
/// What coherence does.
const GRAM: &str = "by Gershgorin the Gram matrix of b, dbar and c has its eigenvalues in [1 - 2 C phi, 1 + 2 C phi], so |Pi|_2^2 <= gamma and |Pi^T M Pi|_* <= gamma |M|_*, |U|_2^2 <= 1 + 2 C phi";
/// The norm of the base map.
const BASE_NORM: &str = "|P_eta|_* = r_eta, and |Q_cent|_* <= |U|_2 C |Pi|_2 <= C beta";
/// What a hidden unit reads.
const DUAL_NORM: &str =
    "a dual of the special vectors has norm at most sqrt gamma, that of g_k has 1/|g_k|";
/// Blocks.
const BLOCKS: &str = "M_diag falls apart into C equal blocks on (e_c, e_{C+c}), and a 2 x 2 matrix of squares' sum F has the nuclear norm sqrt(F + 2 |det|)";
/// The parts of the dual matrix.
const APART: &str = "Sigma_D acts on the nuisances and the copy rows on the special vectors, which are orthogonal, so their bounds add";
/// Rows of copy margins.
const ROWS: &str = "scores of copy queries at dormants depend on the group only, as the task assumes, and p I + q J, J all ones, has the norm max(p, p + C q)";
/// Softmax weights.
const DECAY: &str = "e^-x falls, so each of n competitors with a gap of at least kappa adds at most e^-kappa to the target's softmax sum";
/// What makes a sum of a closed form.
const INDUCTION: &str = "induction over n";
/// What makes a bound of margins.
const DUALITY: &str = "margins with nonnegative multipliers add up, and <Y, B> <= |Y|_2 |B|_*; an outer product has the norm |g| |f|, an orthogonal sum the larger one, any sum at most the sum";
/// The mean over pairs of tokens.
const AVERAGED: &str = "the mean of h_i - h_a over dormant i and copy a is f, and |f|^2 = 1/C + 1/D, the h being orthonormal";
/// Summation by parts.
const PARTS: &str =
    "summation by parts: in sum_t W_t (p_t - p_{t-1}), t = 2..T, p_r has the factor W_r - W_{r+1}";
/// The norm of what reading B adds.
const REMAINDER: &str =
    "sum_a (hbar_D - h_a) h_a^T has the Gram matrix I + J/D, J all ones, whose norm is 1 + C/D";

/// All proofs, in the order of the claims.
pub const PROOFS: &[Proof] = &[
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
        claim: "thm-7.1~",
        trusts: &[HARD, BALANCE],
        steps: theorem,
    },
    Proof {
        claim: "thm-7.1.reach",
        trusts: &[],
        steps: || Ok(reach()?),
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
        claim: "thm-D.1.theta",
        trusts: &[AVERAGES, COHERENT, BASE],
        steps: || theta(&cluster::vo(), &cluster::w1(), &cluster::w2()),
    },
    Proof {
        claim: "thm-D.1.sink.labels",
        trusts: &[HARD, AVERAGES, COHERENT, PROJECTOR],
        steps: || sink_labels_of_clusters(&cluster::vo(), &cluster::w1(), &cluster::w2()),
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
        claim: "thm-7.2~",
        trusts: &[DUALITY, APART, BALANCE],
        steps: theorem_of_clusters,
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
        trusts: &[DUALITY],
        steps: || Ok(pair()?),
    },
    Proof {
        claim: "thm-D.1.constants~",
        trusts: &[TRIANGLE, GRAM, BLOCKS, BASE_NORM, DUAL_NORM, BALANCE],
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
