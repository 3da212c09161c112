//! Runs claims on one cell or on a grid, and joins what was found.

use crate::claims::{self, Claim, Kind};
use crate::evidence::{Evidence, Method, Outcome, Value};
use crate::grid::{CellSpec, Grid};
use crate::place::Place;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// How far a verdict reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// One place.
    Instance,
    /// A stated finite set.
    Grid,
    /// Every admissible size, by a proof; the grid agrees.
    All,
}

impl Scope {
    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Instance => "instance",
            Scope::Grid => "grid",
            Scope::All => "all",
        }
    }
}

/// A verdict on one claim.
#[derive(Clone)]
pub struct Verdict {
    /// The claim.
    pub claim: &'static Claim,
    /// The outcome.
    pub outcome: Outcome,
    /// The scope.
    pub scope: Scope,
    /// The method.
    pub method: Method,
    /// The strength: the scope, or why nothing stands. Never more than that of a claim it needs.
    pub strength: String,
    /// Named values.
    pub values: Vec<(&'static str, Value)>,
    /// The witness, or the reason for an outcome that is neither holds nor refuted.
    pub witness: Option<String>,
    /// A failing step of the printed proof.
    pub proof_gap: Option<String>,
    /// On a grid: how many cells gave each outcome.
    pub cells: BTreeMap<&'static str, usize>,
}

/// Why a claim is unknown when the run stopped before it.
const NOT_REACHED: &str = "not reached before the run stopped";

/// When to stop early.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Set by a signal.
    pub stopped: &'static AtomicBool,
    /// The time limit.
    pub deadline: Option<Instant>,
    /// Show progress on standard error?
    pub progress: bool,
}

impl Limits {
    fn over(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.deadline.is_some_and(|d| Instant::now() >= d)
    }
}

/// The claims whose ids are wanted (all when the list is empty).
pub fn select(wanted: &[String]) -> Vec<&'static Claim> {
    claims::all()
        .into_iter()
        .filter(|c| wanted.is_empty() || wanted.iter().any(|w| w == c.id))
        .collect()
}

