//! Nuclear norms of projectors for all sizes: `sum e e^T - g g^T/|g|^2` with orthonormal e whose span contains g.

use super::norms::{Side, Summand, multiply, orthogonal_sum, same_form, square, terms_of};
use super::step::{ProofError, Step};
use constructions::language::{Affine, Coefficient, Index, Matrix, Term, VectorTerm};
use constructions::reading::symbolic_reading::affine;
use exact::formula::Fact;
use exact::ratio;

/// The steps that show that the definition is such a projector, and that its nuclear norm, the number of the e less 1, is as
/// claimed.
///
/// # Errors
/// A definition of another form.
pub fn projector_norm(
    definition: &Matrix,
    sizes: &[Fact],
    claimed: Affine,
) -> Result<Vec<Step>, ProofError> {
    let other = |why: &str| ProofError::Other(format!("no sum of e e^T less g g^T/|g|^2: {why}"));
    let (less, plain): (Vec<&Term>, Vec<&Term>) = definition
        .0
        .iter()
        .partition(|t| t.coefficient.over.is_some());
    let [less] = less.as_slice() else {
        return Err(other("there must be one term with a divisor"));
    };
    if !plain.iter().all(|t| unit(t).is_some()) {
        return Err(other("a term without a divisor is no sum of e e^T"));
    }
    let minus_one = |c: &Coefficient| c.value == ratio(-1, 1) && c.powers == Default::default();
    let (Some(divisor), None, true) = (
        less.coefficient.over,
        less.over,
        less.left == less.right && minus_one(&less.coefficient),
    ) else {
        return Err(other("the last term must be -g g^T over a number"));
    };
    // g adds up every e of some of the terms, with a sign.
    let mut of = Vec::new();
    for part in &less.left.0 {
        let found = plain
            .iter()
            .position(|t| unit(t).is_some_and(|u| adds_up(part, u, t)));
        match found {
            Some(k) if !of.contains(&k) => of.push(k),
            _ => return Err(other("g is not in the span")),
        }
    }
    let each = Summand {
        count: 0.into(),
        four_squares: 4.into(),
    };
    let counts: Vec<Affine> = plain
        .iter()
        .map(|t| terms_of(t))
        .collect::<Result<_, _>>()?;
    let summands: Vec<Summand> = counts
        .iter()
        .map(|c| Summand { count: *c, ..each })
        .collect();
    let units = Matrix(plain.into_iter().cloned().collect());
    let mut steps = orthogonal_sum(&units, sizes, &summands)?;
    let (shown, squared) = square(units.0.len(), less, sizes, Side::Left)?;
    steps.extend(shown);
    let one = (ratio(1, 1), Vec::new());
    let form = multiply(&squared, &one, &ratio(1, 1))?;
    steps.push(same_form(
        "the divisor is |g|^2",
        sizes,
        &form,
        &affine(&divisor),
    ));
    let rank = counts.into_iter().fold(Affine::from(-1), |sum, c| sum + c);
    let says = "the number of the e, less 1, is as claimed";
    steps.push(same_form(says, sizes, &affine(&rank), &affine(&claimed)));
    Ok(steps)
}

/// The e of `sum e e^T`.
fn unit(term: &Term) -> Option<&VectorTerm> {
    let [e] = term.left.0.as_slice() else {
        return None;
    };
    let (var, _) = term.over?;
    let plain = term.coefficient == ratio(1, 1).into()
        && e.coefficient == ratio(1, 1)
        && !e.by_index
        && e.over.is_none();
    (plain && term.left == term.right && e.atom.index == Index::from(var)).then_some(e)
}

/// Is the part of g plus or minus the sum of all e of this term?
fn adds_up(part: &VectorTerm, e: &VectorTerm, term: &Term) -> bool {
    let sign = &part.coefficient * &part.coefficient == ratio(1, 1);
    let (Some((var, range)), Some((_, all))) = (part.over, term.over) else {
        return false;
    };
    sign && !part.by_index
        && part.atom.family == e.atom.family
        && part.atom.index == Index::from(var)
        && range == all
}
