//! The Java classes of Crashback inside the JVM, seen from Rust.

use super::program::text;
use super::runner::Ran;
use super::watchdog::Shared;
use crate::java::{Env, Field, Method, Object, Thrown, Value};
use crate::runtime_classes::CLASSES;
use crate::settings::WorkerSettings;

/// What `Probes.next` tells beside the observation.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// How the test ended.
    pub(super) over: Over,
    /// Whether it touched static state or initialised a class. If not, the next test has begun.
    pub(super) touched_state: bool,
    /// How many bytes of observations are in Java.
    pub(super) waiting: usize,
}

/// How a test ended as far as the probes know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    No,
    BudgetSpent,
    Exited,
    Stopped,
}

/// Entry points of the runtime classes.
pub(super) struct Runtime {
    probes: Object,
    begin: Method,
    next: Method,
    undo: Method,
    taken: Method,
    new_batch: Method,
    abandon: Method,
    stop: Method,
    foreign_end: Field,
    encoding: Object,
    out: Field,
    state: State,
    ambient: Object,
    restore: Method,
    /// What stops a test, and other threads.
    pub(super) stop_error: Object,
}

/// Fields of the class that knows which classes a test has touched.
struct State {
    class: Object,
    touched: Field,
    touched_count: Field,
    initialised: Field,
    initialised_count: Field,
    during: Field,
    during_count: Field,
}

impl Runtime {
    /// Defines the classes in the bootstrap loader and tells them what to record.
    pub(super) fn install(env: Env, settings: &WorkerSettings, caller: &str) -> Result<Self, Thrown> {
        for (name, bytes) in CLASSES {
            env.define_class(&text(name), Object::NULL, bytes)?;
        }
        let probes = env.global(env.find_class(c"crashback/runtime/Probes")?);
        let encoding = env.global(env.find_class(c"crashback/runtime/Encoding")?);
        let ambient = env.global(env.find_class(c"crashback/runtime/Ambient")?);
        let stop_error = env.field(probes, c"STOP", c"Lcrashback/runtime/TestEnd;", true)?;
        let runtime = Self {
            begin: env.method(probes, c"begin", c"()V", true)?,
            next: env.method(probes, c"next", c"(Ljava/lang/Throwable;IJZ)J", true)?,
            undo: env.method(probes, c"undo", c"(I)V", true)?,
            taken: env.method(probes, c"taken", c"()V", true)?,
            new_batch: env.method(probes, c"newBatch", c"()V", true)?,
            abandon: env.method(probes, c"abandon", c"()V", true)?,
            stop: env.method(probes, c"stop", c"()V", true)?,
            foreign_end: env.field(probes, c"foreignEnd", c"Z", true)?,
            out: env.field(encoding, c"out", c"[B", true)?,
            state: State::new(env)?,
            stop_error: env.global(env.read_field(probes, stop_error, b'L', true).as_object()),
            restore: env.method(ambient, c"restore", c"()V", true)?,
            probes,
            encoding,
            ambient,
        };
        runtime.configure(env, settings, caller)?;
        Ok(runtime)
    }

    fn configure(&self, env: Env, settings: &WorkerSettings, caller: &str) -> Result<(), Thrown> {
        let recording = &settings.recording;
        let budget = i32::try_from(settings.limits.budget).unwrap_or(i32::MAX);
        let caller: Vec<u16> = caller.encode_utf16().collect();
        let arguments = [
            env.new_byte_array(&recording.jump_codes)?.into(),
            env.new_int_array(&recording.chain)?.into(),
            Value::int(budget),
            Value::boolean(recording.operands),
            env.new_string(&caller)?.into(),
        ];
        let configure = env.method(self.probes, c"configure", c"([B[IIZLjava/lang/String;)V", true)?;
        env.call_static(self.probes, configure, b'V', &arguments).map(|_| ())
    }

    /// Takes note of everything that tests must find unchanged. Tells whether thread-local
    /// variables are among it.
    pub(super) fn install_ambient(&self, env: Env) -> Result<bool, Thrown> {
        let hidden = env.find_class(c"crashback/runtime/Hidden")?;
        let lookup = c"Ljava/lang/invoke/MethodHandles$Lookup;";
        // JNI asks nobody for access. A JDK without this field has other ways to be found.
        env.ignoring(|env| {
            let lookups = env.find_class(c"java/lang/invoke/MethodHandles$Lookup")?;
            let trusted = env.field(lookups, c"IMPL_LOOKUP", lookup, true)?;
            let trusted = env.read_field(lookups, trusted, b'L', true);
            env.write_field(hidden, env.field(hidden, c"trusted", lookup, true)?, b'L', true, trusted);
            Ok(())
        });
        let install = env.method(self.ambient, c"install", c"()V", true)?;
        env.call_static(self.ambient, install, b'V', &[])?;
        let clears = env.method(hidden, c"clearsLocals", c"()Z", true)?;
        Ok(env.call_static(hidden, clears, b'Z', &[])?.as_int() != 0)
    }

    /// A batch begins: frames and ways are numbered anew.
    pub(super) fn new_batch(&self, env: Env) -> Result<(), Thrown> {
        env.call_static(self.probes, self.new_batch, b'V', &[]).map(|_| ())
    }

    /// A test begins, with a full budget and nothing recorded.
    pub(super) fn begin(&self, env: Env) -> Result<(), Thrown> {
        env.call_static(self.probes, self.begin, b'V', &[]).map(|_| ())
    }

