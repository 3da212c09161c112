//! e^-x: known digits, order, width and limits.

use exact::{Rational, exp_neg, ratio};
use num_traits::{One, Zero};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// The value lies between the number cut after these digits and the next one.
fn within_digits(x: Rational, text: &str) {
    let (lower, upper) = exp_neg(&x, 160).expect("the argument is not negative");
    let places = text.split_once('.').map_or(0, |(_, digits)| digits.len());
    let cut: Rational = text.parse().expect("a decimal");
    let unit = ratio(1, 10).pow(places as u32);
    assert!(
        cut <= lower && lower < upper && upper <= &cut + unit,
        "e^-{x}"
    );
}

#[test]
fn known_digits() {
    within_digits(ratio(1, 1), "0.367879441171442321595523770161460867");
    within_digits(ratio(1, 2), "0.606530659712633423603799534991180453");
    within_digits(ratio(2, 1), "0.135335283236612691893999494972484403");
    within_digits(ratio(10, 1), "0.000045399929762484851535591515560550610237");
}

#[test]
fn zero_is_exact_and_negatives_are_refused() {
    assert_eq!(
        exp_neg(&Rational::zero(), 10),
        Some((Rational::one(), Rational::one()))
    );
    assert_eq!(exp_neg(&ratio(-1, 3), 10), None);
}

#[test]
fn a_million_is_quick() {
    let start = Instant::now();
    let (lower, upper) = exp_neg(&Rational::integer(1_000_000), 64).unwrap();
    assert!(lower.is_zero() && upper.is_positive() && upper <= ratio(1, 2).pow(4096));
    assert!(start.elapsed() < Duration::from_secs(1));
}

#[test]
fn the_coarse_answer_is_kept_for_values_below_its_bound() {
    // e^-2839 > 2^-4096 > e^-2840.
    let (lower, upper) = exp_neg(&Rational::integer(2839), 64).unwrap();
    assert!(lower > ratio(1, 2).pow(4096));
    assert!((upper - &lower) * Rational::integer(2).pow(60) <= lower);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn narrow_and_increasing_in_precision(n in 0i64..=3_000_000, d in 1i64..=1_000_000, bits in 4u32..120) {
        let x = ratio(n, d).min(Rational::integer(200));
        let (lower, upper) = exp_neg(&x, bits).unwrap();
        prop_assert!(lower.is_positive() && lower <= upper);
        prop_assert!((&upper - &lower) * Rational::integer(2).pow(bits) <= upper);
        let (inner, outer) = exp_neg(&x, bits + 200).unwrap();
        prop_assert!(lower <= outer && inner <= upper);
    }

    #[test]
    fn decreasing(n in 0i64..=40_000, step in 1i64..=1000) {
        let (x, y) = (ratio(n, 1000), ratio(n + step, 1000));
        prop_assert!(exp_neg(&y, 80).unwrap().1 < exp_neg(&x, 80).unwrap().0);
    }

    #[test]
    fn sums_become_products(a in 0i64..=5000, b in 0i64..=5000) {
        let (x, y) = (ratio(a, 700), ratio(b, 300));
        let (sum, one, two) = (exp_neg(&(&x + &y), 90).unwrap(), exp_neg(&x, 90).unwrap(), exp_neg(&y, 90).unwrap());
        prop_assert!(&one.0 * &two.0 <= sum.1 && sum.0 <= &one.1 * &two.1);
    }

    #[test]
    fn near_the_float(x in 0f64..50.0) {
        let q = Rational::from_f64_rounded(x, 40).unwrap();
        let (lower, upper) = exp_neg(&q, 60).unwrap();
        let float = (-q.to_f64()).exp();
        prop_assert!(lower.to_f64() <= float * (1.0 + 1e-14) && float * (1.0 - 1e-14) <= upper.to_f64());
    }
}
