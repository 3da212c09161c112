//! Comparing similarities at two values of lambda, exactly.

use crate::evidence::{Evidence, Value};
use crate::oversmoothing::SmoothingCell;
use constructions::oversmoothing::curve::Point;
use std::cmp::Ordering;

/// Bits of enclosures, refined while they do not decide.
const BITS: [u32; 3] = [64, 160, 400];

/// How the mean similarity changes from one point to another; nothing where this is not decided.
pub fn compare(from: &Point, to: &Point) -> Option<Ordering> {
    if from.pairs == to.pairs && from.norms == to.norms {
        return Some(Ordering::Equal);
    }
    if let ([_, n], [_, m]) = (from.pairs.as_slice(), to.pairs.as_slice())
        && n.signum() == m.signum()
    {
        // One pair: signed squares decide.
        return Some(from.signed_square(1, 2)?.cmp(&to.signed_square(1, 2)?));
    }
    for bits in BITS {
        let (a, b) = (from.enclosure(bits)?, to.enclosure(bits)?);
        if a.1 < b.0 {
            return Some(Ordering::Less);
        }
        if b.1 < a.0 {
            return Some(Ordering::Greater);
        }
    }
    Some(from.exact()?.cmp(&to.exact()?))
}

/// Does the similarity change in one direction from each point to the next?
pub fn moves(points: &[Point], wanted: Ordering) -> Evidence {
    let mut evidence = Evidence::of(0, None);
    for pair in points.windows(2) {
        let [a, b] = pair else { continue };
        match compare(a, b) {
            Some(found) if found == wanted => evidence.checked += 1,
            Some(found) => {
                let change = |o: Ordering| match o {
                    Ordering::Less => "grows",
                    Ordering::Equal => "stays",
                    Ordering::Greater => "falls",
                };
                let witness = format!(
                    "rho-hat {} from lambda = {} ({}) to {} ({}); it is claimed that it {}",
                    change(found),
                    a.lambda,
                    about(a),
                    b.lambda,
                    about(b),
                    change(wanted)
                );
                evidence.checked += 1;
                evidence.witness = evidence.witness.or(Some(witness));
            }
            None => {
                let why = format!(
                    "rho-hat at lambda = {} and {} is too close",
                    a.lambda, b.lambda
                );
                evidence.undecided = evidence.undecided.or(Some(why));
            }
        }
    }
    evidence
}

fn about(p: &Point) -> String {
    match p.enclosure(64) {
        Some((low, _)) => format!("about {}", exact::Surd::from(low).approx(6)),
        None => "none".into(),
    }
}

/// The points of a cell.
pub fn points(cell: &SmoothingCell) -> Vec<Point> {
    cell.lambdas.iter().map(|x| cell.setting.point(x)).collect()
}

/// The similarity at a point: with square roots where these are few and short, else enclosed.
fn similarity(point: &Point) -> Option<Value> {
    if let Some(x) = point.exact().filter(|x| x.terms().count() <= 3) {
        return Some(Value::Exact(x));
    }
    let (low, high) = point.enclosure(64)?;
    Some(Value::between(low, high))
}

/// Regime, p, q, lambda* and the curve, as named values.
pub fn report(mut evidence: Evidence, cell: &SmoothingCell) -> Evidence {
    let s = &cell.setting;
    evidence = evidence
        .with("regime", Value::Text(s.regime().to_string()))
        .with("p", s.p())
        .with("q", s.q());
    if let Some(turn) = s.lambda_star() {
        evidence = evidence.with("lambda_star", turn);
    }
    for point in points(cell) {
        if let Some(value) = similarity(&point) {
            // Names of values live as long as the program; a file has at most 65 lambdas.
            let name: &'static str = Box::leak(format!("rho({})", point.lambda).into_boxed_str());
            evidence = evidence.with(name, value);
        }
    }
    evidence
}
