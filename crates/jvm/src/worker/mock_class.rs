//! The class of a mock: below the type that it stands for, with methods that ask the runtime what
//! to answer.
//!
//! It has no constructor: its objects are allocated and nothing of the type runs. Every method is
//! straight code but for one jump where the real method may run, in front of which the locals are
//! those at entry and the stack is empty (JVMS 4.7.4, `same_frame_extended`).

use std::borrow::Cow;

use crashback_classfile::{AccessFlags, ClassFile, Error, Member, Opcode, PoolExtension, RawAttribute};
use crashback_testcase::{Method, Mock, MockId, MockKind, Mocked, Type, Vocabulary};

use super::members::{descriptor_of, first, wrapper};

/// What the names of all classes of mocks contain, and those of nobody else's but mocks: frames of
/// such classes are no part of a program.
pub(super) const MARK: &str = "$MockitoMock$";
/// The field that holds what the mock was told to answer.
pub(super) const ANSWERS: &str = "crashback$answers";
/// Its descriptor.
pub(super) const ANSWERS_DESCRIPTOR: &str = "[Ljava/lang/Object;";

/// Internal name of the class of a mock in a package.
pub(super) fn internal_name(package: &str, of: &str, id: MockId) -> String {
    let simple = of.rsplit('/').next().unwrap_or(of);
    let slash = if package.is_empty() { "" } else { "/" };
    format!("{package}{slash}{simple}{MARK}{}", id.0)
}

/// A mock whose class is wanted.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) id: MockId,
    pub(super) mock: &'a Mock,
    pub(super) vocabulary: &'a Vocabulary,
    /// Whether the methods of `Object` are those of mocks. They cannot be where the type has final
    /// ones.
    pub(super) has_identity: bool,
}

/// The class file of a mock. None if the vocabulary does not have what the mock names, or no class
/// can have as much.
pub(super) fn class_file(internal_name: &str, wanted: Wanted<'_>) -> Option<Vec<u8>> {
    let empty = ClassFile::parse(EMPTY).ok()?;
    let mut pool = PoolExtension::new(&empty.pool);
    let of = wanted.vocabulary.type_of(wanted.mock.of)?.class_name()?;
    let (above, interfaces) =
        if wanted.mock.is_interface { (OBJECT, vec![pool.add_class(of).ok()?]) } else { (of, vec![]) };
    let (this_class, super_class) = (pool.add_class(internal_name).ok()?, pool.add_class(above).ok()?);
    let answers = pool.add_field_ref(internal_name, ANSWERS, ANSWERS_DESCRIPTOR).ok()?;
    let field = Member {
        access: AccessFlags::PRIVATE | AccessFlags::TRANSIENT | AccessFlags::SYNTHETIC,
        name_index: pool.add_utf8(ANSWERS).ok()?,
        descriptor_index: pool.add_utf8(ANSWERS_DESCRIPTOR).ok()?,
        attributes: Vec::new(),
    };
    let mut writer = Writer { wanted, of, answers, pool };
    let mut methods = Vec::with_capacity(wanted.mock.methods.len() + 3);
    for (place, mocked) in wanted.mock.methods.iter().enumerate() {
        let answering = i32::try_from(wanted.vocabulary.answering(wanted.mock, place)).ok()?;
        methods.push(writer.method(answering, *mocked)?);
    }
    if wanted.has_identity && wanted.mock.kind == MockKind::Mocked {
        methods.extend(writer.methods_of_object().ok()?);
    }
    let class = ClassFile { this_class, super_class, interfaces, fields: vec![field], methods, ..empty };
    class.write_extended(&writer.pool).ok()
}

/// A class file (JVMS 4.1) of version 52, Java 8: no constants, public and super, nothing in it.
pub(super) const EMPTY: &[u8] =
    &[0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 1, 0, 0x21, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

const OBJECT: &str = "java/lang/Object";

/// In the place of the number of a mock: its real methods may run without being noted.
const NOT_NOTED: i32 = -1;

/// The class whose methods mocks call.
const RUNTIME: &str = "crashback/runtime/Mocks";

struct Writer<'a> {
    wanted: Wanted<'a>,
    /// Internal name of the mocked type.
    of: &'a str,
    /// The field of the answers in the constant pool.
    answers: u16,
    pool: PoolExtension<'static>,
}

