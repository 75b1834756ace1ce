//! Strings of test cases as Java strings.
//!
//! A literal in compiled code is interned (JLS 3.10.5), and programs compare strings by identity.
//! Interning costs more than many a test, though, and it shows only where the program has the same
//! text as a constant or interns strings itself. So a literal of a test is interned if a class that
//! was loaded so far has it as a constant, or calls `String.intern`; equal literals of one test are
//! one object in any case. A class that is loaded in the middle of a test may bring a constant that
//! the test has already used as a plain string: [`Literals::is_outdated`] then tells that the test
//! must be run again.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crashback_classfile::{ClassFile, Constant};
use crashback_protocol::Tests;

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
    hashes: HashSet<u64, BuildHasherDefault<Hashed>>,
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
                    known.hashes.insert(hash(&text.code_units().collect::<Vec<_>>()));
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
    interns_all: bool,
    interned: HashMap<Box<[u16]>, Object>,
    /// Strings of the current test that are not interned: hash, place of the text, object.
    plain: Vec<(u64, Range<u32>, Object)>,
}

impl Literals {
    pub(super) fn new(env: Env, constants: std::sync::Arc<Constants>) -> Result<Self, Thrown> {
        let class = env.find_class(c"java/lang/String")?;
        let intern = env.method(class, c"intern", c"()Ljava/lang/String;", false)?;
        let known = KnownTexts::default();
        Ok(Self {
            intern,
            constants,
            known,
            version: 0,
            interns_all: false,
            interned: HashMap::new(),
            plain: Vec::new(),
        })
    }

    /// From now on all literals are interned, or only those that may be compared by identity.
    /// Interning all is slower, but no test must then be run again because a class was loaded.
    pub(super) fn intern_all(&mut self, all: bool) {
        self.interns_all = all;
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
    pub(super) fn get(&mut self, env: Env, tests: &Tests, text: &Range<u32>) -> Result<Object, Thrown> {
        let units = tests.text(text);
        let hash = hash(units);
        if self.interns_all || self.known.needs_interning(hash) {
            return self.interned(env, units);
        }
        let is_it = |other: u64, same: &Range<u32>| other == hash && tests.text(same) == units;
        if let Some((.., same)) = self.plain.iter().find(|(other, same, _)| is_it(*other, same)) {
            return Ok(*same);
        }
        let new = env.new_string(units)?;
        self.plain.push((hash, text.clone(), new));
        Ok(new)
    }

    fn interned(&mut self, env: Env, units: &[u16]) -> Result<Object, Thrown> {
        if let Some(known) = self.interned.get(units) {
            return Ok(*known);
        }
        let new = env.new_string(units)?;
        let interned = env.global(env.call(new, self.intern, b'L', &[])?.as_object());
        self.interned.insert(units.into(), interned);
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

/// Of a text, four units at a time. Two texts of one hash would only mean that one of them is
/// interned without need.
fn hash(units: &[u16]) -> u64 {
    let (fours, rest) = units.as_chunks::<4>();
    let four =
        |[a, b, c, d]: [u16; 4]| u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48;
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517C_C1B7_2722_0A95);
    let hash = fours.iter().fold(units.len() as u64, |hash, it| mix(hash, four(*it)));
    rest.iter().fold(hash, |hash, unit| mix(hash, u64::from(*unit)))
}

/// For numbers that are hashes already.
#[derive(Clone, Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// As an argument.
impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Value::object(object)
    }
}
