//! Exact reading: a definition as a sparse matrix of rationals, in the coordinates of the frame.

use super::outers::{Meaning, outers};
use crate::Sizes;
use crate::basis::Basis;
use crate::language::{Extents, Family, Matrix, Powers, Vector};
use crate::matrix::{Hidden, HiddenMap, Operator, Outer, Sparse};
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

impl Meaning<Rational> for Reader<'_> {
    type Side = Side;

    fn extents(&self) -> Extents {
        self.sizes.into()
    }

    /// The all-ones vector is handled by the callers that can keep it factored.
    fn member(&self, family: Family, k: i64, side: Side) -> Sparse {
        let sizes = self.sizes;
        let (t, c, v) = (sizes.t as i64, sizes.c as i64, sizes.v() as i64);
        // The first and last index of the family, and where its first member stands. Outside, a member is zero.
        let (first, last, start) = match family {
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
            // Vectors of another task.
            Family::Cluster(_) | Family::Dual(_) | Family::ClusterUnit(_) => return Vec::new(),
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

    /// The parameters of another task have no value here.
    fn powers(&self, powers: Powers) -> Option<Rational> {
        (powers == Powers::default()).then(Rational::one)
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
    outers(definition, &Reader { sizes, basis }, left, right)
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
