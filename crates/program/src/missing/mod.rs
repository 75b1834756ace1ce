//! Classes that a program names and the class path lacks, and the artifacts that would bring them.
//!
//! A class that a method mentions need not be needed: a JVM looks for it only when the code that
//! names it runs. So the classes listed here may stand in the way; only a supertype of a class on
//! the class path surely does.

mod artifacts;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::classes::{Classes, MethodId};
use crate::code::{Mentioned, mentions};
use crate::hierarchy::Supertype;
use crate::index::ClassRef;
use crate::source::EntryKind;

/// A class that is not on the class path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MissingClass {
    /// Its name, with dots.
    pub class: String,
    /// A class that needs it.
    pub needed_by: String,
    /// The artifact to add, as `group:artifact:version`, if the package tells.
    pub coordinates: Option<String>,
    /// Otherwise a jar of the class path with packages like its own: another part of the same
    /// software, which should have the same version.
    pub beside: Option<String>,
}

impl MissingClass {
    /// A class that a class path lacks; none if it has it. Names are those of the JVM or with dots.
    pub fn new(classes: &Classes<'_>, class: &str, needed_by: &str) -> Option<Self> {
        let internal = class.replace('.', "/");
        if !is_missing(classes, &internal) {
            return None;
        }
        let class = internal.replace('/', ".");
        let coordinates = artifacts::coordinates(&class).map(str::to_owned);
        let beside = if coordinates.is_none() { beside(classes, &internal) } else { None };
        Some(Self { class, needed_by: needed_by.replace('/', "."), coordinates, beside })
    }

    /// Advice for the user.
    pub fn advice(&self) -> String {
        let Self { class, needed_by, .. } = self;
        let what = match needed_by.as_str() {
            "" => format!("{class} is not on the class path"),
            needed_by => format!("{class}, which {needed_by} needs, is not on the class path"),
        };
        match (&self.coordinates, &self.beside) {
            (Some(coordinates), _) => format!("{what}: --maven {coordinates} may bring it"),
            (None, Some(jar)) => format!("{what}: it may come with {jar} from the same place"),
            (None, None) => what,
        }
    }
}

/// Missing classes that may keep methods from running, each once: supertypes of their classes,
/// types that they use, and types of their parameters.
pub fn missing_classes(
    classes: &Classes<'_>,
    methods: impl IntoIterator<Item = MethodId>,
) -> Vec<MissingClass> {
    let mut found: Vec<MissingClass> = Vec::new();
    for method in methods {
        for missing in above(classes, method.class).into_iter().chain(mentioned(classes, method)) {
            if found.iter().all(|it| it.class != missing.class) {
                found.push(missing);
            }
        }
    }
    found
}

/// The missing ones among the types that a class extends and implements. A JVM cannot load the
/// class without them.
fn above(classes: &Classes<'_>, class: ClassRef) -> Vec<MissingClass> {
    let Some(view) = classes.index().view(class) else { return Vec::new() };
    let above = classes.hierarchy().supertypes(view.name()).into_iter();
    let missing = above.filter_map(|it| match it {
        Supertype::Missing(name) => MissingClass::new(classes, &name, view.name()),
        Supertype::Known(_) => None,
    });
    missing.collect()
}

/// The missing ones among the classes that a method uses or takes, in the order of their names.
fn mentioned(classes: &Classes<'_>, method: MethodId) -> Vec<MissingClass> {
    let Some(view) = classes.index().view(method.class) else { return Vec::new() };
    let mut names: BTreeSet<String> = BTreeSet::new();
    let descriptor = method.view(classes.index()).map(|it| it.descriptor()).unwrap_or_default();
    let parameters = descriptor.split_once(')').map_or("", |(parameters, _)| parameters);
    // Everything between an L and a semicolon is the name of a class.
    names.extend(parameters.split(';').filter_map(|it| Some(it.split_once('L')?.1.to_owned())));
    classes.with_body(method, |body| {
        for mention in mentions(body) {
            names.extend(class_of(&mention.what));
        }
    });
    names.iter().filter_map(|it| MissingClass::new(classes, it, view.name())).collect()
}

fn class_of(what: &Mentioned<'_>) -> Option<String> {
    match what {
        Mentioned::New(class)
        | Mentioned::FieldOwner(class)
        | Mentioned::MethodOwner(class)
        | Mentioned::Caught(class) => Some(class.to_str().into_owned()),
        _ => None,
    }
}

/// Whether no entry has a class. A class path without a JDK does not tell which classes are
/// missing.
fn is_missing(classes: &Classes<'_>, internal_name: &str) -> bool {
    let index = classes.index();
    index.get("java/lang/Object").is_some()
        && !is_reserved_for_jdk(internal_name)
        && !internal_name.starts_with('[')
        && index.get(internal_name).is_none()
}

/// Whether only a JDK can bring a class: class loaders refuse to define others below `java`
/// (`ClassLoader.defineClass`), so no jar would help.
fn is_reserved_for_jdk(internal_name: &str) -> bool {
    internal_name.starts_with("java/")
}

/// The jar with the package that has most names in common with that of a class, from two on.
fn beside(classes: &Classes<'_>, internal_name: &str) -> Option<String> {
    let names: Vec<&str> = internal_name.split('/').collect();
    let common = |package: &str| package.split('/').zip(&names).take_while(|(a, b)| a == *b).count();
    let mut best: Option<(usize, ClassRef)> = None;
    for (package, members) in classes.index().packages() {
        let common = common(package);
        let is_jar = |it: &&ClassRef| classes.entry(**it).is_some_and(|it| it.kind == EntryKind::Jar);
        if common >= 2 && best.is_none_or(|(most, _)| common > most) {
            best = members.iter().find(is_jar).map(|it| (common, *it)).or(best);
        }
    }
    best.and_then(|(_, class)| classes.entry(class)).map(|it| it.display.clone())
}
