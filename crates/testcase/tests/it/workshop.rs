//! What operators make is valid and still leads into the target.

use std::collections::BTreeMap;

use crashback_testcase::workshop::{
    AnnotationType, CalledBack, Element, ElementKind, Expectation, Influence, Lesson, NestedParts, Pools,
    Preparation, ReceiverOrigin, Scalar, Spot, Step, Structure, TargetCall, TargetCalls, Tuning, Wanted,
    Workshop,
};
use crashback_testcase::{Kind, Literal, Places, Random, Statement, TestCase, Type, Var, Vocabulary, check};

use crate::support::WORLD;

/// Targets of all sorts: static, on an object, a constructor, an inner class, collections, arrays,
/// enums, functional interfaces, a component with what is injected into it.
pub(crate) const TARGETS: [&str; 13] = [
    "java/lang/Integer.parseInt(Ljava/lang/String;I)I",
    "java/util/ArrayList.addAll(ILjava/util/Collection;)Z",
    "java/util/Collections.sort(Ljava/util/List;Ljava/util/Comparator;)V",
    "java/util/Arrays.copyOfRange([Ljava/lang/Object;II)[Ljava/lang/Object;",
    "java/lang/StringBuilder.insert(I[CII)Ljava/lang/StringBuilder;",
    "java/util/EnumMap.<init>(Ljava/util/Map;)V",
    "java/text/SimpleDateFormat.<init>(Ljava/lang/String;Ljava/util/Locale;)V",
    "java/util/Optional.orElseThrow(Ljava/util/function/Supplier;)Ljava/lang/Object;",
    "java/lang/Class.cast(Ljava/lang/Object;)Ljava/lang/Object;",
    "java/awt/Point.translate(II)V",
    "home/Home$Inner.<init>(Lhome/Home;Ljava/lang/String;)V",
    "away/Away$Nested.<init>()V",
    "home/Component.run(Lhome/Component$Store;Ljava/lang/String;)I",
];

/// What is done to static state, and what is out of reach.
const PREPARATIONS: [(&str, Option<&str>); 5] = [
    ("java/util/Locale.setDefault(Ljava/util/Locale;)V", None),
    ("away/Away.shared:I", None),
    ("java/lang/Runtime.gc()V", Some("java/lang/Runtime.getRuntime()Ljava/lang/Runtime;")),
    ("java/util/Locale.initDefault()Ljava/util/Locale;", None),
    ("home/Nowhere.missing()V", None),
];

pub(crate) fn preparation(member: &str, source: Option<&str>) -> Preparation {
    let source = source.map(|it| it.parse().unwrap());
    let (arguments, precedes_initialiser) = (Vec::new(), member.contains("shared"));
    let provides = precedes_initialiser.then(|| "away/Away.shared".to_owned()).into_iter().collect();
    let member = member.parse().unwrap();
    Preparation { member, holder: source, arguments, weight: 1, provides, precedes_initialiser }
}

/// A workshop for tests that call a method or constructor.
pub(crate) fn workshop(target: &str) -> Workshop<'static> {
    tuned(
        target,
        &[("null-value", "0.1"), ("mock-of-interface", "0.1"), ("mock-of-class", "0.033333333333333333")],
    )
}

/// The same, with settings.
pub(crate) fn tuned(target: &str, settings: &[(&str, &str)]) -> Workshop<'static> {
    workshop_with(target, settings, |_| {}, |_, _| {})
}

/// The same, with other pools and another target.
pub(crate) fn workshop_with(
    target: &str,
    settings: &[(&str, &str)],
    change_pools: impl Fn(&mut Pools),
    change_target: impl Fn(&mut TargetCalls, &mut Vocabulary),
) -> Workshop<'static> {
    let context = WORLD.context();
    let mut vocabulary = Vocabulary::default();
    let method = vocabulary.find_method(context.hierarchy(), target).unwrap();
    let step = match vocabulary.method(method).unwrap().kind {
        Kind::Constructor => Step::Construct(method),
        _ => Step::Call(method),
    };
    let mut pools = pools();
    change_pools(&mut pools);
    let mut tuning = Tuning::default();
    for (name, value) in settings {
        tuning.set(name, value).unwrap();
    }
    let (receivers, origins, parameters) = (Vec::new(), Vec::new(), Vec::new());
    let call = TargetCall { step, receivers, origins, parameters, arguments: Vec::new(), weight: 1 };
    let mut target = TargetCalls { calls: vec![call], frames: usize::MAX, ..TargetCalls::default() };
    change_target(&mut target, &mut vocabulary);
    let mut workshop = Workshop::new(context, WORLD.origins(), vocabulary, pools, tuning);
    workshop.learn(Lesson::Compared(Scalar::Integer(7), Scalar::Integer(99)));
    workshop.set_target("home", target);
    workshop
}

