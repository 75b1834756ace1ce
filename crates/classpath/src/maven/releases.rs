//! The other releases of an artifact: their versions, and their jars without dependencies.

use std::fs;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use super::version::version_order;
use super::{Coordinates, RUN_TIME, Run, Settings, dependency, key, project_of};
use crate::archive::{Archive, ArchiveEntry, EntryReader};
use crate::cache::{Cache, CacheKey};
use crate::{CacheSettings, Error};

/// Keeps Maven from fetching what an artifact needs.
const ALONE: &str =
    "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>";

/// The versions of an artifact that Maven knows, in their order, without snapshots. Maven is asked
/// at most once a day if there is a cache, as it asks its repositories.
///
/// # Errors
///
/// If Maven cannot be run, or knows no such artifact.
pub fn releases(
    artifact: &Coordinates,
    settings: &Settings,
    cache: Option<&CacheSettings>,
) -> Result<Vec<String>, Error> {
    let cache = cache.map(|it| Cache::new(it.directory.clone()));
    let key = cache.as_ref().map(|it| list_key(artifact, it.day()));
    if let Some(known) = cache.as_ref().zip(key).and_then(|(cache, key)| cache.load_text(key)) {
        return Ok(known.lines().map(str::to_owned).collect());
    }
    let found = ask_releases(artifact, settings)?;
    if let Some((cache, key)) = cache.zip(key).filter(|_| !found.is_empty()) {
        // A list that is not kept is asked for again.
        drop(cache.store_text(key, &found.join("\n")));
    }
    Ok(found)
}

fn list_key(artifact: &Coordinates, day: u64) -> CacheKey {
    let text = format!("{} {day}", Coordinates { version: String::new(), ..artifact.clone() });
    CacheKey::new("releases", xxh3_128(text.as_bytes()), None)
}

/// Maven reads the list of versions when it is asked for the newest one, and keeps it in its local
/// repository, in the folder that holds those of the versions.
fn ask_releases(artifact: &Coordinates, settings: &Settings) -> Result<Vec<String>, Error> {
    let newest = Coordinates { version: "LATEST".to_owned(), ..artifact.clone() };
    let run = Run::new(settings)?;
    run.add_project("", &alone("newest", &newest))?;
    let ended = run.to_end(RUN_TIME, &[])?;
    let files = run.class_path("").filter(|_| ended.is_success).ok_or(ended.failure)?;
    let folder = files.first().and_then(|it| it.parent()?.parent()).map(Path::to_owned);
    let mut versions = folder.map(|it| listed_versions(&it)).unwrap_or_default();
    versions.retain(|it| Coordinates { version: it.clone(), ..artifact.clone() }.is_fixed());
    versions.sort_by(|one, other| version_order(one, other));
    versions.dedup();
    Ok(versions)
}

/// The versions that the files `maven-metadata-*.xml` of a folder name: there is one for each
/// repository.
fn listed_versions(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
    let is_list = |path: &PathBuf| {
        let name = path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("maven-metadata") && name.ends_with(".xml")
    };
    let texts = entries.filter(is_list).filter_map(|it| fs::read_to_string(it).ok());
    texts.flat_map(|it| versions_in(&it)).collect()
}

fn versions_in(metadata: &str) -> Vec<String> {
    let list = metadata.split_once("<versions>").and_then(|(_, rest)| rest.split_once("</versions>"));
    let items = list.map_or("", |(list, _)| list).split("<version>").skip(1);
    let versions = items.filter_map(|it| it.split_once("</version>")).map(|(version, _)| version.trim());
    versions.filter(|it| is_version(it)).map(str::to_owned).collect()
}

/// Whether a text may stand in coordinates.
fn is_version(text: &str) -> bool {
    format!("g:a:{text}").parse::<Coordinates>().is_ok()
}

