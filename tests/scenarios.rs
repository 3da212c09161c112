//! The example scenarios: what holds holds, what is broken is refused with the value, the rule and the place.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use assert_cmd::Command;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../scenarios")
        .join(name)
}

fn verify() -> Command {
    Command::cargo_bin("verify").unwrap()
}

/// The verdicts of `verify scenario` with these arguments, and the exit code.
fn run(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> (Vec<(String, String)>, i32) {
    let output = verify()
        .arg("scenario")
        .args(arguments)
        .args(["--format", "json"])
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |c: &Value, name: &str| c[name].as_str().unwrap().to_string();
    let claims = report["claims"].as_array().unwrap();
    let verdicts = claims
        .iter()
        .map(|c| (text(c, "id"), text(c, "outcome")))
        .collect();
    (verdicts, output.status.code().unwrap())
}

fn outcome(verdicts: &[(String, String)], id: &str) -> String {
    verdicts.iter().find(|(i, _)| i == id).unwrap().1.clone()
}

#[test]
fn good_examples_hold() {
    for name in ["printed", "mended", "first-position", "rotated"] {
        let (verdicts, code) = run([folder("examples").join(name).join("scenario.toml")]);
        assert_eq!(code, 0, "{name}");
        assert_eq!(
            outcome(&verdicts, "thm-7.1.sink.margins"),
            "holds",
            "{name}"
        );
    }
    let (verdicts, _) = run([folder("examples/first-position/scenario.toml")]);
    assert_eq!(outcome(&verdicts, "thm-7.1.sink.first-position"), "holds");
    let (verdicts, _) = run([folder("examples/rotated/scenario.toml")]);
    assert_eq!(outcome(&verdicts, "thm-7.1.sink.labels-any-basis"), "holds");
}

#[test]
fn good_cluster_examples_hold() {
    for (name, claim) in [
        ("clusters-sink", "thm-D.1.sink.labels"),
        ("clusters-diagonal", "thm-D.1.diag.labels"),
        ("family-a", "thm-D.1.sink.labels"),
        ("family-b", "thm-D.1.sink.labels"),
    ] {
        let (verdicts, code) = run([folder("examples").join(name)]);
        assert_eq!(code, 0, "{name}");
        assert_eq!(outcome(&verdicts, claim), "holds", "{name}");
    }
}

#[test]
fn the_flipped_sign_is_refuted_with_a_reason() {
    let file = folder("examples/flipped-sign/scenario.toml");
    let (verdicts, code) = run([&file]);
    assert_eq!(code, 1);
    assert_eq!(outcome(&verdicts, "thm-7.1.sink.margins"), "refuted");
    let output = verify().arg("scenario").arg(&file).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains(
            "query dormant x(2,2): key BOS has logit 0, key copy x(1,1) has 1: the margin is -1"
        ),
        "{text}"
    );
    assert!(text.contains("REFUSED: thm-7.1.sink.margins"), "{text}");
}

/// What the one line about each broken file must contain.
const BROKEN: &[(&str, &str)] = &[
    ("clusters-bias", "b1 and b2 need w1 and w2"),
    (
        "clusters-counts",
        "clusters-counts.toml: C = 3, but 2 groups",
    ),
    ("clusters-delta", "clusters-delta.toml: delta^2 = 1"),
    ("clusters-gram", "entries [0, 1] and [1, 0] differ"),
    ("clusters-irrational", "its square must be rational"),
    (
        "clusters-length",
        "the nuisance of d_{1,1} has square 1/9, 1/4 is needed",
    ),
    ("clusters-narrow", "the vectors need 9 dimensions"),
    ("clusters-no-pattern", "pattern is missing"),
    (
        "clusters-oblique",
        "nuisance 1 has inner product 1/10 with vector 2 of S",
    ),
    ("clusters-order", "order [1, 2, 3]"),
    ("clusters-pattern", "pattern = \"both\""),
    ("clusters-task", "it is backcopy, clusters or oversmoothing"),
    ("clusters-vectors-and-phi", "vectors are given"),
    ("half-mlp", "w1 and w2 come together"),
    ("huge-matrix", "1000000000000 rows, 5 are needed"),
    ("kappa-word", "\"ten\" is not an exact number"),
    ("kappa-zero", "kappa must be positive"),
    ("missing-file", "nowhere.json: No such file"),
    ("narrow", "d = 6: the 7 orthonormal vectors"),
    (
        "not-orthonormal",
        "columns 2 (h_2) and 4 (p_1) have inner product 1/2, not 0",
    ),
    ("out-of-range", "entry [5, 2] is outside the 5 x 5 matrix"),
    (
        "oversmoothing-asymmetric",
        "Sigma_V is not symmetric: entries [0, 1] = 1/2 and [1, 0] = 0",
    ),
    (
        "oversmoothing-float",
        "zbar[0] = 0.1: exact numbers are written in quotes",
    ),
    (
        "oversmoothing-lambda",
        "lambda = 3/2: it is between 0 and 1",
    ),
    ("oversmoothing-length", "T = 1: at least 2 tokens"),
    ("oversmoothing-missing", "missing field `W`"),
    (
        "oversmoothing-moments",
        "Sigma_V + (T-1) Sigma_C is not positive semidefinite",
    ),
    (
        "oversmoothing-ragged",
        "W: row 2 has 1 entries, row 1 has 2",
    ),
    ("oversmoothing-shape", "W is 1x2"),
    ("reading", "reading \"M\""),
    ("repeated-entry", "entry [0, 2] is given twice"),
    ("too-large", "T = 2000000"),
    ("truncated", "truncated.json: EOF"),
    ("unknown-key", "line 4: unknown field `width`"),
    (
        "wrong-shape",
        "four-by-four.json: it has 4 rows, 5 are needed",
    ),
    ("zero-denominator", "its denominator is zero"),
    ("zero-length", "T = 0"),
];

