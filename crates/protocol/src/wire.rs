use std::io::{self, Read, Write};

use crashback_testcase::{Addition, TestCase};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Isolation, Observation};

/// First words of both sides.
pub const MAGIC: [u8; 8] = *b"crashbk\n";

/// Version of the messages and of all types in them.
pub const VERSION: u32 = 1;

/// No message is longer: a length beyond it means that the pipe carries something else.
const LONGEST: usize = 1 << 30;

/// How each side introduces itself, in a form that no later version changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`MAGIC`].
    pub magic: [u8; 8],
    /// The version that the side speaks.
    pub version: u32,
}

impl Hello {
    /// What this build says.
    pub const OURS: Hello = Hello { magic: MAGIC, version: VERSION };
}

/// Test cases for a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Members that the tests name and the worker does not know yet.
    pub vocabulary: Addition,
    /// How far the tests are kept apart. A worker cannot give a test another JVM; whoever asks it starts another worker.
    pub isolation: Isolation,
    /// The tests.
    pub tests: Vec<TestCase>,
}

/// What became of the tests of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// One for each test that was run, in order. There are fewer than tests when the worker has to end: the last one has then left
    /// something behind that only a new process gets rid of.
    pub observations: Vec<Observation>,
    /// Whether the worker ends after this reply.
    pub last: bool,
}

/// What can go wrong between two processes.
#[derive(Debug, Error)]
pub enum WireError {
    /// The other side is gone, or the pipe is.
    #[error("the connection broke: {0}")]
    Io(#[from] io::Error),
    /// A message that makes no sense.
    #[error("a message could not be read: {0}")]
    Malformed(#[from] postcard::Error),
    /// A message too long to be one.
    #[error("a message of {0} bytes was announced, which cannot be")]
    TooLong(usize),
}

/// Writes a message: its length as four bytes, little end first, then its postcard encoding.
pub fn write_message<T: Serialize>(to: &mut impl Write, message: &T) -> Result<(), WireError> {
    let mut bytes = postcard::to_extend(message, vec![0; 4])?;
    let length = bytes.len() - 4;
    let prefix = u32::try_from(length).ok().filter(|_| length <= LONGEST).ok_or(WireError::TooLong(length))?;
    bytes.iter_mut().zip(prefix.to_le_bytes()).for_each(|(place, byte)| *place = byte);
    to.write_all(&bytes)?;
    Ok(to.flush()?)
}

/// Reads a message as [`write_message`] writes it. Bytes are taken as they come, so that an announced length costs no memory.
pub fn read_message<T: DeserializeOwned>(from: &mut impl Read) -> Result<T, WireError> {
    let mut prefix = [0; 4];
    from.read_exact(&mut prefix)?;
    let length = u32::from_le_bytes(prefix) as usize;
    if length > LONGEST {
        return Err(WireError::TooLong(length));
    }
    let mut bytes = Vec::with_capacity(length.min(1 << 20));
    from.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    Ok(postcard::from_bytes(&bytes)?)
}
