//! `verify check`, as a user types it.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use assert_cmd::Command;
use std::path::Path;

fn check(arguments: &[&str]) -> (String, Option<i32>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut command = Command::cargo_bin("verify").unwrap();
    let output = command.current_dir(root).arg("check").args(arguments);
    let output = output.output().unwrap();
    (
        String::from_utf8(output.stdout).unwrap(),
        output.status.code(),
    )
}

fn example(name: &str) -> String {
    format!("scenarios/certificates/{name}.json")
}

const REFUSED: &str = "scenarios/broken/farkas-negative.json";

#[test]
fn every_example_is_accepted_with_what_it_proves() {
    let expected = [
        (
            "positivity",
            "for all real C, w, x, y: if C > 0, C*x - 1 >= 0, w - 1 = 0 then y^2 + w + x - 2*y > 0",
        ),
        (
            "cases",
            "for all integers: if x - 1 >= 0 then (1*[x = 0] 1 + 1*[x - 1 >= 0] max(0, 1)) = 1",
        ),
        (
            "farkas",
            "the 3 linear inequalities in 2 unknowns have no common solution",
        ),
        (
            "dual-bound",
            "every 2 x 2 matrix that satisfies the 2 inequalities has nuclear norm at least 2",
        ),
        (
            "factorisation",
            "the nuclear norm of the 2 x 2 matrix with 2 nonzero entries is at most 5",
        ),
        (
            "psd",
            "the symmetric 2 x 2 matrix with 4 nonzero entries is positive semidefinite",
        ),
    ];
    let files: Vec<String> = expected.iter().map(|(name, _)| example(name)).collect();
    let (text, code) = check(&files.iter().map(String::as_str).collect::<Vec<_>>());
    let lines = expected
        .iter()
        .map(|(name, proved)| format!("{}: accepted, {proved}\n", example(name)));
    assert_eq!(text, lines.collect::<String>());
    assert_eq!(code, Some(0));
}

#[test]
fn a_refused_file_says_why_and_the_others_are_still_checked() {
    let (text, code) = check(&[REFUSED, &example("psd")]);
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some(format!("{REFUSED}: refused, multiplier 2 is -1: multipliers are >= 0").as_str())
    );
    assert!(lines.next().unwrap().contains("psd.json: accepted, "));
    assert_eq!(code, Some(1));
}

#[test]
fn a_missing_file_is_unreadable_and_weighs_most() {
    let (text, code) = check(&["scenarios/no-such.json", REFUSED]);
    assert!(text.starts_with("scenarios/no-such.json: unreadable, "));
    assert_eq!(code, Some(2));
}

#[test]
fn what_is_not_text_is_refused_and_prints_no_control_characters() {
    let folder = tempfile::tempdir().unwrap();
    let (bytes, escape) = (folder.path().join("bytes"), folder.path().join("escape"));
    std::fs::write(&bytes, [b'{', 0xff]).unwrap();
    std::fs::write(&escape, r#"{"format": "\u001b[2J\n"}"#).unwrap();
    let (text, code) = check(&[bytes.to_str().unwrap(), escape.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(text.contains("refused, byte 1 is not UTF-8"));
    assert_eq!(text.lines().count(), 2);
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn json_names_the_format_and_the_hash() {
    let (text, code) = check(&["--format", "json", &example("psd"), REFUSED]);
    let all: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(all[0]["outcome"], "accepted");
    assert_eq!(all[0]["format"], "sinkproof/psd-1");
    assert_eq!(all[0]["problem_sha256"].as_str().unwrap().len(), 64);
    assert_eq!(all[1]["outcome"], "refused");
    assert_eq!(code, Some(1));
}

#[test]
fn help_has_an_example_and_no_file_is_bad_usage() {
    let (text, code) = check(&["--help"]);
    assert!(text.contains("verify check scenarios/certificates/psd.json"));
    assert_eq!(code, Some(0));
    assert_eq!(check(&[]).1, Some(2));
}

#[test]
fn certificates_of_proofs_are_accepted_alone_and_a_changed_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut prove = Command::cargo_bin("verify").unwrap();
    let claims = ["lemma.ramp-sums", "thm-7.1.sink.margins"];
    let prove = prove.arg("prove").args(claims).arg("--out");
    let output = prove.arg(folder.path()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let mut files = Vec::new();
    for claim in claims {
        for entry in std::fs::read_dir(folder.path().join(claim)).unwrap() {
            files.push(entry.unwrap().path().display().to_string());
        }
    }
    assert!(text.contains(&format!("wrote {} certificates to ", files.len())));
    let of = |format: &str| {
        let has = |f: &&String| std::fs::read_to_string(f).unwrap().contains(format);
        files.iter().filter(has).count()
    };
    assert!(of("positivity-2") > 0 && of("cases-1") > 0);
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let (lines, code) = check(&names);
    assert_eq!(
        lines.matches(": accepted, ").count(),
        files.len(),
        "{lines}"
    );
    assert_eq!(code, Some(0));
    // Without its last node a tree is not whole; numbers that name other variables are no example.
    for file in &files {
        let mut value: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let certificate = &mut value["certificate"];
        if let Some(nodes) = certificate["nodes"].as_array_mut() {
            nodes.pop();
        } else {
            certificate["example"] = serde_json::json!([["spare", "1"]]);
        }
        std::fs::write(file, value.to_string()).unwrap();
    }
    let (lines, code) = check(&names);
    assert_eq!(lines.matches(": refused, ").count(), files.len(), "{lines}");
    assert_eq!(code, Some(1));
}
