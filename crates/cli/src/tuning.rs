//! `crashback tuning`: every number and switch that `--tune` sets, with its default and its reason.

use std::fmt::Write as _;
use std::process::ExitCode;

use anstyle::Style;
use crashback::Tuning;
use serde_json::{Value, json};

use crate::args::TuningArguments;
use crate::output;

const BOLD: Style = Style::new().bold();

/// Runs the command and gives its exit code.
pub(crate) fn run(arguments: &TuningArguments) -> ExitCode {
    let tuning = Tuning::default();
    let printed =
        if arguments.json { output::print_json(&document(&tuning)) } else { output::print(&text(&tuning)) };
    output::code_of_print(printed)
}

fn document(tuning: &Tuning) -> Value {
    let entries = tuning.entries().map(|it| {
        json!({
            "section": it.section,
            "name": it.name,
            "default": it.default,
            "range": it.range,
            "reason": it.reason,
        })
    });
    json!({ "exit_code": 0, "error": null, "tuning": entries.collect::<Vec<_>>() })
}

/// Two lines for each entry below the heading of its section.
fn text(tuning: &Tuning) -> String {
    let mut out = String::new();
    let mut section = "";
    for entry in tuning.entries() {
        if entry.section != section {
            section = entry.section;
            let _ = writeln!(out, "{BOLD}{section}{BOLD:#}");
        }
        let _ = writeln!(out, "  {}={}  ({})", entry.name, entry.default, entry.range);
        let _ = writeln!(out, "      {}", entry.reason);
    }
    out
}
