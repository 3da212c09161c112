//! Cluster cells from names and numbers: what the command line, scenario files and grids share.

use super::{ClusterCell, Narrow, Own};
use crate::grid::kappa;
use constructions::cluster::build::Pattern;
use constructions::cluster::families;
use constructions::cluster::shapes::{Coherence, Shape, ShapeError};
use constructions::cluster::task::{Data, Orders, Task, TaskError};
use exact::{ParseError, Rational, Surd};
use std::fmt::{self, Display, Formatter};
use thiserror::Error;

/// Most dormants of family A, and of family B, whose numbers are long.
const LARGEST_FAMILY: [usize; 2] = [512, 128];

/// What is wrong with a cluster cell.
#[derive(Debug, Error)]
pub enum SpecError {
    /// The task.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// The width.
    #[error(transparent)]
    Narrow(#[from] Narrow),
    /// A pattern or shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A number.
    #[error("{name} = {text}: {source}")]
    Number {
        /// Of what.
        name: &'static str,
        /// What was given.
        text: String,
        /// Why it is none.
        source: ParseError,
    },
    /// delta^2 is irrational.
    #[error("delta = {0}: its square must be rational")]
    Delta(Surd),
    /// kappa.
    #[error("{0}")]
    Kappa(String),
    /// The orders.
    #[error("orders \"{0}\": it is both or one (in a file also a list of [group, earlier, later])")]
    Orders(String),
    /// Counts of dormants.
    #[error("dormants \"{0}\": it is a number, or one number for each group as in 4,3,5")]
    Counts(String),
    /// C and the counts.
    #[error("C = {groups}, but {counts} groups have a number of dormants")]
    Groups {
        /// C.
        groups: usize,
        /// How many counts.
        counts: usize,
    },
    /// Parameters at which a family is no solution.
    #[error("family {family}, n = {n}, k = {k} is no sink solution: {reason}")]
    NoSolution {
        /// A or B.
        family: char,
        /// n.
        n: usize,
        /// k.
        k: u64,
        /// The margin or label that is missed.
        reason: String,
    },
    /// A family's parameters.
    #[error("family {family}, n = {n}, k = {k}: it needs {rule}")]
    Family {
        /// A or B.
        family: char,
        /// n.
        n: usize,
        /// k.
        k: u64,
        /// What it needs.
        rule: &'static str,
    },
}

/// A cluster cell by its parameters.
#[derive(Clone, Debug)]
pub struct ClusterSpec {
    /// n_c.
    pub dormants: Vec<usize>,
    /// delta; its square is rational.
    pub delta: Surd,
    /// phi.
    pub phi: Rational,
    /// How inner products of size phi are distributed.
    pub coherence: Coherence,
    /// epsilon.
    pub epsilon: Rational,
    /// How the nuisances lie.
    pub shape: Shape,
    /// What the data contains.
    pub data: Data,
    /// d; the dimension of the span if not given.
    pub width: Option<usize>,
    /// kappa.
    pub kappa: Option<Rational>,
    /// The largest multisets.
    pub size: Option<usize>,
}

/// A rational with its name in the message.
///
/// # Errors
/// No number.
pub fn rational(name: &'static str, text: &str) -> Result<Rational, SpecError> {
    text.parse().map_err(|source| SpecError::Number {
        name,
        text: text.into(),
        source,
    })
}

/// delta: a rational, or a number such as `1/4*sqrt(2)`.
///
/// # Errors
/// No number.
pub fn surd(name: &'static str, text: &str) -> Result<Surd, SpecError> {
    text.parse().map_err(|source| SpecError::Number {
        name,
        text: text.into(),
        source,
    })
}

/// delta^2.
///
/// # Errors
/// It is irrational.
pub fn squared(delta: &Surd) -> Result<Rational, SpecError> {
    (delta * delta)
        .as_rational()
        .ok_or_else(|| SpecError::Delta(delta.clone()))
        .and_then(|square| {
            if delta.signum() < 0 {
                Err(SpecError::Task(TaskError::Delta(-square)))
            } else {
                Ok(square)
            }
        })
}

/// Counts of dormants: one number for all of `groups`, or one for each.
///
/// # Errors
/// No numbers, or not as many as groups.
pub fn counts(text: &str, groups: Option<usize>) -> Result<Vec<usize>, SpecError> {
    let wrong = || SpecError::Counts(text.into());
    let numbers: Vec<usize> = text
        .split(',')
        .map(|n| n.trim().parse())
        .collect::<Result<_, _>>()
        .map_err(|_| wrong())?;
    match (numbers.as_slice(), groups) {
        ([n], Some(groups)) if groups <= constructions::cluster::task::LARGEST => {
            Ok(vec![*n; groups])
        }
        ([_], Some(groups)) => Err(TaskError::TooMany(groups).into()),
        (_, Some(groups)) if groups != numbers.len() => Err(SpecError::Groups {
            groups,
            counts: numbers.len(),
        }),
        _ => Ok(numbers),
    }
}

/// Which orders occur, by name.
///
/// # Errors
/// An unknown name.
pub fn orders(name: &str) -> Result<Orders, SpecError> {
    match name {
        "both" => Ok(Orders::Both),
        "one" => Ok(Orders::Ascending),
        _ => Err(SpecError::Orders(name.into())),
    }
}

/// kappa.
///
/// # Errors
/// No positive number.
pub fn positive(text: &str) -> Result<Rational, SpecError> {
    kappa(text).map_err(|e| SpecError::Kappa(e.to_string()))
}

/// Counts of dormants: one number where all are the same.
pub fn listed(counts: &[usize]) -> String {
    match counts {
        [first, rest @ ..] if rest.iter().all(|n| n == first) => first.to_string(),
        _ => {
            let all: Vec<String> = counts.iter().map(ToString::to_string).collect();
            all.join(",")
        }
    }
}

/// What the description says of the data, beyond the usual.
pub fn about(data: &Data) -> String {
    let mut text = String::new();
    match &data.orders {
        Orders::Both => {}
        Orders::Ascending => text.push_str(", one order"),
        Orders::Pairs(pairs) => text.push_str(&format!(", {} orders given", pairs.len())),
    }
    if !data.absent {
        text.push_str(", no absent groups");
    }
    if let Some(most) = data.most {
        text.push_str(&format!(", at most {most} copied"));
    }
    text
}

impl ClusterSpec {
    /// The cell.
    ///
    /// # Errors
    /// Parameters out of range, vectors that do not exist, a width too small.
    pub fn cell(&self) -> Result<ClusterCell, SpecError> {
        let task = Task::new(
            self.dormants.clone(),
            squared(&self.delta)?,
            self.epsilon.clone(),
            (self.phi.clone(), self.coherence),
            &self.shape,
            self.data.clone(),
        )?;
        let mut words = format!(", {}", self.shape);
        if !task.phi.is_zero() {
            words.push_str(&format!(" and {}", self.coherence));
        }
        words.push_str(&about(&self.data));
        let mut cell = ClusterCell::new(task, self.width, self.kappa.clone(), words)?;
        cell.size = self.size;
        Ok(cell)
    }
}

impl Display for ClusterSpec {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(
            f,
            "C={} dormants={} delta={} {}",
            self.dormants.len(),
            listed(&self.dormants),
            self.delta,
            self.shape
        )?;
        if !self.phi.is_zero() {
            write!(f, " phi={} {}", self.phi, self.coherence)?;
        }
        write!(f, " epsilon={}{}", self.epsilon, about(&self.data))?;
        match &self.kappa {
            Some(kappa) => write!(f, " kappa={kappa}"),
            None => Ok(()),
        }
    }
}

