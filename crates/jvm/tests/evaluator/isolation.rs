//! What tests must not notice of each other, and of the machine.

use std::time::Duration;

use crashback_protocol::{Evaluator as _, Isolation, Outcome, Pins};
use crashback_testcase::{Literal, Statement, TestCase, Var};

use crate::support::{Bench, jdk_homes, thrown};

fn stateful(bench: &mut Bench) -> Vec<TestCase> {
    let text = |text: &str| Literal::Text(text.into());
    vec![
        bench.call("subject/Stateful.all(Ljava/lang/String;)V", &[text("one")]),
        bench.call("subject/Stateful.all(Ljava/lang/String;)V", &[text("two")]),
        bench.call("subject/Stateful.other()V", &[]),
        bench.call("subject/Stateful.inherited()V", &[]),
        bench.call("subject/Stateful.ofEnum()V", &[]),
        bench.call("subject/Stateful.ofInterface()V", &[]),
        bench.call("subject/Stateful.registry()V", &[]),
        bench.call(
            "subject/Stateful.identity(Ljava/lang/String;Ljava/lang/String;)V",
            &[text("constant"), text("constant")],
        ),
        bench.call(
            "subject/Stateful.identity(Ljava/lang/String;Ljava/lang/String;)V",
            &[text("other"), text("other")],
        ),
    ]
}

/// The same tests over and over, in any order: each time the same observations.
#[test]
fn static_state_is_as_at_the_beginning_for_every_test() {
    let expected = [
        "java.lang.IllegalStateException: 1 11 [one] 2 2 one",
        "java.lang.IllegalStateException: 1 11 [two] 2 2 two",
        "java.lang.IllegalStateException: 6",
        "java.lang.IllegalStateException: 7",
        "java.lang.IllegalStateException: 0 1",
        "java.lang.IllegalStateException: 1",
        "java.lang.IllegalStateException: [plugin]",
        "java.lang.IllegalStateException: true true",
        "java.lang.IllegalStateException: false true",
    ];
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let tests = stateful(&mut bench);
        let mut pool = bench.pool(1);
        for isolation in [Isolation::Reset, Isolation::Reset, Isolation::FreshLoader] {
            let results = bench.run_isolated(&mut pool, &tests, isolation);
            let found: Vec<_> = results.observations.iter().map(thrown).collect();
            assert_eq!(found, expected, "{isolation:?} on {}", home.display());
            let backwards: Vec<_> = tests.iter().rev().cloned().collect();
            let results = bench.run_isolated(&mut pool, &backwards, isolation);
            let found: Vec<_> = results.observations.iter().rev().map(thrown).collect();
            assert_eq!(found, expected, "backwards, {isolation:?} on {}", home.display());
        }
    }
}

/// What tests leave where that is allowed is undone before others.
#[test]
fn tests_that_are_kept_apart_see_nothing_of_those_that_are_not() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let tests = stateful(&mut bench);
        let expected = bench.run(&mut bench.pool(1), &tests);
        let mut pool = bench.pool(1);
        for _ in 0..2 {
            bench.run_isolated(&mut pool, &tests, Isolation::Bounded);
            assert_eq!(bench.run(&mut pool, &tests), expected, "on {}", home.display());
        }
    }
}

/// Tests of an enum's state ask for another loader, and take next to no time themselves: the loaders wait
/// until the tests have taken several times as long.
#[test]
fn loaders_that_cost_more_than_the_tests_are_put_off() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let tests = vec![bench.call("subject/Stateful.ofEnum()V", &[]); 40];
        let [strict, bounded] = [Isolation::Reset, Isolation::Bounded].map(|isolation| {
            let mut pool = bench.pool(1);
            bench.run_isolated(&mut pool, &tests, isolation);
            pool.usage().spent.loaders
        });
        assert!(bounded < strict, "{bounded} and {strict} loaders on {}", home.display());
    }
}

/// Also for the first test of a batch, whatever ran in the worker before.
#[test]
fn a_fresh_loader_has_initialised_nothing() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let mut set = |text: &str| {
            bench.call("subject/Waiting.set(Ljava/lang/String;)V", &[Literal::Text(text.into())])
        };
        let tests = [set("one"), set("two")];
        let mut pool = bench.pool(1);
        bench.run(&mut pool, &tests);
        let backwards = [tests[1].clone(), tests[0].clone()];
        let results = bench.run_isolated(&mut pool, &backwards, Isolation::FreshLoader);
        let found: Vec<_> = results.observations.iter().map(thrown).collect();
        let expected = ["java.lang.IllegalStateException: two", "java.lang.IllegalStateException: one"];
        assert_eq!(found, expected, "on {}", home.display());
    }
}

