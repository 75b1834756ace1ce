//! Ways to the values of a type: constructors, factories, constants, files.

use std::sync::Arc;

use crashback_program::ClassView;

use super::{Catalogue, Container, FileForm};
use crate::members::Member;
use crate::workshop::origin::{self, Distance};
use crate::{FieldId, Kind, MethodId, Type, TypeId};

/// A way to a value of a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Maker {
    pub(crate) way: Way,
    pub(crate) weight: u32,
    /// Whether it needs objects itself.
    pub(crate) is_deep: bool,
}

/// How a value is made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// A text, where a supertype of `String` is wanted.
    Text,
    /// A constructor.
    Construct(MethodId),
    /// A method that yields it.
    Call(MethodId),
    /// A method that yields something of a wider type, which is cast.
    Narrow(MethodId),
    /// A method that yields a container of it.
    Take(MethodId, Container),
    /// A static final field that holds it.
    Constant(FieldId),
    /// A file that the test makes.
    File(FileForm),
}

/// The classes of the JDK that people use first, in this order, where an interface or an abstract
/// class is asked for.
const COMMON: [&str; 24] = [
    "java/lang/String",
    "java/lang/Integer",
    "java/util/ArrayList",
    "java/util/HashMap",
    "java/util/HashSet",
    "java/lang/Object",
    "java/lang/StringBuilder",
    "java/lang/Long",
    "java/lang/Double",
    "java/util/LinkedList",
    "java/util/TreeMap",
    "java/util/TreeSet",
    "java/util/LinkedHashMap",
    "java/util/Properties",
    "java/io/ByteArrayInputStream",
    "java/io/ByteArrayOutputStream",
    "java/io/StringReader",
    "java/io/StringWriter",
    "java/io/PrintStream",
    "java/util/GregorianCalendar",
    "java/util/SimpleTimeZone",
    "java/text/SimpleDateFormat",
    "java/text/DecimalFormat",
    "java/util/Random",
];

/// Classes of the JDK whose objects wait for another thread, so that tests with them are stopped. They
/// are made only where they are asked for by name.
const BLOCKING: [&str; 7] = [
    "java/io/PipedInputStream",
    "java/io/PipedOutputStream",
    "java/io/PipedReader",
    "java/io/PipedWriter",
    "java/util/concurrent/CyclicBarrier",
    "java/util/concurrent/LinkedTransferQueue",
    "java/util/concurrent/SynchronousQueue",
];

