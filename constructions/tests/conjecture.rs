//! Families A and B are sink solutions, and any change of a number makes them none.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use constructions::cluster::build::{Build, Pattern};
use constructions::cluster::families::{self, Family};
use constructions::cluster::labels::{self, Labels};
use constructions::cluster::margins::{self, Margins};
use constructions::cluster::reading::apply;
use constructions::cluster::task::Task;
use exact::{Rational, Surd, ratio};

const SINK: Pattern = Pattern::Sink;

/// What the checks find; the reason if it is no solution.
fn decide(family: &Family) -> Result<(Task, Build, Margins, Labels), String> {
    let (task, build) = family.solution().map_err(|e| e.to_string())?;
    let margins = margins::check(&build, &task, SINK);
    if let Some(reason) = margins.failing {
        return Err(reason);
    }
    let labels = labels::check(&build, &task, SINK, None);
    match labels.failing.clone().or(labels.undecided.clone()) {
        Some(reason) => Err(reason),
        None => Ok((task, build, margins, labels)),
    }
}

/// The reason why it is no solution.
fn refused(family: &Family) -> String {
    decide(family).map(|_| "it is one").unwrap_err()
}

fn exactly(x: Rational) -> Option<(Rational, Rational)> {
    Some((x.clone(), x))
}

/// Labels: b, the idle copy token, every dormant, the copy token after each. Margins: BOS over c and n dormants at each dormant,
/// each dormant over BOS and c at c, BOS over c at c; n - 1 equalities, n nuisances that are not read.
fn counts(n: usize, margins: &Margins, labels: &Labels) {
    assert_eq!((labels.checked, labels.size), (2 + 2 * n as u128, 1));
    let dormants = n * (n + 1);
    let copies = 2 * n + 1;
    let expected = dormants + copies + (n - 1) + n;
    assert_eq!(margins.checked, expected as u128);
    assert_eq!(margins.least, Some(Surd::one()));
}

#[test]
fn family_a_is_a_solution_at_every_rank() {
    for (n, k) in [(4, 4), (8, 16), (32, 64), (128, 256)] {
        let (task, build, margins, labels) = decide(&families::a(n, k)).unwrap();
        assert_eq!(task.geometry.r_eta(), n);
        assert_eq!((task.groups(), &task.epsilon), (1, &ratio(1, 4)));
        assert_eq!(task.phi, ratio(0, 1));
        counts(n, &margins, &labels);
        // theta = 1/n + 12/13, phi = 1.
        let theta = Rational::from(n).recip().unwrap() + ratio(12, 13);
        assert_eq!(labels.phi.least, exactly(ratio(1, 1)));
        assert_eq!(labels.phi.greatest, exactly(ratio(1, 1)));
        assert_eq!(labels.theta.least, exactly(theta.clone()));
        assert_eq!(labels.theta.greatest, exactly(theta));
        // BOS has the value -lambda dbar.
        let value = apply(&build.vo, &task.tokens()[0].1);
        assert_eq!(value, vec![(1, -task.lambda.clone())]);
    }
}

#[test]
fn family_b_is_a_solution_at_every_rank() {
    for (n, k) in [(6, 400), (8, 400), (16, 4000), (32, 40_000)] {
        let (task, build, margins, labels) = decide(&families::b(n, k)).unwrap();
        assert_eq!(task.geometry.r_eta(), n);
        assert_eq!(task.phi, ratio(0, 1));
        counts(n, &margins, &labels);
        assert_eq!(labels.phi.least, exactly(ratio(3, 4)));
        assert_eq!(labels.phi.greatest, exactly(ratio(3, 4)));
        // theta = s (1 + 3/4/R), which for tiny tau is near 0.7777.
        let (least, greatest) = (labels.theta.least.unwrap(), labels.theta.greatest.unwrap());
        assert_eq!(least, greatest);
        assert!(
            (least.0.to_f64() - 0.7777).abs() < 2e-3,
            "{}",
            least.0.to_f64()
        );
        // Here BOS has no value.
        assert!(apply(&build.vo, &task.tokens()[0].1).is_empty());
    }
}

