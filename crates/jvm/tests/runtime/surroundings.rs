//! What tests find around them.

use crate::support::Script;

#[test]
fn what_a_test_changes_is_changed_back() {
    for (home, lines) in Script::new(&[], &[]).line("Subjects.ambience").run() {
        assert_eq!(lines, ["as before"], "{}", home.display());
    }
}

#[test]
fn every_test_finds_the_same_clock_and_random_numbers() {
    let mut script = Script::new(&[], &[]);
    script.line("Pins.configure (JJJ)V 1750000000000 1000 5");
    for subject in ["Subjects.pinned", "Subjects.pinned", "Subjects.pinnedBesideOthers"] {
        script.line("begin ()V").line(subject);
    }
    let runs: Vec<_> = script.run().into_iter().map(|(_, lines)| lines).collect();
    let expected = runs[0][0].as_str();
    assert!(runs.iter().flatten().all(|line| line == expected), "{runs:#?}");
    let (times, random) = expected.split_once(" | ").unwrap();
    assert_eq!(
        times,
        "1750000000001 1002000000 1750000000003 1750000000004 2025-06-16 1750000000006 1750000000007 1750000000000"
    );
    assert!(random.starts_with("6 7 ") && random.ends_with(" 4 2"), "{random}");
}

#[test]
fn a_reset_learns_what_was_initialised_and_what_the_test_touched() {
    let mut script = Script::new(&[], &[]);
    script.line("begin ()V").line("initialiser (I)V 5").line("touch (I)V 1000").line("touch (I)V 5");
    script
        .line("initialiser (I)V 2")
        .line("touch (I)V 1000")
        .line("touch (I)V 1000")
        .line("initialised (I)V 2");
    script.line("touch (I)V 1000").line("initialised (I)V 5").line("touch (I)V 1000").line("Subjects.state");
    script.line("begin ()V").line("touch (I)V 5").line("touch (I)V 7").line("Subjects.state");
    let during = "[5, 1000, 5, 2, 2, 1000]";
    let expected = [format!("[5, 2, -3, -6][5, 1000, 2]{during}"), format!("[5, 2, -3, -6][5, 7]{during}")];
    for (home, lines) in script.run() {
        assert_eq!(lines, expected, "{}", home.display());
    }
}
