//! Digests of the tests that equal seeds make, while the workshop is taken apart.

use crashback_testcase::workshop::{Lesson, ReceiverOrigin, Scalar, Step, TargetCall, TargetCalls, Workshop};
use crashback_testcase::{Random, Statement, TestCase};

use crate::support::WORLD;
use crate::workshop::{TARGETS, ask_all, miss, workshop};

#[test]
fn digests() {
    let mut all = String::new();
    for (seed, target) in (0..).zip(TARGETS) {
        let mut digest = Digest::default();
        follow(target, seed, false, &mut digest);
        let plain = digest.0;
        let mut digest = Digest::default();
        follow(target, seed, true, &mut digest);
        all += &format!("{plain:016x} {:016x} {target}\n", digest.0);
    }
    let mut digest = Digest::default();
    continued(&mut digest);
    all += &format!("{:016x} continued\n", digest.0);
    let mut digest = Digest::default();
    kept(&mut digest);
    all += &format!("{:016x} kept\n", digest.0);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/digests.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(file, &all).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), all);
}

struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    fn text(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn test(&mut self, test: &TestCase, workshop: &Workshop<'_>) {
        self.text(&test.display(workshop.vocabulary()).to_string());
    }
}

/// A population that lives for some rounds, told of made-up runs or not.
fn follow(target: &str, seed: u64, learns: bool, digest: &mut Digest) {
    let mut workshop = workshop(target);
    let mut random = Random::new(seed);
    let mut population: Vec<TestCase> =
        (0..20).map(|number| workshop.random(f64::from(number) / 20.0, &mut random).expect(target)).collect();
    for round in 0..250 {
        let (a, b) = (random.place(population.len()), random.place(population.len()));
        let (one, other) = workshop.cross_over(&population[a], &population[b], &mut random);
        let mutant = workshop.mutate(&one, &mut random);
        for test in [&one, &other, &mutant] {
            digest.test(test, &workshop);
        }
        if learns {
            learn(&mut workshop, &mutant, round, &mut random);
            digest.test(&workshop.with_exception_getters(&mutant, round), &workshop);
        }
        if round % 25 == 0 {
            for test in workshop.simpler(&mutant) {
                digest.test(&test, &workshop);
            }
            for test in workshop.without_nulls(&mutant, &mut random) {
                digest.test(&test, &workshop);
            }
            for test in workshop.without_mocks(&mutant, &mut random) {
                digest.test(&test, &workshop);
            }
            for test in workshop.with_single_exception_getters(&mutant) {
                digest.test(&test, &workshop);
            }
        }
        digest.text(&format!("{}", workshop.precedes_initialisers(&mutant)));
        if let Some(continued) = workshop.continued(&mutant, &mut random) {
            digest.test(&continued, &workshop);
        }
        if let Some(new) = workshop.random(0.3, &mut random) {
            digest.test(&new, &workshop);
        }
        population[a] = mutant;
        population[b] = other;
    }
    digest.text(&format!("{:?} {:?}", random.bits(), workshop.unavailable().values()));
}

/// What an evaluator might tell.
fn learn(workshop: &mut Workshop<'_>, test: &TestCase, round: usize, random: &mut Random) {
    ask_all(workshop, test);
    let end = random.place(test.statements().len());
    if random.one_in(4) {
        workshop.learn(Lesson::Wasted { test, statement: end });
    } else {
        workshop.learn(Lesson::Completed { test, completed: end, nulls: random.bits() });
    }
    if round == 60 {
        miss(workshop, "away/Away.shared", &|_| Vec::new());
    }
    if round == 90 {
        miss(workshop, "home/Home.nothing", &|_| Vec::new());
    }
    if round == 120 {
        let gc = crate::workshop::preparation("java/lang/System.gc()V", None);
        miss(workshop, "home/Home.other", &|_| vec![gc.clone()]);
    }
    if round % 20 == 0 {
        let number = i64::from(random.below(50));
        let text: crashback_testcase::Text = format!("word{number}").as_str().into();
        compare(workshop, Scalar::Integer(7), Scalar::Integer(number));
        compare(workshop, Scalar::Text("key".into()), Scalar::Text(text));
    }
}

fn compare(workshop: &mut Workshop<'_>, left: Scalar, right: Scalar) {
    workshop.learn(Lesson::Compared(left, right));
}

