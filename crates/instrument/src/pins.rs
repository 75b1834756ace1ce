//! Clock and random call sites that go to the runtime, so that a test does the same each time.
//!
//! Calls and constructor calls in program classes are redirected, `super()` of a class that extends
//! one of these included. What stays free: method references to these members, calls by reflection,
//! `ThreadLocalRandom`, `SecureRandom`, and what classes of the JDK ask for themselves.

use std::collections::BTreeMap;

use crashback_classfile::ConstantPool;

use crate::probes::runtime_methods;

runtime_methods! {
    /// A public static method of the class that the plan names as `pins`.
    PinMethod;
    /// Milliseconds since 1970.
    CurrentTimeMillis "currentTimeMillis" "()J";
    /// Nanoseconds from some moment.
    NanoTime "nanoTime" "()J";
    /// A number from 0 to below 1.
    Random "random" "()D";
    /// A seed for a generator.
    Seed "seed" "()J";
    /// A generator with a seed.
    Generator "generator" "()Ljava/util/Random;";
    /// A random UUID.
    RandomUuid "randomUUID" "()Ljava/util/UUID;";
    /// A clock in the default time zone.
    Clock "clock" "()Ljava/time/Clock;";
    /// A clock in UTC.
    ClockUtc "clockUtc" "()Ljava/time/Clock;";
    /// A clock in a time zone.
    ClockIn "clock" "(Ljava/time/ZoneId;)Ljava/time/Clock;";
    /// A calendar at the present time.
    Calendar "calendar" "()Ljava/util/Calendar;";
    /// A calendar for a time zone.
    CalendarInZone "calendar" "(Ljava/util/TimeZone;)Ljava/util/Calendar;";
    /// A calendar for a locale.
    CalendarForLocale "calendar" "(Ljava/util/Locale;)Ljava/util/Calendar;";
    /// A calendar for both.
    CalendarInZoneForLocale "calendar" "(Ljava/util/TimeZone;Ljava/util/Locale;)Ljava/util/Calendar;";
    /// Sets a calendar that was just made to the present time.
    SetTime "setTime" "(Ljava/util/Calendar;)V";
}

/// A member of the JDK whose calls are redirected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// Internal name of its class.
    pub owner: &'static str,
    /// Its name, `<init>` for constructors; all others are static.
    pub name: &'static str,
    /// Its descriptor.
    pub descriptor: &'static str,
    /// Where the call goes.
    pub to: Redirection,
}

/// Where a redirected call goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redirection {
    /// To a method with the same parameters and result.
    Instead(PinMethod),
    /// To the overload with this descriptor, the method's result being its last argument.
    /// Parameters of the method are the last arguments of the original call.
    With(PinMethod, &'static str),
    /// To the constructor as before, and then to the method with the new object.
    Then(PinMethod),
}

/// All members whose calls are redirected.
pub fn redirects() -> impl Iterator<Item = &'static Redirect> {
    REDIRECTS.iter().copied().flatten()
}

