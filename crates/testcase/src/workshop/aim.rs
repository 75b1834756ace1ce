use super::Workshop;
use super::draft::Draft;
use super::make::DEEPEST;
use crate::{Arguments, FieldId, Kind, Literal, MethodId, Random, Statement, TypeId, Var};

/// What test cases must lead into.
#[derive(Clone, Debug, Default)]
pub struct Aim {
    /// Ways into the target frame. Every test case ends with one of them.
    pub entries: Vec<Entry>,
    /// Types of objects that the frames below the target run on, innermost first.
    pub actors: Vec<TypeId>,
}

/// A statement that leads into the target frame.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The statement.
    pub step: Step,
    /// Types of receivers that run the target's own code, the most likely first; for a static step none.
    pub receivers: Vec<TypeId>,
    /// For each parameter values that callers are known to pass; may be shorter than the parameters.
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
    /// Reads a static field: its class is initialised by that.
    Read(FieldId),
}

/// How often an argument of an entry is a value that callers are known to pass, where one is known.
const KNOWN_ARGUMENT: f64 = 0.6;

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

    /// Objects that the lower frames run on: they are linked into later ones when those ask for values of their types.
    pub(super) fn make_actors(&mut self, draft: &mut Draft, random: &mut Random) {
        for number in 0..self.aim.actors.len() {
            if let Some(&actor) = self.aim.actors.get(number)
                && random.chance(0.7)
            {
                self.make(draft, actor, false, &[], DEEPEST, random);
            }
        }
    }

    /// The object that an entry is called on. The outer none means that it cannot be had, the inner one that none is needed.
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
        // The first receivers are the likely ones.
        let most = entry.receivers.len();
        let place = random.place(most).min(random.place(most));
        let wanted = entry.receivers.get(place).copied().unwrap_or(owner);
        let there = self.fitting(draft, wanted, false);
        let receiver = match random.pick(&there) {
            Some(known) if random.chance(0.8) => Some(*known),
            known => self.make(draft, wanted, false, &[], DEEPEST, random).or(known.copied()),
        };
        receiver.map(Some)
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
        let mut arguments = self.arguments(draft, method, DEEPEST, random)?;
        for (place, known) in arguments.iter_mut().zip(&entry.arguments) {
            if let Some(literal) = random.pick(known).cloned()
                && random.chance(KNOWN_ARGUMENT)
                && let Some(variable) = self.push_literal(draft, literal)
            {
                *place = variable;
            }
        }
        Some(arguments)
    }
}
