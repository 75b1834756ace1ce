//! The Mockito that makes the mocks of a test, with the jars that it needs.
//!
//! Mockito comes from the user's class path, else from that for tests, else it is fetched at pinned
//! versions. One that cannot work on the JVM is passed over. Mocks are always made by classes below
//! the mocked type: that needs no agent, and no more rights than the test has.

use std::path::PathBuf;

use crashback_program::classes::Classes;

use crate::junit::Fetch;
use crate::{Error, Result};

/// Mockito, ready to compile against and to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mockito {
    /// Jars to be put before the program's class path.
    pub jars: Vec<PathBuf>,
    /// The class that makes mocks, where Mockito can be told.
    pub mock_maker: Option<&'static str>,
}

/// The versions that are fetched where no class path has Mockito. They run on Java 8 and later.
pub mod pinned {
    /// The last Mockito for Java 8, which makes mocks by subclasses.
    pub const MOCKITO: &str = "4.11.0";
    /// Byte Buddy: newer than Mockito asks for, for the sake of newer JVMs.
    pub const BYTE_BUDDY: &str = "1.18.8";
    /// Objenesis.
    pub const OBJENESIS: &str = "3.3";
}

/// Finds Mockito on class paths, the user's first, or fetches it. `test` are the classes of
/// `--test-classpath`. Feature is the version of Java that runs the tests.
pub fn resolve(
    program: &Classes<'_>,
    test: Option<&Classes<'_>>,
    feature: u32,
    fetch: Fetch<'_>,
) -> Result<Mockito> {
    let mut jars = Vec::new();
    let has = |classes: &Classes<'_>, name: &str| classes.index().contains(name);
    let found = if is_usable(program, feature) {
        program
    } else if let Some(test) = test.filter(|it| is_usable(it, feature)) {
        jars.extend(places(test));
        test
    } else {
        return fetched(fetch);
    };
    let by_byte_buddy = has(found, BYTE_BUDDY_MAKER);
    let missing: Vec<String> = artifacts()
        .into_iter()
        .filter(|(class, _)| !class.contains("bytebuddy") || by_byte_buddy)
        .filter(|(class, _)| !has(found, class) && !has(program, class))
        .map(|(_, artifact)| artifact)
        .collect();
    if !missing.is_empty() {
        jars.extend(fetch_all(&missing, fetch)?);
    }
    Ok(Mockito { jars, mock_maker: by_byte_buddy.then_some(MAKER) })
}

const MAKER: &str = "org.mockito.internal.creation.bytebuddy.ByteBuddyMockMaker";
const BYTE_BUDDY_MAKER: &str = "org/mockito/internal/creation/bytebuddy/ByteBuddyMockMaker";
/// Classes of those that define classes beside the mocked ones in a way that JVMs still allow: of
/// 2.18 and later, of later 5.
const MODERN: [&str; 2] = [
    "org/mockito/internal/creation/bytebuddy/SubclassInjectionLoader",
    "org/mockito/internal/creation/bytebuddy/access/MockAccess",
];

/// Whether a class path has a Mockito that the JVM can load, and that can define classes: older ones do
/// it by a method of the JDK that is closed to them since Java 16.
fn is_usable(classes: &Classes<'_>, feature: u32) -> bool {
    let has = |name: &str| classes.index().contains(name);
    let mockito = classes.index().get("org/mockito/Mockito");
    let is_loadable = mockito.is_some_and(|it| u32::from(it.java_release()) <= feature);
    is_loadable && (feature < 16 || MODERN.into_iter().any(has))
}

/// The parts of Mockito, each with a class by which to recognise it.
fn artifacts() -> [(&'static str, String); 4] {
    let byte_buddy = |artifact: &str| format!("net.bytebuddy:{artifact}:{}", pinned::BYTE_BUDDY);
    [
        ("org/mockito/Mockito", format!("org.mockito:mockito-core:{}", pinned::MOCKITO)),
        ("net/bytebuddy/ByteBuddy", byte_buddy("byte-buddy")),
        ("net/bytebuddy/agent/ByteBuddyAgent", byte_buddy("byte-buddy-agent")),
        ("org/objenesis/Objenesis", format!("org.objenesis:objenesis:{}", pinned::OBJENESIS)),
    ]
}

fn fetched(fetch: Fetch<'_>) -> Result<Mockito> {
    let all = artifacts().map(|(_, artifact)| artifact);
    Ok(Mockito { jars: fetch_all(&all, fetch)?, mock_maker: Some(MAKER) })
}

fn fetch_all(artifacts: &[String], fetch: Fetch<'_>) -> Result<Vec<PathBuf>> {
    let artifacts: Vec<&str> = artifacts.iter().map(String::as_str).collect();
    fetch(&artifacts).map_err(|reason| Error::NoMockito { reason })
}

/// The jars and folders of a class path that have a part of Mockito. Jars within jars are left out:
/// no JVM reads them.
fn places(classes: &Classes<'_>) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = Vec::new();
    for (class, _) in artifacts() {
        let entry = classes.index().get(class).and_then(|it| classes.entry(it.reference()));
        let path = entry.filter(|it| !it.path.contains("!/")).map(|it| PathBuf::from(&it.path));
        places.extend(path.filter(|it| !places.contains(it)));
    }
    places
}
