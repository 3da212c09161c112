//! The largest value of a linear function on `{w >= 0, M w = r}`, with a dual certificate.

use super::halfspace::sparse;
use super::{Answer, LinearError, feasible};
use certificates::farkas::Row;
use constructions::dense::{Dense, inner};
use exact::Rational;

/// `maximise c . w` subject to `M w = r`, `w >= 0`.
#[derive(Clone, Debug)]
pub struct Program {
    /// M, one row for an equation.
    pub matrix: Dense,
    /// r.
    pub right: Vec<Rational>,
    /// c.
    pub objective: Vec<Rational>,
}

/// A point and duals of one value: the point attains it, the duals show that none exceeds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// The value.
    pub value: Rational,
    /// w.
    pub point: Vec<Rational>,
    /// pi, of any sign, with `M^T pi >= c` and `r . pi` the value.
    pub dual: Vec<Rational>,
}

impl Program {
    /// Does an optimum stand? Everything is computed anew: `M w = r`, `w >= 0`, `M^T pi >= c`, `c . w = r . pi`.
    pub fn accepts(&self, optimum: &Optimum) -> bool {
        let (height, width) = self.matrix.shape();
        let Optimum { value, point, dual } = optimum;
        point.len() == width
            && dual.len() == height
            && self.objective.len() == width
            && self.right.len() == height
            && point.iter().all(|x| !x.is_negative())
            && (0..height).all(|k| inner(&self.matrix.row(k), point) == self.right[k])
            && (0..width).all(|j| inner(&self.matrix.column(j), dual) >= self.objective[j])
            && inner(&self.objective, point) == *value
            && inner(&self.right, dual) == *value
    }

    /// The optimum: the point, the duals and the equality of their values are one system of inequalities, which [`feasible`] decides.
    ///
    /// # Errors
    /// No point at all, or no largest value; a defect of the exact method.
    pub fn solve(&self) -> Result<Optimum, LinearError> {
        let (height, width) = self.matrix.shape();
        // Unknowns are w, then pi.
        let row = |w: Vec<Rational>, pi: Vec<Rational>, bound: Rational| Row {
            coefficients: sparse(&[w, pi].concat()),
            bound,
        };
        let none = |n: usize| vec![Rational::default(); n];
        let minus = |v: &[Rational]| -> Vec<Rational> { v.iter().map(|x| -x.clone()).collect() };
        let mut rows = Vec::new();
        for k in 0..height {
            let (line, r) = (self.matrix.row(k), &self.right[k]);
            rows.push(row(line.clone(), none(height), r.clone()));
            rows.push(row(minus(&line), none(height), -r.clone()));
        }
        for j in 0..width {
            let mut unit = none(width);
            unit[j] = Rational::integer(1);
            rows.push(row(unit, none(height), Rational::default()));
            let c = self.objective[j].clone();
            rows.push(row(none(width), self.matrix.column(j), c));
        }
        rows.push(row(
            self.objective.clone(),
            minus(&self.right),
            Rational::default(),
        ));
        let Answer::Solution(x) = feasible(width + height, &rows)? else {
            return Err(LinearError::NoOptimum(
                "the linear program has no point, or no largest value",
            ));
        };
        let (point, dual) = x.split_at(width);
        let optimum = Optimum {
            value: inner(&self.objective, point),
            point: point.to_vec(),
            dual: dual.to_vec(),
        };
        if !self.accepts(&optimum) {
            return Err(LinearError::Refused("primal and dual values differ".into()));
        }
        Ok(optimum)
    }
}
