//! Words as shells take them.

/// A word that a shell reads as it is.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "_-./:=,+@%".contains(it);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("a/b.jar"), "a/b.jar");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("it's $HOME"), "'it'\\''s $HOME'");
    }
}
