use super::Workshop;
use super::catalogue::How;
use super::draft::Draft;
use super::make::Wishes;
use crate::{Arguments, FieldId, Kind, Literal, MethodId, MockId, Random, Statement, TypeId, Var};

/// What test cases must lead into.
#[derive(Clone, Debug, Default)]
pub struct Aim {
    /// Ways into the target frame. Every test case ends with one of them.
    pub entries: Vec<Entry>,
    /// Types of objects that the frames below the target run on, innermost first.
    pub actors: Vec<TypeId>,
    /// How many of [`Pools::traced`](super::Pools::traced) are at or below the target: what must
    /// run. A mock may answer for those above.
    pub traced: usize,
    /// Whether the target's own method is what it calls in the frame below: then what lower frames
    /// run on lies inside what the target runs on.
    pub recurses: bool,
}

/// A statement that leads into the target frame.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The statement.
    pub step: Step,
    /// Types of receivers that run the target's own code, the most likely first; for a static step
    /// none.
    pub receivers: Vec<TypeId>,
    /// Ways to the receiver; where there are some, no other is taken.
    pub sources: Vec<Source>,
    /// Types that the parameters have in the target's own code, where those are narrower than what
    /// is called says; may be shorter than the parameters.
    pub parameters: Vec<TypeId>,
    /// For each parameter values that callers are known to pass; may be shorter than the
    /// parameters.
    pub arguments: Vec<Vec<Literal>>,
    /// How often it is chosen, compared with the others.
    pub weight: u32,
}

/// What an entry does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Makes an object.
    Construct(MethodId),
    /// Calls a method.
    Call(MethodId),
    /// Reads a field. That of a static one initialises its class.
    Read(FieldId),
}

/// A way to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// What a step yields.
    Yielded(Step),
    /// What a mock is given while a step runs.
    Kept {
        /// The step.
        by: Step,
        /// The mock.
        mock: MockId,
        /// The method of the mock that is given the object.
        method: MethodId,
        /// Place of the parameter.
        parameter: u8,
    },
}