/// What tests do to a fresh copy of the program is not seen by those that share the usual one, which
/// is as it was; and the account tells how many copies there were.
#[test]
fn fresh_loaders_leave_the_usual_one_as_it_is() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let mut set = |text: &str| {
            bench.call("subject/Waiting.set(Ljava/lang/String;)V", &[Literal::Text(text.into())])
        };
        let tests = [set("one"), set("two"), set("three")];
        let mut pool = bench.pool(1);
        bench.run(&mut pool, &tests);
        let before = bench.run(&mut pool, &tests);
        let loaders = pool.usage().spent.loaders;
        bench.run_isolated(&mut pool, &tests, Isolation::FreshLoader);
        let usage = pool.usage();
        assert_eq!(usage.spent.loaders - loaders, 3, "one for each test");
        let spent = usage.spent;
        assert!(spent.load > Duration::ZERO && spent.run > Duration::ZERO, "{usage:?}");
        assert!(spent.fresh > Duration::ZERO, "{usage:?}");
        assert!(usage.starting > Duration::ZERO, "{usage:?}");
        assert!(bench.run(&mut pool, &tests) == before, "on {}", home.display());
        assert_eq!(pool.usage().spent.loaders - loaders, 3, "the usual one was still there");
    }
}

#[test]
fn every_test_has_an_empty_folder() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let fill = bench.call("subject/Files.fill(Ljava/io/File;)V", &[Literal::Folder]);
        let replace = bench.call("subject/Files.replace(Ljava/io/File;)V", &[Literal::Folder]);
        let tests = [fill.clone(), fill.clone(), replace, fill];
        let results = bench.run(&mut bench.pool(1), &tests);
        let found: Vec<_> = results.observations.iter().map(thrown).collect();
        let empty = "java.lang.IllegalStateException: folder true []";
        let replaced = "java.lang.IllegalStateException: true true";
        assert_eq!(found, [empty, empty, replaced, empty], "on {}", home.display());
    }
}

/// Where much is initialised, static fields still are what they were, though objects that they hold
/// may not be.
#[test]
fn static_fields_of_a_large_program_are_as_at_the_beginning() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let change = bench.call("subject/Large.change(I)V", &[Literal::Int(5)]);
        let tests = vec![change; 6];
        let results = bench.run(&mut bench.pool(1), &tests);
        for found in results.observations.iter().map(thrown) {
            assert_eq!(found, "java.lang.IllegalStateException: 105 [null, new] 2", "on {}", home.display());
        }
    }
}

/// A JVM that checks every use of JNI ends the process at a wrong one, which would show as a dead
/// worker.
#[test]
fn the_jvm_finds_no_fault_with_the_use_of_jni() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let tests = stateful(&mut bench);
        let expected = bench.run(&mut bench.pool(1), &tests);
        bench.options = vec!["-Xcheck:jni".to_owned()];
        let mut pool = bench.pool(1);
        assert_eq!(bench.run(&mut pool, &tests), expected, "on {}", home.display());
        assert_eq!(pool.handle().statistics().died, 0, "on {}", home.display());
    }
}

/// In two workers and two pools, on a subject made of chance.
#[test]
fn chance_is_the_same_everywhere() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let tests = vec![bench.call("subject/Chance.all()V", &[]); 600];
        let first = bench.run(&mut bench.pool(2), &tests);
        let second = bench.run(&mut bench.pool(1), &tests);
        assert_eq!(first, second, "on {}", home.display());
        let one = thrown(&first.observations[0]);
        assert!(first.observations.iter().all(|it| thrown(it) == one), "on {}", home.display());
    }
}

