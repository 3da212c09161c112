//! Asks Z3 in this process, when the build has it.

use std::time::Duration;

use super::Answer;

/// Whether this build can ask Z3 in its own process.
pub const HAS_Z3: bool = cfg!(feature = "z3");

/// Asks Z3 in this process about `smt2`, whose only `(check-sat)` follows every assertion; it gives up after `timeout`.
///
/// A build without Z3 answers [`Answer::Unknown`].
#[cfg(not(feature = "z3"))]
pub fn ask_z3(_smt2: &str, _timeout: Duration) -> Answer {
    Answer::Unknown("this build has no z3".to_owned())
}

/// Asks Z3 in this process about `smt2`, whose only `(check-sat)` follows every assertion; it gives up after `timeout`.
///
/// The limit holds for the search, not for the reading of the text.
#[cfg(feature = "z3")]
pub fn ask_z3(smt2: &str, timeout: Duration) -> Answer {
    match super::query::before_question(smt2) {
        Ok(text) => z3::with_z3_config(&z3::Config::new(), || in_process::ask(text, timeout)),
        Err(error) => Answer::Unknown(error.to_string()),
    }
}

#[cfg(feature = "z3")]
mod in_process {
    use std::time::Duration;

    use z3::{Params, SatResult, Solver};

    use crate::solvers::Answer;

    /// A name no query uses; one that did would be told its text does not parse.
    const SENTINEL: &str = "the-text-was-read-to-its-end";

    /// Asks about assertions that no `(check-sat)` follows.
    pub(super) fn ask(text: &str, timeout: Duration) -> Answer {
        let solver = Solver::new();
        // On a parse error Z3 asserts nothing and says nothing, so that an empty query would be answered `sat`; an
        // assertion put after the text shows that it was read.
        solver.from_string(format!(
            "{text}\n(declare-const {SENTINEL} Bool)\n(assert {SENTINEL})\n"
        ));
        if !solver
            .get_assertions()
            .iter()
            .any(|assertion| assertion.to_string() == SENTINEL)
        {
            return Answer::Unknown(
                "z3 cannot parse the query: every command must be SMT-LIB 2 with declared names and matching sorts"
                    .to_owned(),
            );
        }
        // Z3 takes both 0 and the largest value for no limit.
        let milliseconds = timeout.as_millis().clamp(1, u128::from(u32::MAX) - 1);
        let mut parameters = Params::new();
        parameters.set_u32("timeout", u32::try_from(milliseconds).unwrap_or(1));
        solver.set_params(&parameters);
        match solver.check() {
            SatResult::Sat => Answer::Sat(solver.get_model().map(|model| model.to_string())),
            SatResult::Unsat => Answer::Unsat,
            SatResult::Unknown => Answer::Unknown(match solver.get_reason_unknown() {
                Some(reason) => format!("z3 gave up: {reason}"),
                None => "z3 gave up without a reason".to_owned(),
            }),
        }
    }
}

#[cfg(all(test, not(feature = "z3")))]
mod without {
    use super::*;

    #[test]
    fn a_build_without_z3_says_so() {
        let answer = ask_z3("(assert false)(check-sat)", Duration::from_secs(1));
        assert_eq!(answer, Answer::Unknown("this build has no z3".to_owned()));
    }
}

#[cfg(all(test, feature = "z3"))]
mod tests {
    use super::*;

    fn ask(text: &str) -> Answer {
        ask_z3(text, Duration::from_secs(20))
    }

    fn reason(text: &str) -> String {
        match ask(text) {
            Answer::Unknown(reason) => reason,
            other => unreachable!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_contradiction_is_unsat() {
        let text = "(declare-const x Real)(assert (< (* x x) 0))(check-sat)";
        assert_eq!(ask(text), Answer::Unsat);
    }

    #[test]
    fn what_can_hold_is_sat_with_a_model() {
        let text = "(declare-const x Int)(assert (= (* 3 x) 21))(check-sat)(get-model)";
        match ask(text) {
            Answer::Sat(Some(model)) => {
                assert!(model.contains('x') && model.contains('7'), "{model}");
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_text_that_does_not_parse_is_no_answer() {
        assert!(reason("(assert (< x 0))(check-sat)").contains("parse"));
        assert!(reason("(assert false)(assert 1)(check-sat)").contains("parse"));
        assert!(reason("(assert false)(assert (< 0 |y|))(check-sat)").contains("parse"));
        assert!(reason("(assert false").contains("closed"));
        assert!(reason("(assert false)\0(check-sat)").contains("zero byte"));
        assert!(reason("").contains("check-sat"));
    }

    #[test]
    fn names_of_one_query_do_not_reach_the_next() {
        let text = "(declare-const x Int)(assert (> x 0))(check-sat)";
        assert!(matches!(ask(text), Answer::Sat(_)));
        assert!(reason("(assert (> x 0))(check-sat)").contains("parse"));
        let text = "(declare-const x Real)(assert (< 0 x 1))(check-sat)";
        assert!(matches!(ask(text), Answer::Sat(_)));
    }

    #[test]
    fn a_hard_query_out_of_time_is_unknown() {
        let text = "(declare-const x Int)(declare-const y Int)(declare-const z Int)\
            (assert (= (+ (* x x x) (* y y y) (* z z z)) 114))(check-sat)";
        let begin = std::time::Instant::now();
        let answer = ask_z3(text, Duration::from_millis(1));
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
        assert!(begin.elapsed() < Duration::from_secs(20));
    }
}
