//! One layer of ReLU attention that solves the task: coordinates (BOS, trigger, other, content), W_K = W_V = W_O = I, the query
//! reads the trigger coordinate and asks for `other`: score = q_trigger k_other, weight = relu(score)/(i - 2) in row i.

use exact::{Rational, ratio};
use num_traits::{One, Zero};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// The first.
    Bos,
    /// The trigger.
    Trigger,
    /// Any other.
    Other,
}

impl Token {
    /// Its indicator coordinate.
    pub fn coordinate(self) -> usize {
        match self {
            Token::Bos => 0,
            Token::Trigger => 1,
            Token::Other => 2,
        }
    }
}

/// The tokens of a sequence of length `l` with a trigger at `trigger`, if any; positions from 1.
pub fn tokens(l: usize, trigger: Option<usize>) -> Vec<Token> {
    let token = |i| match i {
        1 => Token::Bos,
        _ if Some(i) == trigger => Token::Trigger,
        _ => Token::Other,
    };
    (1..=l).map(token).collect()
}

/// W_Q^T W_K on the indicator coordinates: score of a query (row) and a key (column); content does not enter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model(pub [[Rational; 3]; 3]);

impl Model {
    /// As printed: 1 from the trigger's query to other tokens' keys.
    pub fn printed() -> Model {
        let mut scores: [[Rational; 3]; 3] = Default::default();
        scores[Token::Trigger.coordinate()][Token::Other.coordinate()] = ratio(1, 1);
        Model(scores)
    }

    /// Every change of one score: to -1, 0, 1 or 2.
    pub fn mutations(&self) -> Vec<Model> {
        let places = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
        let all = places.flat_map(|(i, j)| [-1, 0, 1, 2].map(|x| (i, j, Rational::integer(x))));
        let changed = all.filter(|(i, j, x)| self.0[*i][*j] != *x);
        changed
            .map(|(i, j, x)| {
                let mut model = self.clone();
                model.0[i][j] = x;
                model
            })
            .collect()
    }

    /// The weight of key k for query i, positions from 1. A score of 0 has weight 0, also in rows 1 and 2, where i - 2 is no scale.
    pub fn weight(&self, tokens: &[Token], i: usize, k: usize) -> Rational {
        let of = |p: usize| p.checked_sub(1).and_then(|p| tokens.get(p));
        let (Some(query), Some(key)) = (of(i), of(k)) else {
            return Rational::zero();
        };
        let score = &self.0[query.coordinate()][key.coordinate()];
        if k > i || !score.is_positive() {
            return Rational::zero();
        }
        let over = Rational::from(i.saturating_sub(2)).recip();
        score * &over.unwrap_or(Rational::one())
    }

    /// Row i's output as coefficients of the tokens' embeddings, contents being free, and what the task wants there.
    pub fn output(&self, tokens: &[Token], i: usize) -> [Vec<Rational>; 2] {
        let found = (1..=tokens.len()).map(|k| self.weight(tokens, i, k));
        let at_trigger = tokens.get(i.wrapping_sub(1)) == Some(&Token::Trigger);
        let over = Rational::from(i.saturating_sub(2))
            .recip()
            .unwrap_or_default();
        let wanted = (1..=tokens.len()).map(|k| match at_trigger && (2..i).contains(&k) {
            true => over.clone(),
            false => Rational::zero(),
        });
        [found.collect(), wanted.collect()]
    }
}