/// The chosen claims and all that they need, directly or not: a verdict is worth no more than these.
pub fn with_needs(chosen: &[&'static Claim]) -> Vec<&'static Claim> {
    let mut wanted: Vec<&'static Claim> = chosen.to_vec();
    let mut next = 0;
    while let Some(claim) = wanted.get(next).copied() {
        for need in claim.needs {
            if wanted.iter().all(|c| c.id != *need) {
                wanted.extend(claims::all().into_iter().filter(|c| c.id == *need));
            }
        }
        next += 1;
    }
    wanted
}

fn verdict(claim: &'static Claim, scope: Scope, e: Evidence) -> Verdict {
    let outcome = e.outcome();
    let witness = e.witness.clone().or(e.undecided).or(e.vacuous);
    Verdict {
        claim,
        outcome,
        scope,
        method: e.method,
        strength: String::new(),
        values: e.values,
        witness,
        proof_gap: e.proof_gap,
        cells: BTreeMap::new(),
    }
}

/// Decides claims in one cell.
pub fn instance(place: &Place, claims: &[&'static Claim]) -> Vec<Verdict> {
    strengthen(
        claims
            .par_iter()
            .map(|c| verdict(c, Scope::Instance, c.evidence(place)))
            .collect(),
    )
}

/// Does `total` pieces of work on all cores and collects what is finished when the limits are reached.
///
/// A piece in progress cannot be interrupted: its thread ends with the process, and no new piece is begun.
fn within<T: Send + 'static>(
    limits: &Limits,
    total: usize,
    what: &str,
    work: impl Fn(usize) -> T + Send + Sync + 'static,
) -> Vec<Option<T>> {
    let (send, receive) = mpsc::channel::<(usize, T)>();
    let (start, inner) = (Instant::now(), *limits);
    std::thread::spawn(move || {
        (0..total).into_par_iter().for_each_with(send, |send, k| {
            if !inner.over() {
                // The receiver is gone once the run has stopped.
                let _ = send.send((k, work(k)));
            }
        });
    });
    let mut found: Vec<Option<T>> = std::iter::repeat_with(|| None).take(total).collect();
    let (mut finished, mut told) = (0, start);
    while finished < total && !limits.over() {
        match receive.recv_timeout(Duration::from_millis(20)) {
            Ok((k, piece)) => {
                found[k] = Some(piece);
                finished += 1;
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            // A piece panicked: it counts as not reached.
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
        if limits.progress && told.elapsed() > Duration::from_secs(1) {
            told = Instant::now();
            // Progress that cannot be shown is no reason to stop.
            let _ = write!(std::io::stderr(), "\r{finished} of {total} {what}");
        }
    }
    if told > start {
        let _ = write!(std::io::stderr(), "\r{:40}\r", "");
    }
    found
}

/// Decides claims in one cell within limits: what was finished is kept, what was not is unknown.
pub fn instance_within(
    place: Arc<Place>,
    claims: &[&'static Claim],
    limits: &Limits,
) -> (Vec<Verdict>, usize) {
    let work = claims.to_vec();
    let found = within(limits, claims.len(), "claims", move |k| {
        verdict(work[k], Scope::Instance, work[k].evidence(&place))
    });
    let missing = found.iter().filter(|f| f.is_none()).count();
    let verdicts = claims
        .iter()
        .zip(found)
        .map(|(c, v)| {
            v.unwrap_or_else(|| verdict(c, Scope::Instance, Evidence::unknown(NOT_REACHED)))
        })
        .collect();
    (strengthen(verdicts), missing)
}

/// A verdict is worth no more than what it needs.
fn strengthen(mut verdicts: Vec<Verdict>) -> Vec<Verdict> {
    let outcomes: BTreeMap<&str, Outcome> =
        verdicts.iter().map(|v| (v.claim.id, v.outcome)).collect();
    for v in &mut verdicts {
        let failed = v
            .claim
            .needs
            .iter()
            .find(|n| matches!(outcomes.get(*n), Some(Outcome::Refuted | Outcome::Unknown)));
        v.strength = match (v.outcome, failed) {
            (Outcome::Holds, Some(need)) if v.claim.kind != Kind::Condition => {
                v.outcome = Outcome::Unknown;
                v.witness = Some(format!("it needs {need}, which does not stand here"));
                "none".into()
            }
            (Outcome::Holds | Outcome::Refuted | Outcome::Conditional, _) => v.scope.name().into(),
            _ => "none".into(),
        };
    }
    verdicts
}

/// Decides claims on a grid. Cells that were not reached make every claim about their task unknown.
pub fn grid(grid: &Grid, claims: &[&'static Claim], limits: &Limits) -> (Vec<Verdict>, usize) {
    let alone: Vec<&'static Claim> = claims
        .iter()
        .copied()
        .filter(|c| c.subject().is_none())
        .collect();
    let work = alone.clone();
    let mut once: BTreeMap<&str, Verdict> = within(limits, alone.len(), "claims", move |k| {
        work[k]
            .alone()
            .map(|e| verdict(work[k], Scope::Instance, e))
    })
    .into_iter()
    .flatten()
    .flatten()
    .map(|v| (v.claim.id, v))
    .collect();
    // Without a claim that looks at a cell there is nothing to do in it.
    let here: Vec<&'static Claim> = claims
        .iter()
        .copied()
        .filter(|c| c.subject().is_some())
        .collect();
    let specs: Vec<CellSpec> = grid
        .cells()
        .iter()
        .filter(|s| here.iter().any(|c| c.subject() == Some(s.subject())))
        .cloned()
        .collect();
    let (work, chosen) = (specs.clone(), here);
    let found = within(limits, specs.len(), "cells", move |k| {
        let about: Vec<&'static Claim> = chosen
            .iter()
            .copied()
            .filter(|c| c.subject() == Some(work[k].subject()))
            .collect();
        match work[k].place() {
            Ok(place) => instance(&place, &about),
            Err(e) => about
                .iter()
                .map(|c| verdict(c, Scope::Instance, Evidence::unknown(e.to_string())))
                .collect::<Vec<Verdict>>(),
        }
    });
    let missing = found.iter().filter(|f| f.is_none()).count();
    let joined = claims.iter().map(|claim| {
        let Some(subject) = claim.subject() else {
            return once.remove(claim.id).unwrap_or_else(|| {
                verdict(claim, Scope::Instance, Evidence::unknown(NOT_REACHED))
            });
        };
        let about = || {
            specs
                .iter()
                .zip(&found)
                .filter(|(s, _)| s.subject() == subject)
        };
        let missing = about().filter(|(_, f)| f.is_none()).count();
        let cells = about().filter_map(|(s, f)| {
            let verdicts = f.as_ref()?;
            Some((s, verdicts.iter().find(|v| v.claim.id == claim.id)?))
        });
        join(claim, cells, missing)
    });
    (strengthen(joined.collect()), missing)
}

/// Which of a value's many amounts a grid reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The least.
    Least,
    /// The greatest.
    Greatest,
}

/// What a grid reports of a value, if anything.
pub fn kept(name: &str) -> Option<Keep> {
    match name {
        "min_margin" | "kappa_star" | "theta_min" | "phi_min" => Some(Keep::Least),
        "theta_max" | "phi_max" | "r_mu_squared_max" => Some(Keep::Greatest),
        _ if name.ends_with("_share") => Some(Keep::Greatest),
        _ => None,
    }
}

impl Keep {
    fn of(self, a: Value, b: Value) -> Value {
        let pick = |first: bool| first == (self == Keep::Least);
        let ends = |v: &Value| match v {
            Value::Exact(x) => Some(x.enclosure(64)),
            Value::Enclosed(low, high) => Some((low.clone(), high.clone())),
            Value::Count(_) | Value::Text(_) => None,
        };
        if let (Value::Exact(x), Value::Exact(y)) = (&a, &b) {
            return if pick(x <= y) { a } else { b };
        }
        // Words say nothing about size.
        let (Some((a0, a1)), Some((b0, b1))) = (ends(&a), ends(&b)) else {
            return if ends(&a).is_some() { a } else { b };
        };
        if a1 < b0 || b1 < a0 {
            return if pick(a1 < b0) { a } else { b };
        }
        match self {
            Keep::Least => Value::Enclosed(a0.min(b0), a1.min(b1)),
            Keep::Greatest => Value::Enclosed(a0.max(b0), a1.max(b1)),
        }
    }
}

fn join<'a>(
    claim: &'static Claim,
    cells: impl Iterator<Item = (&'a CellSpec, &'a Verdict)>,
    missing: usize,
) -> Verdict {
    let (mut checked, mut counts) = (0u128, BTreeMap::<&'static str, usize>::new());
    let mut first: BTreeMap<Outcome, (String, Option<String>)> = BTreeMap::new();
    let mut extremes: BTreeMap<&'static str, Value> = BTreeMap::new();
    let (mut never, mut gap, mut method) = (0u128, None, Method::Exact);
    let mut alone: Option<String> = None;
    for (spec, v) in cells {
        *counts.entry(v.outcome.name()).or_default() += 1;
        first
            .entry(v.outcome)
            .or_insert_with(|| (spec.to_string(), v.witness.clone()));
        gap = gap.or_else(|| v.proof_gap.as_ref().map(|g| format!("{spec}: {g}")));
        method = v.method;
        for (name, value) in &v.values {
            match (*name, value) {
                ("checked", Value::Count(n)) => checked += n,
                ("kappa_star", Value::Text(t)) if t == "never" => never += 1,
                ("accepted_by_3_alone", Value::Exact(k)) if alone.is_none() => {
                    alone = Some(format!("kappa = {k} at {spec}"))
                }
                _ => {}
            }
            if let Some(keep) = kept(name) {
                let best = match extremes.remove(name) {
                    Some(old) => keep.of(old, value.clone()),
                    None => value.clone(),
                };
                if !matches!(best, Value::Text(_)) {
                    extremes.insert(name, best);
                }
            }
        }
    }
    let order = [
        Outcome::Refuted,
        Outcome::Unknown,
        Outcome::NothingChecked,
        Outcome::Conditional,
        Outcome::Holds,
        Outcome::Vacuous,
    ];
    // A condition holds at some kappa and fails at others; on a grid it stays a condition.
    let condition = claim.kind == Kind::Condition && !first.contains_key(&Outcome::Unknown);
    let mut outcome = order
        .into_iter()
        .find(|o| first.contains_key(o))
        .unwrap_or(Outcome::NothingChecked);
    let mut witness = first
        .get(&outcome)
        .and_then(|(place, w)| w.as_ref().map(|w| format!("{place}: {w}")));
    if condition {
        (outcome, witness) = (Outcome::Conditional, None);
    } else if missing > 0 && outcome != Outcome::Refuted {
        outcome = Outcome::Unknown;
        witness = Some(format!(
            "{missing} cells were not reached before the run stopped"
        ));
    }
    let mut values: Vec<(&'static str, Value)> = Vec::new();
    if checked > 0 {
        values.push(("checked", Value::Count(checked)));
    }
    values.extend(extremes);
    values.extend(alone.map(|a| ("accepted_by_3_alone", Value::Text(a))));
    if never > 0 {
        values.push(("never_cells", Value::Count(never)));
    }
    values.push((
        "cells",
        Value::Count(counts.values().map(|n| *n as u128).sum()),
    ));
    Verdict {
        claim,
        outcome,
        scope: Scope::Grid,
        method,
        strength: String::new(),
        values,
        witness,
        proof_gap: gap,
        cells: counts,
    }
}
