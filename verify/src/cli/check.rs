//! Checking certificate files.

use super::Format;
use certificates::file::{self, Checked};
use serde_json::json;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Examples of the subcommand.
pub(super) const AFTER: &str = "Exit codes:\n  0  every file is accepted\n  1  some file is refused\n  2  some file cannot be read\n\nA file proves what its line states, and nothing else; docs of the formats are in the crate certificates.\n\nExample:\n  verify check scenarios/certificates/psd.json scenarios/certificates/farkas.json";

/// What became of a file.
enum Outcome {
    Accepted(Checked),
    Refused(String),
    Unreadable(String),
}

/// A line for each file, and the exit code.
pub(super) fn check(files: &[PathBuf], format: Format) -> (String, u8) {
    let outcomes: Vec<(String, Outcome)> = files
        .iter()
        .map(|path| (printable(&path.display().to_string()), outcome(path)))
        .collect();
    let code = |outcome: &Outcome| match outcome {
        Outcome::Accepted(_) => 0,
        Outcome::Refused(_) => 1,
        Outcome::Unreadable(_) => 2,
    };
    let worst = outcomes.iter().map(|(_, o)| code(o)).max().unwrap_or(0);
    let text = match format {
        Format::Text => outcomes.iter().map(|(f, o)| line(f, o)).collect(),
        Format::Json => {
            let all: Vec<_> = outcomes.iter().map(|(f, o)| entry(f, o)).collect();
            format!("{:#}\n", serde_json::Value::Array(all))
        }
    };
    (text, worst)
}

fn outcome(path: &Path) -> Outcome {
    let bytes = match read(path) {
        Ok(bytes) => bytes,
        Err(e) => return Outcome::Unreadable(e.to_string()),
    };
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => {
            let at = e.utf8_error().valid_up_to();
            return Outcome::Refused(format!("byte {at} is not UTF-8"));
        }
    };
    match file::check_text(&text) {
        Ok(checked) => Outcome::Accepted(checked),
        Err(e) => Outcome::Refused(printable(&e.to_string())),
    }
}

/// One byte more than is read tells the checker that the file is too long.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let longest = file::LONGEST as u64 + 1;
    File::open(path)?.take(longest).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn line(file: &str, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Accepted(checked) => format!("{file}: accepted, {}\n", checked.statement),
        Outcome::Refused(reason) => format!("{file}: refused, {reason}\n"),
        Outcome::Unreadable(reason) => format!("{file}: unreadable, {reason}\n"),
    }
}

fn entry(file: &str, outcome: &Outcome) -> serde_json::Value {
    match outcome {
        Outcome::Accepted(checked) => json!({
            "file": file,
            "outcome": "accepted",
            "format": checked.format,
            "problem_sha256": checked.problem_sha256,
            "statement": checked.statement,
        }),
        Outcome::Refused(reason) => json!({"file": file, "outcome": "refused", "reason": reason}),
        Outcome::Unreadable(reason) => {
            json!({"file": file, "outcome": "unreadable", "reason": reason})
        }
    }
}

/// Text of a file must not write control characters to a terminal, nor a second line.
fn printable(text: &str) -> String {
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(shown).collect()
}
