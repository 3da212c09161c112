//! The kill table: each change of eqs. (7) to (10) is refused by a claim, or stands in the short list with its reason.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use std::fmt::Write;
use verify::kill::{Fate, table};

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
    let rows = table().unwrap();
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
    insta::with_settings!({snapshot_path => "../snapshots", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!("kill_table", text);
    });
}
