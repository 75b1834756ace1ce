//! The clock and the random numbers that tests find, and what differs from JVM to JVM inside the JDK
//! itself, made equal.
//!
//! Left free, because nothing outside the JDK can reach it: `SecureRandom`, the shared generator
//! behind `Collections.shuffle`, and method references to clock and random methods.

use crashback_protocol::Pins;

use crate::java::{Env, Method, Object, Thrown, Value};
use crate::settings::Surroundings;

/// The clock and the random numbers of the runtime classes.
pub(super) struct Pinning {
    class: Object,
    configure: Method,
    usual: PinnedValues,
    current: Pins,
}

/// What clocks and random generators start with in each test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PinnedValues {
    /// Milliseconds since 1970.
    clock: i64,
    /// Milliseconds that `System.nanoTime` has counted.
    uptime: i64,
    seed: i64,
}

impl Pinning {
    /// Gives tests the usual values.
    pub(super) fn new(env: Env, surroundings: &Surroundings) -> Result<Self, Thrown> {
        let class = env.global(env.find_class(c"crashback/runtime/Pins")?);
        let configure = env.method(class, c"configure", c"(JJJ)V", true)?;
        let Surroundings { clock, seed, .. } = *surroundings;
        let usual = PinnedValues { clock, uptime: UPTIME, seed };
        let pinning = Self { class, configure, usual, current: Pins::Usual };
        pinning.apply(env)?;
        Ok(pinning)
    }

    /// Gives tests the values of some pins from now on.
    pub(super) fn change(&mut self, env: Env, pins: Pins) -> Result<(), Thrown> {
        if pins == self.current {
            return Ok(());
        }
        self.current = pins;
        self.apply(env)
    }

    fn apply(&self, env: Env) -> Result<(), Thrown> {
        let PinnedValues { clock, uptime, seed } = self.usual.with(self.current);
        let arguments = [clock, uptime, seed].map(Value::long);
        env.call_static(self.class, self.configure, b'V', &arguments).map(|_| ())
    }
}

/// Not 0, so that differences to a time that was never taken are not small.
const UPTIME: i64 = 1000;

/// 1234 days, 5 hours, 43 minutes and 21.987 seconds: all parts of the date change, to one that is
/// still to come, because tests are not run in the past.
const LATER: i64 = (((1234 * 24 + 5) * 60 + 43) * 60 + 21) * 1000 + 987;

impl PinnedValues {
    fn with(self, pins: Pins) -> Self {
        let Pins::Other(number) = pins else { return self };
        let number = i64::from(number) + 1;
        Self {
            clock: self.clock.wrapping_add(LATER * number),
            uptime: self.uptime.wrapping_add(LATER * number),
            seed: scattered(self.seed, number),
        }
    }
}

/// A seed that has nothing in common with another: generators with similar seeds begin with similar
/// numbers. This is the finaliser of SplitMix64.
fn scattered(seed: i64, number: i64) -> i64 {
    let mixed = seed.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed()));
    let mixed = mixed.cast_unsigned();
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (mixed ^ mixed >> 31).cast_signed()
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_pins_differ_from_the_usual_ones_and_from_each_other() {
        let usual = PinnedValues { clock: 1_750_000_000_000, uptime: UPTIME, seed: 0x5DEE_CE66 };
        assert_eq!(usual.with(Pins::Usual), usual);
        let mut all: Vec<_> = (0..=u8::MAX).map(|it| usual.with(Pins::Other(it))).collect();
        assert!(all.iter().all(|it| it.clock > usual.clock && it.uptime > usual.uptime));
        all.push(usual);
        for part in [|it: &PinnedValues| it.clock, |it: &PinnedValues| it.uptime, |it: &PinnedValues| it.seed]
        {
            let mut parts: Vec<i64> = all.iter().map(part).collect();
            parts.sort_unstable();
            parts.dedup();
            assert_eq!(parts.len(), all.len());
        }
    }
}
