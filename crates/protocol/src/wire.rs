use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// First words of both sides.
pub const MAGIC: [u8; 8] = *b"crashbk\n";

/// Version of the messages and of all types in them.
pub const VERSION: u32 = 18;

/// No message is longer: a length beyond it means that the pipe carries something else.
const LONGEST: usize = 1 << 30;

/// Bytes that announce the length of a message.
pub(crate) const PREFIX: usize = 4;

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

fn append_message<T: Serialize>(to: &mut Vec<u8>, message: &T) -> Result<(), WireError> {
    let start = to.len();
    to.extend([0; PREFIX]);
    postcard::to_io(message, &mut *to)?;
    announce(to, start)
}

/// Writes the length of the message that begins at `start` and is the last one into its first
/// bytes.
pub(crate) fn announce(to: &mut [u8], start: usize) -> Result<(), WireError> {
    let length = to.len() - start - PREFIX;
    let prefix =
        u32::try_from(length).ok().filter(|_| length <= LONGEST).ok_or(WireError::TooLong(length))?;
    to.iter_mut().skip(start).zip(prefix.to_le_bytes()).for_each(|(place, byte)| *place = byte);
    Ok(())
}

/// Reads a message as [`write_message`] writes it. Bytes are taken as they come, so that an
/// announced length costs no memory.
pub fn read_message<T: DeserializeOwned>(from: &mut impl Read) -> Result<T, WireError> {
    let message = read_bytes(from)?;
    Ok(postcard::from_bytes(message.get(PREFIX..).unwrap_or_default())?)
}

/// Reads the bytes of a message, its length among them.
pub fn read_bytes(from: &mut impl Read) -> Result<Vec<u8>, WireError> {
    let mut prefix = [0; PREFIX];
    from.read_exact(&mut prefix)?;
    let length = PREFIX + announced(prefix)?;
    let mut bytes = Vec::with_capacity(length.min(1 << 20));
    bytes.extend(prefix);
    from.take((length - PREFIX) as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    Ok(bytes)
}

/// How many bytes the message takes that begins here, its length among them; none while even that
/// is not known.
pub fn message_length(bytes: &[u8]) -> Result<Option<usize>, WireError> {
    match bytes.first_chunk::<PREFIX>() {
        Some(prefix) => Ok(Some(PREFIX + announced(*prefix)?)),
        None => Ok(None),
    }
}

fn announced(prefix: [u8; PREFIX]) -> Result<usize, WireError> {
    let length = u32::from_le_bytes(prefix) as usize;
    if length > LONGEST { Err(WireError::TooLong(length)) } else { Ok(length) }
}
