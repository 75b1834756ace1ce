//! What runs of tests taught: everything that is not known before a test has run.
//!
//! Lessons come in through one door, [`Workshop::learn`](super::Workshop::learn); value sources and
//! mutators ask. Facts about types are not among it: those are in the catalogue.

use std::collections::{BTreeMap, BTreeSet};

use smallvec::SmallVec;

use super::callees::{Callees, State};
use super::complaints::Complaints;
use super::costs::Costs;
use super::per_package::PerPackage;
use super::rare_objects::RareObjects;
use super::{Pools, Preparation, Scalar, Tuning};
use crate::{Literal, MethodId, MockId, Statement, TestCase, Text, TypeId};

/// Something that a run of a test showed.
pub enum Lesson<'l> {
    /// Two values were compared and differed.
    Compared(Scalar, Scalar),
    /// A method of the target call chain was passed an argument, by a test that no other came nearer than.
    Passed(ChainParameter, Scalar),
    /// The same, by a test that reproduced the crash up to the frame of that method or above.
    PassedInCrash(ChainParameter, Scalar),
    /// Code of the project compared a text or looked it up.
    Word {
        /// The text.
        word: &'l Text,
        /// The test.
        test: &'l TestCase,
    },
    /// A test came nearer to the crash than all before it.
    Helped(&'l TestCase),
    /// A mock was asked something for which its test had no answer.
    Asked {
        /// The mock.
        mock: MockId,
        /// Place of the method among those of the mock.
        method: u16,
        /// Binary name of the class that it was asked for, if it was.
        class: Option<&'l str>,
        /// Place of the parameter for which it was given an object of the program, if it was, and the
        /// binary name of the class of that object.
        object: Option<(u8, &'l str)>,
    },
    /// A test ended because a field was null, or the result of a method.
    MissingState {
        /// The message of the exception. Each is looked at once.
        message: &'l str,
        /// The member that was null, as `package/Class.name`, if the message tells.
        member: &'l dyn Fn() -> Option<String>,
        /// Finds ways to set the member. Asked where none is known.
        providers: &'l dyn Fn(&str, &Tuning) -> Vec<Preparation>,
    },
    /// Code failed because it came upon `null`, whether or not the exception left the test.
    NullAnswer {
        /// The message of the exception. Each is looked at once.
        message: &'l str,
        /// The `null`, if the message tells.
        null: &'l dyn Fn() -> Option<Null>,
        /// The questions to mocks that the test had no answer for: mocks, and places of their methods.
        asked: &'l dyn Fn() -> Vec<(MockId, u16)>,
    },
    /// A test ended because a value could not be cast. Both are internal names, or descriptors of
    /// arrays.
    FailedCast {
        /// The class of the value.
        from: &'l str,
        /// The type that was expected.
        to: &'l str,
    },
    /// A test ended in code that a method of the trace had called and that is not on the trace.
    Blocked {
        /// Classes, by internal names, and methods of the calls below the innermost method of the
        /// trace, the outermost first.
        calls: &'l [(String, &'l str)],
    },
    /// A statement ended with an exception, and the program named what it misses: a setting that it
    /// looked up in vain, a property that has no value.
    Complained {
        /// The names.
        names: &'l [&'l str],
        /// The test.
        test: &'l TestCase,
        /// How many of its statements completed.
        completed: usize,
    },
    /// A test ended because a class could not be initialised.
    FailedInitialiser,
    /// Statements completed, and the one behind them did not.
    Completed {
        /// The test.
        test: &'l TestCase,
        /// How many of its statements completed.
        completed: usize,
        /// The statements among the first 64 that yielded `null`, a bit each.
        nulls: u64,
    },
    /// Statements ran, up to the first that did not complete, and some took long.
    Timed {
        /// The test.
        test: &'l TestCase,
        /// How many of its statements completed.
        completed: usize,
        /// Numbers of statements that took long, and how many microseconds that was.
        slow: &'l [(usize, u32)],
    },
    /// A statement ended as no further test should end: a class that cannot be initialised, a call
    /// that does not come back.
    Wasted {
        /// The test.
        test: &'l TestCase,
        /// The number of the statement.
        statement: usize,
    },
}

/// A `null` that code came upon.
pub enum Null {
    /// The result of a method, as `package/Class.name`.
    Result(String),
    /// What a variable or field held, by the internal name of the class that it was taken for.
    Held(String),
}

