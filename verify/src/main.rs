//! The `verify` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    verify::cli::main()
}
