//! Theorem 7.1: what the sink construction costs.

use super::{Claim, Decide, Kind, decided};
use crate::cell::Cell;
use crate::evidence::{Evidence, Method};
use crate::nuclear::{Norm, NormError, norm};
use certificates::projector::{Downdate, nuclear_norm_of_downdate};
use constructions::backcopy::block::Block;
use constructions::backcopy::{BOS, Reading, Token, bounds};
use constructions::matrix::dot;
use exact::{Rational, SqrtError, Surd};
use std::cmp::Ordering;
use std::collections::BTreeMap;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "thm-7.1.sink.cost.qk",
        kind: Kind::Cost,
        place: "App. D, cost of (7)",
        statement: "The nuclear norm of (7) is (2 kappa/sqrt d)(sqrt(2D) + T - 1) (of your own matrix: at most)",
        needs: &[],
        repairs: None,
        explain: "B splits into rank-one blocks, orthogonal on both sides; the decomposition is re-checked. \
                  Your own matrix may be cheaper; in reading L it may cost sqrt(2D + 1/2) + T - 1, what the repair takes. Norms of B are in units of 2 kappa/sqrt d.",
        decide: Decide::InCell(|cell| {
            let own = cell.overrides.qk.is_some();
            let claimed = if own && cell.task.reading == Reading::L {
                bounds::sink_qk_first(cell.sizes())
            } else {
                bounds::sink_qk(cell.sizes())
            };
            decided(claimed.map(|c| cost(&cell.printed().qk, &c, own)))
        }),
    },
    Claim {
        id: "thm-7.1.sink.cost.vo",
        kind: Kind::Cost,
        place: "App. D, cost of (8)",
        statement: "The nuclear norm of (8) is T + C + D - 2 (of your own matrix: at most)",
        needs: &[],
        repairs: None,
        explain: "(8) is the identity of R^d less two projectors: its norm is d - 2, and d >= T + C + D + 2.",
        decide: Decide::InCell(|cell| {
            cost(
                &cell.printed().vo,
                &bounds::vo_printed(cell.sizes()).into(),
                cell.overrides.vo.is_some(),
            )
        }),
    },
    Claim {
        id: "thm-7.1.sink.cost.vo~",
        kind: Kind::Cost,
        place: "App. D, mended value map",
        statement: "For T >= 2 the projector onto span{h_i + p_t : i in V, t <= T-1} copies all that is ever copied, kills BOS, and has nuclear norm T + C + D - 2",
        needs: &[],
        repairs: Some("thm-7.1.sink.cost.vo"),
        explain: "Every value is computed; the norm is the trace of a projector: the identity on the h and p involved, less g g^T/|g|^2, certified positive semidefinite.",
        decide: Decide::InCell(|cell| decided(projector(cell))),
    },
    Claim {
        id: "thm-7.1.sink.cost.mlp",
        kind: Kind::Cost,
        place: "App. D, costs of (9), (10)",
        statement: "|W_1|_F^2 = 4dC + T + D and |W_2|_F^2 = T + D (of your own matrices: at most, together)",
        needs: &[],
        repairs: None,
        explain: "Sums of squares of the exact entries.",
        decide: Decide::InCell(|cell| {
            let (block, s) = (cell.printed(), cell.sizes());
            let found = [block.w1.frobenius_squared(), block.w2.frobenius_squared()];
            let claimed = [bounds::w1_printed(s), bounds::w2_printed(s)];
            let own = cell.overrides.w1.is_some() || cell.overrides.w2.is_some();
            let total = |x: &[Rational; 2]| &x[0] + &x[1];
            let wrong = if own {
                total(&found) > total(&claimed)
            } else {
                found != claimed
            };
            let witness = wrong.then(|| {
                format!(
                    "W_1 costs {}, W_2 costs {}; claimed {} and {}",
                    found[0], found[1], claimed[0], claimed[1]
                )
            });
            Evidence::of(2, witness)
                .with("w1", found[0].clone())
                .with("w2", found[1].clone())
        }),
    },
];

