//! `Rational` against `num_rational::BigRational`, mostly near the ends of i64, where the form changes.

use exact::{Rational, ratio};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use proptest::prelude::*;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

fn word() -> impl Strategy<Value = i64> {
    prop_oneof![
        -12i64..=12,
        any::<i64>(),
        (0i64..4).prop_map(|k| i64::MAX - k),
        (0i64..4).prop_map(|k| i64::MIN + k),
        (-3i64..=3).prop_map(|k| (1 << 31) + k),
        (-3i64..=3).prop_map(|k| (1 << 53) + k),
    ]
}

/// Small and big numbers, the big ones as products of small ones.
fn number() -> impl Strategy<Value = BigRational> {
    let denominator = || word().prop_filter("not zero", |d| *d != 0);
    let small = (word(), denominator()).prop_map(|(n, d)| BigRational::new(n.into(), d.into()));
    let wide = (word(), word(), denominator(), denominator())
        .prop_map(|(a, b, c, d)| BigRational::new(BigInt::from(a) * b, BigInt::from(c) * d));
    prop_oneof![3 => small, 1 => wide]
}

fn hash(x: &Rational) -> u64 {
    let mut hasher = DefaultHasher::new();
    x.hash(&mut hasher);
    hasher.finish()
}

/// Agrees with the oracle, and is in the canonical form: equal and hashed like the number read from its own text.
fn agrees(x: &Rational, oracle: &BigRational) {
    assert_eq!(x.to_big(), *oracle);
    assert_eq!(
        (x.numer(), x.denom()),
        (oracle.numer().clone(), oracle.denom().clone())
    );
    let read: Rational = x.to_string().parse().expect("printed numbers are read");
    assert_eq!((hash(&read), &read), (hash(x), x));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn arithmetic(a in number(), b in number()) {
        let (x, y) = (Rational::from(a.clone()), Rational::from(b.clone()));
        agrees(&(&x + &y), &(&a + &b));
        agrees(&(&x - &y), &(&a - &b));
        agrees(&(&x * &y), &(&a * &b));
        agrees(&-&x, &-&a);
        agrees(&x.abs(), &a.abs());
        match x.checked_div(&y) {
            Some(q) => agrees(&q, &(&a / &b)),
            None => prop_assert!(b.is_zero()),
        }
        // Back below the limit: the form must shrink again.
        prop_assert_eq!(&(&x + &y) - &y, x.clone());
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x == y, a == b);
    }

    #[test]
    fn all_forms_of_an_operator_agree(a in number(), b in number()) {
        let (x, y) = (Rational::from(a), Rational::from(b));
        for (sum, difference, product) in [
            (x.clone() + y.clone(), x.clone() - y.clone(), x.clone() * y.clone()),
            (x.clone() + &y, x.clone() - &y, x.clone() * &y),
            (&x + y.clone(), &x - y.clone(), &x * y.clone()),
        ] {
            prop_assert_eq!((sum, difference, product), (&x + &y, &x - &y, &x * &y));
        }
        let (mut s, mut d, mut p) = (x.clone(), x.clone(), x.clone());
        s += &y;
        d -= &y;
        p *= &y;
        prop_assert_eq!((&s, &d, &p), (&(&x + &y), &(&x - &y), &(&x * &y)));
        s -= y.clone();
        d += y.clone();
        prop_assert_eq!((&s, &d), (&x, &x));
        prop_assert_eq!([&x, &y].into_iter().sum::<Rational>(), &x + &y);
        prop_assert_eq!([x.clone(), y.clone()].into_iter().sum::<Rational>(), x + y);
    }

    #[test]
    fn new_reduces(n in word(), d in word()) {
        match Rational::new(n, d) {
            Some(x) => agrees(&x, &BigRational::new(n.into(), d.into())),
            None => prop_assert_eq!(d, 0),
        }
    }

    #[test]
    fn unary_functions(a in number(), exponent in 0u32..9) {
        let x = Rational::from(a.clone());
        prop_assert_eq!(x.floor(), a.floor().to_integer());
        prop_assert_eq!(x.is_zero(), a.is_zero());
        prop_assert_eq!(x.is_integer(), a.is_integer());
        prop_assert_eq!(x.is_negative(), a.is_negative());
        prop_assert_eq!(x.is_positive(), a.is_positive());
        prop_assert_eq!(BigInt::from(x.signum()), a.signum().to_integer());
        agrees(&x.pow(exponent), &num_traits::pow(a.clone(), exponent as usize));
        prop_assert_eq!(x.to_f64().to_bits(), a.to_f64().unwrap().to_bits());
        prop_assert_eq!((&x * &x).sqrt_exact(), Some(x.abs()));
        match x.recip() {
            Some(r) => prop_assert!((r * &x).is_one()),
            None => prop_assert!(a.is_zero()),
        }
    }

    #[test]
    fn rounded_floats_are_nearest(x in -1e9f64..1e9, bits in 0u32..40) {
        let k = Rational::from_f64_rounded(x, bits).unwrap();
        let exact = Rational::from(BigRational::from_float(x).unwrap());
        let scale = Rational::integer(1 << bits);
        prop_assert!((&k * &scale).is_integer());
        prop_assert!((k - exact).abs() * scale <= ratio(1, 2));
    }

    #[test]
    fn decimals_are_their_fraction(n in any::<i64>(), places in 1u32..18) {
        let digits = format!("{:0>width$}", n.unsigned_abs(), width = places as usize + 1);
        let (whole, fraction) = digits.split_at(digits.len() - places as usize);
        let text = format!("{}{whole}.{fraction}", if n < 0 { "-" } else { "" });
        prop_assert_eq!(text.parse::<Rational>().unwrap(), ratio(n, 10i64.pow(places)));
    }
}

