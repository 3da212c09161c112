//! The command line.

mod check;
mod place;
mod proofs;

use crate::claims::{Kind, all};
use crate::cluster::{self, floats};
use crate::evidence::Outcome;
use crate::files;
use crate::gate::{Judged, judge};
use crate::grid::{CellSpec, Grid};
use crate::place::{Place, Subject};
use crate::proofs::lift::lift;
use crate::report;
use crate::runner::{self, Limits, Verdict};
use clap::{Args, Parser, Subcommand, ValueEnum};
use constructions::cluster::build::Pattern;
use place::Options;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const AFTER: &str = "Exit codes:\n  0  every claim as pinned\n  1  some claim differs from its pin (own matrices: a margin, label or cost claim is refuted)\n  2  bad usage or input\n  3  some verdict is unknown\n  4  nothing was selected or checked\n\nNumbers are exact: 3, 3/5, 0.25 (which is 1/4).\n\nExamples:\n  verify all --grid quick\n  verify scenario --T 128 --C 5 --D 5\n  verify scenario --task clusters --C 3 --dormants 4 --delta 5/13\n  verify scenario --T 8 --C 2 --D 2 --kappa 1000 --reading L --format json\n  verify export --T 4 --C 1 --D 2 --out mine && verify scenario mine/scenario.toml\n  verify explain thm-7.1.diag.lower-bound~\n  verify spectra --grid default > spectra.csv\n  verify check scenarios/certificates/psd.json";

#[derive(Parser)]
#[command(name = "verify", version, about = "Decides exactly whether statements about attention sinks and diagonals hold", after_help = AFTER)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct Common {
    /// How to report
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Threads (default: one per core)
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Stop after this many seconds; what was not reached is unknown
    #[arg(long, global = true, value_name = "S")]
    timeout: Option<u64>,
    /// No progress on standard error
    #[arg(long, global = true)]
    quiet: bool,
    /// Colour
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto)]
    color: Colour,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PatternName {
    Sink,
    Diagonal,
}

