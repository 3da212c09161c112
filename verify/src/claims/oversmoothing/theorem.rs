//! Deciding Theorem 5.1 and Remark B.4 at a setting, and over the table of settings.

use super::curve::{moves, points, report};
use super::table::{SUMMED, betas, cells, laws, maps, opposite, plane};
use crate::evidence::{Evidence, Value};
use crate::oversmoothing::SmoothingCell;
use constructions::dense::Dense;
use constructions::oversmoothing::curve::{Point, Regime};
use constructions::oversmoothing::moments::Moments;
use constructions::oversmoothing::setting::Setting;
use exact::{Rational, ratio};
use rayon::prelude::*;
use std::cmp::Ordering;

pub(super) type Fallible = Result<Evidence, Box<dyn std::error::Error>>;

/// The lambdas at which expectations are summed directly.
fn lambdas() -> [Rational; 3] {
    [ratio(0, 1), ratio(1, 3), ratio(1, 1)]
}

fn differs(i: usize, j: usize, lambda: &Rational, printed: &Rational, summed: &Rational) -> String {
    format!("E[Y_{i}^T Y_{j}] at lambda = {lambda} is {summed}, (2) says {printed}")
}

/// (2) against the sum over all pairs of tokens, for tokens up to 5, or 2 in wide settings.
pub(super) fn moments_at(cell: &SmoothingCell) -> Fallible {
    let s = &cell.setting;
    let most = if s.width() <= 8 { 5 } else { 2 };
    let few = Setting::new(
        s.t.min(most),
        s.beta.clone(),
        s.zbar.clone(),
        s.w.clone(),
        s.sigma_v.clone(),
        s.sigma_c.clone(),
    )?;
    direct(&few, &Moments::printed())
}

/// A setting against the direct sum.
pub fn direct(s: &Setting, claimed: &Moments) -> Result<Evidence, Box<dyn std::error::Error>> {
    let mut evidence = Evidence::of(0, None);
    for lambda in lambdas() {
        for j in 1..=s.t {
            for i in 1..=j {
                let (printed, summed) = (
                    s.expectation(claimed, i, j, &lambda),
                    s.direct(i, j, &lambda)?,
                );
                let wrong = printed != summed;
                let witness = wrong.then(|| differs(i, j, &lambda, &printed, &summed));
                evidence = evidence.and(Evidence::of(1, witness));
            }
        }
    }
    Ok(evidence)
}

/// (2) against expectations over all atoms of finite distributions, and against the direct sum.
///
/// # Errors
/// A distribution that is none, shapes that do not fit: defects of the table.
pub fn moments(claimed: &Moments) -> Result<Evidence, Box<dyn std::error::Error>> {
    let mut evidence = Evidence::of(0, None);
    for t in SUMMED {
        for law in laws(t) {
            for w in maps() {
                for beta in betas() {
                    let s = law.setting(beta.clone(), w.clone())?;
                    evidence = evidence.and(direct(&s, claimed)?);
                    for (i, j) in [(1, 1), (1, 2), (2, 2)] {
                        let lambda = ratio(2, 5);
                        let printed = s.expectation(claimed, i, j, &lambda);
                        let summed = law.expectation((i, j), &beta, &w, &lambda)?;
                        let wrong = printed != summed;
                        let witness = wrong.then(|| differs(i, j, &lambda, &printed, &summed));
                        evidence = evidence.and(Evidence::of(1, witness));
                    }
                }
            }
        }
    }
    let checked = evidence.checked;
    Ok(evidence.with("checked", checked))
}

/// A hypothesis about p and p + q, and where rho-hat goes under it.
#[derive(Clone, Copy)]
pub(super) enum Condition {
    /// (i).
    Increasing,
    /// (ii).
    Decreasing,
    /// The sharp version.
    Sharp,
}

/// Where rho-hat goes under a condition, or why the condition is not met.
fn wanted(s: &Setting, condition: Condition) -> Result<Ordering, String> {
    match condition {
        Condition::Increasing if s.p().is_positive() => Ok(Ordering::Less),
        Condition::Increasing => Err(format!("p = beta tr(BW) = {} is not > 0", s.p())),
        Condition::Decreasing if s.s().is_negative() => Ok(Ordering::Greater),
        Condition::Decreasing => Err(format!("p + q = {} is not < 0", s.s())),
        Condition::Sharp => match s.regime() {
            Regime::Constant => Ok(Ordering::Equal),
            Regime::Increasing => Ok(Ordering::Less),
            Regime::Decreasing => Ok(Ordering::Greater),
            Regime::Turning => Err(format!("p = {} < 0 < p + q = {}", s.p(), s.s())),
        },
    }
}

