//! Proofs for all sizes: the definitions are proved, every small change of them is not, and formulas agree with matrices.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use constructions::backcopy::sink;
use constructions::language::{Matrix, mutations};
use constructions::reading::symbolic_reading::Unreadable;
use exact::ratio;
use verify::proofs::backcopy::{first_margin, sink_labels, sink_margins};
use verify::proofs::step::{Decision, Step};

/// Every step proved, or the first that is not.
fn first_gap(steps: Result<Vec<Step>, Unreadable>) -> Option<String> {
    let steps = match steps {
        Ok(steps) => steps,
        Err(e) => return Some(format!("unreadable: {e}")),
    };
    assert!(!steps.is_empty());
    steps.iter().find_map(|step| match step.decide() {
        Decision::Proved(_, cases, _) if cases > 0 => None,
        Decision::Proved(..) => Some("no case".into()),
        Decision::Refuted(point) => Some(format!("refuted: {}: {point:?}", step.says)),
        Decision::Unknown(why) => Some(format!("unknown: {}: {why}", step.says)),
    })
}

#[test]
fn margins_are_proved_for_all_sizes() {
    assert_eq!(first_gap(sink_margins(&sink::qk())), None);
    assert_eq!(first_gap(sink_margins(&sink::qk_first())), None);
    assert_eq!(first_gap(first_margin(&sink::qk_first())), None);
    let printed = first_gap(first_margin(&sink::qk())).unwrap();
    assert!(printed.starts_with("refuted"), "{printed}");
}

#[test]
fn labels_are_proved_for_all_sizes() {
    let one = ratio(1, 1);
    assert_eq!(
        first_gap(sink_labels(&sink::vo(), &sink::w1(), &sink::w2())),
        None
    );
    let (w1, w2) = (sink::w1_units(&one), sink::w2_units());
    assert_eq!(
        first_gap(sink_labels(&sink::vo_projector(), &w1, &w2)),
        None
    );
}

/// What each change of a definition comes to; all are refused but those listed.
fn survivors(definition: &Matrix, prove: impl Fn(&Matrix) -> Option<String>) -> Vec<String> {
    let all = mutations(definition);
    assert!(all.len() > 10);
    let survives = |m: &constructions::language::Mutation| prove(&m.mutated).is_none();
    all.iter()
        .filter(|m| survives(m))
        .map(|m| m.change.clone())
        .collect()
}

#[test]
fn changed_definitions_are_not_proved() {
    // These keep every margin: greater scores of BOS, halves of its token exchanged (both stand in every BOS key), and
    // positions that no token has or that only add to a score of BOS. The cost claim refuses those that cost more.
    let harmless = [
        "term 1 doubled",
        "term 1 left h_0 doubled",
        "term 1 left h_0 -> p_0",
        "term 1 left p_0 doubled",
        "term 1 left p_0 -> h_0",
        "term 2: sum over 0..T - 1",
        "term 2: sum over 1..T",
        "h_0 and p_0 exchanged",
    ];
    assert_eq!(
        survivors(&sink::qk(), |m| first_gap(sink_margins(m))),
        harmless
    );
}
