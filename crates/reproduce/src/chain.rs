//! What is observed: the methods of the frames, as a probe plan and as the fitness sees them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crashback_fitness::{self as fitness, BranchVariable, BranchVariables, Fitness, FlagSources};
use crashback_instrument::{
    ClassNames, ClassPlan, Kinds, Probe, ProbeKind, ProbePlan, ProbeTable, Recording, VariableSort,
    WatchedVariable, is_known_immutable, number_probes,
};
use crashback_program::Origins;
use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::CallSite;
use crashback_program::frames::{CrashAudit, FrameAudit, Guide, Origin, Shape};
use crashback_program::immutability::immutable_types;
use crashback_testcase::Logging;

/// What every class gets: tests end, start from the same state, and see the same clock and random
/// numbers.
pub fn everywhere() -> Kinds {
    Kinds::BUDGET | Kinds::STATE | Kinds::PINS
}

/// Libraries that write logs. What they keep is not part of a test's result, nearly every class has
/// to do with them, and to initialise them again takes longer than a hundred tests.
const LOGGING: [&str; 8] = [
    "org/slf4j/",
    "ch/qos/logback/",
    "org/apache/log4j/",
    "org/apache/logging/",
    "org/apache/commons/logging/",
    "org/jboss/logging/",
    "org/tinylog/",
    "com/google/common/flogger/",
];

/// The libraries whose state stays, unless they are what crashed.
fn keeping_state(audit: &CrashAudit) -> ClassNames {
    let has_crashed = |library: &str| {
        audit.frames.iter().any(|it| it.target && it.class.replace('.', "/").starts_with(library))
    };
    LOGGING.iter().filter(|it| !has_crashed(it)).map(|it| (*it).to_owned()).collect()
}

/// What the methods on the frames get beside it.
fn on_frames(sources: Sources) -> Kinds {
    let arguments = if sources.arguments { Kinds::ARGUMENTS } else { Kinds::NONE };
    Kinds::JUMPS | Kinds::SWITCHES | Kinds::LINES | Kinds::BLOCKS | Kinds::FRAMES | Kinds::CALLS | arguments
}

/// What is recorded for values of later tests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sources {
    /// Texts that the project's code compares or looks up.
    pub(crate) words: bool,
    /// Arguments of the methods on the frames.
    pub(crate) arguments: bool,
}

/// What the methods on the way to them get.
fn on_guides() -> Kinds {
    Kinds::JUMPS | Kinds::SWITCHES | Kinds::LINES | Kinds::BLOCKS | Kinds::CALLS
}

/// What the methods get that set flags.
fn on_setters() -> Kinds {
    Kinds::JUMPS | Kinds::CALLS
}

/// The frames of a crash that are observed.
pub(crate) struct Observed {
    pub(crate) recording: Recording,
    table: ProbeTable,
    /// Levels of the frames on the call chain, outermost first.
    levels: Vec<u32>,
    /// Where the flags come from that they look at.
    flags: FlagSources,
    /// The variables that decide on their branches, as far as a fitness function looks at them.
    variables: BranchVariables,
}

impl Observed {
    /// Plans to observe all frames up to the highest one that may be a target, for searches with these
    /// fitness functions, with sources of values that are wanted.
    pub(crate) fn new(
        classes: &Classes<'_>,
        origins: &Origins<'_>,
        audit: &CrashAudit,
        highest: u32,
        fitness: &[Fitness],
        sources: Sources,
    ) -> Self {
        let on_chain: Vec<&FrameAudit> =
            audit.frames.iter().filter(|it| it.level <= highest && is_observed(it)).rev().collect();
        let words = if sources.words { Kinds::WORDS } else { Kinds::NONE };
        let mut plan = ProbePlan::everywhere(everywhere() | words);
        plan.keeping_state = keeping_state(audit);
        plan.immutable = immutable_types(classes, is_known_immutable);
        plan.project = origins.project_names().into_iter().collect();
        for frame in &on_chain {
            if let Some((class, method)) = name(frame) {
                let class: &mut ClassPlan = plan.classes.entry(class).or_default();
                class.methods.insert(method, on_frames(sources));
            }
        }
        plan_throws(classes, audit, &on_chain, fitness, &mut plan);
        let variables = plan_variables(classes, &on_chain, fitness, &mut plan);
        plan_events(classes, &mut plan);
        let guides = audit.frames.iter().filter(|it| it.target).flat_map(|it| &it.guides);
        let guides: Vec<MethodId> = guides.map(|it| it.method).collect();
        let frames = on_chain.iter().filter_map(|it| it.resolved);
        let goals = on_chain.iter().filter_map(|it| Some((it.resolved?, it.able.as_slice())));
        let flags = FlagSources::of(classes, frames.chain(guides.iter().copied()));
        let flags = flags.with_throwers(classes, goals);
        let grades = fitness.iter().any(|it| it.grades_exceptions());
        let flags = if grades { flags.with_values(classes, audit) } else { flags };
        let guides = guides.into_iter().map(|it| (it, on_guides()));
        for (method, kinds) in guides.chain(flags.setters().map(|it| (it, on_setters()))) {
            let Some((class, method)) = name_of(classes, method) else { continue };
            let class: &mut ClassPlan = plan.classes.entry(class).or_default();
            class.methods.entry(method).or_insert(kinds);
        }
        let bytes = |name: &str| {
            let class = classes.index().get(name)?;
            classes.bytes(class.reference()).ok().map(|it| Cow::Owned(it.to_vec()))
        };
        let (plan, table) = number_probes(&plan, bytes);
        let entries = frame_probes(&table);
        let probe = |frame: &FrameAudit| name(frame).and_then(|it| entries.get(&it).copied());
        let numbered: Vec<(u32, i32)> =
            on_chain.iter().filter_map(|it| Some((it.level, probe(it)?))).collect();
        let recording = Recording {
            plan,
            jump_codes: table.jump_codes(),
            chain: numbered.iter().map(|(_, probe)| *probe).collect(),
            operands: true,
            strict_verification: false,
        };
        let levels = numbered.iter().map(|(level, _)| *level).collect();
        Self { recording, table, levels, flags, variables }
    }

