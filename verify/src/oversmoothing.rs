//! A place of Theorem 5.1: a setting of tokens, and the values of lambda at which the similarity is shown.

use crate::files::{FileError, entries, form, in_folder};
use crate::grid::in_one_line;
use constructions::dense::Dense;
use constructions::oversmoothing::setting::{LARGEST, Setting};
use exact::{Rational, ratio};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Most values of lambda in a file.
const MOST: usize = 64;

/// A setting with the lambdas to look at, ascending, from 0 to 1 at most.
#[derive(Clone, Debug)]
pub struct SmoothingCell {
    /// The setting.
    pub setting: Setting,
    /// The values of lambda.
    pub lambdas: Vec<Rational>,
}

impl SmoothingCell {
    /// With lambda in steps of 1/8, and lambda* where it is between 0 and 1.
    pub fn new(setting: Setting) -> SmoothingCell {
        let eighths = (0..=8).map(|k| ratio(k, 8)).collect();
        SmoothingCell::at(setting, eighths)
    }

    /// With these lambdas, and lambda* where it is between 0 and 1.
    pub fn at(setting: Setting, mut lambdas: Vec<Rational>) -> SmoothingCell {
        let within = |x: &Rational| x.is_positive() && *x < ratio(1, 1);
        lambdas.extend(setting.lambda_star().filter(within));
        lambdas.sort();
        lambdas.dedup();
        SmoothingCell { setting, lambdas }
    }

    /// In one line.
    pub fn describe(&self) -> String {
        let s = &self.setting;
        format!(
            "oversmoothing, T = {}, d = {}, beta = {}",
            s.t,
            s.width(),
            s.beta
        )
    }
}

/// An exact number: a string such as "3/5", or an integer.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Whole(i64),
    Text(String),
    Float(f64),
}

/// A matrix: rows of numbers, or the path of a matrix file.
#[derive(Deserialize)]
#[serde(untagged)]
enum MatrixText {
    Rows(Vec<Vec<Number>>),
    File(PathBuf),
}

#[allow(non_snake_case)]
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SmoothingFile {
    #[serde(rename = "task")]
    _task: Option<String>,
    T: usize,
    beta: Number,
    zbar: Vec<Number>,
    W: MatrixText,
    Sigma_V: MatrixText,
    Sigma_C: MatrixText,
    lambda: Option<Vec<Number>>,
}

fn number(path: &Path, name: &str, number: &Number) -> Result<Rational, FileError> {
    match number {
        Number::Whole(n) => Ok(Rational::integer(*n)),
        Number::Text(text) => text
            .parse()
            .map_err(|e| form(path, format!("{name} = \"{text}\": {e}"))),
        Number::Float(x) => {
            let reason = format!("{name} = {x}: exact numbers are written in quotes, \"{x}\"");
            Err(form(path, reason))
        }
    }
}

fn matrix(path: &Path, name: &str, given: &MatrixText, d: usize) -> Result<Dense, FileError> {
    match given {
        MatrixText::Rows(rows) => {
            let row = |(i, row): (usize, &Vec<Number>)| -> Result<Vec<Rational>, FileError> {
                let each = row.iter().enumerate();
                each.map(|(j, x)| number(path, &format!("{name}[{i}][{j}]"), x))
                    .collect()
            };
            let rows: Result<Vec<_>, FileError> = rows.iter().enumerate().map(row).collect();
            Dense::from_rows(rows?).map_err(|e| form(path, format!("{name}: {e}")))
        }
        MatrixText::File(file) => {
            let (rows, cols, list) = entries::<Rational>(&in_folder(path, file), Some(d), Some(d))?;
            let mut dense = vec![vec![Rational::default(); cols]; rows];
            for (i, j, x) in list {
                dense[i][j] = x;
            }
            Dense::from_rows(dense).map_err(|e| form(path, format!("{name}: {e}")))
        }
    }
}

/// Reads a setting: `T`, `beta`, `zbar`, `W`, `Sigma_V`, `Sigma_C`, and optionally `lambda`.
///
/// # Errors
/// Anything wrong with the file: the message names the file, the value and the rule.
pub fn scenario(path: &Path, text: &str) -> Result<SmoothingCell, FileError> {
    let file: SmoothingFile =
        toml::from_str(text).map_err(|e| form(path, in_one_line(text, &e)))?;
    let zbar: Result<Vec<Rational>, FileError> = file
        .zbar
        .iter()
        .enumerate()
        .map(|(k, x)| number(path, &format!("zbar[{k}]"), x))
        .collect();
    let (zbar, beta) = (zbar?, number(path, "beta", &file.beta)?);
    let d = zbar.len();
    if d > LARGEST.1 {
        let reason = format!("zbar has {d} entries: at most {} are taken", LARGEST.1);
        return Err(form(path, reason));
    }
    let read = |name: &str, given| matrix(path, name, given, d);
    let (w, sigma_v, sigma_c) = (
        read("W", &file.W)?,
        read("Sigma_V", &file.Sigma_V)?,
        read("Sigma_C", &file.Sigma_C)?,
    );
    let setting = Setting::new(file.T, beta, zbar, w, sigma_v, sigma_c)
        .map_err(|e| form(path, e.to_string()))?;
    let Some(list) = file.lambda else {
        return Ok(SmoothingCell::new(setting));
    };
    if !(2..=MOST).contains(&list.len()) {
        let reason = format!(
            "lambda has {} values: from 2 to {MOST} are taken",
            list.len()
        );
        return Err(form(path, reason));
    }
    let mut lambdas = Vec::with_capacity(list.len());
    for x in &list {
        let value = number(path, "lambda", x)?;
        if value.is_negative() || value > ratio(1, 1) {
            return Err(form(
                path,
                format!("lambda = {value}: it is between 0 and 1"),
            ));
        }
        if lambdas.contains(&value) {
            return Err(form(path, format!("lambda = {value} is given twice")));
        }
        lambdas.push(value);
    }
    Ok(SmoothingCell::at(setting, lambdas))
}
