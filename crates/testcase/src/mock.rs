//! Types whose objects a test can stand in for, and fields that a container would fill.

use std::collections::BTreeSet;
use std::sync::Arc;

use crashback_classfile::{JavaStr, MethodDescriptor};
use crashback_program::hierarchy::Supertype;
use crashback_program::index::ClassKind;
use crashback_program::{ClassView, MemberView};

use crate::conversion::is_assignable;
use crate::{Context, Error, Mock, MockId, MockKind, Mocked, Problem, TypeRef, Vocabulary};

/// What a test may do beyond what Java lets it do.
impl<'a> Context<'a> {
    /// Whether a mock library can make an object of a type by a class below it: it is neither final
    /// nor sealed nor an enum or a record, all of its supertypes are there, and a source can name
    /// it.
    pub fn check_mockable(self, name: &str) -> Result<(), Problem> {
        let class = self.class(name)?;
        let is_kind = matches!(class.kind(), ClassKind::Class | ClassKind::Interface);
        let is_open = !class.access().is_final() && class.permitted_subclasses().next().is_none();
        let mut above = self.hierarchy().supertypes(name).into_iter();
        if is_kind && is_open && name != OBJECT && above.all(|it| it.known().is_some()) {
            Ok(())
        } else {
            Err(Problem::NotMockable(name.to_owned()))
        }
    }

    /// Whether a mock whose method has a result can give back what a callback yields.
    pub(crate) fn can_pass_on(self, yielded: TypeRef<'_>, result: TypeRef<'_>) -> bool {
        match (result.is_void(), result.is_reference()) {
            (true, _) => true,
            (_, true) if yielded.is_void() => true,
            (_, true) if yielded.is_reference() => {
                is_assignable(self.hierarchy(), yielded, result) == Some(true)
            }
            _ => yielded == result,
        }
    }

    /// The methods of a type that a mock which is given an object of it may call: abstract ones,
    /// but for those of `Object`.
    pub(crate) fn abstract_methods(self, name: &str) -> Vec<MemberView<'a>> {
        let class = self.class(name).ok().filter(|it| it.is_abstract());
        let above = class.into_iter().flat_map(|it| self.hierarchy().supertypes(it.name()));
        let methods = above.filter_map(Supertype::known).flat_map(|it| it.methods());
        methods.filter(|it| it.is_abstract() && !is_of_object(*it)).collect()
    }

    /// Whether a source can have an anonymous class below an abstract one, with its abstract
    /// methods.
    pub fn is_extensible(self, class: ClassView<'_>) -> bool {
        class.is_abstract()
            && !class.is_interface()
            && !self.has_outer_instance(class)
            && self.check_mockable(class.name()).is_ok()
            && self.has_plain_constructors(class)
            && self.has_writable_methods(class)
    }

    /// Whether a source can write all abstract methods of a type in a class below it.
    pub(crate) fn has_writable_methods(self, class: ClassView<'_>) -> bool {
        let mut methods = self.overridable(class.name()).into_iter().filter(|it| it.is_abstract());
        self.has_one_method_for_all(class) && methods.all(|it| self.is_writable(class, it))
    }

    /// Whether a source can write a method in a class below a type: it can name what the method
    /// takes and yields, and the erasures of these are what it has to write.
    pub(crate) fn is_writable(self, class: ClassView<'_>, method: MemberView<'_>) -> bool {
        let is_generic = class.signature().is_some_and(|it| it.starts_with('<'));
        let declaring = method.class();
        // A method of `Comparator<String>` takes strings.
        let is_erased = declaring.name() == class.name()
            || is_generic
            || !declaring.signature().is_some_and(|it| it.starts_with('<'))
            || method.signature().is_none();
        let access = method.access();
        let is_seen = access.is_public() || access.is_protected() || class.package() == self.package();
        is_seen && is_erased && self.can_name_types_of(method.descriptor())
    }

    /// Whether the number of arguments tells constructors apart, where some are open to classes
    /// below alone: overloads are not looked for among those.
    fn has_plain_constructors(self, class: ClassView<'_>) -> bool {
        let all = class.methods_named("<init>").filter(|it| !it.is_private());
        let counts: Vec<usize> = all.map(|it| count_of_parameters(it.descriptor())).collect();
        let distinct: BTreeSet<usize> = counts.iter().copied().collect();
        class.package() == self.package() || distinct.len() == counts.len()
    }

    /// Whether no abstract method differs from another in its result alone, and none is one of
    /// `Object` that has lost its code: a source would have to write them otherwise than they are.
    fn has_one_method_for_all(self, class: ClassView<'_>) -> bool {
        let above = self.hierarchy().supertypes(class.name()).into_iter().filter_map(Supertype::known);
        let methods = above.filter(|it| it.name() != OBJECT).flat_map(|it| it.methods());
        let all: Vec<MemberView<'_>> = methods.filter(|it| !it.is_static() && !it.is_bridge()).collect();
        let parameters = |it: &MemberView<'a>| it.descriptor().rsplit_once(')').map(|(before, _)| before);
        let is_rival = |one: &MemberView<'a>, other: &MemberView<'a>| {
            one.name() == other.name()
                && parameters(one) == parameters(other)
                && one.descriptor() != other.descriptor()
        };
        let mut open = all.iter().filter(|it| it.is_abstract());
        open.all(|it| {
            (it.class().is_interface() || !is_of_object(*it)) && !all.iter().any(|other| is_rival(it, other))
        })
    }

    fn can_name_types_of(self, descriptor: &str) -> bool {
        let encoded = JavaStr::encode(descriptor);
        let Ok(descriptor) = MethodDescriptor::parse(JavaStr::new(&encoded)) else { return false };
        let mut types = descriptor.parameters().chain(descriptor.result());
        types.all(|it| self.check_type(TypeRef(&it.to_string())).is_ok())
    }

    /// Whether a container fills a field: it is marked for injection, and neither static nor final.
    pub fn is_injected(self, field: MemberView<'_>) -> bool {
        let access = field.access();
        let is_marked = || field.annotations().any(|it| INJECTION.contains(&simple_name(it.descriptor())));
        !access.is_static() && !access.is_final() && is_marked()
    }

    /// The methods that a mock of a type answers: all that a class below it in the same package
    /// could override, but for those of `Object`. A bridge is left as it is, since it calls what is
    /// overridden.
    pub(crate) fn overridable(self, name: &str) -> Vec<MemberView<'a>> {
        let package = self.index().get(name).map_or("", |it| it.package());
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        let mut above: Vec<_> =
            self.hierarchy().supertypes(name).into_iter().filter_map(Supertype::known).collect();
        // What a class has goes before what any interface has (JVMS 5.4.6).
        above.sort_by_key(|it| it.is_interface());
        for class in above.into_iter().filter(|it| it.name() != OBJECT) {
            for method in class.methods().filter(|it| !it.name().starts_with('<')) {
                let access = method.access();
                let is_inherited = access.is_public()
                    || access.is_protected()
                    || !access.is_private() && class.package() == package;
                if !is_inherited || access.is_static() || !seen.insert((method.name(), method.descriptor())) {
                    continue;
                }
                let is_left =
                    access.is_final() || is_of_object(method) || method.is_bridge() && method.has_code();
                if !is_left {
                    found.push(method);
                }
            }
        }
        found
    }
}

