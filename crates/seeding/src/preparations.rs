//! What a test can do beforehand so that the code on the way to the crash finds something else than
//! it would.

use std::collections::{BTreeMap, BTreeSet};

use crashback_classfile::{JavaStr, MemberRef, MethodDescriptor};
use crashback_program::classes::{Classes, MethodId};
use crashback_program::code::operation::Field;
use crashback_program::code::{MethodBody, Operation, call_sites};
use crashback_program::frames::{CrashAudit, Origin};
use crashback_program::index::ClassRef;
use crashback_program::{ClassView, EntryKind, MemberView};
use crashback_testcase::workshop::{Influence, Preparation, Tuning};
use crashback_testcase::{Literal, MemberName, Text};

use crate::collect::Offers;
use crate::handed::Handed;
use crate::reads::{Property, Read, Reads, reads};
use crate::{contents, expectations, forms, resources, tables, tokens};

/// Adds members that write static state, and methods that write fields, which the frames and what
/// they call read.
pub(crate) fn add(classes: &Classes<'_>, audit: &CrashAudit, offers: &mut Offers<'_>) {
    let tuning = offers.tuning;
    let mut reads = reads(classes, audit, tuning);
    let around = classes_around(classes, audit, &reads, tuning);
    let handed = Handed::of(classes, &around);
    reads.add_handed(classes, &handed);
    expectations::add(classes, audit, &reads.visited, &around, tuning, &mut offers.pools);
    let traced: BTreeSet<MethodId> = audit.frames.iter().filter_map(|it| it.resolved).collect();
    let mut found: Vec<(usize, Preparation)> = Vec::new();
    found.extend(reads.properties.iter().map(|it| set_property(it, tuning)).enumerate());
    found.extend(
        reads.fields.iter().enumerate().filter_map(|(place, it)| Some((place, write_field(it, tuning)?))),
    );
    let effects = effects(classes, &around, tuning);
    for (method, effect) in effects.iter().filter(|(it, _)| !traced.contains(it)) {
        let Some(view) = method.view(classes.index()).filter(|it| is_callable(*it)) else { continue };
        let written = effect.written.iter().chain(handed.changed_by(*method));
        let written = written.filter_map(|it| reads.influence(*it));
        let filled = effect.filled.iter().filter_map(|it| reads.influence(*it));
        let changed = written.chain(filled.map(|it| it.min(Influence::Contents)));
        if let Some(influence) = changed.max().filter(|_| !view.is_static()) {
            offers.pools.influential.insert(MemberName::of(view), influence);
        }
        found.extend(call(&reads, view, effect, tuning));
    }
    found.sort_by(|a, b| (a.0, &a.1.member).cmp(&(b.0, &b.1.member)));
    found.truncate(tuning.preparations);
    let getters = getters(classes, &effects);
    for (_, preparation) in &mut found {
        let through = preparation.provides.iter().filter_map(|it| getters.get(it)).flatten();
        let through: Vec<String> = through.cloned().collect();
        preparation.provides.extend(through);
    }
    let weighted = found
        .into_iter()
        .map(|(place, it)| Preparation { weight: it.weight * nearness(place, tuning), ..it });
    offers.pools.preparations.extend(weighted);
    resources::add(classes, &reads.lookups, offers);
    tokens::add(classes, &reads.visited, offers);
    tables::add(classes, &reads.visited, offers);
    forms::add(classes, &reads.visited, offers);
    let pools = &mut offers.pools;
    pools.opens_files = reads.opens_files;
    pools.is_small = is_small(classes, tuning.small_program);
    pools.classes_of_kind = reads.classes_of_kind;
    pools.methods_of_kind = reads.methods_of_kind;
    pools.cast_classes.extend(reads.cast_classes.into_iter().take(tuning.cast_classes));
}

