//! The README's commands are run, and what it shows is what they print.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use assert_cmd::Command;
use std::path::Path;

/// Commands of the README with the output lines that it shows; `...` stands for lines left out.
fn shown(readme: &str) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match line.strip_prefix("    ") {
            Some(code) => match code.strip_prefix("$ ") {
                Some(command) => {
                    all.push((command.to_string(), Vec::new()));
                    inside = true;
                }
                None if inside => all.last_mut().unwrap().1.push(code.to_string()),
                None => {}
            },
            // A blank line may belong to the output; text ends it.
            None if line.is_empty() => {}
            None => inside = false,
        }
    }
    all
}

#[test]
fn the_readme_shows_real_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let commands = shown(&readme);
    assert_eq!(commands.len(), 7);
    for (command, expected) in commands {
        let mut words = command.split_whitespace();
        assert_eq!(words.next(), Some("verify"), "{command}");
        let output = Command::cargo_bin("verify")
            .unwrap()
            .current_dir(&root)
            .args(words)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let mut printed = text.lines().filter(|l| !l.is_empty());
        let mut gap = false;
        assert!(expected.len() > 2, "{command}");
        for mut line in expected {
            // The README shows a build with Z3.
            if !verify::solvers::HAS_Z3 {
                line = line.replace("; z3 agrees", "");
            }
            if line == "..." {
                gap = true;
            } else if gap {
                assert!(printed.any(|l| l == line), "{command}: not printed: {line}");
                gap = false;
            } else {
                assert_eq!(printed.next(), Some(line.as_str()), "{command}");
            }
        }
    }
}

#[test]
fn ci_runs_the_two_commands_of_the_readme() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let ci = std::fs::read_to_string(root.join(".ci/run")).unwrap();
    let commands: Vec<&str> = readme
        .lines()
        .filter_map(|l| l.strip_prefix("    ./sinkproof "))
        .map(|l| l.split('#').next().unwrap().trim())
        .collect();
    assert_eq!(commands.len(), 2);
    for command in commands {
        assert!(
            ci.lines().any(|l| l == format!("./sinkproof {command}")),
            "{command}"
        );
    }
}
