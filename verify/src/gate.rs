//! The gate: computed verdicts against the pins, and the exit code.

use crate::cell::Cell;
use crate::claims::Kind;
use crate::cluster::ClusterCell;
use crate::evidence::{Outcome, named};
use crate::place::Place;
use crate::proofs::registry;
use crate::runner::{Scope, Verdict};
use constructions::backcopy::Reading;
use constructions::cluster::build::Pattern;
use exact::{Rational, Surd};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The pin that lists the claims proved for all sizes.
const PROVED: &str = "proved for all sizes";

/// What the gate says.
pub struct Judged {
    /// The exit code.
    pub code: u8,
    /// Why it is not 0, one line a claim.
    pub lines: Vec<String>,
}

/// The exit code, and what differs from the pins; of `own` matrices, what is refused.
///
/// # Errors
/// The pins are no TOML.
pub fn judge(verdicts: &[Verdict], own: Option<&Place>) -> Result<Judged, toml::de::Error> {
    let pins: BTreeMap<String, Vec<String>> = toml::from_str(include_str!("../pins.toml"))?;
    let (mut surprises, mut unknown, mut decided) = (Vec::new(), Vec::new(), false);
    for v in verdicts {
        decided |= !matches!(v.outcome, Outcome::Vacuous | Outcome::NothingChecked);
        if v.outcome == Outcome::Unknown {
            unknown.push(format!("UNDECIDED: {}", v.claim.id));
        }
        if v.claim.kind == Kind::Condition || v.outcome == Outcome::Unknown {
            continue;
        }
        let pinned = pins.get(v.claim.id).map(Vec::as_slice).unwrap_or_default();
        let here = v.outcome.name();
        // A claim whose hypotheses are not met at one place says nothing there.
        let apart = v.scope == Scope::Instance
            && matches!(v.outcome, Outcome::Vacuous | Outcome::NothingChecked);
        let expected = match v.scope {
            Scope::Grid | Scope::All => &pinned[..pinned.len().min(1)],
            Scope::Instance => pinned,
        };
        let proved = pins
            .get(PROVED)
            .is_some_and(|p| p.iter().any(|id| id == v.claim.id));
        if v.scope != Scope::Instance && proved != (v.scope == Scope::All) {
            let (is, pin) = if proved { ("not ", "") } else { ("", "not ") };
            surprises.push(format!(
                "NOT AS PINNED: {} is {is}proved for all sizes, pinned as {pin}proved",
                v.claim.id
            ));
        }
        // A claim that is decided once has the scope of an instance where its proof fails or is gone.
        let lost = named(&v.values, "no_proof").is_some() || registry::of(v.claim.id).is_none();
        if v.scope == Scope::Instance && proved && lost {
            surprises.push(format!(
                "NOT AS PINNED: {} is not proved for all sizes, pinned as proved",
                v.claim.id
            ));
        }
        let surprise = if let Some(place) = own {
            let gates = match place {
                Place::Backcopy(cell) => gates(v, cell),
                Place::Clusters(cell) => gates_in_cluster(v, cell),
                // What is true of every setting is false at none.
                Place::Oversmoothing(_) => true,
            };
            gates && v.outcome == Outcome::Refuted
        } else {
            !apart && !expected.iter().any(|p| p == here)
        };
        if surprise && own.is_some() {
            surprises.push(format!(
                "REFUSED: {} is {here} for these matrices",
                v.claim.id
            ));
        } else if surprise {
            surprises.push(format!(
                "NOT AS PINNED: {} is {here}, pinned as {}",
                v.claim.id,
                pinned.join(" or ")
            ));
        }
    }
    let code = if !surprises.is_empty() {
        1
    } else if !unknown.is_empty() {
        3
    } else if !decided {
        4
    } else {
        0
    };
    let mut lines = surprises;
    lines.extend(unknown);
    if code == 4 {
        lines.push("NOTHING CHECKED: no selected claim applies here".into());
    }
    Ok(Judged { code, lines })
}

/// Does this verdict speak of the user's matrices? A block has its own truth: refuted margins and labels count even where the
/// printed ones fail too.
fn gates(v: &Verdict, cell: &Cell) -> bool {
    match v.claim.kind {
        // These two speak of the user's block only in another basis, or in reading L.
        Kind::Margin | Kind::Label => match v.claim.id {
            "thm-7.1.sink.labels-any-basis" => !cell.basis.is_standard(),
            "thm-7.1.sink.first-position" => cell.task.reading == Reading::L,
            _ => true,
        },
        // The printed (8) itself costs d - 2, more than is claimed of it; an own map may cost as much.
        Kind::Cost if v.claim.id == "thm-7.1.sink.cost.vo" => dearer_than_printed(v, cell),
        Kind::Cost => true,
        Kind::Bound | Kind::Condition => false,
    }
}

/// The same for a block of the cluster task: it stands for one pattern, the other is still the printed one.
fn gates_in_cluster(v: &Verdict, cell: &ClusterCell) -> bool {
    let about = match v.claim.id {
        id if id.starts_with("thm-D.1.sink.") => Pattern::Sink,
        id if id.starts_with("thm-D.1.diag.") => Pattern::Diagonal,
        "thm-D.1.theta" => Pattern::Sink,
        _ => return false,
    };
    let speaks = matches!(v.claim.kind, Kind::Margin | Kind::Label | Kind::Cost);
    speaks && cell.is_own(about)
}

/// Does the value map cost more than d - 2, the norm of (8)?
fn dearer_than_printed(v: &Verdict, cell: &Cell) -> bool {
    let printed = Surd::from(Rational::from(cell.sizes().width) - Rational::integer(2));
    let norm = named(&v.values, "nuclear_norm");
    norm.and_then(|x| x.compare(&printed)) == Some(Ordering::Greater)
}
