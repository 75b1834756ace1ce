//! The diagnosis for people, a line for each check.

use anstyle::{AnsiColor, Style};

use super::{Diagnosis, Status};

const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const NOTE: Style = AnsiColor::Yellow.on_default();

pub(super) fn render(diagnosis: &Diagnosis) -> String {
    let mut out = String::new();
    for check in &diagnosis.checks {
        let (style, word) = match check.status {
            Status::Ok => (GOOD, "ok"),
            Status::Warning => (NOTE, "warning"),
            Status::Problem => (BAD, "problem"),
        };
        out.push_str(&format!("{style}{word:7}{style:#}  {:9}  {}\n", check.id, check.found.trim_end()));
        if let Some(advice) = &check.advice {
            out.push_str(&format!("{:20}{FAINT}→ {advice}{FAINT:#}\n", ""));
        }
    }
    if diagnosis.error.is_none() {
        out.push_str(&format!("\n{GOOD}Crashback can work here.{GOOD:#}\n"));
    }
    out
}
