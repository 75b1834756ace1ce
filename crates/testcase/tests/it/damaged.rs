//! Each kind of damage is reported as what it is, where it is.

use crashback_testcase::sample::Sampler;
use crashback_testcase::{
    Arguments, Kind, Literal, MemberName, Method, MethodId, Problem, Statement, TestCase, Text, Type, TypeId,
    Var, check,
};

use crate::support::{Draft, WORLD};

/// Writes a test case of which only the last statement is wrong, in one way.
#[track_caller]
fn expect<R>(write: impl FnOnce(&mut Draft) -> R, problem: Problem) {
    let mut draft = Draft::default();
    write(&mut draft);
    let found = draft.check().unwrap_err();
    let last = draft.statements.len() - 1;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].statement, &found[0].problem), (last, &problem));
    assert!(found[0].to_string().starts_with(&format!("statement {last}: ")), "{}", found[0]);
}

/// The same for a call of a method.
#[track_caller]
fn expect_of<R>(member: &str, problem: fn(MemberName) -> Problem, write: impl FnOnce(&mut Draft, &str) -> R) {
    expect(|draft| write(draft, member), problem(member.parse().unwrap()));
}

fn of(descriptor: &str) -> Type {
    Type(descriptor.into())
}

#[test]
fn variables() {
    let text = |draft: &mut Draft| draft.literal(Literal::Text("x".into()));
    let length = "java/lang/String.length()I";
    expect(|it| it.call(length, Some(Var(0)), &[]), Problem::UndefinedVariable(Var(0)));
    expect(|it| it.call(length, Some(Var(9)), &[]), Problem::UndefinedVariable(Var(9)));
    expect(
        |it| it.push(Statement::ReadElement { array: Var(0), index: 0 }),
        Problem::UndefinedVariable(Var(0)),
    );
    expect(
        |it| {
            let away = it.construct("away/Away.<init>()V", &[]);
            let nothing = it.call("away/Away.call()V", Some(away), &[]);
            it.call("java/lang/Object.hashCode()I", Some(nothing), &[]);
        },
        Problem::VoidVariable(Var(1)),
    );
    expect(
        |it| {
            let away = it.construct("away/Away.<init>()V", &[]);
            let one = it.literal(Literal::Int(1));
            let written = it.write("away/Away.open:I", Some(away), one);
            it.cast("Ljava/lang/Object;", written);
        },
        Problem::VoidVariable(Var(2)),
    );
    let mut draft = Draft::default();
    text(&mut draft);
    assert_eq!(draft.check(), Ok(()));
}

#[test]
fn types_of_arguments() {
    let not =
        |variable, from, to| Problem::NotAssignable { variable: Var(variable), from: of(from), to: of(to) };
    let count = "away/Away.count(ILjava/lang/String;)I";
    expect(
        |it| {
            let (number, text) = (it.literal(Literal::Short(1)), it.literal(Literal::Text("x".into())));
            it.call(count, None, &[number, text]);
        },
        not(0, "S", "I"),
    );
    expect(
        |it| {
            let (number, text) = (it.literal(Literal::Int(1)), it.null("Ljava/lang/CharSequence;"));
            it.call(count, None, &[number, text]);
        },
        not(1, "Ljava/lang/CharSequence;", "Ljava/lang/String;"),
    );
    expect(
        |it| {
            let object = it.construct("java/lang/Object.<init>()V", &[]);
            it.call("java/lang/String.length()I", Some(object), &[]);
        },
        not(0, "Ljava/lang/Object;", "Ljava/lang/String;"),
    );
    expect(
        |it| {
            let (array, value) = (it.new_array("[Ljava/lang/String;", 1), it.any("Ljava/lang/Object;"));
            it.push(Statement::WriteElement { array, index: 0, value });
        },
        not(2, "Ljava/lang/Object;", "Ljava/lang/String;"),
    );
    expect(
        |it| {
            let value = it.literal(Literal::Long(1));
            it.write("away/Away.shared:I", None, value);
        },
        not(0, "J", "I"),
    );
    expect(
        |it| {
            let array = it.new_array("[I", 1);
            it.call("java/util/Arrays.sort([Ljava/lang/Object;)V", None, &[array]);
        },
        not(0, "[I", "[Ljava/lang/Object;"),
    );
    let count_problem =
        |actual| Problem::ArgumentCount { member: count.parse().unwrap(), expected: 2, actual };
    expect(|it| it.call(count, None, &[]), count_problem(0));
    expect(
        |it| {
            let one = it.literal(Literal::Int(1));
            it.call(count, None, &[one, one, one]);
        },
        count_problem(3),
    );
}

