//! Whether instrumented classes link: every class is linked as it is and instrumented, and only
//! differences count.
//!
//! The judge is the JVM's verifier. A class that links in neither form, most often because it
//! depends on one that is missing, says nothing about instrumentation; one that links only as it
//! is, or fails in another way, is a failure of ours. Classes of version 50 are linked as version
//! 51, since a JVM hides their broken stack maps; those that have no usable ones of their own are
//! linked once more as they are.

use std::collections::BTreeSet;
use std::fmt;
use std::thread;

use crashback_protocol::{Batch, Evaluator, Failure, Observation, Outcome, Results, Untouched};
use crashback_testcase::{
    Kind, Literal, Method, MethodId, Statement, TestCase, Type, TypeId, Var, Vocabulary,
};

/// A class to link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Its internal name.
    pub name: String,
    /// Whether it is an interface.
    pub is_interface: bool,
}

/// How an evaluator must treat classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Whether they are instrumented at all.
    pub instrumented: bool,
    /// Whether verification is strict; see
    /// [`Recording::strict_verification`](crate::Recording::strict_verification).
    pub strict: bool,
}

/// What became of all classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// One for each subject, in order.
    pub verdicts: Vec<Verdict>,
    /// What was left without probes, in order, each once.
    pub untouched: Vec<Untouched>,
}

/// What became of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It links, as it is and instrumented.
    Checked,
    /// Instrumentation makes a difference.
    Failed {
        /// How linking it as it is ended.
        plain: Ending,
        /// How linking it instrumented ended.
        instrumented: Ending,
    },
    /// It does not link in either form.
    Unlinkable(Ending),
    /// The JVM has a class of that name of its own and takes that one.
    Foreign,
}

/// How linking a class ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It is linked.
    Linked,
    /// A loader of the JVM has defined it.
    Foreign,
    /// Something was thrown.
    Threw {
        /// Binary name of its class.
        error: String,
        /// Its message.
        message: String,
    },
    /// The execution ended in another way.
    Cut(Outcome),
}

/// Links classes in evaluators that `start` makes. Classes stay loaded as long as an evaluator
/// lives, so each gets no more than `slice` of them. After each slice `progress` is told how many
/// classes are done.
pub fn verify<E: Evaluator + Send>(
    subjects: &[Subject],
    slice: usize,
    start: impl Fn(Mode) -> Result<E, Failure> + Sync,
    mut progress: impl FnMut(usize),
) -> Result<Verification, Failure> {
    let mut verdicts = Vec::with_capacity(subjects.len());
    let mut untouched = BTreeSet::new();
    for subjects in subjects.chunks(slice.max(1)) {
        let mut strict = compare(subjects, true, &start, &mut untouched)?;
        let hidden: Vec<usize> = (0..)
            .zip(&strict)
            .filter(|(_, verdict)| verdict.fails_verification())
            .map(|(at, _)| at)
            .collect();
        let again: Vec<Subject> = hidden.iter().filter_map(|at| subjects.get(*at).cloned()).collect();
        if !again.is_empty() {
            for (at, verdict) in hidden.into_iter().zip(compare(&again, false, &start, &mut untouched)?) {
                strict.get_mut(at).into_iter().for_each(|place| *place = verdict.clone());
            }
        }
        verdicts.extend(strict);
        progress(verdicts.len());
    }
    Ok(Verification { verdicts, untouched: untouched.into_iter().collect() })
}

/// Links classes in both forms, at the same time.
fn compare<E: Evaluator + Send>(
    subjects: &[Subject],
    strict: bool,
    start: &(impl Fn(Mode) -> Result<E, Failure> + Sync),
    untouched: &mut BTreeSet<Untouched>,
) -> Result<Vec<Verdict>, Failure> {
    let link = |instrumented| link(start(Mode { instrumented, strict })?, subjects);
    let (plain, instrumented) = thread::scope(|scope| {
        let plain = scope.spawn(|| link(false));
        let instrumented = link(true);
        let plain = plain.join().unwrap_or_else(|_| Err(Failure("a thread panicked".to_owned())));
        (plain, instrumented)
    });
    let (plain, instrumented) = (plain?, instrumented?);
    untouched.extend(instrumented.untouched.iter().cloned());
    let count = subjects.len();
    if plain.observations.len() != count || instrumented.observations.len() != count {
        return Err(Failure("some classes have no result".to_owned()));
    }
    let pairs = plain.observations.iter().zip(&instrumented.observations);
    Ok(pairs.map(|(plain, instrumented)| Verdict::of(plain, instrumented)).collect())
}

fn link(mut evaluator: impl Evaluator, subjects: &[Subject]) -> Result<Results, Failure> {
    let mut tests = Tests::new();
    let all: Vec<TestCase> = subjects.iter().map(|subject| tests.of(subject)).collect();
    evaluator.evaluate(Batch::new(&tests.vocabulary, &all))
}

