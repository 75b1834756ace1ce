//! Calls of clocks and random generators that a test makes itself.
//!
//! Such calls in the program's classes are redirected when these are instrumented. A test calls the
//! JDK through JNI, where there is nothing to instrument; its calls are redirected here, in the same
//! way.

use crashback_instrument::{Redirect, Redirection, redirects};
use smallvec::SmallVec;

use super::program::text;
use crate::java::{Env, Method, Object, Thrown, Value};

/// A method of the runtime that a call needs.
#[derive(Clone, Copy)]
pub(super) enum Pinned {
    /// Its result is the last argument, in the place of the arguments that it takes itself.
    With(PinCall),
    /// It gets the object that was made.
    Then(PinCall),
}

/// A static method of the runtime.
#[derive(Clone, Copy)]
pub(super) struct PinCall {
    class: Object,
    method: Method,
    parameters: usize,
    /// What the descriptor of the result begins with.
    result: u8,
}

/// What is called instead of a member of the JDK.
pub(super) enum Detour {
    /// A static method of the runtime.
    Instead { class: Object, method: Method },
    /// The overload with this descriptor, and a method of the runtime.
    With { descriptor: &'static str, call: PinCall },
    /// The member itself, and then a method of the runtime.
    Then(PinCall),
}

/// Finds detours to the runtime's clocks and random generators.
#[derive(Default)]
pub(super) struct Detours {
    /// The class, once it was looked up.
    class: Option<Object>,
}

impl Detours {
    fn class(&mut self, env: Env) -> Result<Object, Thrown> {
        let class = match self.class {
            Some(class) => class,
            None => env.global(env.find_class(c"crashback/runtime/Pins")?),
        };
        self.class = Some(class);
        Ok(class)
    }

    /// The detour of a member, if there is one.
    pub(super) fn detour(
        &mut self,
        env: Env,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<Option<Detour>, Thrown> {
        let is_it = |it: &&Redirect| it.owner == owner && it.name == name && it.descriptor == descriptor;
        let Some(redirect) = owner.starts_with("java/").then(|| redirects().find(is_it)).flatten() else {
            return Ok(None);
        };
        let (Redirection::Instead(pin) | Redirection::With(pin, _) | Redirection::Then(pin)) = redirect.to;
        let class = self.class(env)?;
        let method = env.method(class, &text(pin.name()), &text(pin.descriptor()), true)?;
        let (parameters, result) = pin.descriptor().split_once(')').unwrap_or_default();
        let call = PinCall {
            class,
            method,
            parameters: parameters.matches(';').count(),
            result: result.bytes().next().unwrap_or(b'V'),
        };
        Ok(Some(match redirect.to {
            Redirection::Instead(_) => Detour::Instead { class, method },
            Redirection::With(_, descriptor) => Detour::With { descriptor, call },
            Redirection::Then(_) => Detour::Then(call),
        }))
    }
}

impl Pinned {
    /// Changes the arguments of a call before it is made.
    pub(super) fn before(self, env: Env, arguments: &mut SmallVec<[Value; 8]>) -> Result<(), Thrown> {
        if let Self::With(PinCall { class, method, parameters, result }) = self {
            let first = arguments.len().saturating_sub(parameters);
            let last = env.call_static(class, method, result, arguments.get(first..).unwrap_or_default())?;
            arguments.truncate(first);
            arguments.push(last);
        }
        Ok(())
    }

    /// Changes the value of a call that was made.
    pub(super) fn after(self, env: Env, value: Value) -> Result<(), Thrown> {
        if let Self::Then(PinCall { class, method, .. }) = self {
            env.call_static(class, method, b'V', &[value])?;
        }
        Ok(())
    }
}
