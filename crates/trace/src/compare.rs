//! The one definition of a produced trace agreeing with a logged one, "reproduced at frame k".
//!
//! The exception class is the logged one. With frames dropped on both sides that the definition
//! does not look at ([`is_dropped`]), the frames from the innermost to level k agree in class,
//! method and line, with no other frames between them. Lambda bodies agree by the method around
//! them, since compilers number them differently.
//!
//! A log and a class path are often of different builds. So a frame may agree on another line than
//! the logged one, and some frames may be missing on one side, where the caller has shown from the
//! program that the log cannot be taken at its word. Each such [`Relaxation`] is told.
//!
//! Where a stack overflowed, the log is a folded one ([`Cycle`](crate::Cycle)). A produced trace agrees
//! with all frames of its two rounds at once if, above at most a few frames that are none of the
//! cycle's, it runs through the cycle at least three times, from any frame of it on and with no other
//! frames in between; otherwise it agrees with none. Frames above the cycle agree as usual, if
//! the produced trace leaves the cycle where the log does. Both may be cut before that: then neither has
//! such frames, and there is nothing to agree with.

use serde::Serialize;

use crate::cycle::{MOST_BELOW, ROUNDS};
use crate::kind::FrameKind;
use crate::model::Frame;
use crate::relaxation::{Relaxation, Relaxations};

/// A frame to be reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetFrame<'a> {
    /// The logged frame.
    pub frame: &'a Frame,
    /// The lines that agree with the logged one.
    pub lines: Lines<'a>,
}

/// The lines that agree with a logged one, beside that line itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines<'a> {
    /// None.
    Logged,
    /// Those that stand for the logged one, which cannot be right, and for what reason.
    Replaced(Relaxation, &'a [u32]),
    /// Any: the frame agrees by class and method.
    Any(Relaxation),
}

/// How a frame of either side counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It must have its counterpart on the other side.
    Counts,
    /// The definition looks past it, see [`is_dropped`].
    Dropped,
    /// Looked past as well, but not by every definition: the result says so.
    PassedOver,
    /// In a produced trace it may stand between frames that agree. In the log it counts.
    MayStandBetween,
}

/// How far a produced trace agrees with the target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Whether the exception's class is the target's.
    pub exception: bool,
    /// The highest level, from 1 for the innermost logged frame, up to which all frames that count
    /// agree; 0 for none.
    pub level: usize,
    /// How many frames that count agree.
    pub frames: usize,
    /// What was relaxed for that.
    pub relaxations: Relaxations,
    /// The first difference in words, if there is one within the target's frames.
    pub difference: Option<String>,
}

impl Agreement {
    /// Whether the crash is reproduced at a level, which must be one that counts.
    pub fn reproduced_at(&self, level: usize) -> bool {
        self.exception && level > 0 && self.level >= level
    }
}

/// Compares a produced throwable with the target: the frames of the log from the innermost on, none
/// left out, up to the highest level of interest. `cycle` is the number of frames in one round of a
/// folded log, of which the target has both rounds; 0 for all others.
pub fn compare(
    target_class: &str,
    target: &[TargetFrame<'_>],
    cycle: usize,
    produced_class: &str,
    produced: &[Frame],
    standing: impl Fn(&Frame) -> Standing,
) -> Agreement {
    let exception = same_exception(target_class, produced_class);
    let logged = Logged::new(target.iter().copied(), cycle, &standing);
    let standings = produced.iter().map(|frame| (frame, standing(frame)));
    let met: Vec<(&Frame, bool)> = standings
        .filter(|(_, it)| !matches!(it, Standing::Dropped | Standing::PassedOver))
        .map(|(frame, it)| (frame, it == Standing::MayStandBetween))
        .collect();
    let agrees = |(frame, _): &(&Frame, bool), next: usize| {
        logged.frames.get(next).and_then(|it| same_place(&it.target, frame))
    };
    let walk = logged.walk(&met, agrees, |(_, may_stand_between)| *may_stand_between);
    let difference = (!exception).then(|| format!("{produced_class} was thrown, not {target_class}"));
    let difference = difference.or_else(|| difference_at(&logged, &walk, met.get(walk.met).map(|it| it.0)));
    let Walk { level, frames, relaxations, .. } = walk;
    Agreement { exception, level, frames, relaxations, difference }
}

/// The first difference in words, if a walk did not come to the end of the log.
fn difference_at(logged: &Logged<'_>, walk: &Walk, produced: Option<&Frame>) -> Option<String> {
    let next = logged.frames.get(walk.frames)?;
    let level = next.level;
    Some(match produced.filter(|_| walk.is_over) {
        _ if walk.frames == 0 && logged.round > 0 => {
            let methods: Vec<String> =
                logged.frames.iter().take(logged.round).map(|it| short(it.target.frame)).collect();
            format!("the produced trace does not run through the log's cycle: {}", methods.join(", "))
        }
        Some(frame) => {
            let logged = short(next.target.frame);
            format!("at level {level}, the log has {logged}, the produced trace {}", short(frame))
        }
        None => format!("at level {level}, the produced trace has no further frame"),
    })
}

/// A frame of the log that counts.
#[derive(Debug, Clone, Copy)]
pub struct Counted<'a> {
    /// Its level, 1 for the innermost frame of the log.
    pub level: usize,
    /// The frame.
    pub target: TargetFrame<'a>,
    /// What is relaxed about frames between it and the counted frame below it.
    passed: Relaxations,
}

