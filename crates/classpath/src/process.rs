//! Running a build tool to its end, with everything that it says.

use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// Time between two looks at the process.
const PAUSE: Duration = Duration::from_millis(10);

/// The end of a process.
pub(crate) struct Finished {
    pub(crate) is_success: bool,
    /// Its standard output.
    pub(crate) output: String,
    /// Its standard error.
    pub(crate) errors: String,
}

/// Runs a program to its end. Output goes through files in a folder, so that a process that outlives the
/// program, such as a daemon, cannot hold a pipe open. None if it was stopped.
pub(crate) fn run(
    command: &mut Command,
    folder: &Path,
    cancelled: &AtomicBool,
) -> io::Result<Option<Finished>> {
    let (output, errors) = (folder.join("output"), folder.join("errors"));
    command.stdin(Stdio::null()).stdout(File::create(&output)?).stderr(File::create(&errors)?);
    let Some(status) = run_unless(cancelled, command)? else { return Ok(None) };
    let said = |file: &Path| fs::read(file).map(|it| String::from_utf8_lossy(&it).into_owned());
    let (output, errors) = (said(&output).unwrap_or_default(), said(&errors).unwrap_or_default());
    Ok(Some(Finished { is_success: status.success(), output, errors }))
}

/// Runs a program to its end, in a process group of its own: build tools are scripts that start others.
/// None if it was stopped.
fn run_unless(cancelled: &AtomicBool, command: &mut Command) -> io::Result<Option<ExitStatus>> {
    let mut child = command.process_group(0).spawn()?;
    let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::NotFound)?;
    // It is left to be waited for, so that the group is still its own when that is killed.
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    while waitid(WaitId::Pid(id), options)?.is_none() {
        if cancelled.load(Ordering::SeqCst) {
            kill_process_group(id, Signal::KILL)?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(PAUSE);
    }
    child.wait().map(Some)
}
