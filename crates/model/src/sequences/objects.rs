//! The objects of a body, and the calls on each.

use std::collections::HashMap;

use crashback_classfile::{FieldType, JavaStr, MemberRef};
use crashback_program::code::provenance::Definition;
use crashback_program::code::{Invoke, InvokeKind, MethodBody, Operation, Provenance};

use super::Call;

/// An object, as far as one method can tell it from others: a parameter, a field, the result of a call, a
/// new object.
#[derive(Default)]
pub(super) struct Object<'a> {
    /// The class that a declaration gives it.
    pub(super) declared: Option<JavaStr<'a>>,
    /// Whether it is there when the method is entered.
    pub(super) is_given: bool,
    /// Events in code order: instruction and kind.
    pub(super) events: Vec<(usize, Event<'a>)>,
}

/// An event in the life of an object.
#[derive(Clone, Copy)]
pub(super) enum Event<'a> {
    /// Another object takes its place; its calls so far are a sequence of their own.
    Begins,
    /// A constructor or method is called on it.
    Called(Call<'a>),
}

/// A place that holds an object for the whole method.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct FieldPlace<'a> {
    holder: Holder,
    owner: JavaStr<'a>,
    name: JavaStr<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holder {
    Static,
    This,
    Object(usize),
}

/// How many definitions are followed from one to the next, as in chains of fluent calls.
const MAX_DEPTH: usize = 64;

/// Finds the objects of a body with their events.
///
/// Receivers are told apart by where they come into being. A field of one holder is one object throughout
/// the method, and the same as an object that is stored in it. The result of a method that takes
/// something and yields its own class, as those of builders do, is its receiver. The object that the
/// method itself runs on is left out: its calls show the class from inside, and not how it is used.
pub(super) fn objects<'a>(body: &MethodBody<'a>, provenance: &Provenance<'_, 'a>) -> Vec<Object<'a>> {
    let mut finder = Finder {
        body,
        provenance,
        objects: Vec::new(),
        parents: Vec::new(),
        known: HashMap::new(),
        fields: HashMap::new(),
    };
    finder.find();
    finder.finish()
}

struct Finder<'x, 'b, 'a> {
    body: &'x MethodBody<'a>,
    provenance: &'x Provenance<'b, 'a>,
    objects: Vec<Object<'a>>,
    /// For each object the one that it is the same as, itself at the root.
    parents: Vec<usize>,
    known: HashMap<Definition, Option<usize>>,
    fields: HashMap<FieldPlace<'a>, usize>,
}

impl<'a> Finder<'_, '_, 'a> {
    fn find(&mut self) {
        for (index, operation) in self.body.operations() {
            match operation {
                Operation::Invoke(invoke) => self.add_call(index, invoke),
                Operation::PutField(field) => {
                    let holder = self.holder(index, MAX_DEPTH);
                    self.store(index, 1, holder, field.member, field.field_type);
                }
                Operation::PutStatic(field) => {
                    self.store(index, 0, Some(Holder::Static), field.member, field.field_type);
                }
                _ => {}
            }
        }
    }

    fn add_call(&mut self, index: usize, invoke: &Invoke<'a>) {
        let is_constructor = invoke.method.name == "<init>";
        let is_called = match invoke.kind {
            InvokeKind::Special => is_constructor,
            kind => kind.has_receiver(),
        };
        if !is_called || invoke.method.owner.as_bytes().starts_with(b"[") {
            return;
        }
        let provenance = self.provenance;
        let mut receivers: Vec<usize> = Vec::new();
        for definition in provenance.definitions(index, 0) {
            let found = self.object_of(*definition, MAX_DEPTH).map(|it| self.root(it));
            receivers.extend(found.filter(|it| !receivers.contains(it)));
        }
        let MemberRef { owner, name, descriptor, .. } = invoke.method;
        for object in receivers {
            if is_constructor {
                self.add_event(object, index, Event::Begins);
            }
            self.add_event(object, index, Event::Called(Call { owner, name, descriptor }));
        }
    }

    /// Notes that an object is stored in a field: both are one from now on.
    fn store(
        &mut self,
        index: usize,
        operand: usize,
        holder: Option<Holder>,
        field: MemberRef<'a>,
        of: FieldType<'a>,
    ) {
        let [definition] = *self.provenance.definitions(index, operand) else { return };
        let Some(stored) = self.object_of(definition, MAX_DEPTH) else { return };
        let (Some(holder), Some(class)) = (holder, of.class_name()) else { return };
        let kept = self.field(holder, field, class);
        let (stored, kept) = (self.root(stored), self.root(kept));
        if stored == kept {
            return;
        }
        let moved = self.objects.get_mut(stored).map(std::mem::take).unwrap_or_default();
        if let Some(kept) = self.objects.get_mut(kept) {
            kept.events.extend(moved.events);
            kept.is_given |= moved.is_given;
            kept.declared = kept.declared.or(moved.declared);
        }
        if let Some(parent) = self.parents.get_mut(stored) {
            *parent = kept;
        }
    }