/// Something of everything that a crash may offer.
fn pools() -> Pools {
    Pools {
        logged: vec![Scalar::Text("k=7".into()), Scalar::Integer(7), Scalar::Float(0.5)],
        integers: vec![7, 42, -1],
        floats: vec![2.5],
        texts: vec!["key".into(), "".into(), "x=1".into()],
        structures: vec![Structure::Xml, Structure::Json],
        types: vec!["java/util/TreeMap".into(), "home/Home".into(), "home/Home$Size".into()],
        mentioned: ["java/util/Collections".into(), "java/util/Locale".into()].into(),
        traced: vec![("home/Component".into(), "run".into())],
        preparations: PREPARATIONS.iter().map(|(member, source)| preparation(member, *source)).collect(),
        influential: [("java/util/ArrayList.clear()V".parse().unwrap(), Influence::Far)].into(),
        cast_classes: vec!["home/Component$Store".into(), "java/lang/String".into()],
        opens_files: true,
        is_small: true,
        expectations: expectations(),
        classes_of_kind: ["I", "[[D", "Ljava/lang/Thread$State;"].map(|it| Type(it.into())).to_vec(),
        methods_of_kind: vec!["java/lang/Runnable.run()V".parse().unwrap()],
        nested: Some(nested_parts()),
        called_back: vec![CalledBack { of: "java/lang/Runnable".into(), method: "run".into() }],
        ..Pools::default()
    }
}

/// An annotation with elements of all kinds.
pub(crate) fn nested_parts() -> NestedParts {
    let text = ElementKind::Plain(Type("Ljava/lang/String;".into()));
    let places = ElementKind::Array(Box::new(ElementKind::Plain(Type("I".into()))));
    let kind = ElementKind::Class(Some(Type("Ljava/lang/Number;".into())));
    let size = ElementKind::Constant(Type("Lhome/Home$Size;".into()), vec!["S".into()]);
    let kinds = [("name", text), ("places", places), ("kind", kind), ("size", size)];
    let elements =
        kinds.map(|(name, kind)| Element { name: name.into(), kind, is_required: name == "name" }).to_vec();
    let of = Type("Lhome/Marked;".into());
    let places = Places { types: true, fields: true, methods: true };
    let types = vec![Type("Lhome/Home;".into()), Type("Lgone/Gone;".into())];
    NestedParts { annotations: vec![AnnotationType { of, places, elements }], types }
}

/// Expectations of all kinds, at spots of methods that tests call often; some do not fit.
fn expectations() -> BTreeMap<Spot, Expectation> {
    let types = ["Ljava/util/TreeMap;", "Lhome/Component$Store;", "Ljava/lang/Integer;", "[I", "Lgone/Gone;"];
    let wanted = Wanted {
        types: types.map(|it| Type(it.into())).to_vec(),
        constants: vec!["java/lang/Boolean.TRUE:Ljava/lang/Boolean;".parse().unwrap()],
    };
    let expectation = Expectation {
        whole: wanted.clone(),
        element: wanted.clone(),
        key: wanted.clone(),
        value: wanted.clone(),
        entries: [("k".to_owned(), wanted)].into(),
    };
    let spots = [
        ("java/util/ArrayList.addAll(ILjava/util/Collection;)Z", 1),
        ("java/util/ArrayList.add(Ljava/lang/Object;)Z", 0),
        ("java/util/HashMap.<init>(Ljava/util/Map;)V", 0),
        ("java/util/Collection.add(Ljava/lang/Object;)Z", 0),
        ("java/util/ArrayList.<init>(Ljava/util/Collection;)V", 0),
    ];
    let spots = spots.map(|(method, number)| Spot::Parameter(method.parse().unwrap(), number));
    spots.into_iter().map(|it| (it, expectation.clone())).collect()
}

