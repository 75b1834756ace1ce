use super::draft::Draft;
use super::replay::Renaming;
use super::{Tuning, Workshop};
use crate::{Answer, Arguments, Kind, Literal, Random, Statement, TestCase, TypeId, Var};

impl Workshop<'_> {
    /// A test case near another: statements deleted, changed and inserted, each statement with
    /// probability 1/n (EvoCrash, algorithm 4). The last statement stays an entry. If nothing could
    /// be changed the result is equal to the original.
    pub fn mutate(&mut self, test: &TestCase, random: &mut Random) -> TestCase {
        for _ in 0..self.tuning.mutation_attempts {
            if let Some(mutant) = self.try_to_mutate(test, random)
                && mutant != *test
            {
                return mutant;
            }
        }
        test.clone()
    }

    fn try_to_mutate(&mut self, test: &TestCase, random: &mut Random) -> Option<TestCase> {
        let length = test.statements().len();
        let last = length.checked_sub(1)?;
        let often = 1.0 / length as f64;
        let deletes = random.chance(self.tuning.delete) && length > 2;
        let inserts = random.chance(self.tuning.insert) && length < self.tuning.longest_test;
        let changes = random.chance(self.tuning.change) || !(deletes || inserts);
        let prepares = inserts && random.chance(self.often_prepared(self.tuning.insert_preparation));
        let place = match inserts {
            true if prepares && random.one_in(self.tuning.preparation_first) => 0,
            true => random.place(length),
            false => length,
        };
        let mut draft = Draft::default();
        let mut names = Renaming::of(length);
        // At least one change where there is to be one.
        let sure = if changes { random.place(length) } else { length };
        for (number, statement) in test.statements().iter().enumerate() {
            match number == place {
                true if prepares => self.prepare(&mut draft, random),
                true => {
                    let receiver = receiver_of(test).and_then(|it| names.get(it));
                    self.insert(&mut draft, receiver, random);
                }
                false => {}
            }
            let is_changed = changes && (number == sure || random.chance(often));
            let new = match () {
                () if deletes && number != last && random.chance(often) => None,
                () if is_changed => self.changed(&mut draft, statement, &names, number == last, random),
                () => self.replay(&mut draft, statement, &names, random),
            };
            if number == last {
                new?;
            }
            names.set(number, new);
            // A mock may have become something else.
            if let Some(new) = new
                && let Some(Statement::Mock(mock)) =
                    draft.statement(new).filter(|it| *it == statement).cloned()
                && inserts
                && random.chance(self.tuning.stub_more)
            {
                let known = stubs_of(test, number);
                self.stub_more(&mut draft, new, mock, &known, self.tuning.depth_of_insertions, random);
            }
        }
        Some(draft.finish())
    }

    /// Appends calls, mostly on the object that the target is called on if that can be brought into
    /// another state.
    fn insert(&mut self, draft: &mut Draft, receiver: Option<Var>, random: &mut Random) {
        let of = receiver.and_then(|it| draft.value(it).of);
        let receiver = receiver.filter(|_| of.is_some_and(|of| self.has_influence(of)));
        let mut more = 1.0;
        while random.chance(more) && draft.len() < self.tuning.longest_test {
            self.insert_call(draft, receiver, random);
            more *= self.tuning.insert_again;
        }
    }

    /// Appends something else in the place of a statement.
    fn changed(
        &mut self,
        draft: &mut Draft,
        statement: &Statement,
        names: &Renaming,
        is_last: bool,
        random: &mut Random,
    ) -> Option<Var> {
        if is_last {
            return self.changed_entry(draft, statement, names, random);
        }
        let kept = self.replay(draft, statement, names, random)?;
        match statement {
            Statement::Literal(Literal::Null(of)) => {
                self.make(draft, *of, true, &[], self.tuning.depth_of_changes, random).or(Some(kept))
            }
            Statement::Literal(Literal::Folder) => Some(kept),
            Statement::Literal(literal) => {
                let is_text = matches!(literal, Literal::Text(_));
                let of = draft.value(kept).of?;
                if is_text && random.chance(self.null_value() * self.tuning.null_text) {
                    return self.null(draft, of);
                }
                let near = self.near(literal, random)?;
                self.push_literal(draft, near)
            }
            Statement::NewArray { array, length } => {
                let most = u16::try_from(self.tuning.longest_resized_array).unwrap_or(u16::MAX);
                let length = match random.below(3) {
                    0 => length.saturating_sub(1),
                    1 => length.saturating_add(1),
                    _ => u16::try_from(random.place(self.tuning.array_resized + 1)).unwrap_or_default(),
                };
                draft.push(Statement::NewArray { array: *array, length: length.min(most) }, Some(*array))
            }
            Statement::WriteElement { .. } | Statement::Stub { .. } | Statement::Inject { .. } => {
                self.with_other_value(draft, kept, random)
            }
            Statement::Cast { .. } | Statement::Kept { .. } => Some(kept),
            _ if random.one_in(self.tuning.operand_not_maker) => {
                self.with_other_operand(draft, kept, &[], random)
            }
            _ => self.with_other_maker(draft, kept, random),
        }
    }

    /// The entry with another argument or receiver, or another entry.
    fn changed_entry(
        &mut self,
        draft: &mut Draft,
        statement: &Statement,
        names: &Renaming,
        random: &mut Random,
    ) -> Option<Var> {
        if self.aim.entries.len() > 1 && random.one_in(self.tuning.other_target_call) {
            let entry = self.choose_entry(random)?;
            let receiver = self.receiver(draft, &entry, random)?;
            return self.enter(draft, &entry, receiver, random);
        }
        let kept = self.replay(draft, statement, names, random)?;
        let entry = self.entry_of(statement).cloned();
        if let (Some(entry), Statement::Call { receiver: Some(_), .. }, true) =
            (&entry, statement, random.one_in(self.tuning.other_receiver))
        {
            let old = draft.take_last()?;
            let receiver = self.receiver(draft, entry, random)??;
            let Statement::Call { method, arguments, .. } = old else { return None };
            let of = self.result_of(method);
            return draft.push(Statement::Call { method, receiver: Some(receiver), arguments }, of);
        }
        if let Some(entry) =
            entry.filter(|it| !it.arguments.is_empty() && random.one_in(self.tuning.other_known_arguments))
        {
            let Statement::Call { receiver, .. } = draft.take_last()? else { return None };
            return self.enter(draft, &entry, receiver, random);
        }
        let narrower = self.entry_of(statement).map(|it| it.parameters.clone()).unwrap_or_default();
        self.with_other_operand(draft, kept, &narrower, random)
    }

    /// The last statement again, with a new value for one of its arguments, which may be of
    /// narrower types. The old one is taken away.
    fn with_other_operand(
        &mut self,
        draft: &mut Draft,
        kept: Var,
        narrower: &[TypeId],
        random: &mut Random,
    ) -> Option<Var> {
        let statement = draft.statement(kept)?.clone();
        let (callee, old) = match &statement {
            Statement::Construct { constructor, arguments } => (*constructor, arguments.clone()),
            Statement::Call { method, arguments, .. } => (*method, arguments.clone()),
            Statement::WriteField { .. } => return self.with_other_value(draft, kept, random),
            _ => return Some(kept),
        };
        if old.is_empty() {
            return Some(kept);
        }
        draft.take_last()?;
        let number = random.place(old.len());
        let method = self.vocabulary.method(callee)?;
        let wanted = *narrower.get(number).or(method.parameters.get(number))?;
        let is_outer =
            number == 0 && method.kind == Kind::Constructor && self.has_outer_instance(method.owner);
        let hints = self.type_arguments(callee, number);
        let new = self.new_operand(draft, *old.get(number)?, wanted, !is_outer, &hints, random)?;
        let mut arguments: Arguments = old;
        *arguments.get_mut(number)? = new;
        let of = match &statement {
            Statement::Construct { .. } => self.vocabulary.method(callee).map(|it| it.owner),
            _ => self.result_of(callee),
        };
        let statement = match statement {
            Statement::Call { method, receiver, .. } => Statement::Call { method, receiver, arguments },
            _ => Statement::Construct { constructor: callee, arguments },
        };
        draft.push(statement, of)
    }

    /// Another value for a use: near the old one if that is a literal, else any other.
    fn new_operand(
        &mut self,
        draft: &mut Draft,
        old: Var,
        wanted: TypeId,
        nullable: bool,
        hints: &[TypeId],
        random: &mut Random,
    ) -> Option<Var> {
        let literal = match draft.statement(old) {
            Some(Statement::Literal(literal)) if !matches!(literal, Literal::Null(_)) => {
                Some(literal.clone())
            }
            _ => None,
        };
        if let Some(literal) = literal
            && random.chance(self.tuning.literal_step)
            && let Some(near) = self.near(&literal, random)
        {
            return self.push_literal(draft, near);
        }
        self.value(draft, wanted, nullable, hints, self.tuning.depth_of_changes, random)
    }

    /// The last statement, a write, again with another value.
    fn with_other_value(&mut self, draft: &mut Draft, kept: Var, random: &mut Random) -> Option<Var> {
        let statement = draft.statement(kept)?.clone();
        let (old, wanted) = match &statement {
            Statement::WriteField { field, value, .. } => (*value, self.vocabulary.field(*field)?.of),
            Statement::WriteElement { array, value, .. } => {
                let element = self.vocabulary.type_of(draft.value(*array).of?)?.element()?;
                (*value, self.vocabulary.add_type(element))
            }
            Statement::Inject { field, value, .. } => (*value, self.vocabulary.field(*field)?.of),
            Statement::Stub { method, given: Some(_), answer: Answer::Return(value), .. } => {
                (*value, draft.value(*value).of.or_else(|| self.result_of(*method))?)
            }
            Statement::Stub {
                method,
                answer: Answer::Return(value) | Answer::Sequence { then: value, .. },
                ..
            } => {
                let result = self.result_of(*method)?;
                (*value, self.answer_type(result, random))
            }
            Statement::Stub { answer: Answer::Call { callback, value }, .. } => {
                let called = self.vocabulary.method(callback.method)?;
                match called.parameters.get(usize::from(callback.place)) {
                    Some(wanted) => (*value, *wanted),
                    None => return Some(kept),
                }
            }
            _ => return Some(kept),
        };
        draft.take_last()?;
        let new = self.new_operand(draft, old, wanted, true, &[], random)?;
        let changed = match statement {
            Statement::WriteField { field, receiver, .. } => {
                Statement::WriteField { field, receiver, value: new }
            }
            Statement::WriteElement { array, index, .. } => {
                Statement::WriteElement { array, index, value: new }
            }
            Statement::Inject { field, receiver, .. } => Statement::Inject { field, receiver, value: new },
            Statement::Stub { mock, method, given, answer } => {
                Statement::Stub { mock, method, given, answer: with_new(answer, new, &self.tuning, random) }
            }
            other => other,
        };
        draft.push(changed, None)
    }

    /// Another way to a value of the same type in the place of the last statement; a statement
    /// without value is called again otherwise.
    fn with_other_maker(&mut self, draft: &mut Draft, kept: Var, random: &mut Random) -> Option<Var> {
        let Some(of) = draft.value(kept).of else {
            let Some(Statement::Call { receiver, .. }) = draft.statement(kept) else { return Some(kept) };
            let receiver = *receiver;
            draft.take_last()?;
            self.insert_call(draft, receiver, random);
            // It yields nothing that somebody could miss.
            return u16::try_from(draft.len().checked_sub(1)?).ok().map(Var);
        };
        // A call may have an effect, so it stays beside the new value.
        self.make(draft, of, false, &[], self.tuning.depth_of_changes, random).or(Some(kept))
    }
}

