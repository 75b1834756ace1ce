//! Every command and option is used by a test.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::*;

/// A command with the words that call it, and the long options that it has itself.
struct Described {
    words: Vec<String>,
    options: Vec<String>,
}

/// All commands, those of commands included.
fn described(command: &clap::Command, words: &[String], all: &mut Vec<Described>) {
    let names = |arg: &clap::Arg| {
        let mut names: Vec<String> = arg.get_long().map(str::to_owned).into_iter().collect();
        names.extend(arg.get_visible_aliases().unwrap_or_default().iter().map(|it| (*it).to_owned()));
        names
    };
    all.push(Described { words: words.to_vec(), options: command.get_arguments().flat_map(names).collect() });
    for below in command.get_subcommands() {
        described(below, &[words, &[below.get_name().to_owned()]].concat(), all);
    }
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => rust_files(&path, files),
            false if path.extension().is_some_and(|it| it == "rs") => files.push(path),
            false => {}
        }
    }
}

/// The texts of all tests of the command, but for this file.
fn tests() -> Vec<String> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    rust_files(&crate_folder.join("tests"), &mut files);
    let mut sources = Vec::new();
    rust_files(&crate_folder.join("src"), &mut sources);
    files.extend(sources.into_iter().filter(|it| it.ends_with("tests.rs") && !it.ends_with("args/tests.rs")));
    files.iter().map(|it| fs::read_to_string(it).expect("a file")).collect()
}

/// Whether a text has an option, and not only a longer one that begins like it.
fn has_option(text: &str, name: &str) -> bool {
    let option = format!("--{name}");
    let is_end = |rest: &str| !rest.starts_with(|it: char| it.is_alphanumeric() || it == '-');
    text.match_indices(&option).any(|(at, _)| text.get(at + option.len()..).is_some_and(is_end))
}

/// Options and commands that no file of tests uses together with the words of their command.
fn unused(tests: &[String]) -> BTreeSet<String> {
    let mut all = Vec::new();
    described(&definition(), &[], &mut all);
    let mut unused = BTreeSet::new();
    for Described { words, options } in all {
        let is_called = |text: &&String| words.iter().all(|it| text.contains(&format!("\"{it}\"")));
        let callers: Vec<&String> = tests.iter().filter(is_called).collect();
        let line = words.join(" ");
        if callers.is_empty() {
            unused.insert(line.clone());
        }
        for option in options.iter().filter(|it| !callers.iter().any(|text| has_option(text, it))) {
            unused.insert(format!("{line} --{option}"));
        }
    }
    unused
}

#[test]
fn every_command_and_option_is_used_by_a_test() {
    assert_eq!(unused(&tests()), BTreeSet::new());
}

#[test]
fn an_option_without_a_test_would_be_noticed() {
    let tests = vec!["\"man\" --outer --quiet".to_owned()];
    let unused = unused(&tests);
    for line in ["man --out", "tuning", "tuning --json", " --verbose"] {
        assert!(unused.contains(line), "{line}");
    }
    assert!(!unused.contains("man") && !unused.contains(" --quiet"));
}

#[test]
fn the_definition_holds_together() {
    definition().debug_assert();
}
