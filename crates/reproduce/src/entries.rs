//! How a test gets into a frame.

use std::sync::Arc;

use crashback_classfile::{JavaStr, MethodDescriptor};
use crashback_program::callgraph::CallGraph;
use crashback_program::classes::Classes;
use crashback_program::frames::{CrashAudit, EntryPoint, FrameAudit, Handover, Origin, Shape, Yielded};
use crashback_program::{ClassView, MemberView};
use crashback_seeding::{known_arguments, recorded_arguments, runs_on_other_object};
use crashback_testcase::workshop::{ReceiverOrigin, Step, TargetCall, TargetCalls};
use crashback_testcase::{
    Context, Literal, MemberName, MethodId as VocabularyMethodId, Type, TypeId, Vocabulary,
};
use crashback_trace::RecordedCall;

use crate::Case;

/// How many classes below an abstract one are tried.
const MOST_SUBCLASSES: usize = 8;

/// How many objects are made for the frames of a method that calls itself.
const MOST_ACTORS: usize = 8;

/// The package of a test for a frame, in internal form.
pub(crate) fn package_of<'s>(classes: &Classes<'s>, frame: &FrameAudit) -> Option<&'s str> {
    Some(classes.index().view(frame.resolved?.class)?.package())
}

/// What tests for a frame must lead into; without entries if a test cannot get there. `recorded` are failing
/// calls whose arguments are worth trying.
pub(crate) fn target_calls(
    case: &Case<'_>,
    recorded: &[RecordedCall],
    frame: &FrameAudit,
    context: Context<'_>,
    vocabulary: &mut Vocabulary,
) -> TargetCalls {
    let Case { classes, audit, .. } = *case;
    let mut finder = Finder { classes, audit, recorded, context, vocabulary, entries: Vec::new() };
    if let Some(method) = frame.resolved.and_then(|it| it.view(classes.index())) {
        finder.method(method, frame.level, 16);
    }
    // What a test cannot call is entered through others, nearest first.
    if finder.entries.is_empty() {
        for yielded in &frame.yielded {
            finder.yielded(yielded, &frame.entries);
        }
        for (number, entry) in (0..).zip(&frame.entries) {
            finder.entry_point(*entry, 16_u32.checked_shr(number).unwrap_or_default().max(1));
        }
    }
    let entries = finder.entries;
    let below = audit.frames.iter().rfind(|it| it.level < frame.level && it.origin != Origin::Jdk);
    let recurses = below.is_some_and(|it| it.resolved.is_some() && it.resolved == frame.resolved);
    let traced = audit.frames.iter().filter(|it| it.level <= frame.level && it.origin != Origin::Jdk).count();
    let (lower_receivers, nests) = lower_receivers(classes, audit, frame.level, context, vocabulary);
    TargetCalls { calls: entries, lower_receivers, frames: traced, recurses: recurses || nests }
}

struct Finder<'f, 's> {
    classes: &'f Classes<'s>,
    audit: &'f CrashAudit,
    recorded: &'f [RecordedCall],
    context: Context<'f>,
    vocabulary: &'f mut Vocabulary,
    entries: Vec<TargetCall>,
}

impl Finder<'_, '_> {
    fn entry_point(&mut self, entry: EntryPoint, weight: u32) {
        match entry {
            EntryPoint::Method(method) => {
                let level =
                    self.audit.frames.iter().find(|it| it.resolved == Some(method)).map(|it| it.level);
                if let Some(method) = method.view(self.classes.index()) {
                    self.method(method, level.unwrap_or(u32::MAX - 1), weight);
                }
            }
            EntryPoint::Field { .. } => {
                if let Some(read) = self.step(entry) {
                    self.add(read, Vec::new(), u32::MAX - 1, weight);
                }
            }
        }
    }

    /// A call of what accessible members yield, or give to others, with arguments of the types that
    /// the code which then runs has.
    fn yielded(&mut self, yielded: &Yielded, entries: &[EntryPoint]) {
        const WEIGHT: u32 = 48;
        let index = self.classes.index();
        let (Some(called), Some(run)) = (yielded.called.view(index), yielded.run.view(index)) else { return };
        let steps = yielded.sources.iter().filter_map(|it| self.step(*it));
        let mut sources: Vec<ReceiverOrigin> = steps.map(ReceiverOrigin::Result).collect();
        for handover in &yielded.handovers {
            sources.extend(self.kept(handover, entries));
        }
        if sources.is_empty() || !self.is_callable(called.class(), called) {
            return;
        }
        let Ok(id) = self.vocabulary.add_method_of(called.class(), called) else { return };
        let receiver = self.vocabulary.add_type(Type::of_class(called.class().name()));
        let parameters = self.narrower(called, run);
        let level = self.audit.frames.iter().find(|it| it.resolved == Some(yielded.run)).map(|it| it.level);
        let arguments = self.known_arguments(level.unwrap_or(u32::MAX - 1));
        self.entries.push(TargetCall {
            step: Step::Call(id),
            receivers: vec![receiver],
            origins: sources,
            parameters,
            arguments,
            weight: WEIGHT,
        });
    }