/// The ways to put something into a static field, maybe before the initialiser of a class reads it:
/// an assignment, or static methods of the classes around it that write it.
pub(crate) fn providers(
    classes: &Classes<'_>,
    class: &str,
    field: &str,
    precedes_initialiser: bool,
    tuning: &Tuning,
) -> Vec<Preparation> {
    let Some(class) = classes.index().get(&class.replace('.', "/")) else { return Vec::new() };
    let Some(field) = class.fields().find(|it| it.name() == field && it.is_static()) else {
        return Vec::new();
    };
    let provides = BTreeSet::from([place_of(field)]);
    let mut found: Vec<Preparation> =
        write_field(&Read { field, by_initialiser: precedes_initialiser, is_near: false }, tuning)
            .into_iter()
            .collect();
    for around in classes.nest(class) {
        classes.for_each_body(around, |method, body| {
            let Some(method) = method.view(classes.index()) else { return };
            let takes_something = !method.descriptor().starts_with("()");
            let is_setter = method.is_static() && is_callable(method) && takes_something;
            if is_setter && effect(classes, body).written.contains(&key(field)) {
                let (member, provides) = (MemberName::of(method), provides.clone());
                let (holder, arguments, weight) = (None, Vec::new(), tuning.preparation_setter);
                found.push(Preparation { member, holder, arguments, weight, provides, precedes_initialiser });
            }
        });
    }
    found
}

/// Whether few classes are on the class path beside those of the JDK: tests that need classes anew
/// are then cheap enough to be made at all. It is an estimate before anything has run. How a worker
/// gives back static state is another matter, which it decides by how many classes a loader has
/// initialised.
fn is_small(classes: &Classes<'_>, big: usize) -> bool {
    let is_own = |it: &ClassRef| classes.entry(*it).is_some_and(|it| it.kind != EntryKind::Jdk);
    classes.index().all().map(|it| it.reference()).filter(is_own).take(big).count() < big
}

impl<'s> Reads<'s> {
    /// The place of that of some fields which is read nearest to the frames; none if none of them
    /// is read.
    fn nearest(&self, fields: &BTreeSet<FieldKey>) -> Option<usize> {
        self.fields.iter().position(|it| fields.contains(&key(it.field)))
    }

    /// How near to the frames a field is read; none if it is not.
    fn influence(&self, field: FieldKey) -> Option<Influence> {
        let read = self.fields.iter().find(|it| key(it.field) == field)?;
        Some(if read.is_near { Influence::Near } else { Influence::Far })
    }

    /// Adds fields of objects from which others take over what is read: those of builders.
    fn add_handed(&mut self, classes: &Classes<'s>, handed: &Handed) {
        for read in self.fields.clone() {
            for (class, number) in handed.sources_of(key(read.field)) {
                let class = classes.index().view(class);
                let field = class.and_then(|it| it.fields().find(|field| field.number() == number));
                let Some(field) = field.filter(|it| !it.is_static()) else { continue };
                match self.fields.iter_mut().find(|it| key(it.field) == key(field)) {
                    Some(known) => known.is_near |= read.is_near,
                    None => self.fields.push(Read { field, by_initialiser: false, is_near: read.is_near }),
                }
            }
        }
    }
}

/// An assignment to a static field, if anybody may make it.
fn write_field(read: &Read<'_>, tuning: &Tuning) -> Option<Preparation> {
    let access = read.field.access();
    let is_open = access.is_static() && !access.is_final() && !access.is_private() && !access.is_synthetic();
    is_open.then(|| Preparation {
        member: MemberName::of(read.field),
        holder: None,
        arguments: Vec::new(),
        weight: tuning.preparation_field,
        provides: BTreeSet::from([place_of(read.field)]),
        precedes_initialiser: read.by_initialiser,
    })
}

