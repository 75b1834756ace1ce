//! Questions about single fields.

use crashback_classfile::{ClassFile, FieldType, Instruction, JavaStr, Member, Opcode};

use super::access::{Access, AccessKind};
use super::types::{Types, is_collection};
use crate::Refusal;
use crate::rewrite::Body;

/// The accesses of all methods of a class in file order; none for those that cannot be read.
pub(super) type Accesses<'a> = [Option<Vec<Access<'a>>>];

/// Whether a method is the initialiser of its class.
pub(crate) fn is_initialiser(class: &ClassFile<'_>, method: &Member<'_>) -> bool {
    method.name(&class.pool).is_ok_and(|name| name == "<clinit>")
}

/// Whether a static field was added by a compiler and always gets the same value: whether
/// assertions are on, numbers of enum constants for switches, classes that were looked up by name.
pub(super) fn is_of_compiler(name: JavaStr<'_>) -> bool {
    let prefixes = ["$SwitchMap$", "$SWITCH_TABLE$", "$EnumSwitchMapping$", "class$"];
    name == "$assertionsDisabled"
        || prefixes.iter().any(|prefix| name.as_bytes().starts_with(prefix.as_bytes()))
}

/// Whether serialisation looks for a static field, and insists that it is final.
pub(super) fn is_of_serialisation(name: JavaStr<'_>) -> bool {
    name == "serialVersionUID" || name == "serialPersistentFields"
}

/// Whether other code than the initialiser may write a static field.
pub(super) fn may_be_written(
    class: &ClassFile<'_>,
    field: &Member<'_>,
    methods: &Accesses<'_>,
) -> Result<bool, Refusal> {
    let by_itself = field.access.is_final() || field.access.is_private() && is_alone(class);
    Ok(!by_itself
        || outside_initialiser(class, field, methods)?
            .is_none_or(|accesses| accesses.iter().any(|it| it.kind == AccessKind::Write)))
}

/// Whether a static field holds an array or collection into which other code than the initialiser
/// only looks. Accesses of the initialiser, such as filling it, are no change.
pub(super) fn is_only_looked_at(
    class: &ClassFile<'_>,
    field: &Member<'_>,
    methods: &Accesses<'_>,
) -> Result<bool, Refusal> {
    let kind = FieldType::parse(field.descriptor(&class.pool)?)?;
    let readable = kind.dimensions > 0 || is_collection(kind);
    if !readable || !field.access.is_private() || !is_alone(class) {
        return Ok(false);
    }
    let accesses = outside_initialiser(class, field, methods)?;
    Ok(accesses.is_some_and(|all| all.iter().all(|it| it.kind == AccessKind::Read { escapes: false })))
}

/// Whether a final field gets its value at one place, from an expression that obviously makes
/// something without state: a bare object to lock or compare with, an array without elements, a
/// lambda that captures nothing, a collection of the JDK that cannot be changed. Elements of that
/// are trusted.
pub(super) fn begins_immutable(class: &ClassFile<'_>, field: &Member<'_>) -> Result<bool, Refusal> {
    let initialiser = class.methods.iter().find(|method| is_initialiser(class, method));
    let Some(initialiser) = initialiser.filter(|_| field.access.is_final()) else { return Ok(false) };
    let Some(code) = initialiser.code(&class.pool)? else { return Ok(false) };
    let body = Body::decode(&code.code)?;
    let mut writes = Vec::new();
    for (position, (_, instruction)) in body.instructions().iter().enumerate() {
        if instruction.opcode == Opcode::Putstatic && is_access(class, instruction, field)? {
            writes.push(position);
        }
    }
    let [write] = *writes else { return Ok(false) };
    let joins = body.joins(&code)?;
    let before = (0..=write).rev().take_while(|position| !joins.contains(position)).skip(1);
    let before = before.filter_map(|position| body.instructions().get(position).map(|(_, it)| it));
    let before: Vec<_> = before.filter(|it| it.opcode != Opcode::Checkcast).take(2).collect();
    match *before {
        [array, length] if matches!(array.opcode, Opcode::Newarray | Opcode::Anewarray) => {
            Ok(length.int_constant() == Some(0))
        }
        [made, ..] => makes_immutable(class, made),
        [] => Ok(false),
    }
}

fn makes_immutable(class: &ClassFile<'_>, instruction: &Instruction<'_>) -> Result<bool, Refusal> {
    let index = instruction.constant_index().unwrap_or(0);
    Ok(match instruction.opcode {
        Opcode::Invokedynamic => class.pool.invoke_dynamic(index)?.descriptor.as_bytes().starts_with(b"()"),
        Opcode::Invokespecial => class.pool.method_ref(index)?.owner == "java/lang/Object",
        Opcode::Invokestatic => {
            let method = class.pool.method_ref(index)?;
            let name = method.name.as_bytes();
            match &*method.owner.to_str() {
                "java/util/Collections" => name.starts_with(b"empty") || name.starts_with(b"unmodifiable"),
                "java/util/List" | "java/util/Set" | "java/util/Map" => matches!(name, b"of" | b"copyOf"),
                _ => false,
            }
        }
        _ => false,
    })
}