/// Compares a nuclear norm with the claimed cost. A user's own matrix may be cheaper.
pub(super) fn cost(
    matrix: &constructions::matrix::Operator,
    claimed: &Surd,
    own: bool,
) -> Evidence {
    let compare = |found: Norm| -> Evidence {
        let order = found.compare(claimed);
        let shown = match &found {
            Norm::Exact(x) => x.to_string(),
            Norm::Enclosed(low, high) => format!(
                "in [{}, {}]",
                Surd::from(low.clone()).approx(9),
                Surd::from(high.clone()).approx(9)
            ),
        };
        let evidence = match order {
            None => Evidence::unknown(format!(
                "the norm is {shown}, too close to {claimed} to decide"
            )),
            Some(Ordering::Equal) => Evidence::of(1, None),
            Some(Ordering::Less) if own => Evidence::of(1, None),
            Some(_) => Evidence::of(
                1,
                Some(format!("the nuclear norm is {shown}, claimed is {claimed}")),
            ),
        };
        evidence
            .by(Method::Certificate)
            .with("nuclear_norm", found)
            .with("claimed", claimed.clone())
    };
    decided(norm(matrix).map(compare))
}

fn projector(cell: &Cell) -> Result<Evidence, NormError> {
    let s = cell.sizes();
    if s.t < 2 {
        return Ok(Evidence::vacuous(
            "T >= 2 is assumed: nothing is copied at T = 1",
        ));
    }
    let vo = cell.read(&constructions::backcopy::sink::vo_projector());
    let mut witness =
        (!vo.apply(&cell.task.embedding(BOS)).is_empty()).then(|| "BOS is not killed".to_string());
    let mut checked = 1u128;
    for t in 1..s.t {
        for i in 1..=s.v() {
            let x = cell.task.embedding(Token { t, i });
            checked += 1;
            if vo.apply(&x) != x && witness.is_none() {
                witness = Some(format!("the value of x({t},{i}) is not itself"));
            }
        }
    }
    let norm = projector_norm(&vo)?;
    let claimed = bounds::vo_printed(s);
    if norm != claimed {
        witness = Some(format!("the nuclear norm is {norm}, claimed is {claimed}"));
    }
    Ok(Evidence::of(checked, witness)
        .by(Method::Certificate)
        .with("nuclear_norm", norm))
}

/// The norm of the mended value map, from its factored form or, when small enough to be multiplied out, as a projector.
pub(super) fn projector_norm(
    vo: &constructions::matrix::Operator,
) -> Result<Rational, certificates::Rejection> {
    let [outer] = vo.outers.as_slice() else {
        return certificates::projector::trace_norm_of_projector(&vo.entries());
    };
    let one = Rational::integer(1);
    let unit = |(k, c): (usize, &Vec<(usize, Rational)>)| matches!(c.as_slice(), [(i, x)] if *i == k && *x == one);
    let plain = vo
        .columns
        .iter()
        .enumerate()
        .all(|(k, c)| c.is_empty() || unit((k, c)));
    if !plain || outer.left != outer.right {
        return Err(certificates::Rejection::Shape(
            "not a partial identity less a symmetric outer product".into(),
        ));
    }
    nuclear_norm_of_downdate(&Downdate {
        support: vo
            .columns
            .iter()
            .enumerate()
            .filter(|(_, c)| !c.is_empty())
            .map(|(k, _)| k)
            .collect(),
        coefficient: -outer.coefficient.clone(),
        vector: outer.left.iter().cloned().collect(),
    })
}

/// The least cost of the block's MLP when each unit is rescaled freely: 2 sum over units of |row of W_1| |column of W_2|.
pub(super) fn balanced_mlp(block: &Block) -> Result<Surd, SqrtError> {
    let mut rows = vec![Rational::default(); block.w1.units];
    for column in &block.w1.columns {
        let base = &column.default * &column.default;
        let mut listed = column.exceptions.iter().peekable();
        if base.is_zero() {
            listed.for_each(|(r, x)| rows[*r] += x * x);
            continue;
        }
        for (r, sum) in rows.iter_mut().enumerate() {
            *sum += match listed.next_if(|(k, _)| *k == r) {
                Some((_, x)) => x * x,
                None => base.clone(),
            };
        }
    }
    // Units of equal weight share one square root.
    let mut squares = BTreeMap::<Rational, i64>::new();
    for (unit, row) in rows.into_iter().enumerate() {
        let column = block.w2.column(unit);
        *squares.entry(row * dot(&column, &column)).or_default() += 2;
    }
    squares
        .into_iter()
        .try_fold(Surd::zero(), |sum, (square, count)| {
            Ok(&sum + &Surd::sqrt(&square)?.scale(&Rational::integer(count)))
        })
}