pub(crate) fn assert_fine(test: &TestCase, workshop: &Workshop<'_>, target: &str) {
    let text = test.display(workshop.vocabulary());
    assert_eq!(check(test, workshop.vocabulary(), &WORLD.context()), Ok(()), "{target}:\n{text}");
    let callee = match test.statements().last() {
        Some(Statement::Construct { constructor, .. }) => *constructor,
        Some(Statement::Call { method, .. }) => *method,
        other => panic!("{target} ends with {other:?}"),
    };
    let callee = workshop.vocabulary().method(callee).unwrap();
    let name = workshop.vocabulary().method_name(callee).unwrap().to_string();
    assert_eq!(name, target, "the last statement leads into the target:\n{text}");
}

/// How many statements of a test case have a line of their own; literals stand where they are used.
fn lines(test: &TestCase) -> usize {
    test.statements().iter().filter(|it| !matches!(it, Statement::Literal(_))).count()
}

#[test]
fn operators_keep_tests_valid_and_guided() {
    for (seed, target) in (0..).zip(TARGETS) {
        let mut workshop = workshop(target);
        let mut random = Random::new(seed);
        let mut population: Vec<TestCase> = (0..20)
            .map(|number| workshop.random(f64::from(number) / 20.0, &mut random).expect(target))
            .collect();
        for round in 0..600 {
            let (a, b) = (random.place(population.len()), random.place(population.len()));
            let (one, other) = workshop.cross_over(&population[a], &population[b], &mut random);
            let mutant = workshop.mutate(&one, &mut random);
            ask_all(&mut workshop, &mutant);
            for test in [&one, &other, &mutant] {
                assert_fine(test, &workshop, target);
            }
            let looking = workshop.with_exception_getters(&mutant, round);
            assert_eq!(check(&looking, workshop.vocabulary(), &WORLD.context()), Ok(()), "{target}");
            if round % 50 == 0 {
                for simpler in workshop.simpler(&mutant) {
                    assert_fine(&simpler, &workshop, target);
                    assert!(lines(&simpler) <= lines(&mutant));
                }
                for fuller in workshop.without_nulls(&mutant, &mut random) {
                    assert_fine(&fuller, &workshop, target);
                }
                for fuller in workshop.without_mocks(&mutant, &mut random) {
                    assert_fine(&fuller, &workshop, target);
                }
                let before: Vec<usize> = (0..mutant.statements().len() - 1).collect();
                let otherwise = workshop.made_otherwise(&mutant, &before, &mut random);
                for test in otherwise.iter().chain(&workshop.with_logged_values(&mutant)) {
                    assert_fine(test, &workshop, target);
                }
            }
            population[a] = mutant;
            population[b] = other;
        }
        assert!(
            population.iter().all(|it| it.statements().len() <= 150),
            "{target}: tests do not grow for ever"
        );
    }
}

#[test]
fn published_tests_call_the_target_last_and_have_all_lengths() {
    for (seed, target) in (0..).zip(TARGETS) {
        let mut workshop = tuned(target, &[("tests.published", "on")]);
        let mut random = Random::new(seed);
        let tests: Vec<TestCase> = (0..200).filter_map(|_| workshop.random(0.5, &mut random)).collect();
        assert!(tests.len() > 150, "{target}: only {} tests", tests.len());
        for test in &tests {
            assert_fine(test, &workshop, target);
        }
        let longest = tests.iter().map(|it| it.statements().len()).max().unwrap_or(0);
        let shortest = tests.iter().map(|it| it.statements().len()).min().unwrap_or(0);
        assert!(longest > shortest + 10, "{target}: lengths from {shortest} to {longest}");
    }
}

