//! The options that say where claims are decided.

use super::Error;
use crate::cell::Cell;
use crate::cluster::ClusterCell;
use crate::cluster::files::{Grams, shaped};
use crate::cluster::spec::{self, ClusterSpec};
use crate::files;
use crate::grid::kappa;
use crate::place::Place;
use clap::{Args, ValueEnum};
use constructions::Sizes;
use constructions::backcopy::{Reading, Task};
use constructions::cluster::shapes::{Coherence, Shape};
use constructions::cluster::task::Data;
use std::path::Path;

/// The tasks, and the two families of sinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TaskName {
    /// Theorem 7.1
    Backcopy,
    /// Theorem 7.2
    Clusters,
    /// Sinks with W_O W_V b != 0 of bounded cost, any r_eta (Theorem 7.2's task)
    FamilyA,
    /// Sinks with W_O W_V b = 0 of bounded cost, any r_eta (Theorem 7.2's task)
    FamilyB,
    /// Theorem 5.1, for the setting of a file
    Oversmoothing,
}

/// Where claims are decided.
#[derive(Args)]
pub struct Options {
    /// Which task
    #[arg(long, value_enum)]
    task: Option<TaskName>,
    /// Number of copy tokens, or of groups, C
    #[arg(long = "C", value_name = "C")]
    c: Option<usize>,
    /// Width d; the least that holds all vectors by default
    #[arg(long = "d", value_name = "N")]
    width: Option<usize>,
    /// kappa, an exact positive number; without it thresholds are reported
    #[arg(long, value_name = "Q", allow_hyphen_values = true)]
    kappa: Option<String>,
    #[command(flatten)]
    backcopy: Backcopy,
    #[command(flatten)]
    clusters: Clusters,
    #[command(flatten)]
    family: Family,
}

#[derive(Args)]
#[command(next_help_heading = "Backcopy task")]
struct Backcopy {
    /// Context length T
    #[arg(long = "T", value_name = "T")]
    t: Option<usize>,
    /// Number of dormant tokens D
    #[arg(long = "D", value_name = "D")]
    dormant: Option<usize>,
    /// What may stand at t = 1: A, B or L
    #[arg(long, value_name = "R")]
    reading: Option<String>,
    /// standard, rotated, rotated:SEED, or a JSON file of columns
    #[arg(long, value_name = "BASIS")]
    basis: Option<String>,
}

#[derive(Args)]
#[command(next_help_heading = "Cluster task")]
struct Clusters {
    /// Dormants of each group: one number, or one for each group as in 4,3,5
    #[arg(long, value_name = "N")]
    dormants: Option<String>,
    /// delta = |eta|/sqrt d, an exact number whose square is rational: 5/13, 1/4*sqrt(2)
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    delta: Option<String>,
    /// Coherence phi of b, the group directions and the copy tokens [default: 0]
    #[arg(long, value_name = "Q", allow_hyphen_values = true)]
    phi: Option<String>,
    /// Where inner products of size phi stand: equal, negative, alternating, paired, opposed, or a JSON file with the Gram
    /// matrix of b, dbar_1.., c_1.. [default: equal]
    #[arg(long, value_name = "NAME")]
    coherence: Option<String>,
    /// Tolerance of the labels [default: 1/20]
    #[arg(long, value_name = "Q", allow_hyphen_values = true)]
    epsilon: Option<String>,
    /// How nuisances lie: orthogonal, simplex, shared, near:TAU, or a JSON file with their Gram matrix [default: orthogonal]
    #[arg(long, value_name = "SHAPE")]
    shape: Option<String>,
    /// Which orders of two dormants of a group occur: both or one [default: both]
    #[arg(long, value_name = "WHICH")]
    orders: Option<String>,
    /// Every copy token has a dormant of its group before it
    #[arg(long)]
    no_absent: bool,
    /// Try labels on multisets of at most this many dormants [default: up to 3, as many as stay few]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=6))]
    multisets: Option<u8>,
}

#[derive(Args)]
#[command(next_help_heading = "Families A and B")]
struct Family {
    /// Number of dormants
    #[arg(long = "n", value_name = "N")]
    n: Option<usize>,
    /// delta (A) or tau (B) is 2k/(k^2 + 1)
    #[arg(long = "k", value_name = "K")]
    k: Option<u64>,
}

impl Options {
    /// Is anything given?
    pub fn given(&self) -> bool {
        let Options {
            task,
            c,
            width,
            kappa,
            ..
        } = self;
        task.is_some()
            || c.is_some()
            || width.is_some()
            || kappa.is_some()
            || self.backcopy.first().is_some()
            || self.clusters.first().is_some()
            || self.family.first().is_some()
    }

    /// The name of the task, where nothing but --task is given.
    pub fn task_alone(&self) -> Option<String> {
        let Options {
            c, width, kappa, ..
        } = self;
        let more = c.is_some()
            || width.is_some()
            || kappa.is_some()
            || self.backcopy.first().is_some()
            || self.clusters.first().is_some()
            || self.family.first().is_some();
        let name = self.task.filter(|_| !more)?.to_possible_value()?;
        Some(name.get_name().to_string())
    }