    /// The test has ended: its observation is encoded and waits in Java. Undoes what it did to the
    /// JDK: defaults, properties, streams, its thread. Of a test that the JVM cut short only what
    /// was thrown is told.
    pub(super) fn next(
        &self,
        env: Env,
        thrown: Object,
        Ran { completed, nulls }: Ran,
        aborted: bool,
    ) -> Result<End, Thrown> {
        const TOUCHED_STATE: i64 = 1 << 40;
        let completed = i32::try_from(completed).unwrap_or(i32::MAX);
        let nulls = Value::long(nulls.cast_signed());
        let arguments = [thrown.into(), Value::int(completed), nulls, Value::boolean(aborted)];
        let result = env.call_static(self.probes, self.next, b'J', &arguments)?.as_long();
        let touched_state = result & TOUCHED_STATE != 0;
        let waiting = usize::try_from(result & 0xFFFF_FFFF).unwrap_or(0);
        Ok(End { over: over(result >> 32 & 0xFF), touched_state, waiting })
    }

    /// [`Runtime::next`] has thrown: so many bytes wait in Java, as before.
    pub(super) fn undo(&self, env: Env, waiting: usize) {
        let waiting = Value::int(i32::try_from(waiting).unwrap_or(i32::MAX));
        env.ignoring(|env| env.call_static(self.probes, self.undo, b'V', &[waiting]));
    }

    /// Appends the observations that wait in Java.
    pub(super) fn take_encoded(&self, env: Env, waiting: usize, to: &mut Vec<u8>) {
        let out = env.read_field(self.encoding, self.out, b'[', true).as_object();
        env.ignoring(|env| env.append_bytes(out, waiting, to));
        env.delete_local(out);
        env.ignoring(|env| env.call_static(self.probes, self.taken, b'V', &[]));
    }

    /// What the watchdog does before it stops the test: tells all probes that it is over.
    pub(super) fn stopper(&self) -> impl Fn(Env) + Send + 'static {
        let (probes, stop) = (Shared(self.probes), self.stop);
        move |env| {
            let Shared(probes) = probes.itself();
            env.ignoring(|env| env.call_static(probes, stop, b'V', &[]));
        }
    }

    /// Lets a stop that is still on its way to this thread arrive, and forgets it: it comes with
    /// the first steps into Java.
    pub(super) fn absorb_stop(&self, env: Env) {
        (0..3).for_each(|_| self.abandon(env));
    }

    /// The test has ended and nobody wants its facts. The JDK is as it was, as after
    /// [`Runtime::next`].
    pub(super) fn abandon(&self, env: Env) {
        env.ignoring(|env| env.call_static(self.probes, self.abandon, b'V', &[]));
    }

    /// Undoes what other threads did to the JDK after [`Runtime::next`].
    pub(super) fn restore_ambient(&self, env: Env) {
        env.ignoring(|env| env.call_static(self.ambient, self.restore, b'V', &[]));
    }

    /// Whether probes end all threads but the test's.
    pub(super) fn end_foreign_threads(&self, env: Env, end: bool) {
        env.write_field(self.probes, self.foreign_end, b'Z', true, Value::boolean(end));
    }

    /// Numbers of the classes whose state the test has touched.
    pub(super) fn touched(&self, env: Env) -> Vec<i32> {
        self.state.numbers(env, self.state.touched, self.state.touched_count)
    }

    /// Whether initialisers began since [`Runtime::take_initialised`] was last called.
    pub(super) fn has_initialised(&self, env: Env) -> bool {
        env.read_field(self.state.class, self.state.initialised_count, b'I', true).as_int() != 0
    }

    /// Numbers of the classes whose initialisers began since this was last asked, in order.
    pub(super) fn take_initialised(&self, env: Env) -> Vec<i32> {
        self.state.take(env, self.state.initialised, self.state.initialised_count)
    }

    /// Pairs of classes: an initialiser that ran since this was last asked, and a class that it
    /// touched meanwhile.
    pub(super) fn take_touched_by_initialisers(&self, env: Env) -> Vec<(i32, i32)> {
        let numbers = self.state.take(env, self.state.during, self.state.during_count);
        let pairs = numbers.chunks_exact(2);
        pairs.filter_map(|pair| if let [by, touched] = pair { Some((*by, *touched)) } else { None }).collect()
    }
}

impl State {
    fn new(env: Env) -> Result<Self, Thrown> {
        let class = env.global(env.find_class(c"crashback/runtime/State")?);
        Ok(Self {
            touched: env.field(class, c"touched", c"[I", true)?,
            touched_count: env.field(class, c"touchedCount", c"I", true)?,
            initialised: env.field(class, c"initialised", c"[I", true)?,
            initialised_count: env.field(class, c"initialisedCount", c"I", true)?,
            during: env.field(class, c"during", c"[I", true)?,
            during_count: env.field(class, c"duringCount", c"I", true)?,
            class,
        })
    }

    /// The numbers of a list, which is empty afterwards.
    fn take(&self, env: Env, list: Field, count: Field) -> Vec<i32> {
        let numbers = self.numbers(env, list, count);
        if !numbers.is_empty() {
            env.write_field(self.class, count, b'I', true, Value::int(0));
        }
        numbers
    }

    fn numbers(&self, env: Env, list: Field, count: Field) -> Vec<i32> {
        let count = env.read_field(self.class, count, b'I', true).as_int();
        let Ok(count @ 1..) = usize::try_from(count) else { return Vec::new() };
        let list = env.read_field(self.class, list, b'[', true).as_object();
        env.ignoring(|env| env.read_ints(list, count)).unwrap_or_default()
    }
}

fn over(code: i64) -> Over {
    match code {
        0 => Over::No,
        1 => Over::BudgetSpent,
        2 => Over::Exited,
        _ => Over::Stopped,
    }
}
