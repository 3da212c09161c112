//! Vectors, covectors and matrices of the language, and how they are combined.

use super::index::{Affine, FRAME, Index, Range, Var, var};
use exact::Rational;
use std::ops::{Add, Mul, Neg, Sub};

/// A family of vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `h_i`, the context embeddings; `h_0` is BOS's.
    Context,
    /// `p_t`, the positional embeddings.
    Position,
    /// `q_k`, all vectors of the orthonormal frame of R^d.
    Frame,
    /// `e_i`, the hidden unit that belongs to dormant token `i`.
    ContextUnit,
    /// `e_t`, the hidden unit that belongs to position `t`.
    PositionUnit,
    /// The one extra hidden unit of the first-position repair.
    FirstUnit,
    /// The all-ones vector of the hidden layer. It has no index.
    Ones,
    /// A vector of the cluster task (Theorem 7.2).
    Cluster(Member),
    /// Its dual, `Pi^T e_j` in the paper: inner product 1 with its own vector and 0 with every other one.
    Dual(Member),
    /// The hidden unit that belongs to it.
    ClusterUnit(Member),
}

/// The vectors of the cluster task, divided by sqrt d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// `b`, BOS. It has no index.
    Bos,
    /// `dbar_c`, the direction of dormant group c.
    Centroid,
    /// `c_c`, the copy token of group c.
    Copy,
    /// `g_k`, an orthogonal basis of the nuisance span; not normalised, so that it is rational.
    Nuisance,
}

/// A member of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The family.
    pub family: Family,
    /// Which member.
    pub index: Index,
}

/// One term of a vector: `coefficient * sum over range of atom`, or of index times atom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorTerm {
    /// The coefficient.
    pub coefficient: Rational,
    /// Is every atom of the sum also multiplied by its summation index?
    pub by_index: bool,
    /// The sum inside the vector, if any.
    pub over: Option<(Var, Range)>,
    /// The atom.
    pub atom: Atom,
}

/// A linear combination of atoms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector(pub Vec<VectorTerm>);

/// A transposed vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covector(pub Vector);

/// A rational number, possibly over an affine form of the sizes, possibly times powers of the cluster task's parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coefficient {
    /// The numerator.
    pub value: Rational,
    /// The form below it, if any.
    pub over: Option<Affine>,
    /// Powers of lambda, Delta and epsilon.
    pub powers: Powers,
}

/// `lambda^i Delta^j epsilon^k`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Powers {
    /// Of lambda, the share of the group direction in a dormant token.
    pub lambda: i32,
    /// Of Delta, the least squared distance of dormants that must be told apart, divided by d.
    pub separation: i32,
    /// Of the tolerance epsilon.
    pub epsilon: i32,
}

impl Powers {
    /// The product of both.
    pub fn times(self, other: Powers) -> Powers {
        Powers {
            lambda: self.lambda + other.lambda,
            separation: self.separation + other.separation,
            epsilon: self.epsilon + other.epsilon,
        }
    }
}

impl From<Rational> for Coefficient {
    fn from(value: Rational) -> Coefficient {
        Coefficient {
            value,
            over: None,
            powers: Powers::default(),
        }
    }
}

impl From<Powers> for Coefficient {
    fn from(powers: Powers) -> Coefficient {
        Coefficient {
            powers,
            ..Rational::from(1i64).into()
        }
    }
}

/// `lambda^k`.
pub fn lambda(k: i32) -> Coefficient {
    Powers {
        lambda: k,
        ..Powers::default()
    }
    .into()
}

/// `Delta^k`.
pub fn separation(k: i32) -> Coefficient {
    Powers {
        separation: k,
        ..Powers::default()
    }
    .into()
}

/// `epsilon`.
pub fn epsilon() -> Coefficient {
    Powers {
        epsilon: 1,
        ..Powers::default()
    }
    .into()
}

/// One term of a matrix: `coefficient * sum over ranges of left right^T`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The coefficient.
    pub coefficient: Coefficient,
    /// The sum that binds both sides, if any.
    pub over: Option<(Var, Range)>,
    /// The left vector.
    pub left: Vector,
    /// The right vector.
    pub right: Vector,
}

/// A sum of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix(pub Vec<Term>);

fn atom(family: Family, index: Index) -> Vector {
    Vector(vec![VectorTerm {
        coefficient: Rational::from(1i64),
        by_index: false,
        over: None,
        atom: Atom { family, index },
    }])
}

/// `h_i`.
pub fn h(i: impl Into<Index>) -> Vector {
    atom(Family::Context, i.into())
}

/// `p_t`.
pub fn p(t: impl Into<Index>) -> Vector {
    atom(Family::Position, t.into())
}

/// `q_k`, a frame vector.
pub fn frame(k: impl Into<Index>) -> Vector {
    atom(Family::Frame, k.into())
}

/// The hidden unit of dormant token `i`.
pub fn unit_h(i: impl Into<Index>) -> Vector {
    atom(Family::ContextUnit, i.into())
}

/// The hidden unit of position `t`.
pub fn unit_p(t: impl Into<Index>) -> Vector {
    atom(Family::PositionUnit, t.into())
}

