//! Objects that answer calls instead of running the code of their types.

use std::collections::BTreeSet;

use crashback_classfile::ClassFile;
use crashback_protocol::{Asked, Caught, Isolation, Observation, Outcome, Results};
use crashback_testcase::{
    Answer, Arguments, Callback, Field, Given, Kind, Literal, Method, MethodId, Mock, MockId, MockKind,
    Mocked, Statement, TestCase, Type, Var,
};

use crate::support::{Bench, jdk_homes, thrown};

/// A test in the making.
struct Draft<'b> {
    bench: &'b mut Bench,
    statements: Vec<Statement>,
}

impl<'b> Draft<'b> {
    fn new(bench: &'b mut Bench) -> Self {
        Self { bench, statements: Vec::new() }
    }

    fn push(&mut self, statement: Statement) -> Var {
        self.statements.push(statement);
        Var(self.statements.len() as u16 - 1)
    }

    fn literal(&mut self, literal: Literal) -> Var {
        self.push(Statement::Literal(literal))
    }

    fn text(&mut self, text: &str) -> Var {
        self.literal(Literal::Text(text.into()))
    }

    /// A mock of a subject that answers all methods that can be overridden.
    fn mock(&mut self, of: &str, calls_real: bool) -> (Var, MockId) {
        let mut methods = Vec::new();
        let is_interface = overridable(self.bench, of, &mut BTreeSet::new(), &mut methods);
        let methods: Vec<_> =
            methods.iter().map(|(text, is_abstract)| (text.as_str(), *is_abstract)).collect();
        self.mock_with(of, is_interface, calls_real, &methods)
    }

    /// A mock that answers these methods; `true` for abstract ones.
    fn mock_with(
        &mut self,
        of: &str,
        is_interface: bool,
        calls_real: bool,
        methods: &[(&str, bool)],
    ) -> (Var, MockId) {
        let methods = methods.iter().map(|(text, is_abstract)| Mocked {
            method: self.instance_method(of, text),
            is_abstract: *is_abstract,
        });
        let methods = methods.collect::<Vec<_>>().into();
        let of = self.bench.vocabulary.add_type(Type::of_class(of));
        let mock = self.bench.vocabulary.add_mock(Mock {
            of,
            is_interface,
            calls_real,
            kind: MockKind::Mocked,
            methods,
        });
        (self.push(Statement::Mock(mock)), mock)
    }

    fn instance_method(&mut self, owner: &str, text: &str) -> MethodId {
        let id = self.bench.method(&format!("{owner}.{text}"));
        let method = self.bench.vocabulary.method(id).unwrap().clone();
        self.bench.vocabulary.add_method(Method { kind: Kind::Instance, ..method })
    }

    fn stub(&mut self, mock: (Var, MockId), name: &str, answer: Answer) {
        self.stub_given(mock, name, None, answer);
    }

    fn stub_given(&mut self, mock: (Var, MockId), name: &str, given: Option<Given>, answer: Answer) {
        let method = self.mocked(mock, name);
        self.push(Statement::Stub { mock: mock.0, method, given, answer });
    }

    /// The method of a mock that has a name.
    fn mocked(&self, (_, id): (Var, MockId), name: &str) -> MethodId {
        let vocabulary = &self.bench.vocabulary;
        let mut methods = vocabulary.mock(id).unwrap().methods.iter().map(|it| it.method);
        methods.find(|it| &*vocabulary.method(*it).unwrap().name == name).unwrap()
    }

    fn answers(&mut self, mock: (Var, MockId), name: &str, literal: Literal) {
        let value = self.literal(literal);
        self.stub(mock, name, Answer::Return(value));
    }

    /// Ends with a call of a static method of the subject.
    fn call(mut self, text: &str, arguments: &[Var]) -> TestCase {
        let method = self.bench.method(&format!("subject/Mocking.{text}"));
        self.push(Statement::Call { method, receiver: None, arguments: arguments.into() });
        TestCase::new(self.statements)
    }
}

