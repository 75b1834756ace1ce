//! Subtypes and members: the types above and below a class, and the method that a call means.
//!
//! Class paths are often incomplete, so questions about types have three answers: yes, no, and "a
//! class on the way is missing". Nothing here reads code; the index suffices.

use std::collections::{BTreeSet, VecDeque};

use smallvec::SmallVec;

use crate::index::{ClassIndex, ClassRef, ClassView, MemberView};

const OBJECT: &str = "java/lang/Object";
/// The supertypes of every array type (JLS §4.10.3).
const ARRAY_SUPERTYPES: [&str; 3] = [OBJECT, "java/lang/Cloneable", "java/io/Serializable"];

/// Type questions over an index. All names are in internal form, arrays as descriptors
/// (`[Ljava/lang/String;`).
#[derive(Clone, Copy)]
pub struct Hierarchy<'a> {
    index: &'a ClassIndex,
}

impl<'a> Hierarchy<'a> {
    /// Asks questions of this index.
    pub fn new(index: &'a ClassIndex) -> Self {
        Self { index }
    }

    /// Whether a value of type `sub` may stand where `sup` is asked for; none if that hangs on a
    /// missing class.
    pub fn is_subtype(self, sub: &str, sup: &str) -> Option<bool> {
        if sub == sup || sup == OBJECT {
            return Some(true);
        }
        if let Some(component) = sub.strip_prefix('[') {
            return self.is_array_subtype(component, sup);
        }
        let known = self.index.get(sub)?;
        // Without a class of that name only names tell.
        let Some(wanted) = self.index.get(sup) else { return self.names_above(known, sup) };
        // Asked for every pair of types that tests meet, so it ends with the first that is found.
        let (wanted, mut missing) = (wanted.reference(), false);
        let mut above = SmallVec::<[ClassRef; 16]>::from_slice(&[known.reference()]);
        let mut next = 0;
        while let Some(class) = above.get(next).and_then(|it| self.index.view(*it)) {
            next += 1;
            for class in self.index.above(class) {
                match class {
                    Some(it) if *it == wanted => return Some(true),
                    Some(it) if !above.contains(it) => above.push(*it),
                    Some(_) => {}
                    None => missing = true,
                }
            }
        }
        if missing { None } else { Some(false) }
    }

    /// Whether a class names another, which is missing, as a type above it, directly or not; none if
    /// another one that is missing might.
    fn names_above(self, class: ClassView<'a>, sup: &str) -> Option<bool> {
        let mut missing = false;
        for above in self.supertypes(class.name()) {
            match above {
                Supertype::Missing(name) if name == sup => return Some(true),
                Supertype::Missing(_) => missing = true,
                Supertype::Known(_) => {}
            }
        }
        if missing { None } else { Some(false) }
    }

    fn is_array_subtype(self, component: &str, sup: &str) -> Option<bool> {
        let Some(sup_component) = sup.strip_prefix('[') else {
            return Some(ARRAY_SUPERTYPES.contains(&sup));
        };
        match (reference_component(component), reference_component(sup_component)) {
            (Some(sub), Some(sup)) => self.is_subtype(sub, sup),
            _ => Some(component == sup_component),
        }
    }

    /// Whether one of the two types is a subtype of the other; none if that hangs on a missing
    /// class.
    pub fn are_related(self, one: &str, other: &str) -> Option<bool> {
        match (self.is_subtype(one, other), self.is_subtype(other, one)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        }
    }