/// A parameter of a method of the target call chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChainParameter {
    /// Place of the method in the chain.
    pub place: u32,
    /// Place of the parameter.
    pub parameter: u8,
}

/// A method that mocks of a type were asked and had no answer to.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// Place of the method among those of the mock.
    pub(super) method: u16,
    /// The classes that it was asked for.
    pub(super) classes: Vec<TypeId>,
    /// Classes of objects of the program that it was given, behind the places of their parameters.
    pub(super) objects: Vec<(u8, TypeId)>,
}

impl Asked {
    /// How many answers there may be.
    pub(super) fn answers(&self) -> usize {
        self.classes.len().max(1)
    }
}

/// Everything learnt from runs.
#[derive(Default)]
pub(super) struct Experience<'a> {
    /// Outcomes of calls, apart for the packages of tests: tests in another package can pass other
    /// arguments, so what failed in one may succeed in another.
    pub(super) callees: PerPackage<'a, Callees>,
    /// Objects that were hard to make.
    pub(super) rare: PerPackage<'a, RareObjects>,
    asked: BTreeMap<MockId, Vec<Asked>>,
    /// Static members that were null, as `package/Class.name`.
    missing: BTreeSet<String>,
    /// Messages about nulls and casts that were looked at.
    messages: BTreeSet<String>,
    /// Classes of values that could not be cast, with the types that they were cast to.
    failed_casts: Vec<(TypeId, TypeId)>,
    /// Methods that are not on the trace, with their classes, and how many tests ended in each.
    blocked: Vec<(TypeId, String, usize)>,
    /// Methods that are not on the trace, with their classes, whose result was null where code needed
    /// an object.
    null_results: Vec<(TypeId, String)>,
    /// Methods, with the types that they were called by, whose result code relied on to be an object.
    relied_on: Vec<(TypeId, String)>,
    /// Messages that were looked at for such methods.
    null_answers: BTreeSet<String>,
    preparations: Vec<Preparation>,
    compared: Vec<(Scalar, Scalar)>,
    /// Arguments that methods of the call chain were passed by tests which reproduced the crash up to there.
    crashing: BTreeMap<ChainParameter, Vec<Scalar>>,
    /// An argument of such a method in a near test, and one that crashes in its place; the latest last.
    transplants: Vec<(Scalar, Scalar)>,
    texts: Vec<Text>,
    /// Tokens in the texts of tests that came nearer, the latest last.
    helpful: Vec<Text>,
    /// Texts that code of the project compared or looked up and that no test had, the earliest first.
    words: Vec<Text>,
    /// The same, and those that are known from elsewhere, to be found quickly.
    known_words: BTreeSet<Text>,
    /// Names in messages of exceptions that ended tests.
    pub(super) complaints: Complaints,
    failed_initialisers: usize,
    /// What calls cost, whichever the package of the test.
    pub(super) costs: Costs,
}

