//! Whatever the types of released libraries and of the JDK answer as mocks, compilers accept it.

use std::path::PathBuf;

use crashback_classpath::ClassPath;
use crashback_emit::mockito::{self, Mockito};
use crashback_emit::source::{Mode, Request, TestSource, write};
use crashback_emit::verify::Verifier;
use crashback_program::ClassSource;
use crashback_program::classes::Classes;
use crashback_testcase::{
    Answer, Arguments, Context, Given, Literal, MethodId, MockId, Random, Statement, TestCase, Text, Type,
    TypeId, TypeRef, Var, Vocabulary, check,
};

use crate::libraries::{packages, samples, verifier_of};
use crate::support::{JUNIT_5, all_jdks, fetch, load, load_with};

#[test]
fn guava() {
    compiles("com.google.guava:guava:31.1-jre");
}

#[test]
fn commons_math() {
    compiles("org.apache.commons:commons-math3:3.6.1");
}

/// Its methods of variable arity and its generics are asked for by a Mockito for which types of
/// matchers matter.
#[test]
fn commons_lang_with_mockito_5() {
    let class_path =
        load(&["org.apache.commons:commons-lang3:3.14.0", "org.mockito:mockito-core:5.20.0"], &[]);
    let classes = Classes::new(&class_path);
    let mut no_fetch = |_: &[&str]| Err("everything is there".to_owned());
    let mockito = mockito::resolve(&classes, None, 17, &mut no_fetch).unwrap();
    assert_eq!(mockito.jars, Vec::<PathBuf>::new());
    let jdk = crate::support::jdk();
    compiles_on(&class_path, &jdk, &mockito);
}

fn compiles(library: &str) {
    for jdk in all_jdks() {
        let class_path = load_with(jdk.clone(), &[library], &[]);
        let classes = Classes::new(&class_path);
        let mockito = mockito::resolve(&classes, None, jdk.feature.into(), &mut fetch).unwrap();
        compiles_on(&class_path, &jdk, &mockito);
    }
}

fn compiles_on(class_path: &ClassPath, jdk: &crashback_classpath::jdk::Jdk, mockito: &Mockito) {
    let mut sources = tests(class_path, samples());
    let mocking = sources.len();
    sources.extend(constructions(class_path));
    assert!(sources.len() > mocking + 10, "{} constructions", sources.len() - mocking);
    let anonymous = anonymous_classes(class_path, samples());
    assert!(anonymous.iter().any(|it| !it.needs_mockito()), "values that are answered may be mocks");
    for form in ["@Override", "throw new ", "return null;", "toString() {", "<>()"] {
        assert!(anonymous.iter().any(|it| it.text.contains(form)), "no {form}");
    }
    sources.extend(anonymous);
    let scratch = tempfile::tempdir().unwrap();
    let verifier = Verifier { mockito: Some(mockito), ..verifier_of(class_path, jdk, scratch.path()) };
    let refused = verifier.compile_all(&sources).unwrap();
    let refused: Vec<String> =
        sources.iter().zip(refused).filter_map(|(it, why)| Some(format!("{}\n{}", why?, it.text))).collect();
    assert!(refused.is_empty(), "Java {} refuses {}:\n{}", jdk.feature, refused.len(), refused.join("\n"));
    sources.truncate(mocking);
    let stubs: usize = sources.iter().map(|it| it.text.matches("when(").count()).sum();
    assert!(stubs > 3 * sources.len(), "only {stubs} answers in {} tests", sources.len());
    for form in ["thenReturn(", "doReturn(", "doThrow(", "doAnswer(", "CALLS_REAL", ") any()"] {
        assert!(sources.iter().any(|it| it.text.contains(form)), "no {form}");
    }
}

/// Tests each of which tells a mock of one type what to answer, in the package of the type and
/// elsewhere.
fn tests(class_path: &ClassPath, count: usize) -> Vec<TestSource> {
    let index = class_path.index();
    let library = packages(class_path).into_iter().flat_map(|(_, all)| all);
    let types: Vec<&str> = library.chain(JDK).collect();
    let mut random = Random::new(7);
    let mut sources = Vec::new();
    for attempt in 0.. {
        let name = *random.pick(&types).unwrap();
        let own = index.get(name).map_or("", |it| it.package());
        let package = if own.starts_with("java") || attempt % 3 == 0 { "elsewhere" } else { own };
        let context = Context::new(index, package);
        if context.check_mockable(name).is_err() {
            continue;
        }
        let Some((case, vocabulary)) = Telling::of(context, name, &mut random) else { continue };
        let class = format!("Mock{}Test", sources.len());
        sources.push(written(class_path, package, &class, &case, &vocabulary));
        if sources.len() == count {
            break;
        }
    }
    sources
}