#[test]
fn the_folder_of_a_test_is_a_file() {
    let mut draft = Draft::default();
    let (folder, name) = (draft.literal(Literal::Folder), draft.literal(Literal::Text("x".into())));
    draft.construct("java/io/File.<init>(Ljava/io/File;Ljava/lang/String;)V", &[folder, name]);
    draft.cast("Ljava/lang/Comparable;", folder);
    assert_eq!(draft.check(), Ok(()));

    let (from, to) = (of("Ljava/io/File;"), of("Ljava/lang/String;"));
    expect(
        |it| {
            let folder = it.literal(Literal::Folder);
            it.construct("java/io/File.<init>(Ljava/lang/String;)V", &[folder]);
        },
        Problem::NotAssignable { variable: Var(0), from, to },
    );
    expect(
        |it| {
            let folder = it.literal(Literal::Folder);
            it.push(Statement::ReadElement { array: folder, index: 0 });
        },
        Problem::NotAnArray(of("Ljava/io/File;")),
    );
}

#[test]
fn receivers() {
    expect_of("java/lang/String.length()I", Problem::ReceiverMissing, |it, name| it.call(name, None, &[]));
    expect_of("away/Away.open:I", Problem::ReceiverMissing, |it, name| it.read(name, None));
    expect_of("away/Away.guardedCount()I", Problem::InaccessibleMember, |it, name| it.call(name, None, &[]));
    expect_of("away/Face.ofFace()I", Problem::ReceiverNeedless, |it, name| {
        let face = it.construct("away/Away.<init>()V", &[]);
        it.call(name, Some(face), &[]);
    });
    expect_of("away/Away.shared:I", Problem::ReceiverNeedless, |it, name| {
        let away = it.construct("away/Away.<init>()V", &[]);
        it.read(name, Some(away));
    });
    expect(
        |it| {
            let text = it.null("Ljava/lang/String;");
            let object = it.cast("Ljava/lang/Object;", text);
            it.call("java/lang/Object.hashCode()I", Some(object), &[]);
        },
        Problem::NullDereferenced(Var(1)),
    );
    expect(
        |it| {
            let (away, one) = (it.null("Laway/Away;"), it.literal(Literal::Int(1)));
            it.construct("away/Away$Inner.<init>(Laway/Away;I)V", &[away, one]);
        },
        Problem::NullDereferenced(Var(0)),
    );
}