impl Workshop<'_> {
    pub(super) fn choose_entry(&self, random: &mut Random) -> Option<Entry> {
        random.pick_weighted(&self.aim.entries, |it| it.weight.max(1)).cloned()
    }

    /// The entry that a statement is, if it is one.
    pub(super) fn entry_of(&self, statement: &Statement) -> Option<&Entry> {
        let step = match statement {
            Statement::Construct { constructor, .. } => Step::Construct(*constructor),
            Statement::Call { method, .. } => Step::Call(*method),
            Statement::ReadField { field, receiver: None } => Step::Read(*field),
            _ => return None,
        };
        self.aim.entries.iter().find(|it| it.step == step)
    }

    /// The object that an entry is called on. The outer none means that it cannot be had, the inner
    /// one that none is needed.
    pub(super) fn receiver(
        &mut self,
        draft: &mut Draft,
        entry: &Entry,
        random: &mut Random,
    ) -> Option<Option<Var>> {
        let Step::Call(method) = entry.step else { return Some(None) };
        let method = self.vocabulary.method(method)?;
        if method.kind == Kind::Static {
            return Some(None);
        }
        let owner = method.owner;
        if let Some(source) = random.pick(&entry.sources).copied()
            && random.chance(self.tuning.receiver_origin)
            && let Some(found) = self.take_from(draft, source, random)
        {
            return Some(Some(found));
        }
        // The first receivers are the likely ones.
        let most = entry.receivers.len();
        let place = random.place(most).min(random.place(most));
        let wanted = entry.receivers.get(place).copied().unwrap_or(owner);
        let there = match self.favoured(draft, wanted) {
            Some(favoured) => vec![favoured],
            None => self.fitting(draft, wanted, false),
        };
        let receiver = match random.pick(&there) {
            Some(known) if random.chance(self.receiver_reuse()) => Some(*known),
            known => self.around(draft, wanted, random).or(known.copied()),
        };
        receiver.map(Some)
    }

    fn receiver_reuse(&self) -> f64 {
        match self.aim.recurses {
            true => self.tuning.receiver_reuse_of_recursion,
            false => self.tuning.receiver_reuse,
        }
    }

    /// The types of what an entry is called with.
    pub(super) fn parameters_of(&self, entry: &Entry) -> Vec<TypeId> {
        let (Step::Construct(method) | Step::Call(method)) = entry.step else { return Vec::new() };
        self.vocabulary.method(method).map(|it| it.parameters.to_vec()).unwrap_or_default()
    }

    fn take_from(&mut self, draft: &mut Draft, source: Source, random: &mut Random) -> Option<Var> {
        match source {
            Source::Yielded(step) => self.yielded(draft, step, random),
            Source::Kept { by, mock, method, parameter } => {
                let of = *self.vocabulary.method(method)?.parameters.get(usize::from(parameter))?;
                // One that is told nothing: it must not call what it is to keep.
                let mocked = self.vocabulary.mock(mock)?.of;
                let mock = draft.push(Statement::Mock(mock), Some(mocked))?;
                draft.favoured.push(mock);
                let done = match by {
                    Step::Construct(constructor) => {
                        self.follow(draft, How::Construct(constructor), self.tuning.depth, random)
                    }
                    other => self.yielded(draft, other, random),
                };
                draft.favoured.retain(|it| *it != mock);
                done?;
                draft.push(Statement::Kept { mock, method, parameter }, Some(of))
            }
        }
    }

    /// What a step yields.
    fn yielded(&mut self, draft: &mut Draft, source: Step, random: &mut Random) -> Option<Var> {
        match source {
            Step::Call(method) => self.call(draft, method, None, self.tuning.depth, random),
            Step::Construct(_) => None,
            Step::Read(field) => {
                let read = self.vocabulary.field(field)?;
                let (of, owner, is_static) = (read.of, read.owner, read.is_static);
                let receiver = match is_static {
                    true => None,
                    false => Some(self.value(draft, owner, false, &[], self.tuning.depth, random)?),
                };
                draft.push(Statement::ReadField { field, receiver }, Some(of))
            }
        }
    }

    /// Writes the entry.
    pub(super) fn enter(
        &mut self,
        draft: &mut Draft,
        entry: &Entry,
        receiver: Option<Var>,
        random: &mut Random,
    ) -> Option<Var> {
        let (statement, of) = match entry.step {
            Step::Construct(constructor) => {
                let arguments = self.entry_arguments(draft, constructor, entry, random)?;
                let of = self.vocabulary.method(constructor)?.owner;
                (Statement::Construct { constructor, arguments }, Some(of))
            }
            Step::Call(method) => {
                let arguments = self.entry_arguments(draft, method, entry, random)?;
                (Statement::Call { method, receiver, arguments }, self.result_of(method))
            }
            Step::Read(field) => {
                (Statement::ReadField { field, receiver: None }, Some(self.vocabulary.field(field)?.of))
            }
        };
        draft.push(statement, of)
    }

    fn entry_arguments(
        &mut self,
        draft: &mut Draft,
        method: MethodId,
        entry: &Entry,
        random: &mut Random,
    ) -> Option<Arguments> {
        let outer = if self.aim.recurses { self.outer_argument(draft, method, entry, random) } else { None };
        let wishes = Wishes { types: &entry.parameters, given: outer };
        let mut arguments = self.arguments(draft, method, wishes, self.tuning.depth, random)?;
        for (place, known) in arguments.iter_mut().zip(&entry.arguments) {
            if let Some(literal) = random.pick(known).cloned()
                && random.chance(self.tuning.known_argument)
                && let Some(variable) = self.push_literal(draft, literal)
            {
                *place = variable;
            }
        }
        Some(arguments)
    }

    /// A new argument around the one that the frame below, which is in the same method, was given.
    fn outer_argument(
        &mut self,
        draft: &mut Draft,
        method: MethodId,
        entry: &Entry,
        random: &mut Random,
    ) -> Option<(usize, Var)> {
        let parameters = self.vocabulary.method(method)?.parameters.clone();
        for (number, parameter) in parameters.iter().enumerate() {
            let wanted = *entry.parameters.get(number).unwrap_or(parameter);
            if self.favoured(draft, wanted).is_some() && random.chance(self.tuning.enclosing_argument) {
                return Some((number, self.around(draft, wanted, random)?));
            }
        }
        None
    }
}
