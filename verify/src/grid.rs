//! Grids: stated finite sets of cells, from TOML.

use crate::cell::Cell;
use crate::cluster::spec::{self, ClusterSpec, SpecError, counts, positive, rational, surd};
use crate::place::{Place, Subject};
use constructions::backcopy::{Reading, Task};
use constructions::basis::{Basis, BasisError};
use constructions::cluster::task::Data;
use constructions::{SizeError, Sizes};
use exact::{ParseError, Rational};
use serde::Deserialize;
use std::fmt::{self, Display, Formatter};
use thiserror::Error;

/// Most cells of a grid.
pub const LARGEST_GRID: usize = 1_000_000;

/// A grid file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GridFile {
    /// Products of ranges for the backcopy task.
    #[serde(default)]
    block: Vec<BlockSpec>,
    /// Products of ranges for the cluster task.
    #[serde(default)]
    clusters: Vec<ClusterBlock>,
}

/// A grid: its cells, small ones first.
#[derive(Clone, Debug)]
pub struct Grid {
    cells: Vec<CellSpec>,
}

/// A product of ranges.
#[allow(non_snake_case)]
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockSpec {
    T: Vec<usize>,
    C: Vec<usize>,
    D: Vec<usize>,
    /// How much the width exceeds N = T + C + D + 2.
    #[serde(default = "zero")]
    extra_width: Vec<usize>,
    #[serde(default = "free")]
    kappa: Vec<String>,
    readings: Vec<String>,
    #[serde(default = "standard")]
    bases: Vec<String>,
}

/// A product of ranges for the cluster task.
#[allow(non_snake_case)]
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClusterBlock {
    C: Vec<usize>,
    dormants: Vec<String>,
    delta: Vec<String>,
    epsilon: Vec<String>,
    #[serde(default = "nothing")]
    phi: Vec<String>,
    #[serde(default = "equal")]
    coherence: Vec<String>,
    #[serde(default = "orthogonal")]
    shapes: Vec<String>,
    #[serde(default = "both")]
    orders: Vec<String>,
    #[serde(default = "yes")]
    absent: Vec<bool>,
    #[serde(default = "free")]
    kappa: Vec<String>,
}

fn nothing() -> Vec<String> {
    vec!["0".into()]
}

fn equal() -> Vec<String> {
    vec!["equal".into()]
}

fn orthogonal() -> Vec<String> {
    vec!["orthogonal".into()]
}

fn both() -> Vec<String> {
    vec!["both".into()]
}

fn yes() -> Vec<bool> {
    vec![true]
}

fn zero() -> Vec<usize> {
    vec![0]
}

fn free() -> Vec<String> {
    vec![String::new()]
}

fn standard() -> Vec<String> {
    vec!["standard".into()]
}

/// One cell of a grid.
#[derive(Clone, Debug)]
pub enum CellSpec {
    /// Of the backcopy task.
    Backcopy(BackcopySpec),
    /// Of the cluster task.
    Clusters(ClusterSpec),
}

/// A backcopy cell by its parameters.
#[derive(Clone, Debug)]
pub struct BackcopySpec {
    sizes: Sizes,
    reading: Reading,
    kappa: Option<Rational>,
    basis: String,
}

