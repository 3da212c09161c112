//! The shape of a query both ways of asking read alike: assertions, then one `(check-sat)`.

use thiserror::Error;

/// Why a text is not a query that has one answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum QueryError {
    /// A byte no solver reads as text.
    #[error("the query holds a zero byte at byte {at}: a query is plain SMT-LIB 2 text")]
    ZeroByte {
        /// Its offset.
        at: usize,
    },
    /// Something other than a command between commands.
    #[error(
        "the query has {found:?} between commands at byte {at}: a query is a list of (...) commands"
    )]
    Stray {
        /// The character.
        found: char,
        /// Its offset.
        at: usize,
    },
    /// A command, string or quoted name that never ends.
    #[error(
        "the query ends inside what opens at byte {at}: every command, string and |name| must be closed"
    )]
    Open {
        /// Where it opens.
        at: usize,
    },
    /// A command that would make the two ways of asking read different assertions.
    #[error(
        "the query has the command ({command} ...) at byte {at}: a query asserts, then asks (check-sat) once"
    )]
    Command {
        /// Its name.
        command: String,
        /// Its offset.
        at: usize,
    },
    /// No question.
    #[error("the query never asks (check-sat): a query asserts, then asks once")]
    NoQuestion,
}

/// Commands that may come before `(check-sat)`.
const BEFORE: [&str; 14] = [
    "assert",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "set-info",
    "set-logic",
    "set-option",
];

/// Commands that may come after `(check-sat)`; they change no answer and are left out.
const AFTER: [&str; 5] = [
    "exit",
    "get-info",
    "get-model",
    "get-unsat-core",
    "get-value",
];

/// The part of `smt2` before its only `(check-sat)`.
pub(super) fn before_question(smt2: &str) -> Result<&str, QueryError> {
    if let Some(at) = smt2.find('\0') {
        return Err(QueryError::ZeroByte { at });
    }
    let mut question = None;
    for (at, end) in commands(smt2)? {
        let command = name(&smt2[at..end]);
        let allowed = match question {
            None if command == "check-sat" => {
                question = Some(at);
                true
            }
            None => BEFORE.contains(&command),
            Some(_) => AFTER.contains(&command),
        };
        if !allowed {
            let command = command.to_owned();
            return Err(QueryError::Command { command, at });
        }
    }
    question.map(|at| &smt2[..at]).ok_or(QueryError::NoQuestion)
}

/// The name right after the opening parenthesis of `command`.
fn name(command: &str) -> &str {
    let inner = command[1..].trim_start();
    let end = inner
        .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | '"' | '|'))
        .unwrap_or(inner.len());
    &inner[..end]
}

/// Start and end of every command, comments and strings skipped.
fn commands(text: &str) -> Result<Vec<(usize, usize)>, QueryError> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            ';' => {
                characters.find(|&(_, c)| c == '\n');
            }
            '(' => open.push(at),
            ')' => match open.pop() {
                Some(start) if open.is_empty() => found.push((start, at + 1)),
                Some(_) => {}
                None => return Err(QueryError::Stray { found: ')', at }),
            },
            c if c.is_whitespace() => {}
            found if open.is_empty() => return Err(QueryError::Stray { found, at }),
            // A doubled quote inside a string closes it and opens the next at once.
            quote @ ('"' | '|') if !characters.any(|(_, c)| c == quote) => {
                return Err(QueryError::Open { at });
            }
            _ => {}
        }
    }
    match open.first() {
        Some(&at) => Err(QueryError::Open { at }),
        None => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_before_the_question_is_returned() {
        let text =
            "(set-logic QF_LRA) ; (pop\n(declare-const |a ) b| Real)\n(check-sat)(get-model)(exit)";
        let before = before_question(text).unwrap();
        assert!(before.ends_with("Real)\n"));
    }

    #[test]
    fn what_has_no_one_answer_is_refused() {
        let command = |text: &str| match before_question(text) {
            Err(QueryError::Command { command, .. }) => command,
            other => panic!("{other:?}"),
        };
        assert_eq!(command("(assert false)(exit)(check-sat)"), "exit");
        assert_eq!(command("(push 1)(assert false)(check-sat)"), "push");
        assert_eq!(command("(check-sat)(assert false)"), "assert");
        assert_eq!(command("(check-sat)(check-sat)"), "check-sat");
        assert_eq!(command("(echo \"unsat\")(check-sat)"), "echo");
        assert_eq!(command("((check-sat))"), "");
        assert_eq!(
            before_question("(assert true)"),
            Err(QueryError::NoQuestion)
        );
        assert_eq!(
            before_question("(check-sat"),
            Err(QueryError::Open { at: 0 })
        );
        assert_eq!(
            before_question("(assert \"(check-sat)"),
            Err(QueryError::Open { at: 8 })
        );
        assert_eq!(
            before_question("p cnf 1 1"),
            Err(QueryError::Stray { found: 'p', at: 0 })
        );
        assert_eq!(
            before_question("(check-sat))"),
            Err(QueryError::Stray { found: ')', at: 11 })
        );
        assert_eq!(
            before_question("(check-sat)\0"),
            Err(QueryError::ZeroByte { at: 11 })
        );
    }
}