/// One of the two families as a cell with its own sink.
///
/// # Errors
/// Parameters at which it is no solution.
pub fn family(
    letter: char,
    n: usize,
    k: u64,
    kappa: Option<Rational>,
) -> Result<ClusterCell, SpecError> {
    let refuse = |rule| {
        Err(SpecError::Family {
            family: letter,
            n,
            k,
            rule,
        })
    };
    if k > 1 << 31 {
        return refuse("k <= 2^31");
    }
    let family = match letter {
        'A' if n < 1 || k < 2 => return refuse("n >= 1 and k >= 2"),
        'A' if n > LARGEST_FAMILY[0] => return refuse("n <= 512"),
        'A' => families::a(n, k),
        _ if n < 3 || k < 2 => return refuse("n >= 3 and k >= 2"),
        _ if n > LARGEST_FAMILY[1] => return refuse("n <= 128"),
        _ => families::b(n, k),
    };
    let (task, build) = family.solution()?;
    let about = format!(", {}{}", family.name, about(&task.data));
    let mut cell = ClusterCell::new(task, None, kappa, about)?;
    cell.own = Some(Own {
        pattern: Pattern::Sink,
        build,
    });
    // Not every n and k will do: it is run before it is shown.
    let (margins, labels) = (cell.margins(Pattern::Sink), cell.labels(Pattern::Sink));
    let missed = margins.failing.iter().chain(&labels.failing);
    match missed.chain(&labels.undecided).next() {
        Some(reason) => Err(SpecError::NoSolution {
            family: letter,
            n,
            k,
            reason: reason.clone(),
        }),
        None => Ok(cell),
    }
}
