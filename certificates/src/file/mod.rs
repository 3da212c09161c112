//! Certificates as files: JSON, versioned, refused at the first thing that is not as it must be.
//!
//! A file is `{"format": "sinkproof/psd-1", "problem": ..., "problem_sha256": ..., "certificate": ...}`. The hash is
//! SHA-256, in lower-case hexadecimal, of the problem as compact JSON (no blanks, only what must be escaped is escaped)
//! with its entries in the order in which the structures here declare them. Numbers are strings, integers or fractions
//! in lowest terms, and lists that have an order ascend, so one problem has one hash.

pub mod cases;
pub mod dual_bound;
mod error;
pub mod factorisation;
pub mod farkas;
pub mod positivity;
pub mod psd;
pub mod wire;

pub use error::FileError;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The longest file, in bytes.
pub const LONGEST: usize = 64 << 20;
/// The longest statement, in characters; longer ones are cut.
const STATEMENT: usize = 2000;

/// A kind of certificate.
pub trait Format {
    /// Its name and version.
    const NAME: &'static str;
    /// What is to be proved.
    type Problem: Serialize + DeserializeOwned;
    /// The proof.
    type Certificate: Serialize + DeserializeOwned;

    /// What was proved, in a line.
    ///
    /// # Errors
    /// The first thing that is wrong.
    fn prove(problem: &Self::Problem, certificate: &Self::Certificate)
    -> Result<String, FileError>;
}

/// What a file proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The format.
    pub format: &'static str,
    /// The hash of the problem.
    pub problem_sha256: String,
    /// What has been proved.
    pub statement: String,
}

#[derive(Deserialize)]
struct Head {
    format: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<P, C> {
    format: String,
    problem: P,
    problem_sha256: String,
    certificate: C,
}

type Check = fn(&str) -> Result<Checked, FileError>;

/// The formats that are read.
const FORMATS: [(&str, Check); 6] = [
    (cases::Cases::NAME, check::<cases::Cases>),
    (
        positivity::Positivity::NAME,
        check::<positivity::Positivity>,
    ),
    (farkas::Farkas::NAME, check::<farkas::Farkas>),
    (dual_bound::DualBound::NAME, check::<dual_bound::DualBound>),
    (
        factorisation::Factorisation::NAME,
        check::<factorisation::Factorisation>,
    ),
    (psd::Psd::NAME, check::<psd::Psd>),
];

/// Checks a file of any known format.
///
/// # Errors
/// Whatever is wrong with it.
pub fn check_text(text: &str) -> Result<Checked, FileError> {
    if text.len() > LONGEST {
        return Err(FileError::TooLarge {
            bytes: text.len(),
            limit: LONGEST,
        });
    }
    let head: Head = parse(text)?;
    if let Some((_, check)) = FORMATS.iter().find(|(name, _)| *name == head.format) {
        return check(text);
    }
    let kind = |name: &str| name.rsplit_once('-').map(|(kind, _)| kind.to_string());
    let same = FORMATS
        .iter()
        .find(|(name, _)| kind(name) == kind(&head.format));
    Err(match same {
        Some((known, _)) => FileError::Version {
            format: head.format,
            known,
        },
        None => FileError::Format {
            format: head.format,
            known: FORMATS.map(|(name, _)| name).join(", "),
        },
    })
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, FileError> {
    serde_json::from_str(text).map_err(|e| FileError::reading(&e))
}

/// Checks a file whose format is known to be `F`.
fn check<F: Format>(text: &str) -> Result<Checked, FileError> {
    let file: Envelope<F::Problem, F::Certificate> = parse(text)?;
    let found = hash(&file.problem)?;
    if file.problem_sha256 != found {
        return Err(FileError::Hash {
            stated: file.problem_sha256,
            found,
        });
    }
    let mut statement = F::prove(&file.problem, &file.certificate)?;
    if let Some((end, _)) = statement.char_indices().nth(STATEMENT) {
        let length = statement.chars().count();
        statement.truncate(end);
        statement.push_str(&format!("... ({length} characters; the file has them all)"));
    }
    Ok(Checked {
        format: F::NAME,
        problem_sha256: found,
        statement,
    })
}

/// The hash of a problem.
fn hash<P: Serialize>(problem: &P) -> Result<String, FileError> {
    let text = serde_json::to_string(problem).map_err(|e| FileError::reading(&e))?;
    let digest = Sha256::digest(text.as_bytes());
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A file with a problem and its certificate, which is not checked here.
///
/// # Errors
/// What cannot be written as JSON.
pub fn write<F: Format>(
    problem: &F::Problem,
    certificate: &F::Certificate,
) -> Result<String, FileError> {
    let file = Envelope {
        format: F::NAME.to_string(),
        problem,
        problem_sha256: hash(problem)?,
        certificate,
    };
    serde_json::to_string_pretty(&file).map_err(|e| FileError::reading(&e))
}
