//! `docs/reference.md`: every command and option, written from the definition of the command line.
#![expect(clippy::disallowed_methods, reason = "BLESS is read by tests alone")]

use clap::{Arg, ArgAction, Command};

use super::EXIT_CODES;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference.md");

/// As wide as prose is.
const COLUMNS: usize = 108;

/// `docs/reference.md` follows from the definition. `BLESS=1` writes it anew.
#[test]
fn the_reference_lists_every_command_and_option() {
    let text = reference();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    let written = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(written == text, "run with BLESS=1 and commit docs/reference.md");
}

/// Options without words would be rows without use.
#[test]
fn every_command_and_option_says_what_it_does() {
    let mut root = super::command();
    root.build();
    let mut open = vec![&root];
    while let Some(command) = open.pop() {
        assert!(command.get_about().is_some(), "{}", command.get_name());
        for arg in shown(command) {
            assert!(arg.get_help().is_some(), "{} {}", command.get_name(), arg.get_id());
        }
        open.extend(subcommands(command));
    }
}

fn reference() -> String {
    let mut root = super::command();
    root.build();
    let mut text = "# Commands and options\n\n".to_owned();
    text += &wrapped(
        "Written by a test from the definition of the command line in `crates/cli/src/args`. `crashback help \
         COMMAND` shows the same. Many options can also stand in a file or in the environment: \
         [configuration](configuration.md).",
    );
    text.push('\n');
    let mut sections = String::new();
    for command in subcommands(&root) {
        section(&mut text, &mut sections, command, "crashback");
    }
    text += "\n## Exit codes\n\n";
    for line in EXIT_CODES.lines().skip(1) {
        let (code, words) = line.trim().split_once(' ').unwrap_or((line, ""));
        text += &wrapped(&format!("- {code}: {}", words.trim()));
    }
    text + &sections
}

/// Adds a command to the list of commands, and its section to the others.
fn section(list: &mut String, sections: &mut String, command: &Command, parent: &str) {
    let name = format!("{parent} {}", command.get_name());
    let about = words(command.get_about());
    *list += &wrapped(&format!("- [{name}](#{}): {}", name.replace(' ', "-"), lowered(&about)));
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").lines().map(|it| format!("{}\n", it.trim()));
    *sections += &format!("\n## {name}\n\n{about}\n\n```text\n{}```\n", usage.collect::<String>());
    let mut headings: Vec<Option<&str>> = shown(command).map(Arg::get_help_heading).collect();
    headings.sort_by_key(|it| it.is_some());
    let mut done = Vec::new();
    for heading in headings {
        if done.contains(&heading) {
            continue;
        }
        done.push(heading);
        let title = heading.map(|it| format!("**{it}**\n\n")).unwrap_or_default();
        *sections += &format!("\n{title}");
        for arg in shown(command).filter(|it| it.get_help_heading() == heading) {
            *sections += &wrapped(&row(arg));
        }
    }
    for inner in subcommands(command) {
        section(list, sections, inner, &name);
    }
}

fn row(arg: &Arg) -> String {
    let mut row = format!("- {}: {}", names(arg), words(arg.get_help()));
    let values = arg.get_possible_values();
    if arg.get_action().takes_values() && !values.is_empty() {
        let value = |it: &clap::builder::PossibleValue| match it.get_help() {
            Some(help) => format!("`{}` ({})", it.get_name(), lowered(&help.to_string())),
            None => format!("`{}`", it.get_name()),
        };
        row += &format!(" One of {}.", values.iter().map(value).collect::<Vec<_>>().join(", "));
    }
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|it| it.to_string_lossy().into_owned()).collect();
    if arg.get_action().takes_values() && !defaults.is_empty() {
        row += &format!(" Default: `{}`.", defaults.join(" "));
    }
    if arg.is_required_set() && !arg.is_positional() {
        row += " Required.";
    }
    row
}

/// The forms in which an option can be written.
fn names(arg: &Arg) -> String {
    let values = arg.get_value_names().unwrap_or_default();
    let value: String = values.iter().map(|it| it.to_string()).collect::<Vec<_>>().join(" ");
    if arg.is_positional() {
        let more = if matches!(arg.get_action(), ArgAction::Append) { "…" } else { "" };
        return format!("`{value}{more}`");
    }
    let value = if arg.get_action().takes_values() { format!(" {value}") } else { String::new() };
    let mut names: Vec<String> = arg.get_short().iter().map(|it| format!("`-{it}`")).collect();
    names.extend(arg.get_long().map(|it| format!("`--{it}{value}`")));
    names.extend(arg.get_visible_aliases().unwrap_or_default().iter().map(|it| format!("`--{it}`")));
    names.join(", ")
}

/// All but `--help`, `--version` and the command `help`, which every program has.
fn shown(command: &Command) -> impl Iterator<Item = &Arg> {
    let is_common = |it: &&Arg| matches!(it.get_long(), Some("help" | "version"));
    command.get_arguments().filter(move |it| !is_common(it) && !it.is_hide_set())
}

fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|it| it.get_name() != "help" && !it.is_hide_set())
}

/// Help as a sentence.
fn words(help: Option<&clap::builder::StyledStr>) -> String {
    let words = help.map(ToString::to_string).unwrap_or_default();
    if words.ends_with('.') { words } else { format!("{words}.") }
}

/// The same inside a sentence.
fn lowered(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|it| it.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// Lines that are not too long; all but the first are indented as in lists.
fn wrapped(text: &str) -> String {
    let indent = if text.starts_with("- ") { "  " } else { "" };
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else { break };
        if line.chars().count() + word.chars().count() >= COLUMNS {
            lines.push(format!("{indent}{word} "));
        } else {
            line.push_str(&format!("{word} "));
        }
    }
    lines.iter().map(|it| format!("{}\n", it.trim_end())).collect()
}
