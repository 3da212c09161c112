//! Cluster scenarios as files: a user's own vectors and matrices, and ours in the same format.
//!
//! Matrices are given in the frame of the task: `b, dbar_1.., c_1..` and then the orthogonal basis `g_1..` that Gram-Schmidt
//! makes of the nuisances in their order, none of them normalised; or, where the vectors are given, the orthonormal basis of
//! their coordinates. `qk` holds the logits between frame vectors in units of kappa (row = query, column = key), `vo` and `w2`
//! write coordinates, `vo` reads coordinates, `w1` holds the inner products of what a unit reads with the frame. In an
//! orthonormal basis all of these are the plain matrices.

use super::spec::{self, ClusterSpec, SpecError, about, squared};
use super::{ClusterCell, Own};
use crate::files::{FileError, Listed, entries, form, prepare, save, write};
use crate::grid::in_one_line;
use constructions::cluster::block::Neuron;
use constructions::cluster::build::{Build, Pattern};
use constructions::cluster::geometry::Geometry;
use constructions::cluster::reading::{Columns, transposed};
use constructions::cluster::shapes::{Coherence, Shape, ShapeError, nuisances, special};
use constructions::cluster::task::{Data, Orders, Task, TaskError, sizes};
use constructions::matrix::{Operator, Sparse};
use exact::{Rational, Surd};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Most coordinates of explicit vectors.
const LARGEST_EXPLICIT: usize = 4096;
/// Most different square roots in a user's matrices: products of them multiply.
const MOST_ROOTS: usize = 6;

/// A cluster scenario.
#[allow(non_snake_case)]
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioFile {
    task: String,
    C: Option<usize>,
    dormants: Option<Counts>,
    delta: Option<String>,
    epsilon: Option<String>,
    phi: Option<String>,
    coherence: Option<String>,
    shape: Option<String>,
    vectors: Option<PathBuf>,
    absent: Option<bool>,
    most_copied: Option<usize>,
    multisets: Option<usize>,
    d: Option<usize>,
    kappa: Option<String>,
    pattern: Option<String>,
    qk: Option<PathBuf>,
    vo: Option<PathBuf>,
    w1: Option<PathBuf>,
    w2: Option<PathBuf>,
    b1: Option<PathBuf>,
    b2: Option<PathBuf>,
    orders: Option<OrderList>,
}

/// One number for every group, or one for each.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "dormants: a number, or a list of numbers")]
enum Counts {
    All(usize),
    Each(Vec<usize>),
}

/// A name, or a list of [group, earlier, later].
#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "orders: a name, or a list of [group, earlier, later]"
)]
enum OrderList {
    Name(String),
    Pairs(Vec<(usize, usize, usize)>),
}

/// How S and the nuisances lie: each a name, or a file with a Gram matrix divided by d.
pub struct Grams<'a> {
    /// Of the nuisances, group after group.
    pub shape: &'a str,
    /// Of b, dbar_1.., c_1..
    pub coherence: &'a str,
    /// The coherence that must not be exceeded by a file.
    pub phi: Option<&'a Rational>,
}

/// A cell whose shape and coherence are names or files.
///
/// # Errors
/// An unknown name, an unreadable file, or no such vectors.
pub fn shaped(
    mut spec: ClusterSpec,
    grams: &Grams,
    folder: &Path,
) -> Result<ClusterCell, FileError> {
    sizes(&spec.dormants).map_err(SpecError::from)?;
    if spec.phi.is_negative() {
        return Err(SpecError::from(TaskError::Phi(spec.phi)).into());
    }
    let (m, total) = (
        1 + 2 * spec.dormants.len(),
        spec.dormants.iter().sum::<usize>(),
    );
    let mut words = String::new();
    let special_file = match grams.coherence.parse::<Coherence>() {
        Ok(coherence) => {
            spec.coherence = coherence;
            None
        }
        Err(e) => Some(gram(grams.coherence, folder, m, &mut words, e)?),
    };
    let nuisance_file = match grams.shape.parse::<Shape>() {
        Ok(shape) => {
            spec.shape = shape;
            None
        }
        Err(e) => Some(gram(grams.shape, folder, total, &mut words, e)?),
    };
    if special_file.is_none() && nuisance_file.is_none() {
        return Ok(spec.cell()?);
    }
    let path = folder.join(if nuisance_file.is_some() {
        grams.shape
    } else {
        grams.coherence
    });
    let inside = |e: &dyn std::fmt::Display| form(&path, e.to_string());
    let delta_squared = squared(&spec.delta)?;
    let special =
        special_file.unwrap_or_else(|| special(spec.dormants.len(), &spec.phi, spec.coherence));
    let all =
        nuisance_file.unwrap_or_else(|| nuisances(&spec.dormants, &delta_squared, &spec.shape));
    let geometry = Geometry::from_grams(&special, &all).map_err(|e| inside(&e))?;
    let task = Task::of(
        spec.dormants.clone(),
        delta_squared,
        spec.epsilon.clone(),
        geometry,
        spec.data.clone(),
    )
    .map_err(|e| inside(&e))?;
    if let Some(phi) = grams.phi.filter(|phi| task.phi > **phi) {
        let reason = format!("coherence {} is more than phi = {phi}", task.phi);
        return Err(form(&folder.join(grams.coherence), reason));
    }
    words.push_str(&about(&spec.data));
    let mut cell =
        ClusterCell::new(task, spec.width, spec.kappa.clone(), words).map_err(SpecError::from)?;
    cell.size = spec.size;
    Ok(cell)
}

