//! Scenario files and matrix files: reading a user's own matrices, and exporting ours in the same format.

use crate::cell::{Cell, Overrides};
use crate::cluster::spec::SpecError;
use crate::grid::{GridError, in_one_line, kappa, named_basis};
use crate::place::Place;
use constructions::Sizes;
use constructions::backcopy::{Reading, Task};
use constructions::basis::{Basis, dense, dense_fits};
use constructions::matrix::{Hidden, HiddenMap, Operator};
use exact::ParseError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use thiserror::Error;

/// Most bytes of a file that is read.
pub const LARGEST_FILE: u64 = 1 << 28;
/// Most entries of a matrix that is written.
const LARGEST_EXPORT: usize = 20_000_000;
/// Most hidden units in a rotated or user's basis, where W_1 becomes dense.
const LARGEST_HIDDEN: usize = 8192;

/// A matrix file: `{"rows": n, "cols": m, "entries": [[i, j, "3/5"], ...]}`, indices from 0.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MatrixFile {
    rows: usize,
    cols: usize,
    entries: Vec<(usize, usize, String)>,
}

/// A scenario file.
#[allow(non_snake_case)]
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioFile {
    task: Option<String>,
    T: usize,
    C: usize,
    D: usize,
    d: Option<usize>,
    reading: Option<String>,
    kappa: Option<String>,
    basis: Option<String>,
    qk: Option<PathBuf>,
    vo: Option<PathBuf>,
    w1: Option<PathBuf>,
    w2: Option<PathBuf>,
    b1: Option<PathBuf>,
    b2: Option<PathBuf>,
}

/// What is wrong with a file.
#[derive(Debug, Error)]
pub enum FileError {
    /// Reading or writing failed.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Not of the right form.
    #[error("{path}: {reason}")]
    Form {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Sizes, numbers, bases.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A cluster task.
    #[error(transparent)]
    Cluster(#[from] SpecError),
}

pub(crate) fn form(path: &Path, reason: impl Into<String>) -> FileError {
    FileError::Form {
        path: path.into(),
        reason: reason.into(),
    }
}

/// Reads a text file of bounded size.
///
/// # Errors
/// It cannot be read, is no UTF-8, or is larger than [`LARGEST_FILE`].
pub fn read(path: &Path) -> Result<String, FileError> {
    let io = |source| FileError::Io {
        path: path.into(),
        source,
    };
    let mut text = String::new();
    let file = fs::File::open(path).map_err(io)?;
    file.take(LARGEST_FILE + 1)
        .read_to_string(&mut text)
        .map_err(io)?;
    if text.len() as u64 > LARGEST_FILE {
        return Err(form(path, format!("more than {LARGEST_FILE} bytes")));
    }
    Ok(text)
}

/// Reads a matrix; the shape must be `rows` x `cols` where these are given.
fn matrix(path: &Path, rows: Option<usize>, cols: Option<usize>) -> Result<Operator, FileError> {
    let (rows, cols, entries) = entries(path, rows, cols)?;
    Ok(Operator::from_entries(rows, cols, entries))
}

/// A matrix as its shape and entries.
pub(crate) type Listed<F> = (usize, usize, Vec<(usize, usize, F)>);

/// Reads the entries of a matrix, none twice; the shape must be `rows` x `cols` where these are given.
pub(crate) fn entries<F: FromStr<Err = ParseError>>(
    path: &Path,
    rows: Option<usize>,
    cols: Option<usize>,
) -> Result<Listed<F>, FileError> {
    let file: MatrixFile =
        serde_json::from_str(&read(path)?).map_err(|e| form(path, e.to_string()))?;
    let wrong = |side: &str, found: usize, needed: usize| {
        form(path, format!("it has {found} {side}, {needed} are needed"))
    };
    match (rows, cols) {
        (Some(n), _) if n != file.rows => return Err(wrong("rows", file.rows, n)),
        (_, Some(n)) if n != file.cols => return Err(wrong("columns", file.cols, n)),
        _ => {}
    }
    if file.rows > constructions::sizes::LARGEST || file.cols > constructions::sizes::LARGEST {
        return Err(form(
            path,
            format!("{} x {} is too large", file.rows, file.cols),
        ));
    }
    let mut seen = BTreeSet::new();
    let mut entries = Vec::with_capacity(file.entries.len());
    for (i, j, text) in file.entries {
        if i >= file.rows || j >= file.cols {
            return Err(form(
                path,
                format!(
                    "entry [{i}, {j}] is outside the {} x {} matrix (indices start at 0)",
                    file.rows, file.cols
                ),
            ));
        }
        if !seen.insert((i, j)) {
            return Err(form(path, format!("entry [{i}, {j}] is given twice")));
        }
        let value: F = text
            .parse()
            .map_err(|e| form(path, format!("entry [{i}, {j}]: {e}")))?;
        entries.push((i, j, value));
    }
    Ok((file.rows, file.cols, entries))
}

/// Writes a matrix.
pub(crate) fn save<F: Display>(
    path: &Path,
    rows: usize,
    cols: usize,
    entries: impl IntoIterator<Item = (usize, usize, F)>,
) -> Result<(), FileError> {
    let entries = entries
        .into_iter()
        .map(|(i, j, x)| (i, j, x.to_string()))
        .collect();
    let file = MatrixFile {
        rows,
        cols,
        entries,
    };
    let text = serde_json::to_string(&file).map_err(|e| form(path, e.to_string()))?;
    write(path, text + "\n")
}

/// Writes a file.
pub(crate) fn write(path: &Path, text: String) -> Result<(), FileError> {
    fs::write(path, text).map_err(|source| FileError::Io {
        path: path.into(),
        source,
    })
}

/// A path that a file names, relative to its folder.
pub(crate) fn in_folder(file: &Path, named: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new(".")).join(named)
}

/// Makes a folder ready for an export: one with a scenario is complete, so an earlier scenario goes first and the new one
/// comes last. The path of the scenario to write.
pub(crate) fn prepare(folder: &Path) -> Result<PathBuf, FileError> {
    let io = |path: &Path, source| FileError::Io {
        path: path.into(),
        source,
    };
    fs::create_dir_all(folder).map_err(|e| io(folder, e))?;
    let scenario = folder.join("scenario.toml");
    match fs::remove_file(&scenario) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(io(&scenario, e)),
        _ => Ok(scenario),
    }
}

