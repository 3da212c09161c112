//! The trigger-conditional task of the companion paper.

mod softmax;

use super::{Claim, Decide, Kind, decided};
use crate::evidence::Evidence;
use constructions::trigger::relu::{Model, tokens};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "trigger.relu",
        kind: Kind::Label,
        place: "trigger-conditional task, Theorem 3",
        statement: "One layer of ReLU attention with score q_trigger k_other and weight relu(score)/(i-2) solves the task exactly, with no weight on BOS anywhere",
        needs: &[],
        repairs: None,
        explain: "Sequences hold BOS, one trigger with at least one token before it, and other tokens of free content; the output at the trigger is to be the mean of the \
                  tokens before it, elsewhere 0. Since scores read indicator coordinates alone, outputs are compared as combinations of embeddings, which \
                  covers every content: for all lengths up to 24, every place of the trigger, and without one. For all lengths, scores are proved by cases in the \
                  positions of query, key and trigger. A score of 0 is given weight 0 in rows 1 and 2 as well, where i - 2 is no scale.",
        decide: Decide::Alone(|| relu(&Model::printed())),
    },
    Claim {
        id: "trigger.softmax.naive",
        kind: Kind::Bound,
        place: "trigger-conditional task, Theorem 1, exact reading",
        statement: "Every head with weights on the simplex that solves the task exactly on finite data has BOS mass 1 off the trigger",
        needs: &[],
        repairs: None,
        explain: "For tokens x_1..x_r and the trigger t, M x = 2x - (2/r) sum x and M t = (2/r) sum x, BOS going to 0. At a trigger, weight 1/2 on t and \
                  1/(2n) on each of the n tokens before it puts out their mean, whatever these are; off the trigger, a place that has seen all of x_1..x_r may spread its \
                  weight evenly on them: the output is 0 with no mass on BOS. Run on every arrangement of tokens before a trigger.",
        decide: Decide::Alone(|| decided(softmax::naive())),
    },
    Claim {
        id: "trigger.softmax~",
        kind: Kind::Bound,
        place: "trigger-conditional task, Theorem 1, finite data",
        statement: "If a linear functional l is 1 on all tokens but BOS and the targets at triggers span these tokens (the trigger included), zero outputs have BOS mass 1; with errors <= eta the other mass is at most |l| 2 eta B sqrt r/(sigma - 2 eta sqrt r)",
        needs: &[],
        repairs: Some("trigger.softmax.naive"),
        explain: "BOS alone sees BOS, so W_O W_V kills it, up to eta. Each of r targets y that are a basis of the span S of the tokens is M s up to 2 eta for a \
                  combination s of tokens, |s| <= B = max |token|. Exactly: M maps S onto S, so it is injective, and a zero output M s = 0 has s = 0, l(s) = 0. With errors: M S = Y + E, |E| <= 2 eta sqrt r; \
                  for s = S c, (sigma - 2 eta sqrt r)|c| <= |M s| <= 2 eta with sigma the least singular value of Y, and l(s) <= |l| B sqrt r |c|. The \
                  targets span the trigger only if one trigger stands before another, as in the data used here; without that, M of the naive statement is no longer excluded.",
        decide: Decide::Alone(|| decided(softmax::repaired())),
    },
];

/// The longest sequence.
const LONGEST: usize = 24;

/// A model on all sequences up to the longest.
pub fn relu(model: &Model) -> Evidence {
    let mut evidence = Evidence::of(0, None);
    for l in 2..=LONGEST {
        let triggers = (3..=l).map(Some).chain([None]);
        for trigger in triggers {
            let tokens = tokens(l, trigger);
            for i in 1..=l {
                let [found, wanted] = model.output(&tokens, i);
                let off = trigger != Some(i);
                let bos = found.first().is_some_and(|w| !w.is_zero());
                let witness = (found != wanted || (off && bos)).then(|| {
                    let at = trigger.map_or("no trigger".into(), |j| format!("the trigger at {j}"));
                    format!(
                        "length {l}, {at}: position {i} has weights {found:?}, wanted {wanted:?}"
                    )
                });
                evidence = evidence.and(Evidence::of(1, witness));
            }
        }
    }
    let checked = evidence.checked;
    evidence.with("checked", checked)
}