/// Gathers the methods of a subject and of its supertypes that can be overridden, and tells whether
/// it is an interface. A bridge is left as it is.
fn overridable(
    bench: &Bench,
    name: &str,
    seen: &mut BTreeSet<String>,
    found: &mut Vec<(String, bool)>,
) -> bool {
    let bytes = bench.class_file(name);
    let class = ClassFile::parse(&bytes).unwrap();
    for method in &class.methods {
        let (name, descriptor) = (method.name(&class.pool).unwrap(), method.descriptor(&class.pool).unwrap());
        let text = format!("{}{}", name.to_str(), descriptor.to_str());
        let access = method.access;
        let is_open =
            !access.is_static() && !access.is_private() && !access.is_final() && !access.is_bridge();
        let is_left_alone = ["<", "equals(", "hashCode(", "toString("].iter().any(|it| text.starts_with(it));
        if seen.insert(text.clone()) && is_open && !is_left_alone {
            found.push((text, access.is_abstract()));
        }
    }
    let above = class.super_name().unwrap().into_iter().map(|it| it.to_str().into_owned());
    let above = above.chain(class.interface_names().map(|it| it.unwrap().to_str().into_owned()));
    for name in above.filter(|it| it.starts_with("subject/")) {
        overridable(bench, &name, seen, found);
    }
    class.access.is_interface()
}

const SERVICE: &str = "subject/Mocking$Service";
const ASK_SERVICE: &str = "service(Lsubject/Mocking$Service;)V";

/// How a test is made, and what the subject hears.
type Case = (Box<dyn Fn(Draft<'_>) -> TestCase>, &'static str);

fn case(draft: impl Fn(Draft<'_>) -> TestCase + 'static, expected: &'static str) -> Case {
    (Box::new(draft), expected)
}

/// Checks what the subject hears, on every JDK.
fn check(cases: &[Case]) {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let tests: Vec<_> = cases.iter().map(|(draft, _)| draft(Draft::new(&mut bench))).collect();
        let results = bench.run(&mut bench.pool(1), &tests);
        let heard: Vec<_> = results.observations.iter().map(thrown).collect();
        let expected = cases.iter().map(|(_, heard)| format!("java.lang.IllegalStateException: {heard}"));
        assert_eq!(heard, expected.collect::<Vec<_>>(), "on {}", home.display());
    }
}

#[test]
fn a_mock_that_was_told_nothing_gives_what_is_empty() {
    let ask = |of: &'static str, text: &'static str| {
        move |mut draft: Draft<'_>| {
            let (mock, _) = draft.mock(of, false);
            draft.call(text, &[mock])
        }
    };
    let empty = "subject/Mocking$Empty";
    check(&[
        case(ask(SERVICE, ASK_SERVICE), "0 null null 0 0"),
        case(
            ask("subject/Mocking$Primitives", "primitives(Lsubject/Mocking$Primitives;)V"),
            "false 0 0 0 0 0 0.0 0.0",
        ),
        case(ask(empty, "empty(Lsubject/Mocking$Empty;)V"), "[] {} [] Optional.empty 0 0"),
        case(ask(empty, "emptyToo(Lsubject/Mocking$Empty;)V"), "0 null PT0S"),
    ]);
}

#[test]
fn a_mock_gives_what_it_was_told() {
    let primitives = |literals: [Literal; 8]| {
        move |mut draft: Draft<'_>| {
            let mock = draft.mock("subject/Mocking$Primitives", false);
            for (name, literal) in ["z", "b", "s", "c", "i", "j", "f", "d"].iter().zip(literals.clone()) {
                draft.answers(mock, name, literal);
            }
            draft.call("primitives(Lsubject/Mocking$Primitives;)V", &[mock.0])
        }
    };
    check(&[
        case(
            |mut draft| {
                let mock = draft.mock(SERVICE, false);
                draft.answers(mock, "count", Literal::Int(i32::MIN));
                draft.answers(mock, "count", Literal::Int(21));
                draft.answers(mock, "sum", Literal::Int(-1));
                let name = draft.text("name");
                draft.stub(mock, "name", Answer::Return(name));
                draft.stub(mock, "next", Answer::Return(mock.0));
                draft.call(ASK_SERVICE, &[mock.0])
            },
            "21 name Mock for Service, hashCode: 1 0 -1",
        ),
        case(
            primitives([
                Literal::Boolean(true),
                Literal::Byte(-128),
                Literal::Short(-32768),
                Literal::Char(65535),
                Literal::Int(i32::MIN),
                Literal::Long(i64::MIN),
                Literal::Float(-0.5),
                Literal::Double(1e300),
            ]),
            "true -128 -32768 65535 -2147483648 -9223372036854775808 -0.5 1.0E300",
        ),
    ]);
}