    /// What a mock keeps that is given an object while one of the entries runs. Code on the trace
    /// must run, and so is not mocked.
    fn kept(&mut self, handover: &Handover, entries: &[EntryPoint]) -> Vec<ReceiverOrigin> {
        let Handover { owner, method, parameter } = handover;
        let class = owner.replace('/', ".");
        let is_traced = self.audit.frames.iter().any(|it| it.class == class);
        if is_traced || self.context.check_mockable(owner).is_err() {
            return Vec::new();
        }
        let Some(given) = method.view(self.classes.index()) else { return Vec::new() };
        let Ok(mock) = self.vocabulary.add_mock_of(self.context, owner, false) else { return Vec::new() };
        let methods = self.vocabulary.mock(mock).map(|it| Arc::clone(&it.methods)).unwrap_or_default();
        let is_given = |id: &VocabularyMethodId| {
            let name = self.vocabulary.method(*id).and_then(|it| self.vocabulary.method_name(it));
            name.is_some_and(|it| it.name == given.name() && it.descriptor == given.descriptor())
        };
        let Some(method) = methods.iter().map(|it| it.method).find(is_given) else { return Vec::new() };
        let steps = entries.iter().filter_map(|it| self.registration(*it));
        steps.map(|by| ReceiverOrigin::Argument { by, mock, method, parameter: *parameter }).collect()
    }

    /// A call that gives objects away on its way.
    fn registration(&mut self, entry: EntryPoint) -> Option<Step> {
        let EntryPoint::Method(method) = entry else { return None };
        let method = method.view(self.classes.index())?;
        let is_made = method.name() != "<init>" || !method.class().is_abstract();
        let is_callable = is_made && self.is_callable(method.class(), method);
        let id = is_callable.then(|| self.vocabulary.add_method_of(method.class(), method).ok())??;
        Some(if method.name() == "<init>" { Step::Construct(id) } else { Step::Call(id) })
    }

    /// The types of the last parameters of one method, as many as another has: what comes before
    /// them a lambda has captured. Empty where they are no narrower.
    fn narrower(&mut self, called: MemberView<'_>, run: MemberView<'_>) -> Vec<TypeId> {
        let (wide, own) = (parameters_of(called), parameters_of(run));
        let Some(own) = own.len().checked_sub(wide.len()).and_then(|captured| own.get(captured..)) else {
            return Vec::new();
        };
        let hierarchy = self.classes.hierarchy();
        let fits = |(own, wide): (&Type, &Type)| {
            own == wide
                || own.class_name().zip(wide.class_name()).is_some_and(|(own, wide)| {
                    hierarchy.is_subtype(own, wide) == Some(true) && self.context.class(own).is_ok()
                })
        };
        if own == wide || !own.iter().zip(&wide).all(fits) {
            return Vec::new();
        }
        own.iter().map(|it| self.vocabulary.add_type(it.clone())).collect()
    }

    /// What yields an object, as far as a test can do it.
    fn step(&mut self, entry: EntryPoint) -> Option<Step> {
        match entry {
            EntryPoint::Method(method) => {
                let method = method.view(self.classes.index())?;
                let is_callable = method.name() != "<init>" && self.is_callable(method.class(), method);
                let id = is_callable.then(|| self.vocabulary.add_method_of(method.class(), method).ok())?;
                id.map(Step::Call)
            }
            EntryPoint::Field { class, number } => {
                let class = self.classes.index().view(class)?;
                let field = class.fields().find(|field| field.number() == number)?;
                Some(Step::Read(self.vocabulary.add_field_of(class, field)))
            }
        }
    }

    fn method(&mut self, method: MemberView<'_>, level: u32, weight: u32) {
        let class = method.class();
        if method.name() == "<init>" {
            return self.constructor(method, level, weight);
        }
        if !self.is_callable(class, method) {
            return;
        }
        let receivers = if method.is_static() { Vec::new() } else { self.receivers(class, method) };
        if !method.is_static() && receivers.is_empty() {
            return;
        }
        if let Ok(id) = self.vocabulary.add_method_of(class, method) {
            self.add(Step::Call(id), receivers, level, weight);
        }
    }

