//! Theorem 7.1: margins and labels of the sink construction.

use super::{Claim, Decide, Kind, costs, decided};
use crate::cell::Cell;
use crate::evidence::Evidence;
use constructions::Sizes;
use constructions::backcopy::labels::{self, Labels};
use constructions::backcopy::margins::{self, Margins};
use constructions::backcopy::{Pattern, Queries, Reading, Task, bounds, sink};
use constructions::basis::Basis;
use constructions::reading::{Layer, hidden_map};
use exact::Rational;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "thm-7.1.sink.margins",
        kind: Kind::Margin,
        place: "App. D, eq. (7)",
        statement: "With (7), every dormant query prefers BOS, and every copy query at t >= 2 its predecessor, by at least 1 in B",
        needs: &[],
        repairs: None,
        explain: "Every inequality (query, winning key, losing key) of the reading is decided on the exact logits. \
                  A logit is a sum of four entries of B, so the best key separates into token and position.",
        decide: Decide::InCell(|cell| margin_evidence(&cell.task, cell.margins())),
    },
    Claim {
        id: "thm-7.1.sink.first-position",
        kind: Kind::Margin,
        place: "Sec. 7 (task), reading L",
        statement: "With (7), a copy token at t = 1 prefers BOS by at least 1 in B",
        needs: &[],
        repairs: None,
        explain: "The statement lets a copy token follow BOS at once; (7) gives both keys the logit 0, so it averages BOS and itself. \
                  Of your own matrices in reading L the labels at t = 1 are asked for too.",
        decide: Decide::InCell(|cell| {
            let margins = margin_evidence(&cell.literal(), cell.first_margins());
            if cell.task.reading != Reading::L || !cell.overrides.any() {
                return margins;
            }
            margins.and(first_labels(cell))
        }),
    },
    Claim {
        id: "thm-7.1.sink.first-position~",
        kind: Kind::Margin,
        place: "reading L, mended",
        statement: "Adding (h_0 + p_0) p_1^T / 2 to B and one neuron p_1 - sum_D h - p_2 -> h_0 + p_0 makes every margin and label of reading L right, at |B|_* = sqrt(2D + 1/2) + T - 1",
        needs: &[],
        repairs: Some("thm-7.1.sink.first-position"),
        explain: "The repaired block is checked on every query, t = 1 included; the norm of its B comes from an orthogonal decomposition.",
        decide: Decide::InCell(|cell| {
            let literal = Cell::new(cell.literal(), cell.basis.clone(), None);
            let block = block_evidence(&literal, &[Queries::Proof, Queries::First]);
            let repaired = literal.read(&sink::qk_first());
            block.and(decided(
                bounds::sink_qk_first(cell.sizes()).map(|c| costs::cost(&repaired, &c, false)),
            ))
        }),
    },
    Claim {
        id: "thm-7.1.sink.labels",
        kind: Kind::Label,
        place: "App. D, eqs. (7)-(10)",
        statement: "In the standard basis the block outputs BOS for BOS, 2x for a dormant x, and x plus its predecessor for a copy token at t >= 2",
        needs: &["thm-7.1.sink.margins"],
        repairs: None,
        explain: "Attention, residual, RMSNorm, ReLU and residual are run exactly for every query and predecessor.",
        decide: Decide::InCell(|cell| {
            if !cell.basis.is_standard() {
                return Evidence::vacuous(
                    "stated for the standard basis; see thm-7.1.sink.labels-any-basis",
                );
            }
            label_evidence(&cell.task, &cell.labels())
        }),
    },
    Claim {
        id: "thm-7.1.sink.labels-any-basis",
        kind: Kind::Label,
        place: "App. D, eqs. (9), (10)",
        statement: "The same labels come out in every orthonormal basis",
        needs: &[],
        repairs: None,
        explain: "ReLU acts on coordinates, so it clips the negative ones of h_i + p_t. A basis turned by the angle with cosine 3/5 is enough.",
        decide: Decide::InCell(any_basis),
    },
    Claim {
        id: "thm-7.1.sink.labels-any-basis~",
        kind: Kind::Label,
        place: "App. D, mended MLP",
        statement: "With one hidden unit for each dormant token and position, kill 1, and the mended value map, all labels are right in every orthonormal basis",
        needs: &[],
        repairs: Some("thm-7.1.sink.labels-any-basis"),
        explain: "Hidden units read h_i and p_t by inner products, so the basis does not enter. A smaller kill than 1 leaves \
                  a positive preactivation at e_t for a copy token at t: the least kill (`least_kill`) is computed. The matrices are w1_units and w2_units in backcopy/sink.rs.",
        decide: Decide::InCell(|cell| {
            let task = Task {
                reading: if cell.task.reading == Reading::B {
                    Reading::B
                } else {
                    Reading::A
                },
                ..cell.task
            };
            let plain = Cell::new(task, cell.basis.clone(), None);
            block_evidence(&plain, &[Queries::Proof]).and(least_kill(&plain))
        }),
    },
];

