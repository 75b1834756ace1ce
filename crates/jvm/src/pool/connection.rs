//! Messages to and from a worker, both ways at the same time.
//!
//! Requests are sent ahead of replies, so both sides may be writing at once. The pool never waits
//! for room without also reading: two sides that only write would wait for each other for ever.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

use crashback_protocol::{RequestRef, WireError, message_length};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The pool's end of the socket pair.
#[derive(Debug)]
pub(super) struct Connection {
    stream: UnixStream,
    /// What is to be written, from `written` on.
    outgoing: Vec<u8>,
    written: usize,
    /// What was read, up to `filled`; behind it is room.
    incoming: Vec<u8>,
    filled: usize,
}

/// At least so many bytes are asked for at a time.
const ROOM: usize = 64 << 10;

impl Connection {
    pub(super) fn new(stream: UnixStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(Self { stream, outgoing: Vec::new(), written: 0, incoming: Vec::new(), filled: 0 })
    }

    /// Whether the other side is there and says nothing.
    pub(super) fn is_quiet(&self) -> bool {
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        self.filled == 0 && poll(&mut [PollFd::new(&self.stream, PollFlags::IN)], Some(&now)) == Ok(0)
    }

    /// Queues a message and sends as much as fits. That the other side is gone shows when its
    /// answer is read.
    pub(super) fn send(&mut self, request: RequestRef<'_>) -> Result<(), WireError> {
        request.append(&mut self.outgoing)?;
        self.flush();
        Ok(())
    }

    /// Waits for a whole message while sending what is queued, and says how many bytes it takes. It
    /// stays the first one until it is [forgotten](Self::forget).
    pub(super) fn receive(&mut self) -> Result<usize, WireError> {
        loop {
            let wanted = message_length(self.incoming.get(..self.filled).unwrap_or_default())?;
            if let Some(length) = wanted
                && length <= self.filled
            {
                return Ok(length);
            }
            self.wait()?;
            self.flush();
            self.fill(wanted.unwrap_or(0))?;
        }
    }

    /// The bytes of the first message, which takes so many.
    pub(super) fn first(&self, length: usize) -> &[u8] {
        self.incoming.get(..length.min(self.filled)).unwrap_or_default()
    }

    /// Drops the first message, which takes so many bytes.
    pub(super) fn forget(&mut self, length: usize) {
        let length = length.min(self.filled);
        self.incoming.copy_within(length..self.filled, 0);
        self.filled -= length;
    }

    fn wait(&self) -> io::Result<()> {
        let wanted = if self.outgoing.is_empty() { PollFlags::IN } else { PollFlags::IN | PollFlags::OUT };
        match poll(&mut [PollFd::new(&self.stream, wanted)], None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn flush(&mut self) {
        while let Some(rest @ [_, ..]) = self.outgoing.get(self.written..) {
            match self.stream.write(rest) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // The other side is gone. What it said last can still be read, and then the end.
                Err(_) => break,
            }
        }
        self.outgoing.clear();
        self.written = 0;
    }

    /// Reads what is there. Room grows with what has arrived, never by what was announced alone.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let room = wanted.clamp(self.filled + ROOM, 2 * self.filled + ROOM);
        if self.incoming.len() < room {
            self.incoming.resize(room, 0);
        }
        match self.stream.read(self.incoming.get_mut(self.filled..).unwrap_or_default()) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                self.filled += count;
                Ok(())
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use crashback_protocol::{Isolation, Pins, Request, Step, read_bytes, write_message};
    use crashback_testcase::{Addition, Literal, Statement, TestCase};

    use super::*;

    /// The bytes of the next message, without the prefix.
    fn next(connection: &mut Connection) -> Vec<u8> {
        let length = connection.receive().unwrap();
        let message = connection.first(length)[4..].to_vec();
        connection.forget(length);
        message
    }

    /// Sends tests of one text.
    fn send(connection: &mut Connection, texts: &[&str]) {
        let test = |text: &&str| TestCase::new(vec![Statement::Literal(Literal::Text((*text).into()))]);
        let tests: Vec<_> = texts.iter().map(test).collect();
        let (vocabulary, isolation, pins) = (&Addition::default(), Isolation::Reset, Pins::Usual);
        connection.send(RequestRef { vocabulary, isolation, pins, listens: false, tests: &tests }).unwrap();
    }

    fn texts(request: &Request) -> Vec<String> {
        let tests = &request.tests;
        let steps = (0..tests.len()).flat_map(|test| tests.get(test).unwrap());
        steps
            .map(|step| match step {
                Step::Text(text) => String::from_utf16(tests.text(text)).unwrap(),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn both_sides_may_write_more_than_fits_at_once() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let long: String = (0..3_000_000_u32).map(|number| char::from(number as u8)).collect();
        let echo = {
            let long = long.clone();
            thread::spawn(move || {
                let mut request = Request::default();
                for _ in 0..3 {
                    write_message(&mut theirs, &long).unwrap();
                    request.read(&read_bytes(&mut theirs).unwrap()).unwrap();
                    assert_eq!(texts(&request), [long.as_str(), "\u{1F4A5}", ""]);
                }
            })
        };
        let mut connection = Connection::new(ours).unwrap();
        for _ in 0..3 {
            send(&mut connection, &[&long, "\u{1F4A5}", ""]);
        }
        for _ in 0..3 {
            assert_eq!(postcard::from_bytes::<String>(&next(&mut connection)).unwrap(), long);
        }
        // The other side still reads the last message.
        assert!(matches!(connection.receive(), Err(WireError::Io(_))));
        echo.join().unwrap();
    }

    #[test]
    fn what_was_said_before_the_end_is_heard() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let mut connection = Connection::new(ours).unwrap();
        send(&mut connection, &["never read"]);
        write_message(&mut theirs, &1_u32).unwrap();
        write_message(&mut theirs, &2_u32).unwrap();
        drop(theirs);
        send(&mut connection, &["too late"]);
        for expected in [1_u32, 2] {
            assert_eq!(postcard::from_bytes::<u32>(&next(&mut connection)).unwrap(), expected);
        }
        assert!(matches!(connection.receive(), Err(WireError::Io(_))));
    }

    #[test]
    fn nonsense_costs_no_memory() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let mut connection = Connection::new(ours).unwrap();
        theirs.write_all(&[0xff; 16]).unwrap();
        assert!(matches!(connection.receive(), Err(WireError::TooLong(_))));
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let mut connection = Connection::new(ours).unwrap();
        theirs.write_all(&(1_u32 << 30).to_le_bytes()).unwrap();
        drop(theirs);
        assert!(matches!(connection.receive(), Err(WireError::Io(_))));
        assert!(connection.incoming.len() < 1 << 20);
    }
}
