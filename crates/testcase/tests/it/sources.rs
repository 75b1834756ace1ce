//! Every source of values shows in tests, and no longer once it is switched off.

use std::collections::BTreeSet;

use crashback_testcase::workshop::{
    Behaviour, ChainParameter, Expectation, Form, Influence, Lesson, Null, Pools, Scalar, SeedTest, Spot,
    TargetCalls, Tuning, Workshop,
};
use crashback_testcase::{Arguments, Literal, Random, Statement, TestCase, Type, Var, Vocabulary};

use crate::support::WORLD;
use crate::workshop::{ask_all, assert_fine, workshop_with};

const POINT: &str = "java/awt/Point.translate(II)V";
const COMPONENT: &str = "home/Component.run(Lhome/Component$Store;Ljava/lang/String;)I";
const PHOTO: &str = "home/Album$Photo.show()Z";
const INNER: &str = "home/Home$Inner.<init>(Lhome/Home;Ljava/lang/String;)V";
const ADD_ALL: &str = "java/util/ArrayList.addAll(ILjava/util/Collection;)Z";
const DATE_FORMAT: &str = "java/text/SimpleDateFormat.<init>(Ljava/lang/String;Ljava/util/Locale;)V";

/// Settings without calls for their effect.
const QUIET: [(&str, &str); 3] = [("extra-calls", "0"), ("extra-calls-growth", "0"), ("preparation", "0")];

/// How a source shows in tests.
struct Sign {
    source: &'static str,
    target: &'static str,
    settings: Vec<(&'static str, &'static str)>,
    pools: fn(&mut Pools),
    target_calls: fn(&mut TargetCalls, &mut Vocabulary),
    /// Tests that were carved.
    carved: fn(&mut Vocabulary) -> Vec<Statement>,
    /// Whether mutants are looked at, too.
    mutates: bool,
    /// Whether a test has a value of the source.
    shows: Box<Shows>,
}

/// Tells by a test and its text.
type Shows = dyn Fn(&TestCase, &str) -> bool;

impl Sign {
    fn new(source: &'static str, target: &'static str, shows: fn(&str) -> bool) -> Self {
        let shows = Box::new(move |_: &TestCase, text: &str| shows(text));
        Self {
            source,
            target,
            settings: QUIET.to_vec(),
            pools: |_| {},
            target_calls: |_, _| {},
            carved: |_| Vec::new(),
            mutates: false,
            shows,
        }
    }

    fn with(mut self, settings: &[(&'static str, &'static str)]) -> Self {
        self.settings.extend(settings);
        self
    }

    fn pools(self, pools: fn(&mut Pools)) -> Self {
        Self { pools, ..self }
    }

    fn target_calls(self, target_calls: fn(&mut TargetCalls, &mut Vocabulary)) -> Self {
        Self { target_calls, ..self }
    }

    fn carved(self, carved: fn(&mut Vocabulary) -> Vec<Statement>) -> Self {
        Self { carved, ..self }
    }

    fn of_mutants(self) -> Self {
        Self { mutates: true, ..self }
    }

    fn of_tests(self, shows: impl Fn(&TestCase) -> bool + 'static) -> Self {
        Self { shows: Box::new(move |test, _| shows(test)), ..self }
    }

    /// Asserts that the source shows if it is on, and does not if it is off.
    fn check(&self) {
        let name = format!("source.{}", self.source);
        assert!(self.is_seen(&[]), "{name} never shows");
        assert!(!self.is_seen(&[(&name, "off")]), "{name} shows although it is off");
    }

