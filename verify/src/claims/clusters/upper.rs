//! What the two builds cost, and the two upper bounds of Theorem D.1.

use super::constants::Constants;
use super::{AtMost, Fallible, cost, decide_all, share, sizes, under_hypotheses};
use crate::claims::{Claim, Decide, Kind};
use crate::cluster::ClusterCell;
use crate::cluster::cost::Cost;
use crate::evidence::{Evidence, Method};
use crate::frame_norm::{self, add, times};
use crate::nuclear::Norm;
use constructions::cluster::build::Pattern;
use constructions::cluster::reading::Columns;
use constructions::matrix::Sparse;
use exact::{Rational, Surd, ratio};
use num_traits::One;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "thm-D.1.sink.cost",
        kind: Kind::Cost,
        place: "App. D, D.1 part 1, steps 1 to 3",
        statement: "For the printed sink |M|_* <= a sqrt(2C) + bC, |W_QK|_* <= gamma (a sqrt(2C) + bC), |W_O W_V|_* <= (r_eta + C beta)/2, and the MLP costs at most 2(1+epsilon)(r_eta + C beta)",
        needs: &[],
        repairs: None,
        explain: "Norms by the structure of the matrices, in closed form where a part has rank one or two, enclosed by certificates otherwise; the MLP by its own \
                  hidden units, 2 sum |w||v|: each is rescaled to its least cost. (Singular vectors as units would cost 2(1+epsilon)|T_base|_*; these, which are exact, a little more where phi > 0.)",
        decide: Decide::InCluster(|cell| under(cell, Pattern::Sink, sink_cost)),
    },
    Claim {
        id: "thm-D.1.sink.upper",
        kind: Kind::Cost,
        place: "Theorem D.1 (1)",
        statement: "The sink costs at most 12 kappa C/sqrt d + 5 (r_eta + C)",
        needs: &["thm-D.1.sink.margins", "thm-D.1.sink.labels"],
        repairs: None,
        explain: "Both parts apart, so for every kappa: 2 |B|_* against 12 C, 2 |W_O W_V|_* and the MLP against 5 (r_eta + C). The shares say how much of each \
                  bound the block uses.",
        decide: Decide::InCluster(|cell| bound(cell, Pattern::Sink, &Constants::printed())),
    },
    Claim {
        id: "thm-D.1.diag.cost",
        kind: Kind::Cost,
        place: "App. D, D.1 part 3",
        statement: "For the printed diagonal |M_diag|_* <= C (1 + 1/lambda)^2, |W_QK|_* <= gamma C (1 + 1/lambda)^2 + (2/Delta) r_eta, |W_O W_V|_* <= (1-epsilon)(r_eta + C beta)",
        needs: &[],
        repairs: None,
        explain: "As thm-D.1.sink.cost.",
        decide: Decide::InCluster(|cell| under(cell, Pattern::Diagonal, diagonal_cost)),
    },
    Claim {
        id: "thm-D.1.diag.upper",
        kind: Kind::Cost,
        place: "Theorem D.1 (3)",
        statement: "The diagonal costs at most 13 kappa C/sqrt d + 4 kappa sqrt d/Delta r_eta + 3 (r_eta + C)",
        needs: &["thm-D.1.diag.margins", "thm-D.1.diag.labels"],
        repairs: None,
        explain: "2 |B|_* against 13 C + 4 r_eta/Delta, 2 |W_O W_V|_* and the MLP against 3 (r_eta + C); Delta divided by d. special_share is the part of 13 C that is used. Pairs that occur in one order \
                  count in Delta, though not in Sigma_D.",
        decide: Decide::InCluster(|cell| bound(cell, Pattern::Diagonal, &Constants::printed())),
    },
];

fn under(
    cell: &ClusterCell,
    pattern: Pattern,
    decide: impl FnOnce(&ClusterCell, &Cost) -> Fallible,
) -> Evidence {
    if pattern == Pattern::Diagonal
        && let Some(reason) = cell.infeasible()
    {
        return Evidence::vacuous(reason);
    }
    under_hypotheses(cell, || {
        let cost = cell.cost(pattern).map_err(Clone::clone)?;
        decide(cell, cost)
    })
}

