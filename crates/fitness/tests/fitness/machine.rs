//! Executions that are made up, with the facts that probes would record and the traces that a JVM
//! would show.
//!
//! A script decides at each jump and switch, and where an exception is thrown. So all that is
//! observed fits together, which facts made up one by one would not.

use std::sync::Arc;

use crashback_fitness::{
    Assessment, Degree, Fitness, Flags, Judge, Objectives, Probe, ProbeKind, Target, Verdict, Worth,
};
use crashback_program::classes::MethodId;
use crashback_program::code::{CallSite, MethodBody, Operation};
use crashback_program::frames::{FrameAudit, Goal};
use crashback_protocol::{
    Branch, Facts, Observation, Outcome, Position, Reached, Results, StackFrame, SwitchKeys, Throwable,
};
use crashback_testcase::TestCase;
use crashback_trace::Frame;

use crate::program::{Crash, Program};

/// Decides what an execution does.
pub(crate) trait Script {
    /// Whether a jump on a line is taken, and how far it was from going the other way.
    fn jump(&mut self, line: u32) -> (bool, f64);
    /// The key that a switch meets.
    fn key(&mut self, line: u32, cases: &[i32]) -> i32;
    /// The class of an exception that an instruction throws.
    fn throws(&mut self, line: u32) -> Option<String>;
}

/// A crash at a target frame, ready for executions.
pub(crate) struct Subject<'p> {
    program: &'p Program,
    pub(crate) crash: Crash,
    pub(crate) goal: Goal<'p>,
    pub(crate) level: u32,
    /// The frame that the call chain begins with.
    highest: u32,
}

impl<'p> Subject<'p> {
    /// A crash at a target frame, observed with the whole call chain.
    pub(crate) fn new(program: &'p Program, exception: &str, frames: &[&str], level: u32) -> Self {
        Self::of(program, exception, frames, level, false)
    }

    /// The same with the origins of the values that make code throw.
    pub(crate) fn graded(program: &'p Program, exception: &str, frames: &[&str], level: u32) -> Self {
        Self::of(program, exception, frames, level, true)
    }

    fn of(program: &'p Program, exception: &str, frames: &[&str], level: u32, grades: bool) -> Self {
        let crash = program.crash(exception, frames, grades);
        let goal = Goal::new(program.classes, &crash.throwable, &crash.audit);
        let highest = u32::try_from(frames.len()).unwrap();
        Self { program, crash, goal, level, highest }
    }

    /// The same with a call chain that begins with the target frame.
    pub(crate) fn aimed(self) -> Self {
        Self { highest: self.level, ..self }
    }

    pub(crate) fn judge(&self, degree: Degree) -> Judge<'_> {
        let (classes, crash) = (self.program.classes, &self.crash);
        let probes = |frame: &FrameAudit| crash.frame_probes(frame, self.highest);
        let target =
            Target::new(classes, &self.goal, &crash.audit, self.level, &self.methods(), probes).unwrap();
        let flags = Flags::new(classes, &crash.flags, |method| {
            let (class, method) = self.program.name(method);
            crash.probes_of(&class, &method)
        });
        Judge::new(target.flagged(Arc::new(flags)), degree)
    }

    /// The methods of the call chain.
    fn methods(&self) -> Vec<i32> {
        self.crash.chain(self.highest).into_iter().map(|(_, method)| method).collect()
    }

    /// Calls the method of the target frame.
    pub(crate) fn execute(&self, script: &mut dyn Script) -> Execution {
        self.execute_calls(&[self.level], script)
    }

    /// Calls the methods of frames, one after the other.
    pub(crate) fn execute_calls(&self, entries: &[u32], script: &mut dyn Script) -> Execution {
        let chain = self.methods();
        let (facts, stack, running) = (Facts::default(), Vec::new(), Vec::new());
        let mut machine = Machine { subject: self, script, facts, stack, chain, running, steps: 0 };
        let end = entries.iter().try_for_each(|frame| machine.call(*frame));
        let (mut facts, mut frames) = (machine.facts, Vec::new());
        let outcome = match end {
            Ok(()) => Outcome::Returned,
            Err(thrown) => {
                let numbers = 0..u32::try_from(thrown.frames.len()).unwrap();
                frames = thrown.frames.into_iter().map(Frame::from).collect();
                facts.throwables.push(throwable(&thrown.class, numbers.collect()));
                Outcome::Threw
            }
        };
        Execution { observation: Observation { outcome, completed: 1, facts, slow: Vec::new() }, frames }
    }

    pub(crate) fn assess(&self, execution: &Execution) -> Assessment {
        self.judge(Degree::Escapes).batch(&execution.frames).assess(&execution.observation)
    }

    /// The objectives of a fitness function.
    pub(crate) fn objectives(&self, fitness: Fitness) -> Objectives<'_> {
        Objectives::new(self.judge(Degree::Escapes), &[fitness], &self.crash.throwable)
    }

    /// What an execution is worth by a fitness function.
    pub(crate) fn worth(&self, fitness: Fitness, execution: &Execution) -> Worth {
        execution.worth(&mut self.objectives(fitness), &TestCase::new(vec![]))
    }
}

