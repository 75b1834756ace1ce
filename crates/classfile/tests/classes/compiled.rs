//! Classes compiled on the spot from sources with all that Java can put into a class file.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::OnceLock;

use crashback_classfile::{
    Attribute, ClassFile, Constant, Location, Opcode, Operand, RawAttribute, TypeSignature, Version,
};

use crate::subjects::Subject;
use crate::{oracle, round_trip, stack_depth, tools};

const FEATURES: (&str, &str) = ("odd/Features.java", include_str!("java/odd/Features.java"));
const MODERN: (&str, &str) = ("odd/Modern.java", include_str!("java/odd/Modern.java"));
const PATTERNS: (&str, &str) = ("odd/Patterns.java", include_str!("java/odd/Patterns.java"));
const JOB: (&str, &str) = ("odd/more/Job.java", include_str!("java/odd/more/Job.java"));
const MODULE: (&str, &str) = ("module-info.java", include_str!("java/module-info.java"));

/// Classes of all sources that the newest JDK's language level allows.
pub(crate) fn features() -> &'static [Subject] {
    static COMPILED: OnceLock<Vec<Subject>> = OnceLock::new();
    COMPILED.get_or_init(compile_features)
}

fn compile_features() -> Vec<Subject> {
    let home = tools::newest_jdk();
    let sources: &[_] = match tools::version(&home) {
        0..17 => &[FEATURES],
        17..21 => &[FEATURES, MODERN, JOB, MODULE],
        _ => &[FEATURES, MODERN, PATTERNS, JOB, MODULE],
    };
    tools::compile(&home, sources, &[]).unwrap()
}

#[test]
fn every_feature_survives() {
    let subjects = features();
    assert!(subjects.len() > 10);
    subjects.iter().for_each(check);
}

#[test]
fn every_release_that_the_compilers_know_survives() {
    let mut versions = BTreeSet::new();
    for home in tools::jdk_homes() {
        for release in [7, 8, 11, tools::version(&home)] {
            let sources: &[_] = if release < 17 { &[FEATURES] } else { &[FEATURES, MODERN, JOB, MODULE] };
            let options = ["--release", &release.to_string()];
            // Compilers refuse releases that are too old for them.
            for subject in tools::compile(&home, sources, &options).unwrap_or_default() {
                check(&subject);
                versions.insert(ClassFile::parse(&subject.1).unwrap().version());
            }
        }
    }
    assert!(versions.len() > 2, "compiled for {versions:?} only");
    assert!(versions.iter().all(|version| *version >= Version { major: 51, minor: 0 }));
}

#[test]
fn attributes_of_all_kinds_are_met() {
    let mut met = BTreeSet::new();
    for (_, bytes) in features() {
        let class = ClassFile::parse(bytes).unwrap();
        collect(&class.attributes, &class, Location::Class, &mut met);
        class.fields.iter().for_each(|field| collect(&field.attributes, &class, Location::Field, &mut met));
        class
            .methods
            .iter()
            .for_each(|method| collect(&method.attributes, &class, Location::Method, &mut met));
    }
    let expected = [
        "AnnotationDefault",
        "BootstrapMethods",
        "Code",
        "ConstantValue",
        "Deprecated",
        "EnclosingMethod",
        "Exceptions",
        "InnerClasses",
        "LineNumberTable",
        "LocalVariableTable",
        "LocalVariableTypeTable",
        "MethodParameters",
        "Module",
        "NestHost",
        "NestMembers",
        "PermittedSubclasses",
        "Record",
        "RuntimeInvisibleAnnotations",
        "RuntimeInvisibleParameterAnnotations",
        "RuntimeInvisibleTypeAnnotations",
        "RuntimeVisibleAnnotations",
        "RuntimeVisibleParameterAnnotations",
        "RuntimeVisibleTypeAnnotations",
        "Signature",
        "SourceFile",
        "StackMapTable",
    ];
    let missing: Vec<_> = expected.iter().filter(|name| !met.contains(**name)).collect();
    assert!(missing.is_empty(), "no class has {missing:?}");
}

