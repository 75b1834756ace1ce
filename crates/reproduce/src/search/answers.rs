//! What mocks answer unasked, and whether a crash rests on it.

use crashback_protocol::{Asked, Batch, Failure};
use crashback_testcase::{
    Answer, Context, Literal, MethodId, MockId, Statement, TestCase, Var, Vocabulary, check,
};

use super::Search;
use super::confirm::MINIMISING;
use crate::arm::Arm;
use crate::candidate::Candidate;

impl Search<'_> {
    /// The calls that mocks of a test answer without having been told what to answer.
    pub(crate) fn asked(&mut self, candidate: &Candidate, test: &TestCase) -> Result<Vec<Asked>, Failure> {
        let listens = self.arms.get(candidate.arm).is_some_and(Arm::listens);
        let (vocabulary, tests) = (self.workshop.vocabulary(), std::slice::from_ref(test));
        let (isolation, pins) = (self.runner.strict_isolation(), MINIMISING);
        let results = self.runner.run(Batch { vocabulary, tests, isolation, pins, listens })?;
        Ok(results.observations.into_iter().next().map(|it| it.facts.asked).unwrap_or_default())
    }

    /// Whether a test no longer crashes as wanted once a mock answers one of these calls, to which it
    /// yields 0 or `false` unasked, with 1 or `true`.
    pub(crate) fn rests_on_zero(
        &mut self,
        candidate: &Candidate,
        test: &TestCase,
        asked: &[Asked],
    ) -> Result<bool, Failure> {
        let vocabulary = self.workshop.vocabulary();
        let mut calls: Vec<(MockId, u16)> = asked.iter().map(|it| (it.mock, it.method)).collect();
        calls.sort_unstable();
        calls.dedup();
        let package = self.arms.get(candidate.origin.maker).map_or("", |it| it.package);
        let context = Context::new(self.case.classes.index(), package);
        let others = calls.into_iter().filter_map(|it| with_other_answer(vocabulary, test, it));
        let others: Vec<TestCase> = others.filter(|it| check(it, vocabulary, &context).is_ok()).collect();
        let Some(arm) = self.arms.get_mut(candidate.arm).filter(|_| !others.is_empty()) else {
            return Ok(false);
        };
        let (isolation, listens) = (self.runner.strict_isolation(), arm.listens());
        let batch = Batch { vocabulary, tests: &others, isolation, pins: MINIMISING, listens };
        let results = self.runner.run(batch)?;
        let mut scoring = arm.objectives.batch(&results);
        let mut ended = others.iter().zip(&results.observations);
        Ok(ended.any(|(test, observation)| !scoring.judge(test, observation).is_reproduced()))
    }
}

/// The test whose mocks of a kind answer a method, given by its place, other than by default. None if the
/// method yields objects or nothing, or the mock runs the methods that its class has.
fn with_other_answer(
    vocabulary: &Vocabulary,
    test: &TestCase,
    (mock, place): (MockId, u16),
) -> Option<TestCase> {
    let mocked = vocabulary.mock(mock).filter(|it| !it.calls_real)?;
    let method = mocked.methods.get(usize::from(place))?.method;
    let result = vocabulary.type_of(vocabulary.method(method)?.result)?;
    let other = match result.descriptor() {
        "Z" => Literal::Boolean(true),
        "B" => Literal::Byte(1),
        "S" => Literal::Short(1),
        "I" => Literal::Int(1),
        "J" => Literal::Long(1),
        "F" => Literal::Float(1.0),
        "D" => Literal::Double(1.0),
        _ => return None,
    };
    answering(test, mock, method, &other)
}

/// The test whose mocks of a kind answer a method with a literal unless the test says otherwise.
fn answering(test: &TestCase, mock: MockId, method: MethodId, value: &Literal) -> Option<TestCase> {
    let mut names: Vec<Var> = Vec::new();
    let mut made: Vec<Statement> = Vec::new();
    for statement in test.statements() {
        let name = Var(u16::try_from(made.len()).ok()?);
        let renamed = |it: Var| names.get(usize::from(it.0)).copied().unwrap_or(it);
        made.push(statement.clone().with_operands(renamed));
        names.push(name);
        if matches!(statement, Statement::Mock(it) if *it == mock) {
            let answer = Answer::Return(Var(u16::try_from(made.len()).ok()?));
            made.push(Statement::Literal(value.clone()));
            made.push(Statement::Stub { mock: name, method, given: None, answer });
        }
    }
    Some(TestCase::new(made))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crashback_testcase::Arguments;

    #[test]
    fn what_comes_behind_an_answer_keeps_its_operands() {
        let (mock, method) = (MockId(0), MethodId(3));
        let call = |of: u16| Statement::Call { method, receiver: Some(Var(of)), arguments: Arguments::new() };
        let text = || Statement::Literal(Literal::Int(7));
        let test = TestCase::new([text(), Statement::Mock(mock), call(1)]);
        let answering = answering(&test, mock, method, &Literal::Int(1)).unwrap();
        let stub = Statement::Stub { mock: Var(1), method, given: None, answer: Answer::Return(Var(2)) };
        let one = Statement::Literal(Literal::Int(1));
        assert_eq!(answering.statements(), [text(), Statement::Mock(mock), one, stub, call(1)]);
    }
}
