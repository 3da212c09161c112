//! Nuclear norms for all sizes: a sum of outer products whose left vectors, and whose right vectors, are orthogonal to each
//! other has their norms as its singular values.

use super::step::{Step, v};
use certificates::cases::Relation::Equal;
use constructions::language::{
    Affine, Family, Index, Matrix, Member, Powers, Range, Term, Var, Vector,
};
use constructions::reading::symbolic_reading::{Unreadable, affine, members, within};
use exact::formula::{Expression, Fact, Form};
use exact::{Rational, ratio};
use num_traits::ToPrimitive;

/// `count sqrt(square / 4)`: a summand of a claimed nuclear norm, from a term of the definition.
#[derive(Clone, Copy, Debug)]
pub struct Summand {
    /// How many equal singular values.
    pub count: Affine,
    /// Four times their square.
    pub four_squares: Affine,
}

/// Families of orthonormal vectors: of tokens and positions, of hidden units, and the duals of the cluster task, which stand for the
/// frame e_0, e_c, e_{C+c} of the forms M.
const ORTHONORMAL: [Family; 8] = [
    Family::Context,
    Family::Position,
    Family::ContextUnit,
    Family::PositionUnit,
    Family::FirstUnit,
    Family::Dual(Member::Bos),
    Family::Dual(Member::Centroid),
    Family::Dual(Member::Copy),
];

/// An inner product: numbers where facts hold, and multiples of the sizes of ranges.
struct Product {
    where_: Vec<(Rational, Vec<Fact>)>,
    sizes: Vec<(Rational, Affine)>,
}

impl Product {
    fn expression(&self) -> Expression {
        let one = || Box::new(Expression::Number(ratio(1, 1)));
        let part = |(c, facts): &(Rational, Vec<Fact>)| {
            (c.clone(), Expression::Where(facts.clone(), one()))
        };
        Expression::Sum(self.where_.iter().map(part).collect())
    }
}

/// The steps that show that the nuclear norm is the sum of these summands, one for each term in the order of the definition.
///
/// # Errors
/// A definition that the symbolic reading cannot express.
pub fn orthogonal_sum(
    definition: &Matrix,
    sizes: &[Fact],
    claimed: &[Summand],
) -> Result<Vec<Step>, Unreadable> {
    let mut steps = Vec::new();
    let terms = &definition.0;
    let matches = terms.len() == claimed.len();
    let found = Expression::Number(ratio(i64::from(matches), 1));
    steps.push(Step::new(
        "every term has a claimed summand",
        sizes.to_vec(),
        found,
        Equal,
        ratio(1, 1),
    ));
    steps.extend(pairs(definition, sizes, &[Side::Left, Side::Right])?);
    for (k, (term, claimed)) in terms.iter().zip(claimed).enumerate() {
        steps.extend(summand(k, term, sizes, claimed)?);
    }
    Ok(steps)
}

/// A side of an outer product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
}

impl Side {
    fn of(self, term: &Term) -> &Vector {
        match self {
            Side::Left => &term.left,
            Side::Right => &term.right,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Side::Left => "left",
            Side::Right => "right",
        }
    }
}

/// The steps that show that the vectors of all terms are orthogonal to each other, on these sides.
///
/// # Errors
/// A definition that the symbolic reading cannot express.
pub fn pairs(definition: &Matrix, sizes: &[Fact], sides: &[Side]) -> Result<Vec<Step>, Unreadable> {
    let (terms, mut steps) = (&definition.0, Vec::new());
    for (k, a) in terms.iter().enumerate() {
        for (l, b) in terms.iter().enumerate().skip(k) {
            for side in sides {
                if k == l && a.over.is_none() {
                    continue;
                }
                let (x, y, name) = (side.of(a), side.of(b), side.name());
                let product = inner((x, a, "m"), (y, b, "n"))?;
                let facts = apart(sizes, a, b)?;
                // Of two indices of one sum, m < n without loss of generality.
                let order = v("n")
                    .combine(-1, &v("m"))
                    .and_then(|f| f.combine(-1, &Form::from(1)));
                let facts = match (k == l, order) {
                    (true, Some(order)) => facts
                        .into_iter()
                        .chain([Fact::NonNegative(order)])
                        .collect(),
                    _ => facts,
                };
                if !product.sizes.is_empty() {
                    return Err(Unreadable::Free("two sums in one inner product".into()));
                }
                let says = format!(
                    "the {name} vectors of terms {} and {} are orthogonal",
                    k + 1,
                    l + 1
                );
                steps.push(Step::new(
                    says,
                    facts,
                    product.expression(),
                    Equal,
                    ratio(0, 1),
                ));
            }
        }
    }
    Ok(steps)
}