    fn is_seen(&self, more: &[(&str, &str)]) -> bool {
        let settings: Vec<(&str, &str)> = self.settings.iter().copied().chain(more.iter().copied()).collect();
        let mut workshop = workshop_with(self.target, &settings, self.pools, self.target_calls);
        let carved = (self.carved)(workshop.vocabulary_mut());
        if !carved.is_empty() {
            let (name, case) = ("home.PhotoTest.frames".to_owned(), TestCase::new(carved));
            workshop.add_carved_test(SeedTest { name, case, is_given: false });
        }
        let compared = Scalar::Integer(123_456_789);
        workshop.learn(Lesson::Compared(Scalar::Integer(7), compared));
        let parameter = ChainParameter { place: 1, parameter: 0 };
        workshop.learn(Lesson::PassedInCrash(parameter, Scalar::Integer(987_654_321)));
        workshop.learn(Lesson::Passed(parameter, Scalar::Integer(5)));
        for _ in 0..workshop.tuning().blocked_after {
            workshop.learn(Lesson::Blocked { calls: &[("home/Home".to_owned(), "nearCall")] });
        }
        let null = || Some(Null::Result("home/Component$Store.sizes".to_owned()));
        workshop.learn(Lesson::NullAnswer { message: "", null: &null, asked: &Vec::new });
        let mut random = Random::new(1);
        (0..300).any(|_| {
            let Some(mut test) = workshop.random(0.5, &mut random) else { return false };
            for _ in 0..if self.mutates { 10 } else { 0 } {
                test = workshop.mutate(&test, &mut random);
            }
            assert_fine(&test, &workshop, self.target);
            ask_all(&mut workshop, &test);
            (self.shows)(&test, &text_of(&test, &workshop))
        })
    }
}

fn text_of(test: &TestCase, workshop: &Workshop<'_>) -> String {
    let text = test.display(workshop.vocabulary()).to_string();
    text.replace(|it: char| it.is_ascii_digit(), "")
}

/// The text without the target call.
fn before_last(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines.split_last().map(|(_, before)| before.join("\n")).unwrap_or_default()
}

fn add_hash_set(target: &mut TargetCalls, vocabulary: &mut Vocabulary) {
    target.lower_receivers = vec![vocabulary.add_type(Type::of_class("java/util/HashSet"))];
}

const OBJECTS_EQUAL: &str = "java/util/Objects.equals(Ljava/lang/Object;Ljava/lang/Object;)Z";

fn expect_values(pools: &mut Pools) {
    let mut expectation = Expectation::default();
    expectation.whole.types.push(Type::of_class("java/util/BitSet"));
    pools.expectations.insert(Spot::Parameter(OBJECTS_EQUAL.parse().unwrap(), 1), expectation);
}

/// A test that frames a photo.
fn frame_photo(vocabulary: &mut Vocabulary) -> Vec<Statement> {
    let hierarchy = WORLD.context().hierarchy();
    let mut find = |name: &str| vocabulary.find_method(hierarchy, name).unwrap();
    let constructor = find("home/Album$Photo.<init>()V");
    let method = find("home/Album$Photo.framed(Z)Lhome/Album$Photo;");
    vec![
        Statement::Construct { constructor, arguments: Arguments::new() },
        Statement::Literal(Literal::Boolean(true)),
        Statement::Call { method, receiver: Some(Var(0)), arguments: Arguments::from_slice(&[Var(1)]) },
    ]
}