#[test]
fn entries_of_the_vocabulary() {
    expect(|it| it.push(Statement::NewArray { array: TypeId(0), length: 1 }), Problem::NotInVocabulary);
    expect(|it| it.literal(Literal::Class(TypeId(7))), Problem::NotInVocabulary);
    let call = |method| Statement::Call { method, receiver: None, arguments: Arguments::new() };
    expect(|it| it.push(call(MethodId(0))), Problem::NotInVocabulary);
    expect_of("java/lang/Object.hashCode()I", Problem::NotAConstructor, |it, name| it.construct(name, &[]));
    expect_of("java/lang/Object.<init>()V", Problem::ConstructorCalled, |it, name| it.call(name, None, &[]));
    let push = |it: &mut Draft, owner: &str, name: &str, kind| {
        let (owner, result) = (it.of(owner), it.of("V"));
        let parameters = Default::default();
        let method = it.vocabulary.add_method(Method { owner, name: name.into(), kind, parameters, result });
        it.push(call(method));
    };
    expect_of("away/Away.call()V", Problem::StaticDiffers, |it, _| {
        push(it, "Laway/Away;", "call", Kind::Static)
    });
    expect_of("away/Away.none()V", Problem::UnknownMember, |it, _| {
        push(it, "Laway/Away;", "none", Kind::Static)
    });
    expect_of("away/Away.<clinit>()V", Problem::InitialiserCalled, |it, _| {
        push(it, "Laway/Away;", "<clinit>", Kind::Static);
    });
    expect_of("[I.run()V", Problem::UnknownMember, |it, _| push(it, "[I", "run", Kind::Static));
    expect(|it| push(it, "I", "call", Kind::Static), Problem::NotAReference(of("I")));
    expect(
        |it| push(it, "Laway/Nothing;", "call", Kind::Static),
        Problem::UnknownClass("away/Nothing".into()),
    );
    expect(|it| push(it, "Laway/Away;", "a-b", Kind::Static), Problem::NotAJavaName("a-b".into()));
    expect(|it| push(it, "Ljava;", "call", Kind::Static), Problem::UnknownClass("java".into()));
    expect_of("away/Away.ofFace()I", Problem::UnknownMember, |it, _| {
        let (owner, result) = (it.of("Laway/Away;"), it.of("I"));
        let (name, kind, parameters) = ("ofFace".into(), Kind::Static, Default::default());
        let method = it.vocabulary.add_method(Method { owner, name, kind, parameters, result });
        it.push(call(method));
    });
}

#[test]
fn classes_and_their_members() {
    let literal = |descriptor: &'static str| {
        move |it: &mut Draft| {
            let of = it.of(descriptor);
            it.literal(Literal::Class(of));
        }
    };
    let class = |name: &str| name.to_owned();
    expect(literal("Laway/Hidden;"), Problem::InaccessibleClass(class("away/Hidden")));
    expect(literal("[Laway/Hidden$Open;"), Problem::InaccessibleClass(class("away/Hidden")));
    expect(literal("Laway/Away$Near$Within;"), Problem::InaccessibleClass(class("away/Away$Near")));
    expect(literal("Laway/Away$1;"), Problem::NamelessClass(class("away/Away$1")));
    expect(literal("Laway/Away$1Local;"), Problem::NamelessClass(class("away/Away$1Local")));
    expect(literal("Laway/Nothing;"), Problem::UnknownClass(class("away/Nothing")));
    expect(literal("LUnpackaged;"), Problem::UnnamedPackage(class("Unpackaged")));
    expect(literal("V"), Problem::MalformedType(of("V")));
    expect(literal("Lopen"), Problem::MalformedType(of("Lopen")));
    expect(|it| it.null("I"), Problem::NotAReference(of("I")));
    expect(|it| it.null("Laway/Hidden;"), Problem::InaccessibleClass(class("away/Hidden")));
    expect(|it| it.construct("away/Form.<init>()V", &[]), Problem::AbstractConstructed(class("away/Form")));
    expect(
        |it| {
            let (text, number) = (it.literal(Literal::Text("x".into())), it.literal(Literal::Int(0)));
            it.construct("away/Colour.<init>(Ljava/lang/String;I)V", &[text, number]);
        },
        Problem::EnumConstructed(class("away/Colour")),
    );
    expect_of("away/Colour.$VALUES:[Laway/Colour;", Problem::SyntheticMember, |it, name| it.read(name, None));
    expect_of("away/IntForm.clone()Ljava/lang/Object;", Problem::SyntheticMember, |it, name| {
        let form = it.construct("away/IntForm.<init>()V", &[]);
        it.call(name, Some(form), &[]);
    });
    expect_of("away/Away.nearCall()V", Problem::InaccessibleMember, |it, name| {
        let away = it.construct("away/Away.<init>()V", &[]);
        it.call(name, Some(away), &[]);
    });
    expect_of("away/Face.CONSTANT_OF_FACE:I", Problem::FinalWritten, |it, name| {
        let one = it.literal(Literal::Int(1));
        it.write(name, None, one);
    });
}

