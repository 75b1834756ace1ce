//! The name and version that a jar gives itself, for people and for comparing with the versions a
//! log shows.

use serde::{Deserialize, Serialize};

use crate::manifest::Manifest;

/// Name and version of a class-path entry's content, as far as known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    pub(crate) name: Option<String>,
    pub(crate) version: Option<String>,
}

impl Identity {
    /// From the manifest and the jar's own `pom.properties`. `Implementation-Version` comes first
    /// because loggers print it after a frame. Parts that are unknown stay open for
    /// [`Self::or_file_name`].
    pub(crate) fn of_jar(manifest: &Manifest, pom_properties: Option<&[u8]>) -> Self {
        let properties = pom_properties.map(String::from_utf8_lossy).unwrap_or_default();
        let property = |name: &str| {
            let value = properties
                .lines()
                .find_map(|line| line.trim().strip_prefix(name)?.trim_start().strip_prefix('='));
            value.map(|value| value.trim().to_owned())
        };
        let attribute = |name: &str| manifest.get(name).map(str::to_owned);
        // Builds sometimes leave a placeholder such as ${project.version}.
        let filled = |value: &String| !value.is_empty() && !value.contains('$');
        let versions =
            [attribute("Implementation-Version"), property("version"), attribute("Bundle-Version")];
        Self {
            name: property("artifactId").filter(filled),
            version: versions.into_iter().flatten().find(filled),
        }
    }

    /// Fills in the unknown parts from a file name such as `commons-lang3-3.17.0.jar`.
    pub(crate) fn or_file_name(self, file_name: &str) -> Self {
        let stem = match file_name.rsplit_once('.') {
            Some((stem, extension))
                if ["jar", "war", "zip"].iter().any(|known| extension.eq_ignore_ascii_case(known)) =>
            {
                stem
            }
            _ => file_name,
        };
        let starts_version = |at: &usize| {
            stem.get(at + 1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        let dash = stem.match_indices('-').map(|(at, _)| at).find(starts_version);
        let (name, version) = match dash.and_then(|at| stem.split_at_checked(at)) {
            Some((name, version)) => (name, version.strip_prefix('-')),
            None => (stem, None),
        };
        Self {
            name: self.name.or_else(|| Some(name.to_owned()).filter(|name| !name.is_empty())),
            version: self.version.or_else(|| version.map(str::to_owned)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(manifest: &str, properties: &str, file: &str, name: &str, version: Option<&str>) {
        let identity = Identity::of_jar(&Manifest::parse(manifest.as_bytes()), Some(properties.as_bytes()));
        let identity = identity.or_file_name(file);
        assert_eq!((identity.name.as_deref(), identity.version.as_deref()), (Some(name), version));
    }

    #[test]
    fn file_names_split_before_the_first_number_after_a_dash() {
        check("", "", "commons-lang3-3.17.0.jar", "commons-lang3", Some("3.17.0"));
        check(
            "",
            "",
            "xwiki-platform-oldcore-8.4-SNAPSHOT.jar",
            "xwiki-platform-oldcore",
            Some("8.4-SNAPSHOT"),
        );
        check("", "", "log4j-1.2-api-2.17.jar", "log4j", Some("1.2-api-2.17"));
        check("", "", "my app.JAR", "my app", None);
        check("", "", "junit4", "junit4", None);
    }

    #[test]
    fn manifest_and_properties_come_first_unless_they_hold_placeholders() {
        let manifest = "Implementation-Version: 2.0\nBundle-Version: 2.0.0.v1\n";
        check(manifest, "version=1.9\nartifactId=core\n", "x-1.0.jar", "core", Some("2.0"));
        check("Bundle-Version: 3\n", "version = 1.9\n", "x-1.0.jar", "x", Some("1.9"));
        check("Implementation-Version: ${v}\n", "", "x-1.0.jar", "x", Some("1.0"));
    }
}
