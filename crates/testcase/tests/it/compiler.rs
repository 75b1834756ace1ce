//! The checker against the compiler: a test case is valid exactly if its source compiles.

use std::collections::BTreeSet;

use crashback_program::hierarchy::Supertype;
use crashback_program::index::Nesting;
use crashback_program::{ClassView, MemberView};
use crashback_testcase::{Invalid, Problem, TestCase, Vocabulary, check};

use crate::source;
use crate::support::{Draft, WORLD};

/// Test cases with what they name.
pub(crate) struct Suite {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) tests: Vec<TestCase>,
}

impl Suite {
    /// Compiles all test cases in one run, and gives for each what the compiler has against it.
    pub(crate) fn compile(&self) -> Vec<Vec<String>> {
        const TESTS_IN_A_CLASS: usize = 50;
        let mut sources = Vec::new();
        let mut test_of_line = Vec::new();
        for (number, tests) in self.tests.chunks(TESTS_IN_A_CLASS).enumerate() {
            let mut text = format!("package home;\nclass Generated{number} {{\n");
            let mut owners = vec![None, None];
            for (test, case) in tests.iter().enumerate() {
                let lines = source::lines(case, &self.vocabulary, WORLD.context());
                let test = number * TESTS_IN_A_CLASS + test;
                text += &format!("static void test{test}() throws Throwable {{\n{}\n}}\n", lines.join("\n"));
                owners.extend(vec![Some(test); lines.len().max(1) + 2]);
            }
            sources.push((format!("home/Generated{number}.java"), text + "}\n"));
            test_of_line.push(owners);
        }
        let mut errors = vec![Vec::new(); self.tests.len()];
        for line in WORLD.compile(&sources).lines().filter(|it| it.starts_with("Generated")) {
            let (place, message) = line.split_once(' ').unwrap();
            let mut place = place.split(':');
            let file = place.next().unwrap().trim_start_matches("Generated").trim_end_matches(".java");
            let line: usize = place.next().unwrap().parse().unwrap();
            let test = test_of_line[file.parse::<usize>().unwrap()][line - 1];
            errors[test.unwrap_or_else(|| panic!("{message} outside all tests"))].push(message.to_owned());
        }
        errors
    }

    /// Fails where checker and compiler disagree, unless the checker finds what compilers are known
    /// to overlook.
    pub(crate) fn assert_agreement(&self, is_overlooked: impl Fn(&Problem) -> bool) {
        let mut disagreements = String::new();
        let mut accepted = 0;
        for (test, errors) in self.tests.iter().zip(self.compile()) {
            let checked = check(test, &self.vocabulary, &WORLD.context());
            accepted += usize::from(checked.is_ok());
            let overlooked =
                checked.as_ref().is_err_and(|found| found.iter().all(|it| is_overlooked(&it.problem)));
            if checked.is_ok() != errors.is_empty() && !overlooked {
                let lines = source::lines(test, &self.vocabulary, WORLD.context()).join("\n");
                disagreements += &format!("{lines}\nchecker: {checked:?}\ncompiler: {errors:?}\n\n");
            }
        }
        assert_eq!(disagreements, "");
        let rejected = self.tests.len() - accepted;
        assert!(accepted > 20 && rejected > 20, "{accepted} accepted, {rejected} rejected");
    }
}

#[test]
fn members_are_accessible_exactly_if_the_compiler_says_so() {
    let mut draft = Draft::default();
    let mut tests = Vec::new();
    for class in subjects() {
        tests.push(class_literal(&mut draft, class));
        let above = WORLD.context().hierarchy().supertypes(class.name());
        let mut seen = BTreeSet::new();
        for declaring in above.into_iter().filter_map(Supertype::known) {
            for member in declaring.fields().chain(declaring.methods()) {
                let is_of_class = declaring.reference() == class.reference();
                let is_inherited = is_of_class || member.name() != "<init>";
                if member.name() != "<clinit>"
                    && is_inherited
                    && seen.insert((member.name(), member.descriptor()))
                    && !differs_in_result(member)
                {
                    tests.extend(uses(&mut draft, class, member));
                }
            }
        }
    }
    Suite { vocabulary: draft.vocabulary, tests }.assert_agreement(|_| false);
}

/// Whether sources cannot tell a method from another one of its class, so that the compiler calls
/// that one.
fn differs_in_result(method: MemberView<'_>) -> bool {
    let parameters =
        |it: MemberView<'_>| it.descriptor().split_once(')').map(|(parameters, _)| parameters.to_owned());
    let mut others = method.class().methods_named(method.name()).filter(|it| it.number() != method.number());
    method.is_bridge() && others.any(|it| parameters(it) == parameters(method))
}

/// The classes that were compiled, as far as they have names at all and all classes above them.
fn subjects() -> impl Iterator<Item = ClassView<'static>> {
    let packages = ["home", "away", ""].into_iter().flat_map(|it| WORLD.index().package(it));
    let classes = packages.filter_map(|it| WORLD.index().view(*it));
    classes.filter(|it| {
        matches!(it.nesting(), Nesting::TopLevel | Nesting::Member { .. }) && it.name() != "away/Orphan"
    })
}

fn class_literal(draft: &mut Draft, class: ClassView<'_>) -> TestCase {
    draft.statements.clear();
    let of = draft.of(&format!("L{};", class.name()));
    draft.literal(crashback_testcase::Literal::Class(of));
    draft.test_case()
}

/// A call, or a read and a write, of a member through a class.
fn uses(draft: &mut Draft, class: ClassView<'_>, member: MemberView<'_>) -> Vec<TestCase> {
    let colon = if member.descriptor().starts_with('(') { "" } else { ":" };
    let text = format!("{}.{}{colon}{}", class.name(), member.name(), member.descriptor());
    let owner = format!("L{};", class.name());
    draft.statements.clear();
    let is_constructor = member.name() == "<init>";
    let receiver = (!member.is_static() && !is_constructor).then(|| draft.any(&owner));
    if colon == ":" {
        let before = draft.statements.clone();
        draft.read(&text, receiver);
        let read = draft.test_case();
        draft.statements = before;
        let value = draft.any(member.descriptor());
        draft.write(&text, receiver, value);
        return vec![read, draft.test_case()];
    }
    let method = draft.vocabulary.find_method(WORLD.context().hierarchy(), &text);
    // The JVM does not find static methods of interfaces below them.
    let Ok(method) = method else { return Vec::new() };
    let parameters = draft.vocabulary.method(method).unwrap().parameters.clone();
    let arguments: Vec<_> = parameters
        .iter()
        .map(|it| {
            let of = draft.vocabulary.type_of(*it).unwrap().descriptor().to_owned();
            draft.any(&of)
        })
        .collect();
    match is_constructor {
        true => draft.construct(&text, &arguments),
        false => draft.call(&text, receiver, &arguments),
    };
    vec![draft.test_case()]
}

#[test]
fn classes_of_the_unnamed_package_see_all_others() {
    let mut draft = Draft::default();
    draft.construct("Unpackaged.<init>()V", &[]);
    let context = crashback_testcase::Context::new(WORLD.index(), "");
    assert_eq!(check(&draft.test_case(), &draft.vocabulary, &context), Ok(()));
    let problem = Problem::UnnamedPackage("Unpackaged".into());
    assert_eq!(draft.check(), Err(vec![Invalid { statement: 0, problem }]));
}
