//! The result for people: counts, and what lies behind them, summed up by reason.

use std::collections::BTreeMap;

use anstyle::{AnsiColor, Style};
use crashback_protocol::Untouched;

use super::Verified;
use crate::args::Probes;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const NOTE: Style = AnsiColor::Yellow.on_default();

/// How many things of one sort are named unless all are asked for.
const MAX_NAMED: usize = 3;
/// Failures are what the command is for.
const MAX_FAILURES: usize = 20;

pub(super) fn render(verified: &Verified, verbose: bool) -> String {
    let mut out = Report { text: String::new(), verbose };
    let probes = match verified.probes {
        Probes::All => "every kind of probe",
        Probes::Search => "the probes that a search puts everywhere",
    };
    out.line(&format!("{BOLD}{} classes{BOLD:#}, JDK {}, {probes}", verified.classes, verified.jdk));
    out.count(GOOD, "checked", verified.checked, "link as they are and instrumented");
    out.count(
        if verified.broken.is_empty() { GOOD } else { BAD },
        "failed",
        verified.broken.len(),
        "do not link once instrumented",
    );
    let failures =
        verified.broken.iter().map(|it| format!("{}: {} became {}", it.class, it.plain, it.instrumented));
    out.names(failures.collect(), MAX_FAILURES);
    let unlinkable: usize = verified.unlinkable.values().map(Vec::len).sum();
    out.count(FAINT, "unlinkable", unlinkable, "do not link as they are either");
    for (error, classes) in &verified.unlinkable {
        let names = classes.iter().map(|(class, said)| format!("{class}: {said}"));
        out.group(error, names.collect());
    }
    out.count(
        FAINT,
        "of the JDK",
        verified.foreign.len(),
        "the JDK has classes of these names, and they come first",
    );
    out.hidden_names(&verified.foreign);
    out.count(NOTE, "untouched", verified.untouched.len(), "classes and methods that keep their code");
    for (reason, names) in by_reason(&verified.untouched) {
        out.group(&reason, names);
    }
    for problem in verified.class_path_problems.iter().filter(|it| !it.kind.is_note()).take(8) {
        out.line(&format!("{NOTE}! {problem}{NOTE:#}"));
    }
    if let Some(words) = nothing_checked(verified) {
        out.line(&format!("{NOTE}! {words}{NOTE:#}"));
    }
    out.text
}

/// A run that has checked nothing shows nothing, and must not look as if it did.
fn nothing_checked(verified: &Verified) -> Option<&'static str> {
    match verified.checked {
        0 if verified.classes > 0 && verified.foreign.len() == verified.classes => Some(
            "The JDK has all of these classes itself; leave their module out of it with \
             --jvm-option=--limit-modules=…",
        ),
        0 => Some("No class links, so nothing was checked; is the class path complete?"),
        _ => None,
    }
}

/// Names by reason. Reasons that differ only in numbers are one.
fn by_reason(untouched: &[Untouched]) -> BTreeMap<String, Vec<String>> {
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for Untouched { class, method, reason } in untouched {
        let method = method.as_ref().map(|it| format!(".{it}")).unwrap_or_default();
        reasons.entry(without_numbers(reason)).or_default().push(format!("{class}{method}"));
    }
    reasons
}

/// A text with `…` for each number of several digits but the limits of the class file format, which
/// are the same in all.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|it: char| it.is_ascii_digit()) {
        let (before, from) = rest.split_at_checked(start).unwrap_or((rest, ""));
        let end = from.find(|it: char| !it.is_ascii_digit()).unwrap_or(from.len());
        let (number, after) = from.split_at_checked(end).unwrap_or((from, ""));
        out.push_str(before);
        out.push_str(if number == "65535" { number } else { "…" });
        rest = after;
    }
    out + rest
}

struct Report {
    text: String,
    verbose: bool,
}

impl Report {
    fn line(&mut self, text: &str) {
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    fn count(&mut self, style: Style, what: &str, count: usize, words: &str) {
        let style = if count == 0 { FAINT } else { style };
        self.line(&format!("  {style}{what:10}{style:#} {count:>7}  {FAINT}{words}{FAINT:#}"));
    }

    fn group(&mut self, reason: &str, names: Vec<String>) {
        self.line(&format!("             {:>7}  {reason}", names.len()));
        self.names(names, MAX_NAMED);
    }

    fn names(&mut self, names: Vec<String>, most: usize) {
        let most = if self.verbose { usize::MAX } else { most };
        for name in names.iter().take(most) {
            self.line(&format!("{FAINT}                      {name}{FAINT:#}"));
        }
        if names.len() > most {
            self.line(&format!(
                "{FAINT}                      and {} more; see all with --verbose or --json{FAINT:#}",
                names.len() - most
            ));
        }
    }

    fn hidden_names(&mut self, names: &[String]) {
        if self.verbose {
            self.names(names.to_vec(), usize::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_that_differ_in_numbers_are_one() {
        let of = |bytes: u32| Untouched {
            class: "a/B".to_owned(),
            method: Some(format!("m{bytes}()V")),
            reason: format!("its code would be {bytes} bytes long, and 65535 is the most a method can have"),
        };
        let reasons = by_reason(&[of(70_000), of(99_999)]);
        let [(reason, names)] = reasons.iter().collect::<Vec<_>>()[..] else { panic!("{reasons:?}") };
        assert_eq!(reason, "its code would be … bytes long, and 65535 is the most a method can have");
        assert_eq!(*names, ["a/B.m70000()V", "a/B.m99999()V"]);
        assert_eq!(without_numbers("no digits"), "no digits");
        assert_eq!(without_numbers("7"), "…");
    }
}
