//! Runs batches of test cases in the embedded JVM.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crashback_protocol::{Isolation, Outcome, Request, Step, Tests};
use crashback_testcase::Vocabulary;
use jvmti_bindings::sys::jni::{JNIEnv, jclass, jlong};

use super::account::Account;
use super::exceptions::Exceptions;
use super::folder::Folder;
use super::hook::{Instrumenter, Registry, lock};
use super::literals::{Constants, Literals};
use super::loading::Loading;
use super::members::Source;
use super::mocks::Mocks;
use super::options::options;
use super::pins::{self, Pinning};
use super::program::{Loaders, Program, text};
use super::reply::Replies;
use super::reset::{Afterwards, Reset};
use super::runner::{Ran, Runner, RunnerAside};
use super::runtime::{End, Over, Runtime};
use super::stopwatch::Stopwatch;
use super::tamper::{Strict, Tamper, Tampering};
use super::threads::Threads;
use super::thrift::Thrift;
use super::watchdog::{Shared, Watchdog};
use super::{StartError, caller, watched};
use crate::heartbeat::Heartbeat;
use crate::java::{Env, Field, LoadHook, Machine, Object, Thrown, Tools, is_in_error};
use crate::settings::WorkerSettings;

/// The JVM with the program, ready for tests. Lives on the JVM's main thread.
pub(super) struct Session {
    env: Env,
    tools: Tools,
    runtime: Runtime,
    pinning: Pinning,
    loaders: Loaders,
    program: Program,
    vocabulary: Vocabulary,
    runner: Runner,
    reset: Reset,
    threads: Threads,
    watchdog: Watchdog,
    heartbeat: Heartbeat,
    /// Where the runtime classes cannot clear them.
    thread_locals: Option<ThreadLocals>,
    errors: Object,
    registry: Arc<Mutex<Registry>>,
    /// Whether the probes know that another test has begun.
    begun: bool,
    /// What must happen before the next test.
    afterwards: Afterwards,
    /// Whether each test gets the program anew, so that there is nothing to reset.
    discards: bool,
    /// The program of all other tests meanwhile.
    aside: Option<Aside>,
    account: Account,
    loading: Arc<Loading>,
    thrift: Thrift,
    /// The longest that a test may take.
    limit: Duration,
    /// What earlier tests left, where keeping them apart was put off.
    left: Left,
}

/// What is to be undone before a test may count on finding the program as at the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    Nothing,
    /// State of classes that a reset brings back.
    State,
    /// Something that only another loader does not have.
    Anything,
}

/// A program that will be used again, and its members.
struct Aside {
    program: Program,
    runner: RunnerAside,
}

impl Session {
    /// Starts the JVM on the current thread.
    pub(super) fn start(
        settings: &WorkerSettings,
        heartbeat: Heartbeat,
        tamper: Option<Tamper>,
    ) -> Result<Self, StartError> {
        let (machine, env) = Machine::start(&settings.machine.home, &options(settings))?;
        let registry = Arc::<Mutex<Registry>>::default();
        let constants = Arc::<Constants>::default();
        let loading = Arc::<Loading>::default();
        let mut hook: Box<dyn LoadHook> = Box::new(Instrumenter {
            plan: settings.recording.plan.clone(),
            registry: Arc::clone(&registry),
            constants: Arc::clone(&constants),
            loading: Arc::clone(&loading),
        });
        if let Some(tamper) = tamper {
            hook = Box::new(Tampering { inner: hook, tamper });
        }
        if settings.recording.strict_verification {
            hook = Box::new(Strict { inner: hook });
        }
        let tools = Tools::open(machine, hook)?;
        let session = Self::prepare(settings, machine, env, tools, (registry, constants, loading), heartbeat);
        session.map_err(|Thrown| StartError::Java(describe(env)))?
    }

