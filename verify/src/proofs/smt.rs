//! A step as SMT-LIB text: the hypotheses and the negated goal, which any solver must find unsatisfiable.

use super::formula::Ring;
use super::step::{Question, Step};
use certificates::cases::{Problem, Relation};
use certificates::positivity;
use exact::Rational;
use exact::formula::{Expression, Fact, Form};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A query, with the answer that the step predicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// What it asks, for people.
    pub asks: String,
    /// The text.
    pub text: String,
    /// `unsat` or `sat`.
    pub expected: &'static str,
}

/// A formula in SMT-LIB, as it stands: the solver expands it itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula(String);

impl Ring for Formula {
    fn number(x: Rational) -> Formula {
        Formula(number(&x))
    }

    fn variable(name: &str) -> Formula {
        Formula(name.to_string())
    }

    fn add(&self, other: &Formula) -> Formula {
        Formula(format!("(+ {} {})", self.0, other.0))
    }

    fn subtract(&self, other: &Formula) -> Formula {
        Formula(format!("(- {} {})", self.0, other.0))
    }

    fn multiply(&self, other: &Formula) -> Formula {
        Formula(format!("(* {} {})", self.0, other.0))
    }
}

/// The formulas of a problem over the reals, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The hypotheses.
    pub hypotheses: Vec<Formula>,
    /// The equations.
    pub equations: Vec<Formula>,
    /// The goal.
    pub goal: Formula,
}

/// Two queries: can the goal fail (unsat), and can the hypotheses be met (sat)?
pub fn queries(step: &Step) -> [Query; 2] {
    let (head, fails) = match &step.question {
        Question::Integers(problem) => integers(problem),
        Question::Reals {
            problem, script, ..
        } => reals(problem, script),
    };
    let ask = |asks: String, body: &str, expected| Query {
        text: format!("; {asks}\n; expected: {expected}\n{head}{body}(check-sat)\n"),
        asks,
        expected,
    };
    [
        ask(format!("can it fail that {}?", step.says), &fails, "unsat"),
        ask("can the hypotheses be met?".into(), "", "sat"),
    ]
}

/// Declarations with the hypotheses, and the negated goal.
fn integers(problem: &Problem) -> (String, String) {
    let mut names = BTreeSet::new();
    for fact in &problem.facts {
        names.extend(fact.form().terms.keys());
    }
    variables(&problem.goal, &mut names);
    let mut head = "(set-logic ALL)\n".to_string();
    for name in names {
        let _ = writeln!(head, "(declare-const {name} Int)");
    }
    for fact in &problem.facts {
        let _ = writeln!(head, "(assert {}) ; {fact}", truth(fact));
    }
    let relation = match problem.relation {
        Relation::AtLeast => ">=",
        Relation::Equal => "=",
    };
    let (goal, bound) = (value(&problem.goal), number(&problem.bound));
    (
        head,
        format!("(assert (not ({relation} {goal} {bound})))\n"),
    )
}

fn reals(problem: &positivity::Problem, script: &Script) -> (String, String) {
    let mut head = "(set-logic QF_NRA)\n".to_string();
    for name in &problem.variables {
        let _ = writeln!(head, "(declare-const {name} Real)");
    }
    for (h, Formula(text)) in problem.hypotheses.iter().zip(&script.hypotheses) {
        let relation = if h.strict { ">" } else { ">=" };
        let _ = writeln!(head, "(assert ({relation} {text} 0.0)) ; {}", h.name);
    }
    for ((name, _), Formula(text)) in problem.equations.iter().zip(&script.equations) {
        let _ = writeln!(head, "(assert (= {text} 0.0)) ; {name}");
    }
    let fails = if problem.strict { "<=" } else { "<" };
    let goal = &script.goal.0;
    (head, format!("(assert ({fails} {goal} 0.0))\n"))
}

fn variables<'a>(expression: &'a Expression, names: &mut BTreeSet<&'a String>) {
    match expression {
        Expression::Number(_) => {}
        Expression::Sum(terms) => terms.iter().for_each(|(_, e)| variables(e, names)),
        Expression::Where(facts, inner) => {
            names.extend(facts.iter().flat_map(|f| f.form().terms.keys()));
            variables(inner, names);
        }
        Expression::Relu(inner) => variables(inner, names),
    }
}

fn integer(x: i64) -> String {
    if x < 0 {
        format!("(- {})", x.unsigned_abs())
    } else {
        x.to_string()
    }
}

fn number(x: &Rational) -> String {
    let (numer, denom) = (x.numer(), x.denom());
    let size = format!("(/ {}.0 {denom}.0)", numer.magnitude());
    if x.is_negative() {
        format!("(- {size})")
    } else {
        size
    }
}

fn linear(form: &Form) -> String {
    let terms = form.terms.iter();
    let parts: Vec<String> = terms
        .map(|(name, x)| format!("(* {} {name})", integer(*x)))
        .collect();
    format!("(+ {} {})", integer(form.constant), parts.join(" "))
}

fn truth(fact: &Fact) -> String {
    let relation = match fact {
        Fact::Zero(_) => "=",
        Fact::NonNegative(_) => ">=",
    };
    if fact.form().terms.is_empty() {
        return format!("({relation} {} 0)", integer(fact.form().constant));
    }
    format!("({relation} {} 0)", linear(fact.form()))
}

fn value(expression: &Expression) -> String {
    match expression {
        Expression::Number(x) => number(x),
        Expression::Sum(terms) if terms.is_empty() => "0.0".into(),
        Expression::Sum(terms) => {
            let scaled = |(factor, e): &(Rational, Expression)| {
                format!("(* {} {})", number(factor), value(e))
            };
            let parts: Vec<String> = terms.iter().map(scaled).collect();
            format!("(+ 0.0 {})", parts.join(" "))
        }
        Expression::Where(facts, inner) => {
            let all: Vec<String> = facts.iter().map(truth).collect();
            format!("(ite (and true {}) {} 0.0)", all.join(" "), value(inner))
        }
        Expression::Relu(inner) => {
            let x = value(inner);
            format!("(let ((x {x})) (ite (> x 0.0) x 0.0))")
        }
    }
}