/// A basis by name or file.
///
/// # Errors
/// An unknown name, an unreadable file, or columns that are not orthonormal.
pub fn basis(name: &str, folder: &Path, sizes: &Sizes) -> Result<Basis, FileError> {
    if name.is_empty() || name == "standard" || name == "rotated" || name.starts_with("rotated:") {
        return Ok(named_basis(name, sizes)?);
    }
    dense_fits(name, sizes.width).map_err(GridError::from)?;
    let path = folder.join(name);
    if !path.exists() {
        return Err(GridError::BasisName(name.into()).into());
    }
    let columns = matrix(&path, Some(sizes.width), None)?;
    if columns.cols() > sizes.width {
        return Err(form(
            &path,
            format!(
                "it has {} columns, at most d = {} fit",
                columns.cols(),
                sizes.width
            ),
        ));
    }
    let columns = dense(&columns);
    Basis::given(name.into(), sizes, columns).map_err(|e| GridError::from(e).into())
}

/// Reads a scenario and the matrices it names; `asked` is the task that the command line says it is.
///
/// # Errors
/// Anything wrong with the files: the message names the file, the value and the rule.
pub fn scenario(path: &Path, asked: Option<&str>) -> Result<Place, FileError> {
    #[derive(Deserialize)]
    struct Head {
        task: Option<String>,
    }
    let text = read(path)?;
    let wrong = |e| form(path, in_one_line(&text, &e));
    let head: Head = toml::from_str(&text).map_err(wrong)?;
    let task = head.task.as_deref();
    if let (Some(task), Some(asked)) = (task, asked.filter(|a| task.is_some_and(|t| t != *a))) {
        let reason = format!("task = \"{task}\", but --task {asked} is given");
        return Err(form(path, reason));
    }
    match task.or(asked) {
        None | Some("backcopy") => {
            let file: ScenarioFile = toml::from_str(&text).map_err(wrong)?;
            Ok(backcopy(path, &file)?.into())
        }
        Some("clusters") => Ok(crate::cluster::files::scenario(path, &text)?.into()),
        Some("oversmoothing") => Ok(crate::oversmoothing::scenario(path, &text)?.into()),
        Some(other) => {
            let reason = format!("task = \"{other}\": it is backcopy, clusters or oversmoothing");
            Err(form(path, reason))
        }
    }
}

