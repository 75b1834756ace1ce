//! Reading a log from a file or standard input, and the mapping that undoes its obfuscation.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use crashback::{Error, ErrorKind, Mapping};

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

/// The mapping of a file, if one is named.
pub(crate) fn mapping(path: Option<&Path>) -> Result<Option<Mapping>, Error> {
    let Some(path) = path else { return Ok(None) };
    let name = path.display();
    let text = fs::read(path).map_err(|error| {
        let message = format!("cannot read the mapping {name}: {error}; check the path");
        Error::new(ErrorKind::Usage, message)
    })?;
    let mapping = Mapping::read(text).ok_or_else(|| {
        let message =
            format!("{name} is no mapping of ProGuard or R8; give the mapping.txt of the build that crashed");
        Error::new(ErrorKind::Usage, message)
    })?;
    Ok(Some(mapping))
}
