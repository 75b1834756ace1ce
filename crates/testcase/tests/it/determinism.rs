//! Equal seeds make equal tests, whatever operators are used and whatever is learnt.

use crashback_testcase::workshop::{Lesson, Scalar, Step, TargetCall, TargetCalls, Workshop};
use crashback_testcase::{Random, TestCase};

use crate::support::WORLD;
use crate::workshop::{TARGETS, ask_all, miss, workshop};

/// Targets whose tests use most of what there is.
const SOME: [usize; 4] = [1, 6, 10, 12];

#[test]
fn equal_seeds_make_equal_tests() {
    for target in SOME.map(|it| TARGETS[it]) {
        assert_eq!(follow(target, 1), follow(target, 1), "{target}");
        assert_ne!(follow(target, 1), follow(target, 2), "{target}");
    }
}

#[test]
fn equal_seeds_continue_tests_equally() {
    assert_eq!(continued(), continued());
}

/// Texts of tests.
#[derive(Default, PartialEq, Eq, Debug)]
struct Record(Vec<String>);

impl Record {
    fn test(&mut self, test: &TestCase, workshop: &Workshop<'_>) {
        self.0.push(test.display(workshop.vocabulary()).to_string());
    }

    fn tests(&mut self, tests: Vec<TestCase>, workshop: &Workshop<'_>) {
        tests.iter().for_each(|it| self.test(it, workshop));
    }
}

/// The tests of a population that lives for some rounds and learns from made-up runs.
fn follow(target: &str, seed: u64) -> Record {
    let (mut workshop, mut random, mut record) = (workshop(target), Random::new(seed), Record::default());
    let mut population: Vec<TestCase> =
        (0..20).map(|number| workshop.random(f64::from(number) / 20.0, &mut random).expect(target)).collect();
    for round in 0..130 {
        let (a, b) = (random.place(population.len()), random.place(population.len()));
        let (one, other) = workshop.cross_over(&population[a], &population[b], &mut random);
        let mutant = workshop.mutate(&one, &mut random);
        [&one, &other, &mutant].into_iter().for_each(|it| record.test(it, &workshop));
        learn(&mut workshop, &mutant, round, &mut random);
        record.test(&workshop.with_exception_getters(&mutant, round), &workshop);
        if round % 25 == 0 {
            record.tests(workshop.simpler(&mutant), &workshop);
            record.tests(workshop.without_nulls(&mutant, &mut random), &workshop);
            record.tests(workshop.without_mocks(&mutant, &mut random), &workshop);
            record.tests(workshop.with_single_exception_getters(&mutant), &workshop);
        }
        record.0.push(workshop.precedes_initialisers(&mutant).to_string());
        record.tests(workshop.continued(&mutant, &mut random).into_iter().collect(), &workshop);
        (population[a], population[b]) = (mutant, other);
    }
    record
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
    if round.is_multiple_of(20) {
        let number = i64::from(random.below(50));
        let text: crashback_testcase::Text = format!("word{number}").as_str().into();
        workshop.learn(Lesson::Compared(Scalar::Integer(7), Scalar::Integer(number)));
        workshop.learn(Lesson::Compared(Scalar::Text("key".into()), Scalar::Text(text)));
    }
}

/// Tests for one target that go on to another, in another package, with objects of lower frames.
fn continued() -> Record {
    let mut record = Record::default();
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
            record.test(test, &workshop);
            let mut mutant = workshop.mutate(test, &mut random);
            for _ in 0..10 {
                mutant = workshop.mutate(&mutant, &mut random);
                record.test(&mutant, &workshop);
            }
            learn(&mut workshop, &mutant, turn, &mut random);
            record.test(&workshop.with_exception_getters(test, turn), &workshop);
        }
    }
    record
}