pub(crate) fn throwable(class: &str, frames: Vec<u32>) -> Throwable {
    Throwable { class: class.to_owned(), message: None, frames, cause: None, suppressed: Vec::new() }
}

pub(crate) struct Execution {
    pub(crate) observation: Observation,
    pub(crate) frames: Vec<Frame>,
}

impl Execution {
    /// How it is judged.
    pub(crate) fn verdict(&self, objectives: &mut Objectives<'_>) -> Verdict {
        let mut results = Results::with_capacity(1);
        results.frames = self.frames.clone();
        objectives.batch(&results).judge(&TestCase::new(vec![]), &self.observation)
    }

    /// What it is worth as the execution of a test.
    pub(crate) fn worth(&self, objectives: &mut Objectives<'_>, test: &TestCase) -> Worth {
        let mut results = Results::with_capacity(1);
        results.frames = self.frames.clone();
        results.observations.push(self.observation.clone());
        let mut scoring = objectives.batch(&results);
        let verdict = scoring.judge(test, &self.observation);
        scoring.worth(0, &verdict, test, &self.observation)
    }
}

struct Thrown {
    class: String,
    frames: Vec<StackFrame>,
}

struct Machine<'m, 'p> {
    subject: &'m Subject<'p>,
    script: &'m mut dyn Script,
    facts: Facts,
    /// The frames that run, outermost first.
    stack: Vec<StackFrame>,
    /// The call chain, and its methods that run.
    chain: Vec<i32>,
    running: Vec<i32>,
    steps: u32,
}

/// An execution that takes longer returns.
const MOST_STEPS: u32 = 2_000;

impl Machine<'_, '_> {
    /// Runs the method of a frame. Frames run in the order of the trace, the target frame first.
    fn call(&mut self, frame: u32) -> Result<(), Thrown> {
        let subject = self.subject;
        let audit = &subject.crash.audit.frames[frame as usize - 1];
        let probes = subject.crash.probes_of_frame(audit);
        let method = Some(subject.crash.method(audit)).filter(|it| self.chain.contains(it));
        self.running.extend(method);
        let position = self.position();
        if method.is_some() && !self.facts.entered.contains(&position) {
            self.facts.entered = self.facts.entered.iter().copied().chain([position]).collect();
        }
        self.stack.push(StackFrame {
            loader: None,
            module: None,
            module_version: None,
            class: audit.class.clone(),
            method: audit.method.clone(),
            file: Some("Subject.java".to_owned()),
            line: -1,
        });
        let end = subject
            .program
            .classes
            .with_body(audit.resolved.unwrap(), |body| self.walk(frame, &probes, body))
            .unwrap();
        self.stack.pop();
        if method.is_some() {
            self.running.pop();
        }
        end
    }

    /// Where the longest end of the running methods that occurs in the chain occurs first.
    fn position(&self) -> Position {
        let ends = (0..self.running.len()).map(|start| &self.running[start..]);
        let place = |end: &[i32]| {
            let first = self.chain.windows(end.len()).position(|it| it == end)?;
            Position::new(first as u16, (first + end.len() - 1) as u16)
        };
        ends.filter_map(place).next().unwrap_or_default()
    }

