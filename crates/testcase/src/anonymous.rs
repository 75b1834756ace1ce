//! Mocks that a source writes as anonymous classes, without a mock library.

use std::collections::BTreeSet;
use std::sync::Arc;

use crashback_classfile::{ElementType, JavaStr, MethodDescriptor};
use crashback_program::hierarchy::Supertype;
use crashback_program::index::Nesting;
use crashback_program::{ClassView, MemberView};

use crate::mock::OBJECT;
use crate::{
    Answer, Context, Error, MemberName, MethodId, Mock, MockId, MockKind, Mocked, Problem, Statement,
    TypeRef, Var, Vocabulary,
};

impl<'a> Context<'a> {
    /// Whether a source can write an anonymous class in the place of an object of a type: it is
    /// `Object`, or an interface whose abstract methods the source can write and whose members hide
    /// no name that the source needs for that.
    pub fn check_anonymous(self, name: &str) -> Result<(), Problem> {
        let class = self.class(name)?;
        let is_possible = name == OBJECT
            || class.is_interface()
                && self.check_mockable(name).is_ok()
                && self.has_writable_methods(class)
                && !self.hides_names(class);
        if is_possible { Ok(()) } else { Err(Problem::NotMockable(name.to_owned())) }
    }

    /// Whether a method may throw an exception of a type that the source can name (JLS 11.2): it is
    /// unchecked, or the method declares it.
    pub fn may_throw(self, method: &MemberName, thrown: TypeRef<'_>) -> bool {
        let Some(class) = thrown.class_name().filter(|_| self.check_type(thrown).is_ok()) else {
            return false;
        };
        let declared = self.method(method).ok().flatten().into_iter().flat_map(|it| it.exceptions());
        let mut allowed = ["java/lang/RuntimeException", "java/lang/Error"].into_iter().chain(declared);
        allowed.any(|it| self.hierarchy().is_subtype(class, it) == Some(true))
    }

    /// The methods that an anonymous class of a type may have: all abstract ones, and others that a
    /// source can write.
    fn answerable(self, class: ClassView<'_>) -> Vec<MemberView<'a>> {
        let all = self.overridable(class.name());
        let parameters = |it: &MemberView<'a>| it.descriptor().rsplit_once(')').map(|(before, _)| before);
        let is_alone = |one: &MemberView<'a>| {
            let is_same = |it: &&MemberView<'a>| it.name() == one.name() && parameters(it) == parameters(one);
            all.iter().filter(is_same).count() == 1
        };
        let can_be_written =
            |it: &&MemberView<'a>| it.is_abstract() || self.is_writable(class, **it) && is_alone(it);
        all.iter().filter(can_be_written).copied().collect()
    }

    /// Whether a name means something else inside of a class below an interface than outside of it:
    /// a variable that the methods use, or a type that they name. Nor can such a class leave
    /// `clone` as it is where the interface makes it public.
    fn hides_names(self, class: ClassView<'_>) -> bool {
        let above: Vec<ClassView<'_>> =
            self.hierarchy().supertypes(class.name()).into_iter().filter_map(Supertype::known).collect();
        let is_small = |name: &str| name.starts_with(|it: char| !it.is_uppercase());
        let hides_variable = above.iter().any(|it| it.fields().any(|field| is_small(field.name())));
        let is_left_to_objects = |it: &MemberView<'_>| ["clone", "finalize"].contains(&it.name());
        let mut declaring = above.iter().filter(|it| it.name() != OBJECT);
        let mut used: BTreeSet<String> = NAMED.iter().map(|it| (*it).to_owned()).collect();
        for method in self.answerable(class) {
            used.extend(named_types(method.descriptor()));
            used.extend(method.exceptions().map(outermost));
        }
        let is_member = |it: &ClassView<'_>| match it.nesting() {
            Nesting::Member { outer, name } => {
                above.iter().any(|above| above.name() == outer) && used.contains(name)
            }
            _ => false,
        };
        let packages: BTreeSet<&str> = above.iter().map(|it| it.package()).collect();
        let around = packages.iter().flat_map(|it| self.index().package(it));
        hides_variable
            || declaring.any(|it| it.methods().any(|method| is_left_to_objects(&method)))
            || around.filter_map(|it| self.index().view(*it)).any(|it| is_member(&it))
    }
}

