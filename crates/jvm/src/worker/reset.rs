//! Static state of the program as it was before a test.
//!
//! Classes whose analysis finds state and that the test has touched get their static fields zeroed
//! and their initialisers replayed, in the order in which they first returned. With them are
//! replayed the initialisers that touched these classes when they first ran: what they put there (a
//! registration, say) is gone with the reset. Where a replay is not possible or goes wrong, the
//! program is loaded anew: enums, whose constants must stay the objects they are, interfaces, whose
//! fields cannot lose `final`, and classes whose initialiser failed.
//!
//! All that takes time: in a large program one touched class draws dozens of initialisers after it.
//! There a class is replayed once, and then its fields are given back what they held. What a test
//! changes inside of the objects that they hold is then seen by later tests; a test that is to
//! count is run once more in a JVM of its own.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

use crashback_instrument::StaticField;

use super::hook::{Class, Registry, lock};
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

/// How a class of the current loader is made as it was.
enum Remedy {
    /// It has no state of its own.
    None,
    /// Its fields are zeroed and its initialiser is run.
    Replay(Replay),
    /// Another copy of the class is needed.
    NewLoader,
}

struct Replay {
    class: Object,
    fields: Vec<(Field, u8)>,
    initialiser: Option<Method>,
    /// What the fields held after a replay, if they are now given that back instead.
    kept: Option<Vec<Value>>,
}

/// The state of the classes of one loader.
pub(super) struct Reset {
    registry: Arc<Mutex<Registry>>,
    /// When the initialiser of a class first returned, counted from 0.
    order: HashMap<i32, usize>,
    /// For a class the initialisers that touched it.
    touched_by: BTreeMap<i32, BTreeSet<i32>>,
    remedies: BTreeMap<i32, Remedy>,
    /// What is above a class.
    above: HashMap<i32, Vec<i32>>,
    /// In how many loaders the initialiser of a class has failed. This and the next outlive
    /// loaders.
    failures: HashMap<i32, u8>,
    /// How many loaders a class has cost that cannot be replayed.
    reloads: HashMap<i32, u8>,
    /// Classes that the next loader is made for.
    asking: BTreeSet<i32>,
    is_group: bool,
    /// Classes whose state tests touched, and that were not reset yet.
    put_off: BTreeSet<i32>,
    /// Classes that are observed: for them it matters how their initialisers end, every time.
    observed: BTreeSet<String>,
}

/// After so many failures an initialiser is taken to fail always. Then the class stays as it is: to
/// load the whole program anew after every test that comes near a class that lacks another is too
/// dear. Later tests see that there is no such class, no longer how its initialiser fails.
const MOST_FAILURES: u8 = 2;

/// After so many loaders an enum or interface with state costs no further one: what looks like
/// state is then a constant that every other test reads. What does change there is seen by later
/// tests; a test that is to count is run once more in a JVM of its own.
const MOST_RELOADS: u8 = 4;

/// A program is large once a loader has initialised more classes than this: to load them again, or
/// to replay the initialisers that belong together, takes longer than a hundred tests. That is what
/// has run, not what lies on the class path: of a large library a program may use a few classes.
const MOST_INITIALISED: usize = 64;

impl Reset {
    pub(super) fn new(registry: Arc<Mutex<Registry>>, observed: BTreeSet<String>) -> Self {
        Self {
            registry,
            order: HashMap::new(),
            touched_by: BTreeMap::new(),
            remedies: BTreeMap::new(),
            above: HashMap::new(),
            failures: HashMap::new(),
            reloads: HashMap::new(),
            asking: BTreeSet::new(),
            is_group: false,
            put_off: BTreeSet::new(),
            observed,
        }
    }

    /// Tests begin that may belong to a group. A group knows nothing of tests before it, and gets no
    /// further loader because of enums and interfaces: the next group has one anyway.
    pub(super) fn begin_request(&mut self, is_group: bool) {
        self.is_group = is_group;
        if is_group {
            self.failures.clear();
            self.reloads.clear();
            self.asking.clear();
        }
    }

    /// Whether the tests belong to a group.
    pub(super) fn is_in_group(&self) -> bool {
        self.is_group
    }

    /// Forgets the classes of a loader.
    pub(super) fn clear(&mut self, env: Env) {
        self.order.clear();
        self.put_off.clear();
        for number in std::mem::take(&mut self.asking) {
            let reloads = self.reloads.entry(number).or_insert(0);
            *reloads = reloads.saturating_add(1);
        }
        self.touched_by.clear();
        self.above.clear();
        for (_, remedy) in std::mem::take(&mut self.remedies) {
            if let Remedy::Replay(replay) = remedy {
                replay.release(env);
            }
        }
    }

    /// Forgets what a test did whose loader is not used again.
    pub(super) fn pass_over(env: Env, runtime: &Runtime) {
        runtime.take_initialised(env);
        runtime.take_touched_by_initialisers(env);
    }

