//! `crashback man`: manual pages, made from the definition of the command line.

use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap_mangen::Man;
use crashback::{Error, ErrorKind};

use crate::args::{self, ManArguments};
use crate::environment::Environment;
use crate::output;

/// Runs the command and gives its exit code.
pub(crate) fn run(arguments: &ManArguments, environment: &Environment) -> ExitCode {
    let done = match &arguments.out {
        Some(folder) => write(folder, environment),
        None => print(),
    };
    done.unwrap_or_else(|failure| output::report_failure(&failure, false))
}

fn print() -> Result<ExitCode, Error> {
    let mut page = Vec::new();
    let rendered = Man::new(args::definition()).render(&mut page);
    rendered.map_err(|error| Error::new(ErrorKind::Internal, format!("no manual page: {error}")))?;
    Ok(output::code_of_print(output::print(&String::from_utf8_lossy(&page))))
}

fn write(folder: &Path, environment: &Environment) -> Result<ExitCode, Error> {
    let failure = |error: io::Error| {
        let name = folder.display();
        let message = format!("cannot write manual pages to {name}: {error}; name another folder with --out");
        Error::new(ErrorKind::Environment, message)
    };
    fs::create_dir_all(folder).map_err(failure)?;
    clap_mangen::generate_to(args::definition(), folder).map_err(failure)?;
    output::note(environment.verbosity, &format!("the manual pages are in {}", folder.display()));
    Ok(ExitCode::SUCCESS)
}