impl Verdict {
    fn of(plain: &Observation, instrumented: &Observation) -> Self {
        match (Ending::of(plain), Ending::of(instrumented)) {
            (Ending::Linked, Ending::Linked) => Self::Checked,
            (Ending::Foreign, Ending::Foreign) => Self::Foreign,
            (plain, instrumented) if plain.kind() == instrumented.kind() => Self::Unlinkable(plain),
            (plain, instrumented) => Self::Failed { plain, instrumented },
        }
    }

    /// Whether the class may just lack the stack maps that strict verification demands.
    fn fails_verification(&self) -> bool {
        matches!(self, Self::Unlinkable(Ending::Threw { error, .. }) if error == "java.lang.VerifyError")
    }
}

impl Ending {
    fn of(observation: &Observation) -> Self {
        let completed = usize::from(observation.completed);
        match (observation.outcome, observation.thrown()) {
            (Outcome::Returned, _) => Self::Linked,
            (Outcome::Threw, _) if (LOADED..LINKING).contains(&completed) => Self::Foreign,
            (Outcome::Threw, Some(thrown)) => Self::Threw {
                error: thrown.class.clone(),
                message: thrown.message.clone().unwrap_or_default(),
            },
            (outcome, _) => Self::Cut(outcome),
        }
    }

    /// What must be equal for two endings to be the same: messages name places in the code, which
    /// instrumentation moves.
    #[must_use]
    pub fn kind(&self) -> String {
        match self {
            Self::Linked => "linked".to_owned(),
            Self::Foreign => "a class of the JVM's own".to_owned(),
            Self::Threw { error, .. } => error.clone(),
            Self::Cut(Outcome::Stopped | Outcome::BudgetSpent) => "took too long".to_owned(),
            Self::Cut(Outcome::WorkerDied) => "ended the JVM".to_owned(),
            Self::Cut(outcome) => format!("{outcome:?}"),
        }
    }

    /// What the error says, empty where nothing is said.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::Threw { message, .. } => message,
            _ => "",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind())?;
        match self.message() {
            "" => Ok(()),
            message => write!(f, ": {message}"),
        }
    }
}

/// Test cases that link classes without initialising them.
struct Tests {
    vocabulary: Vocabulary,
    get_loader: MethodId,
    loader_class: TypeId,
    get_parent: MethodId,
    get_constructors: MethodId,
    get_fields: MethodId,
}

/// So many statements have completed when the class is loaded.
const LOADED: usize = 1;
/// So many when it is known to be one of the program.
const LINKING: usize = 4;

impl Tests {
    fn new() -> Self {
        let mut vocabulary = Vocabulary::default();
        let mut getter = |owner: &str, name: &str, result: &str| {
            let owner = vocabulary.add_type(Type::of_class(owner));
            let result = vocabulary.add_type(Type(result.into()));
            let parameters = std::iter::empty().collect();
            vocabulary.add_method(Method {
                owner,
                name: name.into(),
                kind: Kind::Instance,
                parameters,
                result,
            })
        };
        Self {
            get_loader: getter("java/lang/Class", "getClassLoader", "Ljava/lang/ClassLoader;"),
            get_parent: getter("java/lang/ClassLoader", "getParent", "Ljava/lang/ClassLoader;"),
            get_constructors: getter(
                "java/lang/Class",
                "getConstructors",
                "[Ljava/lang/reflect/Constructor;",
            ),
            get_fields: getter("java/lang/Class", "getFields", "[Ljava/lang/reflect/Field;"),
            loader_class: vocabulary.add_type(Type::of_class("java/net/URLClassLoader")),
            vocabulary,
        }
    }

    /// Loads a class, makes sure that the program's own loader has defined it, and asks for
    /// members, which links it and with that verifies it. Public ones suffice: their types are
    /// looked up after that. An interface is not asked for constructors by the JVM.
    fn of(&mut self, subject: &Subject) -> TestCase {
        let class = self.vocabulary.add_type(Type::of_class(&subject.name));
        let call = |method, on| Statement::Call {
            method,
            receiver: Some(Var(on)),
            arguments: std::iter::empty().collect(),
        };
        TestCase::new(vec![
            Statement::Literal(Literal::Class(class)),
            call(self.get_loader, 0),
            Statement::Cast { to: self.loader_class, value: Var(1) },
            // Of a class of the bootstrap loader the loader is null.
            call(self.get_parent, 2),
            call(if subject.is_interface { self.get_fields } else { self.get_constructors }, 0),
        ])
    }
}

#[cfg(test)]
mod tests {
    use crashback_protocol::{Facts, Throwable, Ticket};

