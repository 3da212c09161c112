//! Symbolic reading: the entries of a definition as formulas in T, C, D and the indices, for all sizes at once.
//!
//! Inner products of basis families contract to Kronecker deltas, and a sum over an index that a delta pins becomes the
//! condition that the index lies in the range. Nothing else is read: what does not fit is refused, never guessed.

use crate::language::{
    Affine, Family, Index, Matrix, Member, Powers, Range, Var, Vector, VectorTerm,
};
use exact::Rational;
use exact::formula::{Expression, Fact, Form};
use thiserror::Error;

/// `sum of factor times the member of a family`, with a symbolic index.
pub type Symbolic = Vec<(Rational, Family, Form)>;

/// `h_i + p_t`.
pub fn token(i: &Form, t: &Form) -> Symbolic {
    let one = || Rational::integer(1);
    vec![
        (one(), Family::Context, i.clone()),
        (one(), Family::Position, t.clone()),
    ]
}

/// What the symbolic reading cannot express.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unreadable {
    /// A sum whose index no delta pins.
    #[error("a sum over {0} whose index is not pinned")]
    Free(String),
    /// A sum over the whole frame that is not the identity.
    #[error("a sum over the frame that is not the identity")]
    Frame,
    /// A weight that depends on the index of its sum.
    #[error("a ramp")]
    Ramp,
    /// Parameters of the cluster task.
    #[error("parameters of the cluster task")]
    Powers,
    /// A bound variable that no sum binds.
    #[error("the index {0} is not bound")]
    Unbound(&'static str),
    /// Numbers beyond 64 bits.
    #[error("indices beyond 64 bits")]
    Overflow,
}

/// `left . matrix right`, term by term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The terms without a divisor.
    pub plain: Expression,
    /// The terms with a divisor that depends on the sizes: the divisor, and what the two factors contract to.
    pub divided: Vec<Divided>,
}

/// `left right / divisor`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divided {
    /// The divisor.
    pub divisor: Form,
    /// What the left factor contracts to, the coefficient included.
    pub left: Expression,
    /// What the right factor contracts to.
    pub right: Expression,
}

/// The entry of a definition between two symbolic vectors.
///
/// # Errors
/// A definition that the symbolic reading cannot express.
pub fn entry(definition: &Matrix, left: &Symbolic, right: &Symbolic) -> Result<Entry, Unreadable> {
    let (mut plain, mut divided) = (Vec::new(), Vec::new());
    for term in &definition.0 {
        if term.coefficient.powers != Powers::default() {
            return Err(Unreadable::Powers);
        }
        let value = &term.coefficient.value;
        if let Some((var, Range::Frame)) = term.over {
            let alone = |v: &Vector| matches!(v.0.as_slice(), [t] if is_frame(t, var));
            if !alone(&term.left) || !alone(&term.right) || term.coefficient.over.is_some() {
                return Err(Unreadable::Frame);
            }
            let factor = value * &term.left.0[0].coefficient * &term.right.0[0].coefficient;
            plain.extend(inner(&factor, left, right)?);
            continue;
        }
        let (lefts, rights) = (
            side(&term.left, left, term.over)?,
            side(&term.right, right, term.over)?,
        );
        if let Some(divisor) = term.coefficient.over {
            if let Some((_, range)) = term.over {
                return Err(Unreadable::Free(range.to_string()));
            }
            let whole = |parts: &[Part], factor: &Rational| -> Expression {
                let one = |p: &Part| (factor * &p.factor, guarded(p.facts.clone()));
                Expression::Sum(parts.iter().map(one).collect())
            };
            divided.push(Divided {
                divisor: affine(&divisor),
                left: whole(&lefts, value),
                right: whole(&rights, &Rational::integer(1)),
            });
            continue;
        }
        for l in &lefts {
            for r in &rights {
                let mut facts = l.facts.clone();
                facts.extend(r.facts.iter().cloned());
                if let Some((_, range)) = term.over {
                    let pin = l.pin.as_ref().or(r.pin.as_ref());
                    let pin = pin.ok_or_else(|| Unreadable::Free(range.to_string()))?;
                    if let (Some(a), Some(b)) = (&l.pin, &r.pin) {
                        facts.push(Fact::Zero(minus(a, b)?));
                    }
                    facts.extend(within(pin, &range)?);
                }
                plain.push((value * &l.factor * &r.factor, guarded(facts)));
            }
        }
    }
    let plain = Expression::Sum(plain);
    Ok(Entry { plain, divided })
}

/// A member of a family with a symbolic index, what it weighs, and where it counts.
pub type Weighted = (Rational, Vec<Fact>, Family, Form);

/// The row of a definition at a symbolic vector: which members its right factors reach. A member outside its family is zero.
///
/// # Errors
/// A definition that the symbolic reading cannot express; here also a sum inside a right factor.
pub fn row(definition: &Matrix, left: &Symbolic) -> Result<Vec<Weighted>, Unreadable> {
    let mut reached = Vec::new();
    for term in &definition.0 {
        if term.coefficient.powers != Powers::default() || term.coefficient.over.is_some() {
            return Err(Unreadable::Powers);
        }
        for part in side(&term.left, left, term.over)? {
            let mut facts = part.facts;
            if let Some((_, range)) = term.over {
                let free = || Unreadable::Free(range.to_string());
                facts.extend(within(part.pin.as_ref().ok_or_else(free)?, &range)?);
            }
            for right in &term.right.0 {
                if let Some((_, range)) = right.over {
                    return Err(Unreadable::Free(range.to_string()));
                }
                let offset = Form::from(right.atom.index.offset);
                let index = match (right.atom.index.var, term.over, &part.pin) {
                    (None, _, _) => offset,
                    (Some(var), Some((bound, _)), Some(pin)) if var == bound => {
                        pin.combine(1, &offset).ok_or(Unreadable::Overflow)?
                    }
                    (Some(var), _, _) => return Err(Unreadable::Unbound(var.0)),
                };
                let factor = &term.coefficient.value * &part.factor * &right.coefficient;
                let mut facts = facts.clone();
                facts.extend(members(right.atom.family, &index)?);
                reached.push((factor, facts, right.atom.family, index));
            }
        }
    }
    Ok(reached)
}