/// The jars of releases of an artifact, without dependencies. Releases that Maven does not find are
/// left out.
///
/// # Errors
///
/// If Maven cannot be run, or finds none of them.
pub fn fetch_releases(
    releases: &[Coordinates],
    settings: &Settings,
    cache: Option<&CacheSettings>,
) -> Result<Vec<(Coordinates, PathBuf)>, Error> {
    let cache = cache.map(|it| Cache::new(it.directory.clone()));
    let key = |it: &Coordinates| key(&alone("release", it));
    let known = |it: &Coordinates| {
        let file = PathBuf::from(cache.as_ref()?.load_text(key(it)).filter(|_| it.is_fixed())?);
        file.is_file().then_some(file)
    };
    let (mut found, mut unknown) = (Vec::new(), Vec::new());
    for release in releases {
        match known(release) {
            Some(file) => found.push((release.clone(), file)),
            None => unknown.push(release.clone()),
        }
    }
    let fetched = match fetch_alone(&unknown, settings) {
        Ok(fetched) => fetched,
        Err(error) if found.is_empty() || matches!(error, Error::Cancelled) => return Err(error),
        Err(_) => Vec::new(),
    };
    for (release, file) in fetched {
        if let Some((cache, text)) = cache.as_ref().filter(|_| release.is_fixed()).zip(file.to_str()) {
            // A result that is not kept is fetched again the next time.
            drop(cache.store_text(key(&release), text));
        }
        found.push((release, file));
    }
    found.sort_by_key(|(release, _)| releases.iter().position(|it| it == release));
    Ok(found)
}

/// One run of Maven, with a project for each release: one that is missing does not keep it from the
/// others.
fn fetch_alone(releases: &[Coordinates], settings: &Settings) -> Result<Vec<(Coordinates, PathBuf)>, Error> {
    if releases.is_empty() {
        return Ok(Vec::new());
    }
    let run = Run::new(settings)?;
    let name = |number: usize| format!("release-{number}");
    let modules = (0..releases.len()).map(|it| format!("<module>{}</module>", name(it)));
    run.add_project(
        "",
        &project_of("releases", &format!("<modules>{}</modules>", modules.collect::<String>())),
    )?;
    for (number, release) in releases.iter().enumerate() {
        run.add_project(&name(number), &alone(&name(number), release))?;
    }
    let ended = run.to_end(RUN_TIME, &["--fail-at-end"])?;
    let jar = |number: usize| run.class_path(&name(number))?.into_iter().next();
    let numbered = releases.iter().enumerate();
    let found: Vec<_> = numbered.filter_map(|(number, it)| Some((it.clone(), jar(number)?))).collect();
    if found.is_empty() { Err(ended.failure) } else { Ok(found) }
}

/// A project that depends on an artifact and on nothing that this one needs.
fn alone(name: &str, artifact: &Coordinates) -> String {
    project_of(name, &format!("<dependencies>\n{}</dependencies>", dependency(artifact, ALONE)))
}

/// The coordinates that a jar gives itself in its `pom.properties`. Of several, as in jars made of
/// others, only those that the name of the file repeats count.
pub fn coordinates_of(jar: &Path) -> Option<Coordinates> {
    let archive = Archive::open(jar).ok()?;
    let mut entries: Vec<ArchiveEntry> = Vec::new();
    let visited = archive.visit(|_, path, entry| {
        if path.starts_with(b"META-INF/maven/") && path.ends_with(b"/pom.properties") {
            entries.push(entry);
        }
    });
    visited.ok()?;
    let mut reader = EntryReader::new();
    let mut read =
        |it: &ArchiveEntry| of_properties(&String::from_utf8_lossy(reader.read(&archive, it).ok()?));
    let all: Vec<Coordinates> = entries.iter().filter_map(&mut read).collect();
    match all.as_slice() {
        [only] => Some(only.clone()),
        several => {
            let stem = jar.file_stem()?.to_str()?;
            let repeats = |it: &&Coordinates| stem == format!("{}-{}", it.artifact, it.version);
            several.iter().find(repeats).cloned()
        }
    }
}

fn of_properties(text: &str) -> Option<Coordinates> {
    let property = |name: &str| {
        let line =
            text.lines().find_map(|line| line.trim().strip_prefix(name)?.trim_start().strip_prefix('='));
        line.map(str::trim)
    };
    let (group, artifact, version) = (property("groupId")?, property("artifactId")?, property("version")?);
    format!("{group}:{artifact}:{version}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_the_list_alone() {
        let metadata = "<metadata><version>9</version><versioning><release>2</release><versions>\n\
                        <version>1.0</version><version> 2 </version><version>${x}</version></versions>\
                        </versioning></metadata>";
        assert_eq!(versions_in(metadata), ["1.0", "2"]);
        assert!(versions_in("<versions><version>1").is_empty());
        assert!(versions_in("").is_empty());
    }

    #[test]
    fn properties_give_coordinates_unless_they_hold_placeholders() {
        let read = of_properties("#made\nversion = 1.2\ngroupId=shop\nartifactId=till\n").unwrap();
        assert_eq!(read.to_string(), "shop:till:jar:1.2");
        assert!(of_properties("version=${v}\ngroupId=shop\nartifactId=till\n").is_none());
        assert!(of_properties("groupId=shop\nartifactId=till\n").is_none());
    }
}