/// One term: its count, and the square of its singular values.
fn summand(
    k: usize,
    term: &Term,
    sizes: &[Fact],
    claimed: &Summand,
) -> Result<Vec<Step>, Unreadable> {
    if term.coefficient.powers != Powers::default() || term.coefficient.over.is_some() {
        return Err(Unreadable::Powers);
    }
    let mut steps = Vec::new();
    let mut squares = Vec::new();
    for side in [Side::Left, Side::Right] {
        let (found, square) = square(k, term, sizes, side)?;
        steps.extend(found);
        squares.push(square);
    }
    let count = terms_of(term)?;
    steps.push(same_form(
        &format!("term {} counts as claimed", k + 1),
        sizes,
        &affine(&count),
        &affine(&claimed.count),
    ));
    let c = &term.coefficient.value;
    let scale = Rational::integer(4) * c * c;
    let square = multiply(&squares[0], &squares[1], &scale)?;
    steps.push(same_form(
        &format!("four times the square of term {} is as claimed", k + 1),
        sizes,
        &square,
        &affine(&claimed.four_squares),
    ));
    Ok(steps)
}

/// How many outer products a term adds up.
///
/// # Errors
/// A range without a count in T, C and D.
pub fn terms_of(term: &Term) -> Result<Affine, Unreadable> {
    match term.over {
        None => Ok(Affine::from(1)),
        Some((_, range)) => count(&range),
    }
}

/// A square of a norm: a number, and multiples of the sizes of ranges.
pub type Squared = (Rational, Vec<(Rational, Affine)>);

/// The square of the norm of a term's vectors on one side, the coefficient apart, with the steps that show it.
///
/// # Errors
/// A definition that the symbolic reading cannot express.
pub fn square(
    k: usize,
    term: &Term,
    sizes: &[Fact],
    side: Side,
) -> Result<(Vec<Step>, Squared), Unreadable> {
    let facts = apart(sizes, term, term)?;
    let same = match term.over {
        None => facts,
        Some(_) => {
            let equal = v("m").combine(-1, &v("n")).ok_or(Unreadable::Overflow)?;
            facts.into_iter().chain([Fact::Zero(equal)]).collect()
        }
    };
    let (x, name) = (side.of(term), side.name());
    let product = inner((x, term, "m"), (x, term, "n"))?;
    // What the deltas add up to: guessed from summands that certainly count, and then shown.
    let constant = guess(&product.expression(), &same);
    let says = format!(
        "the square of the {name} vectors of term {} has the constant {constant}",
        k + 1
    );
    let shown = Step::new(
        says,
        same.clone(),
        product.expression(),
        Equal,
        constant.clone(),
    );
    let mut steps = vec![shown];
    for part in &x.0 {
        let mut facts = same.clone();
        let index = match part.over {
            None => place(part.atom.index, term.over.map(|o| o.0), "m")?,
            Some((var, range)) => {
                facts.extend(within(&v("k"), &range)?);
                place(part.atom.index, Some(var), "k")?
            }
        };
        // A member outside its family would be the zero vector.
        let one = Box::new(Expression::Number(ratio(1, 1)));
        let there = Expression::Where(members(part.atom.family, &index)?, one);
        let says = format!("what term {} sums on the {name} lies in its family", k + 1);
        steps.push(Step::new(says, facts, there, Equal, ratio(1, 1)));
    }
    Ok((steps, (constant, product.sizes)))
}

/// `scale (a + sizes) (b + sizes)`, where one factor is a number, as an integer form.
///
/// # Errors
/// Two factors with sizes, and what is no integer.
pub fn multiply(a: &Squared, b: &Squared, scale: &Rational) -> Result<Form, Unreadable> {
    let (number, other) = if a.1.is_empty() { (&a.0, b) } else { (&b.0, a) };
    if !a.1.is_empty() && !b.1.is_empty() {
        return Err(Unreadable::Free("a product of two sizes".into()));
    }
    let factor = scale * number;
    let whole = |x: Rational| {
        let x = if x.is_integer() {
            x.numer().to_i64()
        } else {
            None
        };
        x.ok_or(Unreadable::Overflow)
    };
    let mut sum = Form::from(whole(&factor * &other.0)?);
    for (c, form) in &other.1 {
        let add = sum.combine(whole(&factor * c)?, &affine(form));
        sum = add.ok_or(Unreadable::Overflow)?;
    }
    Ok(sum)
}

