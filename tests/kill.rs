//! The kill tables: each change of a printed definition or constant is refused by a claim, or stands in a short list with its reason.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use std::fmt::Write;
use verify::kill::{self, Fate, Row};

const NO_POSITION: &str = "p_{T+1} does not exist";
const NO_UNIT: &str = "that token has no hidden unit";
const SYMMETRIC: &str = "their sum is symmetric";

/// Changes that leave the matrix what it was.
const SAME: &[(&str, &str, &str)] = &[
    ("(7)", "term 2: sum over 1..T", NO_POSITION),
    ("(7)", "h_0 and p_0 exchanged", SYMMETRIC),
    ("(8)", "h_0 and p_0 exchanged", "both are removed"),
    ("(9)", "term 2: sum over 1..T + 1", NO_POSITION),
    ("(10)", "term 2: sum over 1..T + 1", NO_POSITION),
    ("(9)~", "term 1: sum over V", NO_UNIT),
    ("(9)~", "term 2: sum over 0..T", NO_UNIT),
    ("(9)~", "term 2: sum over 1..T + 1", NO_UNIT),
    ("(10)~", "term 1: sum over V", NO_UNIT),
    ("(10)~", "term 2: sum over 0..T", NO_UNIT),
    ("(10)~", "term 2: sum over 1..T + 1", NO_UNIT),
    ("(7) L", "term 2: sum over 1..T", NO_POSITION),
    ("(7) L", "h_0 and p_0 exchanged", SYMMETRIC),
    ("(9) L", "term 1: sum over V", NO_UNIT),
    ("(9) L", "term 2: sum over 0..T", NO_UNIT),
    ("(9) L", "term 2: sum over 1..T + 1", NO_UNIT),
    ("(9) L", "term 3: sum over V", NO_UNIT),
    ("(9) L", "term 4: sum over 0..T", NO_UNIT),
    ("(9) L", "term 4: sum over 1..T + 1", NO_UNIT),
    ("(10) L", "term 1: sum over V", NO_UNIT),
    ("(10) L", "term 2: sum over 0..T", NO_UNIT),
    ("(10) L", "term 2: sum over 1..T + 1", NO_UNIT),
    ("(10) L", "h_0 and p_0 exchanged", SYMMETRIC),
];

/// Changes with which every margin and label still holds, at no more cost.
const HARMLESS: &[(&str, &str, &str)] = &[
    (
        "(9)",
        "term 1: sum over V",
        "units that read copy tokens are killed by these very tokens; |W_1|_F^2 falls by 3C",
    ),
    (
        "(9)",
        "term 3 halved",
        "a kill of 1 is enough, cheaper than the printed 2",
    ),
];

#[test]
fn every_change_of_the_printed_equations_is_refused_or_harmless() {
    let rows = kill::backcopy().unwrap();
    assert!(rows.len() > 100, "{} mutations", rows.len());
    let of = |fate: &Fate| -> Vec<(&str, &str)> {
        rows.iter()
            .filter(|r| r.fate == *fate)
            .map(|r| (r.equation, r.change.as_str()))
            .collect()
    };
    let listed = |list: &'static [(&str, &str, &str)]| -> Vec<(&str, &str)> {
        list.iter().map(|(e, c, _)| (*e, *c)).collect()
    };
    assert_eq!(of(&Fate::Same), listed(SAME));
    assert_eq!(of(&Fate::Passes), listed(HARMLESS));
    let mut text = String::new();
    for row in &rows {
        let fate = match &row.fate {
            Fate::Refused(claim, _) => (*claim).to_string(),
            Fate::Undecided(claim) => panic!("{} {}: {claim} undecided", row.equation, row.change),
            Fate::Same | Fate::Passes => {
                let known = SAME.iter().chain(HARMLESS);
                let reason =
                    |(e, c, _): &&(&str, &str, &str)| *e == row.equation && *c == row.change;
                format!("harmless: {}", known.into_iter().find(reason).unwrap().2)
            }
        };
        writeln!(text, "{:<5} {:<36} {fate}", row.equation, row.change).unwrap();
    }
    snapshot("kill_table", &text);
}

fn snapshot(name: &str, text: &str) {
    insta::with_settings!({snapshot_path => "../snapshots", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!(name, text);
    });
}

fn lines(rows: &[Row], harmless: &dyn Fn(&Row) -> &'static str) -> String {
    let mut text = String::new();
    for row in rows {
        let fate = match &row.fate {
            Fate::Refused(claim, _) => (*claim).to_string(),
            Fate::Undecided(claim) => format!("undecided: {claim}"),
            Fate::Same | Fate::Passes => format!("harmless: {}", harmless(row)),
        };
        writeln!(text, "{:<13} {:<40} {fate}", row.equation, row.change).unwrap();
    }
    text
}

#[test]
fn every_change_of_the_cluster_builds_is_refused() {
    let rows = kill::clusters().unwrap();
    assert!(rows.len() > 200, "{} mutations", rows.len());
    for row in &rows {
        let outside = [": sum over 0..C", ": sum over 1..C + 1"];
        let same = outside.iter().any(|end| row.change.ends_with(end));
        let place = format!("{} {} ({})", row.equation, row.change, row.formula);
        match &row.fate {
            Fate::Same => assert!(same, "{place} changes nothing"),
            Fate::Refused(_, reason) => assert!(!same && !reason.is_empty(), "{place}"),
            other => panic!("{place}: {other:?}"),
        }
    }
    snapshot(
        "kill_table_clusters",
        &lines(&rows, &|_| "there is no such group"),
    );
}

#[test]
fn every_constant_of_theorem_d_1_can_be_made_too_tight() {
    let rows = kill::constants().unwrap();
    for constant in [
        "12",
        "5",
        "13",
        "4",
        "3",
        "1/2",
        "1 of r_eff/delta^2",
        "7/6",
    ] {
        let of = rows
            .iter()
            .filter(|r| r.change.starts_with(&format!("{constant} times")));
        let fates: Vec<bool> = of.map(|r| matches!(r.fate, Fate::Refused(..))).collect();
        assert_eq!(fates.len(), 4, "{constant}");
        // The tightest is refused, and what is refused stays so when made tighter.
        assert!(
            fates[3] && fates.windows(2).all(|w| w[0] <= w[1]),
            "{constant}: {fates:?}"
        );
    }
    snapshot(
        "kill_table_constants",
        &lines(&rows, &|_| "the bound has room"),
    );
}
