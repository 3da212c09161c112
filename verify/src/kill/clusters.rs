//! Mutations of the builds of Theorem D.1 and of the cheaper sink.

use super::{Fate, Row};
use crate::cluster::cost::{Cost, costs};
use crate::cluster::spec::SpecError;
use crate::cluster::{ClusterCell, Own};
use crate::evidence::{Evidence, Outcome};
use crate::frame_norm::bounds;
use crate::nuclear::Norm;
use crate::place::Place;
use crate::runner;
use constructions::cluster::build::{Build, Pattern, form, lifted, map};
use constructions::cluster::shapes::{Coherence, Shape};
use constructions::cluster::task::{Data, Task};
use constructions::cluster::{diagonal, sink};
use constructions::language::{Matrix, mutations};
use constructions::matrix::Sparse;
use exact::{Rational, ratio};
use rayon::prelude::*;

/// The definitions of a block: query-key matrix, value map, W_1 and W_2 (none for a zero MLP).
#[derive(Clone)]
struct Definitions {
    names: [&'static str; 4],
    pattern: Pattern,
    qk: Matrix,
    vo: Matrix,
    mlp: Option<(Matrix, Matrix)>,
}

impl Definitions {
    fn build(&self, task: &Task) -> Build {
        let (neurons, output_bias) = match &self.mlp {
            Some((w1, w2)) => lifted(w1, w2, task),
            None => (Vec::new(), Sparse::new()),
        };
        Build {
            qk: form(&self.qk, task),
            vo: map(&self.vo, task),
            neurons,
            output_bias,
        }
    }

    /// Every change of one piece.
    fn changed(&self) -> Vec<(&'static str, String, String, Definitions)> {
        let mut pieces = vec![(0, &self.qk), (1, &self.vo)];
        pieces.extend(self.mlp.iter().flat_map(|(w1, w2)| [(2, w1), (3, w2)]));
        let mut all = Vec::new();
        for (piece, definition) in pieces {
            for m in mutations(definition) {
                let mut new = self.clone();
                let formula = m.mutated.to_string();
                match (piece, &mut new.mlp) {
                    (0, _) => new.qk = m.mutated,
                    (1, _) => new.vo = m.mutated,
                    (2, Some((w1, _))) => *w1 = m.mutated,
                    (_, Some((_, w2))) => *w2 = m.mutated,
                    _ => continue,
                }
                all.push((self.names[piece], m.change, formula, new));
            }
        }
        all
    }
}

/// Must hold of a sink, and of a diagonal.
const SINK: [&str; 3] = [
    "thm-D.1.sink.margins",
    "thm-D.1.sink.labels",
    "thm-D.1.theta",
];
const DIAGONAL: [&str; 2] = ["thm-D.1.diag.margins", "thm-D.1.diag.labels"];

pub(super) fn table() -> Result<Vec<Row>, SpecError> {
    let task = Task::new(
        vec![2, 3],
        ratio(25, 169),
        ratio(1, 20),
        (ratio(1, 40), Coherence::Opposed),
        // Groups that share their nuisances: only the group directions tell these apart.
        &Shape::Shared,
        Data::default(),
    )?;
    // The least multiple of 1/1000 that keeps theta in range at this place.
    let s = ratio(545, 1000);
    let blocks = [
        Definitions {
            names: ["D.1 sink QK", "D.1 sink VO", "D.1 sink W_1", "D.1 sink W_2"],
            pattern: Pattern::Sink,
            qk: sink::qk(),
            vo: sink::vo(),
            mlp: Some((sink::w1(), sink::w2())),
        },
        Definitions {
            names: ["D.1 diag QK", "D.1 diag VO", "", ""],
            pattern: Pattern::Diagonal,
            qk: diagonal::qk(),
            vo: diagonal::vo(),
            mlp: None,
        },
        Definitions {
            names: ["", "cheaper VO", "", "cheaper W_2"],
            pattern: Pattern::Sink,
            qk: sink::qk(),
            vo: sink::vo_cheaper(&s),
            mlp: Some((sink::w1(), sink::w2_cheaper())),
        },
    ];
    let mut rows = Vec::new();
    for block in &blocks {
        let original = block.build(&task);
        let before = costs(&task, &original).ok();
        let changed: Vec<_> = block
            .changed()
            .into_iter()
            .filter(|(name, ..)| !name.is_empty())
            .collect();
        let found: Vec<Result<Row, SpecError>> = changed
            .into_par_iter()
            .map(|(equation, change, formula, new)| {
                let build = new.build(&task);
                let fate = if build == original {
                    Fate::Same
                } else {
                    fate(&task, build, block.pattern, before.as_ref())?
                };
                Ok(Row {
                    equation,
                    change,
                    formula,
                    fate,
                })
            })
            .collect();
        for row in found {
            rows.push(row?);
        }
    }
    Ok(rows)
}

fn fate(
    task: &Task,
    build: Build,
    pattern: Pattern,
    before: Option<&Cost>,
) -> Result<Fate, SpecError> {
    let after = costs(task, &build).ok();
    let mut cell = ClusterCell::new(task.clone(), None, None, String::new())?;
    cell.own = Some(Own { pattern, build });
    let place = Place::Clusters(cell);
    let claims: &[&'static str] = match pattern {
        Pattern::Sink => &SINK,
        Pattern::Diagonal => &DIAGONAL,
    };
    for claim in claims {
        let found = match runner::select(&[(*claim).into()]).first() {
            Some(c) => c.evidence(&place),
            None => Evidence::unknown(format!("no claim {claim}")),
        };
        match (found.outcome(), found.witness) {
            (Outcome::Holds, _) => {}
            (Outcome::Refuted, w) => return Ok(Fate::Refused(claim, w.unwrap_or_default())),
            _ => return Ok(Fate::Undecided(claim)),
        }
    }
    let claim = match pattern {
        Pattern::Sink => "thm-D.1.sink.cost",
        Pattern::Diagonal => "thm-D.1.diag.cost",
    };
    let (Some(before), Some(after)) = (before, after) else {
        return Ok(Fate::Undecided(claim));
    };
    for (name, old, new) in [
        ("2 |B|_*", before.attention(), after.attention()),
        ("the rest", before.rest(), after.rest()),
    ] {
        match larger(&old, &new) {
            Some(true) => return Ok(Fate::Refused(claim, format!("{name} is larger"))),
            Some(false) => {}
            None => return Ok(Fate::Undecided(claim)),
        }
    }
    Ok(Fate::Passes)
}

/// Has a norm grown? Enclosures of equal norms overlap: within 2^-40 they count as equal.
fn larger(old: &Norm, new: &Norm) -> Option<bool> {
    if let (Norm::Exact(old), Norm::Exact(new)) = (old, new) {
        return Some(new > old);
    }
    let ((a0, a1), (b0, b1)) = (bounds(old), bounds(new));
    if b1 < a0 {
        return Some(false);
    }
    if b0 > a1 {
        return Some(true);
    }
    let near = Rational::integer(2).pow(40).recip().unwrap_or_default();
    ((a1.max(b1) - a0.min(b0)) < near).then_some(false)
}