#[test]
fn parameters_out_of_range_give_no_solution() {
    // k = 3: lambda = 4/5 < 5/6, so K is active for the idle copy token.
    let reason = refused(&families::a(4, 3));
    assert!(reason.contains("the output is not the label"), "{reason}");
    // Three points of a circle are too far apart for the neurons of family B.
    let reason = refused(&families::b(3, 400));
    assert!(reason.contains("the output is not the label"), "{reason}");
    assert!(decide(&families::a(4, 4)).is_ok());
    assert!(decide(&families::b(6, 400)).is_ok());
}

#[test]
fn more_than_one_dormant_before_a_copy_token_is_too_much() {
    for family in [families::a(4, 8), families::b(8, 400)] {
        let (mut task, build) = family.solution().unwrap();
        assert_eq!(task.data.most, Some(1));
        task.data.most = Some(2);
        let found = labels::check(&build, &task, SINK, None);
        let failing = found.failing.or(found.undecided).unwrap();
        assert!(
            failing.starts_with("c_1 after d_{1,1}, d_{1,2}"),
            "{failing}"
        );
    }
}

/// Every number of a family, changed by a hundredth, with the place it stands at.
fn changes(family: &Family) -> Vec<(String, Family)> {
    let factor = ratio(101, 100);
    let mut all = Vec::new();
    let mut add = |place: String, edit: &dyn Fn(&mut Family)| {
        let mut changed = family.clone();
        edit(&mut changed);
        all.push((place, changed));
    };
    for i in 0..family.vo.len() {
        for l in 0..family.vo[i].0.len() {
            add(format!("vo {i} output {l}"), &|f| f.vo[i].0[l].1 *= &factor);
        }
        for l in 0..family.vo[i].1.len() {
            add(format!("vo {i} input {l}"), &|f| f.vo[i].1[l].1 *= &factor);
        }
        add(format!("vo {i} dropped"), &|f| drop(f.vo.remove(i)));
    }
    for i in 0..family.neurons.len() {
        for l in 0..family.neurons[i].reads.len() {
            add(format!("neuron {i} reads {l}"), &|f| {
                f.neurons[i].reads[l].1 *= &factor
            });
        }
        for l in 0..family.neurons[i].writes.len() {
            add(format!("neuron {i} writes {l}"), &|f| {
                f.neurons[i].writes[l].1 *= &factor
            });
        }
        add(format!("neuron {i} bias"), &|f| {
            f.neurons[i].bias += &ratio(1, 100)
        });
        add(format!("neuron {i} dropped"), &|f| {
            drop(f.neurons.remove(i))
        });
    }
    for l in 0..family.output_bias.len() {
        add(format!("output bias {l}"), &|f| {
            f.output_bias[l].1 *= &factor
        });
    }
    for i in 0..family.nuisances.len() {
        for l in 0..family.nuisances[i].len() {
            add(format!("nuisance {i} entry {l}"), &|f| {
                f.nuisances[i][l].1 *= &factor
            });
        }
    }
    for i in 0..family.special.len() {
        add(format!("special {i}"), &|f| f.special[i][0].1 *= &factor);
    }
    for i in 0..family.qk.len() {
        add(format!("qk {i} dropped"), &|f| drop(f.qk.remove(i)));
        for l in 0..family.qk[i].0.len() {
            add(format!("qk {i} query {l} smaller"), &|f| {
                f.qk[i].0[l].1 *= ratio(99, 100);
            });
        }
        for l in 0..family.qk[i].1.len() {
            add(format!("qk {i} key {l} smaller"), &|f| {
                f.qk[i].1[l].1 *= ratio(99, 100);
            });
        }
    }
    all
}

#[test]
fn every_changed_number_is_refused() {
    let mut harmless = Vec::new();
    let mut tried = 0;
    for family in [families::a(4, 8), families::b(6, 40)] {
        for (place, changed) in changes(&family) {
            tried += 1;
            if decide(&changed).is_ok() {
                harmless.push(format!("{}: {place}", family.name));
            }
        }
    }
    assert!(tried > 150, "{tried}");
    // What A and K read of dbar only has to clip them: in their active states dbar is absent.
    assert_eq!(
        harmless,
        [
            "family A, n = 4, k = 8: neuron 0 reads 0",
            "family A, n = 4, k = 8: neuron 1 reads 0",
        ]
    );
}