/// Whether an interface keeps an object in a field that is neither an array nor of a class of the
/// JDK that is made to be changed. Such an object is taken for the constant that it nearly always
/// is: to think otherwise would load the program anew for every test that comes near it.
pub(super) fn is_constant_of_interface(class: &ClassFile<'_>, kind: FieldType<'_>) -> bool {
    const CHANGING: [&str; 4] = ["java/util/", "java/io/", "java/nio/", "java/lang/StringBu"];
    let changes = |name: JavaStr<'_>| CHANGING.iter().any(|it| name.as_bytes().starts_with(it.as_bytes()));
    class.access.is_interface() && kind.class_name().is_some_and(|name| !changes(name))
}

/// Whether instances of a class cannot change, provided that they are
/// [read-only](instances_are_read_only). Enum constants with bodies of their own are trusted to add
/// nothing, and the objects that they hold are trusted not to change, unless they are collections.
pub(super) fn may_be_immutable(class: &ClassFile<'_>, types: Types<'_>) -> Result<bool, Refusal> {
    const ABOVE: &[&str] = &["java/lang/Object", "java/lang/Enum", "java/lang/Number", "java/lang/Record"];
    let above = class.super_name()?.is_some_and(|name| ABOVE.iter().any(|known| name == *known));
    if !above || !(class.access.is_final() || class.access.is_enum()) {
        return Ok(false);
    }
    for field in class.fields.iter().filter(|field| !field.access.is_static()) {
        let kind = FieldType::parse(field.descriptor(&class.pool)?)?;
        let private = field.access.is_private() && is_alone(class);
        let plain = types.is_immutable(kind) || kind.class_name() == Some(types.own());
        let trusted = class.access.is_enum() && kind.dimensions == 0 && !is_collection(kind);
        if !(field.access.is_final() || private) || !(plain || trusted || kind.dimensions > 0 && private) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether fields of instances are written by constructors only, and the arrays in them only looked
/// at.
pub(super) fn instances_are_read_only(class: &ClassFile<'_>, methods: &Accesses<'_>) -> bool {
    class.methods.iter().zip(methods).all(|(method, accesses)| {
        let constructs = method.name(&class.pool).is_ok_and(|name| name == "<init>");
        let changes = |it: &Access<'_>| match it.kind {
            AccessKind::ReadInstance { escapes } => escapes,
            AccessKind::WriteInstance => !constructs,
            AccessKind::Read { .. } | AccessKind::Write => false,
        };
        accesses.as_ref().is_some_and(|accesses| !accesses.iter().any(changes))
    })
}

/// Whether a class declares the field of an access.
pub(super) fn declares(class: &ClassFile<'_>, access: &Access<'_>) -> bool {
    class.field(&access.name.to_str(), &access.descriptor.to_str()).is_some()
}

/// Whether no other class shares its private members. Before Java 11 none ever did: compilers made
/// methods to reach them. Enums are trusted to keep theirs to themselves, because to think
/// otherwise is costly: tests touch enums all the time, and only a new copy of the class resets
/// one.
fn is_alone(class: &ClassFile<'_>) -> bool {
    let shares = class.attribute("NestHost").is_some() || class.attribute("NestMembers").is_some();
    class.access.is_enum() || !shares
}

/// The accesses of a field by all methods but the initialiser; none when not all of them are known.
fn outside_initialiser<'s, 'a>(
    class: &ClassFile<'a>,
    field: &Member<'a>,
    methods: &'s Accesses<'a>,
) -> Result<Option<Vec<&'s Access<'a>>>, Refusal> {
    let (own, name, descriptor) = (class.name()?, field.name(&class.pool)?, field.descriptor(&class.pool)?);
    let others = class.methods.iter().zip(methods).filter(|(method, _)| !is_initialiser(class, method));
    let known: Option<Vec<_>> = others.map(|(_, accesses)| accesses.as_ref()).collect();
    let of_field = |it: &&Access<'a>| (it.owner, it.name, it.descriptor) == (own, name, descriptor);
    Ok(known.map(|all| all.into_iter().flatten().filter(of_field).collect()))
}

/// Whether an instruction names a field of the class.
fn is_access(
    class: &ClassFile<'_>,
    instruction: &Instruction<'_>,
    field: &Member<'_>,
) -> Result<bool, Refusal> {
    let named = class.pool.field_ref(instruction.constant_index().unwrap_or(0))?;
    Ok(named.owner == class.name()?
        && named.name == field.name(&class.pool)?
        && named.descriptor == field.descriptor(&class.pool)?)
}
