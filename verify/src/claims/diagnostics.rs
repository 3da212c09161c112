//! Diagnostics that tell a no-op sink from a broadcast sink, on three synthetic sinks.

use super::{Claim, Decide, Kind, decided};
use crate::evidence::{Evidence, Value};
use constructions::diagnostics::{
    Head, Sink, context_variance, participation_ratio, value_norm_ratio_squared,
};
use exact::{Rational, ratio};

type Fallible = Result<Evidence, Box<dyn std::error::Error>>;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "diagnostics.no-op",
        kind: Kind::Bound,
        place: "sink diagnostics, abstract",
        statement: "A fixed threshold on the value-norm ratio tells no-op sinks (below) from broadcast sinks (above)",
        needs: &[],
        repairs: None,
        explain: "Tokens have orthonormal values. A no-op sink has value 0 and ratio 0. A broadcast sink whose value is the mean of n tokens has the squared \
                  ratio 1/n, the ratio 1/sqrt n: for every threshold there is an n from which on it is called a no-op. Thresholds 1/2, 1/10 and 1/100 \
                  are tried, each with the first power of two n that is enough.",
        decide: Decide::Alone(|| decided(no_op())),
    },
    Claim {
        id: "diagnostics.broadcast",
        kind: Kind::Bound,
        place: "sink diagnostics, abstract",
        statement: "The participation ratio of the head's output is lower for a broadcast sink than for a no-op sink or a constant one",
        needs: &[],
        repairs: None,
        explain: "Under hard attention every output is the sink's value, so the output has rank 1 for the mean and for a constant, and rank 0, without a ratio, for a no-op. \
                  With some mass s on the token itself, a constant sink's output is close to rank 1 as a broadcast's is, though it tells nothing of the context: \
                  the ratio of the constant is even lower for s > 0.",
        decide: Decide::Alone(|| decided(broadcast())),
    },
    Claim {
        id: "diagnostics.broadcast~",
        kind: Kind::Bound,
        place: "sink diagnostics, with soft mass and contexts",
        statement: "With n >= 2 orthonormal values and mass 0 < s < 1 on the token itself, a no-op's participation ratio is n, a broadcast's (1+(n-1)s^2)^2/(1+(n-1)s^4) < n; only a broadcast's value varies with the context",
        needs: &[],
        repairs: Some("diagnostics.broadcast"),
        explain: "The outputs are (1-s) v_s + s v_i. For v_s = 0 their Gram matrix is s^2 I. For the mean it is s^2 I + ((1-s^2)/n) 1 1^T, with eigenvalues 1 once and s^2 \
                  n - 1 times; n (1+(n-1)s^4) - (1+(n-1)s^2)^2 = (n-1)(1-s^2)^2 > 0, proved for all n and s. A constant differs from a broadcast by the variance of \
                  the sink's value over contexts, here the windows of n tokens in a vocabulary of 2n.",
        decide: Decide::Alone(|| decided(separate())),
    },
];

/// Powers of two up to which n is tried.
const LARGEST: u32 = 14;

fn no_op() -> Fallible {
    let mut evidence = Evidence::of(0, None);
    let mut rows = Vec::new();
    for threshold in [ratio(1, 2), ratio(1, 10), ratio(1, 100)] {
        let square = &threshold * &threshold;
        let mut found = None;
        for n in (1..=LARGEST).map(|k| 1usize << k) {
            // The ratio needs the sink and the values' squares alone: one unit vector stands for all, which have one norm.
            let over = Rational::from(n).recip().unwrap_or_default();
            let (mean, unit) = (vec![over; n], vec![vec![ratio(1, 1)]]);
            let broadcast = value_norm_ratio_squared(&mean, &unit).ok_or("no value has a norm")?;
            evidence.checked += 1;
            if broadcast < square {
                found = Some((n, broadcast));
                break;
            }
        }
        let Some((n, broadcast)) = found else {
            return Ok(Evidence::of(evidence.checked, None));
        };
        rows.push(format!(
            "threshold {threshold}: a broadcast of n = {n} tokens has the squared ratio {broadcast}"
        ));
    }
    let zero = Head::synthetic(Sink::NoOp, 2, (0, 2), &ratio(1, 2));
    let none = value_norm_ratio_squared(&zero.sink, &zero.values).ok_or("no value has a norm")?;
    evidence.witness = Some(rows.join("; "));
    Ok(evidence.with("no_op", none))
}

