//! Names that a Java source can write.

/// The name of a class without its package, nested classes with dots.
pub fn simple_name(class: &str) -> String {
    class.rsplit(['/', '.']).next().unwrap_or(class).replace('$', ".")
}

/// Whether this is an identifier (JLS 3.8). Letters are those of Unicode, which leaves out some
/// signs of currency and the like that Java lets in.
pub fn is_identifier(name: &str) -> bool {
    let is_start = |it: char| it == '_' || it == '$' || it.is_alphabetic();
    name.starts_with(is_start)
        && name.chars().all(|it| is_start(it) || it.is_alphanumeric())
        && !is_reserved(name)
}

/// Whether this is a keyword or literal (JLS 3.9, 3.10), which no name can be. Contextual keywords
/// are none: they may be names where a name is expected.
pub fn is_reserved(word: &str) -> bool {
    // Most names are too long to be one, or have a capital.
    let may_be = word.len() <= LONGEST_RESERVED && !word.bytes().any(|it| it.is_ascii_uppercase());
    may_be && RESERVED.binary_search(&word).is_ok()
}

const LONGEST_RESERVED: usize = "synchronized".len();

/// Keywords and literals, in order.
const RESERVED: [&str; 54] = [
    "_",
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "while",
];

#[cfg(test)]
mod tests {
    use super::{RESERVED, is_identifier};

    #[test]
    fn identifiers_are_told_from_other_names() {
        for name in ["a", "_a", "$", "Über9", "record", "var", "名"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in ["", "9a", "a-b", "a.b", "_", "<init>"].iter().chain(&RESERVED) {
            assert!(!is_identifier(name), "{name}");
        }
        assert!(RESERVED.is_sorted());
    }
}