impl PatternName {
    fn pattern(self) -> Pattern {
        match self {
            PatternName::Sink => Pattern::Sink,
            PatternName::Diagonal => Pattern::Diagonal,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand)]
enum Command {
    /// Decide every claim on a grid and compare with the pins
    All {
        /// quick, default, full, or a TOML file
        #[arg(long, default_value = "default")]
        grid: String,
        /// Only this claim (may be repeated)
        #[arg(long = "claim", value_name = "ID")]
        claims: Vec<String>,
    },
    /// Decide every claim at one place, or for your own matrices
    Scenario {
        /// A scenario file; without one, give --T, --C and --D, or --task clusters with --C, --dormants and --delta
        file: Option<PathBuf>,
        #[command(flatten)]
        place: Options,
        /// Only this claim (may be repeated)
        #[arg(long = "claim", value_name = "ID")]
        claims: Vec<String>,
    },
    /// Write a construction as a scenario file and exact matrices
    Export {
        #[command(flatten)]
        place: Options,
        /// The folder to write; an earlier export there is replaced
        #[arg(long, required_unless_present = "smt2")]
        out: Option<PathBuf>,
        /// Write every step of the proofs for all sizes as SMT-LIB queries to this folder instead, with the answers expected
        #[arg(long, value_name = "DIR", exclusive = true)]
        smt2: Option<PathBuf>,
        /// The mended construction in place of the printed one (backcopy)
        #[arg(long)]
        mended: bool,
        /// Which of the two builds (clusters) [default: sink]
        #[arg(long, value_enum)]
        pattern: Option<PatternName>,
    },
    /// Spectra of cluster cells in floats, as CSV for plots; nothing is decided by them
    Spectra {
        /// quick, default, full, or a TOML file; without one, give a place
        #[arg(long)]
        grid: Option<String>,
        #[command(flatten)]
        place: Options,
    },
    /// Prove claims for all sizes, step by step, from the definitions
    #[command(
        after_help = "Examples:\n  verify prove thm-7.1.sink.margins\n  verify prove --out certificates-of-all && verify check certificates-of-all/*/*.json"
    )]
    Prove {
        /// Their ids; without any, every claim that has a proof
        claims: Vec<String>,
        /// Write the certificate of each step, DIR/CLAIM/STEP.json, for `verify check`
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Check certificate files exactly, and say what each proves
    #[command(after_help = check::AFTER)]
    Check {
        /// Certificate files (JSON)
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// List all claims, and how far each is decided
    List,
    /// Show one claim
    Show {
        /// Its id
        claim: String,
    },
    /// Explain how one claim is decided
    Explain {
        /// Its id
        claim: String,
    },
}

type Error = Box<dyn std::error::Error + Send + Sync>;

static STOPPED: AtomicBool = AtomicBool::new(false);

/// Runs the program.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) if e.use_stderr() => return refuse(&in_one_line(&e)),
        // --help and --version.
        Err(e) => {
            let _ = e.print();
            return ExitCode::SUCCESS;
        }
    };
    // The first signal asks the run to stop and report; a second one ends it at once. A handler cannot be set twice
    // in one process; then the default one stays.
    let _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    if let Some(n) = cli.common.jobs {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(n));
        if let Err(e) = pool.build_global() {
            return refuse(&format!("--jobs {n}: {e}"));
        }
    }
    match run(&cli) {
        Ok((text, code)) => {
            let plain = match cli.common.color {
                Colour::Always => false,
                Colour::Never => true,
                Colour::Auto => {
                    !std::io::stdout().is_terminal() || std::env::var_os("NO_COLOR").is_some()
                }
            };
            let text = if plain { strip(&text) } else { text };
            match std::io::stdout().lock().write_all(text.as_bytes()) {
                // A reader that has seen enough, such as head, is not an error.
                Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
                    refuse(&format!("standard output: {e}"))
                }
                _ => ExitCode::from(code),
            }
        }
        Err(e) => refuse(e.to_string().trim_end()),
    }
}

/// One line on standard error, exit code 2. Nothing can be done where even that cannot be written.
fn refuse(message: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "verify: {message}");
    ExitCode::from(2)
}

/// A usage error without its layout.
fn in_one_line(error: &clap::Error) -> String {
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "no command given (see verify --help)".into();
    }
    let text = error.to_string();
    let useful = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:"))
        .filter(|line| !line.is_empty() && !line.starts_with("For more information"));
    let joined = useful.collect::<Vec<_>>().join(" ");
    format!(
        "{} (see verify --help)",
        joined.trim_start_matches("error: ")
    )
}

fn strip(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("\u{1b}[") {
        out.push_str(&rest[..start]);
        let tail = &rest[start..];
        rest = tail.find('m').map_or("", |end| &tail[end + 1..]);
    }
    out + rest
}

