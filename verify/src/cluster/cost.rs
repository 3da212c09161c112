//! What a block of the cluster task costs.

use crate::frame_norm::{add, grouped, root, times};
use crate::nuclear::{Norm, NormError};
use constructions::cluster::build::Build;
use constructions::cluster::reading::{Columns, covector_square, vector_square};
use constructions::cluster::task::{Task, lift};
use constructions::matrix::combine;
use exact::{Rational, Surd};

/// The parts of a cost: `kappa/sqrt d * 2 qk + 2 vo + mlp`.
#[derive(Clone, Debug)]
pub struct Cost {
    /// |B|_*, in units of kappa/sqrt d.
    pub qk: Norm,
    /// |W_O W_V|_*.
    pub vo: Norm,
    /// `2 sum_k |w_k||v_k|` over hidden units: |W_1|_F^2 + |W_2|_F^2 once every unit is rescaled to its least cost.
    pub mlp: Norm,
}

impl Cost {
    /// `2 |B|_*`: the factor of kappa/sqrt d.
    pub fn attention(&self) -> Norm {
        times(self.qk.clone(), &Rational::integer(2))
    }

    /// `2 |W_O W_V|_* + mlp`: what does not grow with kappa.
    pub fn rest(&self) -> Norm {
        add(
            times(self.vo.clone(), &Rational::integer(2)),
            self.mlp.clone(),
        )
    }
}

/// The cost of a block.
///
/// # Errors
/// A norm that cannot be enclosed.
pub fn costs(task: &Task, build: &Build) -> Result<Cost, NormError> {
    let mut mlp = Norm::Exact(Surd::zero());
    for neuron in &build.neurons {
        let product = covector_square(task, &neuron.reads) * vector_square(task, &neuron.writes);
        let size = root(&product).ok_or(NormError::Diverged)?;
        mlp = add(mlp, times(size, &Rational::integer(2)));
    }
    Ok(Cost {
        qk: norm(task, &build.qk)?,
        vo: norm(task, &as_form(task, &build.vo))?,
        mlp,
    })
}

/// The nuclear norm of a form on the task's frame.
///
/// # Errors
/// It cannot be enclosed.
pub fn norm(task: &Task, form: &Columns) -> Result<Norm, NormError> {
    grouped(form, &task.geometry.gram, task.groups())
}

/// A map on coordinates as the form of its inner products with the frame.
pub fn as_form(task: &Task, map: &Columns) -> Columns {
    let gram: Columns = task.geometry.gram.iter().map(lift).collect();
    let covector = |x: &constructions::matrix::Sparse<Surd>| {
        combine(x.iter().map(|(k, c)| (c.clone(), &gram[*k])))
    };
    map.iter().map(covector).collect()
}