/// Questions of value sources and mutators.
impl Experience<'_> {
    /// Whether a callee is not called any more, since it hangs or never succeeds.
    pub(super) fn is_given_up(&self, method: MethodId, tuning: &Tuning) -> bool {
        self.is_given_up_in(method, &State::default(), tuning)
    }

    /// The same for a call on an object in a state: where it failed in others it may succeed.
    pub(super) fn is_given_up_in(&self, method: MethodId, state: &State, tuning: &Tuning) -> bool {
        let callees = self.callees.here();
        callees.is_blacklisted(method, tuning) || callees.always_fails_in(method, state, tuning)
    }

    /// The same for a call on an object that can be brought into any state.
    pub(super) fn is_given_up_in_all(&self, method: MethodId, tuning: &Tuning) -> bool {
        let callees = self.callees.here();
        callees.is_blacklisted(method, tuning) || callees.always_fails(method, tuning)
    }

    /// Whether a callee has ever succeeded; none as long as it was not called.
    pub(super) fn has_succeeded(&self, method: MethodId) -> Option<bool> {
        self.callees.here().has_succeeded(method)
    }

    /// Whether a callee had too many bad outcomes: hangs, failed initialisers.
    pub(super) fn is_blacklisted(&self, method: MethodId, tuning: &Tuning) -> bool {
        self.callees.here().is_blacklisted(method, tuning)
    }

    /// How often a callee that never succeeded failed.
    pub(super) fn failures(&self, method: MethodId) -> usize {
        self.callees.here().failures(method)
    }

    /// Whether a method has yielded nothing but `null`, many times.
    pub(super) fn always_yields_null(&self, method: MethodId, tuning: &Tuning) -> bool {
        self.callees.here().always_yields_null(method, tuning)
    }

    /// What mocks of a type were asked and had no answer to, in the order in which it became known.
    pub(super) fn asked(&self, mock: MockId) -> &[Asked] {
        self.asked.get(&mock).map_or(&[], Vec::as_slice)
    }

    /// Classes of values that could not be cast, with the types that they were cast to.
    pub(super) fn failed_casts(&self) -> &[(TypeId, TypeId)] {
        &self.failed_casts
    }

    /// Methods that are not on the trace, with their classes, in which tests end often, and those whose
    /// result was null where code needed an object.
    pub(super) fn blocked(&self, tuning: &Tuning) -> impl Iterator<Item = (TypeId, &str)> {
        let often = tuning.blocked_after;
        let blocked = self.blocked.iter().filter(move |(.., tests)| *tests >= often);
        let blocked = blocked.map(|(class, method, _)| (*class, method.as_str()));
        blocked.chain(self.null_results.iter().map(|(class, method)| (*class, method.as_str())))
    }

    /// Whether some method of this name yielded null where code needed an object.
    pub(super) fn is_null_result(&self, method: &str) -> bool {
        self.null_results.iter().any(|(_, it)| it == method)
    }

    /// Methods, with the types that they were called by, whose result code relied on to be an object.
    pub(super) fn relied_on(&self) -> impl Iterator<Item = (TypeId, &str)> {
        self.relied_on.iter().map(|(class, method)| (*class, method.as_str()))
    }

    /// Whether there are methods that code relied on to yield an object.
    pub(super) fn relies_on_any(&self) -> bool {
        !self.relied_on.is_empty()
    }

    /// Whether a preparation sets static state that tests found to be null.
    pub(super) fn is_missed(&self, preparation: &Preparation) -> bool {
        !self.missing.is_empty() && !preparation.provides.is_disjoint(&self.missing)
    }

    /// Ways to set static state that were looked for because tests found it to be null.
    pub(super) fn preparations(&self) -> &[Preparation] {
        &self.preparations
    }

    /// Operands that were compared and differed, the latest last.
    pub(super) fn compared(&self) -> &[(Scalar, Scalar)] {
        &self.compared
    }

    /// Arguments in near tests, each with one that crashes in its place, the latest last.
    pub(super) fn transplants(&self) -> &[(Scalar, Scalar)] {
        &self.transplants
    }

    /// Tokens that tests which came nearer to the crash had in their texts.
    pub(super) fn helpful(&self) -> &[Text] {
        &self.helpful
    }

    /// Texts that code of the project compared or looked up.
    pub(super) fn words(&self) -> &[Text] {
        &self.words
    }

    /// Texts that were compared.
    pub(super) fn texts(&self) -> &[Text] {
        &self.texts
    }
}

impl<'a> Experience<'a> {
    /// Says from which package tests come from now on.
    pub(super) fn move_to(&mut self, from: &'a str, to: &'a str) {
        self.callees.move_to(from, to);
        self.rare.move_to(from, to);
    }

    /// Counts a bad outcome of a callee.
    pub(super) fn add_bad_outcome(&mut self, method: MethodId) {
        self.callees.here_mut().add_bad_outcome(method);
    }

    /// Notes which calls of a test succeeded, and which one failed. The last statement is the target
    /// call, which is meant to fail. Yields the numbers of calls that completed and seldom do.
    pub(super) fn add_completed(
        &mut self,
        test: &TestCase,
        completed: usize,
        nulls: u64,
        tuning: &Tuning,
    ) -> SmallVec<[usize; 2]> {
        let (callees, rare) = (self.callees.here_mut(), self.rare.here_mut());
        let mut made = SmallVec::new();
        for (number, statement) in test.statements().iter().enumerate().take(completed.saturating_add(1)) {
            let Some(callee) = callee_of(statement) else { continue };
            if number < completed {
                let bit = u32::try_from(number).ok().and_then(|it| nulls.checked_shr(it)).unwrap_or(0);
                callees.add_success(callee, bit & 1 == 1);
                if rare.is_rare(callee, true, tuning) && bit & 1 == 0 {
                    made.push(number);
                }
            } else if number + 1 < test.statements().len() {
                callees.add_failure(callee, || State::of_receiver(test.statements(), number), tuning);
                rare.is_rare(callee, false, tuning);
            }
        }
        made
    }