fn run(cli: &Cli) -> Result<(String, u8), Error> {
    let find = |id: &str| {
        all()
            .into_iter()
            .find(|c| c.id == id)
            .ok_or_else(|| Error::from(format!("no claim \"{id}\": `verify list` names them")))
    };
    match &cli.command {
        Command::List => Ok((report::list(), 0)),
        Command::Prove { claims, out } => proofs::steps(&proofs::chosen(claims)?, out.as_deref()),
        Command::Check { files } => Ok(check::check(files, cli.common.format)),
        Command::Spectra { grid, place } => Ok((spectra(grid.as_deref(), place)?, 0)),
        Command::Show { claim } => Ok((report::claim(find(claim)?, false), 0)),
        Command::Explain { claim } => Ok((report::claim(find(claim)?, true), 0)),
        Command::Export {
            place,
            out,
            smt2,
            mended,
            pattern,
        } => {
            if let Some(folder) = smt2 {
                return Ok((proofs::write_queries(folder)?, 0));
            }
            let out = out.as_ref().ok_or("give --out DIR, or --smt2 DIR")?;
            let place = place.place()?;
            match &place {
                Place::Backcopy(_) if pattern.is_some() => {
                    return Err("--pattern goes with a cluster task: (7) to (10) are a sink".into());
                }
                Place::Clusters(_) if *mended => {
                    return Err("--mended goes with the backcopy task".into());
                }
                Place::Oversmoothing(_) => {
                    return Err("a setting of Theorem 5.1 is a file already".into());
                }
                Place::Backcopy(cell) => files::export(cell, out, *mended)?,
                Place::Clusters(cell) => {
                    let pattern = pattern.map_or(Pattern::Sink, PatternName::pattern);
                    cluster::files::export(cell, pattern, out)?;
                }
            }
            Ok((
                format!(
                    "wrote {} ({})\n",
                    out.join("scenario.toml").display(),
                    place.describe()
                ),
                0,
            ))
        }
        Command::Scenario {
            file,
            place,
            claims,
        } => {
            claims.iter().try_for_each(|c| find(c).map(drop))?;
            let here = match file {
                Some(path) if !place.given() || place.task_alone().is_some() => {
                    let inside = path.join("scenario.toml");
                    let path = if path.is_dir() { &inside } else { path };
                    files::scenario(path, place.task_alone().as_deref())?
                }
                Some(_) => {
                    return Err("give a scenario file or options for the sizes, not both".into());
                }
                None => place.place()?,
            };
            let here = Arc::new(here);
            let mut chosen = runner::select(claims);
            if let Some(c) = chosen
                .iter()
                .find(|c| c.subject().is_some_and(|s| s != here.subject()))
                .filter(|_| !claims.is_empty())
            {
                let subject = c.subject().map_or("", Subject::name);
                return Err(format!(
                    "claim {} is about the {subject} task, not about {}",
                    c.id,
                    here.subject().name()
                )
                .into());
            }
            // What is decided on instances of its own has no place on the page of this one, unless it is asked for.
            chosen.retain(|c| here.shows(c) || !claims.is_empty());
            let (mut verdicts, missing) = runner::instance_within(
                Arc::clone(&here),
                &runner::with_needs(&chosen),
                &limits(cli),
            );
            verdicts.retain(|v| chosen.iter().any(|c| c.id == v.claim.id));
            let own = here.is_own();
            let mut title = here.describe();
            if own && here.subject() != Subject::Oversmoothing {
                title.push_str(" (own matrices)");
            }
            if missing > 0 {
                title.push_str(&format!(", {missing} claims not reached"));
            }
            let judged = judge(&verdicts, own.then_some(&*here))?;
            Ok((
                render(
                    cli,
                    &title,
                    &verdicts,
                    &judged,
                    own.then_some(claims.is_empty()),
                ),
                judged.code,
            ))
        }
        Command::All { grid, claims } => {
            claims.iter().try_for_each(|c| find(c).map(drop))?;
            let parsed = read_grid(grid)?;
            let mut chosen = runner::select(claims);
            // A grid without cells of a task says nothing about it; asked for one of its claims, it says so.
            let subjects: BTreeSet<Subject> =
                parsed.cells().iter().map(CellSpec::subject).collect();
            chosen.retain(|c| {
                !claims.is_empty() || c.subject().is_none_or(|s| subjects.contains(&s))
            });
            let (mut verdicts, missing) =
                runner::grid(&parsed, &runner::with_needs(&chosen), &limits(cli));
            lift(&mut verdicts);
            verdicts.retain(|v| chosen.iter().any(|c| c.id == v.claim.id));
            let title = format!(
                "{} grid, {} cells{}",
                grid,
                parsed.cells().len(),
                if missing > 0 {
                    format!(", {missing} not reached")
                } else {
                    String::new()
                }
            );
            let judged = judge(&verdicts, None)?;
            Ok((render(cli, &title, &verdicts, &judged, None), judged.code))
        }
    }
}

