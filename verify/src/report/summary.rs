//! The page's head at one place: what the printed constructions cost and claim beside what the mended ones do.

use super::shown;
use crate::evidence::{Outcome, Value, named};
use crate::runner::Verdict;
use exact::Surd;
use std::fmt::Write;

/// The summary, with the paper's matrices or a user's `own` in the first column; empty where none of its claims was decided.
pub fn summary(verdicts: &[Verdict], own: bool) -> String {
    let found = Found(verdicts);
    for text in [clusters(&found), oversmoothing(&found)] {
        if !text.is_empty() {
            return text;
        }
    }
    let threshold = |id: &str| {
        if found.verdict(id)?.outcome == Outcome::Vacuous {
            return Some("assumes T >= 2".into());
        }
        found.threshold(id)
    };
    // Bounds and thresholds speak of the paper's matrices, not of a user's.
    let paper = |cell: Option<String>| cell.filter(|_| !own);
    let rows = [
        (
            "|B|_* of the sink, (7)",
            found.short("thm-7.1.sink.cost.qk", "nuclear_norm"),
            found.short("thm-7.1~", "norm_of_b"),
        ),
        (
            "|W_O W_V|_*, (8)",
            found.against_claim("thm-7.1.sink.cost.vo"),
            found.short("thm-7.1.sink.cost.vo~", "nuclear_norm"),
        ),
        (
            "MLP, (9) and (10)",
            found.mlp(),
            found.short("thm-7.1~", "cost_of_mlp"),
        ),
        (
            "|B|_* of a diagonal, at least",
            paper(found.lower_bound("thm-7.1.diag.lower-bound")),
            found.lower_bound("thm-7.1.diag.lower-bound~"),
        ),
        (
            "sink shown to be cheaper for",
            paper(threshold("thm-7.1.condition-3")),
            threshold("thm-7.1~"),
        ),
        (
            "  with the norm d - 2 of (8)",
            paper(threshold("thm-7.1.condition-3.own")),
            None,
        ),
    ];
    let mut out = String::new();
    for (name, printed, mended) in rows {
        if printed.is_none() && mended.is_none() {
            continue;
        }
        if out.is_empty() {
            let _ = writeln!(
                out,
                "  {:<32}{:<34}mended",
                "",
                if own { "these matrices" } else { "printed" }
            );
        }
        let line = format!(
            "  {name:<32}{:<32}  {}",
            printed.unwrap_or_default(),
            mended.unwrap_or_default()
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if !out.is_empty() {
        out.push_str("  (B in units of 2 kappa/sqrt d; a block costs 2 QK + 2 VO + MLP; mended MLP: units rescaled to the least cost)\n");
    }
    out
}

/// The same for the cluster task: the sink beside the diagonal.
fn clusters(found: &Found) -> String {
    let at_least = |id: &str, name: &str| {
        let bound = found.get(id, name).map(short)?;
        Some(format!("{bound} kappa/sqrt d"))
    };
    let sink_at_least = at_least("thm-D.1.copy-cost~", "sink_bound_absent")
        .or_else(|| at_least("thm-D.1.copy-cost~", "sink_bound"));
    let rows = [
        (
            "cost of the block",
            found.short("thm-D.1.sink.upper", "cost"),
            found.short("thm-D.1.diag.upper", "cost"),
        ),
        (
            "printed bound on it, (1) and (3)",
            found.short("thm-D.1.sink.upper", "bound"),
            found.short("thm-D.1.diag.upper", "bound"),
        ),
        (
            "any solution costs at least",
            sink_at_least,
            at_least("thm-D.1.diag.lower", "lower_bound"),
        ),
        (
            "  from pairs alone, weighted",
            None,
            at_least("thm-D.1.weighted~", "weighted_bound"),
        ),
    ];
    let mut out = String::new();
    for (name, sink, diagonal) in rows {
        if sink.is_none() && diagonal.is_none() {
            continue;
        }
        if out.is_empty() {
            let _ = writeln!(out, "  {:<36}{:<36}diagonal", "", "sink");
        }
        let (sink, diagonal) = (sink.unwrap_or_default(), diagonal.unwrap_or_default());
        let line = format!("  {name:<36}{sink:<34}  {diagonal}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if out.is_empty() {
        return out;
    }
    for (name, id) in [
        ("sink shown to be cheaper by (4) for", "thm-7.2.condition-4"),
        ("  by the mended condition for", "thm-7.2~"),
    ] {
        if let Some(threshold) = found.threshold(id) {
            let _ = writeln!(out, "  {name:<36}{threshold}");
        }
    }
    if let Some(rank) = found.short("thm-7.2.condition-4", "r_eff") {
        let _ = writeln!(out, "  {:<36}{rank}", "r_eff(Sigma_D)");
    }
    out
}

/// The regime of Theorem 5.1 and the curve; empty elsewhere.
fn oversmoothing(found: &Found) -> String {
    let id = "thm-5.1.monotone~";
    let (Some(verdict), Some(Value::Text(regime))) = (found.verdict(id), found.get(id, "regime"))
    else {
        return String::new();
    };
    let says = match regime.as_str() {
        "constant" => "q = 0: rho-hat is constant",
        "increasing" => "q > 0 and p >= 0: rho-hat increases",
        "decreasing" => "q > 0 and p + q <= 0: rho-hat decreases",
        _ => "p < 0 < p + q: token norms turn at lambda*, rho-hat increases up to it",
    };
    let mut out = format!("  {says}");
    if let Some(reason) = verdict.witness.as_ref().filter(|_| regime != "turning") {
        let _ = write!(out, "; here not: {reason}");
    }
    out.push('\n');
    for (name, label) in [
        ("p", "p = beta tr(BW)"),
        ("q", "q = tr(B W^T W)"),
        ("lambda_star", "lambda* = (p + q)/q"),
    ] {
        if let Some(value) = found.get(id, name) {
            let _ = writeln!(out, "  {label:<22}{}", shown(value));
        }
    }
    let _ = writeln!(out, "\n  {:<22}rho-hat", "lambda");
    for (name, value) in &verdict.values {
        let lambda = name.strip_prefix("rho(").and_then(|n| n.strip_suffix(')'));
        if let Some(lambda) = lambda {
            let _ = writeln!(out, "  {lambda:<22}{}", short(value));
        }
    }
    out
}

struct Found<'a>(&'a [Verdict]);

impl Found<'_> {
    fn verdict(&self, id: &str) -> Option<&Verdict> {
        self.0.iter().find(|v| v.claim.id == id)
    }

    fn get(&self, id: &str, name: &str) -> Option<&Value> {
        named(&self.verdict(id)?.values, name)
    }

    fn threshold(&self, id: &str) -> Option<String> {
        self.get(id, "kappa_star").map(|v| match v {
            Value::Text(t) if t == "never" => "no kappa".to_string(),
            Value::Text(t) if t == "always" => "every kappa".to_string(),
            other => format!("kappa > {}", short(other)),
        })
    }

    fn short(&self, id: &str, name: &str) -> Option<String> {
        self.get(id, name).map(short)
    }

    fn against_claim(&self, id: &str) -> Option<String> {
        let found = self.short(id, "nuclear_norm")?;
        let claimed = self.short(id, "claimed")?;
        Some(if found == claimed {
            found
        } else {
            format!("{found}, claimed {claimed}")
        })
    }

    fn mlp(&self) -> Option<String> {
        let part = |name| self.short("thm-7.1.sink.cost.mlp", name);
        Some(format!("{} + {}", part("w1")?, part("w2")?))
    }

    fn lower_bound(&self, id: &str) -> Option<String> {
        let bound = self.short(id, "lower_bound")?;
        Some(match self.verdict(id)?.outcome {
            Outcome::Holds => bound,
            other => format!("{bound} ({other})"),
        })
    }
}

/// A value in a table: an integer, or a decimal; of an enclosure as many decimals as are known.
fn short(value: &Value) -> String {
    match value {
        Value::Exact(x) if x.as_rational().is_some_and(|r| r.is_integer()) => x.to_string(),
        Value::Exact(x) => x.approx(6),
        Value::Enclosed(low, high) => {
            let (a, b) = (
                Surd::from(low.clone()).approx(6),
                Surd::from(high.clone()).approx(6),
            );
            if a == b {
                format!("about {a}")
            } else {
                format!("{a} to {b}")
            }
        }
        other => shown(other),
    }
}