    /// What is observed of a frame, and its place in the chain.
    pub(crate) fn probes(&self, frame: &FrameAudit) -> Option<fitness::FrameProbes> {
        let place = self.levels.iter().position(|level| *level == frame.level)?;
        let (class, method) = name(frame)?;
        Some(fitness::FrameProbes {
            place: u32::try_from(place).ok()?,
            probes: self.probes_of(&class, &method)?,
            variables: self.variables_of(frame.resolved?, &class, &method),
        })
    }

    /// The observed variables of a method with the numbers of their probes.
    fn variables_of(&self, id: MethodId, class: &str, method: &str) -> Vec<(u32, BranchVariable)> {
        let probes = self.table_of(class, method).into_iter().flatten();
        let variables = probes.filter_map(|it| match it.kind {
            ProbeKind::Variable(WatchedVariable { offset, is_second, .. }) => {
                let variable = self.variables.get(id, offset, is_second)?;
                Some((u32::try_from(it.id).ok()?, variable.clone()))
            }
            _ => None,
        });
        variables.collect()
    }

    /// What is observed of a method that leads to a frame.
    pub(crate) fn probes_on_way(&self, classes: &Classes<'_>, guide: &Guide) -> Option<Vec<fitness::Probe>> {
        let (class, method) = name_of(classes, guide.method)?;
        self.probes_of(&class, &method)
    }

    /// The branches on flags in everything that is observed.
    pub(crate) fn flags(&self, classes: &Classes<'_>) -> fitness::Flags {
        fitness::Flags::new(classes, &self.flags, |method| {
            let (class, method) = name_of(classes, method)?;
            self.probes_of(&class, &method)
        })
    }

    /// All probes of a method.
    fn table_of(&self, class: &str, method: &str) -> Option<&[Probe]> {
        let of_class = self.table.classes().iter().find(|it| it.name == class)?;
        let mut methods = of_class.methods.iter();
        let of_method = methods.find(|it| method == format!("{}{}", it.method.name, it.method.descriptor))?;
        Some(&of_method.probes)
    }

    fn probes_of(&self, class: &str, method: &str) -> Option<Vec<fitness::Probe>> {
        let probes = self.table_of(class, method)?.iter().filter_map(|it| {
            let kind = match it.kind {
                ProbeKind::Jump { .. } => fitness::ProbeKind::Jump,
                ProbeKind::Switch => fitness::ProbeKind::Switch,
                ProbeKind::Line => fitness::ProbeKind::Line,
                ProbeKind::Block => fitness::ProbeKind::Block,
                ProbeKind::Throw => fitness::ProbeKind::Throw,
                ProbeKind::Indexed => fitness::ProbeKind::Indexed,
                _ => return None,
            };
            Some(fitness::Probe { number: u32::try_from(it.id).ok()?, offset: it.offset, kind })
        });
        Some(probes.collect())
    }
}

/// Exceptions of instructions and calls whose operands tell how near they were to being thrown.
const GRADED: [&str; 5] = [
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.StringIndexOutOfBoundsException",
    "java.lang.IndexOutOfBoundsException",
    "java.lang.ArithmeticException",
    "java.lang.NegativeArraySizeException",
];

