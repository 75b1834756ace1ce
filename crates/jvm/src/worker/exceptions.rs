//! Exceptions that do not leave a test: what its statements yield, and what loggers are given.

use crashback_protocol::Caught;

use crate::java::{Env, Method, Object, Thrown, Value};

/// Tells the runtime of them, or lets it listen.
pub(super) struct Exceptions {
    /// Whether they are asked for.
    pub(super) listens: bool,
    logs: Object,
    listen: Method,
    throwable: Object,
    probes: Object,
    caught: Method,
}

impl Exceptions {
    pub(super) fn new(env: Env) -> Result<Self, Thrown> {
        let probes = env.global(env.find_class(c"crashback/runtime/Probes")?);
        let logs = env.global(env.find_class(c"crashback/runtime/Logs")?);
        Ok(Self {
            listens: false,
            listen: env.method(logs, c"listen", c"(Z)V", true)?,
            logs,
            throwable: env.global(env.find_class(c"java/lang/Throwable")?),
            caught: env.method(probes, c"caught", c"(Ljava/lang/Object;I)V", true)?,
            probes,
        })
    }

    /// Says whether exceptions are asked for from now on. A JDK without loggers has nothing to
    /// listen to.
    pub(super) fn ask_for(&mut self, env: Env, listens: bool) {
        if listens != self.listens {
            self.listens = listens;
            env.ignoring(|env| env.call_static(self.logs, self.listen, b'V', &[Value::boolean(listens)]));
        }
    }

    /// Tells of a value, if it is an exception.
    pub(super) fn tell(&self, env: Env, value: Object) -> Result<(), Thrown> {
        if value.is_null() || !env.is_instance(value, self.throwable) {
            return Ok(());
        }
        let probe = i32::try_from(Caught::BY_TEST).unwrap_or(i32::MAX);
        env.call_static(self.probes, self.caught, b'V', &[value.into(), Value::int(probe)]).map(|_| ())
    }
}