    /// Leaves what the test did to static state to the next reset. Tells whether that can undo it.
    pub(super) fn put_off(&mut self, source: Source<'_>, tools: Tools, runtime: &Runtime) -> bool {
        self.put_off.extend(runtime.touched(source.env));
        self.note_initialisers(source, tools, runtime)
    }

    /// Undoes what the test did to static state, and what was put off before.
    pub(super) fn after_test(&mut self, source: Source<'_>, tools: Tools, runtime: &Runtime) -> Afterwards {
        match self.try_after_test(source, tools, runtime) {
            Ok(afterwards) => afterwards,
            Err(Thrown) => {
                source.env.take_thrown();
                Afterwards::NewLoader
            }
        }
    }

    fn try_after_test(
        &mut self,
        source: Source<'_>,
        tools: Tools,
        runtime: &Runtime,
    ) -> Result<Afterwards, Thrown> {
        let env = source.env;
        if !self.note_initialisers(source, tools, runtime) {
            return Ok(Afterwards::NewLoader);
        }
        let mut touched = std::mem::take(&mut self.put_off);
        touched.extend(runtime.touched(env));
        let mut open = self.with_supertypes(touched.into_iter().collect());
        let mut stateful = BTreeSet::new();
        let mut needs_loader = false;
        while let Some((number, must_replay)) = open.pop() {
            match self.remedy(source, number, must_replay)? {
                Remedy::None => continue,
                // All of them are counted: which comes first depends on the numbers of classes, and
                // these on tests before.
                Remedy::NewLoader => {
                    if !self.exceeds_reload_budget(number) {
                        needs_loader = true;
                        self.asking.insert(number);
                    }
                    continue;
                }
                Remedy::Replay(replay) if replay.kept.is_some() => {
                    replay.restore(env);
                    continue;
                }
                Remedy::Replay(_) => {}
            }
            if stateful.insert(number) {
                let touched_by = self.touched_by.get(&number).into_iter().flatten();
                open.extend(touched_by.map(|by| (*by, true)));
            }
        }
        if needs_loader {
            return Ok(Afterwards::NewLoader);
        }
        if stateful.is_empty() {
            return Ok(Afterwards::Ready);
        }
        let mut ordered: Vec<_> = stateful.into_iter().collect();
        ordered.sort_by_key(|number| self.order.get(number));
        self.replay(env, &ordered, runtime)?;
        if self.is_large() {
            self.keep(env, &ordered);
        }
        // What the replay initialised, touched or broke is known already or told with the next
        // test.
        Ok(Afterwards::Ready)
    }

    /// Learns which initialisers ran. Tells whether all of them succeeded, but for those that never
    /// do.
    fn note_initialisers(&mut self, source: Source<'_>, tools: Tools, runtime: &Runtime) -> bool {
        let began = runtime.take_initialised(source.env);
        if began.is_empty() {
            return true;
        }
        for (by, touched) in runtime.take_touched_by_initialisers(source.env) {
            for (touched, _) in self.with_supertypes(vec![touched]) {
                self.touched_by.entry(touched).or_default().insert(by);
            }
        }
        began.into_iter().fold(true, |all, entry| {
            // Told when it begins, and turned to negative when it returns: one that began inside
            // another returns before it.
            if entry >= 0 {
                let is_fine = !self.has_failed(source, tools, entry) || self.always_fails(entry);
                return all && is_fine;
            }
            let next = self.order.len();
            self.order.entry(!entry).or_insert(next);
            all
        })
    }

    fn replay(&self, env: Env, numbers: &[i32], runtime: &Runtime) -> Result<(), Thrown> {
        let classes = || {
            let remedies = numbers.iter().filter_map(|number| self.remedies.get(number));
            remedies
                .filter_map(|remedy| if let Remedy::Replay(replay) = remedy { Some(replay) } else { None })
        };
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
        runtime.abandon(env);
        runtime.take_initialised(env);
        runtime.take_touched_by_initialisers(env);
        Ok(())
    }

    /// From now on classes are given back what they hold.
    fn keep(&mut self, env: Env, numbers: &[i32]) {
        for number in numbers {
            if let Some(Remedy::Replay(replay)) = self.remedies.get_mut(number) {
                replay.keep(env);
            }
        }
    }

    fn is_large(&self) -> bool {
        self.order.len() > MOST_INITIALISED
    }

    /// How to reset a class; `must_replay` if its initialiser has to run whether the class has
    /// state of its own or not.
    fn remedy(&mut self, source: Source<'_>, number: i32, must_replay: bool) -> Result<&Remedy, Thrown> {
        let known =
            self.remedies.get(&number).is_some_and(|known| !must_replay || !matches!(known, Remedy::None));
        if !known {
            let remedy = self.find_remedy(source, number, must_replay)?;
            self.remedies.insert(number, remedy);
        }
        Ok(self.remedies.get(&number).unwrap_or(&Remedy::None))
    }

