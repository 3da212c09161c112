//! Mutations of eqs. (7) to (10) and of what mends them.

use super::{Fate, Row};
use crate::cell::{Cell, Overrides};
use crate::claims::Decide;
use crate::evidence::{Evidence, Outcome, Value, named};
use crate::runner;
use constructions::backcopy::{Reading, Task, sink};
use constructions::basis::Basis;
use constructions::language::{Matrix, mutations};
use constructions::reading::{Layer, Side, hidden_map, operator};
use constructions::{SizeError, Sizes};
use exact::Rational;
use rayon::prelude::*;
use std::cmp::Ordering;

/// A piece of a block that is mutated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Qk,
    Vo,
    W1,
    W2,
}

/// Claims that must hold, and whether they are asked in reading L alone.
const HOLD: [(&str, bool); 3] = [
    ("thm-7.1.sink.margins", false),
    ("thm-7.1.sink.first-position", true),
    ("thm-7.1.sink.labels", false),
];

/// Values that must not grow, and the claims that state them.
const COSTS: [(&str, &[&str]); 3] = [
    ("thm-7.1.sink.cost.qk", &["nuclear_norm"]),
    ("thm-7.1.sink.cost.vo", &["nuclear_norm"]),
    ("thm-7.1.sink.cost.mlp", &["w1", "w2"]),
];

/// A block in which single pieces are mutated.
struct Trial {
    reading: Reading,
    layer: Layer,
    /// Name, piece and definition.
    pieces: Vec<(&'static str, Piece, Matrix)>,
}

fn trials() -> [Trial; 3] {
    let one = Rational::integer(1);
    [
        Trial {
            reading: Reading::A,
            layer: Layer::Ambient,
            pieces: vec![
                ("(7)", Piece::Qk, sink::qk()),
                ("(8)", Piece::Vo, sink::vo()),
                ("(9)", Piece::W1, sink::w1()),
                ("(10)", Piece::W2, sink::w2()),
            ],
        },
        Trial {
            reading: Reading::A,
            layer: Layer::Units { extra: 0 },
            pieces: vec![
                ("(7)", Piece::Qk, sink::qk()),
                ("(8)~", Piece::Vo, sink::vo_projector()),
                ("(9)~", Piece::W1, sink::w1_units(&one)),
                ("(10)~", Piece::W2, sink::w2_units()),
            ],
        },
        Trial {
            reading: Reading::L,
            layer: Layer::Units { extra: 1 },
            pieces: vec![
                ("(7) L", Piece::Qk, sink::qk_first()),
                ("(8)~", Piece::Vo, sink::vo_projector()),
                ("(9) L", Piece::W1, sink::w1_first(&one)),
                ("(10) L", Piece::W2, sink::w2_first()),
            ],
        },
    ]
}

pub(super) fn table() -> Result<Vec<Row>, SizeError> {
    let sizes = Sizes::new(4, 2, 2, Some(11))?;
    let mut rows = Vec::new();
    let mut done = Vec::new();
    for trial in trials() {
        let task = Task {
            sizes,
            reading: trial.reading,
        };
        let cell = |changed: Option<(Piece, &Matrix)>| {
            let plain = Cell::new(task, Basis::standard(), None);
            let own = trial.overrides(&plain, changed);
            plain.with(own)
        };
        let original = cell(None);
        let before = COSTS.map(|(c, _)| decide(c, &original));
        let mut all = Vec::new();
        for (name, piece, definition) in &trial.pieces {
            if !done.contains(name) {
                done.push(*name);
                all.extend(
                    mutations(definition)
                        .into_iter()
                        .map(|m| (*name, *piece, m)),
                );
            }
        }
        rows.par_extend(all.into_par_iter().map(|(equation, piece, m)| Row {
            equation,
            formula: m.mutated.to_string(),
            fate: trial.fate(&cell(Some((piece, &m.mutated))), &original, &before),
            change: m.change,
        }));
    }
    Ok(rows)
}

fn decide(id: &str, cell: &Cell) -> Evidence {
    match runner::select(&[id.into()]).first() {
        Some(claim) => match claim.decide {
            Decide::InCell(decide) => decide(cell),
            Decide::InCluster(_) | Decide::Alone(_) | Decide::Once { .. } => {
                Evidence::unknown(format!("{id} is not about the backcopy task"))
            }
        },
        None => Evidence::unknown(format!("no claim {id}")),
    }
}

impl Trial {
    fn overrides(&self, cell: &Cell, changed: Option<(Piece, &Matrix)>) -> Overrides {
        let (sizes, basis, hidden) = (cell.sizes(), &cell.basis, Side::Hidden(self.layer));
        let mut own = Overrides::default();
        for (_, piece, definition) in &self.pieces {
            let definition = match changed {
                Some((p, mutated)) if p == *piece => mutated,
                _ => definition,
            };
            match piece {
                Piece::Qk => own.qk = Some(cell.read(definition)),
                Piece::Vo => own.vo = Some(cell.read(definition)),
                Piece::W1 => own.w1 = Some(hidden_map(definition, self.layer, sizes, basis)),
                Piece::W2 => {
                    own.w2 = Some(operator(definition, Side::Residual, hidden, sizes, basis));
                }
            }
        }
        own
    }

    fn fate(&self, cell: &Cell, original: &Cell, before: &[Evidence]) -> Fate {
        let (new, old) = (cell.printed(), original.printed());
        if new.qk.entries() == old.qk.entries()
            && new.vo.entries() == old.vo.entries()
            && new.w1.operator() == old.w1.operator()
            && new.w2.entries() == old.w2.entries()
        {
            return Fate::Same;
        }
        let literal = self.reading == Reading::L;
        for (claim, _) in HOLD.iter().filter(|(_, in_l)| literal || !in_l) {
            let after = decide(claim, cell);
            match (after.outcome(), after.witness) {
                (Outcome::Holds, _) => {}
                (Outcome::Refuted, w) => return Fate::Refused(claim, w.unwrap_or_default()),
                _ => return Fate::Undecided(claim),
            }
        }
        for ((claim, names), before) in COSTS.iter().zip(before) {
            let after = decide(claim, cell);
            for name in *names {
                match order(&after, before, name) {
                    Some(Ordering::Greater) => {
                        return Fate::Refused(claim, format!("{name} is larger"));
                    }
                    Some(_) => {}
                    None => return Fate::Undecided(claim),
                }
            }
        }
        Fate::Passes
    }
}

/// How a value compares with what it was, where that was exact.
fn order(after: &Evidence, before: &Evidence, name: &str) -> Option<Ordering> {
    match named(&before.values, name)? {
        Value::Exact(before) => named(&after.values, name)?.compare(before),
        _ => None,
    }
}
