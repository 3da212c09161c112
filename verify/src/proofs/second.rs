//! The second confirmation of a step, by the solver Z3, which shares no code with the search and the checker.

use super::smt::queries;
use super::step::Step;
use crate::solvers::{Answer, HAS_Z3, ask_z3};
use std::time::Duration;

/// The longest that one query may take.
const LIMIT: Duration = Duration::from_secs(10);

/// What the solver says of a step that a certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Second {
    /// The goal cannot fail, and nothing is wrong with the hypotheses.
    Agrees,
    /// The goal can fail, or the hypotheses cannot be met: one of the two is wrong, so nothing stands.
    Contradicts(&'static str),
    /// No answer, and why.
    Silent(String),
}

/// Can this build ask for a second confirmation?
pub const CAN_ASK: bool = HAS_Z3;

/// Asks Z3 both queries of a step.
pub fn ask(step: &Step) -> Second {
    let [fails, met] = queries(step).map(|q| ask_z3(&q.text, LIMIT));
    judge(fails, met)
}

/// The example of a proved step meets the hypotheses exactly, so silence on them takes nothing away.
fn judge(fails: Answer, met: Answer) -> Second {
    match (fails, met) {
        (Answer::Sat(_), _) => Second::Contradicts("z3 finds that it can fail"),
        (_, Answer::Unsat) => Second::Contradicts("z3 finds that the hypotheses cannot be met"),
        (Answer::Unsat, _) => Second::Agrees,
        (Answer::Unknown(why), _) => Second::Silent(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_answer_confirms() {
        let unknown = || Answer::Unknown("no time".into());
        let sat = || Answer::Sat(None);
        assert_eq!(judge(Answer::Unsat, sat()), Second::Agrees);
        assert_eq!(judge(Answer::Unsat, unknown()), Second::Agrees);
        assert_eq!(judge(unknown(), sat()), Second::Silent("no time".into()));
        for met in [sat(), unknown(), Answer::Unsat] {
            assert!(matches!(judge(sat(), met), Second::Contradicts(_)));
        }
        // What follows from contradictory hypotheses is no proof.
        for fails in [Answer::Unsat, unknown()] {
            let judged = judge(fails, Answer::Unsat);
            assert!(matches!(judged, Second::Contradicts(_)));
        }
    }
}