#[test]
fn a_mock_can_be_told_null_after_a_value_and_keeps_its_answers_to_itself() {
    check(&[
        case(
            |mut draft| {
                let mock = draft.mock(SERVICE, false);
                let name = draft.text("name");
                draft.stub(mock, "name", Answer::Return(name));
                let string = draft.bench.vocabulary.add_type(Type::of_class("java/lang/String"));
                draft.answers(mock, "name", Literal::Null(string));
                draft.call(ASK_SERVICE, &[mock.0])
            },
            "0 null null 0 0",
        ),
        case(
            |mut draft| {
                let (one, other) = (draft.mock(SERVICE, false), draft.mock(SERVICE, false));
                draft.answers(one, "count", Literal::Int(1));
                draft.answers(other, "count", Literal::Int(2));
                draft.call(
                    "twoServices(Lsubject/Mocking$Service;Lsubject/Mocking$Service;)V",
                    &[one.0, other.0],
                )
            },
            "1 2 1",
        ),
    ]);
}

#[test]
fn a_method_with_a_narrower_result_answers_for_the_wider_one() {
    const WORDS: &str = "words(Lsubject/Mocking$Wide;)V";
    let methods = [("words()Ljava/lang/String;", true), ("words()Ljava/lang/CharSequence;", true)];
    let words = move |is_told: bool| {
        move |mut draft: Draft<'_>| {
            let mock = draft.mock_with("subject/Mocking$Narrow", true, false, &methods);
            if is_told {
                let text = draft.text("told");
                draft.stub(mock, "words", Answer::Return(text));
            }
            draft.call(WORDS, &[mock.0])
        }
    };
    check(&[case(words(false), "null null"), case(words(true), "told told")]);
}

#[test]
fn no_code_of_the_type_runs() {
    let identity = "identity(Ljava/lang/Object;Ljava/lang/Object;)V";
    check(&[
        case(
            |mut draft| {
                let mock = draft.mock("subject/Mocking$Closed", false);
                draft.answers(mock, "size", Literal::Int(9));
                draft.call("closed(Lsubject/Mocking$Closed;)V", &[mock.0])
            },
            "null 9 0 0",
        ),
        case(
            |mut draft| {
                let (one, other) = (
                    draft.mock("subject/Mocking$Closed", false),
                    draft.mock("subject/Mocking$Closed", false),
                );
                draft.call(identity, &[one.0, other.0])
            },
            "Mock for Closed, hashCode: 1 true false true",
        ),
        case(
            |mut draft| {
                let mock = draft.mock("subject/Mocking$Strict", false);
                draft.call("strict(Lsubject/Mocking$Strict;)V", &[mock.0])
            },
            "0 true 5",
        ),
    ]);
}

#[test]
fn bridges_lead_to_what_is_mocked() {
    let source = "source(Lsubject/Mocking$Source;)V";
    check(&[
        case(
            |mut draft| {
                let mock = draft.mock("subject/Mocking$TextSource", false);
                let text = draft.text("told");
                draft.stub(mock, "get", Answer::Return(text));
                draft.call(source, &[mock.0])
            },
            "told",
        ),
        case(
            |mut draft| {
                let mock = draft.mock("subject/Mocking$TextSource", true);
                draft.call(source, &[mock.0])
            },
            "real",
        ),
    ]);
}

#[test]
fn a_type_that_only_its_package_sees_can_be_mocked() {
    check(&[case(
        |mut draft| {
            let mock = draft.mock("subject/Mocking$Hidden", false);
            draft.answers(mock, "count", Literal::Int(4));
            draft.call("hidden(Ljava/lang/Object;)V", &[mock.0])
        },
        "4",
    )]);
}

