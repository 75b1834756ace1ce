//! The releases of Java that a trace can be from, by frames that only some of them have.

use crate::model::Frame;

/// Releases of Java.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JavaReleases {
    /// The oldest that it can be, if that is known.
    pub oldest: Option<u32>,
    /// The newest that it can be, if that is known.
    pub newest: Option<u32>,
    /// A class of the trace that shows it.
    pub shown_by: String,
}

impl JavaReleases {
    /// Whether a release is one of them.
    pub fn contains(&self, release: u32) -> bool {
        self.oldest.is_none_or(|it| it <= release) && self.newest.is_none_or(|it| release <= it)
    }

    /// The releases in words: `Java 8 or older`.
    pub fn words(&self) -> String {
        match (self.oldest, self.newest) {
            (Some(oldest), Some(newest)) if oldest == newest => format!("Java {oldest}"),
            (Some(oldest), Some(newest)) => format!("Java {oldest} to {newest}"),
            (Some(oldest), None) => format!("Java {oldest} or later"),
            (None, Some(newest)) => format!("Java {newest} or older"),
            (None, None) => "any Java".to_owned(),
        }
    }
}

/// The releases that the frames of a trace allow; none if they say nothing, or contradict each
/// other.
pub fn java_releases(frames: &[Frame]) -> Option<JavaReleases> {
    let mut all: Option<JavaReleases> = None;
    for (frame, (oldest, newest)) in frames.iter().filter_map(|it| Some((it, releases_of(it)?))) {
        let known = all.get_or_insert_with(|| JavaReleases {
            oldest: None,
            newest: None,
            shown_by: frame.class.clone(),
        });
        let is_narrower =
            oldest > known.oldest || newest.is_some_and(|it| known.newest.is_none_or(|at| it < at));
        known.oldest = known.oldest.max(oldest);
        known.newest = [known.newest, newest].into_iter().flatten().min();
        if is_narrower {
            known.shown_by.clone_from(&frame.class);
        }
    }
    all.filter(|it| it.oldest.zip(it.newest).is_none_or(|(oldest, newest)| oldest <= newest))
}

fn releases_of(frame: &Frame) -> Option<(Option<u32>, Option<u32>)> {
    let is_jdk_module =
        frame.module.as_deref().is_some_and(|it| it.starts_with("java.") || it.starts_with("jdk."));
    if let Some(version) = frame.module_version.as_deref().filter(|_| is_jdk_module) {
        let release = version.split(|it: char| !it.is_ascii_digit()).next()?.parse().ok()?;
        return Some((Some(release), Some(release)));
    }
    let starts = |prefix: &str| frame.class.starts_with(prefix);
    match () {
        // Reflection moved with the modules, and again to method handles (JEP 416); proxies became
        // classes of modules of their own.
        () if starts("sun.reflect.") && frame.class.contains("Accessor") => Some((None, Some(8))),
        () if starts("jdk.internal.reflect.Direct") => Some((Some(18), None)),
        () if starts("jdk.internal.reflect.") => Some((Some(9), Some(21))),
        () if starts("com.sun.proxy.$Proxy") => Some((None, Some(15))),
        () if starts("jdk.proxy") => Some((Some(16), None)),
        () if is_jdk_module => Some((Some(9), None)),
        () => None,
    }
}
