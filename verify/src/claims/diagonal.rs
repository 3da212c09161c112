//! Theorem 7.1: lower bounds on every diagonal solution.

use super::{Claim, Decide, Kind, decided};
use crate::cell::Cell;
use crate::evidence::{Evidence, Method, Value};
use crate::nuclear::{Norm, norm};
use crate::proposals::{self, Proposal};
use certificates::dual::DualBound;
use constructions::Sizes;
use constructions::backcopy::block::Block;
use constructions::backcopy::{Pattern, Queries, Reading, Task, bounds, diagonal, labels, margins};
use constructions::matrix::{HiddenMap, Operator};
use exact::{Rational, Surd, ratio};

type Fallible = Result<Evidence, Box<dyn std::error::Error>>;

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "thm-7.1.diag.lower-bound",
        kind: Kind::Bound,
        place: "App. D, lower bound",
        statement: "Every diagonal solution has |W_K^T W_Q|_* >= (kappa/sqrt(3d)) sqrt(m) T^{3/2}, m = min(C, D)",
        needs: &[],
        repairs: None,
        explain: "Decided by a dual certificate (a nonnegative combination of the task's own inequalities) or, where false, by an \
                  explicit cheaper diagonal matrix. The certificate is that of the mended bound, which is larger from T = 2 on. The printed proof keeps the better half of \
                  the rows and needs a sum of squares >= T^3/24 there; that step is decided apart and reported as a gap where it fails.",
        decide: Decide::InCell(|cell| decided(printed(cell))),
    },
    Claim {
        id: "thm-7.1.diag.lower-bound~",
        kind: Kind::Bound,
        place: "App. D, mended lower bound",
        statement: "For T >= 2 every diagonal B has norm >= sqrt(CD T(T^2-1)/(3(C+D))) in readings A and L; in B, >= that value over \
                    1 + sqrt(3(T-1)/(CT(T+1))) and >= sqrt(CD T(T-1)(T-2)/(3(C+D)))",
        needs: &["lemma.ramp-sums"],
        repairs: Some("thm-7.1.diag.lower-bound"),
        explain: "A dormant query x(t,i) prefers itself to x(t-1,i), a copy query x(t,a) prefers x(t-1,a) to itself: together \
                  (p_t - p_{t-1})^T B (h_i - h_a) >= 2. Averaged over all pairs (i,a) and weighted with W_t = sum_{r>=t} (r - (T+1)/2), these \
                  add up to <Y, B> >= 2 sum_r (r - (T+1)/2)^2 = T(T^2-1)/6, where Y is one outer product, so |B|_* is at least that over |Y|, \
                  |Y|^2 = T(T^2-1)/12 (1/C + 1/D). In reading B a dormant token precedes at t = 2, so Y gains a second part; its norm is \
                  bounded by the sum of both (the closed form), by leaving that step out, or at once through Y^T Y (`certified`). \
                  The checker re-adds the inequalities. A diagonal solution with all margins is exhibited, so the bound speaks of something.",
        decide: Decide::InCell(|cell| decided(mended(cell))),
    },
    Claim {
        id: "thm-7.1.diag.definition",
        kind: Kind::Bound,
        place: "Sec. 7, definition",
        statement: "The definition of diagonal attention, which names dormant tokens only, forces the copy margins that the proof uses",
        needs: &[],
        repairs: None,
        explain: "At T = 2, C = D = 1, reading B, a block is run that outputs every label with dormant tokens attending hard to \
                  themselves, while its copy token splits evenly between itself and its predecessor. In B: p_1 h_2^T 2, p_2 h_2^T 4, (p_1 + p_2) h_1^T; \
                  W_O W_V sends h_2 + p_1 to twice itself, h_2 + p_2 to itself, h_1 + p_2 to 0; one neuron relu(p_1 - h_1 - p_2) writes -(h_2 + p_1).",
        decide: Decide::InCell(|_| decided(definition())),
    },
];

/// The strongest certified bound at hand for this task.
pub(super) fn best(task: &Task) -> Result<Vec<DualBound>, proposals::ProposalError> {
    let proposals: Vec<Proposal> = match (task.sizes.t, task.reading) {
        (1, Reading::L) => vec![proposals::single_position_literal(task)],
        (1, _) => vec![proposals::single_position(task)],
        (2, Reading::B) => vec![proposals::with_second(task, false)],
        (_, Reading::B) => vec![
            proposals::with_second(task, false),
            proposals::all_rows(task, 3),
        ],
        _ => vec![proposals::all_rows(task, 2)],
    };
    proposals
        .iter()
        .map(|p| proposals::bound(task, p))
        .collect()
}

