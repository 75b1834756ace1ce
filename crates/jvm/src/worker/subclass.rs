//! Classes below abstract ones, for tests that construct such: a constructor that calls the one
//! above, and the abstract methods, which yield zero or `null`. An anonymous class of a source does
//! the same.

use crashback_classfile::{ClassFile, Error, Member, Opcode, PoolExtension};
use crashback_testcase::{Method, MethodId, Mock, Vocabulary};

use super::members::{Source, descriptor_of, first, malformed};
use super::mock_class::{Code, EMPTY, MARK, load_all, member, put, return_of, slots};
use crate::java::{Object, Thrown};

/// Defines the class for a constructor of an abstract class. Its name bears the mark of mocks, so
/// that its frames are no part of a trace.
pub(super) fn define(
    source: Source<'_>,
    above: Object,
    subclass: &Mock,
    constructor: MethodId,
) -> Result<Object, Thrown> {
    let Source { env, vocabulary, loaders, program } = source;
    let of = vocabulary.type_of(subclass.of).and_then(|it| it.class_name());
    let of = of.ok_or_else(|| malformed(env, "subclass of no class"))?;
    let package = loaders.package_below(env, program, above, of)?;
    let simple = of.rsplit('/').next().unwrap_or(of);
    let slash = if package.is_empty() { "" } else { "/" };
    let name = format!("{package}{slash}{simple}{MARK}below{}", constructor.0);
    let bytes = class_file(&name, of, subclass, constructor, vocabulary);
    program.define(env, &name, &bytes.ok_or_else(|| malformed(env, "subclass"))?)
}

fn class_file(
    name: &str,
    of: &str,
    subclass: &Mock,
    constructor: MethodId,
    vocabulary: &Vocabulary,
) -> Option<Vec<u8>> {
    let empty = ClassFile::parse(EMPTY).ok()?;
    let mut pool = PoolExtension::new(&empty.pool);
    let (this_class, super_class) = (pool.add_class(name).ok()?, pool.add_class(of).ok()?);
    let mut writer = Writer { of, vocabulary, pool };
    let mut methods = vec![writer.constructor(vocabulary.method(constructor)?).ok()?];
    for answered in &*subclass.methods {
        methods.push(writer.method(vocabulary.method(answered.method)?).ok()?);
    }
    let class = ClassFile { this_class, super_class, methods, ..empty };
    class.write_extended(&writer.pool).ok()
}

struct Writer<'a> {
    /// Internal name of the abstract class.
    of: &'a str,
    vocabulary: &'a Vocabulary,
    pool: PoolExtension<'static>,
}

impl Writer<'_> {
    /// Calls the constructor above with the same arguments.
    fn constructor(&mut self, method: &Method) -> Result<Member<'static>, Error> {
        let descriptor = descriptor_of(self.vocabulary, method);
        let mut code = Code::default();
        let parameters = method.parameters.iter().map(|it| first(self.vocabulary, *it));
        code.locals = load_all(&mut code.bytes, parameters);
        let above = self.pool.add_method_ref(self.of, "<init>", &descriptor)?;
        put(&mut code.bytes, Opcode::Invokespecial, above);
        code.bytes.push(Opcode::Return as u8);
        member(&mut self.pool, "<init>", &descriptor, &code)
    }

    /// Yields zero, false or `null`.
    fn method(&mut self, method: &Method) -> Result<Member<'static>, Error> {
        let kind = first(self.vocabulary, method.result);
        let nothing = match kind {
            b'V' => None,
            b'L' | b'[' => Some(Opcode::AconstNull),
            b'J' => Some(Opcode::Lconst0),
            b'F' => Some(Opcode::Fconst0),
            b'D' => Some(Opcode::Dconst0),
            _ => Some(Opcode::Iconst0),
        };
        let parameters = method.parameters.iter().map(|it| slots(first(self.vocabulary, *it)));
        let bytes = nothing.into_iter().chain([return_of(kind)]).map(|it| it as u8).collect();
        let code = Code { bytes, locals: 1 + parameters.sum::<u16>(), ..Code::default() };
        member(&mut self.pool, &method.name, &descriptor_of(self.vocabulary, method), &code)
    }
}
