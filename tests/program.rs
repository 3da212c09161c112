//! The whole program, as a user types it.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use assert_cmd::Command;
use std::fs;

fn verify(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("verify").unwrap();
    command.args(arguments);
    command
}

fn outcome(json: &[u8], id: &str) -> String {
    let report: serde_json::Value = serde_json::from_slice(json).unwrap();
    let claims = report["claims"].as_array().unwrap();
    let claim = claims.iter().find(|c| c["id"] == id).unwrap();
    claim["outcome"].as_str().unwrap().to_string()
}

#[test]
fn the_quick_grid_is_as_pinned() {
    verify(&["all", "--grid", "quick", "--quiet"])
        .assert()
        .success();
}

#[test]
fn a_scenario_gives_exact_thresholds() {
    let run = verify(&[
        "scenario", "--T", "128", "--C", "5", "--D", "5", "--format", "json",
    ])
    .assert()
    .success();
    let report: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let claim = report["claims"]
        .as_array()
        .unwrap()
        .iter()
        .find(|c| c["id"] == "thm-7.1~")
        .unwrap();
    let kappa: exact::Surd = claim["values"]["kappa_star"]["exact"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(kappa.approx(6), "2.292327");
}

#[test]
fn an_exported_scenario_reads_back_and_a_flipped_sign_is_refuted() {
    let folder = tempfile::tempdir().unwrap();
    let (out, file) = (
        folder.path().to_str().unwrap(),
        folder.path().join("scenario.toml"),
    );
    let file = file.to_str().unwrap();
    verify(&["export", "--T", "4", "--C", "2", "--D", "2", "--out", out])
        .assert()
        .success();
    verify(&["scenario", file]).assert().success();
    let qk = folder.path().join("qk.json");
    let text = fs::read_to_string(&qk).unwrap();
    fs::write(&qk, text.replacen("[0,3,\"1\"]", "[0,3,\"-1\"]", 1)).unwrap();
    let run = verify(&["scenario", file, "--format", "json"])
        .assert()
        .code(1);
    assert_eq!(
        outcome(&run.get_output().stdout, "thm-7.1.sink.margins"),
        "refuted"
    );
}

#[test]
fn bad_input_is_one_line_and_exit_code_two() {
    for bad in [
        &["scenario", "--T", "0", "--C", "1", "--D", "1"][..],
        &["scenario", "--T", "3", "--C", "1", "--D", "1", "--d", "6"],
        &[
            "scenario", "--T", "3", "--C", "1", "--D", "1", "--kappa", "-1",
        ],
        &[
            "scenario", "--T", "3", "--C", "1", "--D", "1", "--kappa", "1/0",
        ],
        &["scenario", "--T", "3"],
        &["show", "nothing"],
    ] {
        let run = verify(bad).assert().code(2);
        let output = run.get_output();
        assert!(output.stdout.is_empty());
        assert_eq!(
            String::from_utf8_lossy(&output.stderr).lines().count(),
            1,
            "{bad:?}"
        );
    }
}