/// gamma = 1/(1 - 2 C phi) and beta^2 = (1 + 2 C phi)/(1 - 2 C phi).
pub(super) fn gamma_beta(cell: &ClusterCell) -> Option<(Rational, Surd)> {
    let (_, c) = sizes(cell);
    let coherence = Rational::integer(2) * c * &cell.task.phi;
    let gamma = (Rational::one() - &coherence).recip()?;
    let square = (Rational::one() + coherence) * &gamma;
    // A root out of reach is replaced by a rational just below: what is at most that is at most beta.
    let beta = match Surd::sqrt(&square) {
        Ok(beta) => beta,
        Err(_) => exact::sqrt_enclosure(&square, 128)?.0.into(),
    };
    Some((gamma, beta))
}

/// |M|_* of a form's part on b, the group directions and the copy tokens, as if these were orthonormal.
pub(super) fn norm_of_m(cell: &ClusterCell, pattern: Pattern) -> Result<Norm, String> {
    let task = &cell.task;
    let special = &task.geometry.special;
    let form = cell.build(pattern);
    let entry = |x: &Sparse, y: &Sparse| {
        let lift = constructions::cluster::task::lift;
        form.logit(&lift(x), &lift(y))
    };
    let columns: Columns = special
        .iter()
        .map(|y| {
            let all = special.iter().enumerate().map(|(i, x)| (i, entry(x, y)));
            all.filter(|(_, x)| !x.is_zero()).collect()
        })
        .collect();
    let identity: Vec<Sparse> = (0..special.len())
        .map(|k| vec![(k, Rational::one())])
        .collect();
    frame_norm::grouped(&columns, &identity, task.groups()).map_err(|e| e.to_string())
}

/// The printed bound on |T_base|_*: r_eta + C beta.
fn base_bound(cell: &ClusterCell) -> Result<Surd, String> {
    let (r, c) = sizes(cell);
    let (_, beta) = gamma_beta(cell).ok_or("beta has no exact value")?;
    Ok(&Surd::from(r) + &beta.scale(&c))
}

/// A user's own block may divide its cost otherwise; only the whole is compared.
fn of_own(found: &Cost) -> Fallible {
    let reason =
        "the formulas are those of the printed block; the whole cost is compared with (1) or (3)";
    Ok(values(Evidence::vacuous(reason), found))
}

fn sink_cost(cell: &ClusterCell, found: &Cost) -> Fallible {
    if cell.is_own(Pattern::Sink) {
        return of_own(found);
    }
    let task = &cell.task;
    let (_, c) = sizes(cell);
    let (gamma, _) = gamma_beta(cell).ok_or("gamma has no exact value")?;
    let inverse = task.lambda.inverse().ok_or("lambda = 0")?;
    let b = &inverse + &(&inverse * &inverse);
    let two_c = Rational::integer(2) * &c;
    let m_bound = &(&inverse * &Surd::sqrt(&two_c).map_err(|e| e.to_string())?) + &b.scale(&c);
    let base = base_bound(cell)?;
    let mlp = Rational::integer(2) * (Rational::one() + &task.epsilon);
    let m = norm_of_m(cell, Pattern::Sink)?;
    let mut all = vec![
        AtMost::new("|B|_*", found.qk.clone(), m_bound.scale(&gamma)),
        AtMost::new("|W_O W_V|_*", found.vo.clone(), base.scale(&ratio(1, 2))),
        AtMost::new("the MLP's cost", found.mlp.clone(), base.scale(&mlp)),
    ];
    all.push(AtMost::new("|M|_*", m.clone(), m_bound));
    Ok(values(decide_all(&all), found).with("norm_of_m", m))
}

