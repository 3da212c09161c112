//! What the MLPs of Theorem 7.1 cost, for all sizes.

use super::norms::{Side, Squared, multiply, pairs, same_form, square, terms_of};
use super::step::{ProofError, Step};
use constructions::language::{
    Affine, Coefficient, Family, Index, Matrix, Range, Term, Vector, VectorTerm, steps,
};
use constructions::reading::symbolic_reading::{Unreadable, affine};
use exact::formula::{Fact, Form};
use exact::{Rational, ratio};

/// A summand of a squared Frobenius norm: `count`, times the number of hidden units where `units` says so.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The factor in T, C and D.
    pub count: Affine,
    /// Is the left vector the all-ones vector of the hidden layer?
    pub units: bool,
}

/// The steps that show that the squared Frobenius norm is the sum of these parts, one a term: the right vectors are orthogonal
/// to each other, so it adds up |left|^2 |right|^2.
///
/// # Errors
/// A definition that the symbolic reading cannot express.
pub fn frobenius(
    name: &str,
    definition: &Matrix,
    sizes: &[Fact],
    claimed: &[Part],
) -> Result<Vec<Step>, ProofError> {
    if definition.0.len() != claimed.len() {
        return Err(ProofError::Other(format!(
            "{name} has {} terms, {} are claimed",
            definition.0.len(),
            claimed.len()
        )));
    }
    let mut steps = pairs(definition, sizes, &[Side::Right])?;
    for (k, (term, part)) in definition.0.iter().zip(claimed).enumerate() {
        plain(&term.coefficient)?;
        let (shown, right) = square(k, term, sizes, Side::Right)?;
        steps.extend(shown);
        let one: Squared = (ratio(1, 1), Vec::new());
        let (left, scale) = match ones(&term.left) {
            Some(x) => (one.clone(), &x * &x),
            None => {
                let (shown, left) = square(k, term, sizes, Side::Left)?;
                steps.extend(shown);
                (left, ratio(1, 1))
            }
        };
        if ones(&term.left).is_some() != part.units {
            let why = format!("term {} of {name}: all hidden units or not?", k + 1);
            return Err(ProofError::Other(why));
        }
        let c = &term.coefficient.value;
        let each = multiply(&left, &right, &(c * c * scale))?;
        // Each of a sum's terms has a constant square, so their number is a factor.
        let number = terms_of(term)?;
        let whole = if number == Affine::from(1) {
            each
        } else {
            if !each.terms.is_empty() {
                let why = format!("term {} of {name} is a sum of unequal norms", k + 1);
                return Err(ProofError::Other(why));
            }
            let all = Form::from(0).combine(each.constant, &affine(&number));
            all.ok_or(Unreadable::Overflow)?
        };
        let says = format!("{name}, term {}: its part of the squared norm", k + 1);
        steps.push(same_form(&says, sizes, &whole, &affine(&part.count)));
    }
    Ok(steps)
}

fn plain(coefficient: &Coefficient) -> Result<(), ProofError> {
    if coefficient.over.is_none() && coefficient.powers == Default::default() {
        return Ok(());
    }
    Err(ProofError::Other("a coefficient that is no number".into()))
}

/// The multiple of the all-ones vector that a vector is.
fn ones(vector: &Vector) -> Option<Rational> {
    match vector.0.as_slice() {
        [t] if t.atom.family == Family::Ones && t.over.is_none() => Some(t.coefficient.clone()),
        _ => None,
    }
}

/// Hidden units of one kind, and what is claimed of each: the squared norms of its row of W_1 and of its column of W_2.
#[derive(Clone, Copy, Debug)]
pub struct Units {
    /// Which.
    pub family: Family,
    /// Their indices; nothing for a single unit of index 0.
    pub over: Option<Range>,
    /// |row of W_1|^2.
    pub row: Affine,
    /// |column of W_2|^2.
    pub column: Affine,
}

/// The steps that show that the rows of W_1 and the columns of W_2 have the claimed norms, for all kinds of units; T >= 2.
///
/// # Errors
/// Maps with other units, and what the symbolic reading cannot express.
pub fn balanced(
    w1: &Matrix,
    w2: &Matrix,
    sizes: &[Fact],
    kinds: &[Units],
) -> Result<Vec<Step>, ProofError> {
    let turned = Matrix(w2.0.iter().map(turn).collect());
    let mut all = Vec::new();
    for (name, map) in [("row of W_1", w1), ("column of W_2", &turned)] {
        let known = |t: &&Term| ones(&t.left).is_some() || kinds.iter().any(|k| reads(t, k));
        if let Some(k) = map.0.iter().position(|t| !known(&t)) {
            let why = format!("term {} is of no known hidden unit, in every {name}", k + 1);
            return Err(ProofError::Other(why));
        }
        for kind in kinds {
            let term = whole(map, kind)?;
            let (shown, square) = square(0, &term, sizes, Side::Right)?;
            let says = |s: &Step| format!("{name} of a unit {:?}: {}", kind.family, s.says);
            all.extend(shown.into_iter().map(|s| Step {
                says: says(&s),
                ..s
            }));
            let one: Squared = (ratio(1, 1), Vec::new());
            let form = multiply(&square, &one, &ratio(1, 1))?;
            let claimed = if name == "row of W_1" {
                kind.row
            } else {
                kind.column
            };
            let says = format!("{name} of a unit {:?}: the squared norm", kind.family);
            all.push(same_form(&says, sizes, &form, &affine(&claimed)));
        }
    }
    Ok(all)
}

/// The transpose of a term.
fn turn(term: &Term) -> Term {
    Term {
        left: term.right.clone(),
        right: term.left.clone(),
        ..term.clone()
    }
}

/// Is the term a sum over exactly the units of this kind?
fn reads(term: &Term, kind: &Units) -> bool {
    let [e] = term.left.0.as_slice() else {
        return false;
    };
    let index = match term.over {
        Some((var, _)) => Index::from(var),
        None => Index::from(0),
    };
    e.atom.family == kind.family
        && e.coefficient == ratio(1, 1)
        && !e.by_index
        && e.over.is_none()
        && e.atom.index == index
        && term.over.map(|o| o.1) == kind.over
}

/// A range for T >= 2, where position 2 is there.
fn from_two(range: Range) -> Range {
    match range {
        Range::Second => steps(2, 2),
        range => range,
    }
}

/// What a unit of this kind reads or writes in all: one term whose right vector is the whole row.
fn whole(map: &Matrix, kind: &Units) -> Result<Term, ProofError> {
    let missing = || ProofError::Other(format!("no term of the units {:?}", kind.family));
    let mine = |t: &&Term| reads(t, kind);
    let mut term = map.0.iter().find(mine).cloned().ok_or_else(missing)?;
    let mut row: Vec<VectorTerm> = Vec::new();
    for t in &map.0 {
        let factor = match ones(&t.left) {
            Some(x) if t.over.is_none() => x,
            _ if reads(t, kind) && t.over == term.over => ratio(1, 1),
            _ if reads(t, kind) => return Err(missing()),
            _ => continue,
        };
        plain(&t.coefficient)?;
        row.extend(t.right.0.iter().map(|part| VectorTerm {
            coefficient: &part.coefficient * &t.coefficient.value * &factor,
            over: part.over.map(|(var, range)| (var, from_two(range))),
            ..part.clone()
        }));
    }
    term.right = Vector(row);
    term.coefficient = ratio(1, 1).into();
    Ok(term)
}
