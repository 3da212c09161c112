//! Theorem 7.1: condition (3), its accounting and reach, the mended theorem, and the softmax error.

use super::{Claim, Decide, Kind, costs, decided, diagonal};
use crate::cell::Cell;
use crate::evidence::{Evidence, Method, Value};
use crate::nuclear::{Norm, norm};
use constructions::Sizes;
use constructions::backcopy::bounds::{self, Condition, Threshold};
use constructions::backcopy::{BOS, Reading, Token, softmax};
use constructions::matrix::rank;
use exact::{Rational, Surd};

type Fallible = Result<Evidence, Box<dyn std::error::Error>>;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "thm-7.1.condition-3",
        kind: Kind::Condition,
        place: "Sec. 7, (3)",
        statement: "(2k/sqrt d)(sqrt(2D) + T - 1) + 3T + 3D + C + 4dC - 2 < (k/sqrt(3d)) sqrt(m) T^{3/2}, k = kappa",
        needs: &[],
        repairs: None,
        explain: "Both sides are affine in kappa, so the threshold kappa* is one exact division. c_1 takes its least value d/(T+C+D+2).",
        decide: Decide::InCell(|cell| {
            decided(bounds::condition_3(cell.sizes()).map(|c| condition(cell, &c)))
        }),
    },
    Claim {
        id: "thm-7.1.condition-3.own",
        kind: Kind::Condition,
        place: "Sec. 7, (3), App. D",
        statement: "Condition (3) with the norm d - 2 that the proof's own matrix (8) has",
        needs: &["thm-7.1.condition-3"],
        repairs: None,
        explain: "The printed condition counts T + C + D - 2 for (8). The two conditions differ for kappa between their thresholds; \
                  the least integer there, if any, is an example that (3) accepts and this refuses.",
        decide: Decide::InCell(|cell| decided(own(cell))),
    },
    Claim {
        id: "thm-7.1.accounting",
        kind: Kind::Bound,
        place: "App. D, adding up",
        statement: "The printed costs add up to the squared Frobenius norm of the sink's weights",
        needs: &[],
        repairs: None,
        explain: "A product costs twice its nuclear norm; the printed sum counts products once and the MLP in full.",
        decide: Decide::InCell(|cell| decided(accounting(cell))),
    },
    Claim {
        id: "thm-7.1.accounting~",
        kind: Kind::Bound,
        place: "App. D, adding up",
        statement: "(3) implies the consistent comparison 2 QK + 2 VO + MLP < 2 (diagonal bound)",
        needs: &[],
        repairs: Some("thm-7.1.accounting"),
        explain: "Both conditions are affine in kappa, so each holds exactly above its threshold; the thresholds are compared exactly.",
        decide: Decide::InCell(|cell| decided(consistent(cell))),
    },
    Claim {
        id: "thm-7.1.reach",
        kind: Kind::Bound,
        place: "Sec. 7, (3)",
        statement: "(3) fails whenever kappa <= 7 sqrt 3",
        needs: &[],
        repairs: None,
        explain: "kappa* is compared with 7 sqrt(3) exactly.",
        decide: Decide::InCell(|cell| decided(reach(cell))),
    },
    Claim {
        id: "thm-7.1.scaling",
        kind: Kind::Bound,
        place: "Sec. 7, after (3)",
        statement: "At fixed kappa the right side of (3) outgrows every multiple of T, as T^{3/2}",
        needs: &[],
        repairs: None,
        explain: "d >= T + C + D + 2 > T, so the right side is at most kappa T sqrt(m/3): linear, like the left side. \
                  Figure 3 takes d = T + C + D: the tokens span that many dimensions (the rank is computed), so they fit, \
                  although the basis of the h and p does not; the right side is linear there too.",
        decide: Decide::InCell(|cell| decided(scaling(cell))),
    },
    Claim {
        id: "thm-7.1~",
        kind: Kind::Bound,
        place: "Theorem 7.1, mended",
        statement: "For T >= 2 the sink is cheaper if (2k/sqrt d)(sqrt(2D)+T-1) + (T+C+D-2) + (T+D) sqrt(1+C) < (2k/sqrt d) sqrt(CD T(T^2-1)/(3(C+D)))",
        needs: &[
            "thm-7.1.sink.margins",
            "thm-7.1.sink.first-position~",
            "thm-7.1.sink.labels-any-basis~",
            "thm-7.1.sink.cost.qk",
            "thm-7.1.sink.cost.vo~",
            "thm-7.1.diag.lower-bound~",
        ],
        repairs: Some("thm-7.1.condition-3"),
        explain: "Left side: half the exact cost of the mended block, recomputed from its matrices; each hidden unit is rescaled so that its row of W_1 \
                  and its column of W_2 have the same norm, which ReLU allows: the MLP then costs 2 sum |row| |column|. Right side: a certified bound on \
                  half the cost of every diagonal solution. Reading B takes its own bound, reading L the first-position repair.",
        decide: Decide::InCell(|cell| decided(theorem(cell))),
    },
    Claim {
        id: "thm-7.1.softmax~",
        kind: Kind::Bound,
        place: "Sec. 7, hard-attention limit",
        statement: "For the queries of thm-7.1.sink.margins, with n competing keys, the target's softmax weight is at least 1/(1 + n e^-kappa)",
        needs: &["thm-7.1.sink.margins"],
        repairs: None,
        explain: "Each competitor's exact gap is at least 1, so each term of the softmax is at most e^-kappa; e^-kappa is enclosed between rationals. \
                  Without --kappa the values are given at kappa = 16. measured_weight is that of the last dormant query in one sequence, from its exact gaps. label_error bounds |output - label|/sqrt(d) of the mended block: (1 - weight) sqrt(2) (1 + 2 |W_1| |W_2|), the shift of attention, doubled at most by RMSNorm, and what the MLP makes of it.",
        decide: Decide::InCell(softmax_error),
    },
];