/// As if every method of every mock of a test had been called.
pub(crate) fn ask_all(workshop: &mut Workshop<'_>, test: &TestCase) {
    for statement in test.statements() {
        if let Statement::Mock(mock) = statement {
            let count = workshop.vocabulary().mock(*mock).unwrap().methods.len();
            for place in 0..count {
                let (mock, method) = (*mock, u16::try_from(place).unwrap());
                let (class, object) = (Some("home.Component$Session"), Some((0, "home.Component$Session")));
                workshop.learn(Lesson::Asked { mock, method, class, object });
            }
        }
    }
}

#[test]
fn what_tests_missed_is_provided_more_often() {
    let mut workshop = workshop(TARGETS[0]);
    let mut random = Random::new(5);
    let mut count = |workshop: &mut Workshop<'_>, wanted: &str| {
        let tests = (0..200).filter_map(|_| workshop.random(0.5, &mut random)).collect::<Vec<_>>();
        let vocabulary = workshop.vocabulary();
        tests.iter().filter(|it| it.display(vocabulary).to_string().contains(wanted)).count()
    };
    let before = count(&mut workshop, "Away.shared = ");
    miss(&mut workshop, "away/Away.shared", &|_| unreachable!("it is known what provides it"));
    let after = count(&mut workshop, "Away.shared = ");
    assert!(after > before, "{before} of 200, then {after}");
    // What was not known is asked for, once.
    let wanted = "System.gc()";
    assert_eq!(count(&mut workshop, wanted), 0);
    let mut gc = preparation("java/lang/System.gc()V", None);
    gc.provides.insert("home/Nowhere.instance".to_owned());
    miss(&mut workshop, "home/Nowhere.instance", &|_| vec![gc.clone()]);
    miss(&mut workshop, "home/Nowhere.instance", &|_| unreachable!("it was asked for already"));
    assert!(count(&mut workshop, wanted) > 0);
}

/// Tells that a static member was null.
pub(crate) fn miss(workshop: &mut Workshop<'_>, name: &str, find: &dyn Fn(&str) -> Vec<Preparation>) {
    let providers = |member: &str, _: &Tuning| find(member);
    let member = || Some(name.to_owned());
    workshop.learn(Lesson::MissingState { message: name, member: &member, providers: &providers });
}

/// What a mock is given while another method runs is what the target is called on.
#[test]
fn what_mocks_keep_is_called() {
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
    let mut kept = 0;
    for _ in 0..100 {
        let test = workshop.random(0.5, &mut random).unwrap();
        let mutant = workshop.mutate(&test, &mut random);
        for test in [&test, &mutant] {
            assert_fine(test, &workshop, target);
            kept += usize::from(test.statements().iter().any(|it| matches!(it, Statement::Kept { .. })));
        }
        for simpler in workshop.simpler(&mutant) {
            assert_fine(&simpler, &workshop, target);
        }
    }
    assert!(kept > 0, "some tests call the object that a mock was given");
}

#[test]
fn components_get_what_a_container_gives_them() {
    let mut workshop = workshop("home/Component.run(Lhome/Component$Store;Ljava/lang/String;)I");
    let mut random = Random::new(11);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..200 {
        let test = workshop.random(0.5, &mut random).unwrap();
        ask_all(&mut workshop, &test);
        seen.extend(
            test.display(workshop.vocabulary())
                .to_string()
                .lines()
                .map(|it| it.replace(|it: char| it.is_ascii_digit(), "").replace("true", "false")),
        );
    }
    for expected in [
        "Component component = new Component();",
        "Store store = mock(Component.Store.class);",
        "inject component.store = store;",
        "inject component.parent = store;",
        "inject component.session = provider;",
        "doReturn(boolean).when(store).has(..);",
        "doReturn(int).when(store).count(..);",
        "doReturn(arrayList).when(store).sizes(..);",
        "doReturn(text).when(store).name(..);",
        "doReturn(text).when(session).key(..);",
        "doReturn(store).when(session).open(..);",
        "doReturn(boolean, boolean).when(store).has(..);",
        "doReturn(session).when(store).find(.., [] = class, ..);",
    ] {
        let expected = expected.replace("Component.Store ", "Store ");
        assert!(seen.iter().any(|it| it.ends_with(&expected)), "{expected} not in {seen:#?}");
    }
    for never in ["mock(Component.class);", "component.other", "component.shared", "close(..)", "hidden(..)"]
    {
        assert!(!seen.iter().any(|it| it.contains(never)), "{never}");
    }
}

