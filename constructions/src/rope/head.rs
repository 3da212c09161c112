//! A head with rotary positions that implements the diagonal pattern of the backcopy task, at a cost without T.
//!
//! The tokens are x(t,i) = sqrt(d/2) (h_i + p_t); the projections see the h_i alone. With a = sqrt(4 kappa/(T sqrt d)) and k the vector
//! of first axes of all planes, W_K = a k sum_V h_i^T and W_Q = a k sum_D h_j^T + a R(-1) k sum_C h_j^T: dormant queries look for
//! their own position, copy queries one back.

use super::cyclotomic::{Cyclotomic, Field};
use exact::{Rational, ratio};

/// What a token's h is projected to, plane by plane, in units of a.
pub type Planes = Vec<Cyclotomic>;

/// The projections of a head on the three kinds of tokens.
#[derive(Clone, Debug)]
pub struct Head {
    /// The context length, even.
    pub t: usize,
    /// Of a copy token and of a dormant one as a query.
    pub queries: [Planes; 2],
    /// Of BOS and of any other token as a key.
    pub keys: [Planes; 2],
    field: Field,
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// A copy token: it is to attend to its predecessor.
    Copy,
    /// A dormant token: it is to attend to itself.
    Dormant,
}

/// The least margin of a head, with the query, its position and the losing key's where it is attained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Least {
    /// The margin, in units of kappa.
    pub margin: Rational,
    /// The query.
    pub query: Query,
    /// Its position.
    pub at: usize,
    /// The position of the losing key; 0 is BOS.
    pub loser: usize,
}

impl Head {
    /// The head for an even T; copy queries look `back` positions back.
    pub fn new(t: usize, back: i64) -> Head {
        let field = Field::new(t + 1);
        let planes = |shift: i64| -> Planes {
            let frequencies = 1..=(t / 2) as i64;
            frequencies.map(|f| field.root(f * shift)).collect()
        };
        let none: Planes = vec![field.number(Rational::default()); t / 2];
        Head {
            t,
            queries: [planes(-back), planes(0)],
            keys: [none, planes(0)],
            field,
        }
    }

    /// The logit of a query at position `at` for the key at position s, in units of kappa; nothing if it is irrational.
    pub fn logit(&self, query: Query, at: usize, s: usize) -> Option<Rational> {
        let q = &self.queries[usize::from(query == Query::Dormant)];
        let k = &self.keys[usize::from(s > 0)];
        let mut sum = self.field.number(Rational::default());
        let shift = s as i64 - at as i64;
        for (f, (q, k)) in (1i64..).zip(q.iter().zip(k)) {
            // Rotations of both sides leave the difference of positions.
            let turned = q.conjugate().times(k).times(&self.field.root(f * shift));
            sum = sum.plus(&turned).plus(&turned.conjugate());
        }
        // Re = half the sum; d/2 a^2/sqrt d = 2 kappa/T.
        let scale = ratio(1, i64::try_from(self.t).ok()?);
        sum.rational().map(|x| x * scale)
    }

    /// The least margin of the diagonal pattern over all queries (copy queries from position 2 on) and all keys that can precede
    /// them, and how many were compared; nothing if a logit is irrational.
    pub fn margins(&self) -> Option<(Least, u128)> {
        let (mut least, mut checked): (Option<Least>, u128) = (None, 0);
        for (query, from, back) in [(Query::Dormant, 1, 0), (Query::Copy, 2, 1)] {
            for at in from..=self.t {
                let winner = self.logit(query, at, at - back)?;
                for loser in (0..=at).filter(|s| *s != at - back) {
                    checked += 1;
                    let margin = &winner - self.logit(query, at, loser)?;
                    if least.as_ref().is_none_or(|l| margin < l.margin) {
                        least = Some(Least {
                            margin,
                            query,
                            at,
                            loser,
                        });
                    }
                }
            }
        }
        least.map(|l| (l, checked))
    }

    /// `(|W_Q|_F^2 + |W_K|_F^2)/2` in kappa/sqrt d, which is what a nuclear norm of W_K^T W_Q compares with; nothing if irrational.
    pub fn half_cost(&self, copies: usize, dormants: usize) -> Option<Rational> {
        let size = |planes: &Planes| -> Option<Rational> {
            let squares = planes.iter().map(|x| x.times(&x.conjugate()).rational());
            squares.sum()
        };
        let (c, d) = (Rational::from(copies), Rational::from(dormants));
        let keys = size(&self.keys[1])? * (&c + &d) + size(&self.keys[0])?;
        let queries = size(&self.queries[0])? * c + size(&self.queries[1])? * d;
        // a^2 = 4/T in units of kappa/sqrt d.
        let scale = ratio(2, i64::try_from(self.t).ok()?);
        Some((keys + queries) * scale)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may stop where something is missing
mod tests {
    use super::*;

    #[test]
    fn the_smallest_head_by_hand() {
        // T = 2: one plane, rotations by 2 pi/3; logits 1 at the target, -1/2 elsewhere, 0 at BOS.
        let head = Head::new(2, 1);
        assert_eq!(head.logit(Query::Dormant, 2, 2), Some(ratio(1, 1)));
        assert_eq!(head.logit(Query::Dormant, 2, 1), Some(ratio(-1, 2)));
        assert_eq!(head.logit(Query::Copy, 2, 1), Some(ratio(1, 1)));
        assert_eq!(head.logit(Query::Copy, 2, 2), Some(ratio(-1, 2)));
        assert_eq!(head.logit(Query::Copy, 2, 0), Some(ratio(0, 1)));
        let (least, checked) = head.margins().unwrap();
        assert_eq!((least.margin, checked), (ratio(1, 1), 5));
        assert_eq!(head.half_cost(1, 1), Some(ratio(4, 1)));
    }

    #[test]
    fn another_shift_fails() {
        for back in [0, 2, -1] {
            let (least, _) = Head::new(6, back).margins().unwrap();
            assert!(least.margin.is_negative(), "back {back}");
        }
    }

    /// Logits against floating-point rotations.
    #[test]
    fn logits_agree_with_floats() {
        let head = Head::new(8, 1);
        for (query, back) in [(Query::Copy, 1.0), (Query::Dormant, 0.0)] {
            for at in 1..=8usize {
                for s in 1..=at {
                    let angle = |f: usize| {
                        let m = s as f64 - at as f64 + back;
                        2.0 * std::f64::consts::PI * f as f64 * m / 9.0
                    };
                    let sum: f64 = (1..=4).map(|f| angle(f).cos()).sum();
                    let exact = head.logit(query, at, s).unwrap().to_f64();
                    assert!((exact - sum / 4.0).abs() < 1e-12);
                }
            }
        }
    }
}
