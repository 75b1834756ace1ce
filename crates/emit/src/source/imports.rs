//! The names of types in a source, and the imports that make them short.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crashback_classfile::Primitive;
use crashback_program::ClassIndex;
use crashback_program::index::Nesting;

use super::java_type::{Argument, JavaType};

/// Gives types names: simple ones where nothing else has them, else qualified ones. The first to
/// ask for a simple name gets it.
pub(crate) struct Imports<'a> {
    index: &'a ClassIndex,
    /// Package of the source, in internal form.
    package: &'a str,
    /// Simple names of the classes that the source declares.
    own_classes: BTreeSet<&'a str>,
    /// Classes that simple names stand for.
    simple: RefCell<BTreeMap<String, String>>,
    /// First parts of the qualified names that were given.
    packages: RefCell<BTreeSet<String>>,
    /// Static members that were asked for, by qualified names.
    statics: RefCell<BTreeSet<String>>,
}

impl<'a> Imports<'a> {
    pub(crate) fn new(index: &'a ClassIndex, package: &'a str, own_classes: BTreeSet<&'a str>) -> Self {
        let (simple, packages, statics) = Default::default();
        Self { index, package, own_classes, simple, packages, statics }
    }

    /// The name of a type, with its arguments.
    pub(crate) fn type_name(&self, of: &JavaType) -> String {
        match of {
            JavaType::Primitive(letter) => {
                let primitive = u8::try_from(*letter).ok().and_then(Primitive::from_letter);
                primitive.map_or("void", Primitive::java_name).to_owned()
            }
            JavaType::Array(element) => format!("{}[]", self.type_name(element)),
            JavaType::Variable(name) => name.clone(),
            JavaType::Class { name, arguments } if arguments.is_empty() => self.class_name(name),
            JavaType::Class { name, arguments } => {
                let arguments: Vec<String> = arguments.iter().map(|it| self.argument(it)).collect();
                format!("{}<{}>", self.class_name(name), arguments.join(", "))
            }
        }
    }

    fn argument(&self, argument: &Argument) -> String {
        match argument {
            Argument::Any => "?".to_owned(),
            Argument::Exact(of) => self.type_name(of),
            Argument::Extends(of) => format!("? extends {}", self.type_name(of)),
            Argument::Super(of) => format!("? super {}", self.type_name(of)),
        }
    }

    /// The name of a class: `List`, `Map.Entry`, `java.awt.List`.
    pub(crate) fn class_name(&self, internal: &str) -> String {
        match self.index.get(internal).map(|it| it.nesting()) {
            Some(Nesting::Member { outer, name }) if outer != internal => {
                format!("{}.{name}", self.class_name(outer))
            }
            _ => self.top_level_name(internal),
        }
    }

    fn top_level_name(&self, internal: &str) -> String {
        let (package, simple) = internal.rsplit_once('/').unwrap_or(("", internal));
        let mut taken = self.simple.borrow_mut();
        if taken.get(simple).is_some_and(|it| it == internal) {
            return simple.to_owned();
        }
        let in_package = |package: &str| {
            let name = if package.is_empty() { simple.to_owned() } else { format!("{package}/{simple}") };
            self.index.contains(&name)
        };
        let shadows = |other: &str| package != other && in_package(other);
        let is_free = !self.own_classes.contains(simple)
            && !taken.contains_key(simple)
            // A class of the source's own package is found before those of java.lang, and either
            // would confuse a reader.
            && !shadows(self.package)
            && (package == self.package || !shadows("java/lang"));
        if is_free || package.is_empty() {
            taken.insert(simple.to_owned(), internal.to_owned());
            simple.to_owned()
        } else {
            self.packages.borrow_mut().extend(internal.split('/').next().map(str::to_owned));
            internal.replace('/', ".")
        }
    }

    /// The simple name of a static member of a class, both by the names of sources.
    pub(crate) fn static_member(&self, class: &str, member: &str) -> String {
        self.statics.borrow_mut().insert(format!("{class}.{member}"));
        member.to_owned()
    }

    /// The static members to import, by qualified names in order.
    pub(crate) fn statics_to_import(&self) -> BTreeSet<String> {
        self.statics.borrow().clone()
    }

    /// The first parts of qualified names, which no variable may have as its name.
    pub(crate) fn qualifying_packages(&self) -> BTreeSet<String> {
        self.packages.borrow().clone()
    }

    /// The classes to import, by qualified names in order.
    pub(crate) fn to_import(&self) -> BTreeSet<String> {
        let taken = self.simple.borrow();
        let needs_import = |internal: &&String| {
            let package = internal.rsplit_once('/').map_or("", |(package, _)| package);
            !package.is_empty() && package != "java/lang" && package != self.package
        };
        taken.values().filter(needs_import).map(|it| it.replace('/', ".")).collect()
    }
}
