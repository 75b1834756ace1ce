use std::fs;
use std::path::PathBuf;

use crashback_classpath::maven::{Coordinates, Settings};
use crashback_classpath::{CacheSettings, ClassPath, Error, Request};
use crashback_program::ClassSource;

fn request(coordinates: &[&str]) -> Request {
    let maven = coordinates.iter().map(|text| text.parse::<Coordinates>().unwrap()).collect();
    Request { maven, ..Request::default() }
}

#[test]
fn coordinates_bring_what_they_need() {
    let cache = tempfile::tempdir().unwrap();
    let cache = Some(CacheSettings::new(cache.path()));
    let request = Request { cache, ..request(&["junit:junit:4.13.2"]) };
    let loaded = ClassPath::load(&request).unwrap();
    let entries: Vec<_> = loaded.entries().map(|entry| entry.display.clone()).collect();
    assert_eq!(entries, ["junit-4.13.2.jar", "hamcrest-core-1.3.jar"]);
    let version =
        loaded.entry(loaded.index().places("org/junit/Assert").next().unwrap()).unwrap().version.clone();
    assert_eq!(version.as_deref(), Some("4.13.2"));

    // Now the answer is known, so that not even a Maven is needed.
    let no_maven = Settings { program: PathBuf::from("no-such-maven"), ..Settings::default() };
    let again = ClassPath::load(&Request { maven_settings: no_maven.clone(), ..request.clone() }).unwrap();
    assert_eq!(again.launch_path(), loaded.launch_path());

    // An answer whose files are gone is not believed.
    let folder = request.cache.as_ref().unwrap().directory.clone();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = fs::read_to_string(&path) else { continue };
        fs::write(&path, text.replace(".jar", ".gone")).unwrap();
    }
    let error = ClassPath::load(&Request { maven_settings: no_maven, ..request }).err().unwrap();
    assert!(matches!(error, Error::NoMaven { .. }), "{error}");
}

#[test]
fn an_unknown_artifact_is_named() {
    let error =
        ClassPath::load(&request(&["junit:junit:4.13.2", "junit:junit-of-nobody:0.0.1"])).err().unwrap();
    match &error {
        Error::UnknownArtifact { artifact } => assert!(artifact.contains("junit-of-nobody"), "{error}"),
        other => panic!("{other}"),
    }
}

#[test]
fn a_missing_maven_is_a_clear_error() {
    let maven_settings = Settings { program: PathBuf::from("no-such-maven"), ..Settings::default() };
    let error = ClassPath::load(&Request { maven_settings, ..request(&["g:a:1"]) }).err().unwrap();
    assert!(error.to_string().contains("no-such-maven"), "{error}");
}

#[test]
fn offline_means_that_nothing_is_fetched() {
    let maven_settings = Settings { offline: true, ..Settings::default() };
    let error =
        ClassPath::load(&Request { maven_settings, ..request(&["g.never:fetched:1"]) }).err().unwrap();
    assert!(matches!(error, Error::MavenOffline { .. }), "{error}");
}