impl Writer<'_> {
    /// A method that gives the answer to the method at a place.
    fn method(&mut self, place: i32, mocked: Mocked) -> Option<Member<'static>> {
        let vocabulary = self.wanted.vocabulary;
        let method = vocabulary.method(mocked.method)?;
        let result = vocabulary.type_of(method.result)?;
        let parameters: Vec<u8> = method.parameters.iter().map(|it| first(vocabulary, *it)).collect();
        let descriptor = descriptor_of(vocabulary, method);
        let mut code =
            Code { locals: 1 + parameters.iter().copied().map(slots).sum::<u16>(), ..Code::default() };
        // What an anonymous class of a test is given is nowhere to be seen.
        let is_shown = self.wanted.mock.kind == MockKind::Mocked;
        let mut answer = if is_shown { self.receive(place, method).ok()? } else { Vec::new() };
        answer.extend(self.answer(place, result).ok()?);
        if self.wanted.mock.calls_real && !mocked.is_abstract {
            code.bytes = self.ask(place).ok()?;
            code.jump_over(Opcode::Ifeq, &answer)?;
            code.bytes.extend(self.call_real(method, &descriptor, &parameters).ok()?);
            code.bytes.push(return_of(first(vocabulary, method.result)) as u8);
        } else {
            code.bytes = answer;
        }
        self.member(&method.name, &descriptor, &code).ok()
    }

    /// Whether the mock was told what to answer.
    fn ask(&mut self, place: i32) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![Opcode::Aload0 as u8];
        put(&mut bytes, Opcode::Getfield, self.answers);
        let noted = match self.wanted.mock.kind {
            MockKind::Anonymous => self.wanted.id.0.cast_signed(),
            MockKind::Mocked | MockKind::Subclass => NOT_NOTED,
        };
        put(&mut bytes, Opcode::LdcW, self.pool.add_int(noted)?);
        put(&mut bytes, Opcode::LdcW, self.pool.add_int(place)?);
        let is_told = self.pool.add_method_ref(RUNTIME, "isTold", "([Ljava/lang/Object;II)Z")?;
        put(&mut bytes, Opcode::Invokestatic, is_told);
        Ok(bytes)
    }

    /// Shows the runtime the arguments that may be exceptions or are there to be called.
    fn receive(&mut self, place: i32, method: &Method) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let mut local = 1;
        let types = method.parameters.iter().filter_map(|it| self.wanted.vocabulary.type_of(*it));
        for (number, of) in (0..).zip(types) {
            if of.is_shown_to_mocks() {
                bytes.push(Opcode::Aload0 as u8);
                put(&mut bytes, Opcode::Getfield, self.answers);
                put(&mut bytes, Opcode::LdcW, self.pool.add_int(place)?);
                put(&mut bytes, Opcode::LdcW, self.pool.add_int(number)?);
                bytes.extend([Opcode::Aload as u8, u8::try_from(local).unwrap_or(u8::MAX)]);
                let descriptor = "([Ljava/lang/Object;IILjava/lang/Object;)V";
                put(
                    &mut bytes,
                    Opcode::Invokestatic,
                    self.pool.add_method_ref(RUNTIME, "given", descriptor)?,
                );
            }
            local += slots(of.descriptor().bytes().next().unwrap_or_default());
        }
        Ok(bytes)
    }

    /// Gives back what the mock answers.
    fn answer(&mut self, place: i32, result: &Type) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![Opcode::Aload0 as u8];
        put(&mut bytes, Opcode::Getfield, self.answers);
        put(&mut bytes, Opcode::LdcW, self.pool.add_int(self.wanted.id.0.cast_signed())?);
        put(&mut bytes, Opcode::LdcW, self.pool.add_int(place)?);
        put(&mut bytes, Opcode::LdcW, self.pool.add_string(result.descriptor())?);
        let descriptor = "([Ljava/lang/Object;IILjava/lang/String;)Ljava/lang/Object;";
        put(&mut bytes, Opcode::Invokestatic, self.pool.add_method_ref(RUNTIME, "answer", descriptor)?);
        let kind = result.descriptor().bytes().next().unwrap_or(b'V');
        if let Some(wrapper) = wrapper(kind) {
            put(&mut bytes, Opcode::Checkcast, self.pool.add_class(wrapper.class)?);
            let descriptor = format!("(){}", result.descriptor());
            let unwrap = self.pool.add_method_ref(wrapper.class, wrapper.unwrap, &descriptor)?;
            put(&mut bytes, Opcode::Invokevirtual, unwrap);
        } else if kind == b'V' {
            bytes.push(Opcode::Pop as u8);
        } else {
            let class = result.class_name().unwrap_or(result.descriptor());
            put(&mut bytes, Opcode::Checkcast, self.pool.add_class(class)?);
        }
        bytes.push(return_of(kind) as u8);
        Ok(bytes)
    }

    fn call_real(&mut self, method: &Method, descriptor: &str, parameters: &[u8]) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        load_all(&mut bytes, parameters.iter().copied());
        let owner = self.wanted.vocabulary.type_of(method.owner).and_then(|it| it.class_name());
        let real = if owner == Some(OBJECT) {
            self.pool.add_method_ref(OBJECT, &method.name, descriptor)?
        } else if self.wanted.mock.is_interface {
            self.pool.add_interface_method_ref(self.of, &method.name, descriptor)?
        } else {
            self.pool.add_method_ref(self.of, &method.name, descriptor)?
        };
        put(&mut bytes, Opcode::Invokespecial, real);
        Ok(bytes)
    }

    /// Mocks are equal to themselves only, whatever their type thinks, and have a text of their own
    /// unless the real one is wanted.
    fn methods_of_object(&mut self) -> Result<Vec<Member<'static>>, Error> {
        let mut members = vec![
            self.passing_on("equals", "(Ljava/lang/Object;)Z", &[Opcode::Aload0, Opcode::Aload1])?,
            self.passing_on("hashCode", "()I", &[Opcode::Aload0])?,
        ];
        if !self.wanted.mock.calls_real {
            members.push(self.passing_on("toString", "()Ljava/lang/String;", &[Opcode::Aload0])?);
        }
        Ok(members)
    }

    /// A method that calls the one of the runtime that has its name and takes the object as its
    /// first argument.
    fn passing_on(
        &mut self,
        name: &str,
        descriptor: &str,
        loads: &[Opcode],
    ) -> Result<Member<'static>, Error> {
        let mut bytes: Vec<u8> = loads.iter().map(|it| *it as u8).collect();
        let callee_descriptor = descriptor.replacen('(', "(Ljava/lang/Object;", 1);
        let callee = self.pool.add_method_ref(RUNTIME, name, &callee_descriptor)?;
        put(&mut bytes, Opcode::Invokestatic, callee);
        let result = descriptor.rsplit(')').next().and_then(|it| it.bytes().next());
        bytes.push(return_of(result.unwrap_or(b'V')) as u8);
        self.member(name, descriptor, &Code { bytes, locals: 2, frame: None })
    }

    fn member(&mut self, name: &str, descriptor: &str, code: &Code) -> Result<Member<'static>, Error> {
        member(&mut self.pool, name, descriptor, code)
    }
}

