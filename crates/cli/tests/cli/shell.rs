//! What all commands have in common: version, completions, manual pages, quiet and verbose, colours, exit codes.
#![expect(clippy::disallowed_methods, reason = "a test asks a shell to read a script")]

use std::fs;
use std::process::{Command, Stdio};

use crate::support::{Program, Terminal, command, crashback, run};

#[test]
fn the_version_has_a_number_and_perhaps_a_commit() {
    let version = crashback(["--version"]);
    assert_eq!(version.code, 0);
    let rest = version.stdout.strip_prefix("crashback ").expect("a name").trim();
    let (number, commit) = rest.split_once(' ').map_or((rest, None), |(number, rest)| (number, Some(rest)));
    assert_eq!(number, env!("CARGO_PKG_VERSION"));
    assert!(commit.is_none_or(|it| it.starts_with('(') && it.ends_with(')')), "{rest}");
}

#[test]
fn completions_know_commands_and_options() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = crashback(["completions", shell]);
        assert_eq!((script.code, script.stderr.as_str()), (0, ""));
        for word in ["verify-instrumentation", "project-packages", "junit-xml"] {
            assert!(script.stdout.contains(word), "{shell}: {word}");
        }
    }
    crashback(["completions", "tcsh"]).failed_with(2, &["tcsh", "bash"]);
    let bash = crashback(["completions", "bash"]).stdout;
    assert!(bash.contains("guided-ga"), "values of options");
    let checked = Command::new("bash").args(["-n", "-c", &bash]).status();
    assert!(checked.is_ok_and(|it| it.success()), "bash reads its script");
}

#[test]
fn manual_pages_are_printed_or_written() {
    let page = crashback(["man"]);
    assert_eq!(page.code, 0, "{}", page.stderr);
    for words in [".TH crashback 1", "crashback\\-reproduce(1)", "interrupted"] {
        assert!(page.stdout.contains(words), "`{words}` is not in:\n{}", page.stdout);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("man/man1");
    for _ in 0..2 {
        let written = run(command().args(["man", "--quiet", "--out"]).arg(&out), b"");
        assert_eq!((written.code, written.stderr.as_str()), (0, ""));
    }
    let page = fs::read_to_string(out.join("crashback-campaign-run.1")).expect("a page");
    assert!(page.contains("tie\\-break") && page.contains("verbose"), "{page}");
    assert!(out.join("crashback.1").is_file());
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a file");
    run(command().args(["man", "--out"]).arg(&file), b"").failed_with(4, &["manual pages", "file", "--out"]);
}

#[test]
fn quiet_leaves_the_result_and_verbose_tells_how_it_comes_about() {
    let shop = Program::shop();
    let explain = |flags: &[&str]| {
        let mut explain = command();
        explain.current_dir(shop.folder.path()).env("CRASHBACK_PROJECT_PACKAGES", "shop");
        run(explain.args(flags).args(["explain", "crash.log", "--classpath", "classes"]), b"")
    };
    let (plain, quiet, verbose) = (explain(&[]), explain(&["--quiet"]), explain(&["--verbose"]));
    assert_eq!((plain.code, &quiet.stdout, &verbose.stdout), (0, &plain.stdout, &plain.stdout));
    assert_eq!(quiet.stderr, "");
    let version = format!("crashback {}", env!("CARGO_PKG_VERSION"));
    for words in
        [version.as_str(), "--project-packages=shop by CRASHBACK_PROJECT_PACKAGES", "JDK ", "it took "]
    {
        assert!(verbose.stderr.contains(words), "`{words}` is not in:\n{}", verbose.stderr);
    }
    explain(&["--quiet", "-v"]).failed_with(2, &["--quiet", "--verbose"]);
    // Every command takes both, before and behind its name.
    for arguments in
        [&["tuning", "-q"][..], &["config", "--quiet"], &["-v", "config"], &["list", "-v", "crash.log"]]
    {
        let done = run(command().args(arguments).current_dir(shop.folder.path()), b"");
        assert_eq!(done.code, 0, "{arguments:?}: {}", done.stderr);
    }
    let wrong = crashback(["--quiet", "reproduce", "--json"]);
    wrong.failed_with(2, &["<LOG>"]);
    assert_eq!(wrong.json()["reproduced"], false, "it has the form of the command");
}

#[test]
fn a_verbose_search_tells_its_steps_and_where_time_went() {
    let shop = Program::shop();
    shop.write("crash.log", shop.log().replace("NullPointerException", "VerifyError"));
    let mut reproduce = command();
    reproduce.current_dir(shop.folder.path()).args(["reproduce", "crash.log", "--classpath", "classes"]);
    let done = run(reproduce.args(["--verbose", "--evaluations", "50", "--workers", "1"]), b"");
    assert_eq!(done.code, 1, "{}{}", done.stdout, done.stderr);
    for words in ["reading the program\n", "frame "] {
        assert!(done.stderr.contains(words), "`{words}` is not in:\n{}", done.stderr);
    }
    assert!(done.stdout.contains("workers waited"), "{}", done.stdout);
}

/// Standard output of a command that writes to a terminal.
fn on_a_terminal(arguments: &[&str], no_color: &str) -> String {
    let (terminal, end) = Terminal::open();
    let mut command = command();
    command.args(arguments).env("NO_COLOR", no_color).env("TERM", "xterm").stdout(end).stderr(Stdio::null());
    let mut child = command.stdin(Stdio::null()).spawn().expect("crashback runs");
    // Its copy of the terminal's end.
    drop(command);
    let text = terminal.rest();
    assert!(child.wait().expect("a process").success());
    text
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let has_colours = |text: &str| text.contains("\x1b[");
    assert!(has_colours(&on_a_terminal(&["tuning"], "")));
    assert!(!has_colours(&on_a_terminal(&["tuning"], "1")));
    assert!(!has_colours(&run(command().arg("tuning").env_remove("NO_COLOR"), b"").stdout));
}

/// The codes of the help, but for two: 5, errors inside Crashback, is tested where they are made
/// (`names_that_lead_elsewhere_are_not_written`), and 130 in `interrupt.rs`.
#[test]
fn documented_exit_codes_are_produced() {
    let shop = Program::shop();
    let classes = shop.path("classes");
    let classes = classes.to_str().expect("a plain path");
    let log = shop.path("crash.log");
    let log = log.to_str().expect("a plain path");
    let other = shop.write("other.log", shop.log().replace("NullPointerException", "VerifyError"));
    let other = other.to_str().expect("a plain path");
    let none = shop.write("none.log", "all is well\n");
    let none = none.to_str().expect("a plain path");
    let search = ["reproduce", other, "--classpath", classes, "--evaluations", "20", "--workers", "1"];
    let commands: [&[&str]; 5] = [
        &["list", log],
        &search,
        &["list"],
        &["list", none],
        &["explain", log, "--classpath", classes, "--java-home", classes],
    ];
    let produced = commands.map(|it| run(command().args(it).current_dir(shop.folder.path()), b"").code);
    assert_eq!(produced, [0, 1, 2, 3, 4]);
    let help = crashback(["reproduce", "--help"]).stdout;
    let (_, codes) = help.split_once("Exit codes:").expect("exit codes");
    let first = |line: &str| line.split_whitespace().next()?.parse().ok();
    let documented: Vec<i32> = codes.lines().filter_map(first).collect();
    assert_eq!(documented, [&produced[..], &[5, 130]].concat());
}
