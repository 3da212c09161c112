//! Polynomials.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use certificates::polynomial::{Monomial, Polynomial};
use exact::{Rational, ratio};
use proptest::prelude::*;
use std::collections::BTreeMap;

const NAMES: [&str; 3] = ["x", "y", "z"];

fn polynomial() -> impl Strategy<Value = Polynomial> {
    let term = (prop::collection::vec(0u32..4, 3), -6i64..7, 1i64..5);
    prop::collection::vec(term, 0..6).prop_map(|terms| {
        let mut sum = Polynomial::zero();
        for (powers, n, d) in terms {
            let powers = NAMES.iter().map(ToString::to_string).zip(powers);
            sum.add_term(Monomial::new(powers.collect()), &ratio(n, d));
        }
        sum
    })
}

fn point() -> impl Strategy<Value = BTreeMap<String, Rational>> {
    prop::collection::vec((-9i64..10, 1i64..6), 3).prop_map(|values| {
        let values = values.into_iter().map(|(n, d)| ratio(n, d));
        NAMES.iter().map(ToString::to_string).zip(values).collect()
    })
}

proptest! {
    #[test]
    fn values_agree_with_ring_operations(p in polynomial(), q in polynomial(), at in point()) {
        let value = |p: &Polynomial| p.evaluate(&at).unwrap();
        prop_assert_eq!(value(&p.plus(&q)), value(&p) + value(&q));
        prop_assert_eq!(value(&p.minus(&q)), value(&p) - value(&q));
        prop_assert_eq!(value(&p.times(&q)), value(&p) * value(&q));
        prop_assert_eq!(value(&p.scale(&ratio(-2, 3))), value(&p) * ratio(-2, 3));
    }

    #[test]
    fn ring_identities_hold(p in polynomial(), q in polynomial(), r in polynomial()) {
        prop_assert_eq!(p.plus(&q), q.plus(&p));
        prop_assert_eq!(p.times(&q), q.times(&p));
        prop_assert_eq!(p.times(&q.plus(&r)), p.times(&q).plus(&p.times(&r)));
        prop_assert_eq!(p.times(&Polynomial::one()), p.clone());
        prop_assert!(p.minus(&p).is_zero());
        let square = p.plus(&q).times(&p.plus(&q));
        let parts = p.times(&p).plus(&p.times(&q).scale(&ratio(2, 1))).plus(&q.times(&q));
        prop_assert_eq!(square, parts);
        prop_assert!(p.terms().all(|(_, x)| !x.is_zero()));
        if !p.is_zero() && !q.is_zero() {
            prop_assert_eq!(p.times(&q).degree(), p.degree() + q.degree());
        }
    }
}

#[test]
fn they_are_shown_higher_degrees_first() {
    let (c, x) = (Polynomial::variable("C"), Polynomial::variable("x"));
    let p = c.times(&c).times(&x).scale(&ratio(3, 2));
    let shown = p.minus(&Polynomial::one());
    assert_eq!(shown.to_string(), "3/2*C^2*x - 1");
    assert_eq!(Polynomial::zero().to_string(), "0");
    assert_eq!(Polynomial::zero().minus(&x).to_string(), "-x");
}

#[test]
fn a_variable_without_a_value_is_named() {
    let x = Polynomial::variable("x");
    assert_eq!(x.evaluate(&BTreeMap::new()), Err("x".to_string()));
}