    /// The constructor itself or, for one of an abstract class, those of the classes below; if
    /// there are none, a class of the test calls it.
    fn constructor(&mut self, constructor: MemberView<'_>, level: u32, weight: u32) {
        let class = constructor.class();
        if !class.is_abstract() {
            if self.is_callable(class, constructor)
                && let Ok(id) = self.vocabulary.add_method_of(class, constructor)
            {
                self.add(Step::Construct(id), Vec::new(), level, weight);
            }
            return;
        }
        let before = self.entries.len();
        let below = self.context.hierarchy().concrete_subtypes(class.name());
        for below in self.named(below).into_iter().take(MOST_SUBCLASSES) {
            for constructor in below.methods_named("<init>") {
                if self.is_callable(below, constructor)
                    && let Ok(id) = self.vocabulary.add_method_of(below, constructor)
                {
                    self.add(Step::Construct(id), Vec::new(), u32::MAX - 1, weight);
                }
            }
        }
        if self.entries.len() == before
            && self.is_callable(class, constructor)
            && self.vocabulary.add_subclass_of(self.context, class.name()).is_ok()
            && let Ok(id) = self.vocabulary.add_method_of(class, constructor)
        {
            self.add(Step::Construct(id), Vec::new(), level, weight);
        }
    }

    fn add(&mut self, step: Step, receivers: Vec<TypeId>, level: u32, weight: u32) {
        let arguments = self.known_arguments(level);
        let (origins, parameters) = (Vec::new(), Vec::new());
        self.entries.push(TargetCall { step, receivers, origins, parameters, arguments, weight });
    }

    /// For each parameter of a frame's method the arguments that were recorded, and those that its caller is
    /// known to pass.
    fn known_arguments(&self, level: u32) -> Vec<Vec<Literal>> {
        let mut all = recorded_arguments(self.classes, self.audit, self.recorded, level);
        let passed = known_arguments(self.classes, self.audit, level);
        all.resize(all.len().max(passed.len()), Vec::new());
        all.iter_mut().zip(passed).for_each(|(all, passed)| all.extend(passed));
        all
    }

    fn is_callable(&self, owner: ClassView<'_>, method: MemberView<'_>) -> bool {
        self.context.method(&MemberName::through(owner.name(), method)).is_ok()
    }

    /// Types of objects that run this very method: classes below may override it.
    fn receivers(&mut self, class: ClassView<'_>, method: MemberView<'_>) -> Vec<TypeId> {
        let mut classes = if class.is_abstract() { Vec::new() } else { vec![class] };
        let running = CallGraph::new(self.classes).receivers(method);
        classes.extend(self.named(running).into_iter().take(MOST_SUBCLASSES));
        // Factories may yield what no test can construct.
        if classes.is_empty() {
            classes.push(class);
        }
        classes.iter().map(|it| self.vocabulary.add_type(Type::of_class(it.name()))).collect()
    }

    /// Those of some classes that a test can name, those that the trace names first.
    fn named<'c>(&self, mut classes: Vec<ClassView<'c>>) -> Vec<ClassView<'c>> {
        let is_traced = |it: &ClassView<'_>| {
            self.audit.frames.iter().any(|frame| frame.class.replace('.', "/") == it.name())
        };
        classes.retain(|it| self.context.class(it.name()).is_ok());
        classes.sort_by_key(|it| !is_traced(it));
        classes
    }
}

/// The types of a method's parameters.
pub(crate) fn parameters_of(method: MemberView<'_>) -> Vec<Type> {
    let encoded = JavaStr::encode(method.descriptor());
    let Ok(descriptor) = MethodDescriptor::parse(JavaStr::new(&encoded)) else { return Vec::new() };
    descriptor.parameters().map(|it| Type(it.to_string().into())).collect()
}

/// Types of the objects on which the frames below a target run, innermost first: each type once,
/// but for a method that calls itself as often as it does, and for calls on other objects of the
/// same class. The latter is told if it is the class of the target.
fn lower_receivers(
    classes: &Classes<'_>,
    audit: &CrashAudit,
    level: u32,
    context: Context<'_>,
    vocabulary: &mut Vocabulary,
) -> (Vec<TypeId>, bool) {
    let frames: Vec<&FrameAudit> =
        audit.frames.iter().filter(|it| it.level <= level && it.origin != Origin::Jdk).collect();
    let target = frames.last().map(|it| it.class.as_str());
    let mut found = Vec::new();
    let (mut last, mut nests) = (None, false);
    for pair in frames.windows(2) {
        let [frame, above] = pair else { continue };
        let recurses = frame.resolved.is_some() && [above.resolved, last].contains(&frame.resolved);
        last = frame.resolved;
        let method = frame.resolved.and_then(|it| it.view(classes.index()));
        let runs_on_object = method.is_some_and(|it| !it.is_static()) && frame.shape != Shape::Constructor;
        let class = frame.class.replace('.', "/");
        if !runs_on_object || context.class(&class).is_err() {
            continue;
        }
        let of = vocabulary.add_type(Type::of_class(&class));
        let is_inside = frame.class == above.class && runs_on_other_object(classes, frame, above);
        nests |= is_inside && Some(frame.class.as_str()) == target;
        let is_new = Some(frame.class.as_str()) != target && !found.contains(&of);
        if is_new || (recurses || is_inside) && found.len() < MOST_ACTORS {
            found.push(of);
        }
    }
    (found, nests)
}
