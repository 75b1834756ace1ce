//! Messages are lines; a line that is longer than any honest message is passed over.

use std::io::{self, BufRead};

/// Reads lines of bounded length.
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    limit: usize,
}

/// A line of the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its end.
    Whole(Vec<u8>),
    /// A line that was longer than the limit. Nothing of it was kept.
    TooLong,
}

impl<R: BufRead> Lines<R> {
    /// Lines of at most `limit` bytes.
    pub fn new(reader: R, limit: usize) -> Self {
        Self { reader, limit }
    }

    /// The next line; none at the end. Bytes behind the last line end count as a line, too.
    ///
    /// # Errors
    ///
    /// If the reader fails.
    pub fn read(&mut self) -> io::Result<Option<Line>> {
        let mut line = Vec::new();
        let mut is_too_long = false;
        loop {
            let bytes = match self.reader.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if bytes.is_empty() {
                return Ok(match (is_too_long, line.is_empty()) {
                    (true, _) => Some(Line::TooLong),
                    (false, true) => None,
                    (false, false) => Some(Line::Whole(line)),
                });
            }
            let end = bytes.iter().position(|it| *it == b'\n');
            let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
            is_too_long |= line.len() + part.len() > self.limit;
            if is_too_long {
                line = Vec::new();
            } else {
                line.extend_from_slice(part);
            }
            let taken = part.len() + usize::from(end.is_some());
            self.reader.consume(taken);
            if end.is_some() {
                return Ok(Some(if is_too_long { Line::TooLong } else { Line::Whole(line) }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(text: &str, limit: usize) -> Vec<Line> {
        // A small buffer, so that lines come in pieces.
        let mut lines = Lines::new(BufReader::with_capacity(3, text.as_bytes()), limit);
        std::iter::from_fn(|| lines.read().unwrap()).collect()
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_are_read_one_by_one() {
        assert_eq!(lines("one\n\ntwo\nthree", 10), [whole("one"), whole(""), whole("two"), whole("three")]);
        assert_eq!(lines("", 10), []);
    }

    #[test]
    fn long_lines_are_passed_over_and_those_after_them_are_read() {
        assert_eq!(lines("0123456789\nok\n", 5), [Line::TooLong, whole("ok")]);
        assert_eq!(lines("01234\n012345", 5), [whole("01234"), Line::TooLong]);
    }
}
