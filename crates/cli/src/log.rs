//! Reading a log from a file or standard input.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use crashback::{Error, ErrorKind};

/// The bytes of a log; `-` stands for standard input.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let read = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    read.map_err(|error| {
        let message = format!("cannot read the log {}: {error}; check the path", path.display());
        Error::new(ErrorKind::Usage, message)
    })
}
