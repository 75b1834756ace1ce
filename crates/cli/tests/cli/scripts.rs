//! The scripts of the checkout: set-up on machines that lack something, and the steps of the action.
#![expect(clippy::disallowed_methods, reason = "the tests run scripts with tools that they make up")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::support::{Program, Run, cache_folder, run};

/// The root of the checkout.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a workspace").to_owned()
}

/// A machine whose only commands are these.
struct Machine {
    folder: TempDir,
}

impl Machine {
    /// A machine of a user with a number, and with the tools that scripts are made of.
    fn of_user(number: u32) -> Self {
        let machine = Self { folder: tempfile::tempdir().expect("a folder") };
        fs::create_dir(machine.bin()).expect("a folder");
        for tool in ["sh", "sed", "sort", "head", "cat", "dirname"] {
            let places = ["/bin", "/usr/bin"].map(|it| Path::new(it).join(tool));
            let place = places.iter().find(|it| it.exists()).expect("a usual tool");
            symlink(place, machine.bin().join(tool)).expect("a link");
        }
        machine.with("id", &format!("echo {number}"))
    }

    fn bin(&self) -> PathBuf {
        self.folder.path().join("bin")
    }

    /// Adds a command with a script.
    fn with(self, name: &str, script: &str) -> Self {
        write_script(&self.bin().join(name), script);
        self
    }

    /// Adds a command that notes how it is called. What it then does is a script.
    fn with_noting(self, name: &str, script: &str) -> Self {
        let notes = self.folder.path().join("notes");
        self.with(name, &format!("echo \"{name} $*\" >> {}\n{script}", notes.display()))
    }

    fn with_all(self, names: &[&str]) -> Self {
        names.iter().fold(self, |machine, name| machine.with(name, "cat >/dev/null 2>&1"))
    }

    fn with_rust(self, version: &str) -> Self {
        self.with("rustc", &format!("echo 'rustc {version} (0123456 2026-01-01)'")).with_noting("cargo", "")
    }

    /// The calls that were noted.
    fn notes(&self) -> String {
        fs::read_to_string(self.folder.path().join("notes")).unwrap_or_default()
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", self.bin()).env("HOME", self.folder.path());
        command.current_dir(self.folder.path());
        command
    }

    fn set_up(&self, parts: &str, variables: &[(&str, &str)]) -> Run {
        let script = format!("set -eu; root='{0}'; . '{0}/tools/setup'; set_up {parts}", root().display());
        run(self.command(&self.bin().join("sh")).args(["-c", &script]).envs(variables.iter().copied()), b"")
    }
}

fn write_script(path: &Path, script: &str) {
    fs::write(path, format!("#!/bin/sh\n{script}\n")).expect("a script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a script");
}

/// A package manager that makes the commands of its packages.
fn installs(machine: Machine, manager: &str, commands: &[&str]) -> Machine {
    let bin = machine.bin();
    let made: Vec<String> = commands
        .iter()
        .map(|it| {
            format!(
                "printf '#!/bin/sh\\ncat >/dev/null\\n' > {0}/{it}; /bin/chmod +x {0}/{it}",
                bin.display()
            )
        })
        .collect();
    let script = format!("case \"$*\" in *maven*) {} ;; esac", made.join("; "));
    machine.with_noting(manager, &script)
}