    /// Notes that mocks of a type were asked something, for an object of a class or not.
    pub(super) fn add_asked(
        &mut self,
        mock: MockId,
        method: u16,
        class: Option<TypeId>,
        object: Option<(u8, TypeId)>,
        tuning: &Tuning,
    ) {
        let asked = self.asked.entry(mock).or_default();
        let place = asked.iter().position(|it| it.method == method).unwrap_or_else(|| {
            asked.push(Asked { method, classes: Vec::new(), objects: Vec::new() });
            asked.len() - 1
        });
        let Some(Asked { classes, objects, .. }) = asked.get_mut(place) else { return };
        classes.extend(class.filter(|it| classes.len() < tuning.classes_asked && !classes.contains(it)));
        objects.extend(object.filter(|it| objects.len() < tuning.classes_asked && !objects.contains(it)));
    }

    /// Remembers two operands that differed, and texts among them.
    pub(super) fn add_compared(&mut self, left: Scalar, right: Scalar, texts: &[Text], tuning: &Tuning) {
        for side in [&left, &right] {
            if let Scalar::Text(text) = side
                && texts.len() + self.texts.len() < tuning.learnt_texts
                && !texts.contains(text)
                && !self.texts.contains(text)
            {
                self.texts.push(text.clone());
            }
        }
        let pair = (left, right);
        if !self.compared.contains(&pair) {
            if self.compared.len() >= tuning.compared_operands.max(1) {
                self.compared.remove(0);
            }
            self.compared.push(pair);
        }
    }

    /// Remembers an argument that crashes.
    pub(super) fn add_crashing(&mut self, parameter: ChainParameter, argument: Scalar, tuning: &Tuning) {
        let known = self.crashing.entry(parameter).or_default();
        if !known.contains(&argument) {
            if known.len() >= tuning.crashing_arguments.max(1) {
                known.remove(0);
            }
            known.push(argument);
        }
    }

    /// Remembers an argument of a near test together with those that crash in its place.
    pub(super) fn add_passed(&mut self, parameter: ChainParameter, argument: &Scalar, tuning: &Tuning) {
        for crashing in self.crashing.get(&parameter).into_iter().flatten() {
            let is_known = |it: &(Scalar, Scalar)| it.0 == *argument && it.1 == *crashing;
            if crashing == argument || self.transplants.iter().any(is_known) {
                continue;
            }
            if self.transplants.len() >= tuning.transplants.max(1) {
                self.transplants.remove(0);
            }
            self.transplants.push((argument.clone(), crashing.clone()));
        }
    }

    /// Notes the tokens in the texts of a test that came nearer to the crash than all before it, the
    /// known ones among those that are given and among the texts that were compared.
    pub(super) fn add_helpful(&mut self, test: &TestCase, tokens: &[Text], tuning: &Tuning) {
        for statement in test.statements() {
            let Statement::Literal(Literal::Text(text)) = statement else { continue };
            for token in tokens.iter().chain(&self.texts).filter(|it| is_part(it, text)) {
                if let Some(known) = self.helpful.iter().position(|it| it == token) {
                    self.helpful.remove(known);
                } else if self.helpful.len() >= tuning.helpful_tokens.max(1) {
                    self.helpful.remove(0);
                }
                self.helpful.push(token.clone());
            }
        }
    }

    /// Remembers a text that code of the project compared or looked up, unless it is part of a text of the
    /// test or known from elsewhere.
    pub(super) fn add_word(&mut self, word: &Text, test: &TestCase, pools: &Pools, tuning: &Tuning) {
        if self.words.len() >= tuning.words || self.known_words.contains(word) {
            return;
        }
        let is_own = |it: &Statement| match it {
            Statement::Literal(Literal::Text(text)) => is_part_in_any_case(word, text),
            _ => false,
        };
        if test.statements().iter().any(is_own) {
            return;
        }
        if !pools.tokens.contains(word) && !pools.texts.contains(word) {
            self.words.push(word.clone());
        }
        self.known_words.insert(word.clone());
    }

