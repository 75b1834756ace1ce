//! Programs of a JDK that take the place of a confined process.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::support::{ChildOrder, Guard, Jdk, Stage, User};

const SOON: Duration = Duration::from_secs(30);

/// Prints, writes where it is told to, and ends with a code.
const SOURCE: &str = r#"
import java.nio.file.*;
public class Writer {
    public static void main(String[] arguments) throws Exception {
        System.out.println("read " + System.in.read());
        System.out.println(System.getProperty("user.dir").equals(System.getProperty("java.io.tmpdir")));
        Files.write(Files.createTempFile("own", "file"), new byte[1]);
        for (String place : arguments) {
            try {
                Files.write(Paths.get(place), new byte[1]);
                System.err.println("written");
            } catch (AccessDeniedException denied) {
                System.err.println("denied");
            }
        }
        System.exit(42);
    }
}
"#;

#[test]
fn a_test_is_compiled_and_run() {
    for jdk in Jdk::all().iter() {
        for user in User::all() {
            let stage = Stage::new(user, []);
            compile_and_run(jdk, &stage);
        }
    }
}

/// As whoever verifies tests does: the compiler in the scratch folder, then the test in a folder of
/// it.
fn compile_and_run(jdk: &Jdk, stage: &Stage) {
    let scratch = stage.scratch();
    let source = scratch.join("Writer.java");
    fs::write(&source, SOURCE).unwrap();
    let compiler = output(program(jdk, stage, "javac", &[source.to_str().unwrap()]));
    assert!(compiler.status.success(), "{compiler:?}");
    let wrong = output(program(jdk, stage, "javac", &["Missing.java"]));
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");

    let places = ["file", "../file", "../Writer.class", "../../readable", "/tmp/crashback-written"];
    let class_path = scratch.to_str().unwrap();
    let arguments = ["-XX:-UsePerfData", "-cp", class_path, "Writer"].into_iter().chain(places);
    let mut order = program(jdk, stage, "java", &arguments.collect::<Vec<_>>());
    let folder = stage.folder("run");
    order.command.current_dir(&folder);
    let test = output(order);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(test.status.code(), Some(42), "{test:?}");
    assert_eq!(text(&test.stdout), "read -1\ntrue\n", "{test:?}");
    assert_eq!(text(&test.stderr), "written\ndenied\ndenied\ndenied\ndenied\n", "{test:?}");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
}

/// A confined process becomes nothing but programs of its JDK. The loader is a program, too, but it
/// maps only what can be read.
#[test]
fn other_programs_are_not_executed() {
    let jdk = Jdk::without_classes();
    let java = jdk.home.join("bin/java");
    let loader = loader();
    for user in User::all() {
        let stage = Stage::new(user, []);
        let own = stage.scratch().join("program");
        fs::copy(&java, &own).unwrap();
        fs::set_permissions(&own, PermissionsExt::from_mode(0o755)).unwrap();
        let execute = |arguments: &[&str]| {
            let mut order = stage.child(&jdk, "execute", true);
            [jdk.home.to_str().unwrap(), &loader].iter().for_each(|path| order.set("execute", path));
            arguments.iter().for_each(|argument| order.set("argument", argument));
            let output = output(order);
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let first = text.lines().find_map(|line| line.strip_prefix("@ error ")).map(str::to_owned);
            (output.status.code(), first)
        };
        for other in ["/bin/sh", "/usr/bin/env", own.to_str().unwrap()] {
            let (_, error) = execute(&[other]);
            assert!(error.as_deref().is_some_and(|it| it.contains("os error 13")), "{other}: {error:?}");
        }
        assert_eq!(execute(&[&loader, "/bin/sh", "-c", "true"]), (Some(127), None));
        assert_eq!(execute(&[java.to_str().unwrap(), "-version"]), (Some(0), None));
    }
}

/// The loader of programs, which has loaded this one.
fn loader() -> String {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let paths = maps.lines().filter_map(|line| line.split_whitespace().nth(5));
    paths.map(str::to_owned).find(|path| path.contains("/ld-")).unwrap()
}