fn signs() -> Vec<Sign> {
    let always_lower = [("lower-receivers", "1"), ("lower-receiver", "1"), ("link", "0")];
    vec![
        Sign::new("linked-objects", ADD_ALL, |_| false)
            .with(&always_lower)
            .with(&[("linked-object", "1"), ("reuse-object", "0")])
            .target_calls(add_hash_set)
            .of_tests(|test| match (test.statements().first(), test.statements().last()) {
                (Some(Statement::Construct { .. }), Some(Statement::Call { arguments, .. })) => {
                    arguments.iter().any(|it| it.0 == 0)
                }
                _ => false,
            }),
        Sign::new("reused-values", POINT, |_| false).with(&[("reuse-primitive", "1")]).of_tests(|test| {
            matches!(test.statements().last(), Some(Statement::Call { arguments, .. })
                if arguments.first() == arguments.last())
        }),
        Sign::new("nulls", "java/lang/Integer.parseInt(Ljava/lang/String;I)I", |_| false).of_tests(|test| {
            test.statements().iter().any(|it| matches!(it, Statement::Literal(Literal::Null(_))))
        }),
        Sign::new("pool-values", DATE_FORMAT, |text| text.contains("\"key\""))
            .with(&[("source.structured-texts", "off")]),
        Sign::new("structured-texts", DATE_FORMAT, |text| text.contains("</key>"))
            .with(&[("format-text", "0")]),
        Sign::new("formed-texts", DATE_FORMAT, |text| text.contains("{{ key.key"))
            .with(&[("format-text", "0")])
            .pools(|pools| {
                pools.forms.kinds.push(Form::Marked);
                pools.forms.marks.push(("{{".to_owned(), "}}".to_owned()));
            }),
        Sign::new("formats", DATE_FORMAT, |text| text.contains("yyyy-MM-dd")),
        Sign::new("compared-operands", POINT, |_| false)
            .of_mutants()
            .of_tests(|test| test.statements().contains(&Statement::Literal(Literal::Int(123_456_789)))),
        Sign::new("crashing-arguments", POINT, |_| false)
            .of_mutants()
            .of_tests(|test| test.statements().contains(&Statement::Literal(Literal::Int(987_654_321)))),
        Sign::new("files", "java/io/FileReader.<init>(Ljava/io/File;)V", |text| text.contains("folder")),
        Sign::new("bytes", "java/util/Arrays.hashCode([B)I", |text| text.contains("new byte[] {")),
        Sign::new("text-arrays", "java/lang/StringBuilder.insert(I[CII)Ljava/lang/StringBuilder;", |text| {
            text.contains(".toCharArray()")
        }),
        Sign::new(
            "arrays",
            "java/util/Arrays.copyOfRange([Ljava/lang/Object;II)[Ljava/lang/Object;",
            |text| text.contains("new Object[]"),
        ),
        Sign::new("collection-elements", ADD_ALL, |text| {
            text.lines().any(|it| it.starts_with("boolean ") && it.contains(".add("))
        }),
        Sign::new("reflected-methods", "java/lang/reflect/Method.getName()Ljava/lang/String;", |text| {
            text.contains(".getMethod(")
        }),
        Sign::new("classes-of-kind", "java/lang/Class.isArray()Z", |text| text.contains("long[].class"))
            .pools(|pools| pools.classes_of_kind.push(Type("[J".into()))),
        Sign::new("nested-classes", "java/lang/Class.isArray()Z", |text| text.contains("@Marked")),
        Sign::new("expected-values", OBJECTS_EQUAL, |text| text.contains("BitSet")).pools(expect_values),
        Sign::new("reflected-fields", "java/lang/reflect/Field.getName()Ljava/lang/String;", |text| {
            text.contains(".getDeclaredField(")
        }),
        Sign::new("constructors", ADD_ALL, |text| text.contains("new ArrayList(")),
        Sign::new(
            "factories",
            "java/util/Collections.sort(Ljava/util/List;Ljava/util/Comparator;)V",
            // Constants of the class, such as its empty list, come from another source.
            |text| before_last(text).lines().any(|it| it.contains("= Collections.") && it.contains('(')),
        ),
        Sign::new("containers", PHOTO, |text| text.contains("= Album.photos(") && text.contains(".get(")),
        Sign::new("parts", PHOTO, |text| text.contains(".cover()")),
        Sign::new("fluent-options", PHOTO, |text| text.contains("= photo.framed(")).pools(|pools| {
            let framed = "home/Album$Photo.framed(Z)Lhome/Album$Photo;".parse().unwrap();
            pools.influential.insert(framed, Influence::Near);
        }),
        Sign::new("models", PHOTO, |text| text.contains(".framed(") && text.contains("new Album.Photo"))
            .with(&[("source.fluent-options", "off"), ("model-cut", "0")])
            .pools(|pools| {
                let calls = [("<init>", "()V"), ("framed", "(Z)Lhome/Album$Photo;"), ("show", "()Z")];
                let calls = calls.map(|(name, descriptor)| (name.to_owned(), descriptor.to_owned()));
                let behaviour = Behaviour(calls.to_vec());
                pools.behaviours.insert("home/Album$Photo".to_owned(), vec![behaviour]);
            }),
        Sign::new("clones", PHOTO, |text| text.contains(".framed("))
            .with(&[("source.fluent-options", "off"), ("source.carved", "off")])
            .with(&[("source.mocks", "off"), ("source.spies", "off"), ("source.anonymous-mocks", "off")])
            .carved(frame_photo),
        Sign::new("carved", PHOTO, |text| text.contains(".framed("))
            .with(&[("source.fluent-options", "off"), ("source.clones", "off"), ("carved-cut", "0")])
            .with(&[("source.mocks", "off"), ("source.spies", "off"), ("source.anonymous-mocks", "off")])
            .carved(frame_photo),
        Sign::new("constants", DATE_FORMAT, |text| text.contains("Locale.US")),
        Sign::new("builder-setters", DATE_FORMAT, |text| text.contains(".setLanguage("))
            .pools(|pools| pools.mentioned.extend(["java/util/Locale$Builder".to_owned()])),
        Sign::new("mocks", COMPONENT, |text| text.contains("mock(")),
        Sign::new(
            "stale-views",
            "java/util/Collections.sort(Ljava/util/List;Ljava/util/Comparator;)V",
            |text| text.contains(".subList("),
        )
        .pools(|pools| pools.is_modification_crash = true),
        Sign::new(
            "anonymous-mocks",
            "java/util/concurrent/FutureTask.<init>(Ljava/util/concurrent/Callable;)V",
            |text| text.contains("new Callable() {"),
        )
        .with(&[("anonymous-of-other", "0.5")]),
        Sign::new("spies", INNER, |text| text.contains("spy(") && text.contains("doNothing(")),
        Sign::new("mock-answers", COMPONENT, |text| text.contains("doReturn("))
            .with(&[("stub-relied-on", "0")]),
        Sign::new("relied-on-answers", COMPONENT, |text| text.contains(").sizes("))
            .with(&[("stub-asked", "0")]),
        Sign::new("callbacks-of-objects", COMPONENT, |text| text.contains("it[].open(")),
        Sign::new("changing-callbacks", COMPONENT, |text| text.contains("it[].close(")).pools(|pools| {
            let close = "home/Component$Session.close()V".parse().unwrap();
            pools.influential.insert(close, Influence::Near);
        }),
        Sign::new("callbacks", COMPONENT, |text| text.contains("doAnswer(")),
        Sign::new(
            "declared-exceptions",
            "java/util/concurrent/FutureTask.<init>(Ljava/util/concurrent/Callable;)V",
            |text| text.contains("doThrow("),
        ),
        Sign::new("injected-fields", COMPONENT, |text| text.contains("inject component")),
        Sign::new("lower-receivers", POINT, |text| text.contains("new HashSet("))
            .with(&always_lower)
            .target_calls(add_hash_set),
        Sign::new("holders", ADD_ALL, |_| false)
            .with(&always_lower)
            .with(&[("linked-object", "0"), ("reuse-object", "0"), ("held-object", "1")])
            .target_calls(add_hash_set)
            .of_tests(|test| match test.statements() {
                [Statement::Construct { .. }, between @ .., _] => between.iter().any(|it| {
                    matches!(it, Statement::Call { receiver: Some(to), arguments, .. }
                        if to.0 > 0 && arguments.iter().any(|it| it.0 == 0))
                }),
                _ => false,
            }),
        Sign::new("known-arguments", DATE_FORMAT, |text| text.contains("\"known\"")).target_calls(
            |target, _| {
                target.calls[0].arguments = vec![vec![Literal::Text("known".into())]];
            },
        ),
        Sign::new("preparations", POINT, |text| text.contains("Away.shared = "))
            .with(&[("preparation", "0.5")]),
    ]
}

