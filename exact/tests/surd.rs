//! Sums of square roots: field laws, signs by independent routes, printing.

use exact::{Rational, SqrtError, Surd, ratio, sqrt_enclosure};
use num_bigint::BigUint;
use num_traits::One;
use proptest::prelude::*;

fn fraction() -> impl Strategy<Value = Rational> {
    (-30i64..=30, 1i64..=12).prop_map(|(n, d)| ratio(n, d))
}

fn root(n: i64) -> Surd {
    Surd::sqrt(&Rational::integer(n)).expect("small radicands have a root")
}

/// At most four terms over the primes 2, 3, 5, 7, 11 and 13.
fn surd() -> impl Strategy<Value = Surd> {
    let term = (
        fraction(),
        prop::sample::select(vec![1i64, 2, 3, 5, 6, 7, 10, 12, 35, 50, 143, 210]),
    );
    prop::collection::vec(term, 0..=4).prop_map(|terms| {
        terms
            .iter()
            .fold(Surd::zero(), |sum, (x, n)| sum + root(*n).scale(x))
    })
}

/// The sign of `a + b sqrt(r)`, by squaring alone.
fn sign_by_squaring(a: &Rational, b: &Rational, r: i64) -> i32 {
    if a.signum() * b.signum() >= 0 {
        return (a.signum() + b.signum()).signum();
    }
    let difference = a * a - b * b * Rational::integer(r);
    a.signum() * difference.signum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn sign_agrees_with_squaring(a in fraction(), b in fraction(), r in 2i64..200) {
        let x = Surd::from(a.clone()) + root(r).scale(&b);
        prop_assert_eq!(x.signum(), sign_by_squaring(&a, &b, r));
    }

    #[test]
    fn sign_of_near_cancellation_agrees_with_squaring(n in 2u32..60, r in prop::sample::select(vec![2i64, 3, 7])) {
        // Convergents: |p - q sqrt(r)| shrinks exponentially, and doubles soon see zero.
        let unit = Surd::from(match r { 2 => 3i64, 3 => 2, _ => 8 })
            + root(r).scale(&Rational::integer(match r { 2 => 2, 3 => 1, _ => 3 }));
        let power = (1..n).fold(unit.clone(), |x, _| &x * &unit);
        let [(_, p), (_, q)] = power.terms().collect::<Vec<_>>()[..] else { panic!("two terms") };
        let conjugate = Surd::from(p.clone()) - root(r).scale(q);
        prop_assert_eq!(conjugate.signum(), 1);
        prop_assert_eq!((-&conjugate).signum(), -1);
        prop_assert_eq!(sign_by_squaring(p, &-q, r), 1);
        prop_assert_eq!(power * conjugate, Surd::one());
    }

    #[test]
    fn sign_agrees_with_a_tight_enclosure(x in surd()) {
        let (lower, upper) = x.enclosure(400);
        prop_assert!(lower <= upper);
        let expected = if lower.is_positive() { 1 } else if upper.is_negative() { -1 } else { 0 };
        prop_assert_eq!(x.signum(), expected);
        prop_assert_eq!(x.is_zero(), expected == 0);
    }

    #[test]
    fn enclosures_are_nested_around_the_value(x in surd(), bits in 1u32..80) {
        let (lower, upper) = x.enclosure(bits);
        prop_assert!(Surd::from(lower.clone()) <= x && x <= Surd::from(upper.clone()));
        let weight: Rational = x.terms().map(|(_, c)| c.abs()).sum();
        prop_assert!((upper - lower) * Rational::integer(2).pow(bits) <= weight);
    }

    #[test]
    fn the_inverse_times_itself_is_one(x in surd()) {
        match x.inverse() {
            Some(y) => prop_assert_eq!(&x * &y, Surd::one()),
            None => prop_assert!(x.is_zero()),
        }
    }

    #[test]
    fn ring_laws(x in surd(), y in surd(), z in surd()) {
        prop_assert_eq!(&(&x + &y) * &z, &(&x * &z) + &(&y * &z));
        prop_assert_eq!(&(&x * &y) * &z, &x * &(&y * &z));
        prop_assert_eq!(&x * &y, &y * &x);
        prop_assert_eq!(&(&x + &y) - &y, x.clone());
        prop_assert_eq!(x.clone() + -&x, Surd::zero());
        let mut sum = x.clone();
        sum += &y;
        prop_assert_eq!(&sum, &(&x + &y));
        prop_assert_eq!((x.clone() + &y, &x + y.clone()), (sum.clone(), sum));
    }

    #[test]
    fn the_order_is_total_and_that_of_the_numbers(x in surd(), y in surd()) {
        prop_assert_eq!(x.cmp(&y), y.cmp(&x).reverse());
        prop_assert_eq!(x == y, x.cmp(&y).is_eq());
        let (a, b) = (x.to_f64(), y.to_f64());
        if (a - b).abs() > 1e-9 {
            prop_assert_eq!(x < y, a < b);
        }
    }

    #[test]
    fn reading_undoes_printing(x in surd()) {
        prop_assert_eq!(x.to_string().parse::<Surd>().unwrap(), x.clone());
        prop_assert_eq!(format!("{x:?}"), x.to_string());
    }

    #[test]
    fn a_square_root_squares_to_its_radicand(n in 0i64..=1_000_000_000_000, d in 1i64..=1_000_000) {
        let x = ratio(n, d);
        let root = Surd::sqrt(&x).unwrap();
        prop_assert_eq!((&root * &root).as_rational(), Some(x));
        prop_assert!(root.signum() >= 0);
        for (radicand, _) in root.terms() {
            for p in [2u32, 3, 5, 7, 11, 13] {
                prop_assert!(radicand % (p * p) != BigUint::ZERO);
            }
        }
    }

    #[test]
    fn rounding_is_within_half_a_unit(x in surd(), digits in 0usize..30) {
        let text = x.approx(digits);
        let read: Rational = text.parse().unwrap();
        let unit = Rational::integer(10).pow(digits as u32).recip().unwrap();
        let off = x.clone() - Surd::from(read);
        let half = unit * ratio(1, 2);
        prop_assert!(off <= Surd::from(half.clone()) && off >= Surd::from(-half));
        prop_assert_eq!(text.split_once('.').map_or(0, |(_, d)| d.len()), digits);
    }

    #[test]
    fn square_root_bounds_hold(n in 0i64..=i64::MAX, d in 1i64..=i64::MAX, bits in 0u32..200) {
        let x = ratio(n, d);
        let (lower, upper) = sqrt_enclosure(&x, bits).unwrap();
        prop_assert!(!lower.is_negative() && &lower * &lower <= x && x <= &upper * &upper);
        prop_assert!((upper - lower) * Rational::integer(2).pow(bits) <= Rational::one());
    }
}

