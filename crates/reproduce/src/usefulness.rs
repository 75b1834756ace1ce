//! What a maintainer would hold against a test, and by which one test is more useful than another.

use crashback_fitness::Verdict;
use crashback_program::frames::CrashAudit;
use crashback_program::origins::Origin;
use crashback_program::{MemberView, Origins};
use crashback_protocol::{Asked, Observation};
use crashback_testcase::{
    Context, Literal, Method, Mocked, Statement, TestCase, TypeId, TypeRef, Var, Vocabulary,
};

use crate::candidate::{mocks, nulls};
use crate::{Case, Degree, Doubt};

/// Looks at tests of a package that reproduce a frame.
#[derive(Clone, Copy)]
pub(crate) struct Critic<'c> {
    pub(crate) case: Case<'c>,
    pub(crate) vocabulary: &'c Vocabulary,
    /// The package of the tests, in internal form.
    pub(crate) package: &'c str,
    /// The frame that they reproduce.
    pub(crate) level: u32,
}

impl Critic<'_> {
    /// Makes a test that crashes as wanted no solution if a known one is as good.
    pub(crate) fn reject_unless_better(&self, known: Option<Known>, test: &TestCase, verdict: &mut Verdict) {
        if verdict.is_solution() {
            verdict.reject_unless(known.is_none_or(|it| it.may_yield_to(test, self)));
        }
    }

    /// How useful a test is that ended in this way.
    pub(crate) fn usefulness(&self, test: &TestCase, ended: Ended<'_>) -> Usefulness {
        let run = test.statements().get(..ended.completed.saturating_add(1)).unwrap_or(test.statements());
        let needed = needed(run);
        Usefulness {
            doubts: self.doubts(&needed).len() + usize::from(self.rests_on_default(ended.asked)),
            is_hidden: needed.statements().last().is_some_and(|it| self.is_hidden(it)),
            mocks: mocks(&needed),
            has_other_message: !ended.has_logged_message,
            nulls: nulls(&needed),
            statements: needed.statements().len(),
        }
    }

    /// The doubts that the text of a test raises.
    pub(crate) fn doubts(&self, test: &TestCase) -> Vec<Doubt> {
        let mut found = Vec::new();
        if self.breaks_invariants(test) {
            found.push(Doubt::BrokenInvariant);
        }
        if self.calls_leaf(test) {
            found.push(Doubt::LeafGuard);
        }
        found
    }

    /// Whether a null pointer crash may rest on the `null` that a mock yields to a call that no test said
    /// anything about.
    pub(crate) fn rests_on_default(&self, asked: &[Asked]) -> bool {
        let yields_null = |asked: &Asked| {
            let mock = self.vocabulary.mock(asked.mock);
            let has_code = |it: &&Mocked| mock.is_some_and(|mock| mock.calls_real) && !it.is_abstract;
            let method = mock.and_then(|it| it.methods.get(usize::from(asked.method)));
            let method = method.filter(|it| !has_code(it));
            let method = method.and_then(|it| self.vocabulary.method(it.method));
            let result = method.and_then(|it| self.vocabulary.type_of(it.result));
            result.is_some_and(|it| it.is_reference() && !is_empty_by_default(it.view()))
        };
        self.case.audit.exception == "java.lang.NullPointerException" && asked.iter().any(yields_null)
    }

    /// Whether objects are made or changed through members that the program keeps to itself. The last call
    /// is the one into the crash: a test may well make that from within the package.
    fn breaks_invariants(&self, test: &TestCase) -> bool {
        let Some((_, before)) = test.statements().split_last() else { return false };
        before.iter().any(|it| match it {
            Statement::WriteField { field, .. } => {
                let owner = self.vocabulary.field(*field).and_then(|it| self.vocabulary.type_of(it.owner));
                owner.and_then(|it| it.class_name()).is_some_and(|it| is_of_program(self.case.origins, it))
            }
            other => self.is_hidden(other),
        })
    }

    /// The numbers of the statements before the last call that make objects through members that the program
    /// keeps to itself.
    pub(crate) fn hidden_makers(&self, test: &TestCase) -> Vec<usize> {
        let before = test.statements().len().saturating_sub(1);
        let numbered = test.statements().iter().take(before).enumerate();
        numbered.filter(|(_, it)| self.is_hidden(it)).map(|(number, _)| number).collect()
    }

    /// Whether a statement calls or reads a member that the program keeps to itself.
    fn is_hidden(&self, statement: &Statement) -> bool {
        let context = Context::new(self.case.classes.index(), self.package);
        let is_hidden = |it: MemberView<'_>| {
            let is_public = it.is_public() && it.class().access().is_public();
            !is_public && is_of_program(self.case.origins, it.class().name())
        };
        match statement {
            Statement::Construct { constructor: method, .. } | Statement::Call { method, .. } => {
                let name = self.vocabulary.method(*method).and_then(|it| self.vocabulary.method_name(it));
                name.and_then(|it| context.method(&it).ok().flatten()).is_some_and(is_hidden)
            }
            Statement::ReadField { field, .. } => {
                let name = self.vocabulary.field(*field).and_then(|it| self.vocabulary.field_name(it));
                name.and_then(|it| context.field(&it).ok().flatten()).is_some_and(is_hidden)
            }
            _ => false,
        }
    }

    /// Whether a test calls the innermost method with values written down, or with a negative index, though
    /// the log tells who called it, and so what it is never given.
    fn calls_leaf(&self, test: &TestCase) -> bool {
        let Some(Statement::Call { arguments, .. } | Statement::Construct { arguments, .. }) =
            test.statements().last()
        else {
            return false;
        };
        let is_written = !arguments.is_empty() && arguments.iter().all(|it| self.is_simple(test, *it));
        let has_wrong_index = self.is_of_index() && arguments.iter().any(|it| is_negative(test, *it));
        (is_written || has_wrong_index) && has_callers(self.case.audit, self.level)
    }

    /// Whether the exception tells of an index or length.
    fn is_of_index(&self) -> bool {
        let exception = self.case.audit.exception.as_str();
        exception.ends_with("IndexOutOfBoundsException")
            || exception == "java.lang.NegativeArraySizeException"
    }

    /// Whether a value is written down, or a number or text that the JDK computes of such values.
    fn is_simple(&self, test: &TestCase, value: Var) -> bool {
        let is_plain = |of: TypeId| {
            let of = self.vocabulary.type_of(of).map(|it| it.view());
            of.is_some_and(|it| !it.is_reference() || it.descriptor() == "Ljava/lang/String;")
        };
        match test.statements().get(usize::from(value.0)) {
            Some(Statement::Literal(_)) => true,
            Some(Statement::ReadField { field, receiver: None }) => {
                self.vocabulary.field(*field).is_some_and(|it| is_plain(it.of))
            }
            Some(Statement::Call { method, receiver, arguments }) => {
                let method = self.vocabulary.method(*method);
                let is_of_jdk = |method: &Method| {
                    let owner = self.vocabulary.type_of(method.owner).and_then(|it| it.class_name());
                    owner.is_some_and(|it| !is_of_program(self.case.origins, it))
                };
                let mut operands = receiver.iter().chain(arguments);
                method.is_some_and(|it| is_plain(it.result) && is_of_jdk(it))
                    && operands.all(|it| self.is_simple(test, *it))
            }
            _ => false,
        }
    }
}

