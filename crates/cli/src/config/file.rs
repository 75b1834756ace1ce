//! `crashback.toml`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crashback::{Error, ErrorKind};
use toml::{Table, Value};

const NAME: &str = "crashback.toml";

/// The settings of a file.
pub(super) struct SettingsFile {
    pub(super) path: PathBuf,
    pub(super) values: Table,
}

impl SettingsFile {
    /// The file in a folder or the nearest one above it that has one.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not TOML.
    pub(super) fn above(folder: Option<&Path>) -> Result<Option<Self>, Error> {
        let folders = folder.into_iter().flat_map(Path::ancestors);
        let Some(path) = folders.map(|it| it.join(NAME)).find(|it| it.exists()) else { return Ok(None) };
        let wrong = |reason: String| {
            let message = format!("cannot read the settings {}: {reason}", path.display());
            Error::new(ErrorKind::Usage, message)
        };
        let text = fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
        let values = text.parse::<Table>().map_err(|error| wrong(error.to_string()))?;
        Ok(Some(Self { path, values }))
    }

    /// A value as those of an option; an empty one stands for a switch.
    pub(super) fn values_of(
        &self,
        value: &Value,
        takes_value: bool,
        is_path: bool,
    ) -> Result<Vec<OsString>, String> {
        match value {
            Value::Boolean(on) if !takes_value => Ok(on.then(OsString::new).into_iter().collect()),
            _ if !takes_value => Err("it must be true or false".to_owned()),
            Value::Array(items) => items.iter().map(|it| self.single(it, is_path)).collect(),
            Value::Table(entries) => {
                let entry = |(name, value): (&String, &Value)| {
                    let mut entry = OsString::from(format!("{name}="));
                    entry.push(self.single(value, false)?);
                    Ok(entry)
                };
                entries.iter().map(entry).collect()
            }
            _ => Ok(vec![self.single(value, is_path)?]),
        }
    }

    fn single(&self, value: &Value, is_path: bool) -> Result<OsString, String> {
        match value {
            Value::String(text) if is_path => Ok(self.resolved(text)),
            Value::String(text) => Ok(text.into()),
            Value::Integer(number) => Ok(number.to_string().into()),
            Value::Float(number) => Ok(number.to_string().into()),
            Value::Boolean(on) => Ok(on.to_string().into()),
            _ => Err("it must be a text, a number, true, false, or a list of them".to_owned()),
        }
    }

    /// Paths, perhaps several with the system's separator, below the folder of the file.
    fn resolved(&self, text: &str) -> OsString {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let paths: Vec<PathBuf> = std::env::split_paths(text).map(|it| folder.join(it)).collect();
        std::env::join_paths(paths).unwrap_or_else(|_| text.into())
    }
}