/// Participation ratio of a synthetic head.
fn participation(
    sink: Sink,
    n: usize,
    s: &Rational,
) -> Result<Option<Rational>, Box<dyn std::error::Error>> {
    let head = Head::synthetic(sink, n, (0, n), s);
    Ok(participation_ratio(&head.outputs)?)
}

fn broadcast() -> Fallible {
    let (mut checked, mut rows) = (0u128, Vec::new());
    for (n, s) in [(8, ratio(0, 1)), (8, ratio(1, 4)), (16, ratio(1, 8))] {
        let all: Result<Vec<Option<Rational>>, _> = Sink::ALL
            .into_iter()
            .map(|sink| participation(sink, n, &s))
            .collect();
        let all = all?;
        checked += all.len() as u128;
        let [no_op, broadcast, constant] = all.as_slice() else {
            continue;
        };
        // Not below a constant sink, or nothing to compare with.
        if no_op.is_none() || broadcast >= constant {
            let each = Sink::ALL.iter().zip(&all).map(|(sink, pr)| match pr {
                Some(x) => format!("{} {x}", sink.name()),
                None => format!("{} none (output 0)", sink.name()),
            });
            rows.push(format!(
                "n = {n}, s = {s}: {}",
                each.collect::<Vec<_>>().join(", ")
            ));
        }
    }
    let witness = (!rows.is_empty()).then(|| rows.join("; "));
    Ok(Evidence::of(checked, witness))
}

fn separate() -> Fallible {
    let mut evidence = Evidence::of(0, None);
    for n in 2..=8usize {
        for s in [ratio(1, 16), ratio(1, 4), ratio(1, 2), ratio(7, 8)] {
            let least = |sink| participation(sink, n, &s);
            let (no_op, broadcast) = (least(Sink::NoOp)?, least(Sink::Broadcast)?);
            let (count, rest) = (Rational::from(n), Rational::from(n - 1));
            let top = ratio(1, 1) + &rest * s.pow(2);
            let formula = top.pow(2).checked_div(&(ratio(1, 1) + &rest * s.pow(4)));
            let variance = |sink| {
                let heads =
                    (0..2 * n).map(|first| Head::synthetic(sink, n, (first, 2 * n), &s).sink);
                context_variance(&heads.collect::<Vec<_>>())
            };
            let still =
                [Sink::NoOp, Sink::Constant].map(|sink| variance(sink) == Some(ratio(0, 1)));
            let right = no_op == Some(count.clone())
                && broadcast == formula
                && broadcast.as_ref().is_some_and(|x| *x < count)
                && still == [true, true]
                && variance(Sink::Broadcast).is_some_and(|x| x.is_positive());
            let witness = (!right)
                .then(|| format!("n = {n}, s = {s}: no-op {no_op:?}, broadcast {broadcast:?}"));
            evidence = evidence.and(Evidence::of(1, witness));
        }
    }
    let checked = evidence.checked;
    for sink in Sink::ALL {
        let head = Head::synthetic(sink, 8, (0, 16), &ratio(1, 4));
        let contexts: Vec<_> = (0..16)
            .map(|first| Head::synthetic(sink, 8, (first, 16), &ratio(1, 4)).sink)
            .collect();
        let show = |x: Option<Rational>| x.map_or("none".into(), |x| x.to_string());
        let row = format!(
            "n = 8, s = 1/4: squared value-norm ratio {}, participation ratio {}, context variance {}",
            show(value_norm_ratio_squared(&head.sink, &head.values)),
            show(participation_ratio(&head.outputs)?),
            show(context_variance(&contexts))
        );
        evidence = evidence.with(sink.name(), Value::Text(row));
    }
    Ok(evidence.with("checked", checked))
}
