//! Two families of sink solutions whose cost stays bounded while r_eta, the rank of the nuisances, grows.
//!
//! Both have one group of n dormant tokens d_i = lambda dbar + eta_i, one copy token c, tolerance 1/4, and sequences in which a
//! copy token sees at most one dormant: (b, d_i, c). Family A uses that nothing forces `W_O W_V b = 0`; family B has it zero.

use super::block::{Neuron, output};
use crate::matrix::{Sparse, combine, dot, rank};
use exact::{Rational, ratio, sqrt_enclosure};
use num_traits::{One, Zero};
use thiserror::Error;

/// Bits of the enclosures of irrational costs.
const BITS: u32 = 64;

/// A sink solution of the cluster task with C = 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// Its name, with its parameters.
    pub name: String,
    /// BOS.
    pub b: Sparse,
    /// The copy token.
    pub c: Sparse,
    /// The dormant tokens.
    pub dormants: Vec<Sparse>,
    /// Their nuisances eta_i.
    pub nuisances: Vec<Sparse>,
    /// `B`, as outer products (key side, query side), in units of kappa/sqrt d.
    pub qk: Vec<(Sparse, Sparse)>,
    /// `W_O W_V`, as outer products (output, input), orthogonal on both sides.
    pub vo: Vec<(Sparse, Sparse)>,
    /// The hidden units.
    pub neurons: Vec<Neuron>,
    /// The output bias b_2.
    pub output_bias: Sparse,
}

/// Why a family is no solution.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NoSolution {
    /// A token is no unit vector.
    #[error("{name}: |{token}|^2 = {square}, not 1")]
    Norm {
        /// The family.
        name: String,
        /// The token.
        token: String,
        /// Its square.
        square: Rational,
    },
    /// A margin below 1.
    #[error("{name}: query {query}: {winner} leads {loser} by {margin}, at least 1 is needed")]
    Margin {
        /// The family.
        name: String,
        /// The query.
        query: String,
        /// The key that must win.
        winner: String,
        /// The key that must lose.
        loser: String,
        /// The margin.
        margin: Rational,
    },
    /// A label that is missed.
    #[error("{name}: the output on {place} is not the label")]
    Label {
        /// The family.
        name: String,
        /// Where.
        place: String,
    },
    /// A label outside its tolerance.
    #[error("{name}: {place}: the factor {factor} is not within 1/4 of 1")]
    Tolerance {
        /// The family.
        name: String,
        /// Where.
        place: String,
        /// phi or theta.
        factor: Rational,
    },
    /// The value map's outer products are not orthogonal, so their norms do not add up to its nuclear norm.
    #[error("{name}: the terms {first} and {second} of W_O W_V are not orthogonal")]
    Terms {
        /// The family.
        name: String,
        /// One term.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A number without a rational enclosure of its root.
    #[error("{name}: a square root could not be enclosed")]
    Root {
        /// The family.
        name: String,
    },
}

/// The least and the greatest value.
pub type Range = (Rational, Rational);

/// What was computed for a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Margins decided.
    pub margins: u128,
    /// Labels decided.
    pub labels: u128,
    /// The least margin, in units of kappa.
    pub least_margin: Rational,
    /// The range of phi (dormant outputs are (1 + phi) d_i).
    pub phi: Range,
    /// The range of theta (copy outputs are c + theta d_i).
    pub theta: Range,
    /// Rank of the nuisances, by exact elimination.
    pub r_eta: usize,
    /// Not below 2 |W_O W_V|_* + 2 sum |w||v|, and not above the latter's enclosure from below.
    pub cost: Range,
    /// Not below the cost 2 |W_K^T W_Q|_* of the query-key matrix, in units of kappa/sqrt d.
    pub qk_cost: Rational,
}

impl Family {
    /// Checks every margin and label, and adds up the cost.
    ///
    /// # Errors
    /// The first thing that is not as a sink solution asks.
    pub fn decide(&self) -> Result<Decided, NoSolution> {
        self.unit_tokens()?;
        let (margins, least_margin) = self.margins()?;
        let (labels, phi, theta) = self.labels()?;
        let (cost, qk_cost) = self.costs()?;
        Ok(Decided {
            margins,
            labels,
            least_margin,
            phi,
            theta,
            r_eta: rank(self.nuisances.iter().cloned()),
            cost,
            qk_cost,
        })
    }

    fn tokens(&self) -> impl Iterator<Item = (String, &Sparse)> {
        let named = [("b".to_string(), &self.b), ("c".to_string(), &self.c)];
        let dormants = self.dormants.iter().enumerate();
        named
            .into_iter()
            .chain(dormants.map(|(i, d)| (format!("d_{}", i + 1), d)))
    }

    fn unit_tokens(&self) -> Result<(), NoSolution> {
        for (token, x) in self.tokens() {
            let square = dot(x, x);
            if !square.is_one() {
                let name = self.name.clone();
                return Err(NoSolution::Norm {
                    name,
                    token,
                    square,
                });
            }
        }
        Ok(())
    }

