//! What the words of the language mean in the cluster task.

use super::task::{Task, lift};
use crate::language::{Extents, Family, Matrix, Member, Powers};
use crate::matrix::{Outer, Sparse, combine};
use crate::reading::{Meaning, outers};
use exact::{Field, Rational, Surd};

/// How a vector is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// By its coordinates in the frame: what a map writes.
    Vector,
    /// By its inner products with the frame: what a map or form reads.
    Covector,
    /// In the hidden layer.
    Hidden,
}

impl Task {
    /// The special vector or nuisance direction with this index, counted from 0 through both lists.
    fn member(&self, of: Member, k: i64) -> Option<usize> {
        let (c, r) = (self.groups() as i64, self.geometry.r_eta() as i64);
        let (start, last) = match of {
            Member::Bos => return Some(0),
            Member::Centroid => (0, c),
            Member::Copy => (c, c),
            Member::Nuisance => (2 * c, r),
        };
        (1..=last).contains(&k).then_some((start + k) as usize)
    }

    /// Number of hidden units.
    pub fn units(&self) -> usize {
        1 + 2 * self.groups() + self.geometry.r_eta()
    }
}

impl Meaning<Surd> for Task {
    type Side = Side;

    fn extents(&self) -> Extents {
        Extents {
            c: self.groups(),
            nuisances: self.geometry.r_eta(),
            ..Extents::default()
        }
    }

    fn member(&self, family: Family, k: i64, side: Side) -> Sparse<Surd> {
        let (of, dual, unit) = match family {
            Family::Cluster(of) => (of, false, false),
            Family::Dual(of) => (of, true, false),
            Family::ClusterUnit(of) => (of, false, true),
            // Vectors of another task.
            _ => return Sparse::new(),
        };
        let Some(place) = Task::member(self, of, k) else {
            return Sparse::new();
        };
        // A hidden unit has no place in the residual stream, nor the reverse.
        if unit || side == Side::Hidden {
            let fits = unit && side == Side::Hidden;
            return fits.then(|| (place, Surd::one())).into_iter().collect();
        }
        let g = &self.geometry;
        let m = g.special.len();
        let vector = match (dual, place < m) {
            (false, true) => &g.special[place],
            (true, true) => &g.special_dual[place],
            (false, false) => &g.basis().vectors[place - m],
            (true, false) => &g.basis().duals[place - m],
        };
        match side {
            Side::Covector => lift(&g.covector(vector)),
            _ => lift(vector),
        }
    }

    /// Delta = +infinity makes `1/Delta` zero; Delta = 0 leaves it without a value.
    fn powers(&self, powers: Powers) -> Option<Surd> {
        let mut value = power(&self.lambda, powers.lambda)?;
        value = value.times(&power(&self.epsilon.clone().into(), powers.epsilon)?);
        match (self.separation(), powers.separation) {
            (_, 0) => Some(value),
            (Some(delta), k) => Some(value.times(&power(&delta.into(), k)?)),
            (None, k) => (k < 0).then(Surd::zero),
        }
    }
}

fn power(base: &Surd, exponent: i32) -> Option<Surd> {
    let base = if exponent < 0 {
        base.inverse()?
    } else {
        base.clone()
    };
    Some((0..exponent.unsigned_abs()).fold(Surd::one(), |product, _| product.times(&base)))
}

/// A matrix by columns over the larger field.
pub type Columns = Vec<Sparse<Surd>>;

/// A definition as a matrix with `columns` columns.
pub fn read(
    definition: &Matrix,
    task: &Task,
    (left, right): (Side, Side),
    columns: usize,
) -> Columns {
    let mut parts: Vec<Vec<(Surd, Sparse<Surd>)>> = vec![Vec::new(); columns];
    for Outer {
        coefficient,
        left,
        right,
    } in outers(definition, task, left, right)
    {
        for (k, x) in right {
            parts[k].push((coefficient.times(&x), left.clone()));
        }
    }
    let sum = |p: &Vec<(Surd, Sparse<Surd>)>| combine(p.iter().map(|(c, v)| (c.clone(), v)));
    parts.iter().map(sum).collect()
}

/// The image of a vector under a matrix by columns.
pub fn apply(columns: &Columns, x: &Sparse<Surd>) -> Sparse<Surd> {
    combine(
        x.iter()
            .filter_map(|(k, c)| columns.get(*k).map(|column| (c.clone(), column))),
    )
}

/// The transpose, with `rows` columns.
pub fn transposed(columns: &Columns, rows: usize) -> Columns {
    let mut all: Columns = vec![Sparse::new(); rows];
    for (j, column) in columns.iter().enumerate() {
        for (i, x) in column {
            all[*i].push((j, x.clone()));
        }
    }
    all
}

/// `|w|^2` of a covector, given by its inner products with the frame.
pub fn covector_square(task: &Task, w: &Sparse<Surd>) -> Surd {
    square(&task.geometry.inverse, w)
}

/// `|v|^2` of a vector, given by its coordinates in the frame.
pub fn vector_square(task: &Task, v: &Sparse<Surd>) -> Surd {
    square(&task.geometry.gram, v)
}

fn square(form: &[Sparse], x: &Sparse<Surd>) -> Surd {
    let mut sum = Surd::zero();
    for (k, c) in x {
        let mut inner = Surd::zero();
        let mut entries = x.iter().peekable();
        for (l, entry) in &form[*k] {
            while entries.next_if(|(i, _)| i < l).is_some() {}
            if let Some((i, y)) = entries.peek()
                && i == l
            {
                inner += &y.scale(entry);
            }
        }
        sum += &(c * &inner);
    }
    sum
}

/// `(1 + |w|^2)/2`, which is at least |w|: a bias that keeps a unit on for every state of length 1.
pub fn lifting_bias(task: &Task, w: &Sparse<Surd>) -> Surd {
    let half = Rational::integer(2).recip().unwrap_or_default();
    (Surd::one() + covector_square(task, w)).scale(&half)
}