/// Whether a value is a negative number, written down.
fn is_negative(test: &TestCase, value: Var) -> bool {
    match test.statements().get(usize::from(value.0)) {
        Some(Statement::Literal(Literal::Int(number))) => *number < 0,
        Some(Statement::Literal(Literal::Long(number))) => *number < 0,
        _ => false,
    }
}

/// Whether a frame is the innermost target, and one above it lets the exception through.
fn has_callers(audit: &CrashAudit, level: u32) -> bool {
    let mut targets = audit.frames.iter().filter(|it| it.target);
    targets.next().is_some_and(|it| it.level == level) && targets.any(|it| it.propagation == Degree::Escapes)
}

fn is_of_program(origins: &Origins<'_>, class: &str) -> bool {
    origins.origin(class) != Origin::Jdk
}

/// Whether mocks yield something empty of a type rather than `null`.
fn is_empty_by_default(of: TypeRef<'_>) -> bool {
    const OF_LANG: [&str; 9] =
        ["Boolean", "Byte", "Character", "Double", "Float", "Integer", "Iterable", "Long", "Short"];
    let class = of.class_name().unwrap_or_default();
    class.starts_with("java/util/")
        || class.strip_prefix("java/lang/").is_some_and(|it| OF_LANG.contains(&it))
}

/// How a test that crashes as wanted ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended<'o> {
    /// How many of its statements completed.
    pub(crate) completed: usize,
    /// Whether the message of its exception says the same as the log's.
    pub(crate) has_logged_message: bool,
    /// Calls that its mocks answered without having been told what to answer.
    pub(crate) asked: &'o [Asked],
}

impl<'o> Ended<'o> {
    pub(crate) fn of(verdict: &Verdict, observation: &'o Observation) -> Self {
        Self {
            completed: usize::from(observation.completed),
            has_logged_message: verdict.has_logged_message,
            asked: &observation.facts.asked,
        }
    }