/// Tests for one target that go on to another, in another package, with objects of lower frames.
fn continued(digest: &mut Digest) {
    let first = "home/Component.run(Lhome/Component$Store;Ljava/lang/String;)I";
    let mut workshop = workshop(first);
    let mut random = Random::new(77);
    let lower: Vec<TestCase> = (0..40).filter_map(|_| workshop.random(0.5, &mut random)).collect();
    for (package, target, recurses) in [
        ("home", "home/Keeper.run(Ljava/lang/String;)Ljava/util/concurrent/Future;", false),
        ("away", "java/util/ArrayList.addAll(ILjava/util/Collection;)Z", false),
        ("home", first, true),
        ("home", "java/util/EnumMap.<init>(Ljava/util/Map;)V", false),
    ] {
        let context = WORLD.context();
        let vocabulary = workshop.vocabulary_mut();
        let method = vocabulary.find_method(context.hierarchy(), target).unwrap();
        let step = if target.contains("<init>") { Step::Construct(method) } else { Step::Call(method) };
        let other = vocabulary
            .find_method(context.hierarchy(), "java/util/ArrayList.remove(I)Ljava/lang/Object;")
            .unwrap();
        let lower_receivers = ["home/Component", "home/Home", "java/util/ArrayList"]
            .map(|it| vocabulary.add_type(crashback_testcase::Type::of_class(it)))
            .to_vec();
        let arguments = vec![vec![], vec![crashback_testcase::Literal::Text("known".into())]];
        let (receivers, origins, parameters) = (vec![lower_receivers[0]], Vec::new(), Vec::new());
        let receivers = if target.contains("Component") { receivers } else { Vec::new() };
        let has_text = target == first;
        let arguments = if has_text { arguments } else { Vec::new() };
        let call = TargetCall { step, receivers, origins, parameters, arguments, weight: 3 };
        let second = TargetCall {
            step: Step::Call(other),
            receivers: Vec::new(),
            origins: Vec::new(),
            parameters: Vec::new(),
            arguments: Vec::new(),
            weight: 1,
        };
        workshop.set_target(
            package,
            TargetCalls { calls: vec![call, second], lower_receivers, frames: 1, recurses },
        );
        let mut tests: Vec<TestCase> =
            lower.iter().filter_map(|it| workshop.continued(it, &mut random)).collect();
        tests.extend((0..40).filter_map(|_| workshop.random(0.5, &mut random)));
        for (turn, test) in tests.iter().enumerate() {
            digest.test(test, &workshop);
            let mut mutant = workshop.mutate(test, &mut random);
            for _ in 0..10 {
                mutant = workshop.mutate(&mutant, &mut random);
                digest.test(&mutant, &workshop);
            }
            learn(&mut workshop, &mutant, turn, &mut random);
            digest.test(&workshop.with_exception_getters(test, turn), &workshop);
        }
    }
    digest.text(&format!("{:?}", random.bits()));
}

/// Receivers that a mock keeps.
fn kept(digest: &mut Digest) {
    let target = "java/lang/Runnable.run()V";
    let mut workshop = workshop(target);
    let context = WORLD.context();
    let vocabulary = workshop.vocabulary_mut();
    let mut find = |text: &str| vocabulary.find_method(context.hierarchy(), text).unwrap();
    let by = find("home/Component.run(Lhome/Component$Store;Ljava/lang/String;)I");
    let method = find("home/Component$Store.later(Ljava/lang/Runnable;)V");
    let step = Step::Call(find(target));
    let mock = vocabulary.add_mock_of(context, "home/Component$Store", false).unwrap();
    let origins = vec![ReceiverOrigin::Argument { by: Step::Call(by), mock, method, parameter: 0 }];
    let (receivers, parameters, arguments) = (Vec::new(), Vec::new(), Vec::new());
    let call = TargetCall { step, receivers, origins, parameters, arguments, weight: 1 };
    workshop
        .set_target("home", TargetCalls { calls: vec![call], frames: usize::MAX, ..TargetCalls::default() });
    let mut random = Random::new(3);
    for _ in 0..100 {
        let mut test = workshop.random(0.5, &mut random).unwrap();
        for _ in 0..10 {
            test = workshop.mutate(&test, &mut random);
            digest.test(&test, &workshop);
            if let Some(Statement::Mock(_)) = test.statements().first() {
                ask_all(&mut workshop, &test);
            }
        }
    }
    digest.text(&format!("{:?}", random.bits()));
}