/// A condition at a setting.
pub(super) fn monotone_at(cell: &SmoothingCell, condition: Condition) -> Evidence {
    let wanted = match wanted(&cell.setting, condition) {
        Ok(wanted) => wanted,
        Err(reason) => return Evidence::vacuous(reason),
    };
    match cell.setting.positive() {
        Ok(()) => moves(&points(cell), wanted),
        Err(e) => Evidence::vacuous(e.to_string()),
    }
}

/// The same with the curve, for the page of a setting.
pub(super) fn sharp_at(cell: &SmoothingCell) -> Evidence {
    report(monotone_at(cell, Condition::Sharp), cell)
}

/// Joins evidence of the settings where hypotheses are met.
fn join(cells: &[SmoothingCell], decide: impl Fn(&SmoothingCell) -> Evidence + Sync) -> Evidence {
    let found: Vec<Evidence> = cells.par_iter().map(&decide).collect();
    let mut settings = 0u128;
    let mut all = Evidence::of(0, None);
    for (mut e, cell) in found.into_iter().zip(cells) {
        if e.vacuous.is_some() {
            continue;
        }
        settings += 1;
        let place = |text: String| {
            format!(
                "{}, W = {:?}: {text}",
                cell.describe(),
                rows(&cell.setting.w)
            )
        };
        e.witness = e.witness.map(place);
        all = all.and(e);
    }
    let checked = all.checked;
    all.with("settings", settings).with("checked", checked)
}

fn rows(m: &Dense) -> Vec<Vec<String>> {
    let row = |i| m.row(i).iter().map(ToString::to_string).collect();
    (0..m.shape().0).map(row).collect()
}

/// A condition over the table; for (i) and (ii) also what the printed proof says of D_k.
pub(super) fn monotone(condition: Condition) -> Fallible {
    let cells = cells()?;
    let mut evidence = join(&cells, |cell| monotone_at(cell, condition));
    evidence.proof_gap = match condition {
        Condition::Increasing => gap(&cells, Ordering::Greater),
        Condition::Decreasing => gap(&cells, Ordering::Less),
        Condition::Sharp => None,
    };
    Ok(evidence)
}

/// Appendix B.2 says that every D_k is strictly monotone exactly if p > 0, or p + q < 0. `falls` is how D_k(0) compares with D_k(1).
fn gap(cells: &[SmoothingCell], falls: Ordering) -> Option<String> {
    let (condition, name, edge) = match falls {
        Ordering::Greater => (Condition::Increasing, "p > 0", "p = 0"),
        _ => (Condition::Decreasing, "p + q < 0", "p + q = 0"),
    };
    let norm = |points: &[Point], k: usize| -> Vec<Rational> {
        points
            .iter()
            .filter_map(|p| p.norms.get(k).cloned())
            .collect()
    };
    let strictly = |d: &[Rational]| d.windows(2).all(|w| w[0].cmp(&w[1]) == falls);
    let constant = cells.iter().find_map(|cell| {
        wanted(&cell.setting, condition).ok()?;
        let d = norm(&points(cell), 0);
        let same = d.windows(2).all(|w| w[0] == w[1]);
        same.then(|| {
            format!(
                "D_1 is constant where {name} (D_1 = {} at every lambda)",
                d[0]
            )
        })
    });
    let ends = cells.iter().find_map(|cell| {
        let s = &cell.setting;
        let at = if falls == Ordering::Greater {
            s.p()
        } else {
            s.s()
        };
        let d = norm(&points(cell), 1);
        let met = at.is_zero() && s.q().is_positive() && strictly(&d);
        met.then(|| format!("D_2 is strictly monotone at {edge} too (q = {})", s.q()))
    });
    match (constant, ends) {
        (Some(a), Some(b)) => Some(format!(
            "{a}, and {b}; the conclusion stands without either"
        )),
        (a, b) => a.or(b),
    }
}

