//! The report as text: what fails first.

use super::shown;
use crate::claims::{self, Claim, Kind};
use crate::evidence::Outcome;
use crate::proofs::registry;
use crate::runner::{Keep, Scope, Verdict, kept};
use anstyle::{AnsiColor, Style};
use std::fmt::Write;

fn colour(outcome: Outcome) -> Style {
    let c = match outcome {
        Outcome::Holds => AnsiColor::Green,
        Outcome::Refuted => AnsiColor::Red,
        Outcome::Conditional => AnsiColor::Cyan,
        _ => AnsiColor::Yellow,
    };
    c.on_default()
}

/// The verdicts as text, refuted and undecided ones first.
pub fn text(verdicts: &[Verdict]) -> String {
    let mut out = String::new();
    let order = [
        Outcome::Unknown,
        Outcome::NothingChecked,
        Outcome::Refuted,
        Outcome::Holds,
        Outcome::Conditional,
        Outcome::Vacuous,
    ];
    for outcome in order {
        let mut here: Vec<&Verdict> = verdicts.iter().filter(|v| v.outcome == outcome).collect();
        // What speaks of the matrices themselves comes before what speaks of all solutions.
        here.sort_by_key(|v| matches!(v.claim.kind, Kind::Bound | Kind::Condition));
        if here.is_empty() {
            continue;
        }
        let style = colour(outcome);
        let _ = writeln!(
            out,
            "\n{style}{}{style:#} ({})",
            outcome.name().to_uppercase(),
            here.len()
        );
        for v in here {
            let mends = v
                .claim
                .repairs
                .map_or(String::new(), |r| format!("   [mends {r}]"));
            let _ = writeln!(
                out,
                "  {style}{:<32}{style:#} {}{mends}",
                v.claim.id, v.claim.place
            );
            let _ = writeln!(out, "      {}", v.claim.statement);
            if let Some(w) = &v.witness {
                let _ = writeln!(
                    out,
                    "      {}: {w}",
                    if outcome == Outcome::Refuted {
                        "witness"
                    } else {
                        "reason"
                    }
                );
            }
            if let Some(g) = &v.proof_gap {
                let _ = writeln!(out, "      gap in the printed proof: {g}");
            }
            for mended in verdicts
                .iter()
                .filter(|m| m.claim.repairs == Some(v.claim.id))
            {
                let _ = writeln!(
                    out,
                    "      mended by {}: {}",
                    mended.claim.id, mended.outcome
                );
            }
            for (name, value) in &v.values {
                let text = if *name == "cells" && v.cells.len() > 1 {
                    let counts = v.cells.iter().map(|(o, n)| format!("{o} in {n}"));
                    counts.collect::<Vec<_>>().join(", ")
                } else {
                    shown(value)
                };
                let name = match kept(name).filter(|_| v.scope != Scope::Instance) {
                    Some(Keep::Least) => format!("least {name}"),
                    Some(Keep::Greatest) => format!("greatest {name}"),
                    None => (*name).to_string(),
                };
                let _ = writeln!(out, "      {name:<22} {text}");
            }
        }
    }
    out
}

/// One claim for `show` and `explain`, wrapped for reading.
pub fn claim(c: &Claim, explain: bool) -> String {
    let needs = c.needs.join(", ");
    let mut rows = vec![("place", c.place), ("statement", c.statement)];
    rows.extend(c.repairs.map(|r| ("mends", r)));
    if !needs.is_empty() {
        rows.push(("needs", &needs));
    }
    if explain {
        rows.push(("how", c.explain));
    }
    let mut out = format!("{}\n", c.id);
    for (name, text) in rows {
        let first = format!("  {name:<11}");
        let options = textwrap::Options::new(100)
            .initial_indent(&first)
            .subsequent_indent("             ");
        let _ = writeln!(out, "{}", textwrap::fill(text, options));
    }
    out
}

/// Every claim with how far it is decided: for all sizes, where its proof stands, on grids, or on instances of its own.
pub fn list() -> String {
    let mut out = String::new();
    for c in claims::all() {
        let proved = registry::of(c.id).is_some_and(|p| p.judge().proved());
        let reach = match (proved, c.subject()) {
            (true, _) => Scope::All,
            (false, Some(_)) => Scope::Grid,
            (false, None) => Scope::Instance,
        };
        let _ = writeln!(out, "{:<32} {:<9} {}", c.id, reach.name(), c.statement);
    }
    out
}