    /// The place.
    ///
    /// # Errors
    /// An option that is missing, wrong, or of another task.
    pub fn place(&self) -> Result<Place, Error> {
        let task = self.task.unwrap_or({
            if self.clusters.first().is_some() && self.backcopy.first().is_none() {
                TaskName::Clusters
            } else {
                TaskName::Backcopy
            }
        });
        let foreign = match task {
            TaskName::Backcopy => self.clusters.first().or(self.family.first()),
            TaskName::Clusters => self.backcopy.first().or(self.family.first()),
            TaskName::FamilyA | TaskName::FamilyB => {
                let sizes = self.c.map(|_| "C").or(self.width.map(|_| "d"));
                sizes.or(self.backcopy.first()).or(self.clusters.first())
            }
            TaskName::Oversmoothing => {
                return Err("--task oversmoothing needs a file with T, beta, zbar, W, Sigma_V and Sigma_C: verify scenario --task oversmoothing FILE".into());
            }
        };
        if let Some(option) = foreign {
            let name = task
                .to_possible_value()
                .map_or(String::new(), |v| v.get_name().into());
            return Err(format!("--{option} does not go with --task {name}").into());
        }
        match task {
            TaskName::Backcopy => Ok(self.backcopy()?.into()),
            TaskName::Clusters => Ok(self.clusters()?.into()),
            TaskName::FamilyA | TaskName::FamilyB | TaskName::Oversmoothing => {
                let (letter, n, k) = match task {
                    TaskName::FamilyA => ('A', 64, 128),
                    _ => ('B', 16, 4000),
                };
                let fixed = self.kappa.as_deref().map(kappa).transpose()?;
                let (n, k) = (self.family.n.unwrap_or(n), self.family.k.unwrap_or(k));
                Ok(spec::family(letter, n, k, fixed)?.into())
            }
        }
    }

    fn backcopy(&self) -> Result<Cell, Error> {
        let b = &self.backcopy;
        let need = |x: Option<usize>, name: &str| {
            x.ok_or_else(|| {
                Error::from(format!(
                    "--{name} is missing: a scenario needs --T, --C and --D (backcopy), --C, --dormants and --delta (clusters), or a file"
                ))
            })
        };
        let sizes = Sizes::new(
            need(b.t, "T")?,
            need(self.c, "C")?,
            need(b.dormant, "D")?,
            self.width,
        )?;
        let reading: Reading = b.reading.as_deref().unwrap_or("A").parse()?;
        let fixed = self.kappa.as_deref().map(kappa).transpose()?;
        let basis = files::basis(
            b.basis.as_deref().unwrap_or("standard"),
            Path::new("."),
            &sizes,
        )?;
        Ok(Cell::new(Task { sizes, reading }, basis, fixed))
    }

    fn clusters(&self) -> Result<ClusterCell, Error> {
        let c = &self.clusters;
        let missing = |name: &str| {
            Error::from(format!(
                "--{name} is missing: a cluster scenario needs --C, --dormants and --delta"
            ))
        };
        let counts = c.dormants.as_deref().ok_or_else(|| missing("dormants"))?;
        // Counts of every group make C known.
        if self.c.is_none() && !counts.contains(',') {
            return Err(missing("C"));
        }
        let text =
            |option: &Option<String>, default: &str| option.clone().unwrap_or(default.into());
        let shape = text(&c.shape, "orthogonal");
        let spec = ClusterSpec {
            dormants: spec::counts(counts, self.c)?,
            delta: spec::surd("delta", c.delta.as_deref().ok_or_else(|| missing("delta"))?)?,
            phi: spec::rational("phi", &text(&c.phi, "0"))?,
            coherence: Coherence::Equal,
            epsilon: spec::rational("epsilon", &text(&c.epsilon, "1/20"))?,
            shape: Shape::Orthogonal,
            data: Data {
                orders: spec::orders(&text(&c.orders, "both"))?,
                absent: !c.no_absent,
                most: None,
            },
            width: self.width,
            kappa: self.kappa.as_deref().map(kappa).transpose()?,
            size: c.multisets.map(usize::from),
        };
        let phi = spec.phi.clone();
        let grams = Grams {
            shape: &shape,
            coherence: &text(&c.coherence, "equal"),
            phi: c.phi.is_some().then_some(&phi),
        };
        Ok(shaped(spec, &grams, Path::new("."))?)
    }
}

impl Backcopy {
    /// The first option that is given.
    fn first(&self) -> Option<&'static str> {
        let Backcopy {
            t,
            dormant,
            reading,
            basis,
        } = self;
        first([
            (t.is_some(), "T"),
            (dormant.is_some(), "D"),
            (reading.is_some(), "reading"),
            (basis.is_some(), "basis"),
        ])
    }
}

impl Clusters {
    fn first(&self) -> Option<&'static str> {
        let Clusters {
            dormants,
            delta,
            phi,
            coherence,
            epsilon,
            shape,
            orders,
            no_absent,
            multisets,
        } = self;
        first([
            (dormants.is_some(), "dormants"),
            (delta.is_some(), "delta"),
            (phi.is_some(), "phi"),
            (coherence.is_some(), "coherence"),
            (epsilon.is_some(), "epsilon"),
            (shape.is_some(), "shape"),
            (orders.is_some(), "orders"),
            (*no_absent, "no-absent"),
            (multisets.is_some(), "multisets"),
        ])
    }
}

impl Family {
    fn first(&self) -> Option<&'static str> {
        first([(self.n.is_some(), "n"), (self.k.is_some(), "k")])
    }
}

fn first<const N: usize>(options: [(bool, &'static str); N]) -> Option<&'static str> {
    options
        .into_iter()
        .find(|(given, _)| *given)
        .map(|(_, name)| name)
}
