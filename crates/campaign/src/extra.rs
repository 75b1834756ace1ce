use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::Error;

/// Maven coordinates that complete the jars of crashes.
///
/// One or more lines for a crash: its name, then coordinates, separated by blanks. `#` begins a
/// comment, empty lines are skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtraMaven {
    coordinates: BTreeMap<String, Vec<String>>,
}

impl ExtraMaven {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text =
            fs::read_to_string(path).map_err(|source| Error::Unreadable { path: path.to_owned(), source })?;
        Self::parse(&text).map_err(|(line, text)| Error::ExtraLine { path: path.to_owned(), line, text })
    }

    /// The coordinates for a crash, in the order of the file.
    pub fn of(&self, id: &str) -> &[String] {
        self.coordinates.get(id).map_or(&[], Vec::as_slice)
    }

    /// All crashes with their coordinates.
    pub fn all(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.coordinates.iter().map(|(id, coordinates)| (id.as_str(), coordinates.as_slice()))
    }

    /// Reads the lines, or gives number and text of the first that makes no sense.
    fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut extra = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
            let Some(id) = words.next() else { continue };
            let coordinates: Vec<String> = words.map(str::to_owned).collect();
            if coordinates.is_empty() || coordinates.iter().any(|it| it.matches(':').count() < 2) {
                return Err((number, line.trim().to_owned()));
            }
            extra.coordinates.entry(id.to_owned()).or_default().extend(coordinates);
        }
        Ok(extra)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_crash_add_up() {
        let text = "# what the checkout lacks\n\nES-1 a:b:1\r\nES-2 c:d:2 e:f:3 # two\nES-1\tg:h:4\n";
        let extra = ExtraMaven::parse(text).expect("lines");
        assert_eq!(extra.of("ES-1"), ["a:b:1", "g:h:4"]);
        assert_eq!(extra.of("ES-2"), ["c:d:2", "e:f:3"]);
        assert_eq!(extra.of("ES-3"), [""; 0]);
        assert_eq!(extra.all().count(), 2);
    }

    #[test]
    fn a_line_without_coordinates_is_named() {
        assert_eq!(ExtraMaven::parse("A a:b:1\nB\n"), Err((2, "B".to_owned())));
        assert_eq!(ExtraMaven::parse("A a:b"), Err((1, "A a:b".to_owned())));
    }
}