#[test]
fn a_partial_mock_runs_what_it_was_not_told() {
    let partial = |told: &'static [(&'static str, i32)]| {
        move |mut draft: Draft<'_>| {
            let mock = draft.mock("subject/Mocking$Partial", true);
            for (name, value) in told {
                draft.answers(mock, name, Literal::Int(*value));
            }
            draft.call("partial(Lsubject/Mocking$Partial;)V", &[mock.0])
        }
    };
    // The abstract method says 0, the field counts.
    check(&[
        case(partial(&[]), "24 25 52"),
        case(partial(&[("open", 100), ("inner", 1)]), "102 103 208"),
        case(partial(&[("count", 5)]), "5 5 10"),
        case(partial(&[("twice", 7)]), "24 25 7"),
    ]);
}

#[test]
fn default_methods_run_for_a_partial_mock_of_an_interface() {
    check(&[case(
        |mut draft| {
            let mock = draft.mock(SERVICE, true);
            draft.answers(mock, "count", Literal::Int(8));
            draft.call(ASK_SERVICE, &[mock.0])
        },
        "8 null null 16 0",
    )]);
}

#[test]
fn types_of_the_jdk_can_be_mocked() {
    let list = [("size()I", true), ("get(I)Ljava/lang/Object;", true), ("isEmpty()Z", true)];
    check(&[
        case(
            move |mut draft| {
                let mock = draft.mock_with("java/util/List", true, false, &list);
                draft.answers(mock, "size", Literal::Int(2));
                draft.stub(mock, "get", Answer::Return(mock.0));
                draft.call("list(Ljava/util/List;)V", &[mock.0])
            },
            "2 Mock for List, hashCode: 1 false",
        ),
        case(
            |mut draft| {
                // A method that was left out runs for real, as do all others.
                let methods = [("size()I", true), ("get(I)Ljava/lang/Object;", true), ("isEmpty()Z", false)];
                let mock = draft.mock_with("java/util/AbstractList", false, true, &methods);
                draft.answers(mock, "size", Literal::Int(2));
                draft.call("abstractList(Ljava/util/AbstractList;)V", &[mock.0])
            },
            "[null, null] false",
        ),
        case(
            |mut draft| {
                let methods = [
                    ("createStatement()Ljava/sql/Statement;", true),
                    ("getTransactionIsolation()I", true),
                    ("isClosed()Z", true),
                ];
                let mock = draft.mock_with("java/sql/Connection", true, false, &methods);
                let statement = draft.mock_with("java/sql/Statement", true, false, &[]);
                draft.stub(mock, "createStatement", Answer::Return(statement.0));
                draft.answers(mock, "isClosed", Literal::Boolean(true));
                draft.call("connection(Ljava/sql/Connection;)V", &[mock.0])
            },
            "Mock for Statement, hashCode: 1 0 true",
        ),
    ]);
}

/// A test whose mock throws when the subject asks it.
fn throwing(bench: &mut Bench, text: &str) -> TestCase {
    let mut draft = Draft::new(bench);
    let mock = draft.mock(SERVICE, false);
    let message = draft.text("told to");
    let constructor = draft.bench.method("java/lang/IllegalStateException.<init>(Ljava/lang/String;)V");
    let constructor = draft.bench.vocabulary.method(constructor).unwrap().clone();
    let constructor = draft.bench.vocabulary.add_method(Method { kind: Kind::Constructor, ..constructor });
    let exception = draft.push(Statement::Construct { constructor, arguments: [message].as_slice().into() });
    draft.stub(mock, "run", Answer::Throw(exception));
    draft.call(text, &[mock.0])
}

#[test]
fn what_a_mock_throws_comes_about_at_the_call() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let escaping = throwing(&mut bench, "asks(Lsubject/Mocking$Service;)V");
        let caught = throwing(&mut bench, "catches(Lsubject/Mocking$Service;)V");
        let results = bench.run(&mut bench.pool(1), &[escaping, caught]);
        let [escaped, caught] = results.observations.as_slice() else { panic!("{results:?}") };
        assert_eq!(thrown(escaped), "java.lang.IllegalStateException: told to");
        assert_eq!(methods(&results, escaped), ["asks"], "on {}", home.display());
        assert_eq!(thrown(caught), "java.lang.IllegalStateException: told to catches");
    }
}

