//! What can be done with a type: how its values are made, and what can be called on them. Worked
//! out once for each type.

use std::collections::BTreeMap;
use std::sync::Arc;

use crashback_program::ClassView;

use super::Workshop;
use super::answers::KnownCallback;
use super::files::{FileForm, FileMembers};
use super::generics::TypeArguments;
use super::mocks::Injected;
use super::observe::Look;
use super::prepare::ReadyStep;
use crate::conversion::is_assignable;
use crate::members::{self, Member};
use crate::{FieldId, Kind, MethodId, MockId, Type, TypeId};

/// Answers by numbers of the vocabulary, so that looking one up costs no hash.
#[derive(Default)]
pub(super) struct Catalogue {
    makers: Vec<Option<Arc<[Maker]>>>,
    members: Vec<Option<Arc<[Member]>>>,
    assignable: Vec<Vec<Option<bool>>>,
    nameable: Vec<Option<bool>>,
    pub(super) generics: Vec<Option<TypeArguments>>,
    pub(super) collections: Option<super::make::Collections>,
    pub(super) mocks: Vec<Option<Option<MockId>>>,
    pub(super) of_libraries: Vec<Option<bool>>,
    pub(super) stubbable: Vec<Option<Arc<[bool]>>>,
    /// By methods: how a mock that answers them may call what it is given.
    pub(super) callbacks: Vec<Option<Arc<[KnownCallback]>>>,
    /// By methods: exceptions that they declare.
    pub(super) declared: Vec<Option<Arc<[TypeId]>>>,
    /// By mocks: methods that were on the trace's way back into the program.
    pub(super) ways_back: Vec<Option<Arc<[u16]>>>,
    pub(super) injected: Vec<Option<Arc<[Injected]>>>,
    pub(super) files: Option<FileMembers>,
    /// By types: ways from an object to an exception that it keeps.
    pub(super) looks: Vec<Option<Arc<[Look]>>>,
    /// For each preparation, those that were learnt behind the others, how a test makes it, if it can.
    pub(super) preparations: Vec<Option<ReadyStep>>,
    pub(super) interests: Vec<Option<Interests>>,
    pub(super) unavailable: BTreeMap<TypeId, &'static str>,
    /// Looks that the classes of the frames offer without an object.
    pub(super) looks_of_frames: Option<Arc<[Look]>>,
}

/// Members with how often each is used for its effect, compared with the others.
pub(super) type Interests = Arc<[(Member, u32)]>;

impl Catalogue {
    /// Forgets what hangs on the frames that must run.
    pub(super) fn forget_frames(&mut self) {
        self.stubbable.clear();
        self.looks_of_frames = None;
    }
}

/// A way to a value of a type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Maker {
    pub(super) how: How,
    pub(super) weight: u32,
    /// Whether it needs objects itself.
    pub(super) is_deep: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum How {
    Text,
    Construct(MethodId),
    Call(MethodId),
    Constant(FieldId),
    File(FileForm),
}

/// How far the classes of libraries are from a test, see [`Workshop::distance`].
const LIBRARY: u8 = 3;

/// Types so wide that everything is below them: their values are taken from the pools' types and
/// from [`COMMON`].
pub(super) const WIDE: [&str; 4] =
    ["java/lang/Object", "java/io/Serializable", "java/lang/Comparable", "java/lang/Cloneable"];

/// Beginnings of the names of classes that are the JDK's.
pub(super) const PLAIN: [&str; 4] = ["java/", "javax/", "sun/", "jdk/"];

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

