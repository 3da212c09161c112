//! Reports: text for people, JSON for programs.

use crate::claims::Claim;
use crate::evidence::{Outcome, Value};
use crate::runner::Verdict;
use anstyle::{AnsiColor, Style};
use exact::Surd;
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;

/// Version of the JSON format.
pub const SCHEMA: &str = "sinkproof-report/1";

fn colour(outcome: Outcome) -> Style {
    let c = match outcome {
        Outcome::Holds => AnsiColor::Green,
        Outcome::Refuted => AnsiColor::Red,
        Outcome::Conditional => AnsiColor::Cyan,
        _ => AnsiColor::Yellow,
    };
    c.on_default()
}

/// A value for people: short exact numbers as they are, with a decimal where they are not integers.
fn shown(value: &Value) -> String {
    match value {
        Value::Count(n) => n.to_string(),
        Value::Text(t) => t.clone(),
        Value::Enclosed(a, b) => format!(
            "[{}, {}]",
            decimal(&a.clone().into()),
            decimal(&b.clone().into())
        ),
        Value::Exact(x) => {
            let exact = x.to_string();
            if x.as_rational().is_some_and(|r| r.is_integer()) {
                exact
            } else if exact.len() > 70 {
                format!("about {}", x.approx(6))
            } else {
                format!("{exact} = {}", x.approx(6))
            }
        }
    }
}

fn decimal(x: &Surd) -> String {
    let f = x.to_f64();
    if f != 0.0 && f.abs() < 1e-6 {
        format!("{f:.6e}")
    } else {
        x.approx(12)
    }
}

/// The verdicts as text, refuted and undecided ones first.
pub fn text(title: &str, verdicts: &[Verdict], explain: bool) -> String {
    let mut out = format!("{title}\n");
    let order = [
        Outcome::Unknown,
        Outcome::NothingChecked,
        Outcome::Refuted,
        Outcome::Holds,
        Outcome::Conditional,
        Outcome::Vacuous,
    ];
    for outcome in order {
        let here: Vec<&Verdict> = verdicts.iter().filter(|v| v.outcome == outcome).collect();
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
            if explain {
                let _ = writeln!(out, "      {}", v.claim.statement);
            }
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
                let _ = writeln!(out, "      proof: {g}");
            }
            for (name, value) in &v.values {
                let _ = writeln!(out, "      {name:<22} {}", shown(value));
            }
        }
    }
    out
}

fn json_value(value: &Value) -> Json {
    match value {
        Value::Exact(x) => json!({"exact": x.to_string(), "approx": x.to_f64()}),
        Value::Count(n) => json!({"exact": n.to_string(), "approx": *n as f64}),
        Value::Enclosed(a, b) => {
            json!({"lower": a.to_string(), "upper": b.to_string(), "approx": (a.to_f64() + b.to_f64()) / 2.0})
        }
        Value::Text(t) => json!({"exact": t, "approx": null}),
    }
}

/// The verdicts as one JSON object.
pub fn json(place: &str, verdicts: &[Verdict]) -> String {
    let claims: Vec<Json> = verdicts
        .iter()
        .map(|v| {
            let values: Map<String, Json> = v.values.iter().map(|(n, x)| ((*n).to_string(), json_value(x))).collect();
            json!({
                "id": v.claim.id, "outcome": v.outcome.name(), "scope": v.scope.name(), "method": v.method.name(),
                "strength": v.strength, "statement": v.claim.statement, "values": values, "witness": v.witness,
                "proof_gap": v.proof_gap, "repairs": v.claim.repairs, "cells": v.cells,
            })
        })
        .collect();
    let report = json!({
        "schema": SCHEMA, "tool": {"name": "verify", "version": env!("CARGO_PKG_VERSION")}, "place": place, "claims": claims,
    });
    format!("{report:#}\n")
}

/// One claim for `show` and `explain`.
pub fn claim(c: &Claim, explain: bool) -> String {
    let mut out = format!(
        "{}\n  place      {}\n  statement  {}\n",
        c.id, c.place, c.statement
    );
    if let Some(r) = c.repairs {
        let _ = writeln!(out, "  mends      {r}");
    }
    if !c.needs.is_empty() {
        let _ = writeln!(out, "  needs      {}", c.needs.join(", "));
    }
    if explain {
        let _ = writeln!(out, "  how        {}", c.explain);
    }
    out
}