/// A diagonal matrix that meets every margin: the bound speaks of something.
fn feasible(cell: &Cell) -> Evidence {
    let qk = cell.read(&diagonal::qk());
    let mut evidence = Evidence::of(0, None);
    for queries in [Queries::Proof, Queries::First] {
        let found = margins::check(&qk, &cell.task, Pattern::Diagonal, queries);
        if let Some(m) = found.failing.first() {
            evidence.undecided = Some(format!(
                "no diagonal solution at hand shows the hypotheses can be met (query {} fails)",
                m.query
            ));
        }
    }
    evidence
}

fn shown(bound: &DualBound) -> Value {
    match bound.value() {
        Ok(x) => x.into(),
        Err(_) => bound.lower(64).into(),
    }
}

fn printed(cell: &Cell) -> Fallible {
    let (task, sizes) = (&cell.task, cell.sizes());
    let claimed = bounds::diagonal_printed_squared(sizes);
    let value = Surd::sqrt(&claimed)?;
    let found = best(task)?;
    let mut proved = None;
    for bound in &found {
        if bound.at_least_sqrt(&claimed)? {
            proved = Some(bound);
        }
    }
    if let Some(bound) = proved {
        let mut evidence = Evidence::of(1, None)
            .by(Method::Certificate)
            .with("lower_bound", value)
            .with("certified", shown(bound));
        evidence.proof_gap = half_rows(sizes.t);
        return Ok(evidence.and(feasible(cell)));
    }
    if sizes.t == 1 && task.reading != Reading::L {
        let qk = cell.read(&diagonal::qk_single(sizes.d));
        let margins = margins::check(&qk, task, Pattern::Diagonal, Queries::Proof);
        if let (true, Norm::Exact(x)) = (
            margins.failing.is_empty() && margins.checked > 0,
            norm(&qk)?,
        ) && x < value
        {
            let witness = format!(
                "a diagonal B with all margins >= 1 has norm {x} = {}, the bound says {value} = {}",
                x.approx(6),
                value.approx(6)
            );
            return Ok(Evidence::of(1, Some(witness))
                .with("lower_bound", value)
                .with("norm_of_witness", x));
        }
    }
    Ok(Evidence::unknown(
        "neither a certificate nor a cheaper diagonal solution is at hand",
    ))
}

/// The printed step: of a sequence with increments >= 1, one half has a sum of squares >= T^3/24. The centred one refutes it.
fn half_rows(t: usize) -> Option<String> {
    if t < 2 {
        return None;
    }
    let n = Rational::from(t);
    let centre = (&n + Rational::integer(1)) * ratio(1, 2);
    let sum = |from: usize, to: usize| {
        (from..=to)
            .map(|s| Rational::from(s) - &centre)
            .map(|f| &f * &f)
            .sum::<Rational>()
    };
    // The longer half, as the proof allows itself.
    let half = sum(1, t.div_ceil(2)).max(sum(t / 2 + 1, t));
    let claimed = n.pow(3) * ratio(1, 24);
    (half < claimed).then(|| {
        format!("the printed step fails: f(t) = t - (T+1)/2 has increments 1, but its better half has sum of squares {half} < T^3/24 = {claimed}")
    })
}