#[test]
fn tests_look_at_what_keeps_exceptions() {
    let target = "home/Keeper.run(Ljava/lang/String;)Ljava/util/concurrent/Future;";
    let mut workshop = tuned(target, &[("null-value", "0")]);
    let test = (0..).find_map(|seed| {
        let test = workshop.random(0.0, &mut Random::new(seed))?;
        (test.statements().len() == 3).then_some(test)
    });
    let test = test.unwrap();
    let ends: Vec<String> =
        workshop.with_single_exception_getters(&test).iter().map(|it| end_of(it, &test, &workshop)).collect();
    let expected = [
        "",
        "Keeper.last",
        "keeper.error",
        "keeper.kept() kept.failure()",
        "future.get()",
        "keeper.stage() completionStage.toCompletableFuture() completableFuture.get()",
    ];
    assert_eq!(ends, expected);
    // All of them, those that wait last, and no one always first.
    let firsts: std::collections::BTreeSet<String> = (0..6)
        .map(|turn| {
            let looking = workshop.with_exception_getters(&test, turn);
            assert_eq!(looking.statements().len(), test.statements().len() + 8);
            let end = end_of(&looking, &test, &workshop);
            assert!(end.ends_with(".get()"), "{end}");
            end.split(' ').next().unwrap().to_owned()
        })
        .collect();
    assert_eq!(firsts.len(), 3, "{firsts:?}");
}

/// What a valid test case does behind another, without variables that nobody would write.
fn end_of(test: &TestCase, before: &TestCase, workshop: &Workshop<'_>) -> String {
    assert_eq!(check(test, workshop.vocabulary(), &WORLD.context()), Ok(()));
    let text = test.display(workshop.vocabulary()).to_string();
    let lines = text.lines().filter(|it| it.ends_with(';')).skip(before.statements().len());
    let expressions = lines.map(|it| it.rsplit(" = ").next().unwrap().trim().trim_end_matches(';'));
    expressions.collect::<Vec<_>>().join(" ").replace(|it: char| it.is_ascii_digit(), "")
}

#[test]
fn tests_prepare_what_the_program_finds() {
    let mut workshop = workshop("java/io/FileReader.<init>(Ljava/io/File;)V");
    let mut random = Random::new(2);
    let mut seen = String::new();
    for _ in 0..300 {
        let test = workshop.random(0.5, &mut random).unwrap();
        let text = test.display(workshop.vocabulary()).to_string();
        assert_eq!(workshop.precedes_initialisers(&test), text.contains("Away.shared = "), "{text}");
        seen += &text.replace(|it: char| it.is_ascii_digit(), "");
    }
    for expected in [
        "Locale.setDefault(locale);",
        "Away.shared = int;",
        "Runtime runtime = Runtime.getRuntime();\nruntime.gc();",
        "File file = folder;",
        "File file = new File(file, text);",
        "file.mkdir();",
        "byte[] bytes = text.getBytes();",
        "Files.write(path, bytes, openOptions);",
        "new FileReader(file);",
    ] {
        assert!(seen.contains(expected), "{expected} not in {seen}");
    }
    for never in ["initDefault(", "missing("] {
        assert!(!seen.contains(never), "{never}");
    }
}

#[test]
fn mutants_differ_from_their_originals() {
    let mut workshop = workshop(TARGETS[0]);
    let mut random = Random::new(3);
    let test = workshop.random(0.0, &mut random).unwrap();
    let changed = (0..200).filter(|_| workshop.mutate(&test, &mut random) != test).count();
    assert!(changed > 0, "no mutant of 200 differs from its original");
}