/// Also where a test asks clocks and generators itself.
#[test]
fn tests_that_ask_the_jdk_for_the_time_get_the_pinned_one() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let mut statements = Vec::new();
        for (owner, name, parameters, result) in [
            ("java/lang/System", "currentTimeMillis", [].as_slice(), "J"),
            ("java/util/Date", "<init>", &[], "V"),
            ("java/util/Calendar", "getInstance", &[], "Ljava/util/Calendar;"),
            ("java/util/GregorianCalendar", "<init>", &[], "V"),
            ("java/util/Random", "<init>", &[], "V"),
            ("java/time/ZoneOffset", "of", &["Ljava/lang/String;"], "Ljava/time/ZoneOffset;"),
            ("java/time/LocalTime", "now", &["Ljava/time/ZoneId;"], "Ljava/time/LocalTime;"),
            ("java/time/Instant", "now", &[], "Ljava/time/Instant;"),
        ] {
            let method = bench.member(owner, name, parameters, result);
            if name == "of" {
                statements.push(Statement::Literal(Literal::Text("+02:00".into())));
            }
            let last = Var(u16::try_from(statements.len()).unwrap().saturating_sub(1));
            let arguments = parameters.iter().map(|_| last).collect();
            statements.push(match name {
                "<init>" => Statement::Construct { constructor: method, arguments },
                _ => Statement::Call { method, receiver: None, arguments },
            });
        }
        let tell = "subject/Chance.tell(JLjava/util/Date;Ljava/util/Calendar;Ljava/util/Calendar;\
                    Ljava/util/Random;Ljava/time/LocalTime;Ljava/time/Instant;)V";
        let arguments = [0, 1, 2, 3, 4, 7, 8].into_iter().map(Var).collect();
        statements.push(Statement::Call { method: bench.method(tell), receiver: None, arguments });
        let test = TestCase::new(statements);
        (bench.surroundings.clock, bench.surroundings.seed) = (1_600_000_000_000, 0);
        let found = bench.run(&mut bench.pool(1), &[test.clone(), test]);
        let expected = "java.lang.IllegalStateException: 1600000000000 1600000000001 1600000000002 \
                        1600000000003 -1155484576 14:26:40.004 2020-09-13T12:26:40.005Z";
        let found: Vec<_> = found.observations.iter().map(thrown).collect();
        assert_eq!(found, [expected, expected], "on {}", home.display());
    }
}

/// The check can fail: another seed and clock show.
#[test]
fn another_clock_and_seed_are_noticed() {
    let home = jdk_homes().remove(0);
    let mut bench = Bench::new(&home);
    let tests = [bench.call("subject/Chance.all()V", &[])];
    let first = bench.run(&mut bench.pool(1), &tests);
    bench.surroundings.clock += 1_000_000;
    bench.surroundings.seed += 1;
    let second = bench.run(&mut bench.pool(1), &tests);
    assert_ne!(thrown(&first.observations[0]), thrown(&second.observations[0]));
}

#[test]
fn a_worker_changes_its_pins_from_batch_to_batch() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let tests = [(); 2].map(|()| bench.call("subject/Chance.all()V", &[]));
        let mut pool = bench.pool(1);
        let usual = bench.run(&mut pool, &tests);
        let [one, other] = [1, 2].map(|it| bench.run_pinned(&mut pool, &tests, Pins::Other(it)));
        assert_eq!(bench.run(&mut pool, &tests), usual);
        assert_eq!(bench.run_pinned(&mut pool, &tests, Pins::Other(1)), one);
        let [usual, one, other] = [usual, one, other].map(|results| {
            let told: Vec<_> = results.observations.iter().map(thrown).collect();
            assert_eq!(told[0], told[1], "each test of a batch begins anew");
            told[0].clone()
        });
        assert!(usual != one && usual != other && one != other, "{usual}\n{one}\n{other}");
    }
}

#[test]
fn surroundings_are_restored_and_can_be_set() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let change = bench.call("subject/Leaving.change()V", &[]);
        let tell = bench.call("subject/Leaving.tell()V", &[]);
        let results = bench.run(&mut bench.pool(1), &[tell.clone(), change, tell.clone()]);
        assert_eq!(results.observations[1].outcome, Outcome::Returned);
        let expected = "java.lang.IllegalStateException: en_US UTC null null true main true false null UTF-8";
        assert_eq!(thrown(&results.observations[0]), expected);
        assert_eq!(thrown(&results.observations[2]), expected);

        bench.surroundings.locale = "de-DE".to_owned();
        bench.surroundings.zone = Some("Europe/Berlin".to_owned());
        bench.surroundings.encoding = "ISO-8859-1".to_owned();
        bench.surroundings.properties = vec![("leaving.changed".to_owned(), "set".to_owned())];
        let results = bench.run(&mut bench.pool(1), &[tell]);
        let expected = "java.lang.IllegalStateException: de_DE Europe/Berlin set null true main true false null ISO-8859-1";
        assert_eq!(thrown(&results.observations[0]), expected);
    }
}
