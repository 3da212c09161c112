//! The report as JSON, by the schema in `schemas/report-1.json`.

use crate::evidence::Value;
use crate::runner::Verdict;
use serde_json::{Map, Value as Json, json};

/// Version of the JSON format.
pub const SCHEMA: &str = "sinkproof-report/1";

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
