//! The float path: spectra of a cluster cell by dense decompositions, for plots and large sweeps. Nothing is decided by them;
//! the tests compare them with the exact enclosures.

use super::cost::as_form;
use super::{ClusterCell, spectrum};
use crate::nuclear::singular_values;
use constructions::cluster::build::{Build, Pattern};
use constructions::cluster::reading::Columns;
use constructions::cluster::reading::{covector_square, vector_square};
use constructions::matrix::at;
use nalgebra::{DMatrix, DVector};

/// Largest dimension of the span that is decomposed.
pub const LARGEST: usize = 700;

/// Spectral quantities in floats, of vectors divided by sqrt d and matrices in kappa/sqrt d.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectra {
    /// r_eff(Sigma_D); 0 where no pair occurs in both orders.
    pub r_eff: f64,
    /// |Sigma_D|_2.
    pub sigma: f64,
    /// Of the sink.
    pub sink: BlockSpectra,
    /// Of the diagonal; nothing where there is none.
    pub diagonal: Option<BlockSpectra>,
}

/// Norms of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockSpectra {
    /// |B|_*.
    pub nuclear: f64,
    /// |B|_2.
    pub operator: f64,
    /// 2 |W_O W_V|_* and the MLP.
    pub rest: f64,
}

/// The spectra of a cell; nothing where it is too large or a decomposition fails.
pub fn spectra(cell: &ClusterCell) -> Option<Spectra> {
    let task = &cell.task;
    let n = task.geometry.dimension();
    if n > LARGEST {
        return None;
    }
    let gram = &task.geometry.gram;
    let k = DMatrix::from_fn(n, n, |i, j| at(&gram[j], i).to_f64());
    let l = k.cholesky()?.l();
    // Coordinates in an orthonormal basis: x = L^T coordinates.
    let mut sigma = DMatrix::<f64>::zeros(n, n);
    for e in spectrum::uniform(task) {
        let mut x = DVector::<f64>::zeros(n);
        for (sign, eta) in [
            (1.0, task.nuisance(e.group, e.i)),
            (-1.0, task.nuisance(e.group, e.j)),
        ] {
            for (k, c) in eta {
                x[*k] += sign * c.to_f64();
            }
        }
        let x = l.transpose() * x;
        sigma.ger(1.0, &x, &x, 1.0);
    }
    let top = sigma.clone().try_symmetric_eigen(f64::EPSILON, 100_000)?;
    let norm = top.eigenvalues.max();
    let diagonal = match cell.infeasible() {
        Some(_) => None,
        None => Some(block(cell, cell.build(Pattern::Diagonal), &l)?),
    };
    Some(Spectra {
        r_eff: if norm > 0.0 {
            sigma.trace() / norm
        } else {
            0.0
        },
        sigma: norm,
        sink: block(cell, cell.build(Pattern::Sink), &l)?,
        diagonal,
    })
}

fn block(cell: &ClusterCell, build: &Build, l: &DMatrix<f64>) -> Option<BlockSpectra> {
    // L^-1 S L^-T in an orthonormal basis.
    let values = |form: &Columns| -> Option<Vec<f64>> {
        let n = form.len();
        let mut s = DMatrix::<f64>::zeros(n, n);
        for (j, column) in form.iter().enumerate() {
            for (i, x) in column {
                s[(*i, j)] = x.to_f64();
            }
        }
        let half = l.solve_lower_triangular(&s)?.transpose();
        singular_values(&l.solve_lower_triangular(&half)?)
    };
    let b = values(&build.qk)?;
    let vo = values(&as_form(&cell.task, &build.vo))?;
    let mlp: f64 = build
        .neurons
        .iter()
        .map(|n| {
            let size = covector_square(&cell.task, &n.reads).to_f64()
                * vector_square(&cell.task, &n.writes).to_f64();
            2.0 * size.sqrt()
        })
        .sum();
    Some(BlockSpectra {
        nuclear: b.iter().sum(),
        operator: b.iter().copied().fold(0.0, f64::max),
        rest: 2.0 * vo.iter().sum::<f64>() + mlp,
    })
}

/// The head of a table of spectra.
pub const HEAD: &str = "# floats, for plots: nothing is decided by them\n\
place,r_eta,delta_squared,r_eff,sink_attention,sink_operator_norm,sink_rest,diagonal_attention,diagonal_operator_norm,diagonal_rest\n";

/// One line of the table: costs are 2 |B|_* in kappa/sqrt d, and the rest.
pub fn line(name: &str, cell: &ClusterCell) -> String {
    let task = &cell.task;
    let head = format!(
        "\"{name}\",{},{}",
        task.geometry.r_eta(),
        task.delta_squared.to_f64()
    );
    let Some(found) = spectra(cell) else {
        return format!("{head},,,,,,,\n");
    };
    let block =
        |b: &BlockSpectra| format!("{:.9},{:.9},{:.9}", 2.0 * b.nuclear, b.operator, b.rest);
    let diagonal = found.diagonal.as_ref().map_or(",,".into(), block);
    format!(
        "{head},{:.9},{},{diagonal}\n",
        found.r_eff,
        block(&found.sink)
    )
}
