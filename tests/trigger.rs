//! The trigger-conditional task and the diagnostics of sinks: changes are refused, formulas agree with sums.

#![allow(clippy::unwrap_used)] // a test may stop where something is missing

use constructions::dense::Dense;
use constructions::diagnostics::{
    Head, Sink, context_variance, participation_ratio, value_norm_ratio_squared,
};
use constructions::trigger::relu::{Model, Token, tokens};
use constructions::trigger::softmax::{Data, Row, arrangements, error, functional, square};
use exact::{Rational, ratio};
use verify::claims;
use verify::evidence::Outcome;
use verify::proofs::step::Decision;
use verify::proofs::trigger;

fn proved(model: &Model) -> bool {
    let steps = trigger::relu(model).unwrap();
    let decided = steps
        .iter()
        .map(|s| matches!(s.decide(), Decision::Proved { .. }));
    steps.len() == 5 && decided.into_iter().all(|x| x)
}

#[test]
fn the_relu_model_is_proved_and_every_harmful_change_refused() {
    let printed = Model::printed();
    assert!(proved(&printed));
    assert_eq!(claims::trigger::relu(&printed).outcome(), Outcome::Holds);
    let changes = printed.mutations();
    assert_eq!(changes.len(), 27);
    let mut harmless = 0;
    for model in changes {
        let (run, all) = (claims::trigger::relu(&model).outcome(), proved(&model));
        // Lengths on the grid and all lengths agree; ReLU does not see negative scores, and no key stands before BOS but BOS.
        assert_eq!(run == Outcome::Holds, all, "{model:?}");
        harmless += usize::from(all);
        let positive = |q: Token, k: Token| model.0[q.coordinate()][k.coordinate()].is_positive();
        if all {
            assert!(
                !positive(Token::Trigger, Token::Bos) && !positive(Token::Other, Token::Bos),
                "{model:?}"
            );
        }
    }
    // Scores lowered to -1, in the eight places that are 0; and BOS never looks at later tokens.
    assert_eq!(harmless, 12);
}

#[test]
fn more_than_one_trigger_is_beyond_the_relu_model() {
    let mut two = tokens(6, Some(6));
    two[3] = Token::Trigger;
    let [found, wanted] = Model::printed().output(&two, 6);
    assert_ne!(found, wanted);
}

#[test]
fn errors_of_heads_are_seen() {
    let data = Data {
        tokens: Dense::identity(3),
        triggers: vec![2],
        sequences: arrangements(2),
    };
    assert_eq!(data.sequences.len(), 4);
    let m = Dense::identity(3);
    let at_trigger = data
        .positions()
        .into_iter()
        .find(|p| p.trigger && p.before.len() == 2)
        .unwrap();
    let half = ratio(1, 2);
    let mut row = Row {
        before: vec![half.clone(), half.clone()],
        own: Rational::default(),
    };
    assert!(row.on_simplex());
    assert!(square(&error(&data, &m, &at_trigger, &row).unwrap()).is_zero());
    row.before[0] = ratio(1, 4);
    assert!(!square(&error(&data, &m, &at_trigger, &row).unwrap()).is_zero());
    row.own = half;
    assert!(!row.on_simplex());
    // One trigger a sequence: the targets do not span it.
    assert_eq!(data.target_rank().unwrap(), 2);
    assert_eq!(
        functional(&data.tokens).unwrap(),
        Some(vec![ratio(1, 1); 3])
    );
    let opposite = Dense::from_columns(vec![vec![ratio(1, 1)], vec![ratio(-1, 1)]]).unwrap();
    assert_eq!(functional(&opposite).unwrap(), None);
}

#[test]
fn diagnostics_are_those_of_their_definitions() {
    let v = |list: &[i64]| list.iter().map(|x| ratio(*x, 1)).collect::<Vec<Rational>>();
    assert_eq!(
        value_norm_ratio_squared(&v(&[3, 4]), &[v(&[1, 0]), v(&[0, 3])]),
        Some(ratio(5, 1))
    );
    assert_eq!(value_norm_ratio_squared(&v(&[1]), &[]), None);
    assert_eq!(value_norm_ratio_squared(&v(&[1]), &[v(&[0])]), None);
    // Singular values 2 and 1: (4 + 1)^2 / (16 + 1).
    let outputs = Dense::from_rows(vec![v(&[2, 0]), v(&[0, 1])]).unwrap();
    assert_eq!(participation_ratio(&outputs).unwrap(), Some(ratio(25, 17)));
    assert_eq!(
        participation_ratio(&outputs.scale(&ratio(0, 1))).unwrap(),
        None
    );
    assert_eq!(
        context_variance(&[v(&[1, 0]), v(&[0, 1])]),
        Some(ratio(1, 2))
    );
    assert_eq!(
        context_variance(&[v(&[2, 1]), v(&[2, 1])]),
        Some(ratio(0, 1))
    );
    assert_eq!(context_variance(&[]), None);
    // Hard attention: rank at most 1 for all three.
    for (sink, rank) in [(Sink::NoOp, 0), (Sink::Broadcast, 1), (Sink::Constant, 1)] {
        let head = Head::synthetic(sink, 5, (0, 5), &ratio(0, 1));
        assert_eq!(head.outputs.rank(), rank);
    }
}