fn methods<'r>(results: &'r Results, observation: &Observation) -> Vec<&'r str> {
    let frames = &observation.thrown().unwrap().frames;
    frames.iter().map(|frame| results.frames[*frame as usize].method.as_str()).collect()
}

#[test]
fn fields_are_injected_whatever_their_access() {
    check(&[case(
        |mut draft| {
            let owner = draft.bench.vocabulary.add_type(Type::of_class("subject/Mocking$Below"));
            let constructor = draft.bench.method("subject/Mocking$Below.<init>()V");
            let constructor = draft.bench.vocabulary.method(constructor).unwrap().clone();
            let constructor =
                draft.bench.vocabulary.add_method(Method { kind: Kind::Constructor, ..constructor });
            let receiver = draft.push(Statement::Construct { constructor, arguments: [].as_slice().into() });
            let mock = draft.mock(SERVICE, false);
            let size = draft.literal(Literal::Int(12));
            for (name, descriptor, value) in
                [("service", "Lsubject/Mocking$Service;", mock.0), ("size", "I", size)]
            {
                let of = draft.bench.vocabulary.add_type(Type(descriptor.into()));
                let field = Field { owner, name: name.into(), is_static: false, of };
                let field = draft.bench.vocabulary.add_field(field);
                draft.push(Statement::Inject { field, receiver, value });
            }
            draft.call("component(Lsubject/Mocking$Component;)V", &[receiver])
        },
        "Mock for Service, hashCode: 1 12",
    )]);
}

#[test]
fn calls_that_no_test_said_anything_about_are_told_once() {
    let home = jdk_homes().remove(0);
    let mut bench = Bench::new(&home);
    let mut draft = Draft::new(&mut bench);
    let (first, other) = (draft.mock(SERVICE, false), draft.mock("subject/Mocking$Partial", true));
    draft.answers(first, "count", Literal::Int(1));
    let both =
        draft.call("twoServices(Lsubject/Mocking$Service;Lsubject/Mocking$Service;)V", &[first.0, other.0]);
    let mut draft = Draft::new(&mut bench);
    let service = draft.mock(SERVICE, false);
    let all = draft.call(ASK_SERVICE, &[service.0]);
    let mut draft = Draft::new(&mut bench);
    let service = draft.mock(SERVICE, false);
    let returns = draft.call("asks(Lsubject/Mocking$Service;)V", &[service.0]);
    let none = Draft::new(&mut bench).call("reached()V", &[]);
    let results = bench.run(&mut bench.pool(1), &[both, all, returns, none]);
    let asked: Vec<_> = results
        .observations
        .iter()
        .map(|it| it.facts.asked.iter().map(|it| name_of(&bench, it)).collect::<Vec<_>>())
        .collect();
    assert_eq!(asked[0], ["open"]);
    assert_eq!(asked[1], ["run", "count", "name", "next", "twice", "sum"]);
    assert_eq!(asked[2], ["run"]);
    assert!(asked[3].is_empty());
    assert_eq!(results.observations[2].outcome, Outcome::Returned);
}

const RUNNER: &str = "subject/Mocking$Runner";

/// A runner that does what it is given, its work with a service that counts to four.
fn runner(draft: &mut Draft<'_>) -> Var {
    let service = draft.mock(SERVICE, false);
    draft.answers(service, "count", Literal::Int(4));
    let runner = draft.mock(RUNNER, false);
    let work = "in(Lsubject/Mocking$Service;IZ)Ljava/lang/String;";
    let method = draft.instance_method("subject/Mocking$Work", work);
    let callback = Callback { parameter: 1, method, place: 0 };
    draft.stub(runner, "run", Answer::Call { callback, value: service.0 });
    let method = draft.instance_method("java/lang/Runnable", "run()V");
    let callback = Callback { parameter: 0, method, place: 0 };
    draft.stub(runner, "later", Answer::Call { callback, value: runner.0 });
    runner.0
}

