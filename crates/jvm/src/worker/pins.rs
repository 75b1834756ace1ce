//! What differs from JVM to JVM inside the JDK itself, made equal.
//!
//! Left free, because nothing outside the JDK can reach it: `SecureRandom`, the shared generator
//! behind `Collections.shuffle`, and method references to clock and random methods.

use crate::java::{Env, Thrown, Value};

/// Pins what can be pinned on this JDK; the rest does not exist on it.
pub(super) fn pin_jdk(env: Env) {
    env.ignoring(pin_iteration_order);
}

/// Immutable sets and maps (`Set.of`) begin their iteration at a place that a salt decides, and a
/// second one whether they go backwards. Since Java 11 nothing else depends on them, so that they
/// can be set after the fact.
fn pin_iteration_order(env: Env) -> Result<(), Thrown> {
    const SALT: i64 = 0x1234_5678;
    let class = env.find_class(c"java/util/ImmutableCollections")?;
    if let Some(field) = env.ignoring(|env| env.field(class, c"SALT32L", c"J", true)) {
        env.write_field(class, field, b'J', true, Value::long(SALT));
    } else {
        let field = env.field(class, c"SALT", c"I", true)?;
        env.write_field(class, field, b'I', true, Value::int(SALT as i32));
    }
    if let Some(field) = env.ignoring(|env| env.field(class, c"REVERSE", c"Z", true)) {
        env.write_field(class, field, b'Z', true, Value::boolean(false));
    }
    Ok(())
}
