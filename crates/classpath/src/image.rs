//! The JDK's own classes in `lib/modules` (the "jimage" format).
//!
//! Invariant: an image is checked before it is given to its reader, which trusts the tables of the
//! file and knows no compressed resources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crashback_classfile::{Attribute, ClassFile, Location};
use rayon::prelude::*;
use ristretto_jimage::{Image, Resource};
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3Default;

use crate::part::{BuiltShard, Facts, Part, PartBuilder, split_by_size};

const HEADER_SIZE: usize = 28;
const MAGIC: u32 = 0xcafe_dada;

#[derive(Debug, Error)]
pub(crate) enum ImageError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("not a whole JDK image ({0})")]
    Image(#[from] ristretto_jimage::Error),
    #[error("not a whole JDK image")]
    Damaged,
    #[error("its classes are compressed, as `jlink --compress` does; name a JDK that was not made by jlink")]
    Compressed,
}

/// An image file that was looked over.
#[derive(Debug)]
pub(crate) struct JdkImage {
    image: Image,
}

/// Identifies the content of an image: its length, its tables with all names, places and sizes, and
/// the `release` file of its JDK, which names the build.
pub(crate) fn fingerprint(path: &Path) -> Result<u128, ImageError> {
    let tables = Tables::read(path)?;
    let release = path.parent().and_then(Path::parent).map(|home| home.join("release"));
    let mut hash = Xxh3Default::new();
    hash.update(&tables.file_length.to_le_bytes());
    hash.update(&tables.bytes);
    hash.update(&release.and_then(|file| fs::read(file).ok()).unwrap_or_default());
    Ok(hash.digest128())
}

/// Whether an image can be read.
pub(crate) fn check(path: &Path) -> Result<(), ImageError> {
    Tables::read(path)?.check()
}

impl JdkImage {
    pub(crate) fn open(path: &Path) -> Result<Self, ImageError> {
        check(path)?;
        Ok(Self { image: Image::from_file(path)? })
    }

    /// Indexes all classes of all modules.
    pub(crate) fn index(&self) -> Result<Part, ImageError> {
        let resources = self.image.iter().collect::<Result<Vec<_>, _>>()?;
        let is_class = |resource: &&Resource<'_>| {
            resource.extension() == "class" && !resource.module().is_empty() && !resource.parent().is_empty()
        };
        let mut classes: Vec<_> = resources.iter().filter(is_class).collect();
        classes.sort_by_key(|class| (class.parent(), class.base(), class.module()));
        let mut modules: Vec<String> = classes.iter().map(|class| class.module().to_owned()).collect();
        modules.sort();
        modules.dedup();

        let runs = split_by_size(&classes, |class| class.data().len() as u64);
        let exports: Exports = resources.iter().filter_map(exports_of).collect();
        let built = runs.into_par_iter().map(|run| index_run(&modules, &exports, run)).collect();
        Ok(Part::new(Facts { modules, ..Facts::default() }, built))
    }

    /// The bytes of a class of a module.
    pub(crate) fn read(&self, module: &str, class: &str) -> Result<Vec<u8>, ImageError> {
        let resource = self.image.get_resource(&format!("/{module}/{class}.class"))?;
        Ok(resource.data().to_vec())
    }
}

/// The packages that modules export to everybody, by module.
type Exports = BTreeMap<String, BTreeSet<String>>;

/// The exports of the module that a resource declares, if it is a readable declaration.
fn exports_of(resource: &Resource<'_>) -> Option<(String, BTreeSet<String>)> {
    if resource.base() != "module-info" || resource.extension() != "class" {
        return None;
    }
    let file = ClassFile::parse(resource.data()).ok()?;
    let Ok(Attribute::Module(module)) = file.attribute("Module")?.decode(&file.pool, Location::Class) else {
        return None;
    };
    // A test lies in the unnamed module, so that a package exported to named modules alone stays hidden.
    let to_all = module.exports.iter().filter(|it| it.to.is_empty());
    let packages =
        to_all.filter_map(|it| Some(file.pool.package(it.package_index).ok()?.to_str().into_owned()));
    Some((resource.module().to_owned(), packages.collect()))
}

