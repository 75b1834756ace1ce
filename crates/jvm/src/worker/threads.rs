//! Threads that a test leaves behind.

use std::thread::sleep;
use std::time::Duration;

use super::runtime::Runtime;
use crate::java::{Env, Method, Object, Thrown, Tools};

/// How often and how long the end of a stopped thread is waited for.
const WAITS: u32 = 100;
const WAIT: Duration = Duration::from_millis(1);

/// The threads that were there before the first test, and those of the JDK that came later.
pub(super) struct Threads {
    started: u64,
    virtual_threads: u64,
    own: Vec<Object>,
    group_of: Method,
    parent_of: Method,
}

impl Threads {
    pub(super) fn new(env: Env, tools: Tools) -> Result<Self, Thrown> {
        let thread = env.find_class(c"java/lang/Thread")?;
        let group = env.find_class(c"java/lang/ThreadGroup")?;
        let own = tools.threads().into_iter().map(|it| env.global(it)).collect();
        Ok(Self {
            started: tools.threads_started(),
            virtual_threads: tools.virtual_threads(),
            own,
            group_of: env.method(thread, c"getThreadGroup", c"()Ljava/lang/ThreadGroup;", false)?,
            parent_of: env.method(group, c"getParent", c"()Ljava/lang/ThreadGroup;", false)?,
        })
    }

    /// Ends what the test has started. Tells whether that went well. Costs next to nothing if no
    /// thread was started.
    pub(super) fn end_foreign(&mut self, env: Env, tools: Tools, runtime: &Runtime) -> bool {
        if tools.virtual_threads() != self.virtual_threads {
            // They can be neither listed nor stopped, and the JDK's threads that carry them serve
            // whoever comes next.
            return false;
        }
        if tools.threads_started() == self.started {
            return true;
        }
        runtime.end_foreign_threads(env, true);
        let ended = (0..WAITS).any(|attempt| {
            let foreign = self.foreign(env, tools);
            // Once is not enough: a thread may swallow what stops it, and start others.
            if attempt % 10 == 0 {
                for thread in &foreign {
                    tools.stop(*thread, runtime.stop_error);
                }
            }
            if !foreign.is_empty() {
                sleep(WAIT);
            }
            foreign.is_empty()
        });
        runtime.end_foreign_threads(env, false);
        runtime.restore_ambient(env);
        self.started = tools.threads_started();
        ended
    }

    fn foreign(&mut self, env: Env, tools: Tools) -> Vec<Object> {
        let mut foreign = Vec::new();
        for thread in tools.threads() {
            if self.own.iter().any(|own| env.is_same(*own, thread)) {
                continue;
            }
            if self.is_of_the_system(env, thread) {
                self.own.push(env.global(thread));
            } else {
                foreign.push(thread);
            }
        }
        foreign
    }

    /// Threads that the JDK starts for itself are in the group that has no parent.
    fn is_of_the_system(&self, env: Env, thread: Object) -> bool {
        let asked = env.ignoring(|env| {
            let group = env.call(thread, self.group_of, b'L', &[])?.as_object();
            if group.is_null() {
                return Ok(false);
            }
            Ok(env.call(group, self.parent_of, b'L', &[])?.as_object().is_null())
        });
        asked.unwrap_or(false)
    }
}