/// Switches of what fills the pools and of what runs record: the crates that do so have tests of them, or
/// programs of `tests/crashes` need them.
const OUTSIDE: [&str; 14] = [
    "bound-answers",
    "complaints",
    "documentation",
    "filling-methods",
    "formats-behind-types",
    "log-lines",
    "null-results",
    "own-calls",
    "rare-objects",
    "receiver-arguments",
    "recorded-arguments",
    "several-services",
    "test-values",
    "words",
];

#[test]
fn sources_can_be_switched_off_one_by_one() {
    let signs = signs();
    let tested = signs.iter().map(|it| it.source).chain(OUTSIDE);
    let tested: BTreeSet<String> = tested.map(|it| format!("source.{it}")).collect();
    let tuning = Tuning::default();
    let known = tuning.entries().map(|it| it.name.to_owned()).filter(|it| it.starts_with("source."));
    assert_eq!(known.collect::<BTreeSet<String>>(), tested, "every source has a sign");
    signs.iter().for_each(Sign::check);
}

#[test]
fn dates_do_not_come_from_the_clock() {
    const FORMAT: &str = "java/text/DateFormat.format(Ljava/util/Date;)Ljava/lang/String;";
    let mut workshop = workshop_with(FORMAT, &QUIET, |_| {}, |_, _| {});
    let mut random = Random::new(1);
    let mut given = 0;
    for _ in 0..300 {
        let Some(test) = workshop.random(0.5, &mut random) else { continue };
        let text = text_of(&test, &workshop);
        assert!(!text.contains("Date()"), "{text}");
        given += usize::from(text.contains("Date("));
    }
    assert!(given > 0);
}
