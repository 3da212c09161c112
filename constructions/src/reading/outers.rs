//! A definition read as a list of scaled outer products, once for every task.

use crate::language::{Atom, Extents, Family, Index, Matrix, Powers, Var, Vector};
use crate::matrix::{Outer, Sparse, combine};
use exact::{Field, Rational};
use std::collections::BTreeMap;

/// What the words of the language mean in a task.
pub trait Meaning<F: Field> {
    /// A space in which vectors are read.
    type Side: Copy;

    /// How far indices run.
    fn extents(&self) -> Extents;

    /// Member `k` of a family, in coordinates of a side; zero outside the family.
    fn member(&self, family: Family, k: i64, side: Self::Side) -> Sparse<F>;

    /// Powers of the task's parameters; nothing where they have no value.
    fn powers(&self, powers: Powers) -> Option<F>;
}

/// All outer products, sums over shared indices carried out. A term without a value (0 to a negative power) is left out.
pub fn outers<F: Field, M: Meaning<F>>(
    definition: &Matrix,
    meaning: &M,
    left: M::Side,
    right: M::Side,
) -> Vec<Outer<F>> {
    let extents = meaning.extents();
    let mut all = Vec::new();
    for term in &definition.0 {
        let c = &term.coefficient;
        let over = c.over.map_or(Rational::integer(1), |form| {
            Rational::from(form.at(&extents))
        });
        let (Some(plain), Some(powers)) = (c.value.checked_div(&over), meaning.powers(c.powers))
        else {
            continue;
        };
        let coefficient = F::from(plain).times(&powers);
        let indices: Vec<Vec<(Var, i64)>> = match &term.over {
            None => vec![Vec::new()],
            Some((v, range)) => range.at(&extents).map(|k| vec![(*v, k)]).collect(),
        };
        for bound in indices {
            let outer = Outer {
                coefficient: coefficient.clone(),
                left: vector(&term.left, meaning, left, &bound),
                right: vector(&term.right, meaning, right, &bound),
            };
            if !outer.left.is_empty() && !outer.right.is_empty() {
                all.push(outer);
            }
        }
    }
    all
}

fn place(index: Index, bound: &[(Var, i64)]) -> i64 {
    let base = index
        .var
        .and_then(|v| bound.iter().rev().find(|(w, _)| *w == v))
        .map_or(0, |(_, k)| *k);
    base + index.offset
}

/// A vector with its inner sums carried out.
fn vector<F: Field, M: Meaning<F>>(
    vector: &Vector,
    meaning: &M,
    side: M::Side,
    bound: &[(Var, i64)],
) -> Sparse<F> {
    let member = |atom: &Atom, bound: &[(Var, i64)]| {
        meaning.member(atom.family, place(atom.index, bound), side)
    };
    let mut parts: Vec<(F, Sparse<F>)> = Vec::new();
    for term in &vector.0 {
        match &term.over {
            None => parts.push((term.coefficient.clone().into(), member(&term.atom, bound))),
            Some((v, range)) => {
                let mut inner = bound.to_vec();
                for k in range.at(&meaning.extents()) {
                    inner.push((*v, k));
                    let weight = if term.by_index {
                        &term.coefficient * Rational::integer(k)
                    } else {
                        term.coefficient.clone()
                    };
                    parts.push((weight.into(), member(&term.atom, &inner)));
                    inner.pop();
                }
            }
        }
    }
    // Unit vectors of distinct atoms are the common case; summing through a map keeps long sums linear.
    if parts.iter().all(|(_, v)| v.len() <= 1) {
        let mut map = BTreeMap::<usize, F>::new();
        for (c, v) in &parts {
            for (k, x) in v {
                let entry = map.entry(*k).or_insert_with(F::nought);
                *entry = entry.plus(&c.times(x));
            }
        }
        return map.into_iter().filter(|(_, x)| !x.is_nought()).collect();
    }
    combine(parts.iter().map(|(c, v)| (c.clone(), v)))
}
