//! `crashback config`: the settings in force, and where each comes from.

use std::fmt::Write as _;
use std::process::ExitCode;

use anstyle::Style;
use clap::Arg;
use crashback::Error;
use serde_json::{Value, json};

use super::{Setting, from_environment, from_file, settable, variable};
use crate::args::ConfigArguments;
use crate::environment::Environment;
use crate::output;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// One setting that there is.
struct Shown {
    name: String,
    values: Vec<String>,
    /// The place; none for a default.
    from: Option<String>,
}

/// Runs the command and gives its exit code.
pub(crate) fn run(
    arguments: &ConfigArguments,
    command: &clap::Command,
    environment: &Environment,
) -> ExitCode {
    let shown = match all(command, environment) {
        Ok(shown) => shown,
        Err(failure) => return output::report_failure(&failure, arguments.json),
    };
    let strange = strange(command, environment);
    let printed = match arguments.json {
        true => output::print_json(&document(&shown, &strange)),
        false => output::print(&text(&shown, &strange)),
    };
    output::code_of_print(printed)
}

fn all(command: &clap::Command, environment: &Environment) -> Result<Vec<Shown>, Error> {
    let mut settings = from_environment(command, environment);
    settings.extend(from_file(command, environment)?);
    let shown = |arg: &Arg| {
        let name = arg.get_long()?.to_owned();
        let set = settings.iter().find(|it| it.name == name);
        let (values, from) = match set {
            Some(Setting { values, from, .. }) => (values.iter().map(value).collect(), Some(from.clone())),
            None => {
                let defaults = arg.get_default_values().iter();
                (defaults.map(|it| it.to_string_lossy().into_owned()).collect(), None)
            }
        };
        Some(Shown { name, values, from })
    };
    Ok(settable(command).into_iter().filter_map(shown).collect())
}

fn value(value: &std::ffi::OsString) -> String {
    if value.is_empty() { "true".to_owned() } else { value.to_string_lossy().into_owned() }
}

/// Variables that look like settings and are none.
fn strange(command: &clap::Command, environment: &Environment) -> Vec<String> {
    let known: Vec<String> = settable(command).iter().filter_map(|it| it.get_long()).map(variable).collect();
    environment.settings.keys().filter(|it| !known.contains(it)).cloned().collect()
}

fn document(shown: &[Shown], strange: &[String]) -> Value {
    let settings = shown.iter().map(|it| {
        let from = it.from.as_deref().unwrap_or("default");
        json!({ "name": it.name, "values": it.values, "from": from, "variable": variable(&it.name) })
    });
    json!({
        "exit_code": 0,
        "error": null,
        "settings": settings.collect::<Vec<_>>(),
        "unknown_variables": strange,
    })
}

fn text(shown: &[Shown], strange: &[String]) -> String {
    let mut out = String::new();
    let width = shown.iter().map(|it| it.name.len()).max().unwrap_or(0);
    for Shown { name, values, from } in shown {
        let _ = match from {
            Some(from) => {
                let values = if values.is_empty() { "false".to_owned() } else { values.join(" ") };
                writeln!(out, "{BOLD}{name:width$}{BOLD:#}  {values}  {FAINT}({from}){FAINT:#}")
            }
            None => {
                let values = values.join(" ");
                let gap = if values.is_empty() { "" } else { "  " };
                writeln!(out, "{FAINT}{name:width$}  {values}{gap}(default){FAINT:#}")
            }
        };
    }
    for name in strange {
        let _ = writeln!(out, "! {name} is no setting and does nothing");
    }
    out
}
