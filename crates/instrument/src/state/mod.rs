//! The state of classes: static fields that a test may leave changed behind.

mod access;
mod fields;
mod serial;
mod types;
mod variable;

use std::collections::BTreeSet;

use crashback_classfile::{ClassFile, FieldType};

pub(crate) use access::Access;
pub(crate) use fields::is_initialiser;
pub use types::is_known_immutable;
pub(crate) use variable::variable_fields;

use crate::Refusal;
use access::{AccessKind, accesses, is_accessor};
use fields::{
    Accesses, begins_immutable, declares, instances_are_read_only, is_constant_of_interface, is_of_compiler,
    is_of_serialisation, is_only_looked_at, may_be_immutable, may_be_written,
};
use types::Types;

/// The facts that a reset needs about a class with static fields that are no constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassState {
    /// Whether it has a `<clinit>`.
    pub has_initialiser: bool,
    /// Whether it is an enum, whose constants must stay the same objects.
    pub is_enum: bool,
    /// Whether it is an interface.
    pub is_interface: bool,
    /// Whether zeroing `fields` and running `<clinit>` again makes the class as it was at first.
    /// Not so for enums and interfaces, nor where a variable begins with a `ConstantValue` (JVMS
    /// 4.7.2), which no code assigns. Then only a new copy of the class helps.
    pub replayable: bool,
    /// The static fields that begin as zero, in file order.
    pub fields: Vec<StaticField>,
    /// Whether a test can change something: a field may be written by other code than `<clinit>`,
    /// or holds an object that is not known to be immutable and is not only looked at. Where in
    /// doubt it can.
    pub stateful: bool,
}

/// A static field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StaticField {
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

/// The state of a class, and where its methods touch that of classes.
pub(crate) struct Statics<'a> {
    pub(crate) state: Option<ClassState>,
    /// For each method in file order. None where the method cannot be read; it will not be
    /// instrumented either.
    methods: Vec<Option<Vec<Access<'a>>>>,
}

impl<'a> Statics<'a> {
    /// The state of a class, given the types that were found to be immutable elsewhere.
    pub(crate) fn find(class: &ClassFile<'a>, immutable: &BTreeSet<String>) -> Result<Self, Refusal> {
        let mut types = Types::new(class.name()?, immutable);
        let mut methods = None;
        if !types.own_is_immutable() && may_be_immutable(class, types)? {
            let with_own = types.with_own_immutable();
            let found = all_accesses(class, with_own);
            if instances_are_read_only(class, &found) {
                (types, methods) = (with_own, Some(found));
            }
        }
        let methods = methods.unwrap_or_else(|| all_accesses(class, types));
        let state = class_state(class, &methods, types)?;
        Ok(Self { state, methods })
    }

    /// The accesses of a method, by its place in the class, that may change state or give it away
    /// to be changed.
    ///
    /// An initialiser's accesses to the fields of its class are no change, and the methods by which
    /// other classes reach private fields leave it to their callers.
    pub(crate) fn touches(
        &self,
        class: &ClassFile<'a>,
        method: usize,
        watches_reads: impl Fn(&str) -> bool,
    ) -> Result<Vec<&Access<'a>>, Refusal> {
        let (own, Some(member)) = (class.name()?, class.methods.get(method)) else { return Ok(Vec::new()) };
        let accesses = self.methods.get(method).and_then(Option::as_ref).filter(|all| !all.is_empty());
        if accesses.is_none() || is_accessor(class, member)? {
            return Ok(Vec::new());
        }
        let settled = is_initialiser(class, member) || !self.is_stateful();
        let touches = accesses.into_iter().flatten().filter(|access| {
            let changes = match access.kind {
                AccessKind::Write => true,
                AccessKind::Read { escapes } => escapes && watches_reads(&access.owner.to_str()),
                AccessKind::ReadInstance { .. } | AccessKind::WriteInstance => false,
            };
            changes
                && !is_of_compiler(access.name)
                && !(settled && access.owner == own && declares(class, access))
        });
        Ok(touches.collect())
    }

    fn is_stateful(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.stateful)
    }
}

fn all_accesses<'a>(class: &ClassFile<'a>, types: Types<'_>) -> Vec<Option<Vec<Access<'a>>>> {
    class.methods.iter().map(|method| accesses(class, method, types).ok()).collect()
}

fn class_state(
    class: &ClassFile<'_>,
    methods: &Accesses<'_>,
    types: Types<'_>,
) -> Result<Option<ClassState>, Refusal> {
    let (mut fields, mut stateful, mut constant_variable) = (Vec::new(), false, false);
    for field in class.fields.iter().filter(|field| field.access.is_static()) {
        let (name, descriptor) = (field.name(&class.pool)?, field.descriptor(&class.pool)?);
        if is_of_compiler(name) || is_of_serialisation(name) {
            continue;
        }
        let kind = FieldType::parse(descriptor)?;
        if field.attribute(&class.pool, "ConstantValue").is_none() {
            fields.push(StaticField { name: name.to_string(), descriptor: descriptor.to_string() });
        } else {
            constant_variable |= !field.access.is_final();
        }
        stateful = stateful
            || may_be_written(class, field, methods)?
            || !(types.is_immutable(kind)
                || is_constant_of_interface(class, kind)
                || is_only_looked_at(class, field, methods)?
                || begins_immutable(class, field)?);
    }
    let (is_enum, is_interface) = (class.access.is_enum(), class.access.is_interface());
    let state = ClassState {
        has_initialiser: class.methods.iter().any(|method| is_initialiser(class, method)),
        is_enum,
        is_interface,
        replayable: !is_enum && !is_interface && !constant_variable,
        fields,
        stateful,
    };
    Ok(Some(state).filter(|state| constant_variable || !state.fields.is_empty()))
}
