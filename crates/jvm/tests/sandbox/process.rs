//! The confined process as the kernel sees it, and its end with its parent.

use std::fs;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::Duration;

use crashback_jvm::sandbox::{self, Error, Rules};

use crate::support::{ChildOrder, Guard, Jdk, Stage, User, parse};

const SOON: Duration = Duration::from_secs(10);

#[test]
fn the_kernel_confirms_every_layer() {
    let jdk = Jdk::without_classes();
    for user in User::all() {
        let stage = Stage::new(user, []);
        let child = Guard::start(&mut stage.child(&jdk, "wait", true).command, "@ ready");
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
        let limits = fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
        let limit = |name: &str| {
            let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(limit("Max core file size"), "1 1");
        assert_eq!(limit("Max file size"), format!("{0} {0}", 64 << 20));
    }
}

#[test]
fn support_and_confinement_tell_what_is_in_force() {
    let support = sandbox::support();
    assert_eq!(support.missing(), [""; 0], "these tests need a kernel with the whole sandbox");
    let jdk = Jdk::without_classes();
    let stage = Stage::new(User::Own, []);
    let mut order = stage.child(&jdk, "native", true);
    order.set("process", 1);
    let report = order.report();
    let sandbox::Landlock::Abi(abi) = support.landlock else { panic!("{support}") };
    let told = &report["confined"];
    assert!(
        told.starts_with(&format!("files: Landlock ABI {abi}; system calls: seccomp filter; ")),
        "{told}"
    );
}

#[test]
fn a_kernel_without_landlock_is_refused_unless_that_is_accepted() {
    let (jdk, stage) = (Jdk::without_classes(), Stage::new(User::Own, []));
    let run = |weaker| {
        let mut order = stage.child(&jdk, "native", true);
        order.set("process", 1);
        order.set("hide", "landlock");
        order.set("weaker", weaker);
        parse(&String::from_utf8_lossy(&order.command.output().unwrap().stdout))
    };
    let strict = run("no");
    assert!(strict["error"].contains("the kernel has no Landlock"), "{strict:?}");
    assert!(strict["error"].contains("--unsafe-no-sandbox"), "{strict:?}");
    let weaker = run("yes");
    assert!(
        weaker["confined"].starts_with("files: not confined; system calls: seccomp filter"),
        "{weaker:?}"
    );
    assert!(weaker["confined"].contains("missing: the kernel has no Landlock"), "{weaker:?}");
    // The other layers hold.
    assert!(weaker["nativeExec"].starts_with("threw"), "{weaker:?}");
}

#[test]
fn a_process_with_threads_cannot_enter() {
    let (jdk, stage) = (Jdk::without_classes(), Stage::new(User::Own, []));
    let rules = Rules::for_jvm(&jdk.home, &[], stage.scratch());
    // The harness runs every test on a thread of its own.
    assert!(matches!(sandbox::enter(&rules), Err(Error::Threads(2..))));
}

#[test]
fn a_missing_scratch_folder_is_named() {
    let (jdk, stage) = (Jdk::without_classes(), Stage::new(User::Own, []));
    let mut order = stage.child(&jdk, "wait", true);
    order.command.current_dir("/");
    fs::remove_dir(stage.scratch()).unwrap();
    let output = order.command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let expected = format!("@ error the scratch folder {} cannot be used", stage.scratch().display());
    assert!(text.starts_with(&expected), "{text}");
}

#[test]
fn a_socket_from_before_goes_on_working() {
    let (jdk, stage) = (Jdk::without_classes(), Stage::new(User::Own, []));
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let mut order = stage.child(&jdk, "echo", true);
    let mut child = Guard(order.command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).spawn().unwrap());
    // The command holds a copy of the other end, which would keep the socket open if the child
    // failed.
    drop(order);
    ours.write_all(b"hello").unwrap();
    let mut answer = [0; 5];
    ours.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"hello");
    assert!(child.ended(SOON).unwrap().success());
}

#[test]
fn a_worker_dies_when_its_lifeline_is_cut() {
    let (jdk, stage) = (Jdk::without_classes(), Stage::new(User::Own, []));
    let (reader, writer) = io::pipe().unwrap();
    let mut child = waiting(&jdk, &stage, "lifeline", reader.into());
    assert!(child.is_alive());
    drop(writer);
    assert_eq!(child.ended(SOON).unwrap().signal(), Some(libc::SIGKILL));
}

#[test]
fn a_worker_whose_lifeline_is_cut_already_does_not_start() {
    let (jdk, stage) = (Jdk::without_classes(), Stage::new(User::Own, []));
    let (reader, writer) = io::pipe().unwrap();
    drop(writer);
    let mut order = stage.child(&jdk, "wait", true);
    order.set("dies_with", "lifeline");
    let output = order.command.stdin(reader).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("has ended"), "{output:?}");
}

#[test]
fn a_worker_dies_with_the_thread_that_started_it() {
    let (jdk, stage) = (Jdk::without_classes(), Stage::new(User::Own, []));
    let start = |dies_with| {
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| waiting(&jdk, &stage, dies_with, Stdio::null()));
            thread.join().unwrap()
        })
    };
    assert_eq!(start("parent-thread").ended(SOON).unwrap().signal(), Some(libc::SIGKILL));
    assert!(start("nobody").ended(Duration::from_millis(200)).is_none());
}

#[test]
#[cfg(target_arch = "x86_64")]
fn a_call_of_the_32_bit_interface_ends_the_process() {
    let (jdk, stage) = (Jdk::without_classes(), Stage::new(User::Own, []));
    let run = |confine| stage.child(&jdk, "32-bit", confine).command.output().unwrap();
    assert!(String::from_utf8_lossy(&run(true).stdout).contains("@ confined"));
    let signal = run(true).status.signal();
    // Without the emulation of that interface in the kernel it is a fault like any other.
    assert!([Some(libc::SIGSYS), Some(libc::SIGSEGV)].contains(&signal), "{signal:?}");
}

fn waiting(jdk: &Jdk, stage: &Stage, dies_with: &str, stdin: Stdio) -> Guard {
    let mut order: ChildOrder = stage.child(jdk, "wait", true);
    order.set("dies_with", dies_with);
    Guard::start(order.command.stdin(stdin), "@ ready")
}
