use std::io::{self, Read, Write};

use crashback_testcase::{Addition, TestCase};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Isolation, Observation};

/// First words of both sides.
pub const MAGIC: [u8; 8] = *b"crashbk\n";

/// Version of the messages and of all types in them.
pub const VERSION: u32 = 2;

/// No message is longer: a length beyond it means that the pipe carries something else.
const LONGEST: usize = 1 << 30;

/// Bytes that announce the length of a message.
const PREFIX: usize = 4;

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
    /// How many of the chain's outermost frames are left out: the chain of this request begins behind them.
    pub outermost: u16,
    /// The tests.
    pub tests: Vec<TestCase>,
}

/// A [`Request`] whose parts belong to somebody else: it is encoded in the same way.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RequestRef<'a> {
    /// As in [`Request`].
    pub vocabulary: &'a Addition,
    /// As in [`Request`].
    pub isolation: Isolation,
    /// As in [`Request`].
    pub outermost: u16,
    /// As in [`Request`].
    pub tests: &'a [TestCase],
}

/// What became of the tests of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// One for each test that was run, in order. There are fewer than tests when the worker has to end: the last one has then left
    /// something behind that only a new process gets rid of.
    pub observations: Vec<Observation>,
    /// Whether the worker ends after this reply.
    pub last: bool,
    /// What the worker has left without probes since its last reply.
    pub untouched: Vec<Untouched>,
}

/// A class or method that runs without the probes that the plan asks for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Untouched {
    /// Internal name of the class.
    pub class: String,
    /// Name and descriptor of the method in one; none when it is the whole class.
    pub method: Option<String>,
    /// Why.
    pub reason: String,
}

impl Reply {
    /// Whether this can be the answer to a request of so many tests: the number of observations is right, and every number in them
    /// names something that is there.
    pub fn answers(&self, tests: usize) -> bool {
        let complete = self.observations.len() == tests || self.last && self.observations.len() < tests;
        let mut frames = 0;
        complete
            && self.observations.iter().all(|observation| {
                frames += observation.facts.new_frames.len();
                observation.facts.names_what_exists(frames)
            })
    }
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
    let mut bytes = Vec::new();
    append_message(&mut bytes, message)?;
    to.write_all(&bytes)?;
    Ok(to.flush()?)
}

/// Appends a message to others, as [`write_message`] writes it. After an error the bytes are as before.
pub fn append_message<T: Serialize>(to: &mut Vec<u8>, message: &T) -> Result<(), WireError> {
    let start = to.len();
    let appended = append_encoding(to, message);
    if appended.is_err() {
        to.truncate(start);
    }
    appended
}

fn append_encoding<T: Serialize>(to: &mut Vec<u8>, message: &T) -> Result<(), WireError> {
    let start = to.len();
    to.extend([0; PREFIX]);
    postcard::to_io(message, &mut *to)?;
    let length = to.len() - start - PREFIX;
    let prefix =
        u32::try_from(length).ok().filter(|_| length <= LONGEST).ok_or(WireError::TooLong(length))?;
    to.iter_mut().skip(start).zip(prefix.to_le_bytes()).for_each(|(place, byte)| *place = byte);
    Ok(())
}

/// Reads a message as [`write_message`] writes it. Bytes are taken as they come, so that an announced length costs no memory.
pub fn read_message<T: DeserializeOwned>(from: &mut impl Read) -> Result<T, WireError> {
    let mut prefix = [0; PREFIX];
    from.read_exact(&mut prefix)?;
    let length = announced(prefix)?;
    let mut bytes = Vec::with_capacity(length.min(1 << 20));
    from.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    Ok(postcard::from_bytes(&bytes)?)
}

/// How many bytes the message takes that begins here, its length among them; none while even that is not known.
pub fn message_length(bytes: &[u8]) -> Result<Option<usize>, WireError> {
    match bytes.first_chunk::<PREFIX>() {
        Some(prefix) => Ok(Some(PREFIX + announced(*prefix)?)),
        None => Ok(None),
    }
}

/// Reads a message from all of its bytes.
pub fn decode_message<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    let body = bytes.get(PREFIX..).ok_or(postcard::Error::DeserializeUnexpectedEnd)?;
    Ok(postcard::from_bytes(body)?)
}

fn announced(prefix: [u8; PREFIX]) -> Result<usize, WireError> {
    let length = u32::from_le_bytes(prefix) as usize;
    if length > LONGEST { Err(WireError::TooLong(length)) } else { Ok(length) }
}
