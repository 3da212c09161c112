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

#[test]
fn a_timeout_leaves_unknowns_and_exit_code_three() {
    let run = verify(&[
        "all",
        "--grid",
        "full",
        "--timeout",
        "0",
        "--quiet",
        "--format",
        "json",
    ])
    .assert()
    .code(3);
    let stdout = &run.get_output().stdout;
    assert_eq!(outcome(stdout, "thm-7.1.sink.margins"), "unknown");
    let place = [
        "scenario",
        "--T",
        "4",
        "--C",
        "1",
        "--D",
        "1",
        "--timeout",
        "0",
    ];
    let run = verify(&place).assert().code(3);
    let text = String::from_utf8_lossy(&run.get_output().stdout).to_string();
    assert!(
        text.contains("24 claims not reached") && text.contains("UNDECIDED"),
        "{text}"
    );
}

#[test]
fn nothing_checked_is_exit_code_four() {
    // The mended bound assumes T >= 2.
    let place = ["scenario", "--T", "1", "--C", "1", "--D", "1"];
    let run = verify(&place)
        .args(["--claim", "thm-7.1.diag.lower-bound~"])
        .assert()
        .code(4);
    let text = String::from_utf8_lossy(&run.get_output().stdout).to_string();
    assert!(text.contains("NOTHING CHECKED"), "{text}");
}

#[test]
fn an_empty_grid_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("empty.toml");
    for text in [
        "block = []\n",
        "[[block]]\nT = []\nC = [1]\nD = [1]\nreadings = [\"A\"]\n",
    ] {
        fs::write(&file, text).unwrap();
        let run = verify(&["all", "--grid", file.to_str().unwrap()])
            .assert()
            .code(2);
        assert!(run.get_output().stdout.is_empty());
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let program = assert_cmd::cargo::cargo_bin("verify");
    let script = format!(
        "{} list | head -1; exit ${{PIPESTATUS[0]}}",
        program.display()
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &script])
        .output()
        .unwrap();
    assert!(output.stderr.is_empty());
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn json_has_the_published_shape() {
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../schemas/report-1.json")).unwrap();
    let names = |list: &serde_json::Value| -> Vec<String> {
        let mut all: Vec<String> = list
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_str().unwrap().to_string())
            .collect();
        all.sort();
        all
    };
    let keys = |object: &serde_json::Value| -> Vec<String> {
        let mut all: Vec<String> = object.as_object().unwrap().keys().cloned().collect();
        all.sort();
        all
    };
    let place = ["--T", "3", "--C", "2", "--D", "1", "--format", "json"];
    for arguments in [
        [&["scenario"][..], &place].concat(),
        vec!["all", "--grid", "quick", "--format", "json", "--quiet"],
    ] {
        let run = verify(&arguments).assert().success();
        let report: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
        assert_eq!(report["schema"], schema["properties"]["schema"]["const"]);
        assert_eq!(keys(&report), names(&schema["required"]));
        let claim = &schema["$defs"]["claim"];
        for found in report["claims"].as_array().unwrap() {
            assert_eq!(keys(found), names(&claim["required"]));
            for name in ["outcome", "scope", "method", "strength"] {
                let allowed = names(&claim["properties"][name]["enum"]);
                let value = found[name].as_str().unwrap().to_string();
                assert!(allowed.contains(&value), "{name} {value}");
            }
            for value in found["values"].as_object().unwrap().values() {
                let shapes = schema["$defs"]["value"]["oneOf"].as_array().unwrap();
                let fits = shapes.iter().any(|s| names(&s["required"]) == keys(value));
                assert!(fits, "{value}");
            }
        }
    }
}