/// Two forms in T, C, D are equal.
pub fn same_form(says: &str, sizes: &[Fact], a: &Form, b: &Form) -> Step {
    let one = Box::new(Expression::Number(ratio(1, 1)));
    let goal = match a.combine(-1, b) {
        Some(difference) => Expression::Where(vec![Fact::Zero(difference)], one),
        None => Expression::Number(ratio(0, 1)),
    };
    Step::new(says, sizes.to_vec(), goal, Equal, ratio(1, 1))
}

fn guess(expression: &Expression, facts: &[Fact]) -> Rational {
    let problem = certificates::cases::Problem {
        facts: facts.to_vec(),
        goal: expression.clone(),
        relation: Equal,
        bound: ratio(0, 1),
    };
    let point = super::search::example(&problem);
    point.and_then(|p| expression.at(&p)).unwrap_or_default()
}

fn count(range: &Range) -> Result<Affine, Unreadable> {
    use constructions::language::{C, D};
    match range {
        Range::Copy => Ok(C),
        Range::Dormant => Ok(D),
        Range::Context => Ok(C + D),
        // Never longer than from 1 to T, and T >= 1, so an empty one counts as 0 only where to = from - 1.
        Range::Steps(from, to) if from.t == 0 && from.c == 0 && from.d == 0 => {
            Ok(*to - (from.constant - 1))
        }
        Range::Steps(..) | Range::Second | Range::Frame | Range::Nuisances => {
            Err(Unreadable::Free(range.to_string()))
        }
    }
}

/// The sizes, and the ranges of the indices m and n of two terms.
fn apart(sizes: &[Fact], a: &Term, b: &Term) -> Result<Vec<Fact>, Unreadable> {
    let mut facts = sizes.to_vec();
    for (term, name) in [(a, "m"), (b, "n")] {
        if let Some((_, range)) = term.over {
            facts.extend(within(&v(name), &range)?);
        }
    }
    Ok(facts)
}

fn inner(
    (x, a, m): (&Vector, &Term, &str),
    (y, b, n): (&Vector, &Term, &str),
) -> Result<Product, Unreadable> {
    let mut product = Product {
        where_: Vec::new(),
        sizes: Vec::new(),
    };
    for s in &x.0 {
        for t in &y.0 {
            let families = [s.atom.family, t.atom.family];
            if s.by_index || t.by_index {
                return Err(Unreadable::Ramp);
            }
            if families.iter().any(|f| !ORTHONORMAL.contains(f)) {
                return Err(Unreadable::Frame);
            }
            if families[0] != families[1] {
                continue;
            }
            let c = &s.coefficient * &t.coefficient;
            let outer =
                |term: &Term, name: &str, index: Index| place(index, term.over.map(|o| o.0), name);
            match (s.over, t.over) {
                (None, None) => {
                    let (i, j) = (outer(a, m, s.atom.index)?, outer(b, n, t.atom.index)?);
                    let equal = i.combine(-1, &j).ok_or(Unreadable::Overflow)?;
                    product.where_.push((c, vec![Fact::Zero(equal)]));
                }
                (Some((var, range)), None) => {
                    let j = outer(b, n, t.atom.index)?;
                    product
                        .where_
                        .push((c, inside(&j, s.atom.index, var, &range)?));
                }
                (None, Some((var, range))) => {
                    let i = outer(a, m, s.atom.index)?;
                    product
                        .where_
                        .push((c, inside(&i, t.atom.index, var, &range)?));
                }
                (Some((_, r)), Some((_, q))) => {
                    let offsets = [s.atom.index.offset, t.atom.index.offset];
                    if r != q || offsets[0] != offsets[1] {
                        return Err(Unreadable::Free(format!("{r} and {q}")));
                    }
                    product.sizes.push((c, count(&r)?));
                }
            }
        }
    }
    Ok(product)
}

fn place(index: Index, bound: Option<Var>, name: &str) -> Result<Form, Unreadable> {
    let base = match index.var {
        None => Form::from(0),
        Some(var) if Some(var) == bound => v(name),
        Some(var) => return Err(Unreadable::Unbound(var.0)),
    };
    base.combine(1, &Form::from(index.offset))
        .ok_or(Unreadable::Overflow)
}

/// The member `at` is one of those summed over the range.
fn inside(at: &Form, index: Index, var: Var, range: &Range) -> Result<Vec<Fact>, Unreadable> {
    if index.var != Some(var) {
        return Err(Unreadable::Unbound(var.0));
    }
    let k = at
        .combine(-1, &Form::from(index.offset))
        .ok_or(Unreadable::Overflow)?;
    within(&k, range)
}
