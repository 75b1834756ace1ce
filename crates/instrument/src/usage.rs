//! Calls by receiver, for models of how objects are used.

use crashback_classfile::{AccessFlags, ClassFile, Member, MethodDescriptor, Opcode, Operand, PoolExtension};

use crate::rewrite::{Body, is_constructor};
use crate::uninitialised::Uninitialised;
use crate::{MethodEdits, MethodName, Refusal, Snippet, ValueKind, rewrite_method};

/// The method that is told of every entry: the receiver, null for static methods, and the number of the
/// method.
const ENTER: (&str, &str) = ("enter", "(Ljava/lang/Object;I)V");
/// The method that is told of every exit, normal or not.
const LEAVE: (&str, &str) = ("leave", "()V");

/// The number of methods whose calls are no action of their object.
const NO_ACTION: i32 = -1;

/// Makes a class tell a recorder when its methods are entered and left. The recorder (internal name) has
/// static methods `enter(Object, int)` and `leave()`.
///
/// Private, static and synthetic methods have the number -1: others cannot call them on an object, but calls
/// that they make are made by their receiver, or by none. Bridges are left alone, so that the method behind
/// them counts. Constructors are entered when `super()` or `this()` has returned: no code may be given
/// `this` before. All other methods get a number from `number`.
///
/// None where nothing can be inserted. Methods that cannot be rewritten keep their code.
///
/// # Errors
///
/// If the class cannot be read or written.
pub fn record_usage(
    class: &[u8],
    recorder: &str,
    number: &mut dyn FnMut(&MethodName) -> i32,
) -> Result<Option<Vec<u8>>, Refusal> {
    let class = ClassFile::parse(class)?;
    let mut pool = PoolExtension::new(&class.pool);
    let mut methods = class.methods.clone();
    let mut is_changed = false;
    for method in &mut methods {
        let id = if is_action(&class, method)? { number(&name_of(&class, method)?) } else { NO_ACTION };
        if let Ok(Some(new)) = woven(&class, method, recorder, id, &mut pool) {
            *method = new;
            is_changed = true;
        }
    }
    if !is_changed {
        return Ok(None);
    }
    Ok(Some(ClassFile { methods, ..class }.write_extended(&pool)?))
}

fn name_of(class: &ClassFile<'_>, method: &Member<'_>) -> Result<MethodName, Refusal> {
    let name = method.name(&class.pool)?.to_str().into_owned();
    Ok(MethodName { name, descriptor: method.descriptor(&class.pool)?.to_str().into_owned() })
}

/// Whether others can call a method on an object.
fn is_action(class: &ClassFile<'_>, method: &Member<'_>) -> Result<bool, Refusal> {
    let is_hidden = [AccessFlags::PRIVATE, AccessFlags::STATIC, AccessFlags::SYNTHETIC]
        .into_iter()
        .any(|it| method.access.contains(it));
    // Private constructors are called by factory methods, which make objects like any constructor.
    let is_constructor = is_constructor(class, method)?;
    Ok(is_constructor && !method.access.contains(AccessFlags::SYNTHETIC) || !is_hidden)
}

fn woven<'a>(
    class: &ClassFile<'a>,
    method: &Member<'a>,
    recorder: &str,
    id: i32,
    pool: &mut PoolExtension<'a>,
) -> Result<Option<Member<'a>>, Refusal> {
    let is_initialiser = method.name(&class.pool)? == "<clinit>";
    if is_initialiser || method.access.contains(AccessFlags::BRIDGE) {
        return Ok(None);
    }
    let Some(code) = method.code(&class.pool)? else { return Ok(None) };
    let body = Body::decode(&code.code)?;
    let mut edits = MethodEdits::new();
    let enter = enter(method, recorder, id, pool)?;
    if is_constructor(class, method)? {
        if body.instructions().iter().any(|(_, it)| it.opcode == Opcode::Astore && it.operand == THIS)
            || body.instructions().iter().any(|(_, it)| it.opcode == Opcode::Astore0)
        {
            // The first local may hold something else than `this`.
            return Ok(None);
        }
        let values = Uninitialised::find(class, &code, &body, true)?;
        let instructions = body.instructions();
        for (position, (offset, instruction)) in instructions.iter().enumerate() {
            let is_call = instruction.opcode == Opcode::Invokespecial;
            if is_call && !values.this_is_ready(position) && values.this_is_ready(position + 1) {
                edits.after(*offset, enter.clone());
            }
        }
        if edits.is_empty() {
            return Ok(None);
        }
    } else {
        edits.at_entry(enter);
    }
    let mut leave = Snippet::new();
    call(&mut leave, recorder, LEAVE, pool)?;
    for (offset, instruction) in body.instructions() {
        if instruction.opcode.is_return() {
            edits.before(*offset, leave.clone());
        }
    }
    edits.catch_all(leave);
    rewrite_method(class, method, &edits, pool).map(Some)
}

/// The first local variable, which holds the receiver.
const THIS: Operand<'static> = Operand::Local(0);

fn enter(
    method: &Member<'_>,
    recorder: &str,
    id: i32,
    pool: &mut PoolExtension<'_>,
) -> Result<Snippet, Refusal> {
    let mut snippet = Snippet::new();
    if method.access.contains(AccessFlags::STATIC) {
        snippet.push_null()?;
    } else {
        snippet.load(ValueKind::Reference, 0)?;
    }
    snippet.push_int(id, pool)?;
    call(&mut snippet, recorder, ENTER, pool)?;
    Ok(snippet)
}

fn call(
    snippet: &mut Snippet,
    recorder: &str,
    (name, descriptor): (&str, &str),
    pool: &mut PoolExtension<'_>,
) -> Result<(), Refusal> {
    let index = pool.add_method_ref(recorder, name, descriptor)?;
    Ok(snippet.call_static(index, MethodDescriptor::parse(descriptor.as_bytes().into())?)?)
}