/// (i) without positivity.
pub(super) fn positivity() -> Fallible {
    let w = Dense::identity(1);
    let cell = SmoothingCell::new(opposite()?.setting(ratio(1, 1), w)?);
    let s = &cell.setting;
    if !s.p().is_positive() {
        return Ok(Evidence::unknown("p is not positive in the example"));
    }
    let points = points(&cell);
    let found = moves(&points, Ordering::Less);
    let negative = s.positive().err().map_or(String::new(), |e| e.to_string());
    let place = |text: String| {
        format!(
            "T = 2, d = 1, zbar = 0, eps_2 = -eps_1, W = beta = 1, so p = {} > 0, and {negative}: {text}",
            s.p()
        )
    };
    let mut evidence = Evidence::of(found.checked, found.witness.map(place));
    evidence.undecided = found.undecided;
    let squares: Vec<String> = points
        .iter()
        .filter_map(|p| Some(format!("{}: {}", p.lambda, p.signed_square(1, 2)?)))
        .collect();
    Ok(evidence.with("signed_squares", Value::Text(squares.join(", "))))
}

/// Remark B.4 at a setting: where norms and similarity go before and after lambda*.
pub(super) fn turning_at(cell: &SmoothingCell) -> Evidence {
    let s = &cell.setting;
    let turn = match (s.regime(), s.lambda_star()) {
        (Regime::Turning, Some(turn)) => turn,
        (regime, _) => return Evidence::vacuous(format!("the regime is {regime}")),
    };
    let points = points(cell);
    let mut evidence = Evidence::of(0, None);
    for pair in points.windows(2) {
        let [a, b] = pair else { continue };
        let wanted = if b.lambda <= turn {
            Ordering::Greater
        } else {
            Ordering::Less
        };
        let norms = a.norms.iter().zip(&b.norms).enumerate();
        for (k, (x, y)) in norms {
            let right = if k == 0 { x == y } else { x.cmp(y) == wanted };
            let witness = (!right).then(|| {
                format!(
                    "D_{} is {x} at lambda = {} and {y} at {}",
                    k + 1,
                    a.lambda,
                    b.lambda
                )
            });
            evidence = evidence.and(Evidence::of(1, witness));
        }
    }
    if s.positive().is_ok() {
        let before: Vec<Point> = points.into_iter().filter(|p| p.lambda <= turn).collect();
        evidence = evidence.and(moves(&before, Ordering::Less));
    }
    evidence
}

/// One instance of every regime in the plane, T = 2, Z_i = (1, +-1), beta = 1, by W = diag(a, b) in halves.
const SHOWN: [(&str, [i64; 2], Regime); 5] = [
    ("increasing", [2, 2], Regime::Increasing),
    ("decreasing", [2, -1], Regime::Decreasing),
    ("constant", [2, 0], Regime::Constant),
    ("turning", [2, -4], Regime::Turning),
    ("turning.not_monotone", [0, -3], Regime::Turning),
];

/// Remark B.4 over the table, with an instance of every regime and one where rho-hat is not monotone.
pub(super) fn turning() -> Fallible {
    let mut evidence = join(&cells()?, turning_at);
    let mut falls = false;
    for (name, [a, b], regime) in SHOWN {
        let w = Dense::diagonal(&[ratio(a, 2), ratio(b, 2)]);
        let cell = SmoothingCell::new(plane().setting(ratio(1, 1), w)?);
        let s = &cell.setting;
        if s.regime() != regime {
            return Ok(Evidence::unknown(format!(
                "{name}: the regime is {}",
                s.regime()
            )));
        }
        let points = points(&cell);
        let squares: Vec<String> = points
            .iter()
            .filter_map(|p| Some(format!("{}: {}", p.lambda, p.signed_square(1, 2)?)))
            .collect();
        let turn = s.lambda_star().filter(|_| regime == Regime::Turning);
        let turn = turn.map_or(String::new(), |x| format!(", lambda* = {x}"));
        let row = format!(
            "W = diag({}, {}), p = {}, q = {}{turn}; rho-hat^2 at {}",
            ratio(a, 2),
            ratio(b, 2),
            s.p(),
            s.q(),
            squares.join(", ")
        );
        // Up to lambda* the similarity grows, so one step down makes it neither increasing nor decreasing.
        falls |= regime == Regime::Turning
            && s.positive().is_ok()
            && moves(&points, Ordering::Less).outcome() == crate::evidence::Outcome::Refuted;
        evidence = evidence.with(name, Value::Text(row));
    }
    if !falls {
        evidence.undecided = Some("no instance at hand where rho-hat is not monotone".into());
    }
    Ok(evidence)
}