    fn prepare(
        settings: &WorkerSettings,
        machine: Machine,
        env: Env,
        tools: Tools,
        (registry, constants, loading): (Arc<Mutex<Registry>>, Arc<Constants>, Arc<Loading>),
        heartbeat: Heartbeat,
    ) -> Result<Result<Self, StartError>, Thrown> {
        pins::pin_jdk(env);
        let caller = caller::internal_name(&settings.program.test_package).replace('/', ".");
        let runtime = Runtime::install(env, settings, &caller)?;
        let pinning = Pinning::new(env, &settings.surroundings)?;
        tools.count_threads(env)?;
        for class in watched::classes() {
            if !tools.retransform(env.find_class(&text(class))?) {
                return Ok(Err(StartError::Watched(class)));
            }
        }
        let thread_class = env.find_class(c"java/lang/Thread")?;
        let current = env.method(thread_class, c"currentThread", c"()Ljava/lang/Thread;", true)?;
        let thread = env.global(env.call_static(thread_class, current, b'L', &[])?.as_object());
        let loaders = Loaders::new(env, thread, &settings.program)?;
        let program = loaders.load(env)?;
        let clears_locals = runtime.install_ambient(env)?;
        let errors = env.global(env.find_class(c"java/lang/VirtualMachineError")?);
        let (stopped, thrown) = (runtime.stopper(), Shared(runtime.stop_error));
        let loads = Arc::clone(&loading);
        let stopwatch = Stopwatch::new(Arc::clone(&loading));
        let watchdog =
            Watchdog::start(machine, tools, Shared(thread), thrown, settings.limits, loads, stopped);
        let watchdog = match watchdog {
            Ok(watchdog) => watchdog,
            Err(error) => return Ok(Err(StartError::Thread(error))),
        };
        Ok(Ok(Self {
            env,
            tools,
            loaders,
            program,
            vocabulary: Vocabulary::default(),
            runner: Runner::new(
                Literals::new(env, constants)?,
                Mocks::new(env)?,
                Folder::new(env)?,
                Exceptions::new(env)?,
                stopwatch,
            ),
            reset: Reset::new(
                Arc::clone(&registry),
                settings.recording.plan.classes.keys().cloned().collect(),
            ),
            registry,
            threads: Threads::new(env, tools)?,
            thread_locals: if clears_locals {
                None
            } else {
                Some(ThreadLocals::new(env, thread_class, thread)?)
            },
            runtime,
            pinning,
            watchdog,
            heartbeat,
            errors,
            begun: false,
            afterwards: Afterwards::Ready,
            discards: false,
            aside: None,
            account: Account::new(settings.limits.time),
            loading,
            thrift: Thrift::default(),
            limit: settings.limits.time,
            left: Left::Nothing,
        }))
    }

    /// Runs the tests of a request and gives the encoded reply, and whether it is the last one.
    pub(super) fn evaluate<'r>(
        &mut self,
        request: &mut Request,
        replies: &'r mut Replies,
    ) -> Result<(&'r [u8], bool), StartError> {
        self.account.begin();
        let addition = std::mem::take(&mut request.vocabulary);
        self.vocabulary.extend(addition).map_err(|_| StartError::Vocabulary)?;
        let Request { tests, isolation, pins, listens, .. } = request;
        replies.begin();
        self.runner.exceptions.ask_for(self.env, *listens);
        let pinned = self.pinning.change(self.env, *pins);
        pinned.map_err(|Thrown| StartError::Java(describe(self.env)))?;
        let mut job = Job { session: self, tests, isolation: *isolation, replies };
        job.run().map_err(|(env, Thrown)| StartError::Java(describe(env)))?;
        let last = self.afterwards == Afterwards::NewProcess;
        let untouched = lock(&self.registry).take_untouched();
        let spent = self.account.take(request.isolation == Isolation::FreshLoader);
        self.thrift.end(request.tests.len(), spent.load + spent.run + spent.reset + spent.stopped);
        let message = replies.finish(self.env, &self.runtime, last, &untouched, spent);
        self.heartbeat.idle();
        Ok((message.map_err(StartError::Reply)?, last))
    }

    /// How the JVM names itself.
    pub(super) fn version(&self) -> String {
        let text = self.env.ignoring(|env| {
            let system = env.find_class(c"java/lang/System")?;
            let property = c"(Ljava/lang/String;)Ljava/lang/String;";
            let property = env.method(system, c"getProperty", property, true)?;
            let units: Vec<u16> = "java.vm.version".encode_utf16().collect();
            let name = env.new_string(&units)?;
            let version = env.call_static(system, property, b'L', &[name.into()])?.as_object();
            Ok(String::from_utf16_lossy(&env.string_units(version)))
        });
        text.unwrap_or_default()
    }

    /// Loads another copy of the program and keeps the one that there is, whose state is as at the
    /// beginning.
    fn set_aside(&mut self) -> Result<(), Thrown> {
        self.account.ran();
        let copy = self.loaders.load(self.env)?;
        let program = std::mem::replace(&mut self.program, copy);
        self.aside = Some(Aside { program, runner: self.runner.set_aside() });
        self.begun = false;
        self.account.loaded();
        Ok(())
    }

    /// Uses the program again that was set aside, if any.
    fn bring_back(&mut self) -> Result<(), Thrown> {
        let Some(Aside { program, runner }) = self.aside.take() else { return Ok(()) };
        self.runner.bring_back(self.env, runner);
        let copy = std::mem::replace(&mut self.program, program);
        self.loaders.discard(self.env, &copy);
        self.begun = false;
        if self.afterwards == Afterwards::NewLoader {
            self.afterwards = Afterwards::Ready;
        }
        self.loaders.use_again(self.env, &self.program)
    }

    fn new_program(&mut self) -> Result<(), Thrown> {
        self.account.ran();
        self.runner.forget_program(self.env);
        if self.aside.is_none() {
            self.reset.clear(self.env);
            self.left = Left::Nothing;
            self.thrift.has_renewed();
        }
        self.loaders.discard(self.env, &self.program);
        self.program = self.loaders.load(self.env)?;
        self.afterwards = Afterwards::Ready;
        self.begun = false;
        self.account.loaded();
        Ok(())
    }
}