    /// Whether a message about a null or a cast is worth a look: it is new, and not too many are known.
    pub(super) fn is_new_message(&mut self, message: &str, tuning: &Tuning) -> bool {
        let has_room = self.messages.len() < tuning.null_messages;
        has_room && !self.messages.contains(message) && self.messages.insert(message.to_owned())
    }

    /// Remembers a cast that failed, as long as there is room.
    pub(super) fn add_failed_cast(&mut self, from: TypeId, to: TypeId, tuning: &Tuning) {
        if self.failed_casts.len() < tuning.failed_casts && !self.failed_casts.contains(&(from, to)) {
            self.failed_casts.push((from, to));
        }
    }

    /// Counts a test that ended in a method of a class which is not on the trace.
    pub(super) fn add_blocked(&mut self, class: TypeId, method: &str, tuning: &Tuning) {
        let has_room = self.blocked.len() < tuning.blocked_methods;
        match self.blocked.iter_mut().find(|(of, name, _)| *of == class && name == method) {
            Some((.., tests)) => *tests = tests.saturating_add(1),
            None if has_room => self.blocked.push((class, method.to_owned(), 1)),
            None => {}
        }
    }

    /// Notes that a method of a class, which is not on the trace, yielded null where code needed an object.
    pub(super) fn add_null_result(&mut self, class: TypeId, method: &str, tuning: &Tuning) {
        let is_known = self.null_results.iter().any(|(of, it)| *of == class && it == method);
        if !is_known && self.null_results.len() < tuning.blocked_methods {
            self.null_results.push((class, method.to_owned()));
        }
    }

    /// Whether a message about a null answer is worth a look: it is new, and not too many are known.
    pub(super) fn is_new_null_answer(&mut self, message: &str, tuning: &Tuning) -> bool {
        let has_room = self.null_answers.len() < tuning.null_messages;
        has_room && !self.null_answers.contains(message) && self.null_answers.insert(message.to_owned())
    }

    /// Notes that code relied on a method of a class to yield an object.
    pub(super) fn add_relied_on(&mut self, class: TypeId, method: &str, tuning: &Tuning) {
        let is_known = self.relied_on.iter().any(|(of, it)| *of == class && it == method);
        if !is_known && self.relied_on.len() < tuning.relied_on_methods {
            self.relied_on.push((class, method.to_owned()));
        }
    }

    /// Notes that a static member was null. Where nothing is known to set it, and nothing is found
    /// that does, it is forgotten.
    pub(super) fn add_missing(
        &mut self,
        member: String,
        known: &[Preparation],
        providers: &dyn Fn(&str, &Tuning) -> Vec<Preparation>,
        tuning: &Tuning,
    ) {
        if self.missing.contains(&member) {
            return;
        }
        if !known.iter().chain(&self.preparations).any(|it| it.provides.contains(&member)) {
            let found = providers(&member, tuning);
            if found.is_empty() {
                return;
            }
            self.preparations.extend(found);
        }
        self.missing.insert(member);
    }

    /// Counts a test that could not initialise a class.
    pub(super) fn add_failed_initialiser(&mut self) {
        self.failed_initialisers += 1;
    }

    /// How many tests could not initialise a class since this was last asked.
    pub(super) fn take_failed_initialisers(&mut self) -> usize {
        std::mem::take(&mut self.failed_initialisers)
    }
}

/// Whether a text is a part of another.
fn is_part(token: &Text, of: &Text) -> bool {
    let (token, of) = (token.units(), of.units());
    !token.is_empty() && token.len() <= of.len() && of.windows(token.len()).any(|it| it == token)
}

/// The same for texts that may differ in the case of letters, as far as ASCII has them.
pub(super) fn is_part_in_any_case(token: &Text, of: &Text) -> bool {
    let lower = |unit: u16| u8::try_from(unit).map_or(unit, |it| it.to_ascii_lowercase().into());
    let is_same = |part: &[u16]| part.iter().zip(token.units()).all(|(a, b)| lower(*a) == lower(*b));
    of.units().windows(token.units().len().max(1)).any(is_same)
}

