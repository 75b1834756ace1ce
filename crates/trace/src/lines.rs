//! A log as lines. Lines that may carry a wrapper of a container runtime or log collector are handed to
//! [`Unwrapper`], all others go straight to the assembler.
//!
//! Every byte of the log is looked at a bounded number of times.

use memchr::{memchr_iter, memmem};

use crate::assemble::Assembler;
use crate::bytes;
use crate::wrappers::{ESCAPED_FRAMES, Unwrapper, has_wrapper_start};

/// One line of a trace or log. Lines that were unwrapped out of one line of the log share its
/// number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    pub(crate) text: &'a [u8],
    /// Whether the line holds one of the words that names of exceptions end with.
    pub(crate) may_name_exception: bool,
    /// The time that a wrapper gives, as it is written.
    pub(crate) time: Option<&'a [u8]>,
}

impl<'a> Line<'a> {
    /// A line of which nothing is known yet.
    pub(crate) fn new(number: usize, text: &'a [u8], time: Option<&'a [u8]>) -> Self {
        let may_name_exception = EXCEPTION_WORDS.iter().any(|word| memmem::find(text, word).is_some());
        Self { number, text, may_name_exception, time }
    }
}

/// The words that names of exceptions end with.
const EXCEPTION_WORDS: [&[u8]; 3] = [b"Exception", b"Error", b"Throwable"];
/// How the end of a frame and the beginning of the next look where a trace was folded into one line,
/// and other marks of line ends inside a line: the Unicode line separator, and octal escapes of syslog.
const FOLDS: [&[u8]; 11] = [
    b") at ",
    b")\tat ",
    b")at ",
    b")  ",
    b") \t",
    b"] at ",
    b"]\tat ",
    b"]  ",
    b"] \t",
    b"\xe2\x80\xa8",
    b"#01",
];

/// Hands every line to the assembler, in order.
pub(crate) fn read(log: &[u8], assembler: &mut Assembler) {
    let mut words = EXCEPTION_WORDS.map(|word| Cursor::new(log, word));
    let mut escaped = ESCAPED_FRAMES.map(|word| Cursor::new(log, word));
    let mut folds = FOLDS.map(|word| Cursor::new(log, word));
    let mut colours = Cursor::new(log, b"\x1b[");
    let mut unwrapper = Unwrapper::new(assembler);
    let mut start = 0;
    let ends = memchr_iter(b'\n', log).chain(std::iter::once(log.len()));
    for (index, end) in ends.enumerate() {
        let text = bytes::from(bytes::upto(log, end), start);
        let may_name_exception = any_within(&mut words, start, end);
        let has_marks = any_within(&mut escaped, start, end)
            | any_within(&mut folds, start, end)
            | colours.within(start, end);
        start = end + 1;
        if has_marks || has_wrapper_start(text) {
            unwrapper.line(index + 1, text);
        } else {
            unwrapper.plain(Line { number: index + 1, text, may_name_exception, time: None });
        }
    }
    unwrapper.finish();
}

/// The next occurrence of a word; searching goes on over the whole log, not line by line, as that
/// is much faster.
struct Cursor<'a> {
    log: &'a [u8],
    finder: memmem::Finder<'static>,
    next: usize,
}

impl<'a> Cursor<'a> {
    fn new(log: &'a [u8], word: &'static [u8]) -> Self {
        let finder = memmem::Finder::new(word);
        let next = finder.find(log).unwrap_or(usize::MAX);
        Self { log, finder, next }
    }

    /// Whether the word begins within a range. Ranges must be asked in ascending order.
    fn within(&mut self, start: usize, end: usize) -> bool {
        if self.next < start {
            self.next = self.finder.find(bytes::from(self.log, start)).map_or(usize::MAX, |at| start + at);
        }
        self.next < end
    }
}

fn any_within(cursors: &mut [Cursor<'_>], start: usize, end: usize) -> bool {
    cursors.iter_mut().fold(false, |found, cursor| cursor.within(start, end) | found)
}
