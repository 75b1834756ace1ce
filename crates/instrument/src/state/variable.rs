//! Static final fields made variable.

use crashback_classfile::{AccessFlags, ClassFile, Member, PoolExtension, RawAttribute};

use super::ClassState;
use super::fields::{is_of_compiler, is_of_serialisation};
use super::serial::default_uid;
use crate::Refusal;

/// The fields of a class that has state, those without `final` that its initialiser assigns: when
/// it runs again, compiled code must not go on with the old values. None where nothing changes.
///
/// The default `serialVersionUID` depends on the flags of fields that are not private. Where it may
/// be asked for, a field of that name keeps its value. Records have none that depends on fields.
pub(crate) fn variable_fields<'a>(
    class: &ClassFile<'a>,
    state: &ClassState,
    pool: &mut PoolExtension<'a>,
) -> Result<Option<Vec<Member<'a>>>, Refusal> {
    if !state.stateful || !state.replayable {
        return Ok(None);
    }
    let mut fields = class.fields.clone();
    let (mut changed, mut visible) = (false, false);
    for field in &mut fields {
        if is_assigned_constant(class, field)? {
            field.access.0 &= !AccessFlags::FINAL.0;
            changed = true;
            visible |= !field.access.is_private();
        }
    }
    if visible && may_be_serialised(class)? {
        fields.push(uid_field(class, pool)?);
    }
    Ok(Some(fields).filter(|_| changed))
}

/// Whether a field is static, final and assigned by the initialiser.
fn is_assigned_constant(class: &ClassFile<'_>, field: &Member<'_>) -> Result<bool, Refusal> {
    let name = field.name(&class.pool)?;
    Ok(field.access.contains(AccessFlags::STATIC | AccessFlags::FINAL)
        && field.attribute(&class.pool, "ConstantValue").is_none()
        && !is_of_compiler(name)
        && !is_of_serialisation(name))
}

/// Whether a class may inherit `Serializable` and leaves its version to be computed.
fn may_be_serialised(class: &ClassFile<'_>) -> Result<bool, Refusal> {
    let above = class.super_name()?;
    let inherits = above.is_some_and(|name| name != "java/lang/Object") || !class.interfaces.is_empty();
    let is_record = above.is_some_and(|name| name == "java/lang/Record");
    let declares = class.fields.iter().any(|it| it.name(&class.pool).is_ok_and(|name| name == UID));
    Ok(inherits && !is_record && !declares)
}

const UID: &str = "serialVersionUID";

fn uid_field<'a>(class: &ClassFile<'a>, pool: &mut PoolExtension<'a>) -> Result<Member<'a>, Refusal> {
    let value = pool.add_long(default_uid(class)?)?;
    let name_index = pool.add_utf8("ConstantValue")?;
    let constant = RawAttribute { name_index, info: value.to_be_bytes().to_vec().into() };
    Ok(Member {
        access: AccessFlags::PRIVATE | AccessFlags::STATIC | AccessFlags::FINAL | AccessFlags::SYNTHETIC,
        name_index: pool.add_utf8(UID)?,
        descriptor_index: pool.add_utf8("J")?,
        attributes: vec![constant],
    })
}