#[test]
fn constants_are_read_as_written() {
    let subjects = features();
    let class = find(subjects, "odd/Features");
    let strings: Vec<_> = class
        .pool
        .iter()
        .filter(|(_, constant)| matches!(constant, Constant::String { .. }))
        .map(|(index, _)| class.pool.string(index).unwrap())
        .collect();
    let text = "nul \0, e acute é, euro €, pair 😀, lone ";
    let units: Vec<u16> =
        text.encode_utf16().chain([0xd800]).chain(" and ".encode_utf16()).chain([0xdc00]).collect();
    assert!(strings.iter().any(|string| string.code_units().eq(units.iter().copied())), "{strings:?}");
    let replaced = format!("{text}\u{fffd} and \u{fffd}");
    assert!(strings.iter().any(|string| string.to_str() == replaced));
    let value = |name, descriptor| {
        let raw = class.field(name, descriptor).unwrap().attribute(&class.pool, "ConstantValue").unwrap();
        match raw.decode(&class.pool, Location::Field).unwrap() {
            Attribute::ConstantValue(index) => index,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(class.pool.int(value("INT", "I")).unwrap(), 123_456_789);
    assert_eq!(class.pool.long(value("LONG", "J")).unwrap(), i64::MIN);
    assert_eq!(class.pool.float(value("FLOAT", "F")).unwrap().to_bits(), (-0.0_f32).to_bits());
    assert_eq!(class.pool.double(value("DOUBLE", "D")).unwrap(), std::f64::consts::PI);
}

#[test]
fn types_are_named_as_reflection_names_them() {
    let subjects = features();
    let class = find(subjects, "odd/Features");
    let method = class.method("listOf", "(IJD[Ljava/lang/Object;)Ljava/util/List;").unwrap();
    assert!(method.access.is_varargs() && method.access.is_static() && !method.access.is_public());
    let deep = find(subjects, "odd/Features$Inner$Deep");
    let method = deep.method("self", "()Lodd/Features$Inner$Deep;").unwrap();
    let raw = method.attribute(&deep.pool, "Signature").unwrap();
    let Attribute::Signature(index) = raw.decode(&deep.pool, Location::Method).unwrap() else {
        panic!("{raw:?}")
    };
    let text = deep.pool.utf8(index).unwrap();
    let result = crashback_classfile::MethodSignature::parse(text).unwrap().result.unwrap();
    let TypeSignature { dimensions: 0, element: crashback_classfile::SignatureElement::Class(class) } =
        result
    else {
        panic!("{text}")
    };
    assert_eq!(class.internal_name(), "odd/Features$Inner$Deep");
}

#[test]
fn huge_methods_use_wide_forms() {
    let mut body = String::from("package odd; class Huge { static int huge(int[] a) {\n");
    (0..300).for_each(|local| writeln!(body, "int v{local} = {local};").unwrap());
    body.push_str("for (int i = 0; i < 3; i++) {\n");
    (0..300).for_each(|local| writeln!(body, "v{local} += a[v{local}] * {};", 40_000 + local).unwrap());
    (0..3000).for_each(|_| body.push_str("a[i]++; v299 += 300;\n"));
    body.push_str("}\nreturn v299; }\nstatic String[] constants = {");
    (0..300).for_each(|number| write!(body, "\"text {number}\", ").unwrap());
    body.push_str("};\n}\n");
    let subjects = tools::compile(&tools::newest_jdk(), &[("odd/Huge.java", &body)], &[]).unwrap();
    subjects.iter().for_each(check);
    let class = find(&subjects, "odd/Huge");
    let mut opcodes = BTreeSet::new();
    let mut wide = BTreeSet::new();
    for method in &class.methods {
        let code = method.code(&class.pool).unwrap().unwrap();
        for step in code.instructions() {
            let (_, instruction) = step.unwrap();
            opcodes.insert(instruction.opcode);
            if instruction.wide {
                wide.insert(instruction.opcode);
            }
        }
    }
    assert!(wide.is_superset(&BTreeSet::from([Opcode::Iload, Opcode::Istore, Opcode::Iinc])), "{wide:?}");
    assert!(opcodes.is_superset(&BTreeSet::from([Opcode::GotoW, Opcode::Ldc, Opcode::LdcW])), "{opcodes:?}");
}

#[test]
fn switches_list_their_keys_and_targets() {
    let subjects = features();
    let class = find(subjects, "odd/Features");
    let keys = |name: &str| -> Vec<i32> {
        let method = class.method(name, "(I)I").unwrap();
        let code = method.code(&class.pool).unwrap().unwrap();
        let starts: BTreeSet<u32> = code.instructions().map(|step| step.unwrap().0).collect();
        let switch =
            code.instructions().map(Result::unwrap).find(|(_, found)| found.opcode.is_branch()).unwrap();
        assert!(switch.1.targets(switch.0).all(|target| starts.contains(&target)));
        match switch.1.operand {
            Operand::TableSwitch(table) => {
                assert_eq!(table.high(), 3);
                table.cases().filter(|(_, distance)| *distance != table.default).map(|(key, _)| key).collect()
            }
            Operand::LookupSwitch(lookup) => lookup.cases().map(|(key, _)| key).collect(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(keys("dense"), [-1, 0, 1, 3]);
    assert_eq!(keys("sparse"), [i32::MIN, 7, i32::MAX]);
}

fn check((name, bytes): &Subject) {
    let survey = round_trip::round_trip(bytes).unwrap().unwrap();
    assert!(survey.malformed.is_empty(), "{name}: {:?}", survey.malformed);
    oracle::agrees(bytes).unwrap_or_else(|difference| panic!("{name}: {difference}"));
    let class = ClassFile::parse(bytes).unwrap();
    for method in &class.methods {
        if let Some(code) = method.code(&class.pool).unwrap() {
            let method = method.name(&class.pool).unwrap();
            stack_depth::consistent(&code, &class.pool)
                .unwrap_or_else(|error| panic!("{name} {method}: {error}"));
        }
    }
}

pub(crate) fn find<'a>(subjects: &'a [Subject], name: &str) -> ClassFile<'a> {
    let parsed = subjects.iter().map(|(_, bytes)| ClassFile::parse(bytes).unwrap());
    parsed.into_iter().find(|class| class.name().unwrap() == name).unwrap()
}

fn collect(
    attributes: &[RawAttribute<'_>],
    class: &ClassFile<'_>,
    location: Location,
    met: &mut BTreeSet<&'static str>,
) {
    for raw in attributes {
        let attribute = raw.decode(&class.pool, location).unwrap();
        met.extend(attribute.name());
        if let Attribute::Code(code) = &attribute {
            collect(&code.attributes, class, Location::Code, met);
        }
    }
}
