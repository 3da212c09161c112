//! The cluster task on the command line and in files, as a user types it.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn verify(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("verify").unwrap();
    command.args(arguments);
    command
}

/// Exit code and report of a scenario.
fn report(arguments: &[&str]) -> (i32, Value) {
    let mut command = verify(&["scenario", "--format", "json"]);
    let output = command.args(arguments).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.is_empty(), "{text}");
    (
        output.status.code().unwrap(),
        serde_json::from_slice(&output.stdout).unwrap(),
    )
}

fn claim<'a>(report: &'a Value, id: &str) -> &'a Value {
    let claims = report["claims"].as_array().unwrap();
    claims.iter().find(|c| c["id"] == id).unwrap()
}

/// One line on standard error, exit code 2.
fn refused(arguments: &[&str]) -> String {
    let output = verify(arguments).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn a_scenario_reports_thresholds_and_bounds() {
    let (code, found) = report(&[
        "--task",
        "clusters",
        "--C",
        "3",
        "--dormants",
        "4",
        "--delta",
        "5/13",
    ]);
    assert_eq!(code, 0);
    let condition = claim(&found, "thm-7.2.condition-4");
    // sqrt(19) 5 (12 + 3)/(9 169/25 - 36).
    assert_eq!(
        condition["values"]["kappa_star"]["exact"],
        "625/207*sqrt(19)"
    );
    assert_eq!(condition["values"]["r_eff"]["exact"], "9");
    let lower = claim(&found, "thm-D.1.diag.lower");
    assert_eq!(lower["outcome"], "holds");
    assert_eq!(lower["values"]["direct_bound"]["exact"], "3042/25");
}

#[test]
fn an_irrational_lambda_is_exact() {
    let (code, found) = report(&["--C", "1", "--dormants", "2", "--delta", "1/2"]);
    assert_eq!(code, 0);
    let margins = claim(&found, "thm-D.1.sink.margins");
    assert_eq!(margins["values"]["min_margin"]["exact"], "1");
}

#[test]
fn no_kappa_satisfies_4_where_r_eff_is_small() {
    let (code, found) = report(&["--C", "2", "--dormants", "1", "--delta", "1/2"]);
    assert_eq!(code, 0);
    let condition = claim(&found, "thm-7.2.condition-4");
    assert_eq!(condition["values"]["kappa_star"]["exact"], "never");
    assert_eq!(condition["values"]["r_eff"]["exact"], "0");
}

#[test]
fn both_families_are_run_with_one_command_each() {
    for (family, n, k) in [("family-a", "32", "64"), ("family-b", "8", "400")] {
        let (code, found) = report(&["--task", family, "--n", n, "--k", k]);
        assert_eq!(code, 0, "{family}");
        let labels = claim(&found, "thm-D.1.sink.labels");
        assert_eq!(labels["outcome"], "holds");
    }
    let (code, found) = report(&["--task", "family-b", "--n", "8", "--k", "400"]);
    assert_eq!(code, 0);
    let repaired = claim(&found, "conj-7.sink-lower~");
    assert_eq!(repaired["values"]["r_eta"]["exact"], "8");
    assert_eq!(repaired["outcome"], "holds");
    // Too large a delta: the neuron K no longer rests for the idle copy token.
    for (n, k) in [("4", "3"), ("3", "4")] {
        let text = refused(&["scenario", "--task", "family-a", "--n", n, "--k", k]);
        assert!(text.contains("is no sink solution"), "{text}");
    }
}

#[test]
fn coincident_dormants_leave_no_diagonal() {
    for arguments in [
        ["--delta", "0", "--shape", "orthogonal"],
        ["--delta", "1/2", "--shape", "near:0"],
    ] {
        let common = ["--C", "1", "--dormants", "2"];
        let all: Vec<&str> = common.iter().chain(&arguments).copied().collect();
        let (code, found) = report(&all);
        assert_eq!(code, 0);
        for id in [
            "thm-D.1.diag.margins",
            "thm-D.1.diag.lower",
            "thm-D.1.diag.upper",
        ] {
            let claim = claim(&found, id);
            assert_eq!(claim["outcome"], "vacuous", "{id}");
            assert!(
                claim["witness"]
                    .as_str()
                    .unwrap()
                    .contains("d_{1,1} = d_{1,2}")
            );
        }
        assert_eq!(claim(&found, "thm-D.1.sink.labels")["outcome"], "holds");
    }
}

#[test]
fn hypotheses_that_are_not_met_are_named() {
    for (option, value, part) in [
        ("--phi", "1/15", "phi = 1/15, more than 1/20"),
        ("--delta", "3/5", "delta^2 = 9/25, more than 1/4"),
        ("--epsilon", "1/100", "epsilon = 1/100"),
    ] {
        let mut all = vec!["--C", "1", "--dormants", "2", option, value];
        if option != "--delta" {
            all.extend(["--delta", "1/2"]);
        }
        let (_, found) = report(&all);
        let claim = claim(&found, "thm-D.1.sink.upper");
        assert_eq!(claim["outcome"], "vacuous");
        let reason = claim["witness"].as_str().unwrap();
        assert!(reason.contains(part), "{reason}");
    }
}

fn export(folder: &Path, arguments: &[&str]) -> String {
    let out = folder.to_str().unwrap().to_string();
    let mut all = vec!["export", "--out", &out];
    all.extend(arguments);
    verify(&all).assert().success();
    out
}

const SMALL: &[&str] = &[
    "--C",
    "2",
    "--dormants",
    "2,3",
    "--delta",
    "5/13",
    "--phi",
    "1/40",
    "--shape",
    "simplex",
];

#[test]
fn exports_read_back_to_the_same_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    for (pattern, ids) in [
        (
            "sink",
            [
                "thm-D.1.sink.margins",
                "thm-D.1.sink.labels",
                "thm-D.1.sink.upper",
            ],
        ),
        (
            "diagonal",
            [
                "thm-D.1.diag.margins",
                "thm-D.1.diag.labels",
                "thm-D.1.diag.upper",
            ],
        ),
    ] {
        let mut all = SMALL.to_vec();
        all.extend(["--pattern", pattern]);
        let out = export(folder.path(), &all);
        let (code, own) = report(&[&out]);
        let (_, printed) = report(SMALL);
        assert_eq!(code, 0);
        for id in ids {
            for part in ["outcome", "values"] {
                assert_eq!(claim(&own, id)[part], claim(&printed, id)[part], "{id}");
            }
        }
    }
    for family in [
        ["--task", "family-a", "--n", "5"],
        ["--task", "family-b", "--n", "8"],
    ] {
        let out = export(folder.path(), &family);
        let (code, own) = report(&[&out]);
        let (_, direct) = report(&family);
        assert_eq!(code, 0);
        for id in ["thm-D.1.sink.labels", "thm-D.1.sink.upper"] {
            assert_eq!(
                claim(&own, id)["values"],
                claim(&direct, id)["values"],
                "{id}"
            );
        }
    }
}

