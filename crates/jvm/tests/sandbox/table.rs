//! The tables of attempts in `docs/security.md` hold exactly what is attempted.

use std::collections::BTreeSet;

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

/// First cells in code font, from a heading to the next.
fn rows_below(heading: &str) -> BTreeSet<String> {
    let lines = DOCUMENT.lines().skip_while(|line| *line != heading).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('#'));
    lines.filter_map(|line| Some(line.strip_prefix("| `")?.split('`').next()?.to_owned())).collect()
}
