//! Java sources compiled on the spot, crashes of them, and the probes in them.

use std::path::PathBuf;
use std::process::Command;

use crashback_classpath::{ClassPath, Request};
use crashback_fitness::{BranchVariable, BranchVariables, FlagSources, FrameProbes, Probe, ProbeKind};
use crashback_instrument::{
    Kinds, ProbeEntry, ProbePlan, ProbeTable, VariableSort, WatchedVariable, number_probes,
};
use crashback_program::classes::{Classes, MethodId};
use crashback_program::frames::{Auditor, CrashAudit, FrameAudit, Scope};
use crashback_trace::Throwable;

/// The compiled classes of one source. They live as long as the test process, which spares the
/// tests all lifetimes.
pub(crate) struct Program {
    source: &'static str,
    pub(crate) classes: &'static Classes<'static>,
}

/// A crash of a program and what is observed of its frames.
pub(crate) struct Crash {
    pub(crate) throwable: Throwable,
    pub(crate) audit: CrashAudit,
    pub(crate) flags: FlagSources,
    variables: BranchVariables,
    table: ProbeTable,
}

impl Program {
    #[expect(clippy::disallowed_methods, reason = "tests run the compiler")]
    pub(crate) fn compile(source: &'static str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Subject.java");
        std::fs::write(&file, source).unwrap();
        let mut javac = Command::new(javac());
        let output = javac.args(["-g", "-nowarn", "-d"]).args([folder.path(), &file]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let request = Request { entries: vec![folder.path().to_owned()], ..Request::default() };
        let class_path = Box::leak(Box::new(ClassPath::load(&request).unwrap()));
        let classes = Box::leak(Box::new(Classes::new(class_path)));
        // Classes are read once, and then the folder is no longer needed.
        classes.index().iter().for_each(|class| drop(classes.bytes(class.reference()).unwrap()));
        Self { source, classes }
    }

    /// A crash with frames given as `Class.method@marker`, innermost first; the markers are those
    /// in comments of the source. The exception may have a message of its own. `grades` asks for
    /// the origins of values that make code throw.
    pub(crate) fn crash(&self, exception: &str, frames: &[&str], grades: bool) -> Crash {
        let frames: Vec<String> = frames.iter().map(|frame| self.frame(frame)).collect();
        let message = if exception.contains(':') { "" } else { ": because" };
        let log = format!("{exception}{message}\n{}", frames.concat());
        let parsed = crashback_trace::parse(log.as_bytes());
        let throwable = parsed.crashes[0].clone().folded().throwables[0].clone();
        let scope = Scope::Directories;
        let audit = Auditor::new(self.classes, &scope).audit(&throwable);
        let flags = FlagSources::of(self.classes, audit.frames.iter().filter_map(|it| it.resolved));
        let flags = if grades { flags.with_values(self.classes, &audit) } else { flags };
        let goals = audit.frames.iter().filter_map(|it| Some((it.resolved?, it.able.as_slice())));
        let variables = BranchVariables::of(self.classes, goals);
        let table = self.probes(&audit, &flags, &variables);
        Crash { throwable, audit, flags, variables, table }
    }

    /// A line of a log.
    fn frame(&self, frame: &str) -> String {
        match frame.split_once('@') {
            Some((method, marker)) => format!("\tat {method}(Subject.java:{})\n", self.line(marker)),
            None => format!("\tat {frame}(Subject.java)\n"),
        }
    }

    /// The line that holds the comment `// @marker`.
    pub(crate) fn line(&self, marker: &str) -> u32 {
        let holds = |line: &str| line.split_whitespace().any(|word| word.strip_prefix('@') == Some(marker));
        let lines: Vec<u32> =
            (1..).zip(self.source.lines()).filter(|it| holds(it.1)).map(|it| it.0).collect();
        assert_eq!(lines.len(), 1, "marker @{marker}");
        lines[0]
    }

    /// All that can be observed of the methods of the frames, and the jumps of those that set
    /// flags.
    fn probes(&self, audit: &CrashAudit, flags: &FlagSources, variables: &BranchVariables) -> ProbeTable {
        let places = Kinds::LINES | Kinds::BLOCKS | Kinds::FRAMES;
        let kinds = places | Kinds::JUMPS | Kinds::SWITCHES | Kinds::THROWS | Kinds::INDEXED;
        let mut plan = ProbePlan::everywhere(Kinds::NONE);
        for frame in &audit.frames {
            let class = plan.classes.entry(frame.class.replace('.', "/")).or_default();
            class.methods.insert(key(frame), kinds);
        }
        for (class, method) in flags.setters().map(|it| self.name(it)) {
            plan.classes.entry(class).or_default().methods.insert(method, Kinds::JUMPS);
        }
        for (method, variables) in variables.methods() {
            let (class, method) = self.name(method);
            // Sorts and points are for the runtime.
            let watched = variables.iter().map(|it| WatchedVariable {
                offset: it.offset,
                is_second: it.is_second,
                sort: VariableSort::Number,
                has_point: false,
            });
            let class = plan.classes.entry(class).or_default();
            *class.methods.entry(method.clone()).or_default() |= Kinds::VARIABLES;
            class.variables.insert(method, watched.collect());
        }
        let bytes = |name: &str| {
            let class = self.classes.index().get(name)?;
            Some(self.classes.bytes(class.reference()).ok()?.to_vec().into())
        };
        number_probes(&plan, bytes).1
    }

    /// The class of a method, and its name and descriptor in one.
    pub(crate) fn name(&self, method: MethodId) -> (String, String) {
        let method = method.view(self.classes.index()).unwrap();
        (method.class().name().to_owned(), format!("{}{}", method.name(), method.descriptor()))
    }
}

impl Crash {
    /// The call chain from a frame inwards, outermost first: frames with their methods, by number.
    pub(crate) fn chain(&self, highest: u32) -> Vec<(u32, i32)> {
        let frames = self.audit.frames.iter().rev();
        let observed = frames.filter(|it| it.level <= highest && !self.probes_of_frame(it).is_empty());
        observed.map(|it| (it.level, self.method(it))).collect()
    }

