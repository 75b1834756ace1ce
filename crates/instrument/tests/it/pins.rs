//! Redirected calls of clocks and random numbers.

use std::ffi::OsStr;

use crashback_instrument::{Kinds, PinMethod, ProbePlan, Redirection, instrument, redirects};

use crate::behaviour::run;
use crate::linking::link;
use crate::support::{Classes, compile, java, jdk_homes, write_classes};

/// Counts calls. Everything happens on the first day of 2001.
const PINS: &str = "package crashback.runtime;
    import java.time.*;
    import java.util.*;
    public class Pins {
        public static int calls;
        static final long NOW = 978350400123L;
        public static long currentTimeMillis() { calls++; return NOW; }
        public static long nanoTime() { calls++; return 5; }
        public static double random() { calls++; return 0.25; }
        public static long seed() { calls++; return 42; }
        public static Random generator() { calls++; return new Random(7); }
        public static UUID randomUUID() { calls++; return new UUID(1, 2); }
        public static Clock clock() { return clock(ZoneOffset.UTC); }
        public static Clock clockUtc() { return clock(ZoneOffset.UTC); }
        public static Clock clock(ZoneId zone) { calls++; return Clock.fixed(Instant.ofEpochMilli(NOW), zone); }
        public static Calendar calendar() { return set(Calendar.getInstance()); }
        public static Calendar calendar(TimeZone zone) { return set(Calendar.getInstance(zone)); }
        public static Calendar calendar(Locale locale) { return set(Calendar.getInstance(locale)); }
        public static Calendar calendar(TimeZone zone, Locale locale) { return set(Calendar.getInstance(zone, locale)); }
        public static void setTime(Calendar calendar) { set(calendar); }
        private static Calendar set(Calendar calendar) { calls++; calendar.setTimeInMillis(NOW); return calendar; }
    }";

