//! An interrupted command: soon over, with its exit code and the best so far, and nothing left.
#![expect(clippy::disallowed_methods, reason = "the tests send signals and look at the clock")]

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::processes::{Process, descendants, eventually, is_alive};
use crate::support::{Program, Terminal, command, compile, path_with_maven};

fn entries(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).expect("a folder").map(|it| format!("{:?}", it.expect("an entry").path())).collect()
}

/// A command that is to be interrupted.
struct Running {
    child: Child,
    scratch: TempDir,
    seen: Vec<Process>,
}

impl Running {
    fn start(command: &mut Command) -> Self {
        Self::start_in(tempfile::tempdir().expect("a folder"), command)
    }

    /// Starts a command whose temporary folders lie in a folder.
    fn start_in(scratch: TempDir, command: &mut Command) -> Self {
        command.env("TMPDIR", scratch.path()).stdin(Stdio::null()).stdout(Stdio::piped());
        let child = command.spawn().expect("crashback runs");
        Self { child, scratch, seen: Vec::new() }
    }

    /// Waits for the phase in which there are such processes.
    fn wait_for(&mut self, what: &str, is_there: impl Fn(&Process) -> bool) {
        eventually(what, || {
            self.seen = descendants(self.child.id());
            let ended = self.child.try_wait().expect("a process");
            assert!(ended.is_none(), "it ended before it could be interrupted: {what}");
            self.seen.iter().any(&is_there)
        });
    }

    /// Interrupts it, and looks at what is left: nothing but its output.
    fn interrupt(mut self, signals: &[&str]) -> String {
        let begun = Instant::now();
        self.seen.extend(descendants(self.child.id()));
        for signal in signals {
            let sent = Command::new("kill").arg(signal).arg(self.child.id().to_string()).status();
            assert!(sent.expect("kill runs").success());
            thread::sleep(Duration::from_millis(60));
        }
        let mut output = String::new();
        self.child.stdout.take().expect("a pipe").read_to_string(&mut output).expect("text");
        let status = self.child.wait().expect("a process");
        let took = begun.elapsed();
        assert_eq!(status.code(), Some(130), "{output}");
        // Others may keep the processors busy; what it waits for would take longer by far.
        assert!(took < Duration::from_secs(20), "{took:?}");
        eventually("no process is left", || !self.seen.iter().any(|it| is_alive(it.id)));
        assert_eq!(entries(self.scratch.path()), Vec::<String>::new());
        output
    }
}

fn object(output: &str) -> Value {
    let object: Value = serde_json::from_str(output).expect("one JSON object");
    assert_eq!((&object["exit_code"], &object["error"]["kind"]), (&130.into(), &"interrupted".into()));
    assert!(object.get("interrupted").is_none_or(|it| *it == true), "{object}");
    object
}

/// Interrupts a command as soon as it has workers.
fn interrupt(signal: &str, arguments: &[&str]) {
    let mut running = Running::start(command().args(arguments));
    running.wait_for("there are workers", Process::is_worker);
    object(&running.interrupt(&[signal]));
}

#[test]
fn the_doctor_can_be_interrupted() {
    interrupt("-INT", &["doctor", "--json"]);
    interrupt("-TERM", &["doctor", "--json"]);
}

#[test]
fn verification_can_be_interrupted() {
    let shop = Program::shop();
    let classes = shop.path("classes");
    let classes = classes.to_str().expect("a plain path");
    interrupt("-INT", &["verify-instrumentation", "--json", "--classpath", classes]);
}

/// The command that reproduces the crash of a program.
fn reproduce(program: &Program, mut command: Command) -> Command {
    command.arg("reproduce").arg(program.path("crash.log")).arg("--classpath").arg(program.path("classes"));
    command.arg("--out").arg(program.path("tests")).args(["--time", "1h", "--seed", "5"]);
    command
}

#[test]
fn a_search_can_be_interrupted() {
    let shop = Program::shop();
    // Nothing throws this there, so that the search goes on until it is interrupted.
    shop.write("crash.log", shop.log().replace("NullPointerException", "VerifyError"));
    for signal in ["-INT", "-TERM"] {
        let mut running = Running::start(reproduce(&shop, command()).arg("--json"));
        running.wait_for("there are workers", Process::is_worker);
        let object = object(&running.interrupt(&[signal]));
        assert_eq!((&object["interrupted"], &object["seed"]), (&true.into(), &5.into()));
        assert!(!shop.path("tests").exists());
    }
}

#[test]
fn folders_of_a_killed_search_are_removed_by_the_next_one() {
    let shop = Program::shop();
    shop.write("crash.log", shop.log().replace("NullPointerException", "VerifyError"));
    let mut killed = Running::start(&mut reproduce(&shop, command()));
    killed.wait_for("there are workers", Process::is_worker);
    killed.child.kill().expect("killed");
    killed.child.wait().expect("gone");
    eventually("no process is left", || !killed.seen.iter().any(|it| is_alive(it.id)));
    let left = entries(killed.scratch.path());
    assert!(left.iter().any(|it| it.contains("crashback-verify-")), "{left:?}");
    let mut next = Running::start_in(killed.scratch, reproduce(&shop, command()).arg("--json"));
    next.wait_for("there are workers", Process::is_worker);
    next.interrupt(&["-INT"]);
}

