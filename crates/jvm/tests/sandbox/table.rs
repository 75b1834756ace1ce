//! The table of attempts in `docs/security.md` holds exactly what is attempted.

use std::collections::BTreeSet;

use crate::native;
use crate::support::methods;

const DOCUMENT: &str = include_str!("../../../../docs/security.md");

#[test]
fn every_attempt_is_in_the_table_and_every_row_is_attempted() {
    let java = ["Attempts", "ModernAttempts", "ForeignAttempts", "Contained"].into_iter().flat_map(methods);
    let below = native::ATTEMPTS.iter().map(|(name, ..)| (*name).to_owned());
    let attempted: BTreeSet<String> = java.chain(below).collect();
    let rows = DOCUMENT.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let documented: BTreeSet<String> = rows.map(str::to_owned).collect();
    assert_eq!(documented, attempted);
    assert!(attempted.len() >= 30);
}
