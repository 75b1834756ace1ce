//! The machine: kernel, memory, folders, Maven.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::thread;

use crashback_jvm::sandbox;

use super::Check;

/// What the kernel can enforce.
pub(super) fn kernel(without_sandbox: bool) -> Check {
    let support = sandbox::support();
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let found = format!("Linux {}: {support}", release.trim());
    match (support.missing().as_slice(), without_sandbox) {
        ([], _) => Check::ok("kernel", found),
        (missing, true) => Check::warning("kernel", found, missing.join("; ")),
        (missing, false) => Check::problem(
            "kernel",
            found,
            format!("{}; or pass --unsafe-no-sandbox, for programs you trust", missing.join("; ")),
        ),
    }
}

/// A worker of usual size needs so much, in MiB.
const NEEDED_MEMORY: u64 = 1024;

/// Memory and processors.
pub(super) fn resources() -> Check {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let facts = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let mebibytes = |name: &str| {
        let line = facts.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? / 1024)
    };
    let (total, available) = (mebibytes("MemTotal"), mebibytes("MemAvailable"));
    let number = |it: Option<u64>| it.map_or_else(|| "?".to_owned(), |it| it.to_string());
    let found = format!("{processors} processors; memory {} MiB, {} free", number(total), number(available));
    if available.is_some_and(|it| it < NEEDED_MEMORY) {
        let advice = format!("a worker may need {NEEDED_MEMORY} MiB: end other programs");
        return Check::warning("resources", found, advice);
    }
    Check::ok("resources", found)
}

/// The folder below which workers get theirs.
pub(super) fn scratch(folder: &Path) -> Check {
    match tempfile::Builder::new().prefix("crashback-doctor").tempfile_in(folder) {
        Ok(_) => Check::ok("scratch", format!("{} can be written to", folder.display())),
        Err(error) => Check::problem(
            "scratch",
            format!("{} cannot be written to: {error}", folder.display()),
            "set TMPDIR to a folder with some space that you may write to",
        ),
    }
}

/// Maven is needed for published artifacts alone.
pub(super) fn maven(path: Option<&OsStr>) -> Check {
    let mut folders = path.map(std::env::split_paths).into_iter().flatten();
    match folders.find_map(|folder| Some(folder.join("mvn")).filter(|it| it.is_file())) {
        Some(maven) => Check::ok("maven", maven.display().to_string()),
        None => Check::warning(
            "maven",
            "no `mvn` on the PATH",
            "install Maven if you want to name published artifacts with --maven",
        ),
    }
}
