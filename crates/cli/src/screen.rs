//! A terminal for tests.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// A terminal that keeps everything it was sent. Clones are the same terminal.
#[derive(Clone, Default)]
pub(crate) struct Screen(Arc<Mutex<Vec<u8>>>);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Screen {
    /// Everything that it was sent, without colours.
    pub(crate) fn text(&self) -> String {
        let bytes = self.0.lock().expect("no panic").clone();
        String::from_utf8(anstream::adapter::strip_bytes(&bytes).into_vec()).expect("text")
    }

    /// The line as it stands: what was written after carriage returns, over what stood there.
    pub(crate) fn line(&self) -> String {
        let mut line: Vec<char> = Vec::new();
        for part in self.text().split('\r') {
            let new: Vec<char> = part.chars().collect();
            line.splice(..new.len().min(line.len()), new);
        }
        line.into_iter().collect::<String>().trim_end().to_owned()
    }
}