    /// BOS wins for dormant queries over everything else; for the copy query a dormant wins over BOS and itself where one
    /// is present, BOS over itself where none is.
    fn margins(&self) -> Result<(u128, Rational), NoSolution> {
        let all: Vec<(String, &Sparse)> = self.tokens().collect();
        let keys: Vec<Vec<Rational>> = all
            .iter()
            .map(|(_, x)| self.qk.iter().map(|(k, _)| dot(k, x)).collect())
            .collect();
        let logits = |query: &Sparse| -> Vec<Rational> {
            let reads: Vec<Rational> = self.qk.iter().map(|(_, q)| dot(q, query)).collect();
            let logit = |key: &Vec<Rational>| key.iter().zip(&reads).map(|(a, b)| a * b).sum();
            keys.iter().map(logit).collect()
        };
        let (mut count, mut least) = (0u128, None::<Rational>);
        let mut ask = |query: usize, found: &[Rational], winner: usize, loser: usize| {
            let margin = &found[winner] - &found[loser];
            count += 1;
            if margin < Rational::one() {
                let name = |k: usize| all[k].0.clone();
                return Err(NoSolution::Margin {
                    name: self.name.clone(),
                    query: name(query),
                    winner: name(winner),
                    loser: name(loser),
                    margin,
                });
            }
            if least.as_ref().is_none_or(|m| margin < *m) {
                least = Some(margin);
            }
            Ok(())
        };
        let (bos, copy) = (0, 1);
        for query in 2..all.len() {
            let found = logits(all[query].1);
            for loser in 1..all.len() {
                ask(query, &found, bos, loser)?;
            }
        }
        let found = logits(all[copy].1);
        ask(copy, &found, bos, copy)?;
        for winner in 2..all.len() {
            ask(copy, &found, winner, bos)?;
            ask(copy, &found, winner, copy)?;
        }
        Ok((count, least.unwrap_or_default()))
    }

    /// `W_O W_V x`.
    fn value(&self, x: &Sparse) -> Sparse {
        combine(self.vo.iter().map(|(out, read)| (dot(read, x), out)))
    }

    /// The factor f with output = base + f d, where attention adds `read` to `own`.
    fn factor(
        &self,
        place: &str,
        own: &Sparse,
        read: &Sparse,
        base: &Sparse,
        d: &Sparse,
    ) -> Result<Rational, NoSolution> {
        let one = Rational::one;
        let state = combine([(one(), own), (one(), &self.value(read))]);
        let found = output(&state, &self.neurons, &self.output_bias);
        let missed = || NoSolution::Label {
            name: self.name.clone(),
            place: place.to_string(),
        };
        let exact = found.exact().ok_or_else(missed)?;
        let rest = combine([(one(), exact), (-one(), base)]);
        // d is a unit vector or, where nothing may be added, zero.
        let factor = dot(&rest, d);
        if combine([(factor.clone(), d)]) == rest {
            Ok(factor)
        } else {
            Err(missed())
        }
    }

    /// How many labels were decided, and the ranges of phi and theta.
    fn labels(&self) -> Result<(u128, Range, Range), NoSolution> {
        let nothing = Sparse::new();
        self.factor("BOS", &self.b, &self.b, &self.b, &nothing)?;
        self.factor(
            "the copy token without dormant",
            &self.c,
            &self.b,
            &self.c,
            &nothing,
        )?;
        let (mut phi, mut theta): (Vec<Rational>, Vec<Rational>) = Default::default();
        for (i, d) in self.dormants.iter().enumerate() {
            let place = format!("d_{}", i + 1);
            let factor = self.factor(&place, d, &self.b, &nothing, d)? - Rational::one();
            phi.push(self.within(&place, factor)?);
            let place = format!("c after d_{}", i + 1);
            let factor = self.factor(&place, &self.c, d, &self.c, d)?;
            theta.push(self.within(&place, factor)?);
        }
        let range = |all: &[Rational]| {
            let least = all.iter().min().cloned().unwrap_or_default();
            (least, all.iter().max().cloned().unwrap_or_default())
        };
        let count = 2 + phi.len() as u128 + theta.len() as u128;
        Ok((count, range(&phi), range(&theta)))
    }

    fn within(&self, place: &str, factor: Rational) -> Result<Rational, NoSolution> {
        if (&factor - Rational::one()).abs() <= ratio(1, 4) {
            return Ok(factor);
        }
        Err(NoSolution::Tolerance {
            name: self.name.clone(),
            place: place.to_string(),
            factor,
        })
    }

    /// The cost of value map and MLP, enclosed, and an upper bound on that of the query-key matrix.
    fn costs(&self) -> Result<(Range, Rational), NoSolution> {
        for (j, (out, read)) in self.vo.iter().enumerate() {
            for (i, (out_before, read_before)) in self.vo[..j].iter().enumerate() {
                if !dot(out, out_before).is_zero() || !dot(read, read_before).is_zero() {
                    return Err(NoSolution::Terms {
                        name: self.name.clone(),
                        first: i,
                        second: j,
                    });
                }
            }
        }
        let norms = |a: &Sparse, b: &Sparse| {
            sqrt_enclosure(&(dot(a, a) * dot(b, b)), BITS).ok_or_else(|| NoSolution::Root {
                name: self.name.clone(),
            })
        };
        let two = Rational::integer(2);
        let (mut low, mut high) = (Rational::zero(), Rational::zero());
        let pairs = self.vo.iter().map(|(a, b)| (a, b));
        for (a, b) in pairs.chain(self.neurons.iter().map(|n| (&n.reads, &n.writes))) {
            let (l, h) = norms(a, b)?;
            low += &two * l;
            high += &two * h;
        }
        let mut qk = Rational::zero();
        for (key, query) in &self.qk {
            qk += &two * norms(key, query)?.1;
        }
        Ok(((low, high), qk))
    }
}