/// A call of a method that changes static state, or the state of an object that the code gets from
/// a static member; with the place of what it changes.
fn call(
    reads: &Reads<'_>,
    method: MemberView<'_>,
    effect: &Effect,
    tuning: &Tuning,
) -> Option<(usize, Preparation)> {
    let holder = match method.is_static() {
        true => None,
        false => Some(reads.holders.get(method.class().name())?.clone()),
    };
    let written = reads.nearest(&effect.written);
    let (place, fields) = match written {
        Some(place) => (place, &effect.written),
        None => (reads.nearest(&effect.read)?, &effect.read),
    };
    let weight = weight(method, written.is_some(), reads.visited.contains(&MethodId::of(method)), tuning);
    let precedes_initialiser =
        reads.fields.iter().any(|it| it.by_initialiser && fields.contains(&key(it.field)));
    let preparation = Preparation {
        member: MemberName::of(method),
        holder,
        arguments: Vec::new(),
        weight,
        provides: provided(reads, &effect.written),
        precedes_initialiser,
    };
    (weight > 0).then_some((place, preparation))
}

/// Those of some fields that are static and read on the way.
fn provided(reads: &Reads<'_>, fields: &BTreeSet<FieldKey>) -> BTreeSet<String> {
    let read = reads.fields.iter().map(|it| it.field);
    read.filter(|it| it.is_static() && fields.contains(&key(*it))).map(place_of).collect()
}

/// For static fields the static methods that yield objects and read them.
fn getters(classes: &Classes<'_>, effects: &BTreeMap<MethodId, Effect>) -> BTreeMap<String, Vec<String>> {
    let mut getters: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (method, effect) in effects {
        let Some(method) = method.view(classes.index()) else { continue };
        let yields_object = method.descriptor().ends_with(';');
        for (class, number) in effect.read.iter().filter(|_| method.is_static() && yields_object) {
            let class = classes.index().view(*class);
            let field = class.and_then(|it| it.fields().find(|field| field.number() == *number));
            if let Some(field) = field.filter(|it| it.is_static()) {
                getters.entry(place_of(field)).or_default().push(place_of(method));
            }
        }
    }
    getters
}

/// A member without its descriptor.
fn place_of(member: MemberView<'_>) -> String {
    format!("{}.{}", member.class().name(), member.name())
}

/// How often a method is called for what it does to state. One that only reads a field may add to
/// what the field holds.
fn weight(method: MemberView<'_>, writes: bool, is_visited: bool, tuning: &Tuning) -> u32 {
    let signature = MethodDescriptor::parse(JavaStr::new(method.descriptor().as_bytes()));
    let takes = signature.is_ok_and(|it| it.parameters().next().is_some());
    let is_void = method.descriptor().ends_with(")V");
    match (writes, takes) {
        (true, true) => tuning.preparation_setter,
        (_, _) if is_visited => 0,
        (true, false) => tuning.preparation_resetter,
        (false, true) if is_void => tuning.preparation_adder,
        (false, true) => tuning.preparation_reader,
        (false, false) => 0,
    }
}

fn set_property(property: &Property, tuning: &Tuning) -> Preparation {
    let member = MemberName {
        owner: "java/lang/System".to_owned(),
        name: "setProperty".to_owned(),
        descriptor: "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;".to_owned(),
    };
    let texts = [Some(property.name.as_str()), property.value].into_iter().flatten();
    let arguments = texts.map(|it| Literal::Text(Text::from(it))).collect();
    let precedes_initialiser = property.by_initialiser;
    let (weight, provides) = (tuning.preparation_property, BTreeSet::new());
    Preparation { member, holder: None, arguments, weight, provides, precedes_initialiser }
}

/// How many times as often state is changed that is read nearer to the frames.
fn nearness(place: usize, tuning: &Tuning) -> u32 {
    match place {
        _ if place < tuning.nearest_reads => tuning.nearest_factor,
        _ if place < tuning.near_reads => tuning.near_factor,
        _ => 1,
    }
}

/// A field of the program.
pub(crate) type FieldKey = (ClassRef, u16);

/// The field that code names.
pub(crate) fn field_key(classes: &Classes<'_>, field: &MemberRef<'_>) -> Option<FieldKey> {
    let (owner, name) = (field.owner.to_str(), field.name.to_str());
    classes.hierarchy().resolve_field(&owner, &name, &field.descriptor.to_str()).map(key)
}