fn plural(n: u128, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Margins as evidence.
pub(super) fn margin_evidence(task: &Task, found: &Margins) -> Evidence {
    let worst = found.failing.iter().min_by_key(|m| m.value());
    let witness = worst.map(|m| {
        format!(
            "query {}: key {} has logit {}, key {} has {}: the margin is {}, at least 1 is needed ({})",
            task.describe(m.query), task.describe(m.winner), m.winning, task.describe(m.loser), m.losing, m.value(), plural(found.failing.len() as u128, "query fails", "queries fail")
        )
    });
    let evidence = Evidence::of(found.checked, witness).with("checked", found.checked);
    match &found.least {
        Some(least) => evidence.with("min_margin", least.value()).with(
            "attained",
            crate::evidence::Value::Text(format!(
                "query {}, key {} over {}",
                task.describe(least.query),
                task.describe(least.winner),
                task.describe(least.loser)
            )),
        ),
        None => evidence,
    }
}

/// Labels as evidence.
fn label_evidence(task: &Task, found: &Labels) -> Evidence {
    let witness = found.misses.first().map(|m| {
        let keys: Vec<String> = m.attended.iter().map(|k| task.describe(*k)).collect();
        let difference: Vec<String> = m
            .difference
            .iter()
            .take(6)
            .map(|(k, x)| format!("{} {}", x, task.sizes.name(*k)))
            .collect();
        let more = if m.difference.len() > 6 { " + ..." } else { "" };
        format!(
            "query {} after {}, attending to {}: output minus label is sqrt(d/2) * ({}{more}) ({})",
            task.describe(m.query),
            task.describe(m.predecessor),
            keys.join(" and "),
            difference.join(" + "),
            plural(found.missed, "label missed", "labels missed")
        )
    });
    let mut evidence = Evidence::of(found.checked, witness).with("checked", found.checked);
    if let Some((query, predecessor, reason)) = &found.undecided {
        evidence.undecided = Some(format!(
            "query {} after {}: {reason}",
            task.describe(*query),
            task.describe(*predecessor)
        ));
    }
    if let Some(m) = found.undetermined.first() {
        evidence.undecided = Some(format!(
            "query {} has no hard attention: margin {}",
            task.describe(m.query),
            m.value()
        ));
    }
    evidence
}

/// Labels of copy queries at t = 1 of the user's block.
fn first_labels(cell: &Cell) -> Evidence {
    let task = cell.literal();
    let failing = &cell.first_margins().failing;
    let found = labels::check(
        cell.printed(),
        &task,
        Pattern::Sink,
        Queries::First,
        failing,
    );
    let mut evidence = label_evidence(&task, &found);
    // The margins beside it carry the count.
    evidence.values.clear();
    evidence
}

/// Margins and labels of the cell's mended block.
fn block_evidence(cell: &Cell, sets: &[Queries]) -> Evidence {
    let block = cell.mended();
    let mut all: Option<Evidence> = None;
    for queries in sets {
        let margins = margins::check(&block.qk, &cell.task, Pattern::Sink, *queries);
        let labels = labels::check(
            &block,
            &cell.task,
            Pattern::Sink,
            *queries,
            &margins.failing,
        );
        let both = margin_evidence(&cell.task, &margins).and(label_evidence(&cell.task, &labels));
        all = Some(match all {
            Some(e) => e.and(both),
            None => both,
        });
    }
    let mut evidence = all.unwrap_or_else(|| Evidence::of(0, None));
    // One count is reported: that of all inequalities and labels together.
    evidence.values.retain(|(name, _)| *name == "min_margin");
    evidence.values.truncate(1);
    let checked = evidence.checked;
    evidence.with("checked", checked)
}

/// The preactivation of e_2 for a copy token at t = 2 after a dormant one is 0 at kill 1 and falls by 1 with each unit of
/// kill: below 1 it is positive, and p_2 would be written.
fn least_kill(cell: &Cell) -> Evidence {
    if cell.sizes().t < 2 {
        return Evidence::of(0, None);
    }
    let sizes = cell.sizes();
    let layer = Layer::Units { extra: 0 };
    let state = [
        (sizes.h(1), 1i64),
        (sizes.h(sizes.c + 1), 1),
        (sizes.p(1), 1),
        (sizes.p(2), 1),
    ];
    let state: Vec<_> = state
        .into_iter()
        .map(|(k, x)| (k, Rational::integer(x)))
        .collect();
    let at = |kill: i64| {
        hidden_map(
            &sink::w1_units(&Rational::integer(kill)),
            layer,
            sizes,
            &cell.basis,
        )
        .apply(&state)
        .at(sizes.d + 1)
        .clone()
    };
    let (one, two) = (at(1), at(2));
    let least = one == Rational::integer(0) && two == Rational::integer(-1);
    let witness =
        (!least).then(|| format!("kill 1 gives preactivation {one} at e_2, kill 2 gives {two}"));
    let evidence = Evidence::of(1, witness);
    if least {
        evidence.with("least_kill", Rational::integer(1))
    } else {
        evidence
    }
}

fn any_basis(cell: &Cell) -> Evidence {
    if !cell.basis.is_standard() {
        let here = label_evidence(&cell.task, &cell.labels());
        if here.witness.is_some() || cell.overrides.any() {
            return here;
        }
    }
    // One basis refutes; the smallest instance is easiest to follow.
    let instance = || -> Result<Evidence, Box<dyn std::error::Error>> {
        let sizes = Sizes::new(1, 1, 1, None)?;
        let basis = Basis::turned(&sizes, sizes.h(2), sizes.p(1))?;
        let task = Task {
            sizes,
            reading: Reading::A,
        };
        let turned = Cell::new(task, basis, None);
        let mut evidence = label_evidence(&task, &turned.labels());
        evidence.witness = evidence.witness.map(|w| {
            format!("the printed matrices at T = C = D = 1, d = 5, h_2 and p_1 turned to (3/5, 4/5) and (-4/5, 3/5): {w}")
        });
        Ok(evidence)
    };
    instance().unwrap_or_else(|e| Evidence::unknown(e.to_string()))
}