/// The frames of a log that count.
#[derive(Debug, Clone)]
pub struct Logged<'a> {
    /// These frames, innermost first.
    pub frames: Vec<Counted<'a>>,
    /// How many of them one round of the cycle has; 0 if there is none.
    round: usize,
}

impl<'a> Logged<'a> {
    /// The frames that count among these, of which so many are one round of a cycle.
    pub fn new(
        target: impl Iterator<Item = TargetFrame<'a>>,
        cycle: usize,
        standing: impl Fn(&Frame) -> Standing,
    ) -> Self {
        let mut frames = Vec::new();
        let mut passed = Relaxations::default();
        for (level, target) in (1..).zip(target) {
            match standing(target.frame) {
                Standing::Dropped => {}
                Standing::PassedOver => passed |= Relaxation::RuntimeFrames.into(),
                Standing::Counts | Standing::MayStandBetween => {
                    frames.push(Counted { level, target, passed: std::mem::take(&mut passed) });
                }
            }
        }
        let round = frames.iter().filter(|it| it.level <= cycle).count();
        Self { frames, round }
    }

    /// Walks along the log and a produced trace at once, from the innermost frame on. `produced` has the
    /// frames that count. `agrees` is the answer of [`same_place`] to one of them and the logged frame
    /// of a number, `may_stand_between` whether it may stand between frames that agree.
    pub fn walk<P>(
        &self,
        produced: &[P],
        agrees: impl Fn(&P, usize) -> Option<Relaxations>,
        may_stand_between: impl Fn(&P) -> bool,
    ) -> Walk {
        let mut walk = Walk::default();
        if self.round > 0 {
            self.go_round(&mut walk, produced, &agrees, &may_stand_between);
        }
        for frame in produced.iter().skip(walk.met) {
            let Some(next) = self.frames.get(walk.frames).filter(|_| !walk.is_over) else { break };
            walk.meet(next, agrees(frame, walk.frames), may_stand_between(frame));
        }
        walk
    }

    /// Walks along the cycle.
    fn go_round<P>(
        &self,
        walk: &mut Walk,
        produced: &[P],
        agrees: impl Fn(&P, usize) -> Option<Relaxations>,
        may_stand_between: impl Fn(&P) -> bool,
    ) {
        let starts = 0..=MOST_BELOW.min(produced.len());
        let starts = starts.flat_map(|start| (0..self.round).map(move |first| (start, first)));
        let mut runs = starts.map(|(start, first)| {
            let mut run = Walk { met: start, ..Walk::default() };
            for frame in produced.iter().skip(start) {
                let next = (first + run.frames) % self.round;
                let Some(logged) = self.frames.get(next).filter(|_| !run.is_over) else { break };
                run.meet(logged, agrees(frame, next), run.frames > 0 && may_stand_between(frame));
            }
            (run, first)
        });
        let Some((run, first)) = runs.find(|(run, _)| run.frames >= FEWEST_ROUNDS * self.round) else {
            walk.is_over = true;
            return;
        };
        let inside = self.frames.iter().take(ROUNDS * self.round);
        walk.level = inside.map(|it| it.level).max().unwrap_or(0);
        walk.frames = ROUNDS * self.round;
        walk.relaxations = run.relaxations | Relaxation::Cycle.into();
        walk.met = run.met;
        walk.is_over = run.is_over && (first + run.frames) % self.round != 0;
    }
}

/// How often a produced trace must run through the cycle of the log. Where a stack really overflows,
/// it does so far more often.
const FEWEST_ROUNDS: usize = 3;

/// The way along both traces at once, from the innermost frame on, over frames that count.
#[derive(Debug, Clone, Copy, Default)]
pub struct Walk {
    /// The level up to which they agree.
    pub level: usize,
    /// How many frames of the log agree: the number of the next one.
    pub frames: usize,
    /// What was relaxed for that.
    pub relaxations: Relaxations,
    /// Whether a frame was met that does not agree.
    is_over: bool,
    /// How many frames of the produced trace were met before that one.
    met: usize,
    /// Frames that may stand between were met since the last frame that agrees.
    has_between: bool,
}

impl Walk {
    /// Meets the next frame of the produced trace, while `next` is the next one of the log.
    fn meet(&mut self, next: &Counted<'_>, agrees: Option<Relaxations>, may_stand_between: bool) {
        match agrees {
            Some(relaxed) => {
                self.level = next.level;
                self.frames += 1;
                self.relaxations |= relaxed | next.passed;
                if std::mem::take(&mut self.has_between) {
                    self.relaxations |= Relaxation::LibraryFrames.into();
                }
            }
            None if may_stand_between => self.has_between = true,
            None => self.is_over = true,
        }
        self.met += usize::from(!self.is_over);
    }
}