#[test]
fn a_changed_entry_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (pattern, name, refusing) in [
        ("sink", "qk", "thm-D.1.sink.margins"),
        ("sink", "vo", "thm-D.1.sink.labels"),
        ("sink", "w1", "thm-D.1.sink.labels"),
        ("sink", "w2", "thm-D.1.sink.labels"),
        ("sink", "b1", "thm-D.1.sink.labels"),
        ("sink", "b2", "thm-D.1.sink.labels"),
        ("diagonal", "qk", "thm-D.1.diag.margins"),
        ("diagonal", "vo", "thm-D.1.diag.labels"),
    ] {
        let mut all = SMALL.to_vec();
        all.extend(["--pattern", pattern]);
        let out = export(folder.path(), &all);
        let path = folder.path().join(format!("{name}.json"));
        let mut matrix: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let entries = matrix["entries"].as_array_mut().unwrap();
        // A sign that matters is one of the first entry's.
        let old = entries[0][2].as_str().unwrap().to_string();
        let new = match old.strip_prefix('-') {
            Some(positive) => positive.to_string(),
            None => format!("-{old}"),
        };
        entries[0][2] = Value::from(new);
        fs::write(&path, matrix.to_string()).unwrap();
        let (code, own) = report(&[&out]);
        assert_eq!(code, 1, "{pattern} {name}");
        let claim = claim(&own, refusing);
        assert_eq!(claim["outcome"], "refuted", "{pattern} {name}");
        assert!(!claim["witness"].as_str().unwrap().is_empty());
    }
}

#[test]
fn a_gram_file_of_nuisances_is_a_shape() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gram.json");
    let write = |off: &str| {
        let text = format!(
            r#"{{"rows": 2, "cols": 2, "entries": [[0,0,"1/4"],[1,1,"1/4"],[0,1,"{off}"],[1,0,"{off}"]]}}"#
        );
        fs::write(&path, text).unwrap();
    };
    let shape = path.to_str().unwrap();
    let all = [
        "--C",
        "1",
        "--dormants",
        "2",
        "--delta",
        "1/2",
        "--shape",
        shape,
    ];
    write("1/5");
    let (code, found) = report(&all);
    assert_eq!(code, 0);
    // |d_1 - d_2|^2 = 2 (1/4 - 1/5) = 1/10, so 4/(1/10).
    let lower = claim(&found, "thm-D.1.diag.lower");
    assert_eq!(lower["values"]["direct_bound"]["exact"], "40");
    write("1/3");
    let mut command = vec!["scenario"];
    command.extend(all);
    assert!(refused(&command).contains("no vectors have this Gram matrix"));
}