impl Workshop<'_> {
    /// Whether a value of one type can stand where another is wanted, with a cast that nobody has
    /// to write.
    pub(super) fn fits(&mut self, from: TypeId, to: TypeId) -> bool {
        if from == to {
            return true;
        }
        let rows = &mut self.catalogue.here_mut().assignable;
        if rows.len() <= from.index() {
            rows.resize(from.index() + 1, Vec::new());
        }
        if let Some(Some(known)) = rows.get(from.index()).and_then(|row| row.get(to.index())) {
            return *known;
        }
        let answer = self.find_fit(from, to);
        if let Some(row) = self.catalogue.here_mut().assignable.get_mut(from.index()) {
            if row.len() <= to.index() {
                row.resize(to.index() + 1, None);
            }
            if let Some(place) = row.get_mut(to.index()) {
                *place = Some(answer);
            }
        }
        answer
    }

    fn find_fit(&mut self, from: TypeId, to: TypeId) -> bool {
        let (Some(a), Some(b)) = (self.vocabulary.type_of(from), self.vocabulary.type_of(to)) else {
            return false;
        };
        is_assignable(self.context.hierarchy(), a.view(), b.view()) == Some(true)
            && (self.is_nameable(from) || self.is_nameable(to))
    }

    /// Whether a source can name the type.
    pub(super) fn is_nameable(&mut self, of: TypeId) -> bool {
        if let Some(Some(known)) = self.catalogue.here().nameable.get(of.index()) {
            return *known;
        }
        let named = self.vocabulary.type_of(of);
        let answer = named.is_some_and(|it| self.context.check_type(it.view()).is_ok());
        put(&mut self.catalogue.here_mut().nameable, of.index(), answer);
        answer
    }

    /// What a test can use of a class, inherited members too.
    pub(super) fn members_of(&mut self, of: TypeId) -> Arc<[Member]> {
        if let Some(Some(known)) = self.catalogue.here().members.get(of.index()) {
            return Arc::clone(known);
        }
        let name = self.vocabulary.type_of(of).and_then(|it| it.class_name().map(str::to_owned));
        let found = name.map(|it| members::enter(self.context, &mut self.vocabulary, &it));
        let found: Arc<[Member]> = found.unwrap_or_default().into();
        put(&mut self.catalogue.here_mut().members, of.index(), Arc::clone(&found));
        found
    }

    /// Whether a method or constructor is not called any more.
    pub(super) fn is_shunned(&self, method: MethodId) -> bool {
        self.experience.is_given_up(method, &self.tuning)
    }

    /// All ways to an object of a class or interface.
    pub(super) fn makers_of(&mut self, wanted: TypeId) -> Arc<[Maker]> {
        if let Some(Some(known)) = self.catalogue.here().makers.get(wanted.index()) {
            return Arc::clone(known);
        }
        let found: Arc<[Maker]> = self.find_makers(wanted).into();
        if found.is_empty() && self.mock_of(wanted).is_none() {
            let reason = self.why_unavailable(wanted);
            self.catalogue.here_mut().unavailable.insert(wanted, reason);
        }
        put(&mut self.catalogue.here_mut().makers, wanted.index(), Arc::clone(&found));
        found
    }

    fn find_makers(&mut self, wanted: TypeId) -> Vec<Maker> {
        let Some(name) = self.vocabulary.type_of(wanted).and_then(|it| it.class_name().map(str::to_owned))
        else {
            return Vec::new();
        };
        let mut makers = Vec::new();
        if let Some(form) = FileForm::of(&name).filter(|_| self.pools.opens_files) {
            makers.push(Maker { how: How::File(form), weight: self.tuning.file_object, is_deep: true });
        }
        for (class, weight) in self.implementations(&name) {
            if class == "java/lang/String" {
                makers.push(Maker {
                    how: How::Text,
                    weight: self.tuning.text_object * weight,
                    is_deep: false,
                });
                continue;
            }
            let class = self.vocabulary.add_type(Type::of_class(&class));
            self.add_makers(&mut makers, class, wanted, weight, true);
        }
        self.add_constructors_of_abstract(&mut makers, &name);
        if makers.is_empty() || !WIDE.contains(&name.as_str()) {
            self.add_makers(&mut makers, wanted, wanted, self.tuning.factory_of_class, true);
            let mentioned: Vec<String> = self.pools.mentioned.iter().cloned().collect();
            for class in mentioned {
                let class = self.vocabulary.add_type(Type::of_class(&class));
                if class != wanted {
                    self.add_makers(&mut makers, class, wanted, self.tuning.factory_of_mentioned, false);
                }
            }
        }
        if !makers.iter().any(|it| matches!(it.how, How::Construct(_))) {
            for class in self.neighbours(&name) {
                let class = self.vocabulary.add_type(Type::of_class(&class));
                self.add_makers(&mut makers, class, wanted, self.tuning.factory_of_neighbour, false);
            }
        }
        makers
    }

    /// The other classes of a package that have a method which yields a type: builders and
    /// factories.
    fn neighbours(&self, name: &str) -> Vec<String> {
        let Some((package, _)) = name.rsplit_once('/').filter(|(it, _)| !it.starts_with("java")) else {
            return Vec::new();
        };
        let result = format!(")L{name};");
        let is_it = |class: &ClassView<'_>| {
            class.name() != name
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
        let is_alone = !makers.iter().any(|it| matches!(it.how, How::Construct(_)));
        let Ok(class) = self.context.class(name) else { return };
        if !class.is_abstract() || !(is_alone || is_traced) || PLAIN.iter().any(|it| name.starts_with(it)) {
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
            let share = u32::try_from(parameters.len())
                .unwrap_or(u32::MAX)
                .saturating_add(self.tuning.parameter_offset)
                .max(1);
            let is_deep = parameters.iter().any(|it| self.needs_object(*it));
            makers.push(Maker {
                how: How::Construct(id),
                weight: (self.tuning.constructor_of_abstract / share).max(1),
                is_deep,
            });
        }
    }

    /// Adds the members of a class that yield what is wanted. Instance methods of classes that are
    /// only mentioned count too, constructors of such classes do not: they were looked at as
    /// implementations.
    fn add_makers(&mut self, makers: &mut Vec<Maker>, class: TypeId, wanted: TypeId, weight: u32, own: bool) {
        for member in self.members_of(class).iter() {
            let (how, yielded, parameters) = match *member {
                Member::Constructor(id) if own => {
                    let Some(method) = self.vocabulary.method(id) else { continue };
                    (How::Construct(id), method.owner, method.parameters.clone())
                }
                Member::Method(id) => {
                    let Some(method) = self.vocabulary.method(id) else { continue };
                    let is_own_instance = own && method.kind == Kind::Instance;
                    // A copy of what one has is no way to get it.
                    if is_own_instance || method.parameters.contains(&wanted) {
                        continue;
                    }
                    (How::Call(id), method.result, method.parameters.clone())
                }
                Member::Field { id, is_final } => match self.vocabulary.field(id) {
                    Some(field) if field.is_static && is_final => {
                        (How::Constant(id), field.of, Default::default())
                    }
                    _ => continue,
                },
                Member::Constructor(_) => continue,
            };
            let yields_it = self.vocabulary.type_of(yielded).is_some_and(Type::is_reference)
                && self.fits(yielded, wanted)
                && (yielded == wanted || !self.is_object(wanted));
            if !yields_it {
                continue;
            }
            let is_deep = parameters.iter().any(|it| self.needs_object(*it)) || self.needs_receiver(how);
            let share = u32::try_from(parameters.len())
                .unwrap_or(u32::MAX)
                .saturating_add(self.tuning.parameter_offset)
                .max(1);
            let base = match how {
                How::Construct(_) => self.tuning.constructor,
                How::Constant(_) => self.tuning.constant,
                _ => self.tuning.factory,
            };
            makers.push(Maker { how, weight: (base * weight / share).max(1), is_deep });
        }
    }

    /// How often a way to a value is taken, compared with others.
    pub(super) fn weight_of(&self, maker: &Maker) -> u32 {
        match maker.how {
            How::Construct(method) | How::Call(method) if self.is_shunned(method) => 0,
            // A mock, or null itself, is as good.
            How::Call(method) if self.experience.always_yields_null(method, &self.tuning) => 0,
            _ => maker.weight,
        }
    }

    fn needs_receiver(&self, how: How) -> bool {
        matches!(how, How::Call(id) if self.vocabulary.method(id).is_some_and(|it| it.kind == Kind::Instance))
    }

    /// Whether nearly everything is of a type.
    pub(super) fn is_wide(&self, of: TypeId) -> bool {
        self.vocabulary.type_of(of).is_none_or(|it| it.class_name().is_none_or(|it| WIDE.contains(&it)))
    }

    fn is_object(&self, of: TypeId) -> bool {
        self.vocabulary.type_of(of).is_some_and(|it| it.class_name() == Some("java/lang/Object"))
    }

    fn needs_object(&self, of: TypeId) -> bool {
        self.vocabulary
            .type_of(of)
            .is_some_and(|it| it.is_reference() && it.class_name() != Some("java/lang/String"))
    }

    /// Classes whose objects a type has, with weights: the type itself, then those that the pools
    /// name, then the nearest.
    pub(super) fn implementations(&self, name: &str) -> Vec<(String, u32)> {
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
        let own =
            if WIDE.contains(&name) { self.tuning.class_itself_if_wide } else { self.tuning.class_itself };
        add(name, own, &mut found);
        for class in self.pools.types.iter().filter(|it| is_below(it)) {
            add(class, self.tuning.class_of_crash, &mut found);
        }
        for class in COMMON.iter().filter(|it| is_below(it)) {
            add(class, self.tuning.class_common, &mut found);
        }
        if WIDE.contains(&name) || found.len() >= self.tuning.implementations {
            return found;
        }
        let mut others: Vec<(u8, &str)> = hierarchy
            .concrete_subtypes(name)
            .iter()
            .map(|it| (self.distance(it.name()), it.name()))
            .filter(|(distance, _)| *distance < u8::MAX)
            .collect();
        others.sort_unstable();
        for (_, class) in others {
            if found.len() < self.tuning.implementations {
                add(class, self.tuning.class_other, &mut found);
            }
        }
        found
    }

    /// How far a class is from the test: its own package, the same project, anything, the JDK.
    /// Insides of the JDK are no choice.
    fn distance(&self, class: &str) -> u8 {
        let package = self.context.package();
        let project = |name: &str| name.split('/').take(3).collect::<Vec<_>>().join("/");
        match class.rsplit_once('/').map_or("", |(package, _)| package) {
            own if own == package => 0,
            other if project(other) == project(package) => 1,
            "java/util" | "java/lang" | "java/io" | "java/text" => 2,
            other if ["sun/", "jdk/", "com/sun/"].iter().any(|it| other.starts_with(it)) => u8::MAX,
            other if other.starts_with("java") => 4,
            _ => LIBRARY,
        }
    }

    /// Whether a class belongs neither to the project nor to the JDK.
    pub(super) fn is_library(&self, class: &str) -> bool {
        self.distance(class) == LIBRARY
    }

    fn why_unavailable(&self, wanted: TypeId) -> &'static str {
        let class = self.vocabulary.type_of(wanted).and_then(|it| it.class_name());
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

pub(super) fn put<T>(list: &mut Vec<Option<T>>, place: usize, value: T) {
    if list.len() <= place {
        list.resize_with(place + 1, || None);
    }
    if let Some(it) = list.get_mut(place) {
        *it = Some(value);
    }
}