/// A batch on its way through the JVM.
struct Job<'a> {
    session: &'a mut Session,
    tests: &'a Tests,
    isolation: Isolation,
    replies: &'a mut Replies,
}

impl Job<'_> {
    fn run(&mut self) -> Result<(), (Env, Thrown)> {
        let env = self.session.env;
        let failed = |thrown| (env, thrown);
        self.session.begun = false;
        let is_grouped = self.isolation == Isolation::Grouped;
        let is_fresh = self.isolation == Isolation::FreshLoader;
        self.session.discards = is_fresh || self.isolation == Isolation::FreshJvm;
        if !is_fresh {
            self.session.bring_back().map_err(failed)?;
        }
        // Tests before may have initialised classes.
        if self.session.afterwards == Afterwards::Ready {
            if is_fresh && self.session.aside.is_none() {
                env.push_frame(64).map_err(failed)?;
                let loaded = self.session.set_aside();
                env.pop_frame();
                loaded.map_err(failed)?;
            } else if is_fresh || is_grouped {
                self.session.afterwards = Afterwards::NewLoader;
            }
        }
        self.session.begin_thrift(self.isolation);
        if self.isolation == Isolation::Reset && self.session.afterwards == Afterwards::Ready {
            self.session.catch_up().map_err(failed)?;
        }
        self.session.runner.literals.intern_all(is_grouped);
        self.session.reset.begin_request(is_grouped);
        self.session.runner.stopwatch.turn(self.isolation == Isolation::Bounded);
        self.session.runtime.new_batch(env).map_err(failed)?;
        while self.replies.len() < self.tests.len() && self.session.afterwards != Afterwards::NewProcess {
            if self.session.afterwards == Afterwards::NewLoader {
                env.push_frame(64).map_err(failed)?;
                let loaded = self.session.new_program();
                env.pop_frame();
                loaded.map_err(failed)?;
            }
            let pointer: *mut Job<'_> = self;
            // The native method below turns the number back into the job; nothing else touches it
            // meanwhile.
            let program: *const Program = &raw const self.session.program;
            enter(program, env, pointer as i64).map_err(failed)?;
        }
        Ok(())
    }

    /// Runs tests until one needs what cannot be had inside the caller's frame.
    fn run_inside(&mut self) {
        while let Some(test) = self.tests.get(self.replies.len()) {
            self.session.heartbeat.begin(u32::try_from(self.replies.len()).unwrap_or(u32::MAX));
            self.session.run_test(test, self.tests, self.replies);
            self.session.note_loading();
            if self.session.discards && self.session.afterwards == Afterwards::Ready {
                self.session.afterwards = Afterwards::NewLoader;
            }
            if self.session.afterwards != Afterwards::Ready {
                return;
            }
        }
    }
}