#[test]
fn a_gram_file_of_s_is_a_coherence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.json");
    let write = |x: &str| {
        let off = format!(r#"[1,2,"{x}"],[2,1,"{x}"],[0,1,"-1/50"],[1,0,"-1/50"]"#);
        let text = format!(
            r#"{{"rows": 3, "cols": 3, "entries": [[0,0,"1"],[1,1,"1"],[2,2,"1"],{off}]}}"#
        );
        fs::write(&path, text).unwrap();
    };
    let s = path.to_str().unwrap();
    let all = [
        "--C",
        "1",
        "--dormants",
        "2",
        "--delta",
        "5/13",
        "--coherence",
        s,
    ];
    write("1/30");
    let (code, found) = report(&all);
    assert_eq!(code, 0);
    assert!(found["place"].as_str().unwrap().contains("phi = 1/30"));
    // It is exported under no name, and reads back.
    let out = export(&folder.path().join("out"), &all);
    let (code, own) = report(&[&out]);
    assert_eq!(code, 0);
    assert_eq!(
        claim(&own, "thm-D.1.sink.upper")["values"],
        claim(&found, "thm-D.1.sink.upper")["values"]
    );
    let mut command = vec!["scenario"];
    command.extend(all);
    command.extend(["--phi", "1/40"]);
    assert!(refused(&command).contains("coherence 1/30 is more than phi = 1/40"));
    write("1");
    command.truncate(command.len() - 2);
    assert!(refused(&command).contains("no vectors have this Gram matrix"));
}

#[test]
fn given_orders_say_which_pairs_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scenario.toml");
    let file = path.to_str().unwrap();
    let write = |orders: &str| {
        let text = format!(
            "task = \"clusters\"\ndormants = [3]\ndelta = \"1/2\"\nshape = \"near:1/100\"\norders = {orders}\n"
        );
        fs::write(&path, text).unwrap();
    };
    // Only the far pair (1, 3) occurs in both orders; (2, 1) in one: it counts in Delta, not in Sigma_D.
    write("[[1, 1, 3], [1, 3, 1], [1, 2, 1]]");
    let (code, found) = report(&[file]);
    assert_eq!(code, 0);
    assert_eq!(
        claim(&found, "thm-7.2.condition-4")["values"]["r_eff"]["exact"],
        "1"
    );
    let bound = claim(&found, "thm-D.1.diag.upper")["values"]["bound"]["exact"].to_string();
    // 13 + 4 r_eta/Delta with Delta = 2/400.
    assert!(bound.contains("2413 kappa/sqrt d"), "{bound}");
    write("[[1, 1, 1]]");
    assert!(refused(&["scenario", file]).contains("order [1, 1, 1]"));
    write("\"some\"");
    assert!(refused(&["scenario", file]).contains("orders \"some\""));
}

#[test]
fn wrong_options_are_refused_in_one_line() {
    for (options, part) in [
        ("--C 2 --delta 1/2", "--dormants is missing"),
        ("--dormants 2 --delta 1/2", "--C is missing"),
        ("--C 2 --dormants 2", "--delta is missing"),
        ("--C 2 --dormants 1,2,3 --delta 1/2", "C = 2, but 3 groups"),
        ("--C 2 --dormants 0 --delta 1/2", "group 1 has no dormant"),
        ("--C 0 --dormants 1 --delta 1/2", "C = 0"),
        ("--C 2 --dormants 1 --delta 1", "delta^2 = 1"),
        ("--C 2 --dormants 1 --delta -1/2", "0 <= delta < 1"),
        ("--C 2 --dormants 1 --delta 1/2 --epsilon 2", "epsilon = 2"),
        ("--C 2 --dormants 1 --delta 1/2 --phi -1", "phi = -1"),
        (
            "--C 4 --dormants 1 --delta 1/2 --phi 1/2 --coherence negative",
            "no vectors have this Gram matrix",
        ),
        (
            "--C 2 --dormants 1 --delta 1/2 --shape round",
            "shape \"round\"",
        ),
        ("--C 2 --dormants 1 --delta 1/2 --shape near:3", "near:3"),
        (
            "--C 2 --dormants 1 --delta 1/2 --coherence odd",
            "pattern \"odd\"",
        ),
        (
            "--C 2 --dormants 1 --delta 1/2 --orders none",
            "orders \"none\"",
        ),
        ("--C 2 --dormants 1 --delta 1/2 --d 5", "d = 5"),
        (
            "--C 2 --dormants 1 --delta 1/2 --T 4",
            "--T does not go with",
        ),
        ("--C 99 --dormants 99 --delta 1/2", "at most 4096"),
        (
            "--C 1 --dormants 1 --delta 1/2 --claim thm-7.1~",
            "is about the backcopy task",
        ),
    ] {
        let mut all = vec!["scenario", "--task", "clusters"];
        all.extend(options.split(' '));
        let text = refused(&all);
        assert!(text.contains(part), "{options}: {text}");
    }
    let all = "scenario --task backcopy --T 2 --C 1 --D 1 --phi 0";
    let text = refused(&all.split(' ').collect::<Vec<_>>());
    assert!(text.contains("--phi does not go with"), "{text}");
}