fn key(field: MemberView<'_>) -> FieldKey {
    (field.class().reference(), field.number())
}

fn is_callable(method: MemberView<'_>) -> bool {
    !method.is_private() && !method.is_synthetic() && !method.name().starts_with('<')
}

/// What a method does to fields, itself or through what it calls.
#[derive(Default)]
struct Effect {
    written: BTreeSet<FieldKey>,
    read: BTreeSet<FieldKey>,
    /// Fields whose collections or maps it changes.
    filled: BTreeSet<FieldKey>,
    calls: Vec<MethodId>,
}

/// The classes on the trace, those that have fields which are read, and those around all of these.
fn classes_around<'s>(
    classes: &Classes<'s>,
    audit: &CrashAudit,
    reads: &Reads<'s>,
    tuning: &Tuning,
) -> Vec<ClassView<'s>> {
    let traced = audit.frames.iter().filter(|it| it.origin != Origin::Jdk);
    let traced = traced.filter_map(|it| classes.index().view(it.resolved?.class));
    let declaring = reads.fields.iter().map(|it| it.field.class());
    let mut known = BTreeSet::new();
    let all = traced.chain(declaring).flat_map(|it| classes.nest(it));
    all.filter(|it| known.insert(it.reference())).take(tuning.preparation_classes).collect()
}

/// The effects of methods of some classes.
fn effects(classes: &Classes<'_>, around: &[ClassView<'_>], tuning: &Tuning) -> BTreeMap<MethodId, Effect> {
    let mut effects = BTreeMap::new();
    for class in around {
        classes.for_each_body(*class, |method, body| {
            let mut found = effect(classes, body);
            if tuning.source_filling_methods {
                found.filled = contents::changed_by(classes, body);
            }
            effects.insert(method, found);
        });
    }
    for _ in 0..tuning.preparation_calls {
        spread(&mut effects);
    }
    effects
}

fn effect(classes: &Classes<'_>, body: &MethodBody<'_>) -> Effect {
    let mut effect = Effect::default();
    let resolve = |field: &Field<'_>| field_key(classes, &field.member);
    // A field that is taken over from another object of the class, as copies do, is not changed.
    let is_copy = |at: usize, written: &Field<'_>| {
        let before = at.checked_sub(1).and_then(|it| body.operation(it));
        matches!(before, Some(Operation::GetField(read)) if read.member == written.member)
    };
    for (at, operation) in body.operations() {
        match operation {
            Operation::PutField(field) if is_copy(at, field) => {}
            Operation::PutStatic(field) | Operation::PutField(field) => effect.written.extend(resolve(field)),
            Operation::GetStatic(field) | Operation::GetField(field) if field.field_type.is_reference() => {
                effect.read.extend(resolve(field));
            }
            _ => {}
        }
    }
    // Only the methods that calls name: with all overrides most methods would seem to write most fields.
    // What a constructor writes belongs to another object.
    let methods = call_sites(body).filter_map(|it| it.method()).filter(|it| it.name != "<init>");
    effect.calls.extend(methods.filter_map(|it| {
        let (owner, name) = (it.owner.to_str(), it.name.to_str());
        classes.hierarchy().resolve_method(&owner, &name, &it.descriptor.to_str()).map(MethodId::of)
    }));
    effect
}

/// What a method calls does to fields, it does.
fn spread(effects: &mut BTreeMap<MethodId, Effect>) {
    let fields = |it: &Effect| [it.written.clone(), it.read.clone(), it.filled.clone()];
    let before: BTreeMap<MethodId, [BTreeSet<FieldKey>; 3]> =
        effects.iter().map(|(method, it)| (*method, fields(it))).collect();
    for effect in effects.values_mut() {
        for [written, read, filled] in effect.calls.iter().filter_map(|it| before.get(it)) {
            effect.written.extend(written);
            effect.read.extend(read);
            effect.filled.extend(filled);
        }
    }
}
