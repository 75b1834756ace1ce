//! Reproduces the crash of a Java program: from its stack trace and class path to a JUnit test that
//! crashes in the same way, verified in plain JVMs.
//!
//! The crate wires the libraries below it to this machine: class path, audit, worker processes,
//! JUnit, Mockito, compiler. It reads no environment and prints nothing; the caller passes
//! everything in and is told of events. The program that uses it is also the program that is
//! started for the processes which run tests, so its `main` begins with [`serve`]:
//!
//! ```no_run
//! use std::{env, error::Error, fs, process::ExitCode};
//!
//! use crashback::{ProgramRequest, Request, SelfCommand, Session, jdk};
//!
//! fn main() -> Result<ExitCode, Box<dyn Error>> {
//!     if let Some(code) = crashback::serve(env::args_os().skip(1)) {
//!         return Ok(code);
//!     }
//!     let program = ProgramRequest::new(jdk::at("/usr/lib/jvm/java-17".as_ref())?, vec!["classes".into()]);
//!     let request = Request::new(fs::read("crash.log")?, program);
//!     let session = Session::new(SelfCommand::new(env::current_exe()?), env::temp_dir());
//!     let attempt = session.reproduce(&request, &mut |_event| {})?;
//!     println!("{}", attempt.searched.reproduction.test.map_or("not reproduced".to_owned(), |it| it.source));
//!     Ok(ExitCode::SUCCESS)
//! }
//! ```
//!
//! Callers that need the steps one by one, to look at the crash before the search or to search
//! several times, use [`Crashes::read`], [`Program::load`], [`Target::choose`] and
//! [`Search::search`].

mod child;
mod crashes;
mod error;
mod fetching;
mod host;
mod interruption;
mod limits;
mod program;
mod session;
mod target;
mod workers;

pub use child::{SelfCommand, serve};
pub use crashback_classpath::{CacheSettings, Jdk, jdk, maven};
pub use crashback_emit::junit::Generation;
pub use crashback_reproduce::{AlgorithmKind, Event, Fitness, Reproduction, Settings, Tuning, WrittenTest};
pub use crashes::{Crashes, DistinctCrash, cause_number, choose_cause, disagreement};
pub use error::{Error, ErrorKind};
pub use host::{LocalHost, check_compiler};
pub use interruption::{Interruption, WatchedPool};
pub use limits::Limits;
pub use program::{Program, ProgramRequest, coordinates};
pub use session::{Attempt, Request, Search, Searched, Session, Sink, Task, attempt};
pub use target::{Choice, Target};
