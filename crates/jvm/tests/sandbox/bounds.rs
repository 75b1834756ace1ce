//! What cannot be refused stays within bounds, by a limit of the kernel or because whoever counts
//! sees it.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::Duration;

use crashback_jvm::sandbox::usage;

use crate::support::{Guard, Jdk, Stage, User, methods, parse, wait_until};

const MEGABYTE: u64 = 1 << 20;

/// How a contained attempt ends.
enum End {
    /// It throws, with this in the message.
    Throws(&'static str),
    /// It goes on until what it uses is noticed.
    Noticed(fn(&Guard, &Stage) -> bool),
    /// It comes to its end, having done no harm.
    Harmless,
    /// The process dies of a signal.
    Dies,
}

/// Every method of the Java class, and how it must end for a user.
fn expected(name: &str, user: User) -> End {
    match name {
        "startThreadsWithoutEnd" if user.is_root() => {
            End::Noticed(|child, _| usage::of_process(child.id()).is_ok_and(|it| it.threads > 600))
        }
        "startThreadsWithoutEnd" => End::Throws("OutOfMemoryError"),
        "fillOneFile" => End::Throws("File too large"),
        "fillManyFiles" => {
            End::Noticed(|_, stage| usage::of_folder(&stage.scratch(), 1000).bytes > 20 * MEGABYTE)
        }
        "fillDeletedFile" => {
            End::Noticed(|child, _| usage::of_deleted_files(child.id()).is_ok_and(|it| it > 20 * MEGABYTE))
        }
        "fillHeap" => End::Throws("OutOfMemoryError"),
        "openFilesWithoutEnd" => End::Throws("Too many open files"),
        "loadLibrary" => End::Harmless,
        "crashNatively" => End::Dies,
        other => panic!("what is to become of {other}?"),
    }
}

#[test]
fn what_is_allowed_is_bounded() {
    for jdk in Jdk::all().iter() {
        for user in User::all() {
            for name in methods("Contained") {
                check(jdk, user, &name);
            }
        }
    }
}

fn check(jdk: &Jdk, user: User, name: &str) {
    let stage = Stage::new(user, []);
    let mut order = stage.child(jdk, "java", true);
    order.property("run", format!("Contained.{name}"));
    order.set("open_files", 512);
    order.set("file_bytes", 8 * MEGABYTE);
    order.set("further_threads", 500);
    let mut child = Guard(order.command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    let limit = Duration::from_secs(30);
    match expected(name, user) {
        End::Noticed(notice) => {
            let noticed = wait_until(limit, || notice(&child, &stage) || !child.is_alive());
            assert!(noticed && child.is_alive(), "{name} as {user:?} on {}", jdk.feature);
        }
        End::Throws(words) => check_outcome(&mut child, limit, name, words),
        End::Harmless => check_outcome(&mut child, limit, name, "done"),
        End::Dies => {
            let status = child.ended(limit).unwrap();
            assert!(status.signal().is_some(), "{name}: {status}");
            let cores = fs::read_dir(stage.scratch()).unwrap().flatten();
            let cores: Vec<_> =
                cores.filter(|it| it.file_name().to_string_lossy().starts_with("core")).collect();
            assert!(cores.is_empty(), "{cores:?}");
        }
    }
    drop(child);
    let used = usage::of_folder(&stage.scratch(), 10_000);
    assert!(used.complete && used.bytes < 500 * MEGABYTE, "{name}: {used:?}");
}

fn check_outcome(child: &mut Guard, limit: Duration, name: &str, words: &str) {
    assert!(child.ended(limit).is_some(), "{name} did not end");
    let report = parse(&child.output());
    assert!(report.get(name).is_some_and(|it| it.contains(words)), "{name}: {report:?}");
}
