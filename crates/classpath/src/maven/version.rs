//! The order of versions, as Maven sees it.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Qualifiers before a release, in their order; a release itself comes after `snapshot`.
const BEFORE_RELEASE: [&[&str]; 5] =
    [&["alpha", "a"], &["beta", "b"], &["milestone", "m"], &["rc", "cr"], &["snapshot"]];

/// Compares versions part by part: numbers by value, pre-releases before their release, any other
/// qualifier after it.
pub fn version_order(one: &str, other: &str) -> Ordering {
    let (one, other) = (parts(one), parts(other));
    let length = one.len().max(other.len());
    let part = |parts: &[Part], index: usize| parts.get(index).cloned().unwrap_or(Part::NONE);
    (0..length)
        .map(|it| part(&one, it).cmp(&part(&other, it)))
        .find(|it| it.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// The versions nearest to one, that one excluded: the next older and newer first, then those
/// beyond. At most so many.
pub fn nearest(versions: &[String], to: &str, most: usize) -> Vec<String> {
    let mut sorted: Vec<&String> = versions.iter().filter(|it| version_order(it, to).is_ne()).collect();
    sorted.sort_by(|one, other| version_order(one, other));
    sorted.dedup();
    let newer = sorted.partition_point(|it| version_order(it, to).is_lt());
    let (older, newer) = sorted.split_at_checked(newer).unwrap_or_default();
    // The older one of two at the same distance comes first: logs lag behind class paths.
    let older = older.iter().rev().enumerate().map(|(distance, it)| ((distance, false), *it));
    let newer = newer.iter().enumerate().map(|(distance, it)| ((distance, true), *it));
    let by_distance: BTreeMap<(usize, bool), &String> = older.chain(newer).collect();
    by_distance.into_values().take(most).cloned().collect()
}

/// A part of a version: the rank of its kind, then its value or name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Part(usize, u64, String);

impl Part {
    /// Absent, which is as much as a zero.
    const NONE: Self = Self(BEFORE_RELEASE.len(), 0, String::new());
}

fn parts(version: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for word in version.split(['.', '-', '_', '+']) {
        let mut rest = word;
        while let Some(first) = rest.chars().next() {
            let is_number = first.is_ascii_digit();
            let end = rest.find(|it: char| it.is_ascii_digit() != is_number).unwrap_or(rest.len());
            let (token, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            parts.push(part(token, is_number));
            rest = after;
        }
    }
    parts
}

fn part(token: &str, is_number: bool) -> Part {
    let release = BEFORE_RELEASE.len();
    if is_number {
        let value = token.parse().unwrap_or(u64::MAX);
        return if value == 0 { Part::NONE } else { Part(release + 2, value, String::new()) };
    }
    let name = token.to_lowercase();
    if matches!(name.as_str(), "final" | "ga" | "release") {
        return Part::NONE;
    }
    match BEFORE_RELEASE.iter().position(|names| names.contains(&name.as_str())) {
        Some(rank) => Part(rank, 0, String::new()),
        None => Part(release + 1, 0, name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_people_number_them() {
        let ordered =
            ["0.9", "1.0-alpha", "1.0-alpha2", "1.0-beta", "1.0-rc1", "1.0-RC2", "1.0-SNAPSHOT", "1.0"];
        let ordered = ordered.into_iter().chain(["1.0-jre", "1.0.1", "1.2", "1.10", "2-20040616", "20.0"]);
        let ordered: Vec<&str> = ordered.collect();
        for (place, one) in ordered.iter().enumerate() {
            for (other_place, other) in ordered.iter().enumerate() {
                assert_eq!(version_order(one, other), place.cmp(&other_place), "{one} {other}");
            }
        }
        assert_eq!(version_order("1.0", "1.0.0.Final"), Ordering::Equal);
    }

    #[test]
    fn the_nearest_versions_alternate_around_the_given_one() {
        let all = ["3.0", "1.0", "1.1", "1.2", "2.0", "1.3"].map(str::to_owned);
        assert_eq!(nearest(&all, "1.2", 4), ["1.1", "1.3", "1.0", "2.0"]);
        assert_eq!(nearest(&all, "1.2.5", 3), ["1.2", "1.3", "1.1"], "a version that is not listed");
        assert_eq!(nearest(&all, "9", 2), ["3.0", "2.0"]);
        assert!(nearest(&[], "1", 3).is_empty());
    }
}
