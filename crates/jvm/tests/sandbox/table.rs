//! The tables of attempts in `docs/security.md` hold exactly what is attempted.

use std::collections::{BTreeMap, BTreeSet};

use crate::native;
use crate::support::methods;

const DOCUMENT: &str = include_str!("../../../../docs/security.md");

#[test]
fn every_attempt_is_in_its_table_and_every_row_is_attempted() {
    let java = ["Attempts", "ModernAttempts", "ForeignAttempts"].into_iter().flat_map(methods);
    let below = native::ATTEMPTS.iter().map(|(name, ..)| (*name).to_owned());
    let denied: BTreeSet<String> = java.chain(below).collect();
    assert!(denied.len() >= 30, "only {} attempts", denied.len());
    assert_eq!(rows_below("### Denied"), denied);
    assert_eq!(rows_below("### Contained"), methods("Contained").into_iter().collect());
}

/// The layers that stop each attempt which is denied, as the document says.
pub(crate) fn layers() -> BTreeMap<String, String> {
    let rows = lines_below("### Denied").filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        Some((cells.next()?.trim_end_matches('`').to_owned(), cells.nth(1)?.to_owned()))
    });
    rows.collect()
}

/// First cells in code font, from a heading to the next.
fn rows_below(heading: &str) -> BTreeSet<String> {
    lines_below(heading)
        .filter_map(|line| Some(line.strip_prefix("| `")?.split('`').next()?.to_owned()))
        .collect()
}

fn lines_below(heading: &str) -> impl Iterator<Item = &'static str> {
    let lines = DOCUMENT.lines().skip_while(move |line| *line != heading).skip(1);
    lines.take_while(|line| !line.starts_with('#'))
}
