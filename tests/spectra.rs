//! The float path agrees with the exact enclosures, and says that it decides nothing.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use assert_cmd::Command;
use constructions::cluster::build::Pattern;
use verify::cluster::floats::spectra;
use verify::frame_norm::bounds;
use verify::grid::Grid;
use verify::nuclear::Norm;
use verify::place::Place;

fn near(float: f64, exact: &Norm) -> bool {
    let (low, high) = bounds(exact);
    let slack = 1e-9 * (1.0 + float.abs());
    low.to_f64() - slack <= float && float <= high.to_f64() + slack
}

#[test]
fn floats_lie_in_the_enclosures() {
    let grid = Grid::parse(include_str!("../scenarios/quick.toml")).unwrap();
    let mut compared = 0;
    for spec in grid.cells() {
        let Place::Clusters(cell) = spec.place().unwrap() else {
            continue;
        };
        let found = spectra(&cell).unwrap();
        assert!(
            near(found.r_eff, &cell.effective().rank().unwrap()),
            "{spec}"
        );
        let mut blocks = vec![(Pattern::Sink, &found.sink)];
        blocks.extend(found.diagonal.iter().map(|b| (Pattern::Diagonal, b)));
        for (pattern, block) in blocks {
            let cost = cell.cost(pattern).unwrap();
            assert!(near(block.nuclear, &cost.qk), "{spec} {pattern:?}");
            assert!(near(block.rest, &cost.rest()), "{spec} {pattern:?}");
            assert!(block.operator <= block.nuclear + 1e-9);
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn the_table_says_that_nothing_is_decided() {
    let run = Command::cargo_bin("verify")
        .unwrap()
        .args(["spectra", "--grid", "quick"])
        .assert()
        .success();
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert!(text.starts_with("# floats, for plots: nothing is decided by them\n"));
    let columns = |line: &str| line.rsplit('"').next().unwrap().matches(',').count();
    assert!(
        text.lines().skip(2).all(|line| columns(line) == 9),
        "{text}"
    );
    assert!(text.lines().count() > 40);
}