    /// The class itself and all its supertypes, nearest first, superclass before interfaces, each
    /// once.
    pub fn supertypes(self, name: &str) -> Vec<Supertype<'a>> {
        let Some(view) = self.index.get(name) else { return vec![Supertype::Missing(name.to_owned())] };
        let mut found = vec![Supertype::Known(view)];
        let mut next = 0;
        while let Some(below) = found.get(next) {
            next += 1;
            let Supertype::Known(below) = *below else { continue };
            let above = self.index.above(below);
            // Names are read only where a class is missing.
            let mut names = above.contains(&None).then(|| below.direct_supertypes());
            for class in above {
                let name = names.as_mut().and_then(Iterator::next);
                let view = class.and_then(|it| self.index.view(it));
                let is_known = found.iter().any(|it| match (it, view) {
                    (Supertype::Known(it), Some(view)) => it.reference() == view.reference(),
                    (Supertype::Missing(it), None) => name == Some(it),
                    _ => false,
                });
                if !is_known {
                    found.push(view.map_or_else(
                        || Supertype::Missing(name.unwrap_or_default().to_owned()),
                        Supertype::Known,
                    ));
                }
            }
        }
        found
    }

    /// All classes that extend or implement the class, directly or not, nearest first; without the
    /// class itself.
    pub fn subtypes(self, name: &str) -> Vec<ClassView<'a>> {
        let mut seen = BTreeSet::from([name]);
        let mut found: Vec<ClassView<'a>> = Vec::new();
        let mut open = VecDeque::from([name]);
        while let Some(next) = open.pop_front() {
            for view in self.index.direct_subtypes(next).iter().filter_map(|&it| self.index.view(it)) {
                if seen.insert(view.name()) {
                    open.push_back(view.name());
                    found.push(view);
                }
            }
        }
        found
    }

    /// The subtypes that can be instantiated, as the class itself if it can be.
    pub fn concrete_subtypes(self, name: &str) -> Vec<ClassView<'a>> {
        let own = self.index.get(name).into_iter();
        own.chain(self.subtypes(name)).filter(|it| !it.is_abstract() && !it.is_interface()).collect()
    }

    /// The method that a reference to `owner.name descriptor` means (JVMS §5.4.3.3 and §5.4.3.4):
    /// the superclasses from the owner upwards, then the most specific of the interfaces.
    pub fn resolve_method(self, owner: &str, name: &str, descriptor: &str) -> Option<MemberView<'a>> {
        // Arrays have the methods of Object.
        let owner = if owner.starts_with('[') { OBJECT } else { owner };
        let is_interface = self.index.get(owner).is_some_and(ClassView::is_interface);
        // Of Object an interface has the public methods alone.
        let is_inherited = |method: &MemberView<'_>| {
            !is_interface || method.class().is_interface() || (method.is_public() && !method.is_static())
        };
        let in_classes = self.superclasses(owner).filter_map(|class| class.method(name, descriptor));
        in_classes.into_iter().find(is_inherited).or_else(|| {
            let specific = self.most_specific(owner, name, descriptor);
            let mut with_body = specific.iter().filter(|method| !method.is_abstract());
            match (with_body.next(), with_body.next()) {
                (Some(only), None) => Some(*only),
                _ => specific.first().copied(),
            }
        })
    }

    /// The methods of superinterfaces that no other of them overrides, nearest first.
    fn most_specific(self, owner: &str, name: &str, descriptor: &str) -> Vec<MemberView<'a>> {
        let interfaces = self.supertypes(owner).into_iter().filter_map(Supertype::known);
        let declared: Vec<MemberView<'a>> = interfaces
            .filter(|class| class.is_interface())
            .filter_map(|class| class.method(name, descriptor))
            .filter(|method| !method.is_private() && !method.is_static())
            .collect();
        let overrides = |one: &MemberView<'a>, other: &MemberView<'a>| {
            let (one, other) = (one.class(), other.class());
            one.reference() != other.reference() && self.is_subtype(one.name(), other.name()) == Some(true)
        };
        let is_specific = |method: &&MemberView<'a>| !declared.iter().any(|it| overrides(it, method));
        declared.iter().filter(is_specific).copied().collect()
    }

    /// The field that a reference means (JVMS §5.4.3.2): for each class from the owner upwards its
    /// own fields, then those of its interfaces.
    pub fn resolve_field(self, owner: &str, name: &str, descriptor: &str) -> Option<MemberView<'a>> {
        self.superclasses(owner).find_map(|class| {
            let in_interfaces = || {
                let mut all = class.interfaces().flat_map(|it| self.supertypes(it));
                all.find_map(|it| it.known().filter(|it| it.is_interface())?.field(name, descriptor))
            };
            class.field(name, descriptor).or_else(in_interfaces)
        })
    }

    /// Whether an interface has one abstract method, by whatever name, so that a lambda can stand
    /// for it (JLS §9.8).
    pub fn is_functional(self, interface: &str) -> bool {
        if !self.index.get(interface).is_some_and(ClassView::is_interface) {
            return false;
        }
        let object = self.index.get(OBJECT);
        let is_of_object = |method: &MemberView<'_>| {
            let inherited = object.and_then(|it| it.method(method.name(), method.descriptor()));
            inherited.is_some_and(MemberView::is_public)
        };
        let known = self.supertypes(interface).into_iter().filter_map(Supertype::known);
        let abstract_methods = known
            .filter(|class| class.is_interface())
            .flat_map(ClassView::methods)
            .filter(|method| method.is_abstract() && !is_of_object(method))
            .filter(|method| {
                let resolved = self.resolve_method(interface, method.name(), method.descriptor());
                resolved.is_some_and(MemberView::is_abstract)
            });
        // Generic interfaces may declare the method again with other types. Most interfaces have a second
        // name soon.
        let mut names = abstract_methods.map(MemberView::name);
        names.next().is_some_and(|first| names.all(|it| it == first))
    }

    /// Every method with a body that a virtual or interface call of `owner.name descriptor` can
    /// run, by class hierarchy alone: the one that the reference resolves to, and the methods that
    /// subtypes [override](Self::may_override) it with.
    pub fn implementations(self, owner: &str, name: &str, descriptor: &str) -> Vec<MemberView<'a>> {
        let resolved = self.resolve_method(owner, name, descriptor);
        if let Some(private) = resolved.filter(|it| it.is_private()) {
            return vec![private];
        }
        let inherits = is_inherited_from_elsewhere(resolved);
        let in_subtypes = self.subtypes(owner).into_iter().filter_map(|class| {
            let method = match class.method(name, descriptor) {
                None if inherits && !class.is_interface() => {
                    self.resolve_method(class.name(), name, descriptor)
                }
                own => own,
            };
            method.filter(|it| !it.is_static() && !it.is_private())
        });
        let mut seen = BTreeSet::new();
        let all = resolved.into_iter().chain(in_subtypes).filter(|method| method.has_code());
        all.filter(|method| seen.insert((method.class().reference(), method.number()))).collect()
    }

    /// Whether an object on which `owner.name descriptor` is called may run this method in place of
    /// the one that the reference resolves to: its class is a subtype of the owner, or a subtype of
    /// both inherits it. Says the same as [`Self::implementations`] without going through all
    /// subtypes of the owner.
    pub fn may_override(self, owner: &str, name: &str, descriptor: &str, method: MemberView<'_>) -> bool {
        let resolved = self.resolve_method(owner, name, descriptor);
        let is_other = (method.name(), method.descriptor()) != (name, descriptor);
        if is_other || method.is_static() || method.is_private() || resolved.is_some_and(|it| it.is_private())
        {
            return false;
        }
        let is_below = |class: &str| class != owner && self.is_subtype(class, owner) == Some(true);
        let inherits = |class: &ClassView<'_>| {
            let runs = |it: MemberView<'_>| {
                (it.class().reference(), it.number()) == (method.class().reference(), method.number())
            };
            !class.is_interface()
                && is_below(class.name())
                && self.resolve_method(class.name(), name, descriptor).is_some_and(runs)
        };
        is_below(method.class().name())
            || is_inherited_from_elsewhere(resolved)
                && self.subtypes(method.class().name()).iter().any(inherits)
    }

    /// Whether one object may be of both types: one is a subtype of the other, or they have a
    /// common subtype; none if that hangs on a missing class.
    pub fn may_share_objects(self, one: &str, other: &str) -> Option<bool> {
        let related = self.are_related(one, other);
        if related != Some(false) {
            return related;
        }
        let below = self.subtypes(other);
        let common: Vec<Option<bool>> = below.iter().map(|it| self.is_subtype(it.name(), one)).collect();
        if common.contains(&Some(true)) {
            return Some(true);
        }
        if common.contains(&None) { None } else { Some(false) }
    }

    /// The class and its superclasses up to the first that is missing. Ends also where a damaged
    /// class path makes a class its own superclass.
    pub fn superclasses(self, name: &str) -> impl Iterator<Item = ClassView<'a>> + use<'a> {
        let index = self.index;
        let mut seen = SmallVec::<[ClassRef; 8]>::new();
        let mut next = index.get(name);
        std::iter::from_fn(move || {
            let view = next?;
            if seen.contains(&view.reference()) {
                return None;
            }
            seen.push(view.reference());
            next = index.superclass(view);
            Some(view)
        })
    }
}