/// A symmetric matrix from a file, by columns, where the name is none: then `unknown` says so if there is no such file either.
fn gram(
    name: &str,
    folder: &Path,
    side: usize,
    words: &mut String,
    unknown: ShapeError,
) -> Result<Vec<Sparse>, FileError> {
    let path = folder.join(name);
    if !path.is_file() {
        return Err(SpecError::from(unknown).into());
    }
    let (_, _, listed): Listed<Rational> = entries(&path, Some(side), Some(side))?;
    let columns = Operator::from_entries(side, side, listed).columns;
    for (j, column) in columns.iter().enumerate() {
        for (i, x) in column {
            if constructions::matrix::at(&columns[*i], j) != *x {
                let reason = format!("entries [{i}, {j}] and [{j}, {i}] differ");
                return Err(form(&path, reason));
            }
        }
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    words.push_str(&format!(", {name}"));
    Ok(columns)
}

/// Reads a cluster scenario and the files it names.
///
/// # Errors
/// Anything wrong with the files: the message names the file, the value and the rule.
pub fn scenario(path: &Path, text: &str) -> Result<ClusterCell, FileError> {
    match parsed(path, text) {
        Err(FileError::Cluster(e)) => Err(form(path, e.to_string())),
        other => other,
    }
}

fn parsed(path: &Path, text: &str) -> Result<ClusterCell, FileError> {
    let file: ScenarioFile = toml::from_str(text).map_err(|e| form(path, in_one_line(text, &e)))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let missing = |name: &str| form(path, format!("{name} is missing"));
    let counts = match file.dormants.as_ref().ok_or_else(|| missing("dormants"))? {
        Counts::All(n) => {
            let groups = file.C.ok_or_else(|| missing("C"))?;
            spec::counts(&n.to_string(), Some(groups))?
        }
        Counts::Each(each) => {
            let groups = file.C.unwrap_or(each.len());
            if groups != each.len() {
                let counts = each.len();
                return Err(SpecError::Groups { groups, counts }.into());
            }
            each.clone()
        }
    };
    let orders = match &file.orders {
        None => Orders::Both,
        Some(OrderList::Name(name)) => spec::orders(name)?,
        Some(OrderList::Pairs(pairs)) => {
            Orders::Pairs(pairs.iter().copied().collect::<BTreeSet<_>>())
        }
    };
    let text = |option: &Option<String>, default: &str| option.clone().unwrap_or(default.into());
    let spec = ClusterSpec {
        dormants: counts,
        delta: spec::surd(
            "delta",
            file.delta.as_deref().ok_or_else(|| missing("delta"))?,
        )?,
        phi: spec::rational("phi", &text(&file.phi, "0"))?,
        coherence: Coherence::Equal,
        epsilon: spec::rational("epsilon", &text(&file.epsilon, "1/20"))?,
        shape: Shape::Orthogonal,
        data: Data {
            orders,
            absent: file.absent.unwrap_or(true),
            most: file.most_copied,
        },
        width: file.d,
        kappa: file.kappa.as_deref().map(spec::positive).transpose()?,
        size: file.multisets,
    };
    if file.multisets.is_some_and(|n| n == 0 || n > 6) {
        return Err(form(path, "multisets: it is 1 to 6"));
    }
    let mut cell = match &file.vectors {
        None => {
            let phi = spec.phi.clone();
            let grams = Grams {
                shape: &text(&file.shape, "orthogonal"),
                coherence: &text(&file.coherence, "equal"),
                phi: file.phi.is_some().then_some(&phi),
            };
            shaped(spec, &grams, folder)?
        }
        Some(_) if file.shape.is_some() || file.phi.is_some() || file.coherence.is_some() => {
            let reason = "vectors are given: shape, phi and coherence follow from them";
            return Err(form(path, reason));
        }
        Some(vectors) => with_vectors(&spec, &folder.join(vectors))?,
    };
    cell.own = own(&file, &cell, path, folder)?;
    Ok(cell)
}

/// Columns b, dbar_1.., c_1.., and the nuisances group after group, in orthonormal coordinates, divided by sqrt d.
fn with_vectors(spec: &ClusterSpec, path: &Path) -> Result<ClusterCell, FileError> {
    sizes(&spec.dormants).map_err(SpecError::from)?;
    let special = 1 + 2 * spec.dormants.len();
    let total: usize = special + spec.dormants.iter().sum::<usize>();
    let (rows, cols, listed): Listed<Rational> = entries(path, None, Some(total))?;
    if rows > LARGEST_EXPLICIT {
        let reason = format!("vectors with {rows} coordinates: at most {LARGEST_EXPLICIT}");
        return Err(form(path, reason));
    }
    let mut columns = Operator::from_entries(rows, cols, listed).columns;
    let nuisances = columns.split_off(special);
    let geometry =
        Geometry::from_vectors(rows, columns, nuisances).map_err(|e| form(path, e.to_string()))?;
    let task = Task::of(
        spec.dormants.clone(),
        squared(&spec.delta)?,
        spec.epsilon.clone(),
        geometry,
        spec.data.clone(),
    )
    .map_err(|e| form(path, e.to_string()))?;
    let words = format!(", own vectors{}", about(&spec.data));
    let mut cell =
        ClusterCell::new(task, spec.width, spec.kappa.clone(), words).map_err(SpecError::from)?;
    cell.size = spec.size;
    Ok(cell)
}

fn own(
    file: &ScenarioFile,
    cell: &ClusterCell,
    path: &Path,
    folder: &Path,
) -> Result<Option<Own>, FileError> {
    let given = [&file.qk, &file.vo, &file.w1, &file.w2, &file.b1, &file.b2];
    let pattern = match file.pattern.as_deref() {
        None if given.iter().any(|f| f.is_some()) => {
            return Err(form(
                path,
                "pattern is missing: own matrices are a sink or a diagonal",
            ));
        }
        None => return Ok(None),
        Some("sink") => Pattern::Sink,
        Some("diagonal") => Pattern::Diagonal,
        Some(other) => {
            let reason = format!("pattern = \"{other}\": it is sink or diagonal");
            return Err(form(path, reason));
        }
    };
    if given.iter().all(|f| f.is_none()) {
        return Err(form(path, "a pattern is given, but no matrices"));
    }
    if file.w1.is_some() != file.w2.is_some() {
        return Err(form(path, "w1 and w2 come together: give both or none"));
    }
    if (file.b1.is_some() || file.b2.is_some()) && file.w1.is_none() {
        return Err(form(path, "b1 and b2 need w1 and w2"));
    }
    let n = cell.task.geometry.dimension();
    let read =
        |p: &Path, rows: Option<usize>, cols: usize| -> Result<(usize, Columns), FileError> {
            let (rows, cols, listed): Listed<Surd> = entries(&folder.join(p), rows, Some(cols))?;
            let mut columns: Columns = vec![Sparse::new(); cols];
            for (i, j, x) in listed {
                if !x.is_zero() {
                    columns[j].push((i, x));
                }
            }
            columns.iter_mut().for_each(|c| c.sort_by_key(|(i, _)| *i));
            Ok((rows, columns))
        };
    let mut build = Build::printed(&cell.task, pattern);
    if let Some(p) = &file.qk {
        build.qk = read(p, Some(n), n)?.1;
    }
    if let Some(p) = &file.vo {
        build.vo = read(p, Some(n), n)?.1;
    }
    if let (Some(p1), Some(p2)) = (&file.w1, &file.w2) {
        let (units, w1) = read(p1, None, n)?;
        let writes = read(p2, Some(n), units)?.1;
        let column = |p: &Option<PathBuf>, rows| match p {
            Some(p) => Ok(read(p, Some(rows), 1)?.1.pop().unwrap_or_default()),
            None => Ok::<Sparse<Surd>, FileError>(Sparse::new()),
        };
        let b1 = column(&file.b1, units)?;
        build.output_bias = column(&file.b2, n)?;
        build.neurons = transposed(&w1, units)
            .into_iter()
            .zip(writes)
            .enumerate()
            .map(|(k, (reads, writes))| Neuron {
                reads,
                bias: constructions::matrix::at(&b1, k),
                writes,
            })
            .collect();
    }
    let matrices = build.qk.iter().chain(&build.vo);
    let vectors = build.neurons.iter().flat_map(|n| [&n.reads, &n.writes]);
    let biases = build.neurons.iter().map(|n| &n.bias);
    let numbers = matrices.chain(vectors).chain([&build.output_bias]);
    let roots: BTreeSet<String> = numbers
        .flat_map(|v| v.iter().map(|(_, x)| x))
        .chain(biases)
        .flat_map(|x| x.terms().map(|(root, _)| root.to_string()))
        .filter(|root| root != "1")
        .collect();
    if roots.len() > MOST_ROOTS {
        let reason = format!(
            "{} different square roots: at most {MOST_ROOTS}",
            roots.len()
        );
        return Err(form(path, reason));
    }
    Ok(Some(Own { pattern, build }))
}

/// Writes the block of a pattern as a scenario with its matrices, and the vectors where these are explicit or the Gram matrix of
/// the nuisances where not.
///
/// # Errors
/// The folder cannot be written.
pub fn export(cell: &ClusterCell, pattern: Pattern, folder: &Path) -> Result<(), FileError> {
    let scenario = prepare(folder)?;
    let task = &cell.task;
    let build = cell.build(pattern);
    let n = task.geometry.dimension();
    let listed = |columns: &Columns| -> Vec<(usize, usize, Surd)> {
        let all = columns.iter().enumerate();
        all.flat_map(|(j, c)| c.iter().map(move |(i, x)| (*i, j, x.clone())))
            .collect()
    };
    let (mut reads, mut writes, mut biases) = (Vec::new(), Vec::new(), Vec::new());
    for (k, neuron) in build.neurons.iter().enumerate() {
        reads.extend(neuron.reads.iter().map(|(j, x)| (k, *j, x.clone())));
        writes.extend(neuron.writes.iter().map(|(i, x)| (*i, k, x.clone())));
        biases.push((k, 0, neuron.bias.clone()));
    }
    let units = build.neurons.len();
    let b2 = build.output_bias.iter().map(|(i, x)| (*i, 0, x.clone()));
    save(&folder.join("qk.json"), n, n, listed(&build.qk))?;
    save(&folder.join("vo.json"), n, n, listed(&build.vo))?;
    save(&folder.join("w1.json"), units, n, reads)?;
    save(&folder.join("w2.json"), n, units, writes)?;
    save(&folder.join("b1.json"), units, 1, biases)?;
    save(&folder.join("b2.json"), n, 1, b2)?;
    let name = |n: &str| Some(PathBuf::from(format!("{n}.json")));
    let delta = Surd::sqrt(&task.delta_squared).map_err(|e| form(folder, e.to_string()))?;
    let mut file = ScenarioFile {
        task: "clusters".into(),
        C: Some(task.groups()),
        dormants: Some(Counts::Each(task.dormants.clone())),
        delta: Some(delta.to_string()),
        epsilon: Some(task.epsilon.to_string()),
        absent: Some(task.data.absent),
        most_copied: task.data.most,
        multisets: cell.size,
        d: Some(cell.width),
        kappa: cell.kappa.as_ref().map(ToString::to_string),
        pattern: Some(
            match pattern {
                Pattern::Sink => "sink",
                Pattern::Diagonal => "diagonal",
            }
            .into(),
        ),
        qk: name("qk"),
        vo: name("vo"),
        w1: name("w1"),
        w2: name("w2"),
        b1: name("b1"),
        b2: name("b2"),
        orders: Some(match &task.data.orders {
            Orders::Both => OrderList::Name("both".into()),
            Orders::Ascending => OrderList::Name("one".into()),
            Orders::Pairs(pairs) => OrderList::Pairs(pairs.iter().copied().collect()),
        }),
        ..ScenarioFile::default()
    };
    let plain = |columns: &[Sparse]| -> Vec<(usize, usize, Rational)> {
        let all = columns.iter().enumerate();
        all.flat_map(|(j, c)| c.iter().map(move |(i, x)| (*i, j, x.clone())))
            .collect()
    };
    let g = &task.geometry;
    if g.is_explicit() {
        let all: Vec<Sparse> = g.special.iter().chain(&g.nuisances).cloned().collect();
        save(&folder.join("vectors.json"), n, all.len(), plain(&all))?;
        file.vectors = name("vectors");
    } else {
        let gram = g.nuisance_gram();
        save(
            &folder.join("nuisances.json"),
            gram.len(),
            gram.len(),
            plain(&gram),
        )?;
        file.shape = Some("nuisances.json".into());
        let specials = g.special_gram();
        file.phi = Some(task.phi.to_string());
        let named = constructions::cluster::shapes::COHERENCES
            .iter()
            .find(|(_, c)| special(task.groups(), &task.phi, *c) == specials);
        file.coherence = Some(match named {
            Some((word, _)) => (*word).into(),
            None => {
                let side = specials.len();
                save(&folder.join("special.json"), side, side, plain(&specials))?;
                "special.json".into()
            }
        });
    }
    let text = toml::to_string(&file).map_err(|e| form(folder, e.to_string()))?;
    write(&scenario, text)
}
