//! Headers of programs and libraries (`elf(5)`): the loader that the kernel starts a program with, because
//! it executes both and both need the right to be executed, and the processor that a file is for.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The interpreter that a program names; none for one that is linked statically, or no 64-bit
/// program of a little-endian processor.
pub(super) fn interpreter(program: &Path) -> io::Result<Option<PathBuf>> {
    let file = File::open(program)?;
    let Some(header) = read::<HEADER>(&file, 0) else { return Ok(None) };
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return Ok(None);
    }
    let (Some(table), Some(size), Some(count)) =
        (number::<8>(&header, 32), number::<2>(&header, 54), number::<2>(&header, 56))
    else {
        return Ok(None);
    };
    let entries = (0..count).filter_map(|index| read::<ENTRY>(&file, table.checked_add(index * size)?));
    Ok(entries.filter(|entry| number::<4>(entry, 0) == Some(PT_INTERP)).find_map(|it| name(&file, &it)))
}

/// The processor that a program or library is for, by the name that Rust has for it. None for one that is
/// not in the list, and for a file that is neither.
pub(crate) fn processor(path: &Path) -> Option<&'static str> {
    let header = read::<HEADER>(&File::open(path).ok()?, 0)?;
    let machine = number::<2>(&header, 18).filter(|_| header.starts_with(b"\x7fELF"))?;
    PROCESSORS.iter().find(|(number, _)| *number == machine).map(|(_, name)| *name)
}

/// Numbers of processors for which there are JDKs.
const PROCESSORS: [(u64, &str); 7] = [
    (3, "x86"),
    (21, "powerpc64"),
    (22, "s390x"),
    (40, "arm"),
    (62, "x86_64"),
    (183, "aarch64"),
    (243, "riscv64"),
];

const HEADER: usize = 64;
const ENTRY: usize = 56;
const PT_INTERP: u64 = 3;
/// The kernel takes no longer path.
const LONGEST_PATH: u64 = 4096;

/// The path ends with a zero.
fn name(file: &File, entry: &[u8]) -> Option<PathBuf> {
    let (offset, length) = (number::<8>(entry, 8)?, number::<8>(entry, 32)?);
    let length = usize::try_from(length.min(LONGEST_PATH)).ok()?;
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, offset).ok()?;
    bytes.truncate(bytes.iter().position(|byte| *byte == 0)?);
    Some(PathBuf::from(OsString::from_vec(bytes)))
}

fn read<const LENGTH: usize>(file: &File, offset: u64) -> Option<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    file.read_exact_at(&mut bytes, offset).ok()?;
    Some(bytes)
}

/// An unsigned number of so many bytes, the lowest first.
fn number<const LENGTH: usize>(bytes: &[u8], offset: usize) -> Option<u64> {
    let bytes = bytes.get(offset..)?.first_chunk::<LENGTH>()?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_loader_of_a_program_is_a_program() {
        let own = std::env::current_exe().unwrap();
        let loader = interpreter(&own).unwrap().unwrap();
        assert!(loader.is_absolute() && loader.is_file(), "{}", loader.display());
        // It is loaded by nobody.
        assert_eq!(interpreter(&loader).unwrap(), None);
    }

    #[test]
    fn programs_tell_their_processor() {
        let own = std::env::current_exe().unwrap();
        assert_eq!(processor(&own), Some(std::env::consts::ARCH));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let mut header = fs::read(own).unwrap();
        header.truncate(HEADER);
        header[18] = 22;
        fs::write(&file, &header).unwrap();
        assert_eq!(processor(&file), Some("s390x"));
        fs::write(&file, &header[1..]).unwrap();
        assert_eq!(processor(&file), None);
        assert_eq!(processor(&folder.path().join("nothing")), None);
    }

    #[test]
    fn whatever_is_no_whole_program_has_no_loader() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let own = fs::read(std::env::current_exe().unwrap()).unwrap();
        // Up to where the program headers end, and a bit beyond.
        for length in 0..1200.min(own.len()) {
            fs::write(&file, &own[..length]).unwrap();
            interpreter(&file).unwrap();
        }
        for text in [&b"#!/bin/sh\n"[..], b"", &[0xff; 100]] {
            fs::write(&file, text).unwrap();
            assert_eq!(interpreter(&file).unwrap(), None);
        }
        let mut endless = own[..HEADER].to_vec();
        endless[32..].fill(0xff);
        fs::write(&file, endless).unwrap();
        assert_eq!(interpreter(&file).unwrap(), None);
        assert!(interpreter(&folder.path().join("nothing")).is_err());
    }
}