fn backcopy(path: &Path, file: &ScenarioFile) -> Result<Cell, FileError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let sizes = Sizes::new(file.T, file.C, file.D, file.d).map_err(GridError::from)?;
    let reading: Reading = file
        .reading
        .as_deref()
        .unwrap_or("A")
        .parse()
        .map_err(GridError::from)?;
    let fixed = file.kappa.as_deref().map(kappa).transpose()?;
    let basis = basis(file.basis.as_deref().unwrap_or("standard"), folder, &sizes)?;
    let d = sizes.width;
    let square = |p: &PathBuf| {
        matrix(&folder.join(p), Some(d), Some(d)).map(|m| basis.pull_back(&m, true, true))
    };
    let mut overrides = Overrides {
        qk: file.qk.as_ref().map(square).transpose()?,
        vo: file.vo.as_ref().map(square).transpose()?,
        ..Overrides::default()
    };
    if file.w1.is_some() != file.w2.is_some() {
        return Err(form(path, "w1 and w2 come together: give both or none"));
    }
    if file.b1.is_some() && file.w1.is_none() {
        return Err(form(path, "b1 needs w1 and w2"));
    }
    if let (Some(p1), Some(p2)) = (&file.w1, &file.w2) {
        let w1 = matrix(&folder.join(p1), None, Some(d))?;
        if !basis.is_standard() && w1.rows > LARGEST_HIDDEN {
            let reason = format!(
                "{} hidden units: at most {LARGEST_HIDDEN} in a basis that is not the standard one",
                w1.rows
            );
            return Err(form(p1, reason));
        }
        let w1 = basis.pull_back(&w1, false, true);
        let units = w1.rows;
        let w2 = matrix(&folder.join(p2), Some(d), Some(units))?;
        overrides.w2 = Some(basis.pull_back(&w2, true, false));
        overrides.w1 = Some(HiddenMap {
            units,
            columns: w1
                .columns
                .iter()
                .map(|c| Hidden::compress(units, c))
                .collect(),
        });
        if let Some(p) = &file.b1 {
            let b1 = matrix(&folder.join(p), Some(units), Some(1))?;
            overrides.b1 = Some(Hidden::compress(units, &b1.columns[0]));
        }
    }
    if let Some(p) = &file.b2 {
        let b2 = basis.pull_back(&matrix(&folder.join(p), Some(d), Some(1))?, true, false);
        overrides.b2 = b2.columns.into_iter().next();
    }
    Ok(Cell::new(Task { sizes, reading }, basis, fixed).with(overrides))
}

/// Writes the printed block of a cell as a scenario with its matrices.
///
/// # Errors
/// The folder cannot be written.
pub fn export(cell: &Cell, folder: &Path, mended: bool) -> Result<(), FileError> {
    let s = cell.sizes();
    // The kill of (9) and a changed basis are dense.
    let entries = if cell.basis.is_standard() {
        s.width.saturating_mul(s.c + 4)
    } else {
        s.width.saturating_mul(s.width)
    };
    if entries > LARGEST_EXPORT {
        let reason =
            format!("about {entries} entries a matrix: at most {LARGEST_EXPORT} are written");
        return Err(form(folder, reason));
    }
    let scenario_path = prepare(folder)?;
    let own = cell.mended();
    let block = if mended { &own } else { cell.printed() };
    let forward = |m: &Operator, left, right| {
        let whole = Operator::from_entries(
            m.rows,
            m.cols(),
            m.entries().into_iter().map(|((i, j), x)| (i, j, x)),
        );
        cell.basis.push_forward(&whole, left, right)
    };
    let parts = [
        ("qk", forward(&block.qk, true, true)),
        ("vo", forward(&block.vo, true, true)),
        ("w1", forward(&block.w1.operator(), false, true)),
        ("w2", forward(&block.w2, true, false)),
    ];
    let save = |name: &str, m: &Operator| {
        let entries = m.entries().into_iter().map(|((i, j), x)| (i, j, x));
        save(&folder.join(name), m.rows, m.cols(), entries)
    };
    for (name, m) in &parts {
        save(&format!("{name}.json"), m)?;
    }
    let name = if cell.basis.is_standard() {
        "standard".to_string()
    } else {
        "basis.json".to_string()
    };
    if !cell.basis.is_standard() {
        let columns = (0..s.width).map(|k| cell.basis.vector(k)).collect();
        save(
            "basis.json",
            &Operator {
                rows: s.width,
                columns,
                outers: Vec::new(),
            },
        )?;
    }
    let path = |n: &str| Some(PathBuf::from(format!("{n}.json")));
    let scenario = ScenarioFile {
        task: None,
        T: s.t,
        C: s.c,
        D: s.d,
        d: Some(s.width),
        reading: Some(cell.task.reading.to_string()),
        kappa: cell.kappa.as_ref().map(ToString::to_string),
        basis: Some(name),
        qk: path("qk"),
        vo: path("vo"),
        w1: path("w1"),
        w2: path("w2"),
        b1: None,
        b2: None,
    };
    write(
        &scenario_path,
        toml::to_string(&scenario).map_err(|e| form(folder, e.to_string()))?,
    )
}