/// The method or constructor that a statement calls.
pub(super) fn callee_of(statement: &Statement) -> Option<MethodId> {
    match statement {
        Statement::Construct { constructor, .. } => Some(*constructor),
        Statement::Call { method, .. } => Some(*method),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Experience;
    use crate::workshop::{Pools, Preparation, Scalar, Tuning};
    use crate::{Arguments, Literal, MethodId, MockId, Statement, TestCase, Text, TypeId};

    const CALLEE: MethodId = MethodId(1);

    fn call(method: MethodId) -> Statement {
        Statement::Call { method, receiver: None, arguments: Arguments::new() }
    }

    /// A call before a target call.
    fn test_case() -> TestCase {
        TestCase::new([call(CALLEE), call(MethodId(2))])
    }

    #[test]
    fn callees_that_hang_are_blacklisted() {
        let (mut experience, tuning) = (Experience::default(), Tuning::default());
        for _ in 0..tuning.blacklist_after {
            assert!(!experience.is_given_up(CALLEE, &tuning));
            experience.add_bad_outcome(CALLEE);
        }
        assert!(experience.is_blacklisted(CALLEE, &tuning) && experience.is_given_up(CALLEE, &tuning));
        experience.move_to("here", "there");
        assert!(!experience.is_given_up(CALLEE, &tuning), "tests in another package pass other arguments");
        experience.move_to("there", "here");
        assert!(experience.is_given_up(CALLEE, &tuning));
    }

    #[test]
    fn callees_that_never_succeed_are_given_up() {
        let (mut experience, tuning) = (Experience::default(), Tuning::default());
        let fail = |experience: &mut Experience<'_>, times: usize| {
            (0..times).for_each(|_| drop(experience.add_completed(&test_case(), 0, 0, &Tuning::default())));
        };
        fail(&mut experience, tuning.give_up_after - 1);
        assert!(!experience.is_given_up(CALLEE, &tuning));
        fail(&mut experience, 1);
        assert!(experience.is_given_up(CALLEE, &tuning) && !experience.is_blacklisted(CALLEE, &tuning));
        experience.add_completed(&test_case(), 1, 0, &tuning);
        assert!(!experience.is_given_up(CALLEE, &tuning), "one success shows that it can");
        fail(&mut experience, 2 * tuning.give_up_after);
        assert!(!experience.is_given_up(CALLEE, &tuning));
    }

    #[test]
    fn the_target_call_may_fail() {
        let (mut experience, tuning) = (Experience::default(), Tuning::default());
        (0..100).for_each(|_| drop(experience.add_completed(&test_case(), 1, 0, &tuning)));
        assert!(!experience.is_given_up(MethodId(2), &tuning));
    }

    #[test]
    fn methods_that_yield_null_alone_are_known() {
        let (mut experience, tuning) = (Experience::default(), Tuning::default());
        (0..tuning.give_up_after)
            .for_each(|_| drop(experience.add_completed(&test_case(), 2, 0b01, &tuning)));
        assert!(experience.always_yields_null(CALLEE, &tuning));
        assert!(!experience.always_yields_null(MethodId(2), &tuning));
        experience.add_completed(&test_case(), 2, 0, &tuning);
        assert!(!experience.always_yields_null(CALLEE, &tuning));
    }

    #[test]
    fn words_that_no_text_of_the_test_has_are_kept_once() {
        let (mut experience, mut tuning) = (Experience::default(), Tuning::default());
        tuning.words = 2;
        let pools = Pools { tokens: vec![Text::from("known")], ..Pools::default() };
        let test = TestCase::new([Statement::Literal(Literal::Text(Text::from("a Begin b")))]);
        for word in ["begin", "known", "end", "end", "if", "then"] {
            experience.add_word(&Text::from(word), &test, &pools, &tuning);
        }
        assert_eq!(experience.words(), [Text::from("end"), Text::from("if")]);
    }

    #[test]
    fn questions_to_mocks_are_kept_with_the_classes_asked_for() {
        let (mut experience, mut tuning) = (Experience::default(), Tuning::default());
        tuning.classes_asked = 2;
        for class in [None, Some(1), Some(1), Some(2), Some(3)] {
            experience.add_asked(MockId(0), 7, class.map(TypeId), None, &tuning);
        }
        experience.add_asked(MockId(0), 3, None, Some((1, TypeId(4))), &tuning);
        assert_eq!(experience.asked(MockId(0))[1].objects, [(1, TypeId(4))]);
        let asked: Vec<(u16, usize)> =
            experience.asked(MockId(0)).iter().map(|it| (it.method, it.answers())).collect();
        assert_eq!(asked, [(7, 2), (3, 1)]);
        assert!(experience.asked(MockId(1)).is_empty());
    }

    #[test]
    fn methods_in_which_tests_end_often_are_known() {
        let (mut experience, mut tuning) = (Experience::default(), Tuning::default());
        (tuning.blocked_after, tuning.blocked_methods) = (2, 2);
        for method in ["connect", "load", "connect", "other", "other"] {
            experience.add_blocked(TypeId(1), method, &tuning);
        }
        let blocked: Vec<(TypeId, &str)> = experience.blocked(&tuning).collect();
        assert_eq!(blocked, [(TypeId(1), "connect")]);
    }

    #[test]
    fn the_latest_comparisons_are_kept_and_their_texts() {
        let (mut experience, mut tuning) = (Experience::default(), Tuning::default());
        (tuning.compared_operands, tuning.learnt_texts) = (2, 2);
        let known = [Text::from("known")];
        for other in ["a", "known", "a", "b"] {
            let left = Scalar::Text("known".into());
            experience.add_compared(left, Scalar::Text(other.into()), &known, &tuning);
        }
        let right: Vec<&Scalar> = experience.compared().iter().map(|(_, right)| right).collect();
        assert_eq!(right, [&Scalar::Text("known".into()), &Scalar::Text("b".into())]);
        assert_eq!(experience.texts(), [Text::from("a")], "there is room for one more text");
    }

    #[test]
    fn tokens_of_tests_that_came_nearer_are_kept() {
        let (mut experience, mut tuning) = (Experience::default(), Tuning::default());
        tuning.helpful_tokens = 2;
        let tokens = ["select", "from", "("].map(Text::from);
        for text in ["a", "select a", "f(select"] {
            let test = TestCase::new([Statement::Literal(Literal::Text(text.into()))]);
            experience.add_helpful(&test, &tokens, &tuning);
        }
        assert_eq!(experience.helpful(), ["select", "("].map(Text::from));
    }

    #[test]
    fn missing_state_is_provided_for_once() {
        let (mut experience, tuning) = (Experience::default(), Tuning::default());
        let provider = Preparation {
            member: "home/Home.set(I)V".parse().unwrap(),
            holder: None,
            arguments: Vec::new(),
            weight: 1,
            provides: ["home/Home.it".to_owned()].into(),
            precedes_initialiser: false,
        };
        let find = |member: &str, _: &Tuning| match member {
            "home/Home.it" => vec![provider.clone()],
            _ => Vec::new(),
        };
        experience.add_missing("home/Home.other".to_owned(), &[], &find, &tuning);
        assert!(experience.preparations().is_empty() && !experience.is_missed(&provider));
        for _ in 0..2 {
            experience.add_missing("home/Home.it".to_owned(), &[], &find, &tuning);
        }
        assert_eq!(experience.preparations(), std::slice::from_ref(&provider));
        assert!(experience.is_missed(&provider));
        let mut experience = Experience::default();
        experience.add_missing("home/Home.it".to_owned(), std::slice::from_ref(&provider), &find, &tuning);
        assert!(experience.preparations().is_empty() && experience.is_missed(&provider));
    }

    #[test]
    fn methods_that_code_relied_on_are_kept_once() {
        let (mut experience, mut tuning) = (Experience::default(), Tuning::default());
        tuning.relied_on_methods = 2;
        for (class, method) in [(1, "current"), (1, "current"), (2, "current"), (3, "current")] {
            experience.add_relied_on(TypeId(class), method, &tuning);
        }
        let found: Vec<(TypeId, &str)> = experience.relied_on().collect();
        assert_eq!(found, [(TypeId(1), "current"), (TypeId(2), "current")], "there is no room for a third");
    }

    #[test]
    fn messages_are_looked_at_once() {
        let (mut experience, mut tuning) = (Experience::default(), Tuning::default());
        tuning.null_messages = 2;
        let new: Vec<bool> = ["a", "a", "b", "c"].map(|it| experience.is_new_message(it, &tuning)).into();
        assert_eq!(new, [true, false, true, false]);
    }
}
