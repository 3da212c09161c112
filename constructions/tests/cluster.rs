//! The cluster task and the builds of Theorem D.1.
#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use constructions::cluster::build::{Build, Pattern};
use constructions::cluster::shapes::{Coherence, Shape};
use constructions::cluster::task::{Data, Task};
use constructions::cluster::{labels, margins, theta};
use exact::{Rational, ratio};

fn task(dormants: Vec<usize>, delta2: Rational, phi: Rational, shape: Shape) -> Task {
    Task::new(
        dormants,
        delta2,
        ratio(1, 20),
        (phi, Coherence::Negative),
        &shape,
        Data::default(),
    )
    .unwrap()
}

#[test]
fn t() {
    for (task, name) in [
        (
            task(vec![2, 3], ratio(25, 169), ratio(1, 20), Shape::Simplex),
            "a",
        ),
        (
            task(vec![2, 3], ratio(1, 4), ratio(1, 20), Shape::Orthogonal),
            "b",
        ),
        (
            task(
                vec![20; 10],
                ratio(25, 169),
                ratio(0, 20),
                Shape::Orthogonal,
            ),
            "c",
        ),
        (
            task(vec![20; 10], ratio(1, 4), ratio(1, 80), Shape::Simplex),
            "d",
        ),
    ] {
        for pattern in [Pattern::Sink, Pattern::Diagonal] {
            let now = std::time::Instant::now();
            let build = Build::printed(&task, pattern);
            println!("{name} build {:?}", now.elapsed());
            let m = margins::check(&build, &task, pattern);
            println!("{:?} {:?} {}", m.least, m.failing, m.checked);
            println!("margins {:?}", now.elapsed());
            let l = labels::check(&build, &task, pattern, None);
            println!(
                "{:?} {:?} {} {} {:?} {:?}",
                l.failing,
                l.undecided,
                l.checked,
                l.size,
                l.phi.least.map(|x| x.0.to_f64()),
                l.theta.least.map(|x| x.0.to_f64())
            );
            println!("labels {:?}", now.elapsed());
            let r = theta::ranges(&build, &task).unwrap();
            println!("{:?}", r[0].least.enclosure(20).0.to_f64());
        }
    }
}
