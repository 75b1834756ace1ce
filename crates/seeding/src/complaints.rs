//! Names of what programs miss: those in the messages with which they refuse something, and those that they
//! looked up in vain.

/// Shorter words are seldom names of settings or properties.
const SHORTEST: usize = 2;

/// Longer words are seldom names.
const LONGEST: usize = 48;

/// The words of a message that name something: those in quotes or brackets, and those that are joined of
/// several, as `path.home`, `max_length`, `read-only` and `numberOfShards` are.
pub(crate) fn names(message: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for word in message.split(|it: char| it.is_whitespace() || matches!(it, ',' | ';' | '(' | ')' | '=')) {
        let word = word.trim_end_matches(['.', ':', '!', '?']);
        let inner = unquoted(word);
        let names_something = match inner {
            Some(inner) => is_name(inner),
            None => is_name(word) && is_joined(word),
        };
        let name = inner.unwrap_or(word);
        if names_something && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// What is between the quotes or brackets around a word.
fn unquoted(word: &str) -> Option<&str> {
    const AROUND: [(char, char); 6] =
        [('[', ']'), ('"', '"'), ('\'', '\''), ('`', '`'), ('{', '}'), ('<', '>')];
    AROUND.iter().find_map(|(open, close)| word.strip_prefix(*open)?.strip_suffix(*close))
}

/// Whether a text can be the name of a setting or a property.
pub(crate) fn is_name(word: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '_' | '-' | '/' | ':' | '$');
    (SHORTEST..=LONGEST).contains(&word.len())
        && word.chars().all(is_part)
        && word.chars().any(|it| it.is_ascii_alphabetic())
        && !is_class(word)
}

/// Whether a word looks like the full name of a class.
fn is_class(word: &str) -> bool {
    let last = word.rsplit_once('.').map(|(_, last)| last);
    last.is_some_and(|it| it.starts_with(|it: char| it.is_ascii_uppercase()))
}

/// Whether a word is joined of others by a sign or a capital.
fn is_joined(word: &str) -> bool {
    let triples = word.as_bytes().windows(3);
    let mut signs = triples.map(|it| match it {
        [before, b'.' | b'_' | b'-', behind] => {
            before.is_ascii_alphanumeric() && behind.is_ascii_alphanumeric()
        }
        _ => false,
    });
    let mut capitals = word.as_bytes().windows(2).map(|it| match it {
        [before, behind] => before.is_ascii_lowercase() && behind.is_ascii_uppercase(),
        _ => false,
    });
    signs.any(|it| it) || capitals.any(|it| it)
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_are_quoted_or_joined() {
        for (message, expect) in [
            ("path.home is not configured", &["path.home"][..]),
            ("must specify numberOfShards for index [test]", &["numberOfShards", "test"]),
            ("[index.version.created] is not present in the settings", &["index.version.created"]),
            ("Property [name] is missing in [/tmp/a b]", &["name"]),
            ("No value for 'max_length'.", &["max_length"]),
            ("Cannot read it: org.example.Shop failed", &[]),
            ("Prime it first.", &[]),
            ("12-34 is no number", &[]),
        ] {
            assert_eq!(names(message), expect, "{message}");
        }
    }
}