/// The entries of a constant pool that name redirected members.
pub(crate) fn redirected(pool: &ConstantPool<'_>) -> BTreeMap<u16, &'static Redirect> {
    let all = (1..pool.count()).filter_map(|index| {
        let member = pool.method_ref(index).ok().filter(|it| it.owner.as_bytes().starts_with(b"java/"))?;
        let row = redirects().find(|row| {
            member.owner == row.owner && member.name == row.name && member.descriptor == row.descriptor
        })?;
        Some((index, row))
    });
    all.collect()
}

const fn redirect(
    owner: &'static str,
    name: &'static str,
    descriptor: &'static str,
    to: Redirection,
) -> Redirect {
    Redirect { owner, name, descriptor, to }
}

/// Two rows for a class of `java.time`: now, and now in a time zone.
macro_rules! now {
    ($($class:ident)*) => {
        [$(
            redirect(
                concat!("java/time/", stringify!($class)),
                "now",
                concat!("()Ljava/time/", stringify!($class), ";"),
                Redirection::With(
                    PinMethod::Clock,
                    concat!("(Ljava/time/Clock;)Ljava/time/", stringify!($class), ";"),
                ),
            ),
            redirect(
                concat!("java/time/", stringify!($class)),
                "now",
                concat!("(Ljava/time/ZoneId;)Ljava/time/", stringify!($class), ";"),
                Redirection::With(
                    PinMethod::ClockIn,
                    concat!("(Ljava/time/Clock;)Ljava/time/", stringify!($class), ";"),
                ),
            ),
        )*]
    };
}

/// Members of one descriptor with and without a time zone and a locale.
macro_rules! calendars {
    ($owner:literal $name:literal $result:literal $none:expr, $zone:expr, $locale:expr, $both:expr) => {
        [
            redirect($owner, $name, concat!("()", $result), $none),
            redirect($owner, $name, concat!("(Ljava/util/TimeZone;)", $result), $zone),
            redirect($owner, $name, concat!("(Ljava/util/Locale;)", $result), $locale),
            redirect($owner, $name, concat!("(Ljava/util/TimeZone;Ljava/util/Locale;)", $result), $both),
        ]
    };
}

const REDIRECTS: &[&[Redirect]] = {
    use PinMethod as To;
    use Redirection::{Instead, Then, With};
    &[
        &[
            redirect("java/lang/System", "currentTimeMillis", "()J", Instead(To::CurrentTimeMillis)),
            redirect("java/lang/System", "nanoTime", "()J", Instead(To::NanoTime)),
            redirect("java/lang/Math", "random", "()D", Instead(To::Random)),
            redirect("java/lang/StrictMath", "random", "()D", Instead(To::Random)),
            redirect("java/util/Random", "<init>", "()V", With(To::Seed, "(J)V")),
            redirect("java/util/SplittableRandom", "<init>", "()V", With(To::Seed, "(J)V")),
            redirect(
                "java/util/Collections",
                "shuffle",
                "(Ljava/util/List;)V",
                With(To::Generator, "(Ljava/util/List;Ljava/util/Random;)V"),
            ),
            redirect("java/util/UUID", "randomUUID", "()Ljava/util/UUID;", Instead(To::RandomUuid)),
            redirect("java/util/Date", "<init>", "()V", With(To::CurrentTimeMillis, "(J)V")),
            redirect("java/time/Clock", "systemUTC", "()Ljava/time/Clock;", Instead(To::ClockUtc)),
            redirect("java/time/Clock", "systemDefaultZone", "()Ljava/time/Clock;", Instead(To::Clock)),
            redirect(
                "java/time/Clock",
                "system",
                "(Ljava/time/ZoneId;)Ljava/time/Clock;",
                Instead(To::ClockIn),
            ),
            redirect(
                "java/time/Instant",
                "now",
                "()Ljava/time/Instant;",
                With(To::ClockUtc, "(Ljava/time/Clock;)Ljava/time/Instant;"),
            ),
        ],
        &now!(
            LocalDate LocalTime LocalDateTime ZonedDateTime OffsetDateTime OffsetTime Year YearMonth
            MonthDay
        ),
        &calendars!("java/util/Calendar" "getInstance" "Ljava/util/Calendar;"
            Instead(To::Calendar), Instead(To::CalendarInZone), Instead(To::CalendarForLocale),
            Instead(To::CalendarInZoneForLocale)),
        &calendars!("java/util/GregorianCalendar" "getInstance" "Ljava/util/Calendar;"
            Instead(To::Calendar), Instead(To::CalendarInZone), Instead(To::CalendarForLocale),
            Instead(To::CalendarInZoneForLocale)),
        &calendars!("java/util/GregorianCalendar" "<init>" "V"
            Then(To::SetTime), Then(To::SetTime), Then(To::SetTime), Then(To::SetTime)),
    ]
};
