//! Asks a solver that is a program of its own.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

use super::Answer;
use super::query::before_question;

/// More output than this is no answer.
const MOST_OUTPUT: u64 = 1 << 24;
/// Time between two looks at a running solver.
const PAUSE: Duration = Duration::from_millis(2);

/// Asks `program`, called with `args` and the path of a file, about `smt2`, whose only `(check-sat)` follows every
/// assertion; it is killed after `timeout`, but not what it started itself.
///
/// It has answered when it ends without failure and its output is one line `sat`, `unsat` or `unknown`. A `sat` is
/// asked once more, in the time left, for a model.
pub fn ask_process<S: AsRef<str>>(
    program: &Path,
    args: &[S],
    smt2: &str,
    timeout: Duration,
) -> Answer {
    let begin = Instant::now();
    let text = match before_question(smt2) {
        Ok(text) => text,
        Err(error) => return Answer::Unknown(error.to_string()),
    };
    let asked = |end: &str, timeout| run(program, args, &format!("{text}\n{end}\n"), timeout);
    let answer = match asked("(check-sat)", timeout) {
        Ok(output) => judge(&output),
        Err(reason) => Err(reason),
    };
    match answer {
        Ok(Word::Unsat) => Answer::Unsat,
        Ok(Word::Unknown) => Answer::Unknown(format!("{} answered unknown", program.display())),
        Ok(Word::Sat) => {
            let left = timeout.saturating_sub(begin.elapsed());
            let output = asked("(check-sat)\n(get-model)", left);
            Answer::Sat(output.ok().and_then(|output| model(&output)))
        }
        Err(reason) => Answer::Unknown(format!("{}: {reason}", program.display())),
    }
}

/// The three words a solver answers with.
enum Word {
    Sat,
    Unsat,
    Unknown,
}

/// The answer that is all of `output`.
fn judge(output: &str) -> Result<Word, String> {
    let mut lines = output.lines();
    let first = lines.next().unwrap_or_default();
    let word = match first {
        "sat" => Word::Sat,
        "unsat" => Word::Unsat,
        "unknown" => Word::Unknown,
        _ if output.trim().is_empty() => return Err("ended without an answer".to_owned()),
        _ => {
            return Err(format!(
                "printed {:?}: an answer is one line sat, unsat or unknown",
                shortened(first)
            ));
        }
    };
    match lines.find(|line| !line.trim().is_empty()) {
        None => Ok(word),
        Some(more) => Err(format!(
            "printed {:?} after {first}: an answer is one line sat, unsat or unknown",
            shortened(more)
        )),
    }
}

/// The text after the line `sat`, unless it reports an error.
fn model(output: &str) -> Option<String> {
    let text = output.strip_prefix("sat\n")?.trim();
    (!text.is_empty() && !text.contains("(error")).then(|| text.to_owned())
}

/// The beginning of a line that may be long.
fn shortened(line: &str) -> String {
    line.chars().take(120).collect()
}

/// What the program prints about `text`, or why there is nothing to judge.
fn run<S: AsRef<str>>(
    program: &Path,
    args: &[S],
    text: &str,
    timeout: Duration,
) -> Result<String, String> {
    let fault = |error: io::Error| format!("no file to ask it with: {error}");
    let mut query = tempfile::Builder::new()
        .suffix(".smt2")
        .tempfile()
        .map_err(fault)?;
    query.write_all(text.as_bytes()).map_err(fault)?;
    query.flush().map_err(fault)?;
    let output = NamedTempFile::new().map_err(fault)?;
    let errors = NamedTempFile::new().map_err(fault)?;
    let mut command = Command::new(program);
    command
        .args(args.iter().map(AsRef::as_ref))
        .arg(query.path())
        .stdin(Stdio::null())
        .stdout(output.reopen().map_err(fault)?)
        .stderr(errors.reopen().map_err(fault)?);
    let status = wait(&mut command, output.as_file(), timeout)?;
    if !status.success() {
        let first = read(&errors).unwrap_or_else(|_| String::new());
        let first = match first.lines().next() {
            Some(line) => format!(" after {:?}", shortened(line)),
            None => String::new(),
        };
        return Err(format!(
            "failed with {status}{first}: its answer does not count"
        ));
    }
    read(&output).map_err(|error| format!("its output cannot be read: {error}"))
}