#[test]
fn broken_examples_are_refused_in_one_line() {
    let mut files: Vec<String> = fs::read_dir(folder("broken"))
        .unwrap()
        .map(|f| f.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .map(|p| p.file_stem().unwrap().to_str().unwrap().to_string())
        .collect();
    files.sort();
    let listed: Vec<&str> = BROKEN.iter().map(|(name, _)| *name).collect();
    assert_eq!(files, listed);
    for (name, reason) in BROKEN {
        let file = folder("broken").join(format!("{name}.toml"));
        let output = verify().arg("scenario").arg(file).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {message}");
        assert!(output.stdout.is_empty(), "{name}");
        assert_eq!(message.lines().count(), 1, "{name}: {message}");
        assert!(message.contains(reason), "{name}: {message}");
    }
}

/// Exports a construction, reads it back, and compares the verdicts with those of the construction itself.
fn reads_back(place: &[&str], mended: bool) {
    let folder = tempfile::tempdir().unwrap();
    let mut export = verify();
    export
        .arg("export")
        .args(place)
        .arg("--out")
        .arg(folder.path());
    if mended {
        export.arg("--mended");
    }
    export.assert().success();
    let (again, code) = run([folder.path().join("scenario.toml")]);
    if mended {
        assert_eq!(code, 0, "{place:?}");
        return;
    }
    let (once, _) = run(place);
    assert!(!once.is_empty());
    for (id, expected) in once {
        assert_eq!(outcome(&again, &id), expected, "{place:?} {id}");
    }
}

#[test]
fn exports_read_back_with_the_same_verdicts() {
    for reading in ["A", "B", "L"] {
        for basis in ["standard", "rotated:5"] {
            let place = [
                "--T",
                "3",
                "--C",
                "2",
                "--D",
                "1",
                "--d",
                "9",
                "--reading",
                reading,
                "--basis",
                basis,
                "--kappa",
                "7/2",
            ];
            reads_back(&place, false);
            reads_back(&place, true);
        }
    }
}

#[test]
fn a_value_map_dearer_than_the_printed_one_is_refused() {
    // q_5 is no token's, so labels do not see what happens there; the cost does.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scenario.toml");
    for (entry, code) in [("1", 0), ("2", 1)] {
        let vo = format!(
            r#"{{"rows":6,"cols":6,"entries":[[1,1,"1"],[2,2,"1"],[4,4,"1"],[5,5,"{entry}"]]}}"#
        );
        fs::write(folder.path().join("vo.json"), vo).unwrap();
        fs::write(&file, "T = 1\nC = 1\nD = 1\nd = 6\nvo = \"vo.json\"\n").unwrap();
        let (verdicts, found) = run([&file]);
        assert_eq!(outcome(&verdicts, "thm-7.1.sink.labels"), "holds");
        assert_eq!(outcome(&verdicts, "thm-7.1.sink.cost.vo"), "refuted");
        assert_eq!(found, code);
    }
}