/// Tests each of which has an anonymous class of one type, with some answers.
fn anonymous_classes(class_path: &ClassPath, count: usize) -> Vec<TestSource> {
    let index = class_path.index();
    let library = packages(class_path).into_iter().flat_map(|(_, all)| all);
    let own = library.filter(|it| index.get(it).is_some_and(|it| it.is_interface()));
    let types: Vec<&str> = own.chain(JDK).chain(["java/lang/Object", "java/lang/Iterable"]).collect();
    let mut random = Random::new(11);
    let mut sources = Vec::new();
    for attempt in 0..100 * count {
        let name = *random.pick(&types).unwrap();
        let own = index.get(name).map_or("", |it| it.package());
        let package = if own.starts_with("java") || attempt % 3 == 0 { "elsewhere" } else { own };
        let context = Context::new(index, package);
        if context.check_anonymous(name).is_err() {
            continue;
        }
        let (case, vocabulary) = Telling::anonymous(context, name, &mut random).unwrap();
        let class = format!("Anonymous{}Test", sources.len());
        sources.push(written(class_path, package, &class, &case, &vocabulary));
        if sources.len() == count {
            break;
        }
    }
    assert_eq!(sources.len(), count);
    sources
}

fn written(
    class_path: &ClassPath,
    package: &str,
    class: &str,
    case: &TestCase,
    vocabulary: &Vocabulary,
) -> TestSource {
    let request = Request {
        package,
        class,
        method: "test",
        junit: JUNIT_5.junit,
        mode: Mode::Fails,
        received: None,
        comment: &[],
    };
    write(case, vocabulary, &Classes::new(class_path), &request).unwrap()
}

/// Tests that call the constructors of all abstract classes, as far as a class of a test can lie
/// below them.
fn constructions(class_path: &ClassPath) -> Vec<TestSource> {
    let index = class_path.index();
    let mut sources = Vec::new();
    for name in packages(class_path).into_iter().flat_map(|(_, all)| all) {
        let class = index.get(name).unwrap();
        for package in [class.package(), "elsewhere"] {
            let context = Context::new(index, package);
            for constructor in class.methods_named("<init>").filter(|_| context.is_extensible(class)) {
                let mut test = Telling { context, vocabulary: Vocabulary::default(), statements: Vec::new() };
                test.vocabulary.add_subclass_of(context, name).unwrap();
                let constructor = test.vocabulary.add_method_of(class, constructor).unwrap();
                if test.construct(constructor).is_some() {
                    let number = sources.len();
                    let (case, class) = (TestCase::new(test.statements), format!("Below{number}Test"));
                    sources.push(written(class_path, package, &class, &case, &test.vocabulary));
                }
            }
        }
    }
    sources
}

/// A test that is being written: a mock, and what it answers.
struct Telling<'a> {
    context: Context<'a>,
    vocabulary: Vocabulary,
    statements: Vec<Statement>,
}

impl<'a> Telling<'a> {
    fn of(context: Context<'a>, name: &str, random: &mut Random) -> Option<(TestCase, Vocabulary)> {
        let mut told = Self { context, vocabulary: Vocabulary::default(), statements: Vec::new() };
        let mock_runs_nothing = !random.one_in(4);
        let mock = told.vocabulary.add_mock_of(context, name, !mock_runs_nothing).ok()?;
        let variable = told.push(Statement::Mock(mock))?;
        let methods: Vec<MethodId> = methods(&told.vocabulary, mock);
        for _ in 0..methods.len().min(8) {
            let method = *random.pick(&methods)?;
            if let Some(answer) = told.answer(method, random) {
                let given = if mock_runs_nothing { told.given(method) } else { None };
                told.push(Statement::Stub { mock: variable, method, given, answer });
            }
        }
        let is_told = told.statements.iter().any(|it| matches!(it, Statement::Stub { .. }));
        is_told.then(|| (TestCase::new(told.statements), told.vocabulary))
    }

    /// The same for an anonymous class, as far as it can have the answers.
    fn anonymous(context: Context<'a>, name: &str, random: &mut Random) -> Option<(TestCase, Vocabulary)> {
        let mut told = Self { context, vocabulary: Vocabulary::default(), statements: Vec::new() };
        let mock = told.vocabulary.add_anonymous_of(context, name).ok()?;
        let variable = told.push(Statement::Mock(mock)).expect("an anonymous class");
        let methods: Vec<MethodId> = methods(&told.vocabulary, mock);
        for _ in 0..methods.len().min(8) {
            let method = *random.pick(&methods)?;
            if let Some(answer) = told.answer(method, random) {
                told.push(Statement::Stub { mock: variable, method, given: None, answer });
            }
        }
        Some((TestCase::new(told.statements), told.vocabulary))
    }