/// Runs `command` to its end, or kills it.
fn wait(command: &mut Command, output: &File, timeout: Duration) -> Result<ExitStatus, String> {
    let begin = Instant::now();
    let mut child = command
        .spawn()
        .map_err(|error| format!("cannot be started: {error}"))?;
    let reason = loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if begin.elapsed() >= timeout => {
                break format!("no answer within {} ms", timeout.as_millis());
            }
            Ok(None) if output.metadata().is_ok_and(|file| file.len() > MOST_OUTPUT) => {
                break format!("printed more than {MOST_OUTPUT} bytes");
            }
            Ok(None) => thread::sleep(PAUSE),
            Err(error) => break format!("cannot be waited for: {error}"),
        }
    };
    // It may have ended meanwhile; either way it is not heard any more.
    let _ = child.kill();
    let _ = child.wait();
    Err(reason)
}

/// The text of a file the program wrote.
fn read(file: &NamedTempFile) -> io::Result<String> {
    let mut text = String::new();
    file.reopen()?.take(MOST_OUTPUT).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const QUERY: &str = "(declare-const a Bool)(assert a)(check-sat)";

    /// Asks a solver that is the shell script `script`; `$1` is the query's path.
    fn scripted(script: &str, timeout: Duration) -> Answer {
        ask_process(Path::new("sh"), &["-c", script, "solver"], QUERY, timeout)
    }

    fn reason(script: &str) -> String {
        match scripted(script, Duration::from_secs(10)) {
            Answer::Unknown(reason) => reason,
            other => unreachable!("{script}: {other:?}"),
        }
    }

    #[test]
    fn plain_answers_are_taken() {
        let ask = |script| scripted(script, Duration::from_secs(10));
        assert_eq!(ask("echo unsat"), Answer::Unsat);
        assert_eq!(ask("echo sat"), Answer::Sat(None));
        assert!(reason("echo unknown").ends_with("answered unknown"));
    }

    #[test]
    fn a_model_is_asked_for_after_sat() {
        let model = |script| scripted(script, Duration::from_secs(10));
        let script =
            r#"echo sat; grep -q get-model "$1" && echo "(define-fun a () Bool true)"; true"#;
        let text = "(define-fun a () Bool true)".to_owned();
        assert_eq!(model(script), Answer::Sat(Some(text)));
        let script = r#"echo sat; grep -q get-model "$1" && echo "(error no model)"; true"#;
        assert_eq!(model(script), Answer::Sat(None));
    }

    #[test]
    fn the_query_reaches_the_solver() {
        let script = r#"grep -q '(assert a)' "$1" && echo unsat"#;
        assert_eq!(scripted(script, Duration::from_secs(10)), Answer::Unsat);
    }

    #[test]
    fn anything_else_is_no_answer() {
        for script in [
            "echo unsatisfiable",
            "echo 'unsat '",
            "echo; echo unsat",
            "echo warning; echo unsat",
            "echo '(error \"line 1\")'; echo unsat",
            "echo unsat; echo '(error \"line 1\")'",
            "echo unsat; echo sat",
        ] {
            assert!(reason(script).contains("an answer is one line"), "{script}");
        }
        assert!(reason("true").contains("without an answer"));
        assert!(reason(r"printf '\377\n'").contains("cannot be read"));
    }

    #[test]
    fn a_dying_solver_has_not_answered() {
        let text = reason("echo unsat; echo oh >&2; exit 3");
        assert!(
            text.contains("exit status: 3") && text.contains("oh"),
            "{text}"
        );
        assert!(reason("echo unsat; kill -SEGV $$").contains("signal"));
    }

    #[test]
    fn a_slow_solver_is_killed() {
        let begin = Instant::now();
        let answer = scripted("exec sleep 60", Duration::from_millis(50));
        assert!(matches!(&answer, Answer::Unknown(reason) if reason.contains("50 ms")));
        assert!(begin.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_missing_solver_is_unknown() {
        let program = Path::new("no/such/solver");
        let answer = ask_process::<&str>(program, &[], QUERY, Duration::from_secs(1));
        match answer {
            Answer::Unknown(reason) => assert!(
                reason.starts_with("no/such/solver: cannot be started"),
                "{reason}"
            ),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_text_that_is_no_query_is_not_asked() {
        let sh = Path::new("sh");
        let answer = ask_process(
            sh,
            &["-c", "echo unsat"],
            "(assert a)",
            Duration::from_secs(1),
        );
        assert!(matches!(answer, Answer::Unknown(reason) if reason.contains("check-sat")));
    }
}