#[test]
fn a_machine_that_has_everything_is_left_alone() {
    let machine = Machine::of_user(0).with_all(&["cc", "javac", "mvn", "c++", "git"]).with_rust("1.95.0");
    let machine = machine.with_noting("apt-get", "");
    let done = machine.set_up("run tests", &[]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    assert!(!machine.notes().contains("apt-get"), "{}", machine.notes());
}

#[test]
fn missing_packages_are_installed_by_every_package_manager() {
    let check = |manager: &str, calls: &[&str]| {
        let machine = Machine::of_user(0).with_rust("1.96.1");
        let machine = installs(machine, manager, &["cc", "javac", "mvn"]);
        let done = machine.set_up("run", &[]);
        assert_eq!(done.code, 0, "{manager}: {}", done.stderr);
        assert!(done.stderr.contains("Installing what is missing"), "{}", done.stderr);
        assert_eq!(machine.notes().lines().collect::<Vec<_>>(), calls);
    };
    let packages = "gcc libc6-dev default-jdk-headless maven";
    let install = format!("apt-get install -y --no-install-recommends {packages}");
    check("apt-get", &["apt-get update -q", &install]);
    check("dnf", &["dnf install -y gcc java-devel maven"]);
    check("pacman", &["pacman -S --needed --noconfirm gcc jdk-openjdk maven"]);
    check("zypper", &["zypper --non-interactive install gcc java-21-openjdk-devel maven"]);
    check("apk", &["apk add build-base openjdk21-jdk maven"]);
}

#[test]
fn users_who_must_not_install_are_told_the_command() {
    let check = |machine: Machine, variables: &[(&str, &str)], words: &[&str]| {
        let done = machine.with_rust("1.95.0").set_up("run", variables);
        done.failed_with(4, &["Crashback needs a JDK with javac, Maven, which this machine lacks"]);
        words.iter().for_each(|it| assert!(done.stderr.contains(it), "`{it}` is not in:\n{}", done.stderr));
        assert_eq!(done.stdout, "");
    };
    let machine = || Machine::of_user(1000).with_all(&["cc"]);
    let command = "sudo apt-get install -y --no-install-recommends default-jdk-headless maven\n";
    check(
        machine().with("apt-get", "exit 9").with("sudo", "exit 1"),
        &[],
        &["  sudo apt-get update\n", command],
    );
    check(machine().with("apt-get", "exit 9"), &[], &[command]);
    check(machine(), &[], &["by the means of your system"]);
    let root = Machine::of_user(0).with_all(&["cc"]).with("dnf", "exit 9");
    check(root, &[("CRASHBACK_NO_INSTALL", "1")], &["  dnf install -y java-devel maven\n"]);
    // A package manager that fails, too, leaves the command to the user.
    check(
        Machine::of_user(0).with_all(&["cc"]).with("apk", "exit 1"),
        &[],
        &["  apk add openjdk21-jdk maven\n"],
    );
}

#[test]
fn users_with_sudo_install_through_it() {
    let machine = installs(Machine::of_user(1000).with_rust("1.95.0"), "apt-get", &["cc", "javac", "mvn"]);
    let done = machine.with_noting("sudo", "[ \"$1\" = -n ] || \"$@\"").set_up("run", &[]);
    assert_eq!(done.code, 0, "{}", done.stderr);
}

#[test]
fn a_compiler_without_headers_is_missing() {
    let machine = Machine::of_user(0).with_all(&["javac", "mvn"]).with("cc", "cat >/dev/null; exit 1");
    let done = machine.with_rust("1.95.0").set_up("run", &[("CRASHBACK_NO_INSTALL", "1")]);
    done.failed_with(4, &["needs a C compiler"]);
}

#[test]
fn tests_and_continuous_integration_need_more() {
    let machine = Machine::of_user(0).with_all(&["cc", "javac", "mvn"]).with_rust("1.95.0");
    let done = machine.with("apt-get", "exit 1").set_up("run tests ci", &[]);
    // A server may be installed where no command shows it.
    let words = ["a C++ compiler, git", "OpenSSL, Chromium with chromedriver", "g++ git", "chromium-driver"];
    done.failed_with(4, &words);
}

#[test]
fn rust_that_is_missing_or_too_old() {
    let machine = || Machine::of_user(1000).with_all(&["cc", "javac", "mvn"]);
    machine()
        .set_up("run", &[])
        .failed_with(4, &["needs Rust 1.95 or newer, which this machine lacks", "sh.rustup.rs"]);
    let old = machine().with_rust("1.63.0").set_up("run", &[]);
    old.failed_with(4, &["needs Rust 1.95 or newer, and this machine has 1.63.0", "sh.rustup.rs"]);
    assert_eq!(
        machine().with_rust("1.100.0").set_up("run", &[]).code,
        0,
        "numbers, not letters, are compared"
    );
}

#[test]
fn rustup_brings_a_toolchain() {
    let machine = Machine::of_user(1000).with_all(&["cc", "javac", "mvn", "c++", "git"]).with_rust("1.63.0");
    let new = "rustc 1.97.0 (0123456 2026-08-01)";
    let rustc = machine.bin().join("rustc");
    let renew = format!("printf '#!/bin/sh\\necho \"{new}\"\\n' > {}", rustc.display());
    let machine = machine.with_noting("rustup", &renew);
    let refused = machine.set_up("run", &[("CRASHBACK_NO_INSTALL", "1")]);
    refused.failed_with(4, &["rustup toolchain install stable\n"]);
    let done = machine.set_up("run tests", &[]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let call = "rustup toolchain install stable --profile minimal --component clippy --component rustfmt\n";
    assert!(machine.notes().contains(call), "{}", machine.notes());
}

#[test]
fn rustup_is_installed_where_it_is_packaged() {
    let machine = Machine::of_user(0).with_all(&["cc", "javac", "mvn"]);
    let bin = machine.bin();
    let rustc = format!(
        "printf '#!/bin/sh\\necho rustc 1.95.0\\n' > {0}/rustc; cp {0}/rustc {0}/cargo",
        bin.display()
    );
    let rustup = format!("#!/bin/sh\n{rustc}\n/bin/chmod +x {0}/rustc {0}/cargo\n", bin.display())
        .replace("cp ", "/bin/cp ");
    let source = machine.folder.path().join("rustup");
    write_script(&source, &rustup);
    let script = format!("[ \"$1\" = update ] || /bin/cp {} {}/rustup", source.display(), bin.display());
    let done = machine.with_noting("apt-get", &script).set_up("run", &[]);
    assert_eq!(done.code, 0, "{}", done.stderr);
}

#[test]
fn the_command_of_the_checkout_builds_and_passes_its_arguments_on() {
    let machine = Machine::of_user(1000).with_all(&["cc", "javac", "mvn"]).with_rust("1.95.0");
    let target = machine.folder.path().join("target");
    let script = root().join("crashback");
    let call = |machine: &Machine| {
        let mut crashback = machine.command(&script);
        run(crashback.args(["list", "a log"]).env("CARGO_TARGET_DIR", &target), b"")
    };
    assert_eq!(call(&machine).code, 0);
    let expected = |quiet: &str| {
        let manifest = root().join("Cargo.toml");
        let manifest = manifest.display();
        format!(
            "cargo run --profile quick --locked {quiet}--manifest-path {manifest} --package crashback-cli -- list a log"
        )
    };
    assert_eq!(machine.notes().trim(), expected(""));
    fs::create_dir_all(target.join("quick")).expect("a folder");
    write_script(&target.join("quick/crashback"), "");
    assert_eq!(call(&machine).code, 0);
    assert_eq!(machine.notes().lines().last(), Some(expected("--quiet ").as_str()));
}

/// An issue as GitHub's event has it, with a trace in its text.
fn event(trace: &str) -> String {
    let body =
        format!("It crashes!\r\n```\r\n{}```\r\n$(touch pwned) `touch pwned`", trace.replace('\n', "\r\n"));
    let issue = serde_json::json!({ "number": 7, "title": "Till crashes", "body": body });
    let event = serde_json::json!({ "action": "labeled", "issue": issue, "label": { "name": "crash" } });
    serde_json::to_string_pretty(&event).expect("JSON")
}

/// What the script of the action left: outputs of the step and the comment.
struct Acted {
    run: Run,
    outputs: String,
    comment: String,
    folder: PathBuf,
}

fn act(shop: &Program, variables: &[(&str, &str)]) -> Acted {
    let mut script = Command::new(root().join("tools/reproduce-issue"));
    script.current_dir(shop.folder.path()).env("CRASHBACK", env!("CARGO_BIN_EXE_crashback"));
    script.env("RUNNER_TEMP", shop.folder.path()).env("GITHUB_OUTPUT", shop.path("outputs"));
    script.env("GITHUB_STEP_SUMMARY", shop.path("summary")).env("CRASHBACK_CACHE_DIR", cache_folder());
    script.env_remove("INPUT_LOG").env_remove("GITHUB_EVENT_PATH").envs(variables.iter().copied());
    let run = run(&mut script, b"");
    let outputs = fs::read_to_string(shop.path("outputs")).unwrap_or_default();
    let folder = outputs.lines().rev().find_map(|it| it.strip_prefix("folder=")).map(PathBuf::from);
    let folder = folder.unwrap_or_default();
    let comment = fs::read_to_string(folder.join("comment.md")).unwrap_or_default();
    Acted { run, outputs, comment, folder }
}

#[test]
fn the_action_reproduces_the_crash_of_an_issue() {
    let shop = Program::shop();
    let payload = shop.write("event.json", event(&shop.log()));
    let payload = payload.to_str().expect("a plain path");
    let inputs = [
        ("GITHUB_EVENT_PATH", payload),
        ("INPUT_CLASSPATH", "classes"),
        ("INPUT_PACKAGES", "shop"),
        ("INPUT_TIME", "120s"),
        ("INPUT_OPTIONS", "--frame 2 --seed 0"),
    ];
    let Acted { run, outputs, comment, folder } = act(&shop, &inputs);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(outputs.contains("exit-code=0\nreproduced=true\n"), "{outputs}");
    for words in
        ["**A test reproduces this crash.**", "NullPointerException", "TillCrashTest.java", "~~~~~~~~java"]
    {
        assert!(comment.contains(words), "`{words}` is not in:\n{comment}");
    }
    assert_eq!(fs::read_to_string(shop.path("summary")).expect("a summary"), comment);
    for name in ["tests/shop/TillCrashTest.java", "report.html", "crash.sarif", "junit.xml"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    assert!(!shop.path("pwned").exists(), "texts of issues are no commands");
}

#[test]
fn the_action_says_why_there_is_no_test() {
    let shop = Program::shop();
    let payload = shop.write("event.json", event("nothing to see\n"));
    let payload = payload.to_str().expect("a plain path");
    let Acted { run, outputs, comment, .. } =
        act(&shop, &[("GITHUB_EVENT_PATH", payload), ("INPUT_CLASSPATH", "classes")]);
    run.failed_with(3, &["no usable stack trace"]);
    assert!(outputs.contains("exit-code=3\nreproduced=false\n"), "{outputs}");
    assert!(comment.contains("There is no stack trace to work with"), "{comment}");
    // A log beside the event counts more; this one is not reproduced.
    shop.write("other.log", shop.log().replace("NullPointerException", "VerifyError"));
    let inputs = [
        ("GITHUB_EVENT_PATH", payload),
        ("INPUT_LOG", "other.log"),
        ("INPUT_CLASSPATH", "classes"),
        ("INPUT_TIME", ""),
        ("INPUT_OPTIONS", "--evaluations 50"),
    ];
    let Acted { run, outputs, comment, .. } = act(&shop, &inputs);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(outputs.ends_with("exit-code=1\nreproduced=false\n"), "{outputs}");
    assert!(comment.contains("No test that reproduces this crash was found in time."), "{comment}");
    act(&shop, &[]).run.failed_with(2, &["There is no log"]);
}