    fn construct(&mut self, constructor: MethodId) -> Option<Var> {
        let mut arguments = Arguments::new();
        for id in self.vocabulary.method(constructor)?.parameters.clone() {
            let of = self.vocabulary.type_of(id)?.clone();
            let made = match of.is_reference() {
                true => Statement::Literal(Literal::Null(id)),
                false => self.made(id, of.view(), &mut Random::new(1)),
            };
            arguments.push(self.push(made)?);
        }
        self.push(Statement::Construct { constructor, arguments })
    }

    /// A class that a method is asked for, if it takes one.
    fn given(&mut self, method: MethodId) -> Option<Given> {
        let is_class =
            |it: &TypeId| self.vocabulary.type_of(*it).is_some_and(|it| it.view() == TypeRef::CLASS);
        let parameter = self.vocabulary.method(method)?.parameters.iter().position(is_class)?;
        let class = self.vocabulary.add_type(Type::of_class("java/lang/Number"));
        let class = self.push(Statement::Literal(Literal::Class(class)))?;
        Some(Given { parameter: u8::try_from(parameter).ok()?, class })
    }

    fn answer(&mut self, method: MethodId, random: &mut Random) -> Option<Answer> {
        let result = self.vocabulary.method(method)?.result;
        let of = self.vocabulary.type_of(result)?.clone();
        if of.view().is_void() || random.one_in(4) {
            let class = random.pick(&EXCEPTIONS)?;
            let hierarchy = self.context.hierarchy();
            let constructor = self.vocabulary.find_method(hierarchy, &format!("{class}.<init>()V")).ok()?;
            let made = Statement::Construct { constructor, arguments: Arguments::new() };
            return self.push(made).map(Answer::Throw);
        }
        let made = self.made(result, of.view(), random);
        let first = self.push(made)?;
        if random.one_in(3) {
            let made = self.made(result, of.view(), random);
            return self.push(made).map(|then| Answer::Sequence { first, then });
        }
        Some(Answer::Return(first))
    }

    fn made(&mut self, id: TypeId, of: TypeRef<'_>, random: &mut Random) -> Statement {
        let literal = match of.descriptor() {
            "Z" => Literal::Boolean(true),
            "B" => Literal::Byte(1),
            "S" => Literal::Short(2),
            "C" => Literal::Char(99),
            "I" => Literal::Int(4),
            "J" => Literal::Long(5),
            "F" => Literal::Float(6.5),
            "D" => Literal::Double(7.5),
            "Ljava/lang/String;" => Literal::Text(Text::from("eight")),
            _ => {
                let mockable = of.class_name().filter(|it| self.context.check_mockable(it).is_ok());
                let mock = mockable
                    .filter(|_| !random.one_in(3))
                    .and_then(|it| self.vocabulary.add_mock_of(self.context, it, false).ok());
                return mock.map_or(Statement::Literal(Literal::Null(id)), Statement::Mock);
            }
        };
        Statement::Literal(literal)
    }

    /// The variable of a further statement, if the test is valid with it.
    fn push(&mut self, statement: Statement) -> Option<Var> {
        let mut longer = self.statements.clone();
        longer.push(statement);
        let test = TestCase::new(longer.clone());
        check(&test, &self.vocabulary, &self.context).ok()?;
        self.statements = longer;
        Some(Var(u16::try_from(self.statements.len() - 1).unwrap()))
    }
}

fn methods(vocabulary: &Vocabulary, mock: MockId) -> Vec<MethodId> {
    vocabulary.mock(mock).map_or_else(Vec::new, |it| it.methods.iter().map(|it| it.method).collect())
}

const EXCEPTIONS: [&str; 4] = [
    "java/lang/IllegalStateException",
    "java/io/IOException",
    "java/lang/InterruptedException",
    "java/lang/StackOverflowError",
];

const JDK: [&str; 16] = [
    "java/util/List",
    "java/util/Map",
    "java/util/Map$Entry",
    "java/util/Iterator",
    "java/util/Comparator",
    "java/util/function/Function",
    "java/util/concurrent/ExecutorService",
    "java/util/concurrent/Callable",
    "java/util/stream/Stream",
    "java/util/ArrayList",
    "java/io/InputStream",
    "java/io/Writer",
    "java/io/PrintStream",
    "java/sql/Connection",
    "java/sql/ResultSet",
    "java/nio/file/Path",
];
