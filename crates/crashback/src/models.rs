//! Models of how objects are used: made of a program's class files, or read from files.

use std::fs;
use std::path::{Path, PathBuf};

use crashback_model::{Collector, FILE_VERSION, Models};

use crate::{Error, ErrorKind, Program};

/// Models of everything on a class path.
#[derive(Debug)]
pub struct BuiltModels {
    /// The models.
    pub models: Models,
    /// How many class files they were made of.
    pub classes: usize,
    /// In words, that the cache could not be written.
    pub cache_problem: Option<String>,
}

impl Program {
    /// Models of all classes that the class files outside the JDK use, in which an action depends on the
    /// `order - 1` before it. Those of jars that did not change come from the cache.
    ///
    /// # Errors
    ///
    /// If the cache gives models of another order, which is a defect.
    pub fn models(&self, order: usize) -> Result<BuiltModels, Error> {
        let name = format!("models {FILE_VERSION} {order}");
        let derived = self.class_path.derive(&name, self.cache.as_ref(), |class_files| {
            let mut collector = Collector::new(order);
            class_files(&mut |bytes| collector.add_class(bytes, |_| true));
            collector.finish().to_bytes()
        });
        let internal = |reason: &dyn ToString| Error::new(ErrorKind::Internal, reason.to_string());
        let parts: Result<Vec<Models>, _> = derived.results.iter().map(|it| Models::from_bytes(it)).collect();
        let parts = parts.map_err(|error| internal(&error))?;
        let models = Models::merged(order, parts).map_err(|error| internal(&error))?;
        let cache_problem = derived.problem.map(|it| it.to_string());
        Ok(BuiltModels { models, classes: derived.classes, cache_problem })
    }
}

/// The models in some files, merged; none if no file is given.
///
/// # Errors
///
/// If a file cannot be read, holds no models of this version, or models of another order than the others.
pub fn read_models(files: &[PathBuf]) -> Result<Option<Models>, Error> {
    let mut all: Option<Models> = None;
    for file in files {
        let models = read(file)?;
        match &mut all {
            None => all = Some(models),
            Some(all) => all.merge(models).map_err(|error| wrong(file, &error))?,
        }
    }
    Ok(all)
}

fn read(file: &Path) -> Result<Models, Error> {
    let bytes = fs::read(file).map_err(|error| {
        let message = format!("cannot read the models {}: {error}", file.display());
        Error::new(ErrorKind::Usage, message)
    })?;
    Models::from_bytes(&bytes).map_err(|error| wrong(file, &error))
}

fn wrong(file: &Path, reason: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Usage, format!("cannot use the models {}: {reason}", file.display()))
}
