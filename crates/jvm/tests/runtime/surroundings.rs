//! What tests find around them.

use crate::support::Script;

#[test]
fn what_a_test_changes_is_changed_back() {
    for (home, lines) in Script::new(&[], &[]).line("Subjects.ambience").run() {
        assert_eq!(lines, ["as before"], "{}", home.display());
    }
}