/// kappa* as a report value.
fn kappa_star(condition: &Condition) -> Value {
    match condition.threshold() {
        Threshold::Above(k) => k.into(),
        Threshold::Never => Value::Text("never".into()),
        Threshold::Always => Value::Text("always".into()),
    }
}

/// lhs and rhs: numbers at the given kappa, forms in kappa without one.
fn sides(cell: &Cell, c: &Condition) -> [(&'static str, Value); 2] {
    match &cell.kappa {
        Some(kappa) => {
            let (left, right) = c.sides(kappa);
            [("lhs", left.into()), ("rhs", right.into())]
        }
        None => {
            let left = format!("({})*kappa + {}", c.slope, c.constant);
            [
                ("lhs", Value::Text(left)),
                ("rhs", Value::Text(format!("({})*kappa", c.right))),
            ]
        }
    }
}

fn condition(cell: &Cell, c: &Condition) -> Evidence {
    let witness = cell.kappa.as_ref().and_then(|kappa| {
        let (left, right) = c.sides(kappa);
        (left >= right).then(|| {
            format!(
                "at kappa = {kappa} the left side is {}, the right side {}",
                left.approx(6),
                right.approx(6)
            )
        })
    });
    let mut evidence = Evidence::of(1, witness).with("kappa_star", kappa_star(c));
    evidence.conditional = cell.kappa.is_none();
    evidence.values.extend(sides(cell, c));
    evidence
}

fn own(cell: &Cell) -> Fallible {
    let condition_own = bounds::condition_3_own(cell.sizes())?;
    let printed = bounds::condition_3(cell.sizes())?.threshold();
    let evidence = condition(cell, &condition_own);
    let (Threshold::Above(from), Threshold::Above(to)) = (printed, condition_own.threshold())
    else {
        return Ok(evidence);
    };
    let next = Rational::from(from.floor()) + Rational::integer(1);
    Ok(if Surd::from(next.clone()) <= to {
        evidence.with("accepted_by_3_alone", next)
    } else {
        evidence
    })
}

fn accounting(cell: &Cell) -> Fallible {
    let s = cell.sizes();
    let qk = &bounds::per_kappa(s)? * &bounds::sink_qk(s)?;
    let vo = Surd::from(bounds::vo_printed(s));
    let missing = vo.signum() >= 0 && qk.signum() > 0;
    let witness = missing.then(|| {
        format!(
            "the weights cost ({})*kappa + {vo} more than the printed sum",
            qk
        )
    });
    Ok(Evidence::of(1, witness))
}

fn consistent(cell: &Cell) -> Fallible {
    let (s, printed) = (cell.sizes(), bounds::condition_3(cell.sizes())?);
    let two = Rational::integer(2);
    let constant = &two * bounds::vo_printed(s) + bounds::w1_printed(s) + bounds::w2_printed(s);
    let doubled = Condition {
        slope: printed.slope.scale(&two),
        constant: constant.into(),
        right: printed.right.scale(&two),
    };
    let implied = match (printed.threshold(), doubled.threshold()) {
        (Threshold::Never, _) | (_, Threshold::Always) => true,
        (Threshold::Above(a), Threshold::Above(b)) => b <= a,
        _ => false,
    };
    let witness =
        (!implied).then(|| "a kappa meets (3) but not the consistent comparison".to_string());
    Ok(Evidence::of(1, witness).with("kappa_star_consistent", kappa_star(&doubled)))
}

fn reach(cell: &Cell) -> Fallible {
    let least = Surd::sqrt(&Rational::integer(147))?;
    let witness = match bounds::condition_3(cell.sizes())?.threshold() {
        Threshold::Above(k) if k < least => {
            Some(format!("(3) holds from kappa* = {k} on, below 7 sqrt(3)"))
        }
        Threshold::Always => Some("(3) holds for every kappa".to_string()),
        _ => None,
    };
    Ok(Evidence::of(1, witness))
}

fn scaling(cell: &Cell) -> Fallible {
    let s = cell.sizes();
    let per_t = Surd::sqrt(&(Rational::from(s.m()) * exact::ratio(1, 3)))?;
    let linear = per_t.scale(&Rational::from(s.t));
    let right = bounds::condition_3(s)?.right;
    // The figure's width, where the right side is largest.
    let figure = bounds::per_kappa(&Sizes {
        width: s.t + s.v(),
        ..*s
    })?;
    let at_figure = &figure * &Surd::sqrt(&bounds::diagonal_printed_squared(s))?;
    let task = &cell.task;
    let tokens = (1..=s.t).flat_map(|t| task.tokens_at(t).map(move |i| Token { t, i }));
    let span = rank(
        std::iter::once(BOS)
            .chain(tokens)
            .map(|x| task.embedding(x)),
    );
    let witness = (right <= linear && at_figure <= linear).then(|| {
        format!(
            "the right side is {} kappa, at the figure's d = T + C + D {} kappa, within the linear bound T sqrt(m/3) kappa = {} kappa",
            right.approx(4),
            at_figure.approx(4),
            linear.approx(4)
        )
    });
    Ok(Evidence::of(2, witness)
        .with("span_of_tokens", span as u128)
        .with("figure_width", (s.t + s.v()) as u128))
}

fn theorem(cell: &Cell) -> Fallible {
    let s = cell.sizes();
    let right = diagonal::rhs(&cell.task)?;
    let mut stated = bounds::condition_mended(s, &right)?;
    let literal = cell.task.reading == Reading::L;
    if literal {
        stated.slope = &bounds::per_kappa(s)? * &bounds::sink_qk_first(s)?;
        stated.constant += &Surd::sqrt(&Rational::from(2 * (s.d + 2)))?;
    }
    let shown = |e: Evidence| {
        let mut e = e.with("kappa_star", kappa_star(&stated));
        e.values.extend(sides(cell, &stated));
        e
    };
    if s.t < 2 {
        return Ok(shown(Evidence::vacuous("T >= 2 is assumed")));
    }
    // Half the cost of the mended block, from its own matrices.
    let block = cell.mended();
    let Norm::Exact(qk) = norm(&block.qk)? else {
        return Ok(Evidence::unknown("the norm of the mended B is not exact"));
    };
    let vo = costs::projector_norm(&block.vo)?;
    let mlp = costs::balanced_mlp(&block)?;
    let constant = &Surd::from(vo.clone()) + &mlp.scale(&exact::ratio(1, 2));
    let slope = &bounds::per_kappa(s)? * &qk;
    let mut witness = None;
    if slope != stated.slope || constant != stated.constant {
        witness = Some(format!(
            "half the cost of the mended block is ({slope})*kappa + {constant}, stated is ({})*kappa + {}",
            stated.slope, stated.constant
        ));
    }
    let evidence = shown(Evidence::of(2, witness).by(Method::Certificate));
    Ok(evidence
        .with("norm_of_b", qk)
        .with("norm_of_vo", vo)
        .with("cost_of_mlp", mlp))
}

fn softmax_error(cell: &Cell) -> Evidence {
    let kappa = cell.kappa.clone().unwrap_or_else(|| Rational::integer(16));
    let (task, t) = (&cell.task, cell.sizes().t);
    let found = cell.margins();
    if let Some(m) = found.failing.first() {
        let witness = format!(
            "query {} leads by {}, at least 1 is needed",
            m.query,
            m.value()
        );
        return Evidence::of(found.checked, Some(witness)).with("kappa", kappa);
    }
    let (Some(weight), Some(error)) = (
        softmax::target_weight(&kappa, t),
        softmax::label_error(task, &kappa),
    ) else {
        return Evidence::unknown("e^-kappa could not be enclosed");
    };
    // The last dormant query is run after the first token of every position, with its exact gaps.
    let keys = (1..t).map(|s| Token {
        t: s,
        i: *task.tokens_at(s).start(),
    });
    let query = Token {
        t,
        i: cell.sizes().v(),
    };
    let gaps = softmax::gaps(&cell.printed().qk, task, query, BOS, keys.chain([query]));
    let Some(measured) = softmax::weight_of_gaps(&kappa, &gaps) else {
        return Evidence::unknown("a softmax weight could not be enclosed");
    };
    let witness = (measured.upper < weight.lower).then(|| {
        format!(
            "query {query}: the target's weight is below {} < {}",
            measured.upper, weight.lower
        )
    });
    let one = &Rational::integer(1);
    Evidence::of(found.checked + 1, witness)
        .with("kappa", kappa)
        .with(
            "weight_missed",
            Value::Enclosed(one - &weight.upper, one - &weight.lower),
        )
        .with("target_weight", Value::Enclosed(weight.lower, weight.upper))
        .with(
            "measured_weight",
            Value::Enclosed(measured.lower, measured.upper),
        )
        .with("label_error", Value::Enclosed(Rational::default(), error))
}
