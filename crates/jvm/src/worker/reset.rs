//! Static state of the program as it was before a test.
//!
//! Classes whose analysis finds state and that the test has touched get their static fields zeroed and their initialisers replayed, in the
//! order in which they first ran. Where that is not possible or goes wrong, the program is loaded anew: enums, whose constants must stay
//! the objects they are, interfaces, whose fields cannot lose `final`, and classes whose initialiser failed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crashback_instrument::{ClassState, StaticField};

use super::hook::{Registry, lock};
use super::members::Source;
use super::program::text;
use super::runtime::Runtime;
use crate::java::{Env, Field, Method, Object, Thrown, Tools, Value, is_in_error};

/// What must happen before the next test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Afterwards {
    /// Nothing: all is as it was.
    Ready,
    /// The program is to be loaded anew.
    NewLoader,
    /// Only another process will do.
    NewProcess,
}

/// A class of the current loader whose state can be reset.
struct Resettable {
    class: Object,
    fields: Vec<(Field, u8)>,
    initialiser: Option<Method>,
}

pub(super) struct Reset {
    registry: Arc<Mutex<Registry>>,
    /// Classes in the order in which their initialisers first began, in the current loader.
    order: Vec<i32>,
    known: HashMap<i32, Option<Resettable>>,
}

impl Reset {
    pub(super) fn new(registry: Arc<Mutex<Registry>>) -> Self {
        Self { registry, order: Vec::new(), known: HashMap::new() }
    }

    /// Forgets the classes of a loader.
    pub(super) fn clear(&mut self, env: Env) {
        for number in std::mem::take(&mut self.order) {
            if let Some(Some(known)) = self.known.remove(&number) {
                env.delete_global(known.class);
            }
        }
        // Those without initialiser are in no order.
        let mut rest: Vec<_> = self.known.drain().collect();
        rest.sort_unstable_by_key(|(number, _)| *number);
        for (_, known) in rest {
            known.into_iter().for_each(|known| env.delete_global(known.class));
        }
    }

    /// Undoes what the test did to static state.
    pub(super) fn after_test(&mut self, source: Source<'_>, tools: Tools, runtime: &Runtime) -> Afterwards {
        let env = source.env;
        for number in runtime.take_initialised(env) {
            if !self.order.contains(&number) {
                self.order.push(number);
            }
            if self.has_failed(source, tools, number) {
                return Afterwards::NewLoader;
            }
        }
        let touched = runtime.touched(env);
        let mut stateful = Vec::new();
        for number in touched {
            match self.look_up(source, number) {
                Ok(true) => stateful.push(number),
                Ok(false) => {}
                Err(Thrown) => {
                    env.take_thrown();
                    return Afterwards::NewLoader;
                }
            }
        }
        if stateful.is_empty() {
            return Afterwards::Ready;
        }
        if stateful.iter().any(|number| matches!(self.known.get(number), Some(None))) {
            return Afterwards::NewLoader;
        }
        stateful.sort_by_key(|number| self.order.iter().position(|it| it == number));
        match self.replay(env, &stateful, runtime) {
            Ok(()) => Afterwards::Ready,
            Err(Thrown) => {
                env.take_thrown();
                Afterwards::NewLoader
            }
        }
    }

    fn replay(&self, env: Env, numbers: &[i32], runtime: &Runtime) -> Result<(), Thrown> {
        let classes = || numbers.iter().filter_map(|number| self.known.get(number)?.as_ref());
        for class in classes() {
            for (field, descriptor) in &class.fields {
                env.write_field(class.class, *field, *descriptor, true, Value::long(0));
            }
        }
        runtime.begin(env)?;
        for class in classes() {
            if let Some(initialiser) = class.initialiser {
                env.call_static(class.class, initialiser, b'V', &[])?;
            }
        }
        Ok(())
    }

    /// Whether a class has state; then `known` tells how to reset it, or that this is impossible.
    fn look_up(&mut self, source: Source<'_>, number: i32) -> Result<bool, Thrown> {
        if self.known.contains_key(&number) {
            return Ok(true);
        }
        let Some((name, state)) = self.state(number).filter(|(_, state)| state.stateful) else {
            return Ok(false);
        };
        let resettable = if state.replayable { Some(find(source, &name, &state)?) } else { None };
        self.known.insert(number, resettable);
        Ok(true)
    }

    fn state(&self, number: i32) -> Option<(String, Arc<ClassState>)> {
        let registry = lock(&self.registry);
        registry.state(number).map(|(name, state)| (name.to_owned(), Arc::clone(state)))
    }

    /// Whether a class whose initialiser has begun cannot be used. A class that another loader of the program's own has loaded is not
    /// looked at.
    fn has_failed(&self, source: Source<'_>, tools: Tools, number: i32) -> bool {
        let Some((name, _)) = self.state(number) else { return false };
        let class =
            source.env.ignoring(|env| source.loaders.class(env, source.program, &name.replace('/', ".")));
        class.is_some_and(|class| is_in_error(tools.class_status(class)))
    }
}

fn find(source: Source<'_>, name: &str, state: &ClassState) -> Result<Resettable, Thrown> {
    let env = source.env;
    let class = source.loaders.class(env, source.program, &name.replace('/', "."))?;
    let mut fields = Vec::with_capacity(state.fields.len());
    for StaticField { name, descriptor } in &state.fields {
        let field = env.field(class, &text(name), &text(descriptor), true)?;
        fields.push((field, descriptor.bytes().next().unwrap_or(b'L')));
    }
    let initialiser = match state.has_initialiser {
        true => Some(env.method(class, c"<clinit>", c"()V", true)?),
        false => None,
    };
    Ok(Resettable { class: env.global(class), fields, initialiser })
}