/// Whether the produced class is the one that the trace names. A log that gives only the simple
/// name names any class of that simple name.
pub fn same_exception(target: &str, produced: &str) -> bool {
    target == produced
        || !target.contains('.') && produced.rsplit(['.', '$']).next().is_some_and(|simple| simple == target)
}

/// Whether two class names mean the same class. Those of lambda classes and other hidden ones carry
/// numbers that differ from run to run.
pub fn same_class(left: &str, right: &str) -> bool {
    stable_name(left) == stable_name(right)
}

pub(crate) fn stable_name(class: &str) -> &str {
    let end = class.find("$$Lambda").map(|start| start + "$$Lambda".len()).or_else(|| class.find('/'));
    end.and_then(|end| class.get(..end)).unwrap_or(class)
}

/// Whether two frames are in the same method as written: lambda bodies by the method around them.
pub fn same_method(left: &Frame, right: &Frame) -> bool {
    if left.method == right.method {
        return true;
    }
    let lambdas = left.kind() == FrameKind::Lambda && right.kind() == FrameKind::Lambda;
    let (left, right) = (left.enclosing_method(), right.enclosing_method());
    // javac 8 did not record the method around a nested lambda; the line has to tell.
    lambdas && (left == right || left.is_empty() || right.is_empty())
}

/// Whether two frames agree in class, method and line, and what was relaxed for that.
pub fn same_place(target: &TargetFrame<'_>, produced: &Frame) -> Option<Relaxations> {
    let logged = target.frame;
    if !same_class(&logged.class, &produced.class) || !same_method(logged, produced) {
        return None;
    }
    let is_logged = logged.line().is_none() || logged.line() == produced.line();
    match target.lines {
        _ if is_logged => Some(Relaxations::default()),
        Lines::Any(relaxation) => Some(relaxation.into()),
        Lines::Replaced(relaxation, lines) => {
            let stands_for_it = produced.line().is_some_and(|it| lines.contains(&it));
            stands_for_it.then(|| relaxation.into())
        }
        Lines::Logged => None,
    }
}

fn short(frame: &Frame) -> String {
    match frame.line() {
        Some(line) => format!("{}.{} line {line}", frame.class, frame.method),
        None => format!("{}.{}", frame.class, frame.method),
    }
}

/// Whether the definition looks past a frame, by its names alone: frames of the JDK, reflection,
/// method handles, proxies, mocks and the hidden classes of lambdas. Bridge methods are dropped too
/// but need the class file to tell.
pub fn is_dropped(frame: &Frame, is_jdk: impl Fn(&str) -> bool) -> bool {
    match frame.kind() {
        FrameKind::HiddenLambda
        | FrameKind::Proxy
        | FrameKind::Reflection
        | FrameKind::MethodHandle
        | FrameKind::Mock
        | FrameKind::Generated => true,
        FrameKind::Ordinary | FrameKind::Lambda | FrameKind::Accessor => is_jdk(&frame.class),
    }
}

/// Whether a class belongs to a mock library. Such frames are dropped unless the program is that
/// library.
pub fn is_mock_library(class: &str) -> bool {
    const LIBRARIES: [&str; 6] =
        ["org.mockito.", "net.bytebuddy.", "org.easymock.", "org.powermock.", "org.jmock.", "io.mockk."];
    LIBRARIES.iter().any(|library| class.starts_with(library))
}

/// Whether a frame is of the machinery around programs: class loaders, agents, makers of proxies, and the
/// containers that call a program. Such frames say nothing about the crash where the class path lacks them.
pub fn is_runtime_machinery(frame: &Frame) -> bool {
    const CONTAINERS: [&str; 18] = [
        "net.sf.cglib.",
        "org.springframework.cglib.",
        "org.apache.catalina.",
        "org.apache.coyote.",
        "org.apache.tomcat.",
        "org.apache.felix.framework.",
        "org.eclipse.equinox.launcher.",
        "org.eclipse.jetty.",
        "org.eclipse.osgi.",
        "org.glassfish.",
        "org.jboss.as.",
        "org.jboss.modules.",
        "org.mortbay.jetty.",
        "org.springframework.boot.loader.",
        "io.undertow.",
        "com.caucho.",
        "com.ibm.ws.",
        "weblogic.",
    ];
    const AGENTS: [&str; 8] = [
        "com.appdynamics.",
        "com.dynatrace.",
        "com.intellij.rt.",
        "com.newrelic.agent.",
        "datadog.trace.",
        "io.opentelemetry.javaagent.",
        "net.bull.javamelody.",
        "org.jacoco.agent.",
    ];
    const LOADING: [&str; 5] = ["loadClass", "findClass", "defineClass", "findResource", "getResource"];
    let starts = |known: &str| frame.class.starts_with(known);
    let loads = LOADING.iter().any(|it| frame.method.starts_with(it));
    let is_loader = frame.class.split('$').any(|it| it.ends_with("ClassLoader"));
    CONTAINERS.iter().any(|it| starts(it)) || AGENTS.iter().any(|it| starts(it)) || (is_loader && loads)
}
