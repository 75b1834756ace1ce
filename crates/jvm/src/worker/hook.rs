//! Instruments classes as the JVM loads them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crashback_classfile::ClassFile;
use crashback_instrument::{ClassState, ProbePlan, Refusal, instrument};
use crashback_protocol::Untouched;
use xxhash_rust::xxh3::xxh3_64;

use super::literals::Constants;
use super::loading::Loading;
use super::{caller, mock_class, watched};
use crate::java::{Env, LoadHook, Object};

/// What is known of classes across all loaders of a worker.
#[derive(Default)]
pub(super) struct Registry {
    numbers: HashMap<String, i32>,
    /// Classes by their numbers.
    classes: Vec<Class>,
    instrumented: HashMap<(String, u64), Option<Arc<[u8]>>>,
    /// Classes and methods that run without probes, with reasons.
    untouched: Vec<Untouched>,
}

/// A class of the program.
#[derive(Clone, Default)]
pub(super) struct Class {
    /// Its internal name.
    pub(super) name: String,
    /// Its static state; none for classes that were not loaded or have no static fields.
    pub(super) state: Option<Arc<ClassState>>,
    /// Superclass and interfaces, as far as they are the program's.
    pub(super) supertypes: Vec<i32>,
}

impl Registry {
    /// A class by its number.
    pub(super) fn class(&self, number: i32) -> Option<&Class> {
        usize::try_from(number).ok().and_then(|it| self.classes.get(it))
    }

    /// What was left without probes since the last time this was asked.
    pub(super) fn take_untouched(&mut self) -> Vec<Untouched> {
        std::mem::take(&mut self.untouched)
    }

    fn number(&mut self, name: &str) -> i32 {
        if let Some(known) = self.numbers.get(name) {
            return *known;
        }
        let number = i32::try_from(self.classes.len()).unwrap_or(i32::MAX);
        self.numbers.insert(name.to_owned(), number);
        self.classes.push(Class { name: name.to_owned(), ..Class::default() });
        number
    }

    /// Takes in what a class file says of its class.
    fn describe(&mut self, name: &str, bytes: &[u8], state: Option<ClassState>) {
        let supertypes = supertypes(bytes).unwrap_or_default();
        let supertypes =
            supertypes.iter().filter(|it| !is_of_runtime_packages(it)).map(|it| self.number(it)).collect();
        let number = self.number(name);
        if let Some(class) = usize::try_from(number).ok().and_then(|it| self.classes.get_mut(it)) {
            class.state = state.map(Arc::new);
            class.supertypes = supertypes;
        }
    }
}

fn supertypes(bytes: &[u8]) -> Result<Vec<String>, crashback_classfile::Error> {
    let class = ClassFile::parse(bytes)?;
    let above = class.pool.optional_class_name(class.super_class)?.into_iter().map(Ok);
    let interfaces = class.interfaces.iter().map(|index| class.pool.class_name(*index));
    above.chain(interfaces).map(|name| Ok(name?.to_string())).collect()
}

/// The hook of a worker.
pub(super) struct Instrumenter {
    pub(super) plan: ProbePlan,
    pub(super) registry: Arc<Mutex<Registry>>,
    pub(super) constants: Arc<Constants>,
    pub(super) loading: Arc<Loading>,
}

impl LoadHook for Instrumenter {
    fn load(&self, _: Env, loader: Object, name: &str, bytes: &[u8], redefined: bool) -> Option<Vec<u8>> {
        self.loading.note();
        if redefined {
            return watched::rewrite(name, bytes);
        }
        if loader.is_null() || is_of_runtime_packages(name) || is_caller(name) || is_mock(name) {
            return None;
        }
        let mut registry = lock(&self.registry);
        let key = (name.to_owned(), xxh3_64(bytes));
        if let Some(known) = registry.instrumented.get(&key) {
            return known.as_deref().map(<[u8]>::to_vec);
        }
        self.constants.add(bytes);
        let new = self.instrument(&mut registry, name, bytes);
        registry.instrumented.insert(key, new.clone());
        new.as_deref().map(<[u8]>::to_vec)
    }
}

impl Instrumenter {
    fn instrument(&self, registry: &mut Registry, name: &str, bytes: &[u8]) -> Option<Arc<[u8]>> {
        let mut result = instrument(bytes, &self.plan, &mut |class| registry.number(class));
        if let Err(refusal @ Refusal::OtherCopy { .. }) = &result {
            // Not the class that the plan means: it is observed no more than any other.
            registry.untouched.push(untouched(name, None, *refusal));
            let mut plan = self.plan.clone();
            plan.classes.remove(name);
            result = instrument(bytes, &plan, &mut |class| registry.number(class));
        }
        match result {
            Ok(result) => {
                for (method, refusal) in result.untouched {
                    let method = format!("{}{}", method.name, method.descriptor);
                    registry.untouched.push(untouched(name, Some(method), refusal));
                }
                registry.describe(name, bytes, result.state);
                result.bytes.map(Into::into)
            }
            Err(refusal) => {
                registry.untouched.push(untouched(name, None, refusal));
                None
            }
        }
    }
}

fn untouched(class: &str, method: Option<String>, refusal: Refusal) -> Untouched {
    Untouched { class: class.to_owned(), method, reason: refusal.to_string() }
}

/// Locks something that no panic leaves half done.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a class lies in packages that only the boot and platform loaders define, or that the JVM
/// reserves for classes that it makes at run time (proxies, accessors of reflection): these have
/// the loader of the class that they are made for, so the loader does not tell. Only classes
/// outside these packages get probes. Whether a class is the project's is another question, which
/// the process that plans the probes answers.
fn is_of_runtime_packages(name: &str) -> bool {
    ["java/", "jdk/", "sun/", "com/sun/proxy/"].iter().any(|it| name.starts_with(it))
}

fn is_mock(name: &str) -> bool {
    name.rsplit('/').next().is_some_and(|it| it.contains(mock_class::MARK))
}

fn is_caller(name: &str) -> bool {
    name.rsplit('/').next() == Some(caller::NAME)
}