impl Vocabulary {
    /// The number of a mock of a type. Calls for which a test says nothing yield zero, `null` or an
    /// empty collection, or run the methods of the type if `calls_real` says so.
    pub fn add_mock_of(
        &mut self,
        context: Context<'_>,
        name: &str,
        calls_real: bool,
    ) -> Result<MockId, Error> {
        let class = context.index().get(name).ok_or_else(|| Error::UnknownMember(name.to_owned()))?;
        let of = self.add_class(class);
        let mut methods = Vec::new();
        for method in context.overridable(name) {
            methods.push(Mocked {
                method: self.add_method_of(class, method)?,
                is_abstract: method.is_abstract(),
            });
        }
        let (is_interface, methods) = (class.is_interface(), Arc::from(methods));
        let kind = MockKind::Mocked;
        Ok(self.add_mock(Mock { of, is_interface, calls_real, kind, methods }))
    }

    /// Lets constructors of an abstract class be called: they make objects of a class below it that
    /// has nothing but what it must have.
    pub fn add_subclass_of(&mut self, context: Context<'_>, name: &str) -> Result<MockId, Error> {
        let refused = || Error::UnknownMember(name.to_owned());
        let class = context.index().get(name).filter(|it| context.is_extensible(*it)).ok_or_else(refused)?;
        let of = self.add_class(class);
        let mut methods = Vec::new();
        for method in context.overridable(name).into_iter().filter(|it| it.is_abstract()) {
            methods.push(Mocked { method: self.add_method_of(class, method)?, is_abstract: true });
        }
        let methods = Arc::from(methods);
        let kind = MockKind::Subclass;
        Ok(self.add_mock(Mock { of, is_interface: false, calls_real: true, kind, methods }))
    }
}

fn count_of_parameters(descriptor: &str) -> usize {
    let encoded = JavaStr::encode(descriptor);
    MethodDescriptor::parse(JavaStr::new(&encoded)).map_or(0, |it| it.parameters().count())
}

/// Whether `Object` has the method too. Mock libraries leave these alone.
fn is_of_object(method: MemberView<'_>) -> bool {
    const METHODS: [(&str, &str); 5] = [
        ("equals", "(Ljava/lang/Object;)Z"),
        ("hashCode", "()I"),
        ("toString", "()Ljava/lang/String;"),
        ("finalize", "()V"),
        ("clone", "()Ljava/lang/Object;"),
    ];
    METHODS.contains(&(method.name(), method.descriptor()))
}

pub(crate) const OBJECT: &str = "java/lang/Object";

/// The simple name of a class or interface, given by its descriptor.
fn simple_name(descriptor: &str) -> &str {
    let name = descriptor.trim_end_matches(';');
    name.rsplit(['/', '$']).next().unwrap_or(name)
}

/// Simple names of the annotations by which containers know the fields that they fill. Every container
/// has such annotations in packages of its own, so packages say nothing.
const INJECTION: [&str; 10] = [
    "Autowired",
    "ConfigProperty",
    "Context",
    "EJB",
    "Inject",
    "PersistenceContext",
    "PersistenceUnit",
    "Requirement",
    "Resource",
    "Value",
];