/// The steps of the proofs, and 3 where one is not decided or 1 where one fails.
fn read_grid(grid: &str) -> Result<Grid, Error> {
    let text = match grid {
        "quick" => include_str!("../../../scenarios/quick.toml").to_string(),
        "default" => include_str!("../../../scenarios/default.toml").to_string(),
        "full" => include_str!("../../../scenarios/full.toml").to_string(),
        path => files::read(Path::new(path)).map_err(|e| {
            format!("grid \"{path}\", which is neither quick, default nor full: {e}")
        })?,
    };
    Grid::parse(&text).map_err(|e| format!("grid {grid}: {e}").into())
}

/// The table of spectra of all cluster cells of a grid, or of one place.
fn spectra(grid: Option<&str>, place: &Options) -> Result<String, Error> {
    let mut table = floats::HEAD.to_string();
    match grid {
        Some(_) if place.given() => {
            return Err("give a grid or options for the sizes, not both".into());
        }
        Some(grid) => {
            let parsed = read_grid(grid)?;
            let specs: Vec<&CellSpec> = parsed
                .cells()
                .iter()
                .filter(|s| s.subject() == Subject::Clusters)
                .collect();
            let lines: Vec<Result<String, Error>> = specs
                .par_iter()
                .map(|spec| match spec.place()? {
                    Place::Clusters(cell) => Ok(floats::line(&spec.to_string(), &cell)),
                    Place::Backcopy(_) | Place::Oversmoothing(_) => Ok(String::new()),
                })
                .collect();
            for line in lines {
                table.push_str(&line?);
            }
        }
        None => match place.place()? {
            Place::Clusters(cell) => table.push_str(&floats::line(&cell.describe(), &cell)),
            Place::Backcopy(_) | Place::Oversmoothing(_) => {
                return Err(
                    "spectra are of cluster cells: the norms of (7) to (10) are exact".into(),
                );
            }
        },
    }
    Ok(table)
}

fn limits(cli: &Cli) -> Limits {
    let seconds = cli.common.timeout.map(Duration::from_secs);
    Limits {
        stopped: &STOPPED,
        deadline: seconds.and_then(|s| Instant::now().checked_add(s)),
        progress: !cli.common.quiet && std::io::stderr().is_terminal(),
    }
}

/// The report; of `own` matrices, were all claims asked?
fn render(
    cli: &Cli,
    title: &str,
    verdicts: &[Verdict],
    judged: &Judged,
    own: Option<bool>,
) -> String {
    if cli.common.format == Format::Json {
        return report::json(title, verdicts);
    }
    let mut out = format!("{title}\n");
    if verdicts.iter().all(|v| v.scope == runner::Scope::Instance) {
        let summary = report::summary(verdicts, own.is_some());
        if !summary.is_empty() {
            out.push_str(&format!("\n{summary}"));
        }
    }
    out.push_str(&report::text(verdicts));
    out.push('\n');
    match (own, judged.code == 0) {
        (None, true) => {
            let count = |o| verdicts.iter().filter(|v| v.outcome == o).count();
            out.push_str(&format!(
                "Every claim is as pinned: {} hold, {} are known to be false, {} are conditional or do not apply.\n",
                count(Outcome::Holds),
                count(Outcome::Refuted),
                verdicts.len() - count(Outcome::Holds) - count(Outcome::Refuted)
            ));
        }
        (Some(_), true) if verdicts.iter().all(|v| v.claim.subject().is_none()) => {
            out.push_str("Nothing that is claimed of all settings fails at this one.\n")
        }
        (Some(false), true) => {
            out.push_str("Only the selected claims were decided for these matrices.\n")
        }
        (Some(true), true) => {
            let compared = verdicts
                .iter()
                .any(|v| v.claim.kind == Kind::Cost && v.outcome == Outcome::Holds);
            out.push_str(if compared {
                "Accepted: margins, labels and costs hold for these matrices.\n"
            } else {
                "Accepted: what was decided holds for these matrices; no cost was compared.\n"
            });
        }
        _ => {}
    }
    for line in &judged.lines {
        out.push_str(line);
        out.push('\n');
    }
    out
}
