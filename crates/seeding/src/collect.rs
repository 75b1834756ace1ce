use crashback_program::classes::Classes;
use crashback_program::frames::{CrashAudit, FrameAudit, Origin};
use crashback_program::hierarchy::Supertype;
use crashback_testcase::Text;
use crashback_testcase::workshop::{CalledBack, Pools};
use crashback_trace::compare::is_mock_library;

use crate::{bytecode, message, preparations, structures};

/// How many values of a kind a pool takes from static sources.
const MOST: usize = 80;

/// How often `null` is passed where a reference is wanted, and how often where the crash is that
/// something was null.
const NULLS: f64 = 0.08;
const NULLS_OF_NULL_CRASH: f64 = 0.2;

/// How often a mock stands for what could be had otherwise. Objects that cannot be had are mocked
/// at any rate.
const MOCKS: f64 = 0.12;

/// What the crash and the program tell before anything has run.
pub fn pools(classes: &Classes<'_>, audit: &CrashAudit) -> Pools {
    let is_null_crash = audit.exception.ends_with("NullPointerException");
    let mut pools = Pools {
        nulls: if is_null_crash { NULLS_OF_NULL_CRASH } else { NULLS },
        mocks: MOCKS,
        is_mock_library: audit.frames.iter().any(|it| it.target && is_mock_library(&it.class)),
        ..Pools::default()
    };
    let mut texts = bytecode::TextsOfFrames::default();
    for frame in audit.frames.iter().filter(|it| it.origin != Origin::Jdk) {
        let class = frame.class.replace('.', "/");
        add_type(&mut pools, &class);
        pools.traced.push((class, frame.method.clone()));
        add_called_back(classes, frame, &mut pools);
    }
    for frame in audit.frames.iter().filter(|it| it.origin != Origin::Jdk) {
        if let Some(method) = frame.resolved {
            bytecode::of_method(classes, method, &mut pools, &mut texts);
        }
    }
    message::add(audit, &texts, &mut pools);
    preparations::add(classes, audit, &mut pools);
    for frame in audit.frames.iter().filter(|it| it.origin == Origin::Project) {
        if let Some(class) = frame.resolved.and_then(|it| classes.index().view(it.class)) {
            bytecode::of_class(classes, class, &mut pools);
        }
    }
    structures::add(classes, audit, &mut pools);
    pools.floats.extend(pools.integers.iter().map(|it| *it as f64).take(MOST / 4).collect::<Vec<_>>());
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

/// Adds a number if it is new and there is room.
pub(crate) fn add_integer(pools: &mut Pools, value: i64) {
    if pools.integers.len() < MOST && !pools.integers.contains(&value) {
        pools.integers.push(value);
    }
}

/// Likewise.
pub(crate) fn add_float(pools: &mut Pools, value: f64) {
    let is_known = pools.floats.iter().any(|it| it.to_bits() == value.to_bits());
    if pools.floats.len() < MOST && !is_known {
        pools.floats.push(value);
    }
}

/// Likewise. Texts that are too long for a source that people read are left out.
pub(crate) fn add_text(pools: &mut Pools, text: Text) {
    const LONGEST: usize = 300;
    if pools.texts.len() < MOST && text.units().len() <= LONGEST && !pools.texts.contains(&text) {
        pools.texts.push(text);
    }
}

/// Adds a class by its internal name.
pub(crate) fn add_type(pools: &mut Pools, class: &str) {
    if pools.types.len() < MOST && !pools.types.iter().any(|it| it == class) {
        pools.types.push(class.to_owned());
    }
}