/// What is wrong with a grid or scenario.
#[derive(Debug, Error)]
pub enum GridError {
    /// Not TOML of the right shape.
    #[error("{0}")]
    Toml(String),
    /// Sizes.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A reading.
    #[error(transparent)]
    Reading(#[from] constructions::backcopy::ReadingError),
    /// A number.
    #[error("kappa: {0}")]
    Number(#[from] ParseError),
    /// kappa <= 0.
    #[error("kappa = {0}: kappa must be positive")]
    Kappa(Rational),
    /// A basis.
    #[error(transparent)]
    Basis(#[from] BasisError),
    /// A basis name.
    #[error("basis \"{0}\": it is standard, rotated, rotated:SEED or, for a scenario, a JSON file")]
    BasisName(String),
    /// A cluster cell.
    #[error(transparent)]
    Cluster(#[from] SpecError),
    /// Nothing in it.
    #[error("it has no cells")]
    Empty,
    /// Too much in it.
    #[error("it has more than {LARGEST_GRID} cells")]
    TooLarge,
}

/// A TOML error in one line, with the line it speaks of.
pub fn in_one_line(text: &str, error: &toml::de::Error) -> String {
    let message = error.message().replace('\n', " ");
    match error.span() {
        Some(span) => {
            let before = text.get(..span.start).unwrap_or(text);
            format!("line {}: {message}", before.matches('\n').count() + 1)
        }
        None => message,
    }
}

/// A positive kappa.
///
/// # Errors
/// Not a number, or not positive.
pub fn kappa(text: &str) -> Result<Rational, GridError> {
    let value: Rational = text.parse()?;
    if value.is_positive() {
        Ok(value)
    } else {
        Err(GridError::Kappa(value))
    }
}

/// A named basis.
///
/// # Errors
/// An unknown name.
pub fn named_basis(name: &str, sizes: &Sizes) -> Result<Basis, GridError> {
    match seed(name)? {
        None => Ok(Basis::standard()),
        Some(seed) => Ok(Basis::rotated(sizes, seed)?),
    }
}

/// The seed of a rotated basis; nothing for the standard one.
fn seed(name: &str) -> Result<Option<u64>, GridError> {
    match name.split_once(':') {
        None if name == "standard" => return Ok(None),
        None if name == "rotated" => return Ok(Some(1)),
        Some(("rotated", seed)) => {
            if let Ok(seed) = seed.parse() {
                return Ok(Some(seed));
            }
        }
        _ => {}
    }
    Err(GridError::BasisName(name.into()))
}

impl Grid {
    /// Reads a grid and checks every cell's sizes and names.
    ///
    /// # Errors
    /// Bad TOML, sizes, readings, numbers or bases; an empty grid.
    pub fn parse(text: &str) -> Result<Grid, GridError> {
        let file: GridFile =
            toml::from_str(text).map_err(|e| GridError::Toml(in_one_line(text, &e)))?;
        let cells = file.build()?;
        if cells.is_empty() {
            return Err(GridError::Empty);
        }
        Ok(Grid { cells })
    }

    /// All cells, small ones first.
    pub fn cells(&self) -> &[CellSpec] {
        &self.cells
    }
}

impl GridFile {
    fn build(&self) -> Result<Vec<CellSpec>, GridError> {
        let mut cells = Vec::new();
        for b in &self.block {
            b.build(&mut cells)?;
        }
        cells.sort_by_key(|c| (c.sizes.n(), c.sizes));
        let mut clusters = Vec::new();
        for b in &self.clusters {
            b.build(&mut clusters)?;
        }
        if cells.len() + clusters.len() > LARGEST_GRID {
            return Err(GridError::TooLarge);
        }
        clusters.sort_by_key(|c| c.dormants.iter().sum::<usize>());
        let cells = cells.into_iter().map(CellSpec::Backcopy);
        Ok(cells
            .chain(clusters.into_iter().map(CellSpec::Clusters))
            .collect())
    }
}

impl BlockSpec {
    fn build(&self, cells: &mut Vec<BackcopySpec>) -> Result<(), GridError> {
        for (&t, &c, &d, &extra) in product(&self.T, &self.C, &self.D, &self.extra_width) {
            let least = Sizes::new(t, c, d, None)?;
            let sizes = Sizes::new(t, c, d, Some(least.width.saturating_add(extra)))?;
            for reading in &self.readings {
                for k in &self.kappa {
                    let fixed = if k.is_empty() { None } else { Some(kappa(k)?) };
                    for basis in &self.bases {
                        seed(basis)?;
                        if cells.len() >= LARGEST_GRID {
                            return Err(GridError::TooLarge);
                        }
                        let reading = reading.parse()?;
                        cells.push(BackcopySpec {
                            sizes,
                            reading,
                            kappa: fixed.clone(),
                            basis: basis.clone(),
                        });
                    }
                }
            }
        }
        Ok(())
    }
}

impl ClusterBlock {
    /// Every choice of one entry from each list.
    fn build(&self, cells: &mut Vec<ClusterSpec>) -> Result<(), GridError> {
        let lengths = [
            self.C.len(),
            self.dormants.len(),
            self.delta.len(),
            self.epsilon.len(),
            self.phi.len(),
            self.coherence.len(),
            self.shapes.len(),
            self.orders.len(),
            self.absent.len(),
            self.kappa.len(),
        ];
        let total = lengths.iter().fold(1usize, |n, k| n.saturating_mul(*k));
        if total > LARGEST_GRID {
            return Err(GridError::TooLarge);
        }
        for number in 0..total {
            let mut rest = number;
            let [
                c,
                n,
                delta,
                epsilon,
                phi,
                coherence,
                shape,
                orders,
                absent,
                k,
            ] = lengths.map(|length| {
                let place = rest % length;
                rest /= length;
                place
            });
            // Without coherence all patterns are the same.
            let phi = rational("phi", &self.phi[phi])?;
            if phi.is_zero() && coherence > 0 {
                continue;
            }
            let kappa = match self.kappa[k].as_str() {
                "" => None,
                text => Some(positive(text)?),
            };
            cells.push(ClusterSpec {
                dormants: counts(&self.dormants[n], Some(self.C[c]))?,
                delta: surd("delta", &self.delta[delta])?,
                phi,
                coherence: self.coherence[coherence].parse().map_err(SpecError::from)?,
                epsilon: rational("epsilon", &self.epsilon[epsilon])?,
                shape: self.shapes[shape].parse().map_err(SpecError::from)?,
                data: Data {
                    orders: spec::orders(&self.orders[orders])?,
                    absent: self.absent[absent],
                    most: None,
                },
                width: None,
                kappa,
                size: None,
            });
        }
        Ok(())
    }
}

fn product<'a>(
    a: &'a [usize],
    b: &'a [usize],
    c: &'a [usize],
    d: &'a [usize],
) -> impl Iterator<Item = (&'a usize, &'a usize, &'a usize, &'a usize)> {
    a.iter().flat_map(move |x| {
        b.iter().flat_map(move |y| {
            c.iter()
                .flat_map(move |z| d.iter().map(move |w| (x, y, z, w)))
        })
    })
}

impl CellSpec {
    /// Its task.
    pub fn subject(&self) -> Subject {
        match self {
            CellSpec::Backcopy(_) => Subject::Backcopy,
            CellSpec::Clusters(_) => Subject::Clusters,
        }
    }

    /// The cell itself.
    ///
    /// # Errors
    /// A basis that cannot be built, or vectors that do not exist.
    pub fn place(&self) -> Result<Place, GridError> {
        match self {
            CellSpec::Backcopy(spec) => Ok(spec.cell()?.into()),
            CellSpec::Clusters(spec) => Ok(spec.cell()?.into()),
        }
    }
}

impl Display for CellSpec {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            CellSpec::Backcopy(spec) => spec.fmt(f),
            CellSpec::Clusters(spec) => spec.fmt(f),
        }
    }
}

impl BackcopySpec {
    fn cell(&self) -> Result<Cell, GridError> {
        let basis = named_basis(&self.basis, &self.sizes)?;
        Ok(Cell::new(
            Task {
                sizes: self.sizes,
                reading: self.reading,
            },
            basis,
            self.kappa.clone(),
        ))
    }
}

impl Display for BackcopySpec {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let s = &self.sizes;
        write!(
            f,
            "T={} C={} D={} d={} {}",
            s.t, s.c, s.d, s.width, self.reading
        )?;
        if let Some(k) = &self.kappa {
            write!(f, " kappa={k}")?;
        }
        if self.basis == "standard" {
            Ok(())
        } else {
            write!(f, " {}", self.basis)
        }
    }
}