/// Writes one entry more into an exported matrix, whose shape may grow.
fn extended(path: &Path, rows: usize, cols: usize, entries: &[(usize, usize, &str)]) {
    let mut matrix: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    matrix["rows"] = rows.into();
    matrix["cols"] = cols.into();
    let list = matrix["entries"].as_array_mut().unwrap();
    list.extend(entries.iter().map(|(i, j, x)| serde_json::json!([i, j, x])));
    fs::write(path, matrix.to_string()).unwrap();
}

#[test]
fn labels_after_more_dormants_than_were_tried_are_not_taken_for_granted() {
    let folder = tempfile::tempdir().unwrap();
    let out = export(
        folder.path(),
        &["--C", "1", "--dormants", "4", "--delta", "1/2"],
    );
    // Frame: b, dbar, c, g_1..g_4; the printed MLP has 5 units. One more reads the state along dbar.
    let file = |name: &str| folder.path().join(name);
    extended(&file("w1.json"), 6, 7, &[(5, 1, "1")]);
    extended(&file("w2.json"), 7, 6, &[(0, 5, "1")]);
    extended(&file("b1.json"), 6, 1, &[(5, 0, "-2/5")]);
    let (code, own) = report(&[&out]);
    // A dormant's own normalised state has dbar = sqrt(3)/2: the unit fires at once.
    assert_eq!(code, 1);
    assert_eq!(claim(&own, "thm-D.1.sink.labels")["outcome"], "refuted");
    // With a bias that no state here passes it never fires; that this is so after any number of dormants is not decided.
    let text = fs::read_to_string(file("b1.json")).unwrap();
    fs::write(file("b1.json"), text.replace("\"-2/5\"", "\"-99/100\"")).unwrap();
    let (code, own) = report(&[&out]);
    assert_eq!(code, 3);
    let labels = claim(&own, "thm-D.1.sink.labels");
    assert_eq!(labels["outcome"], "unknown");
    let reason = labels["witness"].as_str().unwrap();
    assert!(
        reason.contains("multisets of more than 3 dormants"),
        "{reason}"
    );
    // Where the data has no more, they are.
    let scenario = fs::read_to_string(file("scenario.toml")).unwrap();
    fs::write(
        file("scenario.toml"),
        format!("most_copied = 2\n{scenario}"),
    )
    .unwrap();
    let (code, own) = report(&[&out]);
    assert_eq!(code, 0);
    assert_eq!(claim(&own, "thm-D.1.sink.labels")["outcome"], "holds");
}

#[test]
fn a_selected_claim_is_worth_no_more_than_what_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let out = export(folder.path(), SMALL);
    let w2 = folder.path().join("w2.json");
    let mut matrix: Value = serde_json::from_str(&fs::read_to_string(&w2).unwrap()).unwrap();
    matrix["entries"] = serde_json::json!([]);
    fs::write(&w2, matrix.to_string()).unwrap();
    let output = verify(&["scenario", &out, "--claim", "thm-D.1.sink.upper"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("it needs thm-D.1.sink.labels"), "{text}");
    let output = verify(&["scenario", &out, "--claim", "thm-D.1.sink.margins"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(!text.contains("Accepted"), "{text}");
}

#[test]
fn data_without_copies_leaves_the_copy_claims_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scenario.toml");
    fs::write(
        &path,
        "task = \"clusters\"\nC = 2\ndormants = 2\ndelta = \"1/2\"\nmost_copied = 0\n",
    )
    .unwrap();
    let (code, found) = report(&[path.to_str().unwrap()]);
    assert_eq!(code, 0);
    for id in ["thm-D.1.theta", "thm-D.1.sink.lower", "thm-D.1.copy-cost~"] {
        assert_eq!(claim(&found, id)["outcome"], "vacuous", "{id}");
    }
    assert_eq!(claim(&found, "thm-D.1.weighted~")["outcome"], "holds");
}
