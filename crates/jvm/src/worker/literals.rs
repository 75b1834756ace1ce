//! Strings of test cases as Java strings.
//!
//! A literal in compiled code is interned (JLS 3.10.5), and programs compare strings by identity. Interning costs more than many a test,
//! though, and it shows only where the program has the same text as a constant or interns strings itself. So a literal of a test is
//! interned if a class that was loaded so far has it as a constant, or calls `String.intern`; equal literals of one test are one object
//! in any case. A class that is loaded in the middle of a test may bring a constant that the test has already used as a plain string:
//! [`Literals::is_outdated`] then tells that the test must be run again.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crashback_classfile::{ClassFile, Constant};
use crashback_testcase::Text;

use super::hook::lock;
use crate::java::{Env, Method, Object, Thrown, Value};

/// How many interned strings are kept.
const KEPT: usize = 4096;

/// Constants of all classes loaded so far, as the hook finds them.
#[derive(Default)]
pub(super) struct Constants {
    /// Changes with what is below.
    version: AtomicU64,
    known: Mutex<KnownTexts>,
}

#[derive(Clone, Default)]
struct KnownTexts {
    hashes: HashSet<u64>,
    /// Whether the program interns strings, so that any may be compared by identity.
    interning: bool,
}

impl KnownTexts {
    fn needs_interning(&self, hash: u64) -> bool {
        self.interning || self.hashes.contains(&hash)
    }
}

impl Constants {
    /// Takes in the constants of a class.
    pub(super) fn add(&self, class: &[u8]) {
        let Ok(class) = ClassFile::parse(class) else { return };
        let mut known = lock(&self.known);
        for (index, constant) in class.pool.iter() {
            match constant {
                Constant::String { .. } => {
                    let Ok(text) = class.pool.string(index) else { continue };
                    known.hashes.insert(hash(text.code_units()));
                }
                Constant::MethodRef { .. } => {
                    let Ok(method) = class.pool.method_ref(index) else { continue };
                    known.interning |= method.owner == "java/lang/String" && method.name == "intern";
                }
                _ => {}
            }
        }
        self.version.fetch_add(1, Ordering::Release);
    }
}

pub(super) struct Literals {
    intern: Method,
    constants: std::sync::Arc<Constants>,
    /// A copy of the constants, and which one.
    known: KnownTexts,
    version: u64,
    interned: HashMap<Text, Object>,
    /// Strings of the current test that are not interned.
    plain: Vec<(u64, Text, Object)>,
}

impl Literals {
    pub(super) fn new(env: Env, constants: std::sync::Arc<Constants>) -> Result<Self, Thrown> {
        let class = env.find_class(c"java/lang/String")?;
        let intern = env.method(class, c"intern", c"()Ljava/lang/String;", false)?;
        let known = KnownTexts::default();
        Ok(Self { intern, constants, known, version: 0, interned: HashMap::new(), plain: Vec::new() })
    }

    /// A test begins.
    pub(super) fn begin(&mut self, env: Env) {
        self.plain.clear();
        if self.interned.len() >= KEPT {
            // In whatever order: nothing depends on it.
            self.interned.drain().for_each(|(_, string)| env.delete_global(string));
        }
        self.catch_up();
    }

    /// The string with this text: a reference that lives at least as long as the test.
    pub(super) fn get(&mut self, env: Env, text: &Text) -> Result<Object, Thrown> {
        let hash = hash(text.units().iter().copied());
        if self.known.needs_interning(hash) {
            return self.interned(env, text);
        }
        if let Some((.., same)) = self.plain.iter().find(|(other, same, _)| *other == hash && same == text) {
            return Ok(*same);
        }
        let new = env.new_string(text.units())?;
        self.plain.push((hash, text.clone(), new));
        Ok(new)
    }

    fn interned(&mut self, env: Env, text: &Text) -> Result<Object, Thrown> {
        if let Some(known) = self.interned.get(text) {
            return Ok(*known);
        }
        let new = env.new_string(text.units())?;
        let interned = env.global(env.call(new, self.intern, b'L', &[])?.as_object());
        self.interned.insert(text.clone(), interned);
        Ok(interned)
    }

    /// Whether the test that has just run used a string that should have been interned.
    pub(super) fn is_outdated(&mut self) -> bool {
        self.catch_up() && self.plain.iter().any(|(hash, ..)| self.known.needs_interning(*hash))
    }

    /// Learns of new constants. Tells whether there were any.
    fn catch_up(&mut self) -> bool {
        let version = self.constants.version.load(Ordering::Acquire);
        if version == self.version {
            return false;
        }
        self.known = lock(&self.constants.known).clone();
        self.version = version;
        true
    }
}

/// Two texts of one hash would only mean that one of them is interned without need.
fn hash(units: impl Iterator<Item = u16>) -> u64 {
    units.fold(0, |hash: u64, unit| {
        (hash.rotate_left(5) ^ u64::from(unit)).wrapping_mul(0x517C_C1B7_2722_0A95)
    })
}

/// As an argument.
impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Value::object(object)
    }
}