/// Whether a class may get the method that a reference asks for from a superclass or interface that
/// is no subtype of the reference's owner: the reference resolves to nothing that the owner's
/// subclasses already have.
fn is_inherited_from_elsewhere(resolved: Option<MemberView<'_>>) -> bool {
    resolved.is_none_or(|it| it.is_abstract() || it.class().is_interface())
}

/// One type above another.
#[derive(Clone, Debug)]
pub enum Supertype<'a> {
    /// It is in the index.
    Known(ClassView<'a>),
    /// It is named by a class but not on the class path; the types above it are unknown.
    Missing(String),
}

impl<'a> Supertype<'a> {
    /// The name of the class.
    pub fn name(&self) -> &str {
        match self {
            Self::Known(view) => view.name(),
            Self::Missing(name) => name,
        }
    }

    /// The class, if it is in the index.
    pub fn known(self) -> Option<ClassView<'a>> {
        match self {
            Self::Known(view) => Some(view),
            Self::Missing(_) => None,
        }
    }
}

/// The type name in an array's component descriptor; none for primitives.
fn reference_component(descriptor: &str) -> Option<&str> {
    if descriptor.starts_with('[') {
        return Some(descriptor);
    }
    descriptor.strip_prefix('L').and_then(|it| it.strip_suffix(';'))
}
