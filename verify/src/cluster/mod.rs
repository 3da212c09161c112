//! One place where claims about the cluster task are decided, and what several of them need.

pub mod bounds;
pub mod cost;
pub mod files;
pub mod floats;
pub mod spec;
pub mod spectrum;
pub mod weights;

use constructions::cluster::build::{Build, Pattern};
use constructions::cluster::labels::{self, Labels};
use constructions::cluster::margins::{self, Margins};
use constructions::cluster::task::Task;
use cost::{Cost, costs};
use exact::{Rational, Surd};
use std::sync::OnceLock;
use thiserror::Error;

/// A user's own block.
#[derive(Clone, Debug)]
pub struct Own {
    /// The pattern that it must implement.
    pub pattern: Pattern,
    /// The block.
    pub build: Build,
}

/// A cell of the cluster task.
pub struct ClusterCell {
    /// The task.
    pub task: Task,
    /// d.
    pub width: usize,
    /// kappa, if fixed.
    pub kappa: Option<Rational>,
    /// Multisets of dormants that are tried as labels have at most this many members.
    pub size: Option<usize>,
    /// A user's own block in place of the printed one of its pattern.
    pub own: Option<Own>,
    /// What is said of it beyond the parameters: patterns, shape, data.
    pub about: String,
    sink: Found,
    diagonal: Found,
    effective: OnceLock<spectrum::Effective>,
}

#[derive(Default)]
struct Found {
    build: OnceLock<Build>,
    margins: OnceLock<Margins>,
    labels: OnceLock<Labels>,
    cost: OnceLock<Result<Cost, String>>,
}

/// A width that does not hold the vectors.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "d = {width}: the vectors need {needed} dimensions (1 + 2C + r_eta, or as many as they have coordinates)"
)]
pub struct Narrow {
    /// The width given.
    pub width: usize,
    /// The dimension of the span.
    pub needed: usize,
}

impl ClusterCell {
    /// A cell; `width` of `None` is the dimension of the span, 1 + 2C + r_eta (or that of explicit vectors).
    ///
    /// # Errors
    /// A width below it.
    pub fn new(
        task: Task,
        width: Option<usize>,
        kappa: Option<Rational>,
        about: String,
    ) -> Result<ClusterCell, Narrow> {
        let needed = task.geometry.dimension();
        let width = width.unwrap_or(needed);
        if width < needed {
            return Err(Narrow { width, needed });
        }
        Ok(ClusterCell {
            task,
            width,
            kappa,
            size: None,
            own: None,
            about,
            sink: Found::default(),
            diagonal: Found::default(),
            effective: OnceLock::new(),
        })
    }

    fn found(&self, pattern: Pattern) -> &Found {
        match pattern {
            Pattern::Sink => &self.sink,
            Pattern::Diagonal => &self.diagonal,
        }
    }

    /// Does a user's own block stand for this pattern?
    pub fn is_own(&self, pattern: Pattern) -> bool {
        self.own.as_ref().is_some_and(|own| own.pattern == pattern)
    }

    /// The block of a pattern: the printed one, or a user's own.
    pub fn build(&self, pattern: Pattern) -> &Build {
        self.found(pattern).build.get_or_init(|| match &self.own {
            Some(own) if own.pattern == pattern => own.build.clone(),
            _ => Build::printed(&self.task, pattern),
        })
    }

    /// Its margins.
    pub fn margins(&self, pattern: Pattern) -> &Margins {
        let found = self.found(pattern);
        found
            .margins
            .get_or_init(|| margins::check(self.build(pattern), &self.task, pattern))
    }

    /// Its labels.
    pub fn labels(&self, pattern: Pattern) -> &Labels {
        let found = self.found(pattern);
        found
            .labels
            .get_or_init(|| labels::check(self.build(pattern), &self.task, pattern, self.size))
    }

    /// What it costs.
    ///
    /// # Errors
    /// A norm that could not be enclosed.
    pub fn cost(&self, pattern: Pattern) -> Result<&Cost, &String> {
        let found = self.found(pattern);
        found
            .cost
            .get_or_init(|| costs(&self.task, self.build(pattern)).map_err(|e| e.to_string()))
            .as_ref()
    }

    /// tr and norm of Sigma_D, divided by d.
    pub fn effective(&self) -> &spectrum::Effective {
        self.effective
            .get_or_init(|| spectrum::pairs(&self.task, &spectrum::uniform(&self.task)))
    }

    /// kappa/sqrt d, where kappa is fixed.
    pub fn unit(&self) -> Option<Surd> {
        let root = Surd::sqrt(&Rational::from(self.width)).ok()?.inverse()?;
        Some(root.scale(self.kappa.as_ref()?))
    }

    /// Dormants that no diagonal pattern can tell apart.
    pub fn infeasible(&self) -> Option<String> {
        let mut met = self.task.met().into_iter();
        met.find(|(c, i, j)| self.task.distance_squared(*c, *i, *j).is_zero())
            .map(|(c, i, j)| {
                format!(
                    "d_{{{c},{i}}} = d_{{{c},{j}}} (Delta = 0): no diagonal pattern tells them apart"
                )
            })
    }

    /// Where the cell is, in one line.
    pub fn describe(&self) -> String {
        let t = &self.task;
        let dormants = spec::listed(&t.dormants);
        let kappa = self
            .kappa
            .as_ref()
            .map_or(String::new(), |k| format!(", kappa = {k}"));
        let delta = Surd::sqrt(&t.delta_squared)
            .map_or_else(|_| format!("sqrt({})", t.delta_squared), |d| d.to_string());
        format!(
            "clusters, C = {}, dormants {dormants}, delta = {delta}, phi = {}, epsilon = {}, r_eta = {}, d = {}{}{kappa}",
            t.groups(),
            t.phi,
            t.epsilon,
            t.geometry.r_eta(),
            self.width,
            self.about
        )
    }
}
