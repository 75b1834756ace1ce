//! Reproduces the crash of a log and writes the test to standard output.

use std::error::Error;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

use crashback::{ProgramRequest, Request, SelfCommand, Session, jdk};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    // Processes that run tests are this program, started once more.
    if let Some(code) = crashback::serve(env::args_os().skip(1)) {
        return Ok(code);
    }
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [log, classes, java_home] = arguments.as_slice() else {
        return Err("arguments: LOG CLASSES JAVA_HOME".into());
    };
    let program = ProgramRequest::new(jdk::at(java_home)?, vec![classes.clone()]);
    let session = Session::new(SelfCommand::new(env::current_exe()?), env::temp_dir());
    let attempt = session.reproduce(&Request::new(fs::read(log)?, program), &mut |_event| {})?;
    let Some(test) = attempt.reproduction.test else { return Ok(ExitCode::FAILURE) };
    io::stdout().write_all(test.source.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
