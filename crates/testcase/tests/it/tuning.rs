//! The table of settings, as users read it.

#![expect(clippy::disallowed_methods, reason = "BLESS is read by tests alone")]

use std::collections::BTreeSet;

use crashback_testcase::workshop::Tuning;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tuning.md");

/// `docs/tuning.md` follows from the table. `BLESS=1` writes it anew.
#[test]
fn the_documentation_lists_all_settings() {
    let text = documentation();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(FILE).unwrap(), text, "run with BLESS=1 and commit docs/tuning.md");
}

fn documentation() -> String {
    let mut text = "# Settings of making and changing tests\n\n".to_owned();
    text += &wrapped(
        "Written by a test from the table in `crates/testcase/src/workshop/tuning.rs`. Each setting has a name, a \
         default and a reason. Those that differ from their defaults are recorded with every run, since equal \
         seeds give equal tests only under equal settings. A *weight* counts against the other weights of its \
         group; *one in* n means that something happens once in n times; a *switch* is `on` or `off`.",
        "",
    );
    let mut section = "";
    for entry in Tuning::default().entries() {
        if entry.section != section {
            section = entry.section;
            text += &format!("\n## {section}\n\n");
        }
        text += &wrapped(&format!("- `{}` = {}: {}", entry.name, entry.default, entry.reason), "  ");
    }
    text
}

/// Lines of at most 108 columns; all but the first are indented.
fn wrapped(text: &str, indent: &str) -> String {
    let (mut lines, mut line) = (String::new(), String::new());
    for word in text.split_whitespace() {
        if !line.trim().is_empty() && line.chars().count() + 1 + word.chars().count() > 108 {
            lines += &format!("{line}\n");
            line = indent.to_owned();
        } else if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    format!("{lines}{line}\n")
}

#[test]
fn names_are_plain_and_unique() {
    let tuning = Tuning::default();
    let names: Vec<&str> = tuning.entries().map(|it| it.name).collect();
    let distinct: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(names.len(), distinct.len());
    for entry in tuning.entries() {
        let is_plain = |it: char| it.is_ascii_lowercase() || it == '-' || it == '.';
        assert!(entry.name.chars().all(is_plain), "{}", entry.name);
        assert!(entry.reason.ends_with('.') && entry.reason.len() > 8, "{}: {}", entry.name, entry.reason);
    }
}

#[test]
fn every_default_can_be_set_again() {
    let mut tuning = Tuning::default();
    for entry in Tuning::default().entries() {
        tuning.set(entry.name, &entry.default).unwrap();
    }
    assert_eq!(tuning, Tuning::default());
    assert_eq!(tuning.changed().count(), 0);
}

#[test]
fn only_changed_settings_are_recorded() {
    let mut tuning = Tuning::default();
    let bytes = |it: &Tuning| postcard::to_allocvec(it).unwrap();
    assert_eq!(bytes(&tuning), [0]);
    tuning.set("depth", "3").unwrap();
    assert_eq!(bytes(&tuning), b"\x01\x05depth\x013");
}