/// Simple names of types that every anonymous class may name, with what methods yield by default.
const NAMED: [&str; 17] = [
    "ArrayList",
    "DoubleStream",
    "Duration",
    "HashMap",
    "HashSet",
    "IntStream",
    "LinkedHashMap",
    "LinkedHashSet",
    "LinkedList",
    "LongStream",
    "Object",
    "Optional",
    "Override",
    "Stream",
    "String",
    "TreeMap",
    "TreeSet",
];

/// The names by which a source begins to name the types of a method.
fn named_types(descriptor: &str) -> Vec<String> {
    let encoded = JavaStr::encode(descriptor);
    let Ok(descriptor) = MethodDescriptor::parse(JavaStr::new(&encoded)) else { return Vec::new() };
    let types = descriptor.parameters().chain(descriptor.result());
    let class = types.filter_map(|it| match it.element {
        ElementType::Class(name) => Some(outermost(&name.to_str())),
        ElementType::Primitive(_) => None,
    });
    class.collect()
}

/// The simple name of the class around all others that a class, given by its internal name, is in.
fn outermost(class: &str) -> String {
    let simple = class.rsplit('/').next().unwrap_or(class);
    simple.split('$').next().unwrap_or(simple).to_owned()
}

impl Vocabulary {
    /// The number of a mock that a source writes as an anonymous class of a type.
    pub fn add_anonymous_of(&mut self, context: Context<'_>, name: &str) -> Result<MockId, Error> {
        let refused = || Error::UnknownMember(name.to_owned());
        context.check_anonymous(name).map_err(|_| refused())?;
        let class = context.index().get(name).ok_or_else(refused)?;
        let object = context.index().get(OBJECT).ok_or_else(refused)?;
        let mut methods = Vec::new();
        for method in context.answerable(class) {
            let is_abstract = method.is_abstract();
            methods.push(Mocked { method: self.add_method_of(class, method)?, is_abstract });
        }
        for method in ["toString", "hashCode", "equals"] {
            let method = object.methods_named(method).next().ok_or_else(refused)?;
            methods.push(Mocked { method: self.add_method_of(object, method)?, is_abstract: false });
        }
        let (of, is_interface, methods) = (self.add_class(class), class.is_interface(), Arc::from(methods));
        let kind = MockKind::Anonymous;
        Ok(self.add_mock(Mock { of, is_interface, calls_real: true, kind, methods }))
    }

    /// Whether a variable of some statements is a mock that a source writes as an anonymous class.
    pub(crate) fn is_anonymous(&self, maker: Option<&Statement>) -> bool {
        match maker {
            Some(Statement::Mock(mock)) => self.mock(*mock).is_some_and(|it| it.kind == MockKind::Anonymous),
            _ => false,
        }
    }
}

/// Whether the class of an anonymous mock can have a further answer: nothing before has used the mock,
/// and no answer before was to the same method. `since` are the statements since the mock.
pub(crate) fn takes_answer<'s>(
    mut since: impl Iterator<Item = &'s Statement>,
    mock: Var,
    method: MethodId,
    answer: Answer,
) -> bool {
    let is_own = |answer: Answer| answer.values().any(|it| it == mock);
    let is_plain = matches!(answer, Answer::Return(_) | Answer::Throw(_)) && !is_own(answer);
    is_plain
        && !since.any(|it| match it {
            Statement::Stub { mock: other, method: told, answer, .. } if *other == mock => {
                *told == method || is_own(*answer)
            }
            other => {
                let mut is_used = false;
                other.for_each_operand(|it| is_used |= it == mock);
                is_used
            }
        })
}