    fn find_remedy(&self, source: Source<'_>, number: i32, must_replay: bool) -> Result<Remedy, Thrown> {
        let Some(Class { name, state, .. }) = self.class(number) else { return Ok(Remedy::None) };
        if self.is_hopeless(number) {
            return Ok(Remedy::None);
        }
        Ok(match state {
            Some(state) if !state.replayable && (state.stateful || must_replay) => Remedy::NewLoader,
            Some(state) if state.stateful => {
                Remedy::Replay(find(source, &name, &state.fields, state.has_initialiser)?)
            }
            // Nothing of its own changes, so that its fields keep what they have until the
            // initialiser assigns them.
            _ if must_replay => Remedy::Replay(find(source, &name, &[], true)?),
            _ => Remedy::None,
        })
    }

    fn class(&self, number: i32) -> Option<Class> {
        lock(&self.registry).class(number).cloned()
    }

    /// Classes with those above them: a field may be named through a class below the one that
    /// declares it. Not so interfaces: nobody can write their fields, nearly all of which are
    /// constants, and a new loader for every class that implements one with a table in it is too
    /// dear.
    fn with_supertypes(&mut self, touched: Vec<i32>) -> Vec<(i32, bool)> {
        let mut all = Vec::with_capacity(touched.len());
        for number in touched {
            if !self.above.contains_key(&number) {
                let above = self.find_above(number);
                self.above.insert(number, above);
            }
            all.push((number, false));
            all.extend(self.above.get(&number).into_iter().flatten().map(|above| (*above, false)));
        }
        all
    }

    fn find_above(&self, number: i32) -> Vec<i32> {
        let mut above = BTreeSet::new();
        let mut open = vec![number];
        while let Some(next) = open.pop() {
            let supertypes = self.class(next).map(|it| it.supertypes).unwrap_or_default();
            open.extend(supertypes.into_iter().filter(|it| above.insert(*it)));
        }
        let is_interface =
            |number: i32| self.class(number).and_then(|it| it.state).is_some_and(|state| state.is_interface);
        above.into_iter().filter(|it| !is_interface(*it)).collect()
    }

    /// Counts another failure of an initialiser, and tells whether it is one too many.
    fn always_fails(&mut self, number: i32) -> bool {
        let failures = self.failures.entry(number).or_insert(0);
        *failures = failures.saturating_add(1);
        self.is_hopeless(number)
    }

    /// Whether another loader for a class is one too many.
    fn exceeds_reload_budget(&self, number: i32) -> bool {
        let reloads = self.reloads.get(&number).copied().unwrap_or(0);
        reloads >= MOST_RELOADS || self.is_large() || self.is_group
    }

    fn is_hopeless(&self, number: i32) -> bool {
        self.failures.get(&number).is_some_and(|failures| *failures > MOST_FAILURES)
            && self.class(number).is_some_and(|it| !self.observed.contains(&it.name))
    }

    /// Whether a class whose initialiser has begun cannot be used. A class that another loader of
    /// the program's own has loaded is not looked at.
    fn has_failed(&self, source: Source<'_>, tools: Tools, number: i32) -> bool {
        let Some(Class { name, .. }) = self.class(number) else { return false };
        let class =
            source.env.ignoring(|env| source.loaders.class(env, source.program, &name.replace('/', ".")));
        class.is_some_and(|class| is_in_error(tools.class_status(class)))
    }
}

fn find(
    source: Source<'_>,
    name: &str,
    fields: &[StaticField],
    has_initialiser: bool,
) -> Result<Replay, Thrown> {
    let env = source.env;
    let class = source.loaders.class(env, source.program, &name.replace('/', "."))?;
    let mut found = Vec::with_capacity(fields.len());
    for StaticField { name, descriptor } in fields {
        let field = env.field(class, &text(name), &text(descriptor), true)?;
        found.push((field, descriptor.bytes().next().unwrap_or(b'L')));
    }
    let initialiser =
        if has_initialiser { Some(env.method(class, c"<clinit>", c"()V", true)?) } else { None };
    Ok(Replay { class: env.global(class), fields: found, initialiser, kept: None })
}

impl Replay {
    fn keep(&mut self, env: Env) {
        let read = |(field, kind): &(Field, u8)| {
            let value = env.read_field(self.class, *field, *kind, true);
            if !is_reference(*kind) {
                return value;
            }
            let kept = env.global(value.as_object());
            env.delete_local(value.as_object());
            kept.into()
        };
        self.kept = Some(self.fields.iter().map(read).collect());
    }

    fn restore(&self, env: Env) {
        for ((field, kind), value) in self.fields.iter().zip(self.kept.iter().flatten()) {
            env.write_field(self.class, *field, *kind, true, *value);
        }
    }

    fn release(self, env: Env) {
        for ((_, kind), value) in self.fields.iter().zip(self.kept.iter().flatten()) {
            if is_reference(*kind) {
                env.delete_global(value.as_object());
            }
        }
        env.delete_global(self.class);
    }
}

fn is_reference(kind: u8) -> bool {
    matches!(kind, b'L' | b'[')
}
