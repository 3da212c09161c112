//! Theorem 7.1's costs and its mended statement, for all sizes.

use super::backcopy::{passes, sink_margins, sizes};
use super::formula::FormulaError;
use super::mlp::{Part, Units, balanced, frobenius};
use super::norms::{Summand, orthogonal_sum};
use super::positive::Hints;
use super::projector::projector_norm;
use super::step::{ProofError, Step, plus};
use constructions::backcopy::sink;
use constructions::language::{Affine, C, D, DORMANT, Family, Matrix, T, steps as range};
use exact::formula::Fact;
use exact::ratio;

type Steps = Result<Vec<Step>, ProofError>;

/// The mended value map: BOS has the value 0, what is copied passes, and the nuclear norm is T + C + D - 2.
///
/// # Errors
/// Another definition than a projector.
pub fn value_map(vo: &Matrix) -> Steps {
    let mut steps = passes(vo)?;
    steps.extend(projector_norm(vo, &sizes()?, T + C + D - 2)?);
    Ok(steps)
}

/// (9) and (10): |W_1|_F^2 = 4dC + T + D, |W_2|_F^2 = T + D.
///
/// # Errors
/// Other definitions.
pub fn printed_mlp(w1: &Matrix, w2: &Matrix) -> Steps {
    let part = |count: Affine, units| Part { count, units };
    let plain = [part(D, false), part(T, false)];
    let four_c = C + C + C + C;
    let mut steps = frobenius(
        "W_1",
        w1,
        &sizes()?,
        &[plain[0], plain[1], part(four_c, true)],
    )?;
    steps.extend(frobenius("W_2", w2, &sizes()?, &plain)?);
    Ok(steps)
}

/// The mended MLP: T + D units whose rows have the squared norm 1 + C and whose columns have norm 1; in reading L one more, whose
/// row has D + 2 and whose column 2. So half its cost is (T + D) sqrt(1 + C), in L sqrt(2 (D + 2)) more.
///
/// # Errors
/// Other units, and what the symbolic reading cannot express.
pub fn mended_mlp([w1, w2]: [&Matrix; 2], [first1, first2]: [&Matrix; 2]) -> Steps {
    let unit = |family, over, row: Affine, column: i64| Units {
        family,
        over,
        row,
        column: column.into(),
    };
    let mut kinds = vec![
        unit(Family::ContextUnit, Some(DORMANT), C + 1.into(), 1),
        unit(Family::PositionUnit, Some(range(1, T)), C + 1.into(), 1),
    ];
    let mut sizes = sizes()?;
    sizes.push(Fact::NonNegative(plus("T", -2)?));
    let mut steps = balanced(w1, w2, &sizes, &kinds)?;
    kinds.push(unit(Family::FirstUnit, None, D + 2.into(), 2));
    steps.extend(balanced(first1, first2, &sizes, &kinds)?);
    Ok(steps)
}

/// The mended theorem: from the parts, 2 QK + 2 VO + MLP is twice the left side of the condition, and every diagonal solution
/// costs at least 2 |W_K^T W_Q|_*, twice its right side.
///
/// # Errors
/// Other definitions than the paper's.
pub fn theorem() -> Steps {
    let one = ratio(1, 1);
    let plain = [&sink::w1_units(&one), &sink::w2_units()];
    let first = [&sink::w1_first(&one), &sink::w2_first()];
    let mut steps = mended_mlp(plain, first)?;
    steps.push(halves()?);
    Ok(steps)
}

/// A softmax whose target leads n keys by a margin of at least 1 in B: e = e^-kappa, s the sum of e^{-kappa gap} over the keys.
///
/// # Errors
/// Another definition than one with the margins of (7).
pub fn softmax(qk: &Matrix) -> Steps {
    let mut steps = sink_margins(qk)?;
    let given = [
        "1 + s > 0",
        "1 + n*e > 0",
        "n*e - s >= 0",
        "w*(1 + s) - 1 = 0",
        "u*(1 + n*e) - 1 = 0",
    ];
    let hints = Hints {
        multiplier: vec![(0, 1), (1, 1)],
        factors: 1,
        multiples: 2,
        ..Hints::default()
    };
    let here = [
        ("s", ratio(1, 2)),
        ("n", ratio(1, 1)),
        ("e", ratio(1, 1)),
        ("w", ratio(2, 3)),
        ("u", ratio(1, 2)),
    ];
    steps.push(Step::real(
        "the target's weight 1/(1 + s) is at least 1/(1 + n e^-kappa)",
        &given,
        "w - u",
        hints,
        &here,
    )?);
    Ok(steps)
}

/// q and r: the nuclear norms of the sink's query-key product and the bound on the diagonal's; s = sqrt(1 + C); x what reading L adds.
fn halves() -> Result<Step, FormulaError> {
    let left = "q + (T + C + D - 2) + (T + D)*s + x";
    let one = || ratio(1, 1);
    Step::real(
        "where the condition holds, the sink costs less than any diagonal solution",
        &[&format!("r - ({left}) > 0")],
        "2*r - (2*q + 2*(T + C + D - 2) + 2*(T + D)*s + 2*x)",
        Hints {
            factors: 1,
            ..Hints::default()
        },
        &[
            ("T", ratio(2, 1)),
            ("C", one()),
            ("D", one()),
            ("q", one()),
            ("s", one()),
            ("x", one()),
            ("r", ratio(100, 1)),
        ],
    )
}

/// The warm-up: kappa 1 e_1^T costs kappa sqrt(T + 1), kappa I costs kappa (T + 1). The tokens e_0..e_T are orthonormal, as the
/// p_0..p_T are, and are read as these.
///
/// # Errors
/// Other definitions.
pub fn warm_up(sink: &Matrix, diagonal: &Matrix) -> Steps {
    let mut steps = Vec::new();
    for (definition, count, square) in [
        (sink, 1.into(), T + 1.into()),
        (diagonal, T + 1.into(), 1.into()),
    ] {
        let claimed = Summand {
            count,
            four_squares: square + square + square + square,
        };
        steps.extend(orthogonal_sum(
            &as_positions(definition),
            &sizes()?,
            &[claimed],
        )?);
    }
    Ok(steps)
}

fn as_positions(definition: &Matrix) -> Matrix {
    let mut read = definition.clone();
    for term in &mut read.0 {
        for part in term.left.0.iter_mut().chain(&mut term.right.0) {
            if part.atom.family == Family::Frame {
                part.atom.family = Family::Position;
            }
        }
    }
    read
}
