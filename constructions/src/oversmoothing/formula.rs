//! Formulas of Section 5 as data: sums of products, written once and read as numbers or as text for proofs.

use exact::Rational;
use std::fmt::{self, Display, Formatter};

/// What formulas are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbol {
    /// beta, the scale of the skip connection.
    Beta,
    /// lambda, from no mixing (0) to uniform attention (1).
    Lambda,
    /// 1/i, i being the row of a weight or the token of a norm.
    OverI,
    /// 1/j, j being the later token of a pair.
    OverJ,
    /// tr(B).
    TraceB,
    /// tr(BW).
    TraceBw,
    /// tr(B W^T W), the paper's q of the sharp conditions.
    TraceBww,
    /// tr(C).
    TraceC,
    /// tr(CW).
    TraceCw,
    /// tr(C W^T W).
    TraceCww,
}

impl Symbol {
    /// All symbols.
    pub const ALL: [Symbol; 10] = [
        Symbol::Beta,
        Symbol::Lambda,
        Symbol::OverI,
        Symbol::OverJ,
        Symbol::TraceB,
        Symbol::TraceBw,
        Symbol::TraceBww,
        Symbol::TraceC,
        Symbol::TraceCw,
        Symbol::TraceCww,
    ];

    /// The name in formulas.
    pub fn name(self) -> &'static str {
        match self {
            Symbol::Beta => "b",
            Symbol::Lambda => "L",
            Symbol::OverI => "x",
            Symbol::OverJ => "y",
            Symbol::TraceB => "b0",
            Symbol::TraceBw => "t",
            Symbol::TraceBww => "q",
            Symbol::TraceC => "c0",
            Symbol::TraceCw => "c1",
            Symbol::TraceCww => "c2",
        }
    }
}

/// A coefficient times powers of symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The coefficient.
    pub coefficient: Rational,
    /// The symbols, with powers >= 1.
    pub powers: Vec<(Symbol, u32)>,
}

/// A sum of terms; none stand for 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula(pub Vec<Term>);

/// The sum of coefficients times products of symbols, a symbol as often as it is listed.
pub(super) fn sum(terms: &[(i64, &[Symbol])]) -> Formula {
    let term = |(coefficient, symbols): &(i64, &[Symbol])| {
        let mut powers: Vec<(Symbol, u32)> = Vec::new();
        for symbol in *symbols {
            match powers.iter_mut().find(|(s, _)| s == symbol) {
                Some((_, power)) => *power += 1,
                None => powers.push((*symbol, 1)),
            }
        }
        Term {
            coefficient: Rational::integer(*coefficient),
            powers,
        }
    };
    Formula(terms.iter().map(term).collect())
}

impl Formula {
    /// The value, from the values of symbols.
    pub fn at(&self, value: impl Fn(Symbol) -> Rational) -> Rational {
        let factor = |(symbol, power): &(Symbol, u32)| value(*symbol).pow(*power);
        let term = |t: &Term| {
            let factors = t.powers.iter().map(factor);
            factors.fold(t.coefficient.clone(), |product, x| product * x)
        };
        self.0.iter().map(term).sum()
    }

    /// The formula as text, in parentheses, with symbols renamed.
    pub fn named<'a>(&self, name: impl Fn(Symbol) -> &'a str) -> String {
        if self.0.is_empty() {
            return "(0)".into();
        }
        let mut text = String::new();
        for (k, term) in self.0.iter().enumerate() {
            text += match (k, term.coefficient.is_negative()) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            text += &term.coefficient.abs().to_string();
            for (symbol, power) in &term.powers {
                text += &format!("*{}", name(*symbol));
                if *power != 1 {
                    text += &format!("^{power}");
                }
            }
        }
        format!("({text})")
    }

    /// Every small change: a term left out, its sign turned, its coefficient doubled, a power raised, and a symbol exchanged.
    pub fn mutations(&self) -> Vec<(String, Formula)> {
        let mut all = Vec::new();
        for k in 0..self.0.len() {
            let mut push = |what: String, change: &dyn Fn(&mut Term)| {
                let mut formula = self.clone();
                change(&mut formula.0[k]);
                formula.0.retain(|t| !t.coefficient.is_zero());
                all.push((format!("term {}: {what}", k + 1), formula));
            };
            for (what, factor) in [("left out", 0), ("negated", -1), ("doubled", 2)] {
                let factor = Rational::integer(factor);
                push(what.into(), &|t| t.coefficient *= &factor);
            }
            for (n, (symbol, _)) in self.0[k].powers.iter().enumerate() {
                push(format!("one more {}", symbol.name()), &|t| {
                    t.powers[n].1 += 1
                });
                for other in Symbol::ALL.into_iter().filter(|s| s != symbol) {
                    push(format!("{} for {}", other.name(), symbol.name()), &|t| {
                        t.powers[n].0 = other
                    });
                }
            }
        }
        all
    }
}

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(&self.named(Symbol::name))
    }
}