/// Asks for probes at the instructions that may have thrown the exception: those on the line of the
/// innermost frame, if it is observed. Where a method of the JDK threw it, only calls of that matter.
fn plan_throws(
    classes: &Classes<'_>,
    audit: &CrashAudit,
    on_chain: &[&FrameAudit],
    fitness: &[Fitness],
    plan: &mut ProbePlan,
) {
    let exception = audit.exception_class.as_deref().unwrap_or_default();
    let below = audit.frames.iter().take_while(|it| it.origin == Origin::Jdk);
    let called = below.clone().last().map(|it| it.method.as_str());
    let Some(frame) = on_chain.last().filter(|it| it.level as usize == below.count() + 1) else { return };
    let (Some(method), Some((class, name)), true) =
        (frame.resolved, name(frame), GRADED.contains(&exception))
    else {
        return;
    };
    let offsets = classes.with_body(method, |body| {
        let calls =
            |it: usize| CallSite::at(body, it).and_then(|it| Some(it.method()?.name.to_str().into_owned()));
        let able = frame.able.iter().filter(|it| calls(**it).as_deref() == called);
        able.filter_map(|it| Some(body.instructions().get(*it)?.offset)).collect::<BTreeSet<u32>>()
    });
    let class: &mut ClassPlan = plan.classes.entry(class).or_default();
    let accesses = fitness.iter().any(|it| it.needs_accesses());
    let kinds = if accesses { Kinds::THROWS | Kinds::INDEXED } else { Kinds::THROWS };
    *class.methods.entry(name.clone()).or_default() |= kinds;
    class.throwing.insert(name, offsets.unwrap_or_default());
}

/// Asks for the variables that fitness functions look at, and tells all of the methods.
fn plan_variables(
    classes: &Classes<'_>,
    on_chain: &[&FrameAudit],
    fitness: &[Fitness],
    plan: &mut ProbePlan,
) -> BranchVariables {
    if !fitness.iter().any(|it| it.needs_variables()) {
        return BranchVariables::default();
    }
    let goals = on_chain.iter().filter_map(|it| Some((it.resolved?, it.able.as_slice())));
    let variables = BranchVariables::of(classes, goals);
    for (method, all) in variables.methods() {
        let Some((class, method)) = name_of(classes, method) else { continue };
        let is_needed = |it: &&BranchVariable| fitness.iter().any(|fitness| fitness.needs_variable(it));
        let class: &mut ClassPlan = plan.classes.entry(class).or_default();
        *class.methods.entry(method.clone()).or_default() |= Kinds::VARIABLES;
        class.variables.insert(method, all.iter().filter(is_needed).map(watched).collect());
    }
    variables
}

/// A variable as probes see it.
fn watched(variable: &BranchVariable) -> WatchedVariable {
    use fitness::VariableSort as Sort;
    let sort = match variable.sort {
        Sort::Number => VariableSort::Number,
        Sort::Character => VariableSort::Character,
        Sort::Boolean => VariableSort::Boolean,
        Sort::NumberObject => VariableSort::NumberObject,
        Sort::CharacterObject => VariableSort::CharacterObject,
        Sort::BooleanObject => VariableSort::BooleanObject,
        Sort::List | Sort::Set | Sort::Array | Sort::Map | Sort::String => VariableSort::Container,
        Sort::Reference => VariableSort::Reference,
    };
    let BranchVariable { offset, is_second, has_point, .. } = *variable;
    WatchedVariable { offset, is_second, sort, has_point }
}

/// Asks for the events of the logging libraries that the class path has.
fn plan_events(classes: &Classes<'_>, plan: &mut ProbePlan) {
    let outlets = Logging::ALL.iter().filter_map(|it| it.outlet());
    for (class, method) in outlets.filter(|(class, _)| classes.index().contains(class)) {
        let class: &mut ClassPlan = plan.classes.entry(class.to_owned()).or_default();
        *class.methods.entry(method.to_owned()).or_default() |= Kinds::EVENTS;
    }
}

/// Internal name of a frame's class, and name and descriptor of its method in one.
fn name(frame: &FrameAudit) -> Option<(String, String)> {
    let descriptor = frame.descriptor.as_ref()?;
    Some((frame.class.replace('.', "/"), format!("{}{descriptor}", frame.method)))
}

fn name_of(classes: &Classes<'_>, method: MethodId) -> Option<(String, String)> {
    let method = method.view(classes.index())?;
    Some((method.class().name().to_owned(), format!("{}{}", method.name(), method.descriptor())))
}

/// Frames that a trace may or may not have cannot be counted on.
fn is_observed(frame: &FrameAudit) -> bool {
    frame.origin != Origin::Jdk
        && frame.resolved.is_some()
        && !matches!(frame.shape, Shape::Bridge | Shape::Generated | Shape::Native | Shape::StaticInitializer)
}

/// Numbers of frame probes by class and method.
fn frame_probes(table: &ProbeTable) -> BTreeMap<(String, String), i32> {
    let frames = table.iter().filter(|it| matches!(it.probe.kind, ProbeKind::Frame));
    frames
        .map(|it| {
            let method = format!("{}{}", it.method.name, it.method.descriptor);
            ((it.class.to_owned(), method), it.probe.id)
        })
        .collect()
}
