//! Requests as they come, and replies as they go.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

use crashback_protocol::{Request, WireError, message_length};

/// The worker's end of the connection. What has arrived is read all at once, also of requests that
/// are not due yet.
pub(super) struct Requests {
    stream: UnixStream,
    /// What was read; from `start` to `end` it is not yet used.
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

/// At least so many bytes are asked for at a time.
const ROOM: usize = 256 << 10;

impl Requests {
    pub(super) fn new(stream: UnixStream) -> Self {
        Self { stream, bytes: vec![0; ROOM], start: 0, end: 0 }
    }

    /// Waits for the next request, which takes the place of the one before.
    pub(super) fn next(&mut self, request: &mut Request) -> Result<(), WireError> {
        loop {
            let arrived = self.bytes.get(self.start..self.end).unwrap_or_default();
            let length = message_length(arrived)?;
            if let Some(message) = length.and_then(|length| arrived.get(..length)) {
                self.start += message.len();
                return request.read(message);
            }
            self.fill(length.unwrap_or(0))?;
        }
    }

    /// Sends an encoded reply.
    pub(super) fn answer(&mut self, message: &[u8]) -> io::Result<()> {
        self.stream.write_all(message)
    }

    /// Reads what is there, or waits for it. Room grows with what has arrived, never by what was
    /// announced alone.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        self.bytes.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        let room = wanted.clamp(self.end + ROOM, 2 * self.end + ROOM);
        if self.bytes.len() < room {
            self.bytes.resize(room, 0);
        }
        match self.stream.read(self.bytes.get_mut(self.end..).unwrap_or_default()) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                self.end += count;
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            Err(error) => Err(error),
        }
    }
}
