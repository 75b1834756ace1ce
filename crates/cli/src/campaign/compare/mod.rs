//! `crashback campaign compare`: configurations against each other.

#[cfg(test)]
mod tests;
mod text;

use std::process::ExitCode;

use crashback::{Error, ErrorKind};
use crashback_campaign::compare::{self, CompareOptions, Comparison, Published, export_comparison};
use crashback_campaign::{Extent, Store};
use serde::Serialize;

use super::error;
use crate::args::CompareArguments;
use crate::{exit, output};

/// The JSON object of a comparison.
#[derive(Serialize)]
struct Document<'c> {
    exit_code: u8,
    error: Option<Error>,
    #[serde(flatten)]
    comparison: &'c Comparison,
}

/// Runs the command and gives its exit code.
pub(super) fn run(arguments: &CompareArguments) -> ExitCode {
    let done = comparison(arguments).and_then(|it| print(&it, arguments));
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(exit::code(ErrorKind::Environment)),
        Err(error) => output::report_failure(&error, arguments.json),
    }
}

fn comparison(arguments: &CompareArguments) -> Result<Comparison, Error> {
    let store = Store::open_to_read(&arguments.store).map_err(|it| error(&it))?;
    let published = arguments.published.as_deref().map(Published::read).transpose();
    let published = published.map_err(|it| error(&it))?;
    let records = store.records_to(Extent::Frames).map_err(|it| error(&it))?;
    let options = CompareOptions { failed: arguments.failed.into(), ..CompareOptions::default() };
    let compared = compare::compare(&records, &arguments.configurations, published.as_ref(), options);
    compared.map_err(|it| error(&it))
}

/// Prints the comparison; false if it is lost, of which the user is told.
fn print(comparison: &Comparison, arguments: &CompareArguments) -> Result<bool, Error> {
    if arguments.json {
        return Ok(output::print_json(&Document { exit_code: 0, error: None, comparison }));
    }
    if !arguments.csv {
        return Ok(output::print(&text::comparison(comparison, arguments.frames)));
    }
    let mut table = Vec::new();
    export_comparison(comparison, &mut table).map_err(|it| error(&it))?;
    Ok(output::print(&String::from_utf8_lossy(&table)))
}