#[test]
fn the_root_of_a_negative_number_is_refused() {
    assert_eq!(
        Surd::sqrt(&ratio(-1, 4)),
        Err(SqrtError::Negative(ratio(-1, 4)))
    );
    assert_eq!(sqrt_enclosure(&ratio(-1, 4), 10), None);
}

#[test]
fn large_radicands_within_reach() {
    // A square of a prime beyond the trial divisors, times a small number.
    let prime = Rational::integer((1 << 61) - 1);
    let root = Surd::sqrt(&(&prime * &prime * ratio(12, 1))).unwrap();
    assert_eq!(
        root,
        Surd::sqrt(&ratio(3, 1))
            .unwrap()
            .scale(&(prime.clone() * ratio(2, 1)))
    );
    // A large square.
    assert_eq!(
        Surd::sqrt(&prime.pow(10)).unwrap().as_rational(),
        Some(prime.pow(5))
    );
    // Two primes just below 2^30 leave a squarefree part below 2^60.
    let two = 1_073_741_789i64 * 1_073_741_783;
    assert_eq!(
        Surd::sqrt(&Rational::integer(two)).unwrap().to_string(),
        format!("sqrt({two})")
    );
    // 2^200 * 3 * 5^7.
    let smooth = Rational::integer(2).pow(200) * ratio(3, 1) * Rational::integer(5).pow(7);
    let expected = Rational::integer(2).pow(100) * Rational::integer(125);
    assert_eq!(
        Surd::sqrt(&smooth).unwrap(),
        self::root(15).scale(&expected)
    );
}

#[test]
fn a_radicand_out_of_reach_is_refused_not_guessed() {
    let prime = Rational::integer((1 << 61) - 1);
    let other = Rational::integer(2).pow(89) - Rational::one();
    let product = &prime * &other;
    assert_eq!(Surd::sqrt(&product), Err(SqrtError::TooLarge(product)));
}

#[test]
fn inverse_with_composite_radicands_only() {
    // No radicand is prime, and 6 * 10 * 15 is a square: the radicands depend on each other.
    let x = Surd::from(1) + root(6) + root(10).scale(&ratio(-2, 3)) + root(15) + root(77);
    assert_eq!(&x * &x.inverse().unwrap(), Surd::one());
    // 30 shares 6 with 42, which shares 2 with 110: the common factor is refined twice.
    let y = root(30) + root(42) + root(110);
    assert_eq!(&y * &y.inverse().unwrap(), Surd::one());
    assert_eq!(Surd::zero().inverse(), None);
    assert_eq!(root(2).inverse().unwrap().to_string(), "1/2*sqrt(2)");
}

#[test]
fn nested_dependence_is_seen() {
    assert!((root(2) * root(3) - root(6)).is_zero());
    let square = (root(2) + root(3)) * (root(2) + root(3));
    assert_eq!(square.to_string(), "5 + 2*sqrt(6)");
    assert_eq!(square.as_rational(), None);
    assert_eq!(Surd::zero().as_rational(), Some(Rational::default()));
}

#[test]
fn a_famous_near_miss() {
    // The second difference of sqrt near 10^9: about -8e-15, of sums near 6e4, below what floats resolve.
    let left = root(1_000_000_001) + root(1_000_000_003);
    let right = root(1_000_000_002).scale(&ratio(2, 1));
    assert_eq!((&left - &right).signum(), -1);
    assert!(left < right);
}

#[test]
fn decimals_round_half_away_from_zero() {
    assert_eq!(Surd::from(ratio(5, 2)).approx(0), "3");
    assert_eq!(Surd::from(ratio(-5, 2)).approx(0), "-3");
    assert_eq!(Surd::from(ratio(1, 8)).approx(2), "0.13");
    assert_eq!(Surd::from(ratio(-1, 8)).approx(2), "-0.13");
    assert_eq!(Surd::from(ratio(-1, 1000)).approx(2), "0.00");
    assert_eq!(Surd::from(ratio(1999, 1000)).approx(2), "2.00");
    assert_eq!(
        root(2).approx(50),
        "1.41421356237309504880168872420969807856967187537695"
    );
    assert_eq!((-root(2)).approx(3), "-1.414");
    assert_eq!(root(2).to_f64(), 2f64.sqrt());
}