#[test]
fn a_mock_calls_what_it_is_given() {
    check(&[case(
        |mut draft| {
            let runner = runner(&mut draft);
            draft.call("runner(Lsubject/Mocking$Runner;)V", &[runner])
        },
        "ran 4 0 false",
    )]);
}

#[test]
fn a_mock_answers_the_first_call_otherwise_than_those_that_follow() {
    check(&[case(
        |mut draft| {
            let service = draft.mock(SERVICE, false);
            let (first, then) = (draft.literal(Literal::Int(7)), draft.literal(Literal::Int(-1)));
            draft.stub(service, "count", Answer::Sequence { first, then });
            let null = draft.bench.vocabulary.add_type(Type::of_class("java/lang/String"));
            let (first, then) = (draft.literal(Literal::Null(null)), draft.text("then"));
            draft.stub(service, "name", Answer::Sequence { first, then });
            draft.call("threeTimes(Lsubject/Mocking$Service;)V", &[service.0])
        },
        "7 null -1 then -1",
    )]);
}

#[test]
fn a_spy_has_the_state_of_its_object_and_runs_what_it_is_not_told() {
    let till = |mut draft: Draft<'_>, is_open: bool| {
        let sum = draft.literal(Literal::Int(7));
        let constructor = draft.bench.method("subject/Mocking$Till.<init>(I)V");
        let object = draft.push(Statement::Construct { constructor, arguments: [sum].into_iter().collect() });
        let (_, mock) = draft.mock("subject/Mocking$Till", true);
        let spy = draft.push(Statement::Spy { mock, object });
        if is_open {
            draft.stub((spy, mock), "open", Answer::Nothing);
        }
        draft.call("till(Lsubject/Mocking$Till;)V", &[spy])
    };
    check(&[case(move |draft| till(draft, true), "7"), case(move |draft| till(draft, false), "locked")]);
}

/// A registry that answers when it is asked for integers, maybe after it was told an answer to
/// everything.
fn registry(draft: &mut Draft<'_>, answers_all: bool) -> Var {
    let registry = draft.mock("subject/Mocking$Registry", false);
    if answers_all {
        let value = draft.text("any");
        draft.stub(registry, "find", Answer::Return(value));
    }
    let integer = draft.bench.vocabulary.add_type(Type::of_class("java/lang/Integer"));
    let (class, value) = (draft.literal(Literal::Class(integer)), draft.text("seven"));
    draft.stub_given(registry, "find", Some(Given { parameter: 0, class }), Answer::Return(value));
    registry.0
}

#[test]
fn a_mock_answers_calls_that_ask_for_a_class() {
    let text = "lookUp(Lsubject/Mocking$Registry;)V";
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let mut draft = Draft::new(&mut bench);
        let told = registry(&mut draft, false);
        let alone = draft.call(text, &[told]);
        let mut draft = Draft::new(&mut bench);
        let told = registry(&mut draft, true);
        let both = draft.call(text, &[told]);
        let results = bench.run(&mut bench.pool(1), &[alone, both]);
        let heard: Vec<String> = results.observations.iter().map(thrown).collect();
        let expected = ["seven null null", "seven any any"];
        assert_eq!(heard, expected.map(|it| format!("java.lang.IllegalStateException: {it}")));
        // The other classes were asked for in vain.
        let asked =
            |it: &Observation| it.facts.asked.iter().map(|it| it.class.clone().unwrap()).collect::<Vec<_>>();
        assert_eq!(asked(&results.observations[0]), ["subject.Mocking$Service", "java.lang.String"]);
        assert!(asked(&results.observations[1]).is_empty());
    }
}

#[test]
fn a_mock_keeps_what_it_is_given_last() {
    check(&[case(
        |mut draft| {
            let (runner, id) = draft.mock(RUNNER, false);
            let registers = draft.bench.method("subject/Mocking.registers(Lsubject/Mocking$Runner;)V");
            draft.push(Statement::Call { method: registers, receiver: None, arguments: [runner][..].into() });
            let later = draft.mocked((runner, id), "later");
            let kept = draft.push(Statement::Kept { mock: runner, method: later, parameter: 0 });
            let run = draft.instance_method("java/lang/Runnable", "run()V");
            let none = Arguments::new();
            draft.push(Statement::Call { method: run, receiver: Some(kept), arguments: none });
            TestCase::new(draft.statements)
        },
        "kept",
    )]);
}

