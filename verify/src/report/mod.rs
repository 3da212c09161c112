//! Reports: text for people, JSON for programs.

mod json;
mod summary;
mod text;

pub use json::{SCHEMA, json};
pub use summary::summary;
pub use text::{claim, text};

use crate::evidence::Value;
use exact::Surd;

/// A value for people: short exact numbers as they are, with a decimal where they are not integers.
fn shown(value: &Value) -> String {
    match value {
        Value::Count(n) => grouped(*n),
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

/// 4,420,240.
fn grouped(n: u128) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