    /// The object that holds the field which an instruction uses; none if there may be several.
    fn holder(&mut self, index: usize, depth: usize) -> Option<Holder> {
        match *self.provenance.definitions(index, 0) {
            [Definition::This] => Some(Holder::This),
            [single] => self.object_of(single, depth).map(|it| Holder::Object(self.root(it))),
            _ => None,
        }
    }

    fn field(&mut self, holder: Holder, field: MemberRef<'a>, class: JavaStr<'a>) -> usize {
        let place = FieldPlace { holder, owner: field.owner, name: field.name };
        if let Some(known) = self.fields.get(&place) {
            return *known;
        }
        let made = self.add(Some(class), true);
        self.fields.insert(place, made);
        made
    }

    /// The object that comes into being somewhere; none for values that are no objects, for arrays, for
    /// literals and for the object that the method runs on.
    fn object_of(&mut self, definition: Definition, depth: usize) -> Option<usize> {
        if let Some(known) = self.known.get(&definition) {
            return *known;
        }
        let found = match definition {
            Definition::This => None,
            Definition::Parameter(number) => {
                let of = self.body.signature().parameters().nth(number);
                of.and_then(FieldType::class_name).map(|it| self.add(Some(it), true))
            }
            Definition::Caught(handler) => Some(self.begin(handler, None)),
            Definition::Instruction(index) => self.object_at(index, depth.checked_sub(1)?),
        };
        self.known.insert(definition, found);
        found
    }

    fn object_at(&mut self, index: usize, depth: usize) -> Option<usize> {
        let body = self.body;
        match body.operation(index)? {
            Operation::New(_) => Some(self.add(None, false)),
            Operation::GetStatic(field) => {
                field.field_type.class_name().map(|it| self.field(Holder::Static, field.member, it))
            }
            Operation::GetField(field) => {
                let class = field.field_type.class_name()?;
                Some(match self.holder(index, depth) {
                    Some(holder) => self.field(holder, field.member, class),
                    None => self.begin(index, Some(class)),
                })
            }
            Operation::Invoke(invoke) => {
                let class = invoke.signature.result()?.class_name()?;
                let is_fluent = invoke.kind.has_receiver()
                    && class == invoke.method.owner
                    && invoke.signature.parameters().next().is_some();
                let receiver = match *self.provenance.definitions(index, 0) {
                    [single] if is_fluent => self.object_of(single, depth),
                    _ => None,
                };
                Some(receiver.unwrap_or_else(|| self.begin(index, Some(class))))
            }
            Operation::InvokeDynamic(call) => {
                let class = call.signature.result()?.class_name()?;
                Some(self.begin(index, Some(class)))
            }
            Operation::LoadElement(_) => Some(self.begin(index, None)),
            _ => None,
        }
    }

    /// An object that comes into being at an instruction.
    fn begin(&mut self, index: usize, declared: Option<JavaStr<'a>>) -> usize {
        let object = self.add(declared, false);
        self.add_event(object, index, Event::Begins);
        object
    }

    fn add(&mut self, declared: Option<JavaStr<'a>>, is_given: bool) -> usize {
        let number = self.objects.len();
        self.objects.push(Object { declared, is_given, events: Vec::new() });
        self.parents.push(number);
        number
    }

    fn add_event(&mut self, object: usize, index: usize, event: Event<'a>) {
        let object = self.root(object);
        if let Some(object) = self.objects.get_mut(object) {
            object.events.push((index, event));
        }
    }

    fn root(&self, mut object: usize) -> usize {
        // Parents are roots when they are set, so that chains are short.
        while let Some(parent) = self.parents.get(object).copied().filter(|it| *it != object) {
            object = parent;
        }
        object
    }

    /// The objects on which something is called, their events in code order.
    fn finish(self) -> Vec<Object<'a>> {
        let is_called = |it: &Object<'_>| it.events.iter().any(|it| matches!(it.1, Event::Called(_)));
        let mut objects: Vec<Object<'a>> = self.objects.into_iter().filter(is_called).collect();
        for object in &mut objects {
            // The order of events at one instruction, a constructor and its call, stays.
            object.events.sort_by_key(|(index, _)| *index);
        }
        objects
    }
}
