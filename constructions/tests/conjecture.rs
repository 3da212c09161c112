//! Families.
#![allow(clippy::unwrap_used)]
use constructions::cluster::{build::Pattern, families, labels, margins};
#[test]
fn t() {
    for f in [families::a(512, 1024), families::b(64, 400_000)] {
        let now = std::time::Instant::now();
        let (task, build) = f.solution().unwrap();
        println!("{} build {:?}", f.name, now.elapsed());
        let m = margins::check(&build, &task, Pattern::Sink);
        println!("{:?} {:?} {}", m.least, m.failing, m.checked);
        println!("margins {:?}", now.elapsed());
        let l = labels::check(&build, &task, Pattern::Sink, None);
        println!("{:?} {:?} {} {}", l.failing, l.undecided, l.checked, l.size);
        println!("labels {:?}", now.elapsed());
    }
}