/// The facts that say that a family has a member of this index.
///
/// # Errors
/// Families without a range of their own.
pub fn members(family: Family, index: &Form) -> Result<Vec<Fact>, Unreadable> {
    use crate::language::{C, D, T, steps};
    match family {
        Family::Context => within(index, &steps(0, C + D)),
        Family::Position => within(index, &steps(0, T)),
        Family::ContextUnit => within(index, &Range::Dormant),
        Family::PositionUnit => within(index, &steps(1, T)),
        Family::FirstUnit => within(index, &steps(0, 0)),
        Family::Frame | Family::Ones => Err(Unreadable::Frame),
        Family::Dual(Member::Bos) => within(index, &steps(0, 0)),
        Family::Dual(Member::Centroid | Member::Copy) => within(index, &steps(1, C)),
        Family::Cluster(_) | Family::Dual(Member::Nuisance) | Family::ClusterUnit(_) => {
            Err(Unreadable::Powers)
        }
    }
}

/// The inner product of two symbolic vectors.
///
/// # Errors
/// Indices beyond 64 bits.
pub fn product(left: &Symbolic, right: &Symbolic) -> Result<Expression, Unreadable> {
    inner(&Rational::integer(1), left, right).map(Expression::Sum)
}

fn is_frame(term: &VectorTerm, var: Var) -> bool {
    let index = Index::from(var);
    term.atom.family == Family::Frame
        && term.atom.index == index
        && term.over.is_none()
        && !term.by_index
}

fn inner(
    factor: &Rational,
    left: &Symbolic,
    right: &Symbolic,
) -> Result<Vec<(Rational, Expression)>, Unreadable> {
    let mut parts = Vec::new();
    for (a, f, i) in left {
        for (b, g, j) in right {
            if f == g {
                let fact = Fact::Zero(minus(i, j)?);
                parts.push((factor * a * b, guarded(vec![fact])));
            }
        }
    }
    Ok(parts)
}

/// One summand of a factor, contracted: what it weighs, where it counts, and to what it pins the index of the outer sum.
struct Part {
    factor: Rational,
    facts: Vec<Fact>,
    pin: Option<Form>,
}

fn side(
    vector: &Vector,
    with: &Symbolic,
    outer: Option<(Var, Range)>,
) -> Result<Vec<Part>, Unreadable> {
    let mut parts = Vec::new();
    for term in &vector.0 {
        if term.by_index {
            return Err(Unreadable::Ramp);
        }
        for (factor, family, index) in with {
            let factor = &term.coefficient * factor;
            if term.atom.family == Family::Ones && term.over.is_none() {
                let (facts, pin) = (Vec::new(), None);
                parts.push(Part { factor, facts, pin });
                continue;
            }
            if term.atom.family == Family::Frame {
                return Err(Unreadable::Frame);
            }
            if term.atom.family != *family {
                continue;
            }
            let value = minus(index, &Form::from(term.atom.index.offset))?;
            let (mut facts, mut pin) = (Vec::new(), None);
            match (term.atom.index.var, term.over) {
                (None, None) => facts.push(Fact::Zero(value)),
                (Some(var), Some((bound, range))) if var == bound => {
                    facts.extend(within(&value, &range)?);
                }
                (_, Some((_, range))) => return Err(Unreadable::Free(range.to_string())),
                (Some(var), None) if outer.is_some_and(|(bound, _)| bound == var) => {
                    pin = Some(value);
                }
                (Some(var), None) => return Err(Unreadable::Unbound(var.0)),
            }
            parts.push(Part { factor, facts, pin });
        }
    }
    Ok(parts)
}

fn guarded(facts: Vec<Fact>) -> Expression {
    Expression::Where(facts, Box::new(Expression::Number(Rational::integer(1))))
}

fn minus(a: &Form, b: &Form) -> Result<Form, Unreadable> {
    a.combine(-1, b).ok_or(Unreadable::Overflow)
}

/// An affine form of the sizes, over the variables T, C and D.
pub fn affine(form: &Affine) -> Form {
    let terms = [("T", form.t), ("C", form.c), ("D", form.d)];
    Form {
        terms: terms
            .into_iter()
            .filter(|(_, x)| *x != 0)
            .map(|(name, x)| (name.to_string(), x))
            .collect(),
        constant: form.constant,
    }
}

/// The facts that say that an index lies in a range.
///
/// # Errors
/// A range that depends on more than T, C and D.
pub fn within(index: &Form, range: &Range) -> Result<Vec<Fact>, Unreadable> {
    use crate::language::{C, D, T};
    let (from, to) = match range {
        Range::Copy => (Affine::from(1), C),
        Range::Dormant => (C - -1, C + D),
        Range::Context => (Affine::from(1), C + D),
        Range::Steps(from, to) => (*from, *to),
        Range::Second => {
            let two = Fact::Zero(minus(index, &Form::from(2))?);
            return Ok(vec![two, Fact::NonNegative(affine(&(T - 2)))]);
        }
        Range::Frame => return Err(Unreadable::Frame),
        Range::Nuisances => return Err(Unreadable::Powers),
    };
    Ok(vec![
        Fact::NonNegative(minus(index, &affine(&from))?),
        Fact::NonNegative(minus(&affine(&to), index)?),
    ])
}
