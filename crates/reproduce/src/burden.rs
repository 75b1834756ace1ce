//! How much a test must make before it can call an entry.
//!
//! A frame far up the trace is often the easier one to enter: it takes a text where those below it take
//! what has been made of the text.

use std::collections::BTreeMap;

use crashback_program::classes::Classes;
use crashback_program::frames::FrameAudit;
use crashback_program::index::ClassKind;
use crashback_program::origins::Origin;
use crashback_program::{ClassView, MemberView, Origins};
use crashback_testcase::workshop::{Step, TargetCall, TargetCalls};
use crashback_testcase::{Context, MemberName, Type, TypeId, Vocabulary};

use crate::entries::parameters_of;

/// How many constructors deep it looks.
const DEEPEST: u32 = 3;

/// Values that an entry takes: those of plain types count once.
const PLAIN: u32 = 1;
const OF_JDK: u32 = 2;
/// A mock needs answers; what cannot be made at all, luck.
const MOCKED: u32 = 8;
const UNKNOWN: u32 = 16;

/// Calls that take no more are easy to make.
const FEW: u32 = 4;

/// Types that hold texts or bytes.
const INPUTS: [&str; 9] = [
    "Ljava/lang/String;",
    "Ljava/lang/CharSequence;",
    "Ljava/io/Reader;",
    "Ljava/io/InputStream;",
    "Ljava/io/File;",
    "Ljava/nio/file/Path;",
    "[Ljava/lang/String;",
    "[C",
    "[B",
];

/// Counts values by the shortest way to make each.
pub(crate) struct Burden<'e, 's> {
    origins: &'e Origins<'s>,
    known: BTreeMap<(String, u32), u32>,
}

impl<'e, 's> Burden<'e, 's> {
    pub(crate) fn new(origins: &'e Origins<'s>) -> Self {
        Self { origins, known: BTreeMap::new() }
    }

    /// The fewest values that any of the calls takes.
    pub(crate) fn of(&mut self, target: &TargetCalls, vocabulary: &Vocabulary, context: Context<'_>) -> u32 {
        let calls = target.calls.iter().map(|it| self.call(it, vocabulary, context));
        calls.min().unwrap_or(u32::MAX)
    }

    /// Whether the method of a frame takes a text or bytes, and few other values, all of which are easy to
    /// make.
    pub(crate) fn is_plain_input(
        &mut self,
        frame: &FrameAudit,
        classes: &Classes<'_>,
        context: Context<'_>,
    ) -> bool {
        let Some(method) = frame.resolved.and_then(|it| it.view(classes.index())) else { return false };
        let types = parameters_of(method);
        let receiver = match method.is_static() || method.name() == "<init>" {
            true => 0,
            false => self.object(method.class().name(), context, DEEPEST),
        };
        types.iter().any(is_input)
            && types.iter().map(|it| self.value(it, context, DEEPEST)).fold(receiver, u32::saturating_add)
                <= FEW
    }

    fn call(&mut self, call: &TargetCall, vocabulary: &Vocabulary, context: Context<'_>) -> u32 {
        let types = |id: &TypeId| vocabulary.type_of(*id).cloned();
        let receivers: Vec<Type> = call.receivers.iter().filter_map(types).collect();
        let receiver = receivers.iter().map(|it| self.value(it, context, DEEPEST)).min().unwrap_or(0);
        let (Step::Call(method) | Step::Construct(method)) = call.step else { return receiver };
        let parameters = vocabulary.method(method).map(|it| it.parameters.clone()).unwrap_or_default();
        let parameters = parameters.iter().filter_map(types);
        let values = parameters.map(|it| self.value(&it, context, DEEPEST)).fold(0, u32::saturating_add);
        // An object that others yield takes what they take.
        let yielded = if call.origins.is_empty() { 0 } else { MOCKED };
        receiver.saturating_add(values).saturating_add(yielded)
    }

    fn value(&mut self, of: &Type, context: Context<'_>, depth: u32) -> u32 {
        let Some(class) = of.class_name() else {
            return of.element().map_or(PLAIN, |it| PLAIN.saturating_add(self.value(&it, context, depth)));
        };
        if let Some(known) = self.known.get(&(class.to_owned(), depth)) {
            return *known;
        }
        let found = self.object(class, context, depth);
        self.known.insert((class.to_owned(), depth), found);
        found
    }

    fn object(&mut self, name: &str, context: Context<'_>, depth: u32) -> u32 {
        if name.starts_with("java/lang/") {
            return PLAIN;
        }
        if self.origins.origin(name) == Origin::Jdk {
            return OF_JDK;
        }
        let Ok(class) = context.class(name) else { return UNKNOWN };
        if class.kind() == ClassKind::Enum {
            return PLAIN;
        }
        if class.is_abstract() {
            return MOCKED;
        }
        let Some(depth) = depth.checked_sub(1) else { return UNKNOWN };
        let constructors = class.methods_named("<init>").filter(|it| is_callable(class, *it, context));
        let values = constructors.map(|it| self.arguments(it, context, depth)).min();
        values.unwrap_or(UNKNOWN).saturating_add(PLAIN)
    }

    fn arguments(&mut self, constructor: MemberView<'_>, context: Context<'_>, depth: u32) -> u32 {
        let types = parameters_of(constructor).into_iter();
        types.map(|it| self.value(&it, context, depth)).fold(0, u32::saturating_add)
    }
}

fn is_input(of: &Type) -> bool {
    INPUTS.contains(&of.descriptor())
}

fn is_callable(class: ClassView<'_>, constructor: MemberView<'_>, context: Context<'_>) -> bool {
    context.method(&MemberName::through(class.name(), constructor)).is_ok()
}
