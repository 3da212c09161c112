//! Section 7, warm-up: the token sequence is the identity.

use super::{Claim, Decide, Kind, decided};
use crate::evidence::{Evidence, Method};
use crate::nuclear::{Norm, norm};
use certificates::orthogonal;
use certificates::projector::{Downdate, nuclear_norm_of_downdate};
use certificates::{Entries, RankOne, SparseVec};
use constructions::basis::Basis;
use constructions::identity;
use constructions::language::Matrix;
use constructions::matrix::Operator;
use constructions::reading::{Side, operator};
use exact::{Rational, Surd};

type Fallible = Result<Evidence, Box<dyn std::error::Error>>;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "sec-7.identity.costs",
        kind: Kind::Cost,
        place: "Sec. 7, warm-up",
        statement: "kappa 1 e_1^T costs kappa sqrt(T+1), kappa I_{T+1} costs kappa (T+1)",
        needs: &[],
        repairs: None,
        explain: "In units of kappa: 1 e_1^T is one outer product, of norms sqrt(T+1) and 1; I is T + 1 orthogonal ones of norm 1.",
        decide: Decide::InCell(|cell| decided(costs(cell.sizes().t))),
    },
    Claim {
        id: "sec-7.identity.optimal",
        kind: Kind::Bound,
        place: "Sec. 7, warm-up",
        statement: "These are the cheapest matrices with the two patterns under the causal mask",
        needs: &["sec-7.identity.costs"],
        repairs: None,
        explain: "Cheaper matrices with every causal margin >= 1 are exhibited, keys on the left, tokens 0..T, u = sum_{q>=1} e_q: for the sink \
                  (e_0 - 1/(T+1)) u^T of norm T/sqrt(T+1), for the diagonal sum_{q>=1} e_q e_q^T - 1 u^T/(T+1) of norm T - 1 + 1/sqrt(T+1). \
                  One length refutes the statement: T, or 16 where T is larger. In units of kappa.",
        // One length refutes; beyond 16 the witness would only be larger.
        decide: Decide::InCell(|cell| decided(optimal(cell.sizes().t.min(16)))),
    },
];

fn read(definition: &Matrix, t: usize) -> Operator {
    operator(
        definition,
        Side::Residual,
        Side::Residual,
        &identity::sizes(t),
        &Basis::standard(),
    )
}

fn costs(t: usize) -> Fallible {
    let n = Rational::from(t + 1);
    let claimed = [Surd::sqrt(&n)?, Surd::from(n)];
    let mut evidence = Evidence::of(0, None).by(Method::Certificate);
    for ((name, definition), claimed) in [
        ("sink", identity::sink()),
        ("diagonal", identity::diagonal()),
    ]
    .into_iter()
    .zip(claimed)
    {
        let found = norm(&read(&definition, t))?;
        let wrong = found != Norm::Exact(claimed.clone());
        evidence = evidence
            .and(Evidence::of(
                1,
                wrong.then(|| format!("the {name} costs {found:?}, claimed {claimed}")),
            ))
            .with(name, found);
    }
    Ok(evidence)
}

fn optimal(t: usize) -> Fallible {
    let n = Rational::from(t + 1);
    let one = Rational::integer(1);
    let (sink, diagonal) = (
        read(&identity::cheaper_sink(), t),
        read(&identity::cheaper_diagonal(), t),
    );
    let (a, checked_a) = identity::least_margin(&sink, t, true);
    let (b, checked_b) = identity::least_margin(&diagonal, t, false);
    if a < one || b < one {
        return Ok(Evidence::unknown(
            "the cheaper matrices at hand miss a margin",
        ));
    }
    let Norm::Exact(sink_norm) = norm(&sink)? else {
        return Ok(Evidence::unknown("the cheaper sink has no exact norm"));
    };
    // diagonal = (projector of 1..=T off the all-ones vector) + (remainder of rank one); the norms add up to a bound.
    let support: std::collections::BTreeSet<usize> = (1..=t).collect();
    let ones: SparseVec = support.iter().map(|k| (*k, one.clone())).collect();
    let share = Rational::from(t).recip().unwrap_or_default();
    let main = nuclear_norm_of_downdate(&Downdate {
        support: support.clone(),
        coefficient: share.clone(),
        vector: ones.clone(),
    })?;
    let mut rest: Entries = diagonal.entries();
    for i in &support {
        *rest.entry((*i, *i)).or_default() -= &one;
        for j in &support {
            *rest.entry((*i, *j)).or_default() += &share;
        }
    }
    let left: SparseVec = rest
        .iter()
        .filter(|((_, j), _)| *j == 1)
        .map(|((i, _), x)| (*i, x.clone()))
        .collect();
    let remainder = orthogonal::nuclear_norm(
        &rest,
        &[RankOne {
            coefficient: one,
            left,
            right: ones,
        }],
    )?;
    let diagonal_norm = &Surd::from(main) + &remainder;
    let cheaper = sink_norm < Surd::sqrt(&n)? && diagonal_norm < Surd::from(n);
    let witness = cheaper.then(|| format!("T = {t}: a causal sink costs {sink_norm}, a causal diagonal {diagonal_norm}, in units of kappa"));
    Ok(Evidence::of(checked_a + checked_b, witness)
        .by(Method::Certificate)
        .with("sink", sink_norm)
        .with("diagonal", diagonal_norm))
}
