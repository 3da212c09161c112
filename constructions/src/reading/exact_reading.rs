//! Exact reading: a definition as a sparse matrix of rationals, in the coordinates of the frame.

use crate::Sizes;
use crate::basis::Basis;
use crate::language::{Atom, Family, Index, Matrix, Vector};
use crate::matrix::{Hidden, HiddenMap, Operator, Outer, Sparse, combine};
use exact::Rational;
use num_traits::{One, Zero};

/// The hidden layer of an MLP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The paper's: one unit for each coordinate of R^d, so `h_i` on that side is `h_i` in standard coordinates.
    Ambient,
    /// The mended one: D + T units named `e_i` and `e_t`, and `extra` ones for the first-position repair.
    Units {
        /// 0 or 1.
        extra: usize,
    },
}

impl Layer {
    /// Number of hidden units.
    pub fn units(&self, sizes: &Sizes) -> usize {
        match self {
            Layer::Ambient => sizes.width,
            Layer::Units { extra } => sizes.d + sizes.t + extra,
        }
    }
}

/// Which space a side of an outer product lives in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The residual stream, in frame coordinates.
    Residual,
    /// The hidden layer.
    Hidden(Layer),
}

impl Side {
    /// Its dimension.
    pub fn dimension(&self, sizes: &Sizes) -> usize {
        match self {
            Side::Residual => sizes.width,
            Side::Hidden(layer) => layer.units(sizes),
        }
    }
}

struct Reader<'a> {
    sizes: &'a Sizes,
    basis: &'a Basis,
}

impl Reader<'_> {
    fn index(&self, index: Index, bound: &[(crate::language::Var, i64)]) -> i64 {
        let base = index
            .var
            .and_then(|v| bound.iter().rev().find(|(w, _)| *w == v))
            .map_or(0, |(_, k)| *k);
        base + index.offset
    }

    /// One atom as a sparse vector. The all-ones vector is handled by the callers that can keep it factored.
    fn atom(&self, atom: &Atom, side: Side, bound: &[(crate::language::Var, i64)]) -> Sparse {
        let sizes = self.sizes;
        let k = self.index(atom.index, bound);
        let (t, c, v) = (sizes.t as i64, sizes.c as i64, sizes.v() as i64);
        // The first and last index of the family, and where its first member stands. Outside, a member is zero.
        let (first, last, start) = match atom.family {
            Family::Context => (0, v, sizes.h(0)),
            Family::Position => (0, t, sizes.p(0)),
            Family::Frame => (0, sizes.width as i64 - 1, 0),
            Family::ContextUnit => (c + 1, v, 0),
            Family::PositionUnit => (1, t, sizes.d),
            Family::FirstUnit => (0, 0, sizes.d + sizes.t),
            Family::Ones => {
                return (0..side.dimension(sizes))
                    .map(|r| (r, Rational::one()))
                    .collect();
            }
        };
        if !(first..=last).contains(&k) {
            return Vec::new();
        }
        let place = start + (k - first) as usize;
        match side {
            Side::Hidden(Layer::Ambient) => self.basis.vector(place),
            _ => vec![(place, Rational::one())],
        }
    }

    /// A vector with its inner sums carried out.
    fn vector(&self, vector: &Vector, side: Side, bound: &[(crate::language::Var, i64)]) -> Sparse {
        let mut parts: Vec<(Rational, Sparse)> = Vec::new();
        for term in &vector.0 {
            match &term.over {
                None => parts.push((term.coefficient.clone(), self.atom(&term.atom, side, bound))),
                Some((v, range)) => {
                    let mut inner = bound.to_vec();
                    for k in range.at(self.sizes) {
                        inner.push((*v, k));
                        let weight = if term.by_index {
                            &term.coefficient * Rational::integer(k)
                        } else {
                            term.coefficient.clone()
                        };
                        parts.push((weight, self.atom(&term.atom, side, &inner)));
                        inner.pop();
                    }
                }
            }
        }
        // Unit vectors of distinct atoms are the common case; summing through a map keeps long sums linear.
        if parts.iter().all(|(_, v)| v.len() <= 1) {
            let mut map = std::collections::BTreeMap::<usize, Rational>::new();
            for (c, v) in &parts {
                for (k, x) in v {
                    *map.entry(*k).or_default() += c * x;
                }
            }
            return map.into_iter().filter(|(_, x)| !x.is_zero()).collect();
        }
        combine(parts.iter().map(|(c, v)| (c.clone(), v)))
    }
}