/// A public method with its code.
pub(super) fn member(
    pool: &mut PoolExtension<'static>,
    name: &str,
    descriptor: &str,
    code: &Code,
) -> Result<Member<'static>, Error> {
    let frames = pool.add_utf8("StackMapTable")?;
    let info = Cow::Owned(code.attribute(frames));
    Ok(Member {
        access: AccessFlags::PUBLIC,
        name_index: pool.add_utf8(name)?,
        descriptor_index: pool.add_utf8(descriptor)?,
        attributes: vec![RawAttribute { name_index: pool.add_utf8("Code")?, info }],
    })
}

/// The code of a method.
#[derive(Default)]
pub(super) struct Code {
    pub(super) bytes: Vec<u8>,
    pub(super) locals: u16,
    /// Where it is jumped to.
    pub(super) frame: Option<u16>,
}

/// So many slots of the stack are enough for everything but the arguments of a real method.
const STACK: u16 = 4;

impl Code {
    /// Appends code that is left out if a condition holds.
    fn jump_over(&mut self, condition: Opcode, code: &[u8]) -> Option<()> {
        const JUMP: usize = 3;
        put(&mut self.bytes, condition, u16::try_from(JUMP + code.len()).ok()?);
        self.bytes.extend(code);
        self.frame = Some(u16::try_from(self.bytes.len()).ok()?);
        Some(())
    }

    /// The content of the `Code` attribute (JVMS 4.7.3).
    pub(super) fn attribute(&self, frames: u16) -> Vec<u8> {
        let mut info = Vec::with_capacity(self.bytes.len() + 24);
        info.extend(self.locals.max(STACK).to_be_bytes());
        info.extend(self.locals.to_be_bytes());
        // No code here is longer than 64 KiB.
        info.extend(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
        info.extend(&self.bytes);
        // No exception handlers.
        info.extend([0, 0]);
        match self.frame {
            None => info.extend([0, 0]),
            Some(target) => {
                const SAME_FRAME_EXTENDED: u8 = 251;
                info.extend([0, 1]);
                info.extend(frames.to_be_bytes());
                // Five bytes: one frame.
                info.extend([0, 0, 0, 5, 0, 1, SAME_FRAME_EXTENDED]);
                info.extend(target.to_be_bytes());
            }
        }
        info
    }
}

/// Appends an instruction with an operand of two bytes.
pub(super) fn put(bytes: &mut Vec<u8>, opcode: Opcode, operand: u16) {
    bytes.push(opcode as u8);
    bytes.extend(operand.to_be_bytes());
}

/// Local variables that a value takes.
pub(super) fn slots(kind: u8) -> u16 {
    if matches!(kind, b'J' | b'D') { 2 } else { 1 }
}

/// Appends loads of `this` and of all arguments, by the first letters of their types, and tells how
/// many locals these are.
pub(super) fn load_all(code: &mut Vec<u8>, arguments: impl Iterator<Item = u8>) -> u16 {
    code.push(Opcode::Aload0 as u8);
    arguments.fold(1, |local, kind| {
        // A method has at most 255 slots of parameters (JVMS 4.3.3).
        code.extend([load_of(kind) as u8, u8::try_from(local).unwrap_or(u8::MAX)]);
        local + slots(kind)
    })
}

fn load_of(kind: u8) -> Opcode {
    match kind {
        b'L' | b'[' => Opcode::Aload,
        b'J' => Opcode::Lload,
        b'F' => Opcode::Fload,
        b'D' => Opcode::Dload,
        _ => Opcode::Iload,
    }
}

pub(super) fn return_of(kind: u8) -> Opcode {
    match kind {
        b'V' => Opcode::Return,
        b'L' | b'[' => Opcode::Areturn,
        b'J' => Opcode::Lreturn,
        b'F' => Opcode::Freturn,
        b'D' => Opcode::Dreturn,
        _ => Opcode::Ireturn,
    }
}
