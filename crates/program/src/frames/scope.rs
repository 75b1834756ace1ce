//! Whose code a frame is: the project's, a library's or the JDK's.

use std::fmt;

use crashback_trace::compare::is_jdk_by_name;
use serde::Serialize;

use crate::index::ClassRef;
use crate::source::{ClassSource, EntryKind};

/// Whose code a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The program that crashed; its frames are what a test should call.
    Project,
    /// Code that the program uses.
    Library,
    /// Part of the JDK.
    Jdk,
}

/// How the project is told from its libraries.
pub enum Scope {
    /// Classes in these packages (binary names, with everything below them).
    Packages(Vec<String>),
    /// Classes whose binary name satisfies a predicate.
    Matching(Box<dyn Fn(&str) -> bool + Send + Sync>),
    /// Classes that lie in directories of the class path, as those of a build do.
    Directories,
    /// Every class of the class path outside the JDK.
    Everything,
}

impl Scope {
    /// The origin of a class, by its binary name and, if it is on the class path, its place.
    pub fn origin(&self, source: &dyn ClassSource, binary_name: &str, place: Option<ClassRef>) -> Origin {
        let kind = place.and_then(|it| source.entry(it)).map(|it| it.kind);
        let in_jdk = kind.map_or_else(|| is_jdk_by_name(binary_name), |it| it == EntryKind::Jdk);
        if in_jdk {
            return Origin::Jdk;
        }
        let is_project = match self {
            Self::Packages(prefixes) => prefixes.iter().any(|prefix| is_in_package(binary_name, prefix)),
            Self::Matching(matches) => matches(binary_name),
            Self::Directories => kind == Some(EntryKind::Directory),
            Self::Everything => kind.is_some(),
        };
        if is_project { Origin::Project } else { Origin::Library }
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Packages(prefixes) => f.debug_tuple("Packages").field(prefixes).finish(),
            Self::Matching(_) => f.write_str("Matching"),
            Self::Directories => f.write_str("Directories"),
            Self::Everything => f.write_str("Everything"),
        }
    }
}

/// A prefix ends at a dot, a `$` or the end of the name, so that `com.acme` does not take in
/// `com.acmeco`; a prefix that ends with a dot already says so.
fn is_in_package(binary_name: &str, prefix: &str) -> bool {
    let Some(rest) = binary_name.strip_prefix(prefix) else { return false };
    rest.is_empty() || prefix.ends_with('.') || rest.starts_with(['.', '$'])
}

#[cfg(test)]
mod tests {
    use super::is_in_package;

    #[test]
    fn packages_end_at_a_dot() {
        assert!(is_in_package("com.acme.Shop", "com.acme"));
        assert!(is_in_package("com.acme.Shop", "com.acme."));
        assert!(is_in_package("com.acme.Shop$Till", "com.acme.Shop"));
        assert!(!is_in_package("com.acmeco.Shop", "com.acme"));
        assert!(!is_in_package("com.Acme", "com.acme"));
    }
}
