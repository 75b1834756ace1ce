//! Source files of frames, found where build tools keep them.

use std::path::{Path, PathBuf};

/// Folders of sources below the folder of a module, as build tools and IDEs have them.
const ROOTS: [&str; 9] = [
    "src/main/java",
    "src/main/kotlin",
    "src/main/scala",
    "src/main/groovy",
    "src/test/java",
    "src/test/kotlin",
    "app/src/main/java",
    "src/java",
    "src",
];
/// How far above class files the folder of their module may be: Gradle has `build/classes/java/main`.
const MOST_ABOVE: usize = 5;

/// A source file, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceFile {
    /// The path below the root of the checkout, or else below a folder of sources.
    pub(super) path: String,
    /// Whether the file is there, so that the path begins at the root of the checkout.
    pub(super) is_found: bool,
}

/// Where sources are looked for.
pub(super) struct Sources {
    /// The root of the checkout.
    checkout: PathBuf,
    roots: Vec<PathBuf>,
}

impl Sources {
    /// The sources of the modules whose class folders are on a class path, and those of a folder.
    pub(super) fn around(class_path: &[PathBuf], folder: &Path) -> Self {
        let class_folders = class_path.iter().filter(|it| it.is_dir()).map(|it| folder.join(it));
        let starts = class_folders.chain([folder.to_owned()]);
        let mut roots: Vec<PathBuf> = Vec::new();
        for start in starts {
            let modules = start.ancestors().take(MOST_ABOVE);
            for root in modules.flat_map(|module| ROOTS.map(|root| module.join(root))) {
                if root.is_dir() && !roots.contains(&root) {
                    roots.push(root);
                }
            }
        }
        Self { checkout: checkout(folder), roots }
    }

    /// The source file of a class. `name` is its name in the trace, if that has one.
    pub(super) fn of(&self, class: &str, name: Option<&str>) -> SourceFile {
        let (package, simple) = class.rsplit_once('.').unwrap_or(("", class));
        let outermost = simple.split('$').next().filter(|it| !it.is_empty()).unwrap_or(simple);
        // Traces of obfuscated programs have one name for all files.
        let name = name.filter(|it| it.contains('.') && !it.contains('/'));
        let name = name.map_or_else(|| format!("{outermost}.java"), str::to_owned);
        let folders = package.split('.').filter(|it| !it.is_empty());
        let below: PathBuf = folders.chain([name.as_str()]).collect();
        let found = self.roots.iter().map(|it| it.join(&below)).find(|it| it.is_file());
        match found.as_deref().and_then(|it| it.strip_prefix(&self.checkout).ok()) {
            Some(path) => SourceFile { path: path.to_string_lossy().into_owned(), is_found: true },
            None => SourceFile { path: below.to_string_lossy().into_owned(), is_found: false },
        }
    }
}

/// The root of the checkout that a folder lies in, or the folder itself if it lies in none.
pub(super) fn checkout(folder: &Path) -> PathBuf {
    folder.ancestors().find(|it| it.join(".git").exists()).unwrap_or(folder).to_owned()
}
