//! Reports: text for people, JSON for programs.

mod json;
mod summary;
mod text;

pub use json::{SCHEMA, json};
pub use summary::summary;
pub use text::{claim, list, text};

use crate::evidence::Value;
use exact::{Rational, Surd};

/// A value for people: short exact numbers as they are, with a decimal where they are not integers.
fn shown(value: &Value) -> String {
    match value {
        Value::Count(n) => grouped(*n),
        Value::Text(t) => t.clone(),
        Value::Enclosed(low, high) => {
            format!("[{}, {}]", decimal(low, false), decimal(high, true))
        }
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

/// Twelve decimals (or twelve digits of a small number), rounded down or up so that an enclosure stays one.
fn decimal(x: &Rational, up: bool) -> String {
    if x.is_zero() {
        return "0".into();
    }
    // Decimal places: twelve, or twelve after the leading zeros of a small number.
    let mut places = 12u32;
    let mut scaled = x * Rational::integer(10).pow(places);
    let one = Rational::integer(1);
    while scaled.abs() < one {
        places += 12;
        scaled *= Rational::integer(10).pow(12);
    }
    let mut whole = scaled.floor();
    if up && Rational::from(whole.clone()) != scaled {
        whole += 1;
    }
    if places > 12 {
        return format!("{whole}e-{places}");
    }
    let exact = Rational::from(whole)
        * Rational::integer(10)
            .pow(places)
            .recip()
            .unwrap_or_default();
    Surd::from(exact).approx(12)
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
