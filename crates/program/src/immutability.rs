//! Types whose objects never change, found from the fields of classes.
//!
//! Objects of such types carry no state from one test to the next, so nothing has to be reset after
//! a test that got hold of one. Loggers that only wrap a name and the logger of a library are a
//! common case.

use std::collections::{BTreeSet, HashMap};

use crate::classes::Classes;
use crate::index::{ClassView, MemberView};
use crate::origins::is_jdk;

/// Superclasses of the JDK that add no state to their subclasses.
const STATELESS: [&str; 4] = ["java/lang/Object", "java/lang/Enum", "java/lang/Number", "java/lang/Record"];

/// The types of static fields, or of elements of arrays in them, whose objects never change; types
/// of the JDK and of classes that the class path lacks are left out. `is_known` names types that
/// are known to be immutable, the JDK's among them: fields do not tell about native state.
///
/// The class path is taken to be complete. An object is immutable if all its fields are final and
/// of primitive or immutable types and its class has no native methods. A type is immutable if the
/// objects of all its classes, subclasses included, are. A field whose type is not on the class
/// path is always null. Functional interfaces are not immutable, since lambdas may hold anything,
/// nor are interfaces that no class implements, since objects of these are made at run time.
pub fn immutable_types(classes: &Classes<'_>, is_known: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let found = Mutability::of(classes, is_known);
    let fields = found.classes.iter().flat_map(|it| it.fields()).filter(|it| it.is_static());
    let types = fields.filter_map(|it| it.element_class());
    types.filter(|it| found.is_immutable(it)).map(str::to_owned).collect()
}

/// Classes and types that may change. All others are immutable, so that classes whose fields refer
/// to each other in a circle do not keep each other mutable.
struct Mutability<'s> {
    /// All classes outside the JDK.
    classes: Vec<ClassView<'s>>,
    numbers: HashMap<&'s str, usize>,
    /// Whether a type is immutable whatever its fields are.
    known: Vec<bool>,
    /// Whether objects of this very class may change.
    objects: Vec<bool>,
    /// Whether objects of the type, that is of the class or a class below it, may change.
    types: Vec<bool>,
}

/// A fact from which others follow.
#[derive(Clone, Copy)]
enum Mutable {
    /// Objects of the very class with this number may change.
    Objects(usize),
    /// Objects of the type with this number may change.
    Type(usize),
}

impl<'s> Mutability<'s> {
    fn of(classes: &Classes<'s>, is_known: impl Fn(&str) -> bool) -> Self {
        let is_jdk = |it: &ClassView<'_>| is_jdk(it.name(), classes.entry(it.reference()));
        let all: Vec<ClassView<'s>> = classes.index().iter().filter(|it| !is_jdk(it)).collect();
        let mut found = Self {
            numbers: all.iter().map(|it| it.name()).zip(0..).collect(),
            known: all.iter().map(|it| is_known(it.name())).collect(),
            objects: vec![false; all.len()],
            types: vec![false; all.len()],
            classes: all,
        };
        let consequences = Consequences::of(&found);
        let mut open = found.mutable_by_themselves(classes, &consequences, is_known);
        while let Some(fact) = open.pop() {
            if found.add(fact) {
                open.extend(consequences.of_fact(fact));
            }
        }
        found
    }

    /// Takes in a fact; whether it is new.
    fn add(&mut self, fact: Mutable) -> bool {
        let (marks, number) = match fact {
            Mutable::Objects(number) => (&mut self.objects, number),
            Mutable::Type(number) => (&mut self.types, number),
        };
        let is_known = self.known.get(number) == Some(&true);
        marks.get_mut(number).is_some_and(|mark| !is_known && !std::mem::replace(mark, true))
    }

    /// The classes and types that may change whatever other classes are like.
    fn mutable_by_themselves(
        &self,
        classes: &Classes<'_>,
        consequences: &Consequences,
        is_known: impl Fn(&str) -> bool,
    ) -> Vec<Mutable> {
        let implemented = consequences.implemented(&self.classes);
        // Types that are not on the class path have no objects.
        let may_change = |name: &str| {
            !self.numbers.contains_key(name) && classes.index().contains(name) && !is_known(name)
        };
        let is_mutable = |field: MemberView<'_>| {
            !field.access().is_final()
                || field.descriptor().starts_with('[')
                || field.type_class().is_some_and(may_change)
        };
        let fact = |(number, class): (usize, &ClassView<'_>)| {
            if class.is_interface() {
                let is_implemented = implemented.get(number) == Some(&true);
                let may_change = !is_implemented || classes.hierarchy().is_functional(class.name());
                return may_change.then_some(Mutable::Type(number));
            }
            let inherits = class.super_name().is_some_and(|it| may_change(it) && !STATELESS.contains(&it));
            let is_native = class.methods().any(|it| it.access().is_native());
            let holds = || class.fields().any(|it| !it.is_static() && is_mutable(it));
            (inherits || is_native || holds()).then_some(Mutable::Objects(number))
        };
        self.classes.iter().enumerate().filter_map(fact).collect()
    }

    fn is_immutable(&self, name: &str) -> bool {
        self.numbers.get(name).is_some_and(|it| self.types.get(*it) == Some(&false))
    }
}

/// The facts that follow from others, by numbers of classes.
struct Consequences {
    /// For each class its direct subclasses, which have its fields.
    below: Vec<Vec<usize>>,
    /// For each class the types directly above it.
    above: Vec<Vec<usize>>,
    /// For each type the classes whose objects have a field of it.
    holders: Vec<Vec<usize>>,
}

impl Consequences {
    fn of(found: &Mutability<'_>) -> Self {
        let number = |name: &str| found.numbers.get(name).copied();
        let nothing = || vec![Vec::new(); found.classes.len()];
        let (mut below, mut holders, mut above) = (nothing(), nothing(), Vec::new());
        for (own, class) in found.classes.iter().enumerate() {
            above.push(class.direct_supertypes().filter_map(number).collect());
            let note = |of: &mut Vec<Vec<usize>>, name: Option<&str>| {
                if let Some(numbers) = name.and_then(number).and_then(|it| of.get_mut(it)) {
                    numbers.push(own);
                }
            };
            note(&mut below, class.super_name());
            for field in class.fields().filter(|it| !it.is_static()) {
                note(&mut holders, field.type_class());
            }
        }
        Self { below, above, holders }
    }

    fn of_fact(&self, fact: Mutable) -> Vec<Mutable> {
        let at = |numbers: &[Vec<usize>], number: usize| numbers.get(number).cloned().unwrap_or_default();
        match fact {
            Mutable::Objects(number) => {
                let below = at(&self.below, number).into_iter().map(Mutable::Objects);
                below.chain([Mutable::Type(number)]).collect()
            }
            Mutable::Type(number) => {
                let holders = at(&self.holders, number).into_iter().map(Mutable::Objects);
                holders.chain(at(&self.above, number).into_iter().map(Mutable::Type)).collect()
            }
        }
    }

    /// For each type whether there are classes of it.
    fn implemented(&self, classes: &[ClassView<'_>]) -> Vec<bool> {
        let mut implemented = vec![false; classes.len()];
        let no_interfaces = (0..).zip(classes).filter(|(_, it)| !it.is_interface());
        let mut open: Vec<usize> = no_interfaces.map(|(number, _)| number).collect();
        while let Some(number) = open.pop() {
            if implemented.get_mut(number).is_some_and(|it| !std::mem::replace(it, true)) {
                open.extend(self.above.get(number).into_iter().flatten());
            }
        }
        implemented
    }
}