    /// A number for the method of a frame.
    pub(crate) fn method(&self, frame: &FrameAudit) -> i32 {
        let is_same = |it: &FrameAudit| (&it.class, key(it)) == (&frame.class, key(frame));
        self.audit.frames.iter().position(is_same).unwrap() as i32
    }

    /// The probes of a frame's method, as a caller would tell them, if the call chain has the frame.
    pub(crate) fn frame_probes(&self, frame: &FrameAudit, highest: u32) -> Option<FrameProbes> {
        let place = self.chain(highest).iter().position(|(level, _)| *level == frame.level)? as u32;
        let variables = self.variables_of(frame);
        Some(FrameProbes { place, probes: self.probes_of_frame(frame), variables })
    }

    /// The variables of a frame's method with the numbers of their probes.
    fn variables_of(&self, frame: &FrameAudit) -> Vec<(u32, BranchVariable)> {
        let of_frame = |it: &ProbeEntry<'_>| {
            it.class == frame.class.replace('.', "/")
                && format!("{}{}", it.method.name, it.method.descriptor) == key(frame)
        };
        let variable = |it: ProbeEntry<'_>| match it.probe.kind {
            crashback_instrument::ProbeKind::Variable(watched) => {
                let found = self.variables.get(frame.resolved?, watched.offset, watched.is_second)?;
                Some((u32::try_from(it.probe.id).ok()?, found.clone()))
            }
            _ => None,
        };
        self.table.iter().filter(of_frame).filter_map(variable).collect()
    }

    /// The probes of a frame's method; none if it has no code.
    pub(crate) fn probes_of_frame(&self, frame: &FrameAudit) -> Vec<Probe> {
        self.probes_of(&frame.class.replace('.', "/"), &key(frame)).unwrap_or_default()
    }

    /// The probes of a method.
    pub(crate) fn probes_of(&self, class: &str, method: &str) -> Option<Vec<Probe>> {
        let class = self.table.classes().iter().find(|it| it.name == class)?;
        let method = class
            .methods
            .iter()
            .find(|it| format!("{}{}", it.method.name, it.method.descriptor) == method)?;
        let probes = method.probes.iter().filter_map(|probe| {
            let kind = match probe.kind {
                crashback_instrument::ProbeKind::Jump { .. } => ProbeKind::Jump,
                crashback_instrument::ProbeKind::Switch => ProbeKind::Switch,
                crashback_instrument::ProbeKind::Line => ProbeKind::Line,
                crashback_instrument::ProbeKind::Block => ProbeKind::Block,
                crashback_instrument::ProbeKind::Throw => ProbeKind::Throw,
                crashback_instrument::ProbeKind::Indexed => ProbeKind::Indexed,
                _ => return None,
            };
            Some(Probe { number: u32::try_from(probe.id).ok()?, offset: probe.offset, kind })
        });
        Some(probes.collect())
    }
}

fn key(frame: &FrameAudit) -> String {
    format!("{}{}", frame.method, frame.descriptor.as_deref().unwrap_or_default())
}

#[expect(clippy::disallowed_methods, reason = "tests look for the JDK where the user has it")]
fn javac() -> PathBuf {
    match std::env::var_os("JAVA_HOME") {
        Some(home) => PathBuf::from(home).join("bin/javac"),
        None => PathBuf::from("javac"),
    }
}