/// The share of new tests, and of mutants, that have a call of a constructor.
fn shares(workshop: &mut Workshop<'_>, constructor: &str) -> [f64; 2] {
    let mut random = Random::new(11);
    let tests: Vec<TestCase> = (0..1500).filter_map(|_| workshop.random(0.2, &mut random)).collect();
    let wanted = workshop.vocabulary_mut().find_method(WORLD.context().hierarchy(), constructor).unwrap();
    let is_call =
        |it: &Statement| matches!(it, Statement::Construct { constructor, .. } if *constructor == wanted);
    let has = |test: &TestCase| test.statements().iter().any(is_call);
    let share = |tests: &[TestCase]| tests.iter().filter(|it| has(it)).count() as f64 / tests.len() as f64;
    let without: Vec<TestCase> = tests.iter().filter(|it| !has(it)).cloned().collect();
    let mutants: Vec<TestCase> = without.iter().map(|it| workshop.mutate(it, &mut random)).collect();
    [share(&tests), share(&mutants)]
}

#[test]
fn slow_constructors_are_called_less_often() {
    const DEAR: &str = "java/util/LinkedList.<init>()V";
    const SIBLING: &str = "java/util/TreeSet.<init>()V";
    let mut workshop = workshop(TARGETS[1]);
    let (dear, sibling) = (shares(&mut workshop, DEAR), shares(&mut workshop, SIBLING));
    // All other callees are known and quick.
    let mut random = Random::new(12);
    for _ in 0..3000 {
        let test = workshop.random(0.5, &mut random).unwrap();
        let mutant = workshop.mutate(&test, &mut random);
        for test in [&test, &mutant] {
            workshop.learn(Lesson::Timed { test, completed: test.statements().len(), slow: &[] });
        }
    }
    let constructor = workshop.vocabulary_mut().find_method(WORLD.context().hierarchy(), DEAR).unwrap();
    let call = Statement::Construct { constructor, arguments: Default::default() };
    let test = TestCase::new(vec![call; 20_000]);
    let slow: Vec<(usize, u32)> = (0..test.statements().len()).map(|it| (it, 3_000)).collect();
    workshop.learn(Lesson::Timed { test: &test, completed: slow.len(), slow: &slow });
    for _ in 0..3000 {
        workshop.learn(Lesson::Timed { test: &TestCase::new([]), completed: 0, slow: &[] });
    }
    let (dear_after, sibling_after) = (shares(&mut workshop, DEAR), shares(&mut workshop, SIBLING));
    assert!(dear_after.iter().sum::<f64>() > 0.0, "still called now and then");
    for (after, before) in dear_after.iter().zip(dear) {
        assert!(*after < before / 3.0, "{dear:?} {dear_after:?}");
    }
    for (after, before) in sibling_after.iter().zip(sibling) {
        assert!(*after > before / 2.0, "{sibling:?} {sibling_after:?}");
    }
}

#[test]
fn what_was_compared_comes_back_as_input() {
    let mut workshop = workshop("java/awt/Point.translate(II)V");
    let mut random = Random::new(5);
    let mut test = workshop.random(0.0, &mut random).unwrap();
    let has =
        |test: &TestCase, wanted: i32| test.statements().contains(&Statement::Literal(Literal::Int(wanted)));
    for _ in 0..500 {
        test = workshop.mutate(&test, &mut random);
        if has(&test, 99) {
            return;
        }
    }
    panic!("99 was compared with 7, which is in the pool, but never tried");
}

#[test]
fn a_continued_test_hands_on_the_arguments_of_the_call_below() {
    const BELOW: &str = "java/lang/Integer.parseInt(Ljava/lang/String;)I";
    const ABOVE: &str = "java/lang/Integer.decode(Ljava/lang/String;)Ljava/lang/Integer;";
    let handed = |probability: &str| {
        let mut workshop = workshop_with(ABOVE, &[("handed-argument", probability)], |_| {}, |_, _| {});
        let hierarchy = WORLD.context().hierarchy();
        let method = workshop.vocabulary_mut().find_method(hierarchy, BELOW).unwrap();
        let literal = Statement::Literal(Literal::Text("needle".into()));
        let arguments = [Var(0)].into_iter().collect();
        let call = Statement::Call { method, receiver: None, arguments };
        let test = TestCase::new(vec![literal.clone(), call]);
        let mut random = Random::new(1);
        let continued = (0..100).filter_map(|_| workshop.continued(&test, &mut random));
        continued.filter(|it| it.statements().contains(&literal)).count()
    };
    assert_eq!(handed("1"), 100);
    // Otherwise it is one of the values that are there, or another.
    assert!(handed("0") < 80);
}