/// The extra hidden unit of the first-position repair.
pub fn unit_first() -> Vector {
    atom(Family::FirstUnit, 0.into())
}

/// The all-ones vector of the hidden layer.
pub fn ones() -> Vector {
    atom(Family::Ones, 0.into())
}

/// `b`, BOS of the cluster task.
pub fn bos() -> Vector {
    atom(Family::Cluster(Member::Bos), 0.into())
}

/// `dbar_c`.
pub fn centroid(c: impl Into<Index>) -> Vector {
    atom(Family::Cluster(Member::Centroid), c.into())
}

/// `c_c`, a copy token of the cluster task.
pub fn copy(c: impl Into<Index>) -> Vector {
    atom(Family::Cluster(Member::Copy), c.into())
}

/// `g_k`.
pub fn nuisance(k: impl Into<Index>) -> Vector {
    atom(Family::Cluster(Member::Nuisance), k.into())
}

/// `sum_{v in range} vector`, inside one factor of an outer product.
pub fn total(v: Var, range: Range, vector: Vector) -> Vector {
    Vector(
        vector
            .0
            .into_iter()
            .map(|term| VectorTerm {
                over: Some((v, range)),
                ..term
            })
            .collect(),
    )
}

/// `sum_{v in range} v vector`: a ramp.
pub fn ramp(v: Var, range: Range, vector: Vector) -> Vector {
    Vector(
        vector
            .0
            .into_iter()
            .map(|term| VectorTerm {
                over: Some((v, range)),
                by_index: true,
                ..term
            })
            .collect(),
    )
}

/// `sum_{v in range} matrix`: the variable is bound on both sides of the outer product.
pub fn sum(v: Var, range: Range, matrix: Matrix) -> Matrix {
    Matrix(
        matrix
            .0
            .into_iter()
            .map(|term| Term {
                over: Some((v, range)),
                ..term
            })
            .collect(),
    )
}

/// The identity of R^d, as the sum of all frame projectors.
pub fn identity() -> Matrix {
    let k = var("k");
    sum(k, FRAME, frame(k) * frame(k).t())
}

/// `1 / form`.
pub fn one_over(form: Affine) -> Coefficient {
    Coefficient {
        over: Some(form),
        ..Rational::from(1i64).into()
    }
}

impl Vector {
    /// The transpose.
    pub fn t(self) -> Covector {
        Covector(self)
    }

    /// The duals of the cluster task's vectors.
    pub fn dual(self) -> Vector {
        self.each(Family::Dual)
    }

    /// The hidden units of the cluster task's vectors.
    pub fn unit(self) -> Vector {
        self.each(Family::ClusterUnit)
    }

    fn each(mut self, family: impl Fn(Member) -> Family) -> Vector {
        for term in &mut self.0 {
            if let Family::Cluster(of) = term.atom.family {
                term.atom.family = family(of);
            }
        }
        self
    }
}

impl Add for Vector {
    type Output = Vector;
    fn add(mut self, other: Vector) -> Vector {
        self.0.extend(other.0);
        self
    }
}

impl Neg for Vector {
    type Output = Vector;
    fn neg(self) -> Vector {
        Vector(
            self.0
                .into_iter()
                .map(|t| VectorTerm {
                    coefficient: -t.coefficient,
                    ..t
                })
                .collect(),
        )
    }
}

impl Sub for Vector {
    type Output = Vector;
    fn sub(self, other: Vector) -> Vector {
        self + -other
    }
}

impl Mul<Covector> for Vector {
    type Output = Matrix;
    fn mul(self, right: Covector) -> Matrix {
        Matrix(vec![Term {
            coefficient: Rational::from(1i64).into(),
            over: None,
            left: self,
            right: right.0,
        }])
    }
}

impl Mul<Vector> for Rational {
    type Output = Vector;
    fn mul(self, vector: Vector) -> Vector {
        Vector(
            vector
                .0
                .into_iter()
                .map(|t| VectorTerm {
                    coefficient: &self * &t.coefficient,
                    ..t
                })
                .collect(),
        )
    }
}

impl Mul<Matrix> for Rational {
    type Output = Matrix;
    fn mul(self, matrix: Matrix) -> Matrix {
        Coefficient::from(self) * matrix
    }
}

impl Mul<Matrix> for Coefficient {
    type Output = Matrix;
    fn mul(self, matrix: Matrix) -> Matrix {
        let scaled = |t: Term| {
            let value = &self.value * &t.coefficient.value;
            let coefficient = Coefficient {
                value,
                over: t.coefficient.over.or(self.over),
                powers: t.coefficient.powers.times(self.powers),
            };
            Term { coefficient, ..t }
        };
        Matrix(matrix.0.into_iter().map(scaled).collect())
    }
}

impl Add for Matrix {
    type Output = Matrix;
    fn add(mut self, other: Matrix) -> Matrix {
        self.0.extend(other.0);
        self
    }
}

impl Sub for Matrix {
    type Output = Matrix;
    fn sub(self, other: Matrix) -> Matrix {
        self + Rational::from(-1i64) * other
    }
}