/// An answer with another value: instead of the old one or, where the first call may get another
/// than those that follow, before or behind it.
fn with_new(answer: Answer, new: Var, tuning: &Tuning, random: &mut Random) -> Answer {
    match answer {
        Answer::Return(old) if random.chance(tuning.answer_sequence) => match random.one_in(2) {
            true => Answer::Sequence { first: old, then: new },
            false => Answer::Sequence { first: new, then: old },
        },
        Answer::Sequence { first, .. } if random.chance(tuning.answer_sequence) => Answer::Return(first),
        Answer::Return(_) => Answer::Return(new),
        Answer::Sequence { first, .. } => Answer::Sequence { first, then: new },
        Answer::Throw(_) => Answer::Throw(new),
        Answer::Call { callback, .. } => Answer::Call { callback, value: new },
    }
}

/// The object that the last statement is called on.
fn receiver_of(test: &TestCase) -> Option<Var> {
    match test.statements().last()? {
        Statement::Call { receiver, .. } => *receiver,
        _ => None,
    }
}

/// What a test says that a mock of it answers.
fn stubs_of(test: &TestCase, number: usize) -> Vec<Statement> {
    let is_of = |it: &&Statement| matches!(it, Statement::Stub { mock, .. } if usize::from(mock.0) == number);
    test.statements().iter().filter(is_of).cloned().collect()
}