    /// Of a test of which nothing else is known.
    pub(crate) fn unobserved() -> Self {
        Self { completed: usize::MAX, has_logged_message: false, asked: &[] }
    }
}

/// How useful a test is to a maintainer; of two tests the smaller is the better one. Compared among tests
/// of one frame and degree, in the order of the fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Usefulness {
    /// Doubts that its text and the answers of its mocks raise.
    doubts: usize,
    /// Whether its last call is one that only the package of the test can make.
    is_hidden: bool,
    mocks: u32,
    /// Whether the message of its exception says something else than the log's. True where the log has none.
    has_other_message: bool,
    nulls: u32,
    statements: usize,
}

impl Usefulness {
    #[cfg(test)]
    pub(crate) fn with_nulls(nulls: u32) -> Self {
        Self { nulls, ..Self::default() }
    }

    /// Whether a test is better than another, and not only shorter: minimising shortens both.
    pub(crate) fn is_better_than(&self, other: &Self) -> bool {
        Self { statements: 0, ..*self } < Self { statements: 0, ..*other }
    }
}

/// The part of a test that its last call needs, as far as its text tells: the values that it is given, and
/// calls on these. Other statements go when the test is minimised, and are no reason to take another.
fn needed(statements: &[Statement]) -> TestCase {
    let mut is_needed = vec![false; statements.len()];
    let mark = |is_needed: &mut Vec<bool>, it: Var| {
        if let Some(place) = is_needed.get_mut(usize::from(it.0)) {
            *place = true;
        }
    };
    for (number, statement) in statements.iter().enumerate().rev() {
        let mut is_part = number + 1 == statements.len() || is_needed.get(number) == Some(&true);
        // A call may change the objects that it is given.
        statement.for_each_operand(|it| {
            let is_object = !matches!(statements.get(usize::from(it.0)), Some(Statement::Literal(_)));
            is_part |= is_object && is_needed.get(usize::from(it.0)) == Some(&true);
        });
        if is_part {
            mark(&mut is_needed, Var(u16::try_from(number).unwrap_or(u16::MAX)));
            statement.for_each_operand(|it| mark(&mut is_needed, it));
        }
    }
    let mut names: Vec<Var> = Vec::with_capacity(statements.len());
    let mut kept: Vec<Statement> = Vec::new();
    for (statement, is_needed) in statements.iter().zip(is_needed) {
        names.push(Var(u16::try_from(kept.len()).unwrap_or(u16::MAX)));
        if is_needed {
            let renamed = |it: Var| names.get(usize::from(it.0)).copied().unwrap_or(it);
            kept.push(statement.clone().with_operands(renamed));
        }
    }
    TestCase::new(kept)
}

/// A verified test that another may improve on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) level: u32,
    pub(crate) degree: Degree,
    pub(crate) mocks: u32,
}

impl Known {
    /// Whether a test for a frame may be better: for a higher one, or with nothing that can be held
    /// against it.
    pub(crate) fn may_yield_to(&self, test: &TestCase, critic: &Critic<'_>) -> bool {
        critic.level > self.level
            || critic.level == self.level
                && (mocks(test) < self.mocks || self.mocks == 0)
                && critic.doubts(test).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crashback_testcase::{Arguments, MethodId};

    #[test]
    fn criteria_count_in_their_order_and_length_last() {
        let best = Usefulness::default();
        let ranked = [
            Usefulness { statements: 9, ..best },
            Usefulness { nulls: 1, ..best },
            Usefulness { has_other_message: true, nulls: 0, ..best },
            Usefulness { mocks: 1, ..best },
            Usefulness { is_hidden: true, ..best },
            Usefulness { doubts: 1, ..best },
        ];
        assert!(ranked.is_sorted(), "{ranked:?}");
        assert!(best < ranked[0] && !best.is_better_than(&ranked[0]), "minimising shortens tests");
        assert!(ranked.iter().skip(1).all(|it| best.is_better_than(it)));
    }

    #[test]
    fn only_statements_that_the_last_call_needs_count() {
        let call = |of: u16, arguments: &[u16]| Statement::Call {
            method: MethodId(0),
            receiver: Some(Var(of)),
            arguments: arguments.iter().map(|it| Var(*it)).collect::<Arguments>(),
        };
        let new = || Statement::Construct { constructor: MethodId(1), arguments: Arguments::new() };
        let null = || Statement::Literal(Literal::Null(TypeId(0)));
        // The null is given to the first object alone, the number changes the second.
        let number = Statement::Literal(Literal::Int(7));
        let test =
            TestCase::new([null(), new(), new(), call(1, &[0]), number.clone(), call(2, &[4]), call(2, &[])]);
        assert_eq!(needed(test.statements()).statements(), [new(), number, call(0, &[1]), call(0, &[])]);
    }
}
