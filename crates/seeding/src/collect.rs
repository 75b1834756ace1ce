use crashback_model::Models;
use crashback_program::classes::Classes;
use crashback_program::frames::{CrashAudit, FrameAudit, Origin};
use crashback_program::hierarchy::Supertype;
use crashback_testcase::Text;
use crashback_testcase::workshop::{CalledBack, Pools, Tuning};
use crashback_trace::compare::is_mock_library;

use crate::{
    Records, bytecode, cases, message, models, nested, own_calls, preparations, questions, recorded,
    structures,
};

/// Offers what the crash, the program and records of both tell before anything has run, and what given models
/// tell of the use of objects.
pub fn pools(
    classes: &Classes<'_>,
    audit: &CrashAudit,
    records: &Records,
    given: Option<&Models>,
    tuning: &Tuning,
) -> Pools {
    let mut offers = Offers::new(tuning);
    offers.pools.is_null_crash = audit.exception.ends_with("NullPointerException");
    offers.pools.is_modification_crash = audit.exception.ends_with("ConcurrentModificationException");
    offers.pools.is_mock_library = audit.frames.iter().any(|it| it.target && is_mock_library(&it.class));
    let mut texts = bytecode::TextsOfFrames::default();
    for frame in audit.frames.iter().filter(|it| it.origin != Origin::Jdk) {
        let class = frame.class.replace('.', "/");
        offers.add_type(&class);
        offers.pools.traced.push((class, frame.method.clone()));
        add_called_back(classes, frame, &mut offers.pools);
    }
    for frame in audit.frames.iter().filter(|it| it.origin != Origin::Jdk) {
        if let Some(method) = frame.resolved {
            bytecode::of_method(classes, method, &mut offers, &mut texts);
            questions::of_method(classes, method, &mut offers);
            own_calls::of_method(classes, method, &mut offers);
            cases::of_frame(classes, frame, method, &mut offers);
        }
    }
    message::add(audit, &texts, &mut offers);
    preparations::add(classes, audit, &mut offers);
    for frame in audit.frames.iter().filter(|it| it.origin == Origin::Project) {
        if let Some(class) = frame.resolved.and_then(|it| classes.index().view(it.class)) {
            bytecode::of_class(classes, class, &mut offers);
        }
    }
    structures::add(classes, audit, &mut offers);
    nested::add(classes, audit, &mut offers);
    models::add(classes, audit, given, &mut offers);
    recorded::add(audit, records, &mut offers);
    let mut pools = offers.pools;
    let floats = pools.integers.iter().map(|it| *it as f64).take(tuning.pool_floats_of_integers);
    pools.floats.extend(floats.collect::<Vec<_>>());
    pools
}

/// The methods of types above a frame's class that its method overrides.
fn add_called_back(classes: &Classes<'_>, frame: &FrameAudit, pools: &mut Pools) {
    let Some(method) = frame.resolved.and_then(|it| it.view(classes.index())).filter(|it| !it.is_static())
    else {
        return;
    };
    let above =
        classes.hierarchy().supertypes(method.class().name()).into_iter().filter_map(Supertype::known);
    for above in above.filter(|it| it.name() != method.class().name() && it.is_abstract()) {
        let is_overridden = above.methods_named(method.name()).any(|it| it.is_abstract());
        let called = CalledBack { of: above.name().to_owned(), method: method.name().to_owned() };
        if is_overridden && !pools.called_back.contains(&called) {
            pools.called_back.push(called);
        }
    }
}

/// Pools that are being filled. They are bounded, and what comes first stays.
pub(crate) struct Offers<'t> {
    pub(crate) pools: Pools,
    pub(crate) tuning: &'t Tuning,
}

impl<'t> Offers<'t> {
    /// Offers nothing yet.
    pub(crate) fn new(tuning: &'t Tuning) -> Self {
        Self { pools: Pools::default(), tuning }
    }

    /// Adds a number if it is new and there is room.
    pub(crate) fn add_integer(&mut self, value: i64) {
        let integers = &mut self.pools.integers;
        if integers.len() < self.tuning.pool_size && !integers.contains(&value) {
            integers.push(value);
        }
    }

    /// Adds a floating-point number, likewise.
    pub(crate) fn add_float(&mut self, value: f64) {
        let floats = &mut self.pools.floats;
        let is_known = floats.iter().any(|it| it.to_bits() == value.to_bits());
        if floats.len() < self.tuning.pool_size && !is_known {
            floats.push(value);
        }
    }

    /// Adds a text, likewise, unless it is too long for a source that people read.
    pub(crate) fn add_text(&mut self, text: Text) {
        let texts = &mut self.pools.texts;
        let is_short = text.units().len() <= self.tuning.longest_pool_text;
        if texts.len() < self.tuning.pool_size && is_short && !texts.contains(&text) {
            texts.push(text);
        }
    }

    /// Adds a case of a switch over texts if it is new. Those of the innermost frames stay.
    pub(crate) fn add_case(&mut self, text: Text) {
        let cases = &mut self.pools.cases;
        if cases.len() < self.tuning.cases && !cases.contains(&text) {
            cases.push(text);
        }
    }

    /// Adds a class by its internal name, likewise.
    pub(crate) fn add_type(&mut self, class: &str) {
        let types = &mut self.pools.types;
        if types.len() < self.tuning.pool_size && !types.iter().any(|it| it == class) {
            types.push(class.to_owned());
        }
    }

    /// Adds a class in which factories may be found, by its internal name, likewise.
    pub(crate) fn add_mentioned(&mut self, class: &str) {
        if self.pools.mentioned.len() < self.tuning.mentioned_classes {
            self.pools.mentioned.insert(class.to_owned());
        }
    }
}