#[test]
fn a_program_of_another_place_is_refused() {
    let (jdk, stage) = (Jdk::without_classes(), Stage::new(User::Own, []));
    let fails = |change: &dyn Fn(&mut ChildOrder), words: &str| {
        let mut order = program(&jdk, &stage, "java", &["-version"]);
        change(&mut order);
        let output = output(order);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.starts_with("@ error ") && text.contains(words), "{words}: {text}");
    };
    fails(&|order| order.set("pretended_home", stage.outside().display()), "cannot be used");
    fails(&|order| order.set("pretended_home", stage.scratch().display()), "is no program of the JDK");
    fails(&|order| order.set("parent", 1), "has ended");
    fails(&|order| order.set("hide", "landlock"), "--unsafe-no-sandbox");
    let mut weaker = program(&jdk, &stage, "java", &["-version"]);
    weaker.set("hide", "landlock");
    weaker.set("weaker", "yes");
    assert!(output(weaker).status.success());
}

#[test]
fn the_kernel_confirms_every_layer_of_a_program() {
    let jdks = Jdk::all();
    let jdk = jdks.first().unwrap();
    for user in User::all() {
        let stage = Stage::new(user, ["secret"]);
        let mut order = waiting(jdk, &stage);
        let secret = stage.outside().join("secret/secret");
        order.set("inherit", secret.display());
        let child = Guard::start(&mut order.command, "ready");
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let capabilities = if user.is_root() { "0000000000000004" } else { "0000000000000000" };
        let expected = [
            ("NoNewPrivs", "1"),
            ("Seccomp", "2"),
            ("Seccomp_filters", "2"),
            ("CapPrm", capabilities),
            ("CapEff", capabilities),
            ("CapInh", "0000000000000000"),
            ("CapAmb", "0000000000000000"),
        ];
        for (key, value) in expected {
            let line = status.lines().find(|line| line.starts_with(&format!("{key}:"))).unwrap();
            assert_eq!(line.split_whitespace().nth(1), Some(value), "{line} as {user:?}");
        }
        let open = fs::read_dir(format!("/proc/{}/fd", child.id())).unwrap();
        let open: Vec<_> = open.flatten().flat_map(|entry| fs::read_link(entry.path())).collect();
        assert!(!open.contains(&secret) && open.iter().any(|it| it.starts_with("/proc")), "{open:?}");
    }
}

#[test]
fn a_program_dies_with_the_thread_that_started_it_and_with_its_group() {
    let jdks = Jdk::all();
    let (jdk, stage) = (jdks.first().unwrap(), Stage::new(User::Own, []));
    let start = || Guard::start(waiting(jdk, &stage).command.process_group(0), "ready");
    let mut orphan = std::thread::scope(|scope| scope.spawn(start).join().unwrap());
    assert_eq!(orphan.ended(SOON).unwrap().signal(), Some(libc::SIGKILL));
    let mut child = start();
    assert!(child.is_alive());
    let group = Pid::from_raw(child.id().try_into().unwrap()).unwrap();
    kill_process_group(group, Signal::KILL).unwrap();
    assert_eq!(child.ended(SOON).unwrap().signal(), Some(libc::SIGKILL));
}

/// A JVM that waits.
fn waiting(jdk: &Jdk, stage: &Stage) -> ChildOrder {
    let [_, classes] = jdk.class_path();
    program(jdk, stage, "java", &["-Xmx16m", "-XX:-UsePerfData", "-cp", classes.to_str().unwrap(), "Target"])
}

fn program(jdk: &Jdk, stage: &Stage, name: &str, arguments: &[&str]) -> ChildOrder {
    let mut order = stage.child(jdk, "program", true);
    order.set("program", jdk.home.join("bin").join(name).display());
    arguments.iter().for_each(|argument| order.set("argument", argument));
    order
}

fn output(mut order: ChildOrder) -> Output {
    order.command.stderr(Stdio::piped()).output().unwrap()
}
