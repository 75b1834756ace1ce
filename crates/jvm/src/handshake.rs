//! How pool and worker begin to talk.
//!
//! The pool starts a worker with one end of a socket pair as standard input and the memory of the
//! [heartbeat](crate::heartbeat) as standard output. The worker moves both away at once
//! ([`Inherited::take`]). Then both say [`Hello`], the pool sends [`WorkerSettings`] and the worker
//! answers [`Started`]; from there on a [`Request`](crashback_protocol::Request) of the pool is
//! followed by a [`Reply`](crashback_protocol::Reply) of the worker. The pool may send a request
//! before the previous one is answered. A worker whose connection ends has lost its pool and ends,
//! too.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

use crashback_protocol::{Hello, MAGIC, VERSION, WireError, read_message, write_message};
use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::WorkerSettings;
use crate::heartbeat::Heartbeat;

/// What a worker process gets from its pool.
#[derive(Debug)]
pub struct Inherited {
    /// The connection to the pool.
    pub stream: UnixStream,
    /// Where the pool looks what is running.
    pub heartbeat: Heartbeat,
}

impl Inherited {
    /// Takes both from where the pool put them. Afterwards standard input is empty and standard
    /// output leads nowhere, so that nothing that a test prints or reads has to do with the
    /// conversation. Must be the first thing that a worker does.
    pub fn take() -> io::Result<Self> {
        let stream = fcntl_dupfd_cloexec(stdio::stdin(), FIRST_OTHER)?;
        let memory = fcntl_dupfd_cloexec(stdio::stdout(), FIRST_OTHER)?;
        let nothing = File::options().read(true).write(true).open("/dev/null")?;
        stdio::dup2_stdin(&nothing)?;
        stdio::dup2_stdout(&nothing)?;
        Ok(Self { stream: UnixStream::from(stream), heartbeat: Heartbeat::from_pool(memory)? })
    }
}

/// The first descriptor that is not a standard one.
const FIRST_OTHER: i32 = 3;

/// The worker's answer to its settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Started {
    /// It waits for requests.
    Ready(Report),
    /// It cannot: why, and what to do.
    Failed(String),
}

/// What a worker tells about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Version of the JVM, as it names itself.
    pub jvm: String,
    /// The sandbox in force, in words.
    pub sandbox: String,
    /// Milliseconds from the start of the process.
    pub milliseconds: u32,
}

/// The worker's half: greets, and gives what the pool wants. [`answer`] must follow.
pub fn accept(stream: &mut (impl Read + Write)) -> Result<WorkerSettings, HandshakeError> {
    greet(stream)?;
    Ok(read_message(stream)?)
}

/// The worker's last word before the first request.
pub fn answer(stream: &mut impl Write, started: &Started) -> Result<(), HandshakeError> {
    Ok(write_message(stream, started)?)
}

/// The pool's half.
pub(crate) fn start(
    stream: &mut (impl Read + Write),
    settings: &WorkerSettings,
) -> Result<Report, HandshakeError> {
    greet(stream)?;
    write_message(stream, settings)?;
    match read_message(stream)? {
        Started::Ready(report) => Ok(report),
        Started::Failed(reason) => Err(HandshakeError::Failed(reason)),
    }
}

/// Both sides speak first and listen then; a greeting fits into any buffer.
fn greet(stream: &mut (impl Read + Write)) -> Result<(), HandshakeError> {
    write_message(stream, &Hello::OURS)?;
    let theirs: Hello = read_message(stream)?;
    if theirs.magic != MAGIC {
        return Err(HandshakeError::Stranger);
    }
    if theirs.version != VERSION {
        return Err(HandshakeError::Version { theirs: theirs.version });
    }
    Ok(())
}

/// Why pool and worker did not come together.
#[derive(Debug, Error)]
pub enum HandshakeError {
    /// Nothing sensible arrived.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// Another program.
    #[error("the other side is no part of crashback")]
    Stranger,
    /// Another build.
    #[error(
        "the other side speaks version {theirs}, this one version {VERSION}: the program was replaced \
         while it ran; start it again"
    )]
    Version {
        /// What the other side speaks.
        theirs: u32,
    },
    /// The worker said so.
    #[error("{0}")]
    Failed(String),
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Reads what was prepared and keeps what is written.
    struct Scripted {
        incoming: Cursor<Vec<u8>>,
    }

    impl Read for Scripted {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.incoming.read(buffer)
        }
    }

    impl Write for Scripted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn check(hello: Hello, expect: &str) {
        let mut incoming = Vec::new();
        write_message(&mut incoming, &hello).unwrap();
        let refused = accept(&mut Scripted { incoming: Cursor::new(incoming) }).unwrap_err();
        assert!(refused.to_string().contains(expect), "{refused}");
    }

    #[test]
    fn strangers_and_other_builds_are_told_apart() {
        check(Hello { magic: *b"GET / HT", version: VERSION }, "no part of crashback");
        let later = format!("version {}, this one version {VERSION}", VERSION + 1);
        check(Hello { magic: MAGIC, version: VERSION + 1 }, &later);
        check(Hello::OURS, "the connection broke");
    }
}