/// The definition as the list of its scaled outer products, sums over shared indices carried out.
pub fn rank_ones(
    definition: &Matrix,
    left: Side,
    right: Side,
    sizes: &Sizes,
    basis: &Basis,
) -> Vec<Outer> {
    let reader = Reader { sizes, basis };
    let mut all = Vec::new();
    for term in &definition.0 {
        let over = term
            .coefficient
            .over
            .map_or(Rational::one(), |form| Rational::from(form.at(sizes)));
        let Some(coefficient) = term.coefficient.value.checked_div(&over) else {
            continue;
        };
        let indices: Vec<Vec<_>> = match &term.over {
            None => vec![Vec::new()],
            Some((v, range)) => range.at(sizes).map(|k| vec![(*v, k)]).collect(),
        };
        for bound in indices {
            let outer = Outer {
                coefficient: coefficient.clone(),
                left: reader.vector(&term.left, left, &bound),
                right: reader.vector(&term.right, right, &bound),
            };
            if !outer.left.is_empty() && !outer.right.is_empty() {
                all.push(outer);
            }
        }
    }
    all
}

/// The definition as a matrix; outer products that would be dense stay factored.
pub fn operator(
    definition: &Matrix,
    left: Side,
    right: Side,
    sizes: &Sizes,
    basis: &Basis,
) -> Operator {
    let (mut entries, mut outers) = (Vec::new(), Vec::new());
    for outer in rank_ones(definition, left, right, sizes, basis) {
        let (a, b) = (outer.left.len(), outer.right.len());
        if a * b > 2 * (a + b) + 64 && right == Side::Residual {
            outers.push(outer);
            continue;
        }
        for (j, y) in &outer.right {
            let c = &outer.coefficient * y;
            entries.extend(outer.left.iter().map(|(i, x)| (*i, *j, &c * x)));
        }
    }
    let mut matrix = Operator::from_entries(left.dimension(sizes), right.dimension(sizes), entries);
    matrix.outers = outers;
    matrix
}

/// The definition as a map into the hidden layer; all-ones vectors on the left stay constants.
pub fn hidden_map(definition: &Matrix, layer: Layer, sizes: &Sizes, basis: &Basis) -> HiddenMap {
    let mut constants = vec![Rational::zero(); sizes.width];
    let is_ones = |v: &Vector| matches!(v.0.as_slice(), [t] if t.atom.family == Family::Ones && t.over.is_none());
    let (with_ones, plain): (Vec<_>, Vec<_>) =
        definition.0.iter().cloned().partition(|t| is_ones(&t.left));
    for mut term in with_ones {
        term.coefficient.value *= &term.left.0[0].coefficient;
        // The constant is read as a multiple of one hidden row.
        term.left = crate::language::frame(0);
        for outer in rank_ones(
            &Matrix(vec![term]),
            Side::Residual,
            Side::Residual,
            sizes,
            basis,
        ) {
            for (k, y) in &outer.right {
                constants[*k] += &outer.coefficient * y;
            }
        }
    }
    let rest = operator(
        &Matrix(plain),
        Side::Hidden(layer),
        Side::Residual,
        sizes,
        basis,
    );
    let units = layer.units(sizes);
    let column = |k: usize| {
        let default = constants[k].clone();
        let listed = rest.column(k);
        if default.is_zero() {
            // A column that is constant on most rows, such as a kill written out, becomes a constant.
            return Hidden::compress(units, &listed);
        }
        let exceptions = listed.into_iter().map(|(r, x)| (r, x + &default)).collect();
        Hidden {
            default,
            exceptions,
        }
    };
    HiddenMap {
        units,
        columns: (0..sizes.width).map(column).collect(),
    }
}