#[test]
fn arrays_and_casts() {
    let deep = "[".repeat(256) + "I";
    expect(|it| it.new_array(&deep, 1), Problem::MalformedType(of(&deep)));
    expect(|it| it.new_array("I", 1), Problem::NotAnArray(of("I")));
    expect(|it| it.new_array("[V", 1), Problem::MalformedType(of("[V")));
    expect(
        |it| {
            let array = it.literal(Literal::Int(1));
            it.push(Statement::ReadElement { array, index: 0 });
        },
        Problem::NotAnArray(of("I")),
    );
    expect(
        |it| {
            let array = it.new_array("[[I", 2);
            let array = it.cast("Ljava/lang/Object;", array);
            let array = it.cast("[[I", array);
            it.push(Statement::ReadElement { array, index: 1 });
            it.push(Statement::ReadElement { array, index: 2 });
        },
        Problem::IndexOutOfBounds { variable: Var(2), index: 2, length: 2 },
    );
    expect(
        |it| {
            let array = it.null("[I");
            it.push(Statement::ReadElement { array, index: 0 });
        },
        Problem::NullDereferenced(Var(0)),
    );
    expect(
        |it| {
            let number = it.literal(Literal::Int(1));
            it.cast("Ljava/lang/Integer;", number);
        },
        Problem::NotAReference(of("I")),
    );
    expect(
        |it| {
            let text = it.literal(Literal::Text("x".into()));
            it.cast("Ljava/lang/Runnable;", text);
        },
        Problem::ImpossibleCast { from: of("Ljava/lang/String;"), to: of("Ljava/lang/Runnable;") },
    );
}

#[test]
fn values_of_hidden_types_need_uses_that_can_be_named() {
    let hidden = |it: &mut Draft| {
        let away = it.construct("away/Away.<init>()V", &[]);
        (away, it.call("away/Away.hidden()Laway/Hidden;", Some(away), &[]))
    };
    let mut draft = Draft::default();
    let (away, value) = hidden(&mut draft);
    draft.call("java/lang/Object.hashCode()I", Some(value), &[]);
    draft.cast("Laway/Away;", value);
    draft.call("away/Away.take(Laway/Hidden;)V", Some(away), &[away]);
    assert_eq!(draft.check(), Ok(()));

    let problem = || Problem::InaccessibleClass("away/Hidden".into());
    expect(
        |it| {
            let (away, value) = hidden(it);
            it.call("away/Away.take(Laway/Hidden;)V", Some(away), &[value]);
        },
        problem(),
    );
    expect(
        |it| {
            let (away, _) = hidden(it);
            let array = it.call("away/Away.hiddens()[Laway/Hidden;", Some(away), &[]);
            it.push(Statement::ReadElement { array, index: 0 });
        },
        problem(),
    );
}

#[test]
fn sizes() {
    let text = |length: usize, unit: u16| Literal::Text(Text::from(vec![unit; length].as_slice()));
    for longest in [text(65535, b'x'.into()), text(32767, 0), text(21845, 0xd800)] {
        assert_eq!(
            check(&TestCase::new(vec![Statement::Literal(longest)]), &Default::default(), &WORLD.context()),
            Ok(())
        );
    }
    expect(|it| it.literal(text(65536, b'x'.into())), Problem::TextTooLong(65536));
    expect(|it| it.literal(text(32768, 0)), Problem::TextTooLong(65536));
    expect(|it| it.literal(text(21846, 0xd800)), Problem::TextTooLong(65538));

    let bytes = |length: usize| Literal::Bytes(vec![1; length].as_slice().into());
    expect(|it| it.literal(bytes(4097)), Problem::TooManyBytes(4097));
    let longest = TestCase::new(vec![Statement::Literal(bytes(4096))]);
    assert_eq!(check(&longest, &Default::default(), &WORLD.context()), Ok(()));

    let long = |length| TestCase::new(vec![Statement::Literal(Literal::Int(1)); length]);
    let check = |length| check(&long(length), &Default::default(), &WORLD.context());
    assert_eq!(check(65535), Ok(()));
    let found = check(65536).unwrap_err();
    assert_eq!((found.len(), found[0].statement, &found[0].problem), (1, 65535, &Problem::TooManyStatements));
}

