//! Verdicts from a grid, lifted to all sizes where a proof stands.

use super::registry::{Judgement, Proof, of};
use super::second::{CAN_ASK, Second};
use crate::evidence::{Method, Outcome, Value};
use crate::runner::{Scope, Verdict};

/// Lifts every verdict whose claim is proved. A proof that contradicts what was computed leaves nothing decided; a claim is not
/// proved before all proofs that it needs are.
pub fn lift(verdicts: &mut [Verdict]) {
    for v in verdicts.iter_mut() {
        let Some(proof) = of(v.claim.id) else {
            continue;
        };
        let judged = proof.judge();
        match (v.outcome, judged.gap()) {
            (Outcome::Refuted, None) => {
                v.outcome = Outcome::Unknown;
                let witness = v.witness.take().unwrap_or_default();
                v.witness = Some(format!("a proof for all sizes contradicts {witness}"));
            }
            (Outcome::Holds, None) => {
                v.scope = Scope::All;
                v.strength = Scope::All.name().into();
                v.method = if judged.confirmed() {
                    Method::Twice
                } else {
                    Method::Certificate
                };
                v.values
                    .push(("proof", Value::Text(summary(proof, &judged))));
            }
            (_, Some(gap)) => v.values.push(("no_proof", Value::Text(gap))),
            _ => {}
        }
    }
    // The needs form no circle (a test says so), so as many rounds as there are verdicts reach everything.
    for _ in 0..verdicts.len() {
        let proved: Vec<(&str, Scope)> = verdicts.iter().map(|v| (v.claim.id, v.scope)).collect();
        let weak = |id: &&str| proved.iter().any(|(n, s)| n == id && *s != Scope::All);
        for v in verdicts.iter_mut().filter(|v| v.scope == Scope::All) {
            if let Some(need) = v.claim.needs.iter().find(|n| weak(n)) {
                v.scope = Scope::Grid;
                v.strength = Scope::Grid.name().into();
                let why = format!("it needs {need}, which is not proved for all sizes");
                v.values.push(("no_proof", Value::Text(why)));
            }
        }
    }
}

fn summary(proof: &Proof, judged: &Judgement) -> String {
    let trusts = match proof.trusts.len() {
        0 => String::new(),
        1 => "; trusts one fact of mathematics".into(),
        n => format!("; trusts {n} facts of mathematics"),
    };
    let silent = judged
        .steps
        .iter()
        .filter(|s| s.second != Some(Second::Agrees));
    let by = match silent.count() {
        0 => "certificates and z3".to_string(),
        _ if !CAN_ASK => "certificates (z3 is not in this build)".to_string(),
        n => format!("certificates; z3 is silent on {n}"),
    };
    format!(
        "all sizes: {} steps, {} cases, by {by}{trusts}",
        judged.steps.len(),
        judged.cases()
    )
}