fn diagonal_cost(cell: &ClusterCell, found: &Cost) -> Fallible {
    if cell.is_own(Pattern::Diagonal) {
        return of_own(found);
    }
    let task = &cell.task;
    let (r, c) = sizes(cell);
    let (gamma, _) = gamma_beta(cell).ok_or("gamma has no exact value")?;
    let inverse = task.lambda.inverse().ok_or("lambda = 0")?;
    let one_more = &Surd::one() + &inverse;
    let m_bound = (&one_more * &one_more).scale(&c);
    let alpha = separation_term(cell, 2) * r;
    let rest = base_bound(cell)?.scale(&(Rational::one() - &task.epsilon));
    let m = norm_of_m(cell, Pattern::Diagonal)?;
    let mut all = vec![
        AtMost::new(
            "|B|_*",
            found.qk.clone(),
            &m_bound.scale(&gamma) + &Surd::from(alpha),
        ),
        AtMost::new("|W_O W_V|_*", found.vo.clone(), rest),
        AtMost::new("the MLP's cost", found.mlp.clone(), Surd::zero()),
    ];
    all.push(AtMost::new("|M_diag|_*", m.clone(), m_bound));
    Ok(values(decide_all(&all), found).with("norm_of_m", m))
}

/// `factor / Delta`; 0 where no pair must be told apart.
pub(super) fn separation_term(cell: &ClusterCell, factor: i64) -> Rational {
    let delta = cell.task.separation();
    delta
        .and_then(|delta| Rational::integer(factor).checked_div(&delta))
        .unwrap_or_default()
}

fn values(evidence: Evidence, found: &Cost) -> Evidence {
    evidence
        .by(Method::Certificate)
        .with("norm_of_b", found.qk.clone())
        .with("norm_of_vo", found.vo.clone())
        .with("cost_of_mlp", found.mlp.clone())
}

fn sink_upper(cell: &ClusterCell, found: &Cost, constants: &Constants) -> Fallible {
    let (r, c) = sizes(cell);
    let attention = &constants.sink_attention * &c;
    let rest = &constants.sink_rest * (r + c);
    Ok(bounded(cell, found, attention, rest))
}

fn diagonal_upper(cell: &ClusterCell, found: &Cost, constants: &Constants) -> Fallible {
    let (r, c) = sizes(cell);
    let attention =
        &constants.diagonal_attention * &c + &constants.separation * separation_term(cell, 1) * &r;
    let rest = &constants.diagonal_rest * (r + c);
    // What P_eta costs is exact: the rest of B against 13 C.
    let special = &attention - separation_term(cell, 4) * sizes(cell).0;
    let without = add(
        found.attention(),
        Norm::Exact((special.clone() - &attention).into()),
    );
    Ok(bounded(cell, found, attention, rest)
        .with("special_share", share(&without, &special.into())))
}

/// Bounds (1) and (3) with these constants.
pub(super) fn bound(cell: &ClusterCell, pattern: Pattern, constants: &Constants) -> Evidence {
    under(cell, pattern, |cell, cost| match pattern {
        Pattern::Sink => sink_upper(cell, cost, constants),
        Pattern::Diagonal => diagonal_upper(cell, cost, constants),
    })
}

fn bounded(cell: &ClusterCell, found: &Cost, attention: Rational, rest: Rational) -> Evidence {
    let (a, r) = (Surd::from(attention.clone()), Surd::from(rest.clone()));
    let all = [
        AtMost::new("2 |B|_*", found.attention(), a.clone()),
        AtMost::new("2 |W_O W_V|_* and the MLP", found.rest(), r.clone()),
    ];
    let bound = (Norm::Exact(a.clone()), Norm::Exact(r.clone()));
    decide_all(&all)
        .by(Method::Certificate)
        .with("cost", cost(cell, &found.attention(), &found.rest()))
        .with("bound", cost(cell, &bound.0, &bound.1))
        .with("attention_share", share(&found.attention(), &a))
        .with("rest_share", share(&found.rest(), &r))
}

/// The cost of the value map and an MLP together.
pub(super) fn rest_of(vo: &Norm, mlp: &Norm) -> Norm {
    add(times(vo.clone(), &Rational::integer(2)), mlp.clone())
}
