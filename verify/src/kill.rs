//! The kill table: every small change of a printed definition, and the claim that refuses it.
//!
//! A check that cannot fail proves nothing. Each mutation of (7) to (10) replaces the original in the printed block, as a
//! user's own matrix would, and the claims decide. What they let pass is at least as good as the original.

use crate::cell::{Cell, Overrides};
use crate::claims::Claim;
use crate::evidence::{Evidence, Outcome, Value};
use crate::runner;
use constructions::backcopy::{Reading, Task, sink};
use constructions::basis::Basis;
use constructions::language::{Matrix, mutations};
use constructions::reading::{Layer, Side, hidden_map, operator};
use constructions::{SizeError, Sizes};
use exact::Surd;
use rayon::prelude::*;
use std::cmp::Ordering;

/// What became of a mutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// This claim refuses it, with this witness.
    Refused(&'static str, String),
    /// It is the same matrix at the place where it was tried.
    Same,
    /// Margins and labels hold, and it costs no more.
    Passes,
    /// No claim refuses it, and none of those asked decided it.
    Undecided(&'static str),
}

/// A mutation and its fate.
#[derive(Clone, Debug)]
pub struct Row {
    /// The equation.
    pub equation: &'static str,
    /// What was changed.
    pub change: String,
    /// The changed formula.
    pub formula: String,
    /// Its fate.
    pub fate: Fate,
}

/// The claims asked, and the value of each that must not grow.
const ASKED: [(&str, &[&str]); 5] = [
    ("thm-7.1.sink.margins", &[]),
    ("thm-7.1.sink.labels", &[]),
    ("thm-7.1.sink.cost.qk", &["nuclear_norm"]),
    ("thm-7.1.sink.cost.vo", &["nuclear_norm"]),
    ("thm-7.1.sink.cost.mlp", &["w1", "w2"]),
];

/// Every mutation of eqs. (7) to (10), tried at T = 4, C = D = 2, d = N + 1, reading A.
///
/// # Errors
/// Never: the sizes are admissible.
pub fn table() -> Result<Vec<Row>, SizeError> {
    let sizes = Sizes::new(4, 2, 2, Some(11))?;
    let task = Task {
        sizes,
        reading: Reading::A,
    };
    let original = Cell::new(task, Basis::standard(), None);
    let claims: Vec<(&'static Claim, &[&str])> = ASKED
        .iter()
        .filter_map(|(id, grows)| Some((*runner::select(&[(*id).into()]).first()?, *grows)))
        .collect();
    let before: Vec<Evidence> = claims.iter().map(|(c, _)| (c.decide)(&original)).collect();
    let equations = [
        ("(7)", sink::qk()),
        ("(8)", sink::vo()),
        ("(9)", sink::w1()),
        ("(10)", sink::w2()),
    ];
    let all: Vec<(&'static str, _)> = equations
        .iter()
        .flat_map(|(name, definition)| mutations(definition).into_iter().map(|m| (*name, m)))
        .collect();
    Ok(all
        .into_par_iter()
        .map(|(equation, m)| {
            let own = replace(equation, &m.mutated, &original);
            let cell = Cell::new(task, Basis::standard(), None).with(own);
            Row {
                equation,
                change: m.change,
                formula: m.mutated.to_string(),
                fate: fate(&cell, &original, &claims, &before),
            }
        })
        .collect())
}

fn replace(equation: &str, mutated: &Matrix, cell: &Cell) -> Overrides {
    let (sizes, basis) = (cell.sizes(), &cell.basis);
    let mut own = Overrides::default();
    match equation {
        "(7)" => own.qk = Some(cell.read(mutated)),
        "(8)" => own.vo = Some(cell.read(mutated)),
        "(9)" => own.w1 = Some(hidden_map(mutated, Layer::Ambient, sizes, basis)),
        _ => {
            let hidden = Side::Hidden(Layer::Ambient);
            own.w2 = Some(operator(mutated, Side::Residual, hidden, sizes, basis));
        }
    }
    own
}

fn fate(
    cell: &Cell,
    original: &Cell,
    claims: &[(&'static Claim, &[&str])],
    before: &[Evidence],
) -> Fate {
    let (new, old) = (cell.printed(), original.printed());
    if new.qk.entries() == old.qk.entries()
        && new.vo.entries() == old.vo.entries()
        && new.w1.operator() == old.w1.operator()
        && new.w2.entries() == old.w2.entries()
    {
        return Fate::Same;
    }
    for ((claim, grows), before) in claims.iter().zip(before) {
        let after = (claim.decide)(cell);
        if grows.is_empty() {
            match (after.outcome(), after.witness) {
                (Outcome::Holds, _) => {}
                (Outcome::Refuted, witness) => {
                    return Fate::Refused(claim.id, witness.unwrap_or_default());
                }
                _ => return Fate::Undecided(claim.id),
            }
            continue;
        }
        for name in *grows {
            match order(value(&after, name), value(before, name)) {
                Some(Ordering::Greater) => {
                    return Fate::Refused(claim.id, format!("{name} is larger"));
                }
                Some(_) => {}
                None => return Fate::Undecided(claim.id),
            }
        }
    }
    Fate::Passes
}

fn value<'a>(evidence: &'a Evidence, name: &str) -> Option<&'a Value> {
    evidence
        .values
        .iter()
        .find(|(n, _)| *n == name)
        .map(|(_, v)| v)
}

fn order(after: Option<&Value>, before: Option<&Value>) -> Option<Ordering> {
    let Value::Exact(before) = before? else {
        return None;
    };
    match after? {
        Value::Exact(x) => Some(x.cmp(before)),
        Value::Enclosed(low, high) => {
            let (low, high) = (Surd::from(low.clone()), Surd::from(high.clone()));
            if low > *before {
                Some(Ordering::Greater)
            } else {
                (high < *before).then_some(Ordering::Less)
            }
        }
        Value::Count(_) | Value::Text(_) => None,
    }
}
