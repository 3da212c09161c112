//! Identities that other claims need.

use super::{Claim, Decide, Kind};
use crate::evidence::Evidence;
use exact::{Rational, ratio};

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "lemma.ramp-sums",
    kind: Kind::Bound,
    place: "App. D, lower bound",
    statement: "sum_{r=1..T} (2r - T - 1)^2 = T(T^2-1)/3 and sum_{t=1..T} (t-1)(T-t+1) = T(T^2-1)/6",
    needs: &[],
    repairs: None,
    explain: "Added up term by term. For all T by induction: a closed form in n and T is 0 for no term, grows by the nth one, and has the stated value at n = T.",
    decide: Decide::InCell(|cell| ramp_sums(cell.sizes().t)),
}];

fn ramp_sums(t: usize) -> Evidence {
    let n = Rational::from(t);
    let one = Rational::integer(1);
    let (mut squares, mut weights) = (Rational::default(), Rational::default());
    for r in 1..=t {
        let r = Rational::from(r);
        let slope = Rational::integer(2) * &r - &n - &one;
        squares += &slope * &slope;
        weights += (&r - &one) * (&n - &r + &one);
    }
    let stated = &n * (&n * &n - &one);
    let wrong = squares != &stated * ratio(1, 3) || weights != &stated * ratio(1, 6);
    let witness = wrong.then(|| format!("T = {t}: the sums are {squares} and {weights}"));
    Evidence::of(2, witness)
        .with("squares", squares)
        .with("weights", weights)
}
