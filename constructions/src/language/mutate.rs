//! Small changes of a definition. A check that accepts one of them must say why; the kill table asks for all.

use super::index::{Affine, Index, Range};
use super::term::{Atom, Family, Matrix, Member, Powers, Vector};
use exact::{Rational, ratio};

/// A changed definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutation {
    /// What was changed.
    pub change: String,
    /// The changed definition; it prints as a formula.
    pub mutated: Matrix,
}

/// Every coefficient doubled, halved, negated; every term and summand dropped; every index shifted by one; every range
/// exchanged or shortened; `h_0` and `p_0` put for each other; the transpose.
pub fn mutations(definition: &Matrix) -> Vec<Mutation> {
    let mut all = Changes {
        original: definition,
        found: Vec::new(),
    };
    for (k, term) in definition.0.iter().enumerate() {
        let name = format!("term {}", k + 1);
        all.add(format!("{name} dropped"), |m| drop(m.0.remove(k)));
        for (how, factor) in factors() {
            all.add(format!("{name} {how}"), |m| {
                m.0[k].coefficient.value *= &factor;
            });
        }
        for (v, range) in term.over.iter() {
            for other in other_ranges(range) {
                all.add(format!("{name}: sum over {}", other), |m| {
                    m.0[k].over = Some((*v, other));
                });
            }
        }
        if let Some(form) = term.coefficient.over {
            for step in [-1, 1] {
                all.add(format!("{name}: divisor {step:+}"), |m| {
                    m.0[k].coefficient.over = Some(shifted(form, step));
                });
            }
        }
        let Powers {
            lambda,
            separation,
            epsilon,
        } = term.coefficient.powers;
        for (symbol, power) in [
            ("lambda", lambda),
            ("Delta", separation),
            ("epsilon", epsilon),
        ] {
            for step in [-1, 1].into_iter().filter(|_| power != 0) {
                all.add(format!("{name}: power of {symbol} {step:+}"), |m| {
                    let powers = &mut m.0[k].coefficient.powers;
                    *match symbol {
                        "lambda" => &mut powers.lambda,
                        "Delta" => &mut powers.separation,
                        _ => &mut powers.epsilon,
                    } += step;
                });
            }
        }
        for left in [true, false] {
            all.vector(k, left, if left { &term.left } else { &term.right });
        }
    }
    all.add("h_0 and p_0 exchanged".into(), |m| {
        for term in &mut m.0 {
            for part in term.left.0.iter_mut().chain(&mut term.right.0) {
                if matches!(part.atom.family, Family::Context | Family::Position) {
                    part.atom = exchanged(&part.atom).unwrap_or(part.atom);
                }
            }
        }
    });
    // A map between different spaces has no transpose of the same shape.
    let unit = |v: &Vector| {
        v.0.iter().any(|part| {
            matches!(
                part.atom.family,
                Family::ContextUnit
                    | Family::PositionUnit
                    | Family::FirstUnit
                    | Family::ClusterUnit(_)
            )
        })
    };
    if definition.0.iter().any(|t| unit(&t.left) || unit(&t.right)) {
        return all.found;
    }
    all.add("transposed".into(), |m| {
        for term in &mut m.0 {
            std::mem::swap(&mut term.left, &mut term.right);
        }
    });
    all.found
}

struct Changes<'a> {
    original: &'a Matrix,
    found: Vec<Mutation>,
}

impl Changes<'_> {
    fn add(&mut self, change: String, edit: impl FnOnce(&mut Matrix)) {
        let mut mutated = self.original.clone();
        edit(&mut mutated);
        // A transposed projector is itself: nothing was changed.
        if mutated != *self.original {
            self.found.push(Mutation { change, mutated });
        }
    }

    fn vector(&mut self, k: usize, left: bool, vector: &Vector) {
        let side = if left { "left" } else { "right" };
        let several = vector.0.len() > 1;
        for (l, part) in vector.0.iter().enumerate() {
            let name = format!("term {} {side} {}", k + 1, part.atom);
            let at = |m: &mut Matrix, edit: &dyn Fn(&mut Vector)| {
                let term = &mut m.0[k];
                edit(if left {
                    &mut term.left
                } else {
                    &mut term.right
                });
            };
            if several {
                self.add(format!("{name} dropped"), |m| {
                    at(m, &|v| drop(v.0.remove(l)));
                });
                for (how, factor) in factors() {
                    self.add(format!("{name} {how}"), |m| {
                        at(m, &|v| v.0[l].coefficient *= &factor);
                    });
                }
            }
            let single = [
                Family::Ones,
                Family::FirstUnit,
                Family::Cluster(Member::Bos),
                Family::Dual(Member::Bos),
            ];
            if !single.contains(&part.atom.family) {
                for step in [-1, 1] {
                    self.add(format!("{name} index {step:+}"), |m| {
                        at(m, &|v| v.0[l].atom.index.offset += step);
                    });
                }
            }
            if let Some(other) = exchanged(&part.atom) {
                self.add(format!("{name} -> {other}"), |m| {
                    at(m, &|v| v.0[l].atom = other);
                });
            }
            for (v, range) in part.over.iter() {
                for other in other_ranges(range) {
                    self.add(format!("{name}: sum over {}", other), |m| {
                        at(m, &|x| x.0[l].over = Some((*v, other)));
                    });
                }
            }
        }
    }
}

fn factors() -> [(&'static str, Rational); 3] {
    [
        ("negated", Rational::integer(-1)),
        ("doubled", Rational::integer(2)),
        ("halved", ratio(1, 2)),
    ]
}

/// `h_0` for `p_0`, a group's direction for its copy token, and the reverse.
fn exchanged(atom: &Atom) -> Option<Atom> {
    let zero = Index::from(0);
    let other = match atom.family {
        Family::Cluster(of) => partner(of).map(Family::Cluster),
        Family::Dual(of) => partner(of).map(Family::Dual),
        Family::ClusterUnit(of) => partner(of).map(Family::ClusterUnit),
        _ => None,
    };
    if let Some(family) = other {
        let index = atom.index;
        return Some(Atom { family, index });
    }
    let family = match atom.family {
        Family::Context => Family::Position,
        Family::Position => Family::Context,
        _ => return None,
    };
    (atom.index == zero).then_some(Atom {
        family,
        index: zero,
    })
}

fn partner(of: Member) -> Option<Member> {
    match of {
        Member::Centroid => Some(Member::Copy),
        Member::Copy => Some(Member::Centroid),
        Member::Bos | Member::Nuisance => None,
    }
}

fn shifted(form: Affine, step: i64) -> Affine {
    Affine {
        constant: form.constant + step,
        ..form
    }
}

fn other_ranges(range: &Range) -> Vec<Range> {
    match range {
        Range::Copy => vec![Range::Dormant, Range::Context],
        Range::Dormant => vec![Range::Copy, Range::Context],
        Range::Context => vec![Range::Copy, Range::Dormant],
        Range::Steps(from, to) => [(1, 0), (-1, 0), (0, -1), (0, 1)]
            .into_iter()
            .map(|(a, b)| Range::Steps(shifted(*from, a), shifted(*to, b)))
            .collect(),
        Range::Frame | Range::Second | Range::Nuisances => Vec::new(),
    }
}