#[test]
fn extremes() {
    let least = Rational::integer(i64::MIN);
    assert_eq!((-&least).to_string(), "9223372036854775808");
    assert_eq!(-(-&least), least);
    assert_eq!(least.abs() - Rational::one(), Rational::integer(i64::MAX));
    assert_eq!(Rational::new(i64::MIN, i64::MIN), Some(Rational::one()));
    assert_eq!(ratio(1, i64::MIN).to_string(), "-1/9223372036854775808");
    assert_eq!(ratio(1, i64::MIN).recip(), Some(least));
}

#[test]
fn a_fraction_left_unreduced_by_its_maker_is_reduced() {
    let raw = BigRational::new_raw(BigInt::from(-2), BigInt::from(-4));
    assert_eq!(Rational::from(raw), ratio(1, 2));
}

#[test]
fn square_roots_only_of_squares() {
    assert_eq!(ratio(9, 4).sqrt_exact(), Some(ratio(3, 2)));
    assert_eq!(Rational::default().sqrt_exact(), Some(Rational::zero()));
    assert_eq!(ratio(2, 9).sqrt_exact(), None);
    assert_eq!(ratio(9, 2).sqrt_exact(), None);
    assert_eq!(ratio(-4, 1).sqrt_exact(), None);
}

#[test]
fn floats() {
    let huge = Rational::integer(10).pow(400);
    assert!((huge.checked_div(&(&huge * ratio(3, 1))).unwrap().to_f64() - 1.0 / 3.0).abs() < 1e-16);
    assert_eq!(
        (&huge + ratio(1, 1)).checked_div(&huge).unwrap().to_f64(),
        1.0
    );
    assert_eq!(Rational::from_f64_rounded(f64::NAN, 10), None);
    assert_eq!(Rational::from_f64_rounded(f64::INFINITY, 10), None);
    assert_eq!(Rational::from_f64_rounded(-0.3, 2), Some(ratio(-1, 4)));
}

#[test]
fn text_is_that_of_the_reduced_fraction() {
    assert_eq!(ratio(-6, 10).to_string(), "-3/5");
    assert_eq!(format!("{:?}", ratio(6, -2)), "-3");
    assert_eq!(Rational::from(7i32), Rational::from(7usize));
    assert_eq!(Rational::from(BigInt::from(7)), Rational::from(7i64));
    assert_eq!(
        Rational::from(usize::MAX).to_string(),
        usize::MAX.to_string()
    );
}

#[test]
#[should_panic(expected = "denominator")]
fn a_literal_with_denominator_zero_panics() {
    ratio(1, 0);
}