impl Catalogue<'_> {
    /// All ways to an object of a class or interface.
    pub(crate) fn makers_of(&mut self, wanted: TypeId) -> Arc<[Maker]> {
        if let Some(known) = self.facts.here().makers.get(wanted.index()) {
            return Arc::clone(known);
        }
        let found: Arc<[Maker]> = self.find_makers(wanted).into();
        if found.is_empty() && self.mock_of(wanted).is_none() {
            let reason = self.why_unavailable(wanted);
            self.facts.here_mut().unavailable.insert(wanted, reason);
        }
        self.facts.here_mut().makers.put(wanted.index(), Arc::clone(&found));
        found
    }

    fn find_makers(&mut self, wanted: TypeId) -> Vec<Maker> {
        let Some(name) = self.class_name(wanted).map(str::to_owned) else { return Vec::new() };
        let tuning = Arc::clone(&self.tuning);
        let mut makers = Vec::new();
        if let Some(form) = FileForm::of(&name).filter(|_| self.pools.opens_files && tuning.source_files) {
            makers.push(Maker { way: Way::File(form), weight: tuning.file_object, is_deep: true });
        }
        for (class, weight) in self.implementations_of(wanted).iter().copied() {
            if self.class_name(class) == Some("java/lang/String") {
                let weight = tuning.text_object * weight;
                makers.push(Maker { way: Way::Text, weight, is_deep: false });
                continue;
            }
            self.add_makers(&mut makers, class, wanted, weight, true);
        }
        self.add_constructors_of_abstract(&mut makers, &name);
        if makers.is_empty() || !origin::is_wide(&name) {
            self.add_makers(&mut makers, wanted, wanted, tuning.factory_of_class, true);
            for place in 0..self.pools.mentioned.len() {
                if let Some(class) = self.mentioned_type(place).filter(|it| *it != wanted) {
                    self.add_makers(&mut makers, class, wanted, tuning.factory_of_mentioned, false);
                }
            }
        }
        if !makers.iter().any(|it| matches!(it.way, Way::Construct(_))) {
            for class in self.neighbours(&name) {
                let class = self.vocabulary.add_type(Type::of_class(&class));
                self.add_makers(&mut makers, class, wanted, tuning.factory_of_neighbour, false);
            }
        }
        self.add_producers(&mut makers, &name);
        self.drop_moments(&mut makers);
        makers
    }

    /// The type of a class that the code around the crash uses. They are asked for in order.
    fn mentioned_type(&mut self, place: usize) -> Option<TypeId> {
        if place >= self.mentioned.len() {
            let class = self.pools.mentioned.iter().nth(self.mentioned.len())?;
            self.mentioned.push(self.vocabulary.add_type(Type::of_class(class)));
        }
        self.mentioned.get(place).copied()
    }

    /// The other classes of a package that have a method which yields a type: builders and
    /// factories.
    fn neighbours(&self, name: &str) -> Vec<String> {
        let Some((package, _)) = name.rsplit_once('/').filter(|_| !self.origins.is_jdk(name)) else {
            return Vec::new();
        };
        let result = format!(")L{name};");
        let is_it = |class: &ClassView<'_>| {
            class.name() != name
                && self.distance(class.name()) != Distance::Tests
                && !self.pools.mentioned.contains(class.name())
                && class.methods().any(|it| it.descriptor().ends_with(&result))
                && self.context.class(class.name()).is_ok()
        };
        let index = self.context.index();
        let classes = index.package(package).iter().filter_map(|it| index.view(*it)).filter(is_it);
        classes.take(self.tuning.neighbours).map(|it| it.name().to_owned()).collect()
    }

    /// Adds the constructors of an abstract class, for objects of a class below it that the test
    /// itself has, where the program has no such class that a test can name, or the trace tells
    /// that code of the class ran.
    fn add_constructors_of_abstract(&mut self, makers: &mut Vec<Maker>, name: &str) {
        let is_traced = self.pools.traced.iter().any(|(class, _)| class == name);
        let is_alone = !makers.iter().any(|it| matches!(it.way, Way::Construct(_)));
        let Ok(class) = self.context.class(name) else { return };
        if !self.tuning.source_constructors
            || !class.is_abstract()
            || !(is_alone || is_traced)
            || self.origins.is_jdk(name)
        {
            return;
        }
        if self.vocabulary.add_subclass_of(self.context, name).is_err() {
            return;
        }
        for constructor in class.methods_named("<init>") {
            let Ok(id) = self.vocabulary.add_method_of(class, constructor) else { continue };
            let Some(method) = self.vocabulary.method(id) else { continue };
            let (parameters, callee) = (method.parameters.clone(), self.vocabulary.method_name(method));
            if callee.is_none_or(|it| self.context.method(&it).is_err()) {
                continue;
            }
            let is_deep = parameters.iter().any(|it| self.needs_object(*it));
            let weight = self.share(self.tuning.constructor_of_abstract, parameters.len());
            makers.push(Maker { way: Way::Construct(id), weight, is_deep });
        }
    }

    /// Adds the members of a class that yield a wanted type. Of a class that is `own`, which may be
    /// the wanted one or below it, constructors and static members count; of another its static and
    /// instance methods.
    fn add_makers(&mut self, makers: &mut Vec<Maker>, class: TypeId, wanted: TypeId, weight: u32, own: bool) {
        for member in self.members_of(class).iter() {
            let (way, yielded, parameters) = match *member {
                Member::Constructor(id) if own && self.tuning.source_constructors => {
                    let Some(method) = self.vocabulary.method(id) else { continue };
                    (Way::Construct(id), method.owner, method.parameters.clone())
                }
                Member::Method(id) if self.tuning.source_factories => {
                    let Some(method) = self.vocabulary.method(id) else { continue };
                    let is_own_instance = own && method.kind == Kind::Instance;
                    // A copy of what one has is no way to get it.
                    if is_own_instance || method.parameters.contains(&wanted) {
                        continue;
                    }
                    (Way::Call(id), method.result, method.parameters.clone())
                }
                Member::Field { id, is_final } if self.tuning.source_constants => {
                    match self.vocabulary.field(id) {
                        Some(field) if field.is_static && is_final => {
                            (Way::Constant(id), field.of, Default::default())
                        }
                        _ => continue,
                    }
                }
                _ => continue,
            };
            let yields_it = self.is_reference(yielded)
                && self.fits(yielded, wanted)
                && (yielded == wanted || !self.is_object(wanted));
            if !yields_it {
                continue;
            }
            let is_deep = parameters.iter().any(|it| self.needs_object(*it)) || self.needs_receiver(way);
            let base = match way {
                Way::Construct(_) => self.tuning.constructor,
                Way::Constant(_) => self.tuning.constant,
                _ => self.tuning.factory,
            };
            let weight = self.share(base * weight, parameters.len());
            makers.push(Maker { way, weight, is_deep });
        }
    }

    /// A weight, less for a callee with more parameters.
    pub(super) fn share(&self, weight: u32, parameters: usize) -> u32 {
        let parameters = u32::try_from(parameters).unwrap_or(u32::MAX);
        (weight / parameters.saturating_add(self.tuning.parameter_offset).max(1)).max(1)
    }

    pub(super) fn needs_receiver(&self, way: Way) -> bool {
        let (Way::Call(id) | Way::Take(id, _)) = way else { return false };
        self.vocabulary.method(id).is_some_and(|it| it.kind == Kind::Instance)
    }

    fn is_object(&self, of: TypeId) -> bool {
        self.class_name(of) == Some("java/lang/Object")
    }

    pub(super) fn needs_object(&self, of: TypeId) -> bool {
        self.is_reference(of) && self.class_name(of) != Some("java/lang/String")
    }

    /// Classes whose objects a type has, with weights: the type itself, then those that the pools
    /// name, then the nearest.
    pub(crate) fn implementations_of(&mut self, of: TypeId) -> Arc<[(TypeId, u32)]> {
        if let Some(known) = self.facts.here().implementations.get(of.index()) {
            return Arc::clone(known);
        }
        let found = self.class_name(of).map(|it| self.find_implementations(it)).unwrap_or_default();
        let numbered =
            found.iter().map(|(class, weight)| (self.vocabulary.add_type(Type::of_class(class)), *weight));
        let found: Arc<[(TypeId, u32)]> = numbered.collect();
        self.facts.here_mut().implementations.put(of.index(), Arc::clone(&found));
        found
    }

    fn find_implementations(&self, name: &str) -> Vec<(String, u32)> {
        let hierarchy = self.context.hierarchy();
        let is_below = |class: &str| hierarchy.is_subtype(class, name) == Some(true);
        let constructible =
            |class: ClassView<'_>| !class.is_abstract() && self.context.class(class.name()).is_ok();
        let mut found: Vec<(String, u32)> = Vec::new();
        let add = |class: &str, weight: u32, found: &mut Vec<(String, u32)>| {
            let is_new = !found.iter().any(|(it, _)| it == class);
            if is_new && self.context.index().get(class).is_some_and(constructible) {
                found.push((class.to_owned(), weight));
            }
        };
        let (tuning, is_wide) = (&self.tuning, origin::is_wide(name));
        add(name, if is_wide { tuning.class_itself_if_wide } else { tuning.class_itself }, &mut found);
        for class in self.pools.types.iter().filter(|it| is_below(it)) {
            add(class, tuning.class_of_crash, &mut found);
        }
        for class in COMMON.iter().filter(|it| is_below(it)) {
            add(class, tuning.class_common, &mut found);
        }
        if is_wide || found.len() >= tuning.implementations {
            return found;
        }
        let mut others: Vec<(Distance, &str)> = hierarchy
            .concrete_subtypes(name)
            .iter()
            .map(|it| (self.distance(it.name()), it.name()))
            .filter(|(distance, it)| *distance < Distance::JdkInternal && !BLOCKING.contains(it))
            .collect();
        others.sort_unstable();
        // Classes of tests only where nothing else will do, or one of them is asked for.
        let (near, far): (Vec<_>, Vec<_>) = others.into_iter().partition(|(it, _)| *it < Distance::Tests);
        for (_, class) in near {
            if found.len() < tuning.implementations {
                add(class, tuning.class_other, &mut found);
            }
        }
        let is_any_near = !found.is_empty() && self.distance(name) < Distance::Tests;
        for (_, class) in far.into_iter().filter(|_| !is_any_near) {
            if found.len() < tuning.implementations {
                add(class, tuning.class_other, &mut found);
            }
        }
        found
    }

    fn why_unavailable(&self, wanted: TypeId) -> &'static str {
        let class = self.class_name(wanted);
        match class.and_then(|it| self.context.index().get(it)) {
            None => "the class is not on the class path",
            Some(class) if self.context.class(class.name()).is_err() => {
                "a test in this package cannot name the class"
            }
            Some(class) if class.is_interface() => "no class that implements it can be made",
            Some(class) if class.is_abstract() => "it is abstract and no class below it can be made",
            Some(_) => "it has no accessible constructor, factory or constant",
        }
    }
}
