//! Section 7: the extension to rotary positions.

use super::{Claim, Decide, Kind, decided};
use crate::evidence::Evidence;
use constructions::Sizes;
use constructions::backcopy::bounds;
use constructions::rope::head::{Head, Query};
use exact::{Rational, Surd, ratio};

type Fallible = Result<Evidence, Box<dyn std::error::Error>>;

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "sec-7.rope",
    kind: Kind::Bound,
    place: "Sec. 7, relative positional embeddings",
    statement: "Rotations after the projections can be absorbed into one new weight, Phi W_Q Phi^T, so the lower bound on diagonal attention carries over",
    needs: &[],
    repairs: None,
    explain: "Two checks. Phi depends on the position: with the 3-4-5 rotation, Phi diag(1,0) Phi^T differs from diag(1,0), so no one weight absorbs both positions. And a head whose \
              rotations turn by 2 pi f/(T+1), f = 1..T/2, implements diagonal attention on the backcopy tokens: dormant queries look for their own position, copy queries one back. \
              Its logits are sums of cosines, kappa at the target, -kappa/T elsewhere and 0 at BOS, computed in the cyclotomic field of order T + 1; \
              all margins are compared (copy queries from t = 2 on, readings A and B). (|W_Q|^2 + |W_K|^2)/2 = 2 (C+D) kappa/sqrt d does not grow with T, while the printed bound and the mended one on \
              |W_K^T W_Q|_* grow as T^{3/2}. Rows t.T show both at C = D = 1, in kappa/sqrt d.",
    decide: Decide::Alone(|| decided(rope())),
}];

/// The context lengths, with the names of their rows.
const LENGTHS: [(&str, usize); 5] = [
    ("t.4", 4),
    ("t.6", 6),
    ("t.8", 8),
    ("t.14", 14),
    ("t.20", 20),
];

fn rope() -> Fallible {
    let mut evidence = Evidence::of(0, None);
    let mut found = None;
    for (row, t) in LENGTHS {
        let head = Head::new(t, 1);
        let (least, checked) = head.margins().ok_or("a logit is irrational")?;
        evidence.checked += checked;
        if least.margin < ratio(1, 1) {
            let query = match least.query {
                Query::Copy => "copy",
                Query::Dormant => "dormant",
            };
            return Ok(Evidence::unknown(format!(
                "T = {t}: the head at hand leads by {} kappa only ({query} query at {}, key at {})",
                least.margin, least.at, least.loser
            )));
        }
        let cost = head.half_cost(1, 1).ok_or("a norm is irrational")?;
        let [printed, mended] = lower_bounds(t)?;
        let text = format!(
            "T = {t}: least margin {} kappa, costs {cost}; the bounds would be {} and, mended, {}",
            least.margin,
            printed.approx(4),
            mended.approx(4)
        );
        let cost = Surd::from(cost);
        if cost < printed && cost < mended {
            found = Some(text.clone());
        }
        evidence = evidence.with(row, crate::evidence::Value::Text(text));
    }
    evidence.checked += 1;
    // Both checks must fail the statement; one alone would leave the other way open.
    evidence.witness = found
        .zip(depends_on_position())
        .map(|(a, b)| format!("{a}; {b}"));
    Ok(evidence)
}

/// The printed and the mended lower bound on |W_K^T W_Q|_*, C = D = 1, in kappa/sqrt d: twice those on |B|_*.
fn lower_bounds(t: usize) -> Result<[Surd; 2], Box<dyn std::error::Error>> {
    let sizes = Sizes::new(t, 1, 1, None)?;
    let two = Rational::integer(2);
    let printed = Surd::sqrt(&bounds::diagonal_printed_squared(&sizes))?;
    let mended = Surd::sqrt(&bounds::diagonal_mended_squared(&sizes))?;
    Ok([printed.scale(&two), mended.scale(&two)])
}

/// Phi diag(1, 0) Phi^T for the rotation by the angle with cosine 3/5, where it is not diag(1, 0).
fn depends_on_position() -> Option<String> {
    let (cos, sin) = (ratio(3, 5), ratio(4, 5));
    // Phi diag(1,0) Phi^T is the outer square of Phi's first column.
    let turned = [&cos * &cos, &cos * &sin, &sin * &sin];
    let still = [ratio(1, 1), ratio(0, 1), ratio(0, 1)];
    (turned != still).then(|| {
        format!(
            "Phi diag(1,0) Phi^T = (({}, {}), ({}, {})) at a position that turns by the angle of the triangle 3, 4, 5",
            turned[0], turned[1], turned[1], turned[2]
        )
    })
}