/// Each line names a redirected call, and prints what does not depend on when or how often it runs
/// once it is redirected.
const SUBJECT: &str = "import java.time.*;
    import java.util.*;
    public class Main {
        static class OwnRandom extends Random { OwnRandom() { super(); } OwnRandom(int rounds) { this(); while (rounds-- > 0) nextInt(); } }
        static class OwnDate extends Date { }
        static class OwnCalendar extends GregorianCalendar {
            OwnCalendar(boolean plain) { super(plain ? TimeZone.getTimeZone(\"UTC\") : null, Locale.ROOT); }
            OwnCalendar(Locale locale) { super(locale); }
            OwnCalendar() { }
        }
        static void print(Object... values) { System.out.println(Arrays.deepToString(values)); }
        public static void main(String[] arguments) {
            TimeZone.setDefault(TimeZone.getTimeZone(\"UTC\"));
            TimeZone there = TimeZone.getTimeZone(\"GMT+5\");
            ZoneId here = ZoneOffset.ofHours(-3);
            print(System.currentTimeMillis(), System.nanoTime(), Math.random(), StrictMath.random());
            print(new Random().nextInt(), new OwnRandom().nextInt(), new OwnRandom(3).nextInt(), new SplittableRandom().nextInt());
            List<Integer> list = new ArrayList<>(Arrays.asList(1, 2, 3, 4, 5, 6, 7));
            Collections.shuffle(list);
            print(list, UUID.randomUUID());
            print(new Date().getTime(), new OwnDate().getTime());
            print(Clock.systemUTC(), Clock.systemDefaultZone(), Clock.system(here));
            print(Instant.now(), LocalDate.now(), LocalDate.now(here), LocalTime.now(), LocalTime.now(here));
            print(LocalDateTime.now(), LocalDateTime.now(here), ZonedDateTime.now(), ZonedDateTime.now(here));
            print(OffsetDateTime.now(), OffsetDateTime.now(here), OffsetTime.now(), OffsetTime.now(here));
            print(Year.now(), Year.now(here), YearMonth.now(), YearMonth.now(here), MonthDay.now(), MonthDay.now(here));
            Calendar[] calendars = {
                Calendar.getInstance(), Calendar.getInstance(there), Calendar.getInstance(Locale.FRANCE),
                Calendar.getInstance(there, Locale.FRANCE),
                GregorianCalendar.getInstance(), GregorianCalendar.getInstance(there),
                GregorianCalendar.getInstance(Locale.FRANCE), GregorianCalendar.getInstance(there, Locale.FRANCE),
                new GregorianCalendar(), new GregorianCalendar(there), new GregorianCalendar(Locale.FRANCE),
                new GregorianCalendar(there, Locale.FRANCE), new OwnCalendar(true), new OwnCalendar(Locale.FRANCE), new OwnCalendar(),
            };
            for (Calendar it : calendars) print(it.getTimeInMillis(), it.getTimeZone().getID(), it.getFirstDayOfWeek());
            System.out.println(calls());
        }
        static String calls() {
            try { return Class.forName(\"crashback.runtime.Pins\").getField(\"calls\").get(null) + \" calls\"; }
            catch (ReflectiveOperationException none) { return \"no pins\"; }
        }
    }";

fn pinned(classes: &Classes) -> Classes {
    let plan = ProbePlan::everywhere(Kinds::PINS);
    let change = |bytes: &Vec<u8>| {
        let result = instrument(bytes, &plan, &mut |_| 7).unwrap();
        assert_eq!(result.untouched, []);
        result.bytes.unwrap_or_else(|| bytes.clone())
    };
    classes.iter().map(|(name, bytes)| (name.clone(), change(bytes))).collect()
}

#[test]
fn clocks_and_random_numbers_come_from_the_runtime() {
    for home in jdk_homes() {
        let classes = compile(&home, &[("Main.java", SUBJECT)], &[]);
        let mut with_pins = pinned(&classes);
        let verdict = link(&home, &classes, &with_pins);
        assert!(verdict.failures.is_empty(), "{:#?}", verdict.failures);
        with_pins.append(&mut compile(&home, &[("Pins.java", PINS)], &[]));
        let output = run(&home, "Main", &with_pins);
        let lines: Vec<_> = output.lines().collect();
        assert_eq!(lines[0], "[978350400123, 5, 0.25, 0.25]");
        // As `new Random(42)` and `new SplittableRandom(42)` begin, with three numbers passed over
        // once.
        assert!(lines[1].starts_with("[-1170105035, -1170105035, 205897768, "), "{}", lines[1]);
        assert_eq!(lines[3], "[978350400123, 978350400123]");
        assert_eq!(
            lines[5],
            "[2001-01-01T12:00:00.123Z, 2001-01-01, 2001-01-01, 12:00:00.123, 09:00:00.123]"
        );
        assert!(lines[8].starts_with("[2001, 2001, 2001-01, 2001-01, --01-01, --01-01]"));
        assert_eq!(lines[9..24].iter().filter(|line| line.starts_with("[978350400123, ")).count(), 15);
        assert_eq!(lines.last(), Some(&"49 calls"));
        // Time zones and locales come through: the lines differ from those of the plain run in the
        // time alone.
        let plain = run(&home, "Main", &classes);
        let tail = |line: &str| line.split_once(", ").unwrap().1.to_owned();
        let plain: Vec<_> = plain.lines().skip(9).take(15).map(tail).collect();
        assert_eq!(lines[9..24].iter().map(|line| tail(line)).collect::<Vec<_>>(), plain);
        assert_eq!(run(&home, "Main", &with_pins), output);
    }
}

/// A reference to a method is no call.
#[test]
fn method_references_stay_free() {
    let source = "class Free { java.util.function.LongSupplier now = System::nanoTime; }";
    let classes = compile(&jdk_homes()[0], &[("Free.java", source)], &[]);
    assert_eq!(
        instrument(&classes["Free"], &ProbePlan::everywhere(Kinds::PINS), &mut |_| 7).unwrap().bytes,
        None
    );
}

/// Every member of the table exists, and so does what it is redirected to.
#[test]
fn redirected_members_exist() {
    let source = "import java.lang.invoke.*;
        public class Find {
            public static void main(String[] members) throws Exception {
                for (int i = 0; i < members.length; i += 3) {
                    Class<?> owner = Class.forName(members[i].replace('/', '.'));
                    MethodType type = MethodType.fromMethodDescriptorString(members[i + 2], Find.class.getClassLoader());
                    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
                    if (members[i + 1].equals(\"<init>\")) lookup.findConstructor(owner, type);
                    else lookup.findStatic(owner, members[i + 1], type);
                }
                System.out.println(members.length / 3);
            }
        }";
    let mut members = Vec::new();
    for row in redirects() {
        members.extend([row.owner, row.name, row.descriptor]);
        if let Redirection::With(_, descriptor) = row.to {
            members.extend([row.owner, row.name, descriptor]);
        }
    }
    for method in PinMethod::ALL {
        members.extend([ProbePlan::PINS, method.name(), method.descriptor()]);
        let uses = redirects().filter(|row| match row.to {
            Redirection::Instead(it) | Redirection::With(it, _) | Redirection::Then(it) => it == *method,
        });
        assert!(uses.count() > 0, "{method:?}");
    }
    for home in jdk_homes() {
        let mut classes = compile(&home, &[("Find.java", source)], &[]);
        classes.append(&mut compile(&home, &[("Pins.java", PINS)], &[]));
        let folder = tempfile::tempdir().unwrap();
        write_classes(&classes, folder.path());
        let start = [OsStr::new("-cp"), folder.path().as_os_str(), OsStr::new("Find")];
        let arguments: Vec<_> = start.into_iter().chain(members.iter().map(OsStr::new)).collect();
        assert_eq!(java(&home, &arguments).trim(), (members.len() / 3).to_string());
    }
}
