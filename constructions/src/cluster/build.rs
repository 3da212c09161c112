//! Blocks for the cluster task: query-key form, value map, MLP with biases; the printed ones and a user's own.

use super::block::Neuron;
use super::reading::{Columns, Side, apply, lifting_bias, read, transposed};
use super::task::Task;
use super::{diagonal, sink};
use crate::language::Matrix;
use crate::matrix::{Sparse, combine};
use exact::{Rational, Surd};

/// Which pattern a block implements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Dormants attend to BOS, and so do copy tokens without a dormant of their group.
    Sink,
    /// Dormants attend to themselves, and so do copy tokens without a dormant of their group.
    Diagonal,
}

/// A block, in the frame of its task.
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    /// `F^T B F`, F the frame: the logits (in units of kappa) between frame vectors, by columns (keys); rows are queries.
    pub qk: Columns,
    /// `W_O W_V` as a map on coordinates, by columns.
    pub vo: Columns,
    /// The hidden units; what they read is given by its inner products with the frame, what they write by coordinates.
    pub neurons: Vec<Neuron<Surd>>,
    /// b_2.
    pub output_bias: Sparse<Surd>,
}

/// The definition of a query-key matrix, read as a form on the frame.
pub fn form(definition: &Matrix, task: &Task) -> Columns {
    let sides = (Side::Covector, Side::Covector);
    read(definition, task, sides, task.geometry.dimension())
}

/// The definition of a residual-to-residual map, read on coordinates.
pub fn map(definition: &Matrix, task: &Task) -> Columns {
    let sides = (Side::Vector, Side::Covector);
    read(definition, task, sides, task.geometry.dimension())
}

/// Hidden units from the definitions of W_1 and W_2, with biases that keep all of them on, and the output bias that takes
/// the biases away again.
pub fn lifted(w1: &Matrix, w2: &Matrix, task: &Task) -> (Vec<Neuron<Surd>>, Sparse<Surd>) {
    let units = task.units();
    let reads = read(
        w1,
        task,
        (Side::Hidden, Side::Covector),
        task.geometry.dimension(),
    );
    let writes = read(w2, task, (Side::Vector, Side::Hidden), units);
    let neurons: Vec<Neuron<Surd>> = transposed(&reads, units)
        .into_iter()
        .zip(writes)
        .filter(|(w, v)| !w.is_empty() && !v.is_empty())
        .map(|(reads, writes)| Neuron {
            bias: lifting_bias(task, &reads),
            reads,
            writes,
        })
        .collect();
    let output_bias = combine(neurons.iter().map(|n| (-&n.bias, &n.writes)));
    (neurons, output_bias)
}

impl Build {
    /// The block that the proof of Theorem D.1 writes down for a pattern.
    pub fn printed(task: &Task, pattern: Pattern) -> Build {
        match pattern {
            Pattern::Sink => Build::sink(task, &sink::qk(), &sink::vo(), &sink::w1(), &sink::w2()),
            Pattern::Diagonal => Build {
                qk: form(&diagonal::qk(), task),
                vo: map(&diagonal::vo(), task),
                neurons: Vec::new(),
                output_bias: Sparse::new(),
            },
        }
    }

    /// A sink from definitions, with lifted hidden units.
    pub fn sink(task: &Task, qk: &Matrix, vo: &Matrix, w1: &Matrix, w2: &Matrix) -> Build {
        let (neurons, output_bias) = lifted(w1, w2, task);
        Build {
            qk: form(qk, task),
            vo: map(vo, task),
            neurons,
            output_bias,
        }
    }

    /// The sink with `W_O W_V = s T_base` and an MLP that is `(1 - epsilon) T_base`.
    pub fn cheaper(task: &Task, s: &Rational) -> Build {
        Build::sink(
            task,
            &sink::qk(),
            &sink::vo_cheaper(s),
            &sink::w1(),
            &sink::w2_cheaper(),
        )
    }

    /// The logit of a query at a key, in units of kappa: both by coordinates.
    pub fn logit(&self, query: &Sparse<Surd>, key: &Sparse<Surd>) -> Surd {
        crate::matrix::dot(query, &apply(&self.qk, key))
    }
}