#[test]
fn calls_that_yield_null_are_told() {
    let mut bench = Bench::new(&jdk_homes()[0]);
    let mut draft = Draft::new(&mut bench);
    let (runner, id) = draft.mock(RUNNER, false);
    let nothing = draft.bench.method("subject/Mocking.nothing(Ljava/lang/Object;)Ljava/lang/String;");
    let later = draft.mocked((runner, id), "later");
    draft.push(Statement::Call { method: nothing, receiver: None, arguments: [runner][..].into() });
    draft.push(Statement::Kept { mock: runner, method: later, parameter: 0 });
    let registers = draft.bench.method("subject/Mocking.registers(Lsubject/Mocking$Runner;)V");
    draft.push(Statement::Call { method: registers, receiver: None, arguments: [runner][..].into() });
    draft.push(Statement::Call { method: nothing, receiver: None, arguments: [runner][..].into() });
    let test = TestCase::new(draft.statements);
    let results = bench.run(&mut bench.pool(1), &[test]);
    assert_eq!(results.observations[0].facts.nulls, 0b1_0010);
}

#[test]
fn what_is_thrown_by_what_a_mock_calls_comes_through_as_it_is() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let mut draft = Draft::new(&mut bench);
        let runner = runner(&mut draft);
        let test = draft.call("failing(Lsubject/Mocking$Runner;)V", &[runner]);
        let results = bench.run(&mut bench.pool(1), &[test]);
        let thrown = results.observations[0].thrown().unwrap();
        assert_eq!(thrown.class, "java.lang.NumberFormatException", "on {}", home.display());
    }
}

/// What a program catches and reports is seen where nobody has said what the mock does with it.
#[test]
fn exceptions_that_mocks_are_given_are_told() {
    let report = "report(Lsubject/Mocking$Listener;)V";
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let mut draft = Draft::new(&mut bench);
        let listener = draft.mock("subject/Mocking$Listener", false);
        let all = draft.call(report, &[listener.0]);
        let mut draft = Draft::new(&mut bench);
        let listener = draft.mock("subject/Mocking$Listener", false);
        draft.answers(listener, "failed", Literal::Int(1));
        let one = draft.call(report, &[listener.0]);
        let results = bench.run(&mut bench.pool(1), &[all, one]);
        let given = |it: &Observation| {
            let given = it.facts.caught.iter().filter(|it| it.probe == Caught::BY_MOCK);
            let classes = given.map(|given| it.facts.throwables[given.throwable as usize].class.clone());
            classes.collect::<Vec<_>>()
        };
        let told = "java.lang.UnsupportedOperationException";
        let logged = "java.lang.IllegalArgumentException";
        assert_eq!(given(&results.observations[0]), [told, logged], "on {}", home.display());
        assert_eq!(given(&results.observations[1]), [logged], "on {}", home.display());
        let first = &results.observations[0];
        assert_eq!(first.outcome, Outcome::Returned);
        let causes = first.facts.throwables.iter().map(|it| it.cause.is_some()).collect::<Vec<_>>();
        assert_eq!(causes, [false, true, false]);
    }
}

fn name_of<'b>(bench: &'b Bench, asked: &Asked) -> &'b str {
    let mock = bench.vocabulary.mock(asked.mock).unwrap();
    &bench.vocabulary.method(mock.methods[usize::from(asked.method)].method).unwrap().name
}