    fn walk(&mut self, frame: u32, probes: &[Probe], body: &MethodBody<'_>) -> Result<(), Thrown> {
        let position = self.position();
        let mut at = 0;
        loop {
            self.steps += 1;
            let instruction = &body.instructions()[at];
            let line = body.line_of(at).unwrap();
            self.stack.last_mut().unwrap().line = i32::try_from(line).unwrap();
            let here = |kind| probes.iter().find(|it| it.kind == kind && it.offset == instruction.offset);
            for probe in [here(ProbeKind::Block), here(ProbeKind::Line)].into_iter().flatten() {
                self.reach(Reached { probe: probe.number, position });
            }
            let thrown = match instruction.operation {
                Operation::Throw => Some("java.lang.IllegalStateException".to_owned()),
                _ => self.script.throws(line),
            };
            if let Some(class) = thrown {
                match self.handler(body, at, &class) {
                    Some(handler) => {
                        at = handler;
                        continue;
                    }
                    None => return Err(Thrown { class, frames: self.stack.iter().rev().cloned().collect() }),
                }
            }
            at = match &instruction.operation {
                Operation::Branch { target, .. } => {
                    let (jumps, other) = self.script.jump(line);
                    if let Some(probe) = here(ProbeKind::Jump) {
                        let (to_jump, to_fall) = if jumps { (0.0, other) } else { (other, 0.0) };
                        self.branch(Branch { probe: probe.number, position, to_jump, to_fall });
                    }
                    if jumps { *target } else { at + 1 }
                }
                Operation::Goto { target } => *target,
                Operation::Switch(switch) => {
                    let cases: Vec<i32> = switch.cases.iter().map(|it| it.0).collect();
                    let key = self.script.key(line, &cases);
                    if let Some(probe) = here(ProbeKind::Switch) {
                        self.switch(probe.number, position, key);
                    }
                    let case = switch.cases.iter().find(|it| it.0 == key);
                    case.map_or(switch.default, |it| it.1)
                }
                Operation::Return(_) => return Ok(()),
                _ => {
                    self.enter_next(frame, body, at)?;
                    self.enter_setter(body, at)?;
                    at + 1
                }
            };
            if self.steps > MOST_STEPS {
                return Ok(());
            }
        }
    }

    /// Runs the next inner frame if an instruction calls its method.
    fn enter_next(&mut self, frame: u32, body: &MethodBody<'_>, at: usize) -> Result<(), Thrown> {
        let Some(inner) = frame.checked_sub(1).filter(|it| *it > 0) else { return Ok(()) };
        let name = &self.subject.crash.audit.frames[inner as usize - 1].method;
        let call = CallSite::at(body, at).and_then(|it| it.method());
        if call.is_some_and(|it| it.name == name.as_str()) { self.call(inner) } else { Ok(()) }
    }

    /// Runs a method that sets flags if an instruction calls it. It is no frame, and so runs at the
    /// position of its caller.
    fn enter_setter(&mut self, body: &MethodBody<'_>, at: usize) -> Result<(), Thrown> {
        let Some(call) = CallSite::at(body, at).and_then(|it| it.method()) else { return Ok(()) };
        let Subject { program, crash, .. } = self.subject;
        let is_called = |it: &MethodId| program.name(*it).1 == format!("{}{}", call.name, call.descriptor);
        let Some(setter) = crash.flags.setters().find(is_called) else { return Ok(()) };
        let (class, method) = program.name(setter);
        let probes = crash.probes_of(&class, &method).unwrap_or_default();
        program.classes.with_body(setter, |body| self.walk(0, &probes, body)).unwrap()
    }

    fn handler(&self, body: &MethodBody<'_>, at: usize, class: &str) -> Option<usize> {
        let class = class.replace('.', "/");
        let catches = |it: Option<String>| it.is_none_or(|it| it == class);
        body.handlers_at(at)
            .find(|(_, it)| catches(it.catch_type.map(|it| it.to_str().into_owned())))
            .map(|it| it.1.target)
    }

    fn reach(&mut self, reached: Reached) {
        if !self.facts.reached.contains(&reached) {
            self.facts.reached = self.facts.reached.iter().copied().chain([reached]).collect();
        }
    }

    fn branch(&mut self, branch: Branch) {
        let mut branches = self.facts.branches.to_vec();
        let same = |it: &&mut Branch| (it.probe, it.position) == (branch.probe, branch.position);
        match branches.iter_mut().find(same) {
            Some(known) => {
                known.to_jump = known.to_jump.min(branch.to_jump);
                known.to_fall = known.to_fall.min(branch.to_fall);
            }
            None => branches.push(branch),
        }
        self.facts.branches = branches.into();
    }

    fn switch(&mut self, probe: u32, position: Position, key: i32) {
        let same = |it: &&mut SwitchKeys| (it.probe, it.position) == (probe, position);
        match self.facts.switches.iter_mut().find(same) {
            Some(known) if known.keys.contains(&key) => {}
            Some(known) => known.keys.push(key),
            None => self.facts.switches.push(SwitchKeys { probe, position, keys: vec![key] }),
        }
    }
}
