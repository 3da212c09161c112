//! What a float solver proposes for a linear program: points, rounded and checked here, and which multipliers are not 0.

use super::violated;
use certificates::farkas::Row;
use exact::Rational;
use good_lp::solvers::WithTimeLimit;
use good_lp::{Expression, ProblemVariables, Solution, SolverModel, Variable, microlp, variable};

/// Seconds after which the float solver is not waited for.
const PATIENCE: f64 = 5.0;

/// Fractional bits of rounded points, the shortest that works is taken.
const BITS: [u32; 4] = [0, 6, 16, 40];

/// Below this a float is taken for 0.
const NOISE: f64 = 1e-9;

/// A point with room around it: x/h with `a . x - b h >= t` for the largest t in a box. It satisfies every row, exactly.
pub fn point(width: usize, rows: &[Row]) -> Option<Vec<Rational>> {
    let mut variables = ProblemVariables::new();
    let x = variables.add_vector(variable().min(-1).max(1), width);
    let h = variables.add(variable().min(0).max(1));
    let t = variables.add(variable().min(-1).max(1));
    let mut model = variables
        .maximise(t)
        .using(microlp)
        .with_time_limit(PATIENCE);
    model.add_constraint((Expression::from(h) - t).geq(0));
    for row in rows {
        model.add_constraint((left(row, &x) - row.bound.to_f64() * h - t).geq(0));
    }
    let found = model.solve().ok()?;
    let scale = found.value(h);
    if found.value(t) <= NOISE || scale <= NOISE {
        return None;
    }
    BITS.into_iter().find_map(|bits| {
        let rounded = x
            .iter()
            .map(|v| Rational::from_f64_rounded(found.value(*v) / scale, bits));
        let point: Vec<Rational> = rounded.collect::<Option<_>>()?;
        violated(rows, &point).is_none().then_some(point)
    })
}

/// The rows whose multipliers are not 0 in a float solution of `sum y_j (a_j, b_j) = (0, 1)`, y >= 0.
pub fn support(width: usize, rows: &[Row]) -> Option<Vec<usize>> {
    let mut variables = ProblemVariables::new();
    let y = variables.add_vector(variable().min(0), rows.len());
    let mut equations = vec![Expression::default(); width + 1];
    for (row, y) in rows.iter().zip(&y) {
        for (k, a) in &row.coefficients {
            equations[*k].add_mul(a.to_f64(), *y);
        }
        equations[width].add_mul(row.bound.to_f64(), *y);
    }
    let total: Expression = y.iter().sum();
    let mut model = variables
        .minimise(total)
        .using(microlp)
        .with_time_limit(PATIENCE);
    for (k, equation) in equations.into_iter().enumerate() {
        model.add_constraint(equation.eq(if k == width { 1 } else { 0 }));
    }
    let found = model.solve().ok()?;
    let largest = y.iter().map(|v| found.value(*v)).fold(0.0, f64::max);
    let kept = (0..rows.len()).filter(|j| found.value(y[*j]) > NOISE * largest);
    Some(kept.collect())
}

fn left(row: &Row, x: &[Variable]) -> Expression {
    let mut sum = Expression::default();
    for (k, a) in &row.coefficients {
        sum.add_mul(a.to_f64(), x[*k]);
    }
    sum
}