/// Code of the caller's native method.
#[expect(unsafe_code, reason = "the job comes back from Java as a number")]
pub(super) extern "system" fn call(_: *mut JNIEnv, _: jclass, job: jlong) {
    // SAFETY: `Job::run` passes a pointer to itself, waits for this call, and does not touch the
    // job meanwhile.
    let job = unsafe { &mut *(job as *mut Job<'_>) };
    // A panic must not cross the JVM. It is a defect of ours; the process ends and the pool says
    // so.
    if catch_unwind(AssertUnwindSafe(|| job.run_inside())).is_err() {
        std::process::abort();
    }
}

#[expect(unsafe_code, reason = "the program is used while the job that holds it is lent to Java")]
fn enter(program: *const Program, env: Env, job: i64) -> Result<(), Thrown> {
    // SAFETY: the program is replaced only in `Job::run`, after this call has returned.
    unsafe { &*program }.enter(env, job)
}

impl Session {
    fn run_test(&mut self, test: &[Step], tests: &Tests, replies: &mut Replies) {
        let env = self.env;
        // Out of memory for a handful of references: the JVM is beyond use.
        if env.push_frame(32).is_err() {
            env.take_thrown();
            self.afterwards = Afterwards::NewProcess;
            return replies.push(env, &self.runtime, Outcome::Stopped, 0);
        }
        self.watchdog.begin();
        let (ran, result) = self.run_statements(test, tests);
        let thrown = if result.is_err() { env.take_thrown() } else { Object::NULL };
        let stopped = self.end_watch();
        let mut slow = self.runner.stopwatch.take();
        // Initialisers run once, so the time says nothing of further tests.
        slow.retain(|_| !self.runtime.has_initialised(env));
        let place = replies.len();
        if stopped || self.runner.literals.is_outdated() {
            self.begun = false;
            self.runtime.abandon(env);
            if stopped {
                self.account.stopped();
                replies.push(env, &self.runtime, Outcome::Stopped, ran.completed);
            }
            // What is not answered is run again.
            self.afterwards = self.clean_up(true, true, stopped);
        } else {
            self.afterwards = self.observe(thrown, ran, replies);
        }
        self.put_off_loader();
        if replies.len() > place {
            replies.add_slow(&slow);
        }
        env.pop_frame();
    }

    /// Bounds what tests of a request cost, or does not.
    fn begin_thrift(&mut self, isolation: Isolation) {
        self.thrift.begin(isolation);
        let limit = self.thrift.limit(self.limit);
        self.watchdog.set_limit(limit);
        self.account.set_limit(limit);
    }

    /// Puts off another loader that would cost too much, and asks for the one put off as soon as it does
    /// not.
    fn put_off_loader(&mut self) {
        match self.afterwards {
            Afterwards::NewLoader if !self.thrift.affords_loader() => {
                self.left = Left::Anything;
                self.afterwards = Afterwards::Ready;
            }
            Afterwards::Ready
                if self.left == Left::Anything
                    && self.thrift.is_bounded()
                    && self.thrift.affords_loader() =>
            {
                self.afterwards = Afterwards::NewLoader;
            }
            _ => {}
        }
    }

    /// Undoes what was put off.
    fn catch_up(&mut self) -> Result<(), Thrown> {
        match self.left {
            Left::Nothing => {}
            Left::State => {
                self.env.push_frame(64)?;
                self.afterwards = self.reset_state();
                self.env.pop_frame();
            }
            Left::Anything => self.afterwards = Afterwards::NewLoader,
        }
        Ok(())
    }

    /// Accounts for classes that the last test loaded.
    fn note_loading(&mut self) {
        let Some(took) = self.loading.take() else { return };
        self.account.ran_loading(took);
        if !self.discards {
            self.thrift.has_loaded(took);
        }
    }

    /// Answers for a test whose statements have run, and removes its traces.
    fn observe(&mut self, thrown: Object, ran: Ran, replies: &mut Replies) -> Afterwards {
        let env = self.env;
        let aborted = !thrown.is_null() && env.is_instance(thrown, self.errors);
        // Reading an exception may run code of the program. A stop that comes too late to hit it is
        // of no consequence: the facts are whole.
        self.watchdog.begin();
        let ended = self.runtime.next(env, thrown, ran, aborted);
        if ended.is_err() {
            env.take_thrown();
        }
        let stopped = self.end_watch();
        let Ok(End { over, touched_state, waiting }) = ended else {
            // Stopped, or out of stack or memory, while it was encoded.
            self.begun = false;
            self.runtime.undo(env, replies.waiting());
            replies.push(env, &self.runtime, Outcome::Stopped, ran.completed);
            return self.clean_up(true, true, true);
        };
        self.begun = !stopped && !touched_state;
        replies.encoded(env, &self.runtime, waiting);
        let cut_short = aborted || over != Over::No;
        // How far a test got before the stack or memory ran out depends on compiled code, so what it
        // has left behind must not show in a group.
        let left_by_chance = over == Over::Stopped || aborted && self.reset.is_in_group();
        self.clean_up(touched_state || aborted, cut_short, left_by_chance)
    }

    /// No longer watches. Tells whether what ran was stopped; the stop has then arrived.
    fn end_watch(&self) -> bool {
        let stopped = self.watchdog.end();
        if stopped {
            self.runtime.absorb_stop(self.env);
        }
        stopped
    }

    fn run_statements(&mut self, test: &[Step], tests: &Tests) -> (Ran, Result<(), Thrown>) {
        self.runner.literals.begin(self.env);
        if !self.begun && self.runtime.begin(self.env).is_err() {
            return (Ran::default(), Err(Thrown));
        }
        let source = Source {
            env: self.env,
            vocabulary: &self.vocabulary,
            loaders: &self.loaders,
            program: &self.program,
        };
        self.runner.run(source, test, tests)
    }

    /// Removes the traces of a test.
    fn clean_up(&mut self, touched_state: bool, cut_short: bool, left_by_chance: bool) -> Afterwards {
        let env = self.env;
        if !self.threads.end_foreign(env, self.tools, &self.runtime) {
            return Afterwards::NewProcess;
        }
        if let Some(locals) = &self.thread_locals {
            locals.clear(env);
        }
        if !self.runner.folder.clear() {
            return Afterwards::NewProcess;
        }
        let afterwards = if touched_state { self.reset_state() } else { Afterwards::Ready };
        match afterwards {
            _ if cut_short && self.has_broken_jdk() => Afterwards::NewProcess,
            Afterwards::Ready if left_by_chance => Afterwards::NewLoader,
            other => other,
        }
    }

    fn reset_state(&mut self) -> Afterwards {
        self.begun = false;
        if self.discards {
            Reset::pass_over(self.env, &self.runtime);
            return Afterwards::NewLoader;
        }
        let source = Source {
            env: self.env,
            vocabulary: &self.vocabulary,
            loaders: &self.loaders,
            program: &self.program,
        };
        if !self.thrift.affords_reset() {
            let can_be_reset = self.reset.put_off(source, self.tools, &self.runtime);
            if self.left == Left::Nothing {
                self.left = Left::State;
            }
            return if can_be_reset { Afterwards::Ready } else { Afterwards::NewLoader };
        }
        self.account.ran();
        self.watchdog.begin();
        let afterwards = self.reset.after_test(source, self.tools, &self.runtime);
        let took = self.account.reset();
        self.thrift.has_reset(took);
        if self.left == Left::State {
            self.left = Left::Nothing;
        }
        if self.end_watch() { Afterwards::NewLoader } else { afterwards }
    }

    /// Whether an initialiser of a JDK class was cut short: the class is then unusable for good.
    fn has_broken_jdk(&self) -> bool {
        let Ok(()) = self.env.push_frame(64) else {
            self.env.take_thrown();
            return true;
        };
        // Those alone: of a large program there are tens of thousands of other classes.
        let classes = self.tools.bootstrap_classes();
        let broken = classes.into_iter().any(|it| is_in_error(self.tools.class_status(it)));
        self.env.pop_frame();
        broken
    }
}

/// The thread-local variables of the thread that runs tests.
struct ThreadLocals {
    thread: Object,
    fields: [Field; 2],
}

impl ThreadLocals {
    fn new(env: Env, class: Object, thread: Object) -> Result<Self, Thrown> {
        let descriptor = c"Ljava/lang/ThreadLocal$ThreadLocalMap;";
        let fields = [
            env.field(class, c"threadLocals", descriptor, false)?,
            env.field(class, c"inheritableThreadLocals", descriptor, false)?,
        ];
        Ok(Self { thread, fields })
    }

    fn clear(&self, env: Env) {
        for field in self.fields {
            if !env.read_field(self.thread, field, b'L', false).as_object().is_null() {
                env.write_field(self.thread, field, b'L', false, Object::NULL.into());
            }
        }
    }
}

/// The pending exception in words.
fn describe(env: Env) -> String {
    let thrown = env.take_thrown();
    if thrown.is_null() {
        return "an unknown exception".to_owned();
    }
    let text = env.ignoring(|env| {
        let to_string = env.method(env.class_of(thrown), c"toString", c"()Ljava/lang/String;", false)?;
        let text = env.call(thrown, to_string, b'L', &[])?.as_object();
        Ok(String::from_utf16_lossy(&env.string_units(text)))
    });
    text.unwrap_or_else(|| "an exception that cannot be read".to_owned())
}