/// Whoever runs the loop, a mock that always has more does not keep a test from ending.
#[test]
fn loops_that_only_ask_mocks_spend_the_budget() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let mut tests = Vec::new();
        for (of, has_more, next, text) in [
            ("java/util/Iterator", "hasNext", "next", "drain(Ljava/util/Iterator;)V"),
            ("java/util/Enumeration", "hasMoreElements", "nextElement", "collect(Ljava/util/Enumeration;)V"),
        ] {
            let mut draft = Draft::new(&mut bench);
            let methods = [format!("{has_more}()Z"), format!("{next}()Ljava/lang/Object;")];
            let methods = methods.each_ref().map(|it| (it.as_str(), true));
            let mock = draft.mock_with(of, true, false, &methods);
            draft.answers(mock, has_more, Literal::Boolean(true));
            tests.push(draft.call(text, &[mock.0]));
        }
        let results = bench.run(&mut bench.pool(1), &tests);
        let outcomes: Vec<_> = results.observations.iter().map(|it| it.outcome).collect();
        assert_eq!(outcomes, [Outcome::BudgetSpent; 2], "on {}", home.display());
    }
}

/// Tests with mocks of all sorts.
fn assorted(bench: &mut Bench) -> Vec<TestCase> {
    let mut tests = vec![
        throwing(bench, "asks(Lsubject/Mocking$Service;)V"),
        throwing(bench, "catches(Lsubject/Mocking$Service;)V"),
    ];
    for calls_real in [false, true] {
        for (of, text) in [
            (SERVICE, ASK_SERVICE),
            ("subject/Mocking$Primitives", "primitives(Lsubject/Mocking$Primitives;)V"),
            ("subject/Mocking$Empty", "empty(Lsubject/Mocking$Empty;)V"),
            ("subject/Mocking$Closed", "closed(Lsubject/Mocking$Closed;)V"),
            ("subject/Mocking$Strict", "strict(Lsubject/Mocking$Strict;)V"),
            ("subject/Mocking$Partial", "partial(Lsubject/Mocking$Partial;)V"),
            ("subject/Mocking$TextSource", "source(Lsubject/Mocking$Source;)V"),
            ("subject/Mocking$Hidden", "hidden(Ljava/lang/Object;)V"),
        ] {
            let mut draft = Draft::new(bench);
            let mock = draft.mock(of, calls_real);
            tests.push(draft.call(text, &[mock.0]));
            let mut draft = Draft::new(bench);
            let mock = draft.mock(of, calls_real);
            let methods = draft.bench.vocabulary.mock(mock.1).unwrap().methods.clone();
            for mocked in methods.iter() {
                let method = draft.bench.vocabulary.method(mocked.method).unwrap().clone();
                let (name, result) = (method.name, method.result);
                match draft.bench.vocabulary.type_of(result).unwrap().descriptor() {
                    "I" => draft.answers(mock, &name, Literal::Int(77)),
                    "J" => draft.answers(mock, &name, Literal::Long(77)),
                    "Z" => draft.answers(mock, &name, Literal::Boolean(true)),
                    other if other.starts_with('L') => draft.answers(mock, &name, Literal::Null(result)),
                    _ => {}
                }
            }
            tests.push(draft.call(text, &[mock.0]));
        }
    }
    tests
}

#[test]
fn mocks_are_the_same_everywhere() {
    for home in jdk_homes() {
        let mut bench = Bench::new(&home);
        let tests = assorted(&mut bench);
        let mut pool = bench.pool(1);
        let expected = bench.run(&mut pool, &tests);
        // They end as the subject or its mocks want it: no class was refused.
        let heard: BTreeSet<_> =
            expected.observations.iter().map(|it| it.thrown().unwrap().class.as_str()).collect();
        assert_eq!(heard, ["java.lang.IllegalStateException", "java.lang.NullPointerException"].into());
        let fresh = bench.run_isolated(&mut pool, &tests, Isolation::FreshLoader);
        assert_eq!(fresh, expected, "on {}", home.display());
        assert_eq!(bench.run(&mut pool, &tests), expected, "on {}", home.display());
        let many: Vec<_> = (0..20).flat_map(|_| tests.clone()).collect();
        let (one, two) = (bench.run(&mut pool, &many), bench.run(&mut bench.pool(2), &many));
        assert_eq!(one, two, "on {}", home.display());
        bench.options = vec!["-Xcheck:jni".to_owned()];
        let mut pool = bench.pool(1);
        assert_eq!(bench.run(&mut pool, &tests), expected, "on {}", home.display());
        assert_eq!(pool.handle().statistics().died, 0, "on {}", home.display());
    }
}
