//! `verify prove`, and the queries of `verify export --smt2`.

use super::Error;
use crate::claims::all;
use crate::proofs::registry::{Decided, PROOFS, Proof, of};
use crate::proofs::second::Second;
use crate::proofs::smt::queries;
use crate::proofs::step::Decision;
use std::fmt::Write;
use std::path::Path;

/// The proofs of these claims; all of them where none is named.
pub(super) fn chosen(claims: &[String]) -> Result<Vec<&'static Proof>, Error> {
    if claims.is_empty() {
        return Ok(PROOFS.iter().collect());
    }
    let find = |id: &String| {
        of(id).ok_or_else(|| {
            let known = all().iter().any(|c| c.id == id);
            let why = if known {
                "is decided on grids only; `verify list` says which are proved for all sizes"
            } else {
                "is not a claim: `verify list` names them"
            };
            Error::from(format!("\"{id}\" {why}"))
        })
    };
    claims.iter().map(find).collect()
}

/// Every step and what became of it; 1 where a step fails, 3 where one is undecided. The certificates go to the folder.
///
/// # Errors
/// A certificate that cannot be written.
pub(super) fn steps(proofs: &[&Proof], folder: Option<&Path>) -> Result<(String, u8), Error> {
    let (mut out, mut code, mut written) = (String::new(), 0u8, 0);
    for proof in proofs {
        let judged = proof.judge();
        if let Some(folder) = folder {
            written += write_certificates(&folder.join(proof.claim), &judged.steps)?;
        }
        let _ = writeln!(out, "{}", proof.claim);
        for Decided {
            step,
            decision,
            second,
        } in &judged.steps
        {
            let mut became = match decision {
                Decision::Proved { cases: 1, .. } => "proved, 1 case".to_string(),
                Decision::Proved { cases, .. } => format!("proved, {cases} cases"),
                Decision::Refuted(point) => format!("FAILS at {point}"),
                Decision::Unknown(why) => format!("UNDECIDED, {why}"),
            };
            became += &match second {
                Some(Second::Agrees) => "; z3 agrees".into(),
                Some(Second::Contradicts(why)) => format!("; CONTRADICTED, {why}"),
                Some(Second::Silent(why)) => format!("; z3 is silent: {why}"),
                None => String::new(),
            };
            let _ = writeln!(out, "  {}: {became}", step.says);
            code = code.max(match (decision, second) {
                (Decision::Refuted(_), _) => 1,
                (Decision::Unknown(_), _) | (_, Some(Second::Contradicts(_))) => 3,
                (Decision::Proved { .. }, _) => 0,
            });
        }
        if let Some(e) = &judged.unreadable {
            let _ = writeln!(out, "  UNDECIDED, {e}");
            code = code.max(3);
        }
        for fact in proof.trusts {
            let _ = writeln!(out, "  trusted: {fact}");
        }
    }
    if let Some(folder) = folder.map(Path::display) {
        let _ = writeln!(
            out,
            "wrote {written} certificates to {folder}; check them with: verify check {folder}/*/*.json"
        );
    }
    Ok((out, code))
}

/// Writes the certificate of every step that is proved, a file a step; gives how many.
fn write_certificates(place: &Path, steps: &[Decided]) -> Result<usize, Error> {
    let problem = |e: std::io::Error| Error::from(format!("{}: {e}", place.display()));
    std::fs::create_dir_all(place).map_err(problem)?;
    let mut written = 0;
    for (k, decided) in steps.iter().enumerate() {
        let Decision::Proved { certificate, .. } = &decided.decision else {
            continue;
        };
        let text = certificate
            .file(&decided.step.question)
            .map_err(|e| format!("{}, step {}: {e}", place.display(), k + 1))?;
        if let Some(text) = text {
            std::fs::write(place.join(format!("{:02}.json", k + 1)), text + "\n")
                .map_err(problem)?;
            written += 1;
        }
    }
    Ok(written)
}

/// Writes all queries, a folder a claim and a file a query.
pub(super) fn write_queries(folder: &Path) -> Result<String, Error> {
    let mut written = 0;
    for proof in PROOFS {
        let place = folder.join(proof.claim);
        let problem = |e: std::io::Error| Error::from(format!("{}: {e}", place.display()));
        std::fs::create_dir_all(&place).map_err(problem)?;
        let steps = (proof.steps)().map_err(|e| format!("{}: {e}", proof.claim))?;
        for (k, step) in steps.iter().enumerate() {
            for query in queries(step) {
                let name = format!("{:02}-{}.smt2", k + 1, query.expected);
                std::fs::write(place.join(name), query.text).map_err(problem)?;
                written += 1;
            }
        }
    }
    let folder = folder.display();
    Ok(format!(
        "wrote {written} queries to {folder}; the file's name and its second line say the answer expected\n"
    ))
}