fn index_run(modules: &[String], exports: &Exports, run: &[&Resource<'_>]) -> BuiltShard {
    let mut builder = PartBuilder::default();
    for class in run {
        let module =
            modules.binary_search_by(|module| module.as_str().cmp(class.module())).unwrap_or(usize::MAX);
        let location = u32::try_from(module).unwrap_or(u32::MAX);
        // A module whose declaration cannot be read is not known to keep anything to itself.
        let is_exported = exports.get(class.module()).is_none_or(|it| it.contains(class.parent()));
        let bytes = Ok::<_, io::Error>(class.data());
        match is_exported {
            true => builder.add(&class.name(), location, bytes),
            false => builder.add_unexported(&class.name(), location, bytes),
        }
    }
    builder.finish()
}

/// Everything before the resources of an image: header, redirect table, offsets of attributes,
/// attributes, strings.
struct Tables {
    bytes: Vec<u8>,
    file_length: u64,
    little_endian: bool,
    resources: usize,
    attributes_size: usize,
    strings_size: usize,
}

impl Tables {
    fn read(path: &Path) -> Result<Self, ImageError> {
        let mut file = File::open(path)?;
        let file_length = file.metadata()?.len();
        let mut bytes = vec![0; HEADER_SIZE];
        file.read_exact(&mut bytes).map_err(|_| ImageError::Damaged)?;
        let mut tables = Self {
            bytes,
            file_length,
            little_endian: true,
            resources: 0,
            attributes_size: 0,
            strings_size: 0,
        };
        if tables.number(0) != Some(MAGIC as usize) {
            tables.little_endian = false;
        }
        let field = |at| tables.number(at).ok_or(ImageError::Damaged);
        let (magic, resources, attributes, strings) = (field(0)?, field(16)?, field(20)?, field(24)?);
        let size =
            resources.checked_mul(8).and_then(|size| size.checked_add(attributes)?.checked_add(strings));
        let size = size.and_then(|size| size.checked_add(HEADER_SIZE)).ok_or(ImageError::Damaged)?;
        if magic != MAGIC as usize || size as u64 > file_length {
            return Err(ImageError::Damaged);
        }
        tables.bytes.resize(size, 0);
        file.read_exact(tables.bytes.get_mut(HEADER_SIZE..).unwrap_or_default())?;
        (tables.resources, tables.attributes_size, tables.strings_size) = (resources, attributes, strings);
        Ok(tables)
    }

    /// Looks at every resource: its names must lie in the string table, its bytes in the file,
    /// uncompressed.
    fn check(&self) -> Result<(), ImageError> {
        let data_length = self.file_length - self.bytes.len() as u64;
        let whole = self.strings().ends_with(&[0]) && self.resources > 0;
        for resource in 0..self.resources {
            let at = self.number(HEADER_SIZE + (self.resources + resource) * 4).ok_or(ImageError::Damaged)?;
            let [_, module, parent, base, extension, offset, compressed, size] =
                self.attributes(at).ok_or(ImageError::Damaged)?;
            let names_known =
                [module, parent, base, extension].iter().all(|&name| name < self.strings_size as u64);
            let end = offset.checked_add(compressed.max(size)).ok_or(ImageError::Damaged)?;
            if !whole || !names_known || end > data_length {
                return Err(ImageError::Damaged);
            }
            if compressed != 0 {
                return Err(ImageError::Compressed);
            }
        }
        Ok(())
    }

    /// The attributes at an offset: a byte with kind (upper five bits) and length, the value big
    /// endian, until kind 0.
    fn attributes(&self, at: usize) -> Option<[u64; 8]> {
        let start = HEADER_SIZE + self.resources * 8;
        let mut rest = self.bytes.get(start..start + self.attributes_size)?.get(at..)?;
        let mut values = [0; 8];
        loop {
            let (&head, after) = rest.split_first()?;
            let (kind, length) = (usize::from(head >> 3), usize::from(head & 7) + 1);
            if kind == 0 {
                return Some(values);
            }
            let (value, next) = after.split_at_checked(length)?;
            *values.get_mut(kind)? = value.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
            rest = next;
        }
    }

    fn strings(&self) -> &[u8] {
        self.bytes.get(self.bytes.len() - self.strings_size..).unwrap_or_default()
    }

    fn number(&self, at: usize) -> Option<usize> {
        let bytes = *self.bytes.get(at..)?.first_chunk::<4>()?;
        let number = if self.little_endian { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
        usize::try_from(number).ok()
    }
}
