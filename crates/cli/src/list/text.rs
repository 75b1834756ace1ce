//! The list for people: a table, and what to do next.

use anstyle::{AnsiColor, Style};
use crashback::DistinctCrash;

use super::{Listed, Listing};

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const NOTE: Style = AnsiColor::Yellow.on_default();

/// How many crashes are shown.
const MAX_SHOWN: usize = 50;
/// How many problems of the log are named.
const MAX_PROBLEMS: usize = 8;

pub(super) fn render(listing: &Listing) -> String {
    let mut out = String::new();
    let rows: Vec<Row<'_>> = listing.crashes.iter().take(MAX_SHOWN).map(Row::of).collect();
    let widths = Widths::of(&rows);
    let Widths { number, count, first, last } = widths;
    line(
        &mut out,
        &format!(
            "{FAINT}  {:>number$}  {:>count$}  {:first$}{:last$}Exception{FAINT:#}",
            "Crash", "Count", "First", "Last"
        ),
    );
    for row in &rows {
        let is_default = Some(row.crash.number) == listing.default;
        row.write(&mut out, widths, is_default);
    }
    let hidden = listing.crashes.len().saturating_sub(MAX_SHOWN);
    if hidden > 0 {
        line(&mut out, &format!("{NOTE}{hidden} more distinct crashes; see all with --json{NOTE:#}"));
    }
    line(&mut out, "");
    advice(&mut out, listing);
    for problem in listing.problems.iter().take(MAX_PROBLEMS) {
        line(&mut out, &format!("{NOTE}! log line {}: {}{NOTE:#}", problem.line, problem.text));
    }
    let hidden = listing.problems.len().saturating_sub(MAX_PROBLEMS);
    if hidden > 0 {
        line(&mut out, &format!("{NOTE}! and {hidden} more; see all with --json{NOTE:#}"));
    }
    out
}

/// One crash of the table.
struct Row<'l> {
    crash: &'l DistinctCrash,
    is_foreign: bool,
    first: &'l str,
    last: &'l str,
    exception: String,
    frame: String,
}

/// The widths of columns, gaps included for those that may be missing.
#[derive(Clone, Copy)]
struct Widths {
    number: usize,
    count: usize,
    first: usize,
    last: usize,
}

impl<'l> Row<'l> {
    fn of(listed: &'l Listed) -> Self {
        let crash = &listed.crash;
        let classes: Vec<&str> = crash.crash.cause_chain().map(|(_, it)| it.class.as_str()).collect();
        let exception = match classes.as_slice() {
            [outermost, .., root] => format!("{outermost}, caused by {root}"),
            _ => classes.concat(),
        };
        Self {
            crash,
            is_foreign: listed.is_project == Some(false),
            first: crash.crash.time.as_deref().unwrap_or_default(),
            last: crash.last_time.as_deref().unwrap_or_default(),
            exception,
            frame: crash.innermost_frame().map(|it| format!("at {it}")).unwrap_or_default(),
        }
    }

    fn write(&self, out: &mut String, widths: Widths, is_default: bool) {
        let Widths { number, count, first, last } = widths;
        let mark = if is_default { format!("{GOOD}▶{GOOD:#}") } else { " ".to_owned() };
        let style = if self.is_foreign { FAINT } else { BOLD };
        let numbers = format!("{:>number$}  {:>count$}", self.crash.number, self.crash.occurrences);
        let times = format!("{:first$}{:last$}", self.first, self.last);
        line(out, &format!("{mark} {numbers}  {times}{style}{}{style:#}", self.exception));
        if !self.frame.is_empty() {
            let indent = 2 + number + 2 + count + 2 + first + last;
            line(out, &format!("{:indent$}{FAINT}{}{FAINT:#}", "", self.frame));
        }
    }
}

impl Widths {
    fn of(rows: &[Row<'_>]) -> Self {
        let widest = |of: &dyn Fn(&Row<'_>) -> usize| rows.iter().map(of).max().unwrap_or(0);
        let time = |of: &dyn Fn(&Row<'_>) -> usize, head: usize| match widest(of) {
            0 => head + 2,
            width => width.max(head) + 2,
        };
        Self {
            number: widest(&|it| it.crash.number.to_string().len()).max("Crash".len()),
            count: widest(&|it| it.crash.occurrences.to_string().len()).max("Count".len()),
            first: time(&|it| it.first.chars().count(), "First".len()),
            last: time(&|it| it.last.chars().count(), "Last".len()),
        }
    }
}

fn advice(out: &mut String, listing: &Listing) {
    if let Some(words) = &listing.scope_words {
        line(out, &format!("{FAINT}Project: {words}{FAINT:#}"));
    }
    let count = listing.crashes.len();
    match listing.default {
        Some(number) if count > 1 => {
            let words = format!("reproduce takes crash {number} of {count}; --crash N chooses another");
            line(out, &format!("{FAINT}{words}{FAINT:#}"));
        }
        Some(_) => {}
        None => line(out, &format!("{NOTE}! None of them has a frame that a test can aim at.{NOTE:#}")),
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text.trim_end());
    out.push('\n');
}
