//! The lower bound on sinks that Section 7 conjectures after Theorem 7.2.

use super::{Claim, Decide, Kind, decided};
use crate::evidence::{Evidence, Method, Value};
use constructions::cluster::conjecture::{Decided, Family, NoSolution};
use constructions::cluster::families;
use exact::{Rational, Surd};

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "conj-7.sink-lower",
    kind: Kind::Bound,
    place: "Sec. 7, after Theorem 7.2",
    statement: "Every sink solution of the cluster task costs, in VO and MLP, at least of order r_eta + C",
    needs: &[],
    repairs: None,
    explain: "Two families of sink solutions with C = 1 and tolerance 1/4 are run label by label, while r_eta, the rank of the nuisances, grows. \
              In A, W_O W_V b = -lambda dbar and the nuisances are orthogonal: the value map costs 2(lambda + (1-r)/lambda + 1), the n \
              neurons that write the nuisances together 2 delta n, which the choice of delta keeps small. In B, W_O W_V b = 0 and the nuisances \
              lie near a plane, so their rank says little about their cost. Costs are enclosed from above; each shows that no \
              constant times r_eta + C above cost / (r_eta + C) is a lower bound.",
    decide: Decide::Alone(|| decided(conjecture())),
}];

/// The parameters (n, k) at which the families are run; k makes delta or tau 2k/(k^2 + 1).
const A: [(usize, u64); 5] = [(4, 4), (8, 16), (32, 64), (128, 256), (512, 1024)];
const B: [(usize, u64); 4] = [(8, 400), (16, 4000), (32, 40000), (64, 400_000)];

fn conjecture() -> Result<Evidence, NoSolution> {
    let decide = |(n, family): (usize, Family)| family.decide().map(|d| (n, d));
    let a: Vec<(usize, Decided)> = A
        .iter()
        .map(|(n, k)| decide((*n, families::a(*n, *k))))
        .collect::<Result<_, _>>()?;
    let b: Vec<(usize, Decided)> = B
        .iter()
        .map(|(n, k)| decide((*n, families::b(*n, *k))))
        .collect::<Result<_, _>>()?;
    let checked = a.iter().chain(&b).map(|(_, d)| d.labels + d.margins).sum();
    let witness =
        grows(&a).and_then(|x| grows(&b).map(|y| format!("family A: {x}; family B: {y}")));
    let mut evidence = Evidence::of(checked, witness).by(Method::Exact);
    for (names, found) in [
        (
            ["a.r_eta", "a.cost", "a.theta_min", "a.theta_max"],
            a.last(),
        ),
        (
            ["b.r_eta", "b.cost", "b.theta_min", "b.theta_max"],
            b.last(),
        ),
    ] {
        let Some((_, d)) = found else { continue };
        let (low, high) = d.cost.clone();
        evidence = evidence
            .with(names[0], d.r_eta as u128)
            .with(names[1], Value::Enclosed(low, high))
            .with(names[2], d.theta.0.clone())
            .with(names[3], d.theta.1.clone());
    }
    Ok(evidence.with("checked", checked))
}

/// The costs in one line, if the rank grows from instance to instance while cost / (r_eta + 1) falls.
fn grows(found: &[(usize, Decided)]) -> Option<String> {
    let share = |d: &Decided| {
        let rank = Rational::from(d.r_eta + 1);
        (d.cost.0.checked_div(&rank), d.cost.1.checked_div(&rank))
    };
    let falls = found.windows(2).all(|pair| {
        let (before, after) = (&pair[0].1, &pair[1].1);
        let least_before = share(before).0;
        before.r_eta < after.r_eta && share(after).1 < least_before
    });
    let rows = found.iter().map(|(_, d)| {
        let cost = Surd::from(d.cost.1.clone()).approx(2);
        format!("r_eta = {} costs about {cost}", d.r_eta)
    });
    falls.then(|| rows.collect::<Vec<_>>().join(", "))
}
