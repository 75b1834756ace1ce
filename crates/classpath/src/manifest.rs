//! The main section of a jar's manifest (JAR file specification, "Manifest").

/// The main attributes of a manifest, names in lower case because they are compared without case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    attributes: Vec<(String, String)>,
}

impl Manifest {
    /// Reads the main section; lines that are no attributes are passed over.
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let mut attributes: Vec<(String, Vec<u8>)> = Vec::new();
        for line in lines(bytes) {
            match line {
                // A blank line ends the main section.
                [] => break,
                // A line that starts with a space goes on where the line before it was cut, even
                // inside a character.
                [b' ', rest @ ..] => {
                    if let Some((_, value)) = attributes.last_mut() {
                        value.extend_from_slice(rest);
                    }
                }
                _ => {
                    if let Some(colon) = line.iter().position(|&byte| byte == b':') {
                        let (name, value) = line.split_at(colon);
                        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
                        let value = value.strip_prefix(b": ").or_else(|| value.strip_prefix(b":"));
                        attributes.push((name, value.unwrap_or_default().to_vec()));
                    }
                }
            }
        }
        let decode =
            |(name, value): (String, Vec<u8>)| (name, String::from_utf8_lossy(&value).trim().to_owned());
        Self { attributes: attributes.into_iter().map(decode).collect() }
    }

    /// The value of an attribute; of one given twice the last, as the JDK reads it.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().rfind(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// Whether classes below `META-INF/versions` count.
    pub(crate) fn is_multi_release(&self) -> bool {
        self.get("Multi-Release").is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// The relative addresses of further class-path entries.
    pub(crate) fn class_path(&self) -> impl Iterator<Item = &str> {
        self.get("Class-Path").unwrap_or_default().split_ascii_whitespace()
    }
}

/// Lines end with CR LF, LF or CR.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().position(|&byte| byte == b'\n' || byte == b'\r').unwrap_or(rest.len());
        let (line, after) = rest.split_at_checked(end)?;
        rest = after.strip_prefix(b"\r\n").or_else(|| after.get(1..)).unwrap_or_default();
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_joined_over_lines_and_end_at_a_blank_line() {
        for end in ["\n", "\r\n", "\r"] {
            let text =
                "Manifest-Version: 1.0\nclass-path: a.jar b\n .jar\n  c.jar\nEmpty:\n\nMulti-Release: true\n"
                    .replace('\n', end);
            let manifest = Manifest::parse(text.as_bytes());
            assert_eq!(manifest.class_path().collect::<Vec<_>>(), ["a.jar", "b.jar", "c.jar"]);
            assert_eq!(manifest.get("MANIFEST-VERSION"), Some("1.0"));
            assert_eq!(manifest.get("Empty"), None);
            assert!(!manifest.is_multi_release());
        }
    }

    #[test]
    fn a_character_cut_by_a_line_end_is_whole_again() {
        let mut text = b"Implementation-Version: 1.0-\xc3".to_vec();
        text.extend_from_slice(b"\r\n \xa4\r\n");
        assert_eq!(Manifest::parse(&text).get("Implementation-Version"), Some("1.0-ä"));
    }

    #[test]
    fn any_bytes_are_read() {
        for text in [&b""[..], b"\n\n", b" x", b":", b"a", b"\r", b"\xff: \xff"] {
            Manifest::parse(text);
        }
    }
}
