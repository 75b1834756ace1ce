use crashback_program::hierarchy::{Hierarchy, Supertype};
use crashback_program::index::Nesting;
use crashback_program::names;
use crashback_program::{ClassIndex, ClassView, MemberView};

use crate::{MemberName, Problem, TypeRef};

/// The place of a test: the classes around it and the package it lies in. Says what a source file
/// there can name and access.
///
/// Accessibility is that of JLS 6.6 for a class that extends nothing: `protected` means the same
/// package. A test lies in the unnamed module, reads every module, and sees the packages that these
/// export to everybody. Whether a JVM lets a test into the package at all (that of a signed jar, or
/// one of the JDK) is not asked.
///
/// A class that a source would have to name must be on the class path. Where only a class *above* a
/// named one is missing, a question may have no answer; then nothing is called invalid. No
/// ill-typed value comes of it: a JVM loads no class without all its supertypes, so there is no
/// object for the question to be about.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    index: &'a ClassIndex,
    package: &'a str,
}

impl<'a> Context<'a> {
    /// A test in this package, in internal form (`java/util`), empty for the unnamed one.
    pub fn new(index: &'a ClassIndex, package: &'a str) -> Self {
        Self { index, package }
    }

    /// The classes around.
    pub fn index(self) -> &'a ClassIndex {
        self.index
    }

    /// Type questions over the classes around.
    pub fn hierarchy(self) -> Hierarchy<'a> {
        Hierarchy::new(self.index)
    }

    /// The package of the test.
    pub fn package(self) -> &'a str {
        self.package
    }

    /// Whether a source can name the type: it exists, is accessible with all classes around it, and
    /// has a name that Java can write.
    pub fn check_type(self, of: TypeRef<'_>) -> Result<(), Problem> {
        if !of.is_well_formed() {
            return Err(Problem::MalformedType(of.into()));
        }
        of.innermost().class_name().map_or(Ok(()), |name| self.class(name).map(drop))
    }

    /// The class, if a source can name it.
    pub fn class(self, name: &str) -> Result<ClassView<'a>, Problem> {
        let class = self.known_class(name)?;
        self.check_class(class, DEEPEST_NESTING)?;
        Ok(class)
    }

    /// The method or constructor, if a source can call it through its owner: the declaration that a
    /// compiler would find, which is above the bridge that a JVM finds first. None if a class above
    /// the owner is missing and with it the answer.
    pub fn method(self, member: &MemberName) -> Result<Option<MemberView<'a>>, Problem> {
        if member.owner.starts_with('[') {
            return self.array_method(member);
        }
        let owner = self.class(&member.owner)?;
        self.method_through(owner, &member.name, &member.descriptor).map_err(|it| it.problem(member))
    }

    /// The same for a name whose owner is a class that a source can name.
    fn method_through(
        self,
        owner: ClassView<'a>,
        name: &str,
        descriptor: &str,
    ) -> Result<Option<MemberView<'a>>, Refusal> {
        let resolved = match name {
            "<clinit>" => return Err(Refusal::Initialiser),
            // Constructors are not inherited.
            "<init>" => owner.method("<init>", descriptor),
            _ if !names::is_identifier(name) => return Err(Refusal::NoName),
            _ => self.hierarchy().resolve_method(owner.name(), name, descriptor),
        };
        let Some(resolved) = resolved else {
            let is_certain = name == "<init>" || self.knows_all_above(owner.name());
            return if is_certain { Err(Refusal::Unknown) } else { Ok(None) };
        };
        self.callable(owner, resolved).map(Some)
    }

    /// What a source calls through an owner where a JVM finds a method or constructor.
    fn callable(self, owner: ClassView<'a>, resolved: MemberView<'a>) -> Result<MemberView<'a>, Refusal> {
        if !resolved.is_synthetic() {
            return self.access(owner, resolved);
        }
        // The bridge makes a method of an inaccessible class or an erased signature callable, which
        // the sources declare above it.
        let declared = self.declared_above(resolved).and_then(|it| self.access(owner, it).ok());
        declared.ok_or(Refusal::Synthetic)
    }

    /// What a source calls through an owner by name and parameters of a method or constructor that the
    /// owner or a type above it declares, and that no type nearer to the owner overrides. Of a class and the
    /// classes above it that is the method which a JVM finds; there is no need to look for it.
    pub(crate) fn inherited_method(
        self,
        owner: ClassView<'a>,
        method: MemberView<'a>,
    ) -> Option<MemberView<'a>> {
        let name = method.name();
        let is_own = method.class().reference() == owner.reference();
        let is_found = is_own || !owner.is_interface() && !method.class().is_interface();
        if !is_found || name == "<init>" && !is_own || name == "<clinit>" {
            return self.method_through(owner, name, method.descriptor()).ok().flatten();
        }
        let is_possible = name == "<init>" || names::is_identifier(name);
        is_possible.then(|| self.callable(owner, method).ok()).flatten()
    }

    /// The field, if a source can read it through its owner. None if a class above the owner is
    /// missing and with it the answer.
    pub fn field(self, member: &MemberName) -> Result<Option<MemberView<'a>>, Problem> {
        if member.owner.starts_with('[') {
            return Err(Problem::UnknownMember(member.clone()));
        }
        let owner = self.class(&member.owner)?;
        self.field_through(owner, &member.name, &member.descriptor).map_err(|it| it.problem(member))
    }

    /// The same for a name whose owner is a class that a source can name.
    fn field_through(
        self,
        owner: ClassView<'a>,
        name: &str,
        descriptor: &str,
    ) -> Result<Option<MemberView<'a>>, Refusal> {
        match self.hierarchy().resolve_field(owner.name(), name, descriptor) {
            Some(field) => self.readable(owner, field).map(Some),
            None if self.knows_all_above(owner.name()) => Err(Refusal::Unknown),
            None => Ok(None),
        }
    }

    fn readable(self, owner: ClassView<'a>, field: MemberView<'a>) -> Result<MemberView<'a>, Refusal> {
        match field {
            _ if field.is_synthetic() => Err(Refusal::Synthetic),
            _ if !names::is_identifier(field.name()) => Err(Refusal::NoName),
            _ => self.access(owner, field),
        }
    }

    /// What a source reads through an owner by name and type of a field that the owner or a type above it
    /// declares.
    pub(crate) fn inherited_field(
        self,
        owner: ClassView<'a>,
        field: MemberView<'a>,
    ) -> Option<MemberView<'a>> {
        match field.class().reference() == owner.reference() {
            true => self.readable(owner, field).ok(),
            false => self.field_through(owner, field.name(), field.descriptor()).ok().flatten(),
        }
    }

    /// Whether `new` needs an object around the one it makes: the class is a member of another and
    /// not static.
    pub fn has_outer_instance(self, class: ClassView<'_>) -> bool {
        matches!(class.nesting(), Nesting::Member { .. }) && !class.is_static()
    }

    /// Arrays have the public methods of `Object`, and their `clone` is public too (JLS 10.7).
    fn array_method(self, member: &MemberName) -> Result<Option<MemberView<'a>>, Problem> {
        self.check_type(TypeRef(&member.owner))?;
        let object = self.known_class("java/lang/Object")?;
        let method = object.method(&member.name, &member.descriptor);
        let method = method.ok_or_else(|| Problem::UnknownMember(member.clone()))?;
        match member.name.as_str() {
            "clone" => Ok(Some(method)),
            name if name != "<init>" && method.is_public() => Ok(Some(method)),
            _ => Err(Problem::InaccessibleMember(member.clone())),
        }
    }

    fn known_class(self, name: &str) -> Result<ClassView<'a>, Problem> {
        self.index.get(name).ok_or_else(|| Problem::UnknownClass(name.to_owned()))
    }

    /// Follows a class outwards: each class around it must be accessible too, because its name is a
    /// part of the name.
    fn check_class(self, class: ClassView<'a>, depth: u8) -> Result<(), Problem> {
        let name = || class.name().to_owned();
        let outer = match (class.nesting(), depth.checked_sub(1)) {
            (Nesting::Anonymous | Nesting::Local { .. }, _) | (_, None) => {
                return Err(Problem::NamelessClass(name()));
            }
            (Nesting::Member { outer, name }, Some(depth)) => Some((outer, name, depth)),
            (Nesting::TopLevel, _) => None,
        };
        let access = class.declared_access();
        if !access.is_public() && (access.is_private() || class.package() != self.package) {
            return Err(Problem::InaccessibleClass(name()));
        }
        if !class.is_exported() && class.package() != self.package {
            return Err(Problem::UnexportedClass(name()));
        }
        match outer {
            None if class.is_synthetic() => Err(Problem::SyntheticClass(name())),
            None if class.package().is_empty() && !self.package.is_empty() => {
                Err(Problem::UnnamedPackage(name()))
            }
            None if class.name().split('/').all(names::is_identifier) => Ok(()),
            Some((outer, simple, depth)) if names::is_identifier(simple) => {
                self.check_class(self.known_class(outer)?, depth)
            }
            _ => Err(Problem::NotAJavaName(name())),
        }
    }

    fn access(self, owner: ClassView<'a>, found: MemberView<'a>) -> Result<MemberView<'a>, Refusal> {
        let access = found.access();
        let is_accessible = access.is_public()
            || !access.is_private()
                && found.class().package() == self.package
                && (access.is_protected() || self.inherits_in_package(owner, found.class()));
        if is_accessible { Ok(found) } else { Err(Refusal::Inaccessible) }
    }

    /// Whether a class has a package-private member of another: such members are inherited within
    /// the package only (JLS 8.2), so no class in between may lie elsewhere.
    fn inherits_in_package(self, owner: ClassView<'a>, declaring: ClassView<'a>) -> bool {
        let mut classes = self.hierarchy().superclasses(owner.name());
        let mut below = classes.by_ref().take_while(|it| it.reference() != declaring.reference());
        below.all(|it| it.package() == declaring.package())
    }

    /// What the nearest source above a compiler's method declares under the same name and
    /// descriptor.
    fn declared_above(self, bridge: MemberView<'a>) -> Option<MemberView<'a>> {
        let above =
            self.hierarchy().supertypes(bridge.class().name()).into_iter().filter_map(Supertype::known);
        let mut declared = above.filter_map(|class| class.method(bridge.name(), bridge.descriptor()));
        declared.find(|it| !it.is_synthetic() && !it.is_private() && it.is_static() == bridge.is_static())
    }

    fn knows_all_above(self, name: &str) -> bool {
        self.hierarchy().supertypes(name).iter().all(|it| matches!(it, Supertype::Known(_)))
    }
}

/// Why a source cannot use a member, without its name: all members of a class are asked for, and most
/// answers are looked at no further.
#[derive(Clone, Copy)]
enum Refusal {
    Initialiser,
    NoName,
    Unknown,
    Synthetic,
    Inaccessible,
}

impl Refusal {
    fn problem(self, member: &MemberName) -> Problem {
        match self {
            Self::Initialiser => Problem::InitialiserCalled(member.clone()),
            Self::NoName => Problem::NotAJavaName(member.name.clone()),
            Self::Unknown => Problem::UnknownMember(member.clone()),
            Self::Synthetic => Problem::SyntheticMember(member.clone()),
            Self::Inaccessible => Problem::InaccessibleMember(member.clone()),
        }
    }
}

/// Classes are not nested deeper than this; a damaged class path may claim that two are nested in
/// each other.
const DEEPEST_NESTING: u8 = 100;