fn mended(cell: &Cell) -> Fallible {
    let (task, sizes) = (&cell.task, cell.sizes());
    if sizes.t < 2 {
        return Ok(Evidence::vacuous("T >= 2 is assumed"));
    }
    let claimed = bounds::diagonal_mended_squared(sizes);
    let (mut checked, mut failed) = (0u128, None);
    let mut ask = |holds: bool, what: &str| {
        checked += 1;
        if !holds {
            failed = Some(format!("the certificate does not reach {what}"));
        }
    };
    let mut values: Vec<(&'static str, Value)> = Vec::new();
    if task.reading == Reading::B {
        let closed = bounds::diagonal_sharper_b(sizes)?;
        let split = proposals::bound(task, &proposals::with_second(task, true))?;
        ask(split.value()? >= closed, "the closed form of reading B");
        if sizes.t >= 3 {
            let without = proposals::bound(task, &proposals::all_rows(task, 3))?;
            ask(
                without.at_least_sqrt(&bounds::diagonal_without_second_squared(sizes))?,
                "the bound without t = 2",
            );
        }
        let sharpest = proposals::bound(task, &proposals::with_second(task, false))?;
        values.push(("lower_bound", rhs(task)?.into()));
        values.push(("certified", sharpest.lower(64).into()));
    } else {
        let bound = proposals::bound(task, &proposals::all_rows(task, 2))?;
        ask(bound.at_least_sqrt(&claimed)?, "the stated value");
        values.push(("lower_bound", Surd::sqrt(&claimed)?.into()));
    }
    let mut evidence = match failed {
        // A weaker certificate refutes nothing.
        Some(reason) => Evidence::unknown(reason),
        None => Evidence::of(checked, None),
    };
    evidence.values = values;
    Ok(evidence.by(Method::Certificate).and(feasible(cell)))
}

/// The mended bound of the cell's reading: what stands on the right of `thm-7.1~`. Zero at T = 1.
pub(super) fn rhs(task: &Task) -> Result<Surd, exact::SqrtError> {
    let all = Surd::sqrt(&bounds::diagonal_mended_squared(&task.sizes))?;
    if task.reading != Reading::B || task.sizes.t < 2 {
        return Ok(all);
    }
    let without = Surd::sqrt(&bounds::diagonal_without_second_squared(&task.sizes))?;
    Ok(bounds::diagonal_sharper_b(&task.sizes)?.max(without))
}

fn definition() -> Fallible {
    let sizes = Sizes::new(2, 1, 1, None)?;
    let task = Task {
        sizes,
        reading: Reading::B,
    };
    let (ha, hd, p1, p2) = (sizes.h(1), sizes.h(2), sizes.p(1), sizes.p(2));
    let one = Rational::integer;
    let square = |entries: &[(usize, usize, i64)]| {
        Operator::from_entries(
            sizes.width,
            sizes.width,
            entries.iter().map(|(i, j, x)| (*i, *j, one(*x))),
        )
    };
    // Dormant queries score position s with 2s; copy queries score t = 1 and t = 2 alike.
    let qk = square(&[(p1, hd, 2), (p2, hd, 4), (p1, ha, 1), (p2, ha, 1)]);
    // V(h_d + p_1) = 2(h_d + p_1), V(h_a + p_2) = 0, V(h_d + p_2) = h_d + p_2.
    let vo = square(&[
        (hd, hd, 1),
        (p2, hd, 1),
        (hd, p1, 1),
        (p1, p1, 2),
        (p2, p1, -1),
    ]);
    // One neuron, relu(p_1 - h_a - p_2), takes the surplus off the dormant token at t = 1.
    let mut w1 = HiddenMap {
        units: 1,
        columns: vec![Default::default(); sizes.width],
    };
    for (k, x) in [(p1, 1), (ha, -1), (p2, -1)] {
        w1.columns[k].exceptions.push((0, one(x)));
    }
    let w2 = Operator::from_entries(sizes.width, 1, [(hd, 0, one(-1)), (p1, 0, one(-1))]);
    let block = Block {
        qk,
        vo,
        w1,
        w2,
        b1: None,
        b2: None,
    };
    let found = margins::check(&block.qk, &task, Pattern::Diagonal, Queries::Proof);
    let labels = labels::check(
        &block,
        &task,
        Pattern::Diagonal,
        Queries::Proof,
        &found.failing,
    );
    // Only one sequence ends in the copy token, so running it decides its label.
    let copies =
        found.failing.iter().all(|m| sizes.is_copy(m.query.i)) && !found.failing.is_empty();
    let evidence = Evidence::of(labels.checked, None);
    if labels.missed > 0 || labels.undecided.is_some() || labels.checked == 0 || !copies {
        return Ok(Evidence::unknown(
            "the block at hand does not separate the definition from the proof's inequalities",
        ));
    }
    let m = &found.failing[0];
    let witness = format!(
        "T = 2, C = D = 1, reading B: a block outputs all {} labels with dormant tokens hard on themselves, but query {} gives {} and {} the same logit {}",
        labels.checked, m.query, m.winner, m.loser, m.winning
    );
    Ok(Evidence {
        witness: Some(witness),
        ..evidence
    })
}
