//! Probes at accesses by index.

use crashback_classfile::{Instruction, MemberRef, Opcode};

use super::{ElementAccess, Weaver};
use crate::probes::{ProbeKind, ProbeMethod};
use crate::{Refusal, ValueKind};

/// What a probe sees of an access.
struct Access {
    method: ProbeMethod,
    /// A value above its operands that does not matter.
    above: Option<ValueKind>,
}

impl Weaver<'_, '_, '_> {
    /// Indexes of array instructions and of the calls in [`CALLS`], as far as the plan means them.
    pub(super) fn indexed(&mut self) -> Result<(), Refusal> {
        let (class, method) = self.names()?;
        for (offset, instruction) in self.body.instructions() {
            if !self.plan.watches_throws(&class, &method, *offset) {
                continue;
            }
            let Some(access) = self.access(instruction) else { continue };
            let id = self.register(*offset, ProbeKind::Indexed)?;
            let (operands, bounds) = shape(access.method);
            for _ in 1..bounds {
                self.register(*offset, ProbeKind::Indexed)?;
            }
            let snippet = self.observation_below(access.method, operands, access.above, Some(id))?;
            self.edits.before(*offset, snippet);
        }
        Ok(())
    }

    fn access(&self, instruction: &Instruction<'_>) -> Option<Access> {
        use Opcode as Op;
        if let Some(ElementAccess { above }) = ElementAccess::of(instruction.opcode) {
            return Some(Access { method: ProbeMethod::Element, above });
        }
        match instruction.opcode {
            Op::Invokevirtual | Op::Invokeinterface | Op::Invokestatic | Op::Invokespecial => {
                let member = self.class.pool.method_ref(instruction.constant_index()?).ok()?;
                of_call(instruction.opcode, &member)
            }
            _ => None,
        }
    }
}

/// The operands of an access, lowest first, and how many bounds it must keep.
fn shape(method: ProbeMethod) -> (&'static [ValueKind], u8) {
    use ValueKind::{Int, Reference};
    match method {
        ProbeMethod::Part | ProbeMethod::Run => (&[Reference, Int, Int], 2),
        ProbeMethod::Cut => (&[Reference, Int, Int], 1),
        ProbeMethod::Into => (&[Reference, Int, Int, Reference, Int], 3),
        ProbeMethod::Copy => (&[Reference, Int, Reference, Int, Int], 3),
        ProbeMethod::Checked => (&[Int, Int], 1),
        _ => (&[Reference, Int], 1),
    }
}

fn of_call(opcode: Opcode, member: &MemberRef<'_>) -> Option<Access> {
    let (name, descriptor) = (member.name.to_str(), member.descriptor.to_str());
    let parameters = descriptor.strip_prefix('(')?.split(')').next()?;
    let is_called = |row: &&Call| {
        let is_there = match row.owner {
            Some(owner) => {
                member.owner == owner && matches!(opcode, Opcode::Invokestatic | Opcode::Invokespecial)
            }
            None => matches!(opcode, Opcode::Invokevirtual | Opcode::Invokeinterface),
        };
        is_there && name == row.name && parameters == row.parameters
    };
    let row = CALLS.iter().find(is_called)?;
    Some(Access { method: row.method, above: row.above })
}

/// A method that throws if an index is out of its bounds.
struct Call {
    /// The class of a static method or constructor; none where any class may have the method. An index
    /// into another thing than an array, text or list says nothing, which the runtime notices.
    owner: Option<&'static str>,
    name: &'static str,
    /// Descriptors of its parameters.
    parameters: &'static str,
    method: ProbeMethod,
    above: Option<ValueKind>,
}

const fn call(name: &'static str, parameters: &'static str, method: ProbeMethod) -> Call {
    Call { owner: None, name, parameters, method, above: None }
}

/// A call with a further argument.
const fn more(name: &'static str, parameters: &'static str, method: ProbeMethod, above: ValueKind) -> Call {
    Call { owner: None, name, parameters, method, above: Some(above) }
}

const fn of(owner: &'static str, call: Call) -> Call {
    Call { owner: Some(owner), ..call }
}

const STRING: &str = "java/lang/String";

/// The bounds are those of the JDK's documentation: of `String`, `CharSequence`, `StringBuilder`,
/// `StringBuffer`, `List`, `Vector`, `System` and `Objects`.
const CALLS: &[Call] = {
    use ProbeMethod as To;
    use ValueKind::{Double, Float, Int, Long, Reference};
    &[
        call("charAt", "I", To::Element),
        call("codePointAt", "I", To::Element),
        call("codePointBefore", "I", To::Before),
        call("codePointCount", "II", To::Part),
        // How far the second argument may go depends on pairs of surrogates.
        more("offsetByCodePoints", "II", To::Gap, Int),
        call("substring", "I", To::Gap),
        call("substring", "II", To::Part),
        call("subSequence", "II", To::Part),
        call("getChars", "II[CI", To::Into),
        call("getBytes", "II[BI", To::Into),
        call("deleteCharAt", "I", To::Element),
        more("setCharAt", "IC", To::Element, Int),
        call("delete", "II", To::Cut),
        more("replace", "IILjava/lang/String;", To::Cut, Reference),
        call("append", "[CII", To::Run),
        call("append", "Ljava/lang/CharSequence;II", To::Part),
        more("insert", "ILjava/lang/String;", To::Gap, Reference),
        more("insert", "ILjava/lang/Object;", To::Gap, Reference),
        more("insert", "ILjava/lang/CharSequence;", To::Gap, Reference),
        more("insert", "I[C", To::Gap, Reference),
        more("insert", "IZ", To::Gap, Int),
        more("insert", "IC", To::Gap, Int),
        more("insert", "II", To::Gap, Int),
        more("insert", "IJ", To::Gap, Long),
        more("insert", "IF", To::Gap, Float),
        more("insert", "ID", To::Gap, Double),
        // The place of insertion lies too deep on the stack.
        call("insert", "I[CII", To::Run),
        call("insert", "ILjava/lang/CharSequence;II", To::Part),
        call("get", "I", To::Element),
        call("remove", "I", To::Element),
        call("elementAt", "I", To::Element),
        call("removeElementAt", "I", To::Element),
        more("set", "ILjava/lang/Object;", To::Element, Reference),
        more("add", "ILjava/lang/Object;", To::Gap, Reference),
        more("addAll", "ILjava/util/Collection;", To::Gap, Reference),
        call("listIterator", "I", To::Gap),
        call("subList", "II", To::Part),
        of("java/lang/System", call("arraycopy", "Ljava/lang/Object;ILjava/lang/Object;II", To::Copy)),
        of("java/util/Objects", call("checkIndex", "II", To::Checked)),
        of(STRING, call("valueOf", "[CII", To::Run)),
        of(STRING, call("copyValueOf", "[CII", To::Run)),
        of(STRING, call("<init>", "[CII", To::Run)),
        of(STRING, call("<init>", "[III", To::Run)),
        of(STRING, call("<init>", "[BII", To::Run)),
        of(STRING, more("<init>", "[BIILjava/lang/String;", To::Run, Reference)),
        of(STRING, more("<init>", "[BIILjava/nio/charset/Charset;", To::Run, Reference)),
    ]
};
