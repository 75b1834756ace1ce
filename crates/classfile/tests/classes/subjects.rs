//! Class files to try things on: from jars, folders and JDKs.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// A class file with a name for messages.
pub(crate) type Subject = (String, Vec<u8>);

/// The classes of a JDK or JRE: its module image, or `rt.jar` up to Java 8.
pub(crate) fn from_jdk(home: &Path) -> io::Result<Vec<Subject>> {
    let image = home.join("lib/modules");
    if !image.exists() {
        let jars = [home.join("jre/lib/rt.jar"), home.join("lib/rt.jar")];
        return from_jar(jars.iter().find(|jar| jar.exists()).unwrap_or(&image));
    }
    let image = ristretto_jimage::Image::from_file(&image).map_err(io::Error::other)?;
    let mut subjects = Vec::new();
    for resource in &image {
        let resource = resource.map_err(io::Error::other)?;
        if resource.extension() == "class" {
            subjects.push((resource.full_name(), resource.data().to_vec()));
        }
    }
    Ok(subjects)
}

/// The classes of a jar, of all jars and class files in and below a folder, or a single class file.
pub(crate) fn from_path(path: &Path) -> io::Result<Vec<Subject>> {
    if path.is_dir() {
        let mut entries =
            fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        entries.sort();
        let nested = entries.iter().map(|entry| from_path(entry)).collect::<io::Result<Vec<_>>>()?;
        return Ok(nested.into_iter().flatten().collect());
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("jar") => from_jar(path),
        Some("class") => Ok(vec![(path.display().to_string(), fs::read(path)?)]),
        _ => Ok(Vec::new()),
    }
}

fn from_jar(path: &Path) -> io::Result<Vec<Subject>> {
    let bytes = fs::read(path)?;
    let archive = rawzip::ZipArchive::from_slice(&bytes).map_err(io::Error::other)?;
    let mut entries = archive.entries();
    let mut subjects = Vec::new();
    while let Some(entry) = entries.next_entry().map_err(io::Error::other)? {
        let name = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
        if !name.ends_with(".class") {
            continue;
        }
        let stored = entry.compression_method() == rawzip::CompressionMethod::STORE;
        let local = archive.get_entry(entry.wayfinder()).map_err(io::Error::other)?;
        let mut class = Vec::new();
        if stored {
            class.extend_from_slice(local.data());
        } else {
            flate2::bufread::DeflateDecoder::new(local.data()).read_to_end(&mut class)?;
        }
        subjects.push((format!("{}!{name}", path.display()), class));
    }
    Ok(subjects)
}