/// What each mutilation of a statement must be reported as.
type Mutilation = fn(&Statement, &Sampler<'_>) -> Option<(Statement, fn(&Problem) -> bool)>;

const MUTILATIONS: [Mutilation; 6] = [
    |statement, _| match statement {
        Statement::Call { method, receiver: Some(_), arguments } => {
            let damaged = Statement::Call { method: *method, receiver: None, arguments: arguments.clone() };
            Some((damaged, |it| matches!(it, Problem::ReceiverMissing(_))))
        }
        Statement::Call { method, receiver: None, arguments } => {
            let damaged =
                Statement::Call { method: *method, receiver: Some(Var(0)), arguments: arguments.clone() };
            Some((damaged, |it| matches!(it, Problem::ReceiverNeedless(_))))
        }
        _ => None,
    },
    |statement, _| match statement {
        Statement::Construct { constructor, arguments } => {
            let mut arguments = arguments.clone();
            arguments.push(Var(0));
            let damaged = Statement::Construct { constructor: *constructor, arguments };
            Some((damaged, |it| matches!(it, Problem::ArgumentCount { .. })))
        }
        _ => None,
    },
    |statement, _| match statement {
        Statement::Call { method, receiver, arguments } => {
            let mut arguments = arguments.clone();
            *arguments.first_mut()? = Var(u16::MAX);
            let damaged = Statement::Call { method: *method, receiver: *receiver, arguments };
            Some((damaged, |it| matches!(it, Problem::UndefinedVariable(_))))
        }
        _ => None,
    },
    |statement, sampler| match statement {
        Statement::Construct { arguments, .. } => {
            let constructor = MethodId(sampler.vocabulary().known().methods);
            let damaged = Statement::Construct { constructor, arguments: arguments.clone() };
            Some((damaged, |it| matches!(it, Problem::NotInVocabulary)))
        }
        _ => None,
    },
    |statement, _| match statement {
        Statement::Construct { constructor, arguments } => {
            let (method, receiver, arguments) = (*constructor, None, arguments.clone());
            Some((Statement::Call { method, receiver, arguments }, |it| {
                matches!(it, Problem::ConstructorCalled(_))
            }))
        }
        Statement::Call { method, arguments, .. } => {
            let (constructor, arguments) = (*method, arguments.clone());
            Some((Statement::Construct { constructor, arguments }, |it| {
                matches!(it, Problem::NotAConstructor(_))
            }))
        }
        _ => None,
    },
    |statement, _| match statement {
        Statement::Cast { to, .. } => {
            let damaged = Statement::Cast { to: *to, value: Var(u16::MAX) };
            Some((damaged, |it| matches!(it, Problem::UndefinedVariable(_))))
        }
        _ => None,
    },
];

#[test]
fn every_mutilation_of_a_sample_is_noticed() {
    let mut sampler =
        Sampler::new(WORLD.context(), &["java/util/ArrayList", "away/Away", "java/lang/String"], 7);
    let mut applied = [0; MUTILATIONS.len()];
    for _ in 0..100 {
        let test = sampler.test_case(12);
        for (number, statement) in test.statements().iter().enumerate() {
            for (mutilate, applied) in MUTILATIONS.iter().zip(&mut applied) {
                let Some((damaged, is_expected)) = mutilate(statement, &sampler) else { continue };
                let mut statements = test.statements().to_vec();
                statements[number] = damaged;
                let found =
                    check(&TestCase::new(statements), sampler.vocabulary(), &WORLD.context()).unwrap_err();
                assert!(
                    found.iter().any(|it| it.statement == number && is_expected(&it.problem)),
                    "{found:?}"
                );
                *applied += 1;
            }
        }
    }
    assert!(applied.iter().all(|it| *it > 20), "{applied:?}");
}