    use super::*;

    /// Answers by the name of the class: what plain and instrumented linking do, strictly or not.
    struct Prepared(Mode);

    impl Evaluator for Prepared {
        fn submit(&mut self, batch: Batch<'_>) -> Result<Ticket, Failure> {
            let mut results = Results::default();
            for test in batch.tests {
                let Some(Statement::Literal(Literal::Class(class))) = test.statements().first() else {
                    panic!("{test:?}")
                };
                let name = batch.vocabulary.type_of(*class).and_then(Type::class_name).unwrap();
                results.append(vec![self.link(name)]);
                if self.0.instrumented && name == "Long" {
                    results.untouched.push(untouched(name));
                }
            }
            Ok(Ticket::finished(results))
        }

        fn collect(&mut self, ticket: Ticket) -> Result<Results, Failure> {
            ticket.into_results()
        }
    }

    impl Prepared {
        fn link(&self, name: &str) -> Observation {
            let Mode { instrumented, strict } = self.0;
            match name {
                "Broken" if instrumented => threw("java.lang.VerifyError", 4),
                "Malformed" if instrumented => threw("java.lang.ClassFormatError", 0),
                "Lonely" => threw("java.lang.NoClassDefFoundError", 4),
                "Worse" if instrumented => threw("java.lang.VerifyError", 4),
                "Worse" => threw("java.lang.NoClassDefFoundError", 4),
                "Mapless" | "BrokenMapless" if strict => threw("java.lang.VerifyError", 4),
                "BrokenMapless" if instrumented => threw("java.lang.VerifyError", 4),
                "Hopeless" => threw("java.lang.VerifyError", 4),
                "javax/Known" => threw("java.lang.ClassCastException", 2),
                "Deadly" if instrumented => Observation::bare(Outcome::WorkerDied, 0),
                _ => Observation::bare(Outcome::Returned, 5),
            }
        }
    }

    fn threw(class: &str, completed: u16) -> Observation {
        let class = class.to_owned();
        let throwable =
            Throwable { class, message: None, frames: Vec::new(), cause: None, suppressed: Vec::new() };
        let facts = Facts { throwables: vec![throwable], ..Facts::default() };
        Observation { outcome: Outcome::Threw, completed, facts, slow: Vec::new() }
    }

    fn untouched(class: &str) -> Untouched {
        Untouched { class: class.to_owned(), method: None, reason: "too long".to_owned() }
    }

    fn verify_names(names: &[&str], slice: usize) -> (Verification, Vec<usize>) {
        let subject = |name: &&str| Subject { name: (*name).to_owned(), is_interface: false };
        let subjects: Vec<_> = names.iter().map(subject).collect();
        let mut told = Vec::new();
        let verification =
            verify(&subjects, slice, |mode| Ok(Prepared(mode)), |done| told.push(done)).unwrap();
        (verification, told)
    }

    /// Checks the verdict of a class in a few words.
    fn check(name: &str, expected: &str) {
        let (verification, _) = verify_names(&["Good", name], 10);
        let words = match verification.verdicts.as_slice() {
            [Verdict::Checked, Verdict::Failed { plain, instrumented }] => {
                format!("{plain} became {instrumented}")
            }
            [Verdict::Checked, Verdict::Unlinkable(ending)] => format!("unlinkable: {ending}"),
            [Verdict::Checked, other] => format!("{other:?}"),
            other => panic!("{other:?}"),
        };
        assert_eq!(words, expected, "{name}");
    }

    #[test]
    fn only_differences_are_failures() {
        check("Good", "Checked");
        check("Broken", "linked became java.lang.VerifyError");
        check("Malformed", "linked became java.lang.ClassFormatError");
        check("Lonely", "unlinkable: java.lang.NoClassDefFoundError");
        check("Worse", "java.lang.NoClassDefFoundError became java.lang.VerifyError");
        check("Deadly", "linked became ended the JVM");
        check("javax/Known", "Foreign");
    }

    #[test]
    fn classes_without_usable_stack_maps_are_checked_as_they_are() {
        check("Mapless", "Checked");
        check("BrokenMapless", "linked became java.lang.VerifyError");
        check("Hopeless", "unlinkable: java.lang.VerifyError");
    }

    #[test]
    fn slices_do_not_show() {
        let names = ["Good", "Long", "Broken", "Mapless", "Long", "Lonely", "Good"];
        let (whole, told) = verify_names(&names, 100);
        assert_eq!(told, [7]);
        assert_eq!(whole.untouched, [untouched("Long")]);
        for slice in [0, 1, 2, 3, 7] {
            assert_eq!(verify_names(&names, slice).0, whole);
        }
        assert_eq!(verify_names(&names, 3).1, [3, 6, 7]);
    }
}