#[test]
fn an_interruption_while_classes_are_indexed() {
    let shop = Program::shop();
    let running = Running::start(reproduce(&shop, command()).args(["--json", "--no-cache"]));
    let id = running.child.id();
    eventually("the JDK is read", || {
        let maps = fs::read_to_string(format!("/proc/{id}/maps")).unwrap_or_default();
        let files = fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten().flatten();
        let mut files = files.filter_map(|it| fs::read_link(it.path()).ok());
        maps.contains("/lib/modules") || files.any(|it| it.ends_with("lib/modules"))
    });
    assert_eq!(object(&running.interrupt(&["-INT"]))["seed"], 5);
}

#[test]
fn an_interruption_while_maven_runs() {
    let shop = Program::shop();
    let path = path_with_maven(&shop.path("tools"), "sleep 300");
    let is_sleep = |it: &Process| it.line.starts_with("sleep\0");
    // It fetches the program, or JUnit.
    let mut program = command();
    program.arg("reproduce").arg(shop.path("crash.log")).args([
        "--maven",
        "org.example:shop:1.0",
        "--seed",
        "5",
    ]);
    for mut command in [program, reproduce(&shop, command())] {
        let mut running = Running::start(command.env("PATH", &path).args(["--json", "--no-cache"]));
        running.wait_for("Maven runs", is_sleep);
        assert_eq!(object(&running.interrupt(&["-INT"]))["seed"], 5);
    }
}

#[test]
fn an_interruption_while_the_test_is_compiled_or_run() {
    let shop = Program::shop();
    // The compiler is there from the start of the search, JUnit as soon as a test may be the answer.
    let is_compiler = |it: &Process| it.line.contains("crashback.verify.Compiler\0");
    let is_junit = |it: &Process| it.line.contains("crashback.verify.Gate\0");
    // Who insists does not wait for what might come of it.
    for signals in [&["-INT"][..], &["-INT", "-INT"]] {
        for (is_there, least) in [(&is_compiler as &dyn Fn(&Process) -> bool, 0), (&is_junit, 1)] {
            let mut running = Running::start(reproduce(&shop, command()).args(["--json", "--junit", "5"]));
            running.wait_for("the test is verified", is_there);
            let object = object(&running.interrupt(signals));
            assert!(object["evaluations"].as_u64() >= Some(least), "{object}");
            assert_eq!(object["reproduced"], object["verified"]);
            assert_eq!(object["test_file"].is_string(), shop.path("tests").exists());
            drop(fs::remove_dir_all(shop.path("tests")));
        }
    }
}

#[test]
fn an_interruption_while_the_demo_is_compiled() {
    let mut running = Running::start(command().args(["demo", "--json"]));
    running.wait_for("the program is compiled", |it| it.line.contains("LabelReader.java\0"));
    object(&running.interrupt(&["-INT"]));
}

/// A program with a frame that is found at once, below one that is never found.
fn half_reachable() -> Program {
    let program = Program { folder: tempfile::tempdir().expect("a folder") };
    fs::create_dir(program.path("src")).expect("a folder");
    program.write(
        "src/Scale.java",
        "package scales;

public class Scale {
    public int weigh(String label) {
        return label.length();
    }

    public int weighAll(int count) {
        if (count * count == 2) {
            return weigh(null);
        }
        return 0;
    }
}
",
    );
    compile(&program.path("src"), &[], &program.path("classes"));
    program.write(
        "crash.log",
        "java.lang.NullPointerException\n\
         \tat scales.Scale.weigh(Scale.java:5)\n\
         \tat scales.Scale.weighAll(Scale.java:10)\n",
    );
    program
}

#[test]
fn an_interrupted_search_ends_with_the_test_of_a_lower_frame() {
    let program = half_reachable();
    // On a machine that is busy with other things verification may take longer than an interrupted
    // command waits for it.
    let is_found = (0..2).any(|_| {
        let (mut terminal, user) = Terminal::open();
        let running = Running::start(reproduce(&program, command()).stderr(user));
        terminal.wait_for("frame 2: line not reached");
        let output = running.interrupt(&["-INT"]);
        terminal.wait_for("crashback: interrupted");
        output.contains("Reproduced at frame 1")
    });
    assert!(is_found);
    let test = fs::read_to_string(program.path("tests/scales/ScaleCrashTest.java")).expect("a test");
    assert!(test.contains("weigh("), "{test}");
}

#[test]
fn an_interruption_while_the_test_is_simplified() {
    let shop = Program::shop();
    let (mut terminal, user) = Terminal::open();
    let running = Running::start(reproduce(&shop, command()).stderr(user));
    terminal.wait_for("simplifying the test");
    running.interrupt(&["-INT"]);
    terminal.wait_for("crashback: interrupted");
}
