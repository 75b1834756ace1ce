//! What the tables of a method say about each instruction is the same before and after rewriting.

use std::collections::{BTreeMap, BTreeSet};

use crashback_classfile::{
    Attribute, ClassFile, Code, ConstantPool, Instruction, LocalVariable, Location, Opcode, TargetInfo,
};

use crate::stress::{RUNTIME, libraries, stress};
use crate::support::{Classes, compile, jdk_homes};

const ANNOTATED: &str = "
    import java.lang.annotation.*;
    import java.util.*;
    import java.util.function.*;
    class Annotated {
        @Target(ElementType.TYPE_USE) @Retention(RetentionPolicy.RUNTIME) @interface Mark { int value(); }
        static <T> T same(T it) { return it; }
        Object run(Object given) throws Exception {
            @Mark(1) List<@Mark(2) String> list = new @Mark(3) ArrayList<@Mark(4) String>();
            if (given instanceof @Mark(5) String) { list.add((@Mark(6) String) given); }
            try (@Mark(7) AutoCloseable resource = () -> { }) {
                Supplier<Object> made = @Mark(8) Object::new;
                for (@Mark(9) int i = 0; i < 3; i++) { list.add(Annotated.<@Mark(10) String>same(\"x\" + i)); }
                return made.get();
            } catch (@Mark(11) IllegalStateException caught) {
                return new @Mark(12) int @Mark(13) [3][2];
            }
        }
    }";

#[test]
fn tables_say_the_same_of_every_instruction() {
    let mut checked = check(libraries());
    for home in jdk_homes() {
        let classes = compile(&home, &[("Annotated.java", ANNOTATED)], &[]);
        checked = checked.merge(check(&classes));
    }
    assert!(checked.instructions > 100_000 && checked.subroutines > 0 && checked.own_code > 0, "{checked:?}");
    assert!(
        checked.annotations >= 8 && checked.variables > 10_000 && checked.handlers > 1_000,
        "{checked:?}"
    );
}

#[derive(Debug, Default)]
struct Checked {
    instructions: usize,
    subroutines: usize,
    handlers: usize,
    variables: usize,
    annotations: usize,
    /// Handlers that cover their own code.
    own_code: usize,
}

impl Checked {
    fn merge(self, other: Self) -> Self {
        Self {
            instructions: self.instructions + other.instructions,
            subroutines: self.subroutines + other.subroutines,
            handlers: self.handlers + other.handlers,
            variables: self.variables + other.variables,
            annotations: self.annotations + other.annotations,
            own_code: self.own_code + other.own_code,
        }
    }
}

fn check(classes: &Classes) -> Checked {
    let mut checked = Checked::default();
    for (name, before) in classes {
        let after = stress(before).bytes;
        let (before, after) = (ClassFile::parse(before).unwrap(), ClassFile::parse(&after).unwrap());
        assert!(after.pool.as_bytes().starts_with(before.pool.as_bytes()), "{name}");
        for (old, new) in before.methods.iter().zip(&after.methods) {
            let Some(old_code) = old.code(&before.pool).unwrap() else { continue };
            let new_code = new.code(&after.pool).unwrap().unwrap();
            if old_code == new_code {
                continue;
            }
            let context = format!("{name}.{}", old.name(&before.pool).unwrap());
            check_method(&context, &before.pool, &old_code, &after.pool, &new_code, &mut checked);
        }
    }
    checked
}

fn check_method(
    context: &str,
    old_pool: &ConstantPool<'_>,
    old: &Code<'_>,
    new_pool: &ConstantPool<'_>,
    new: &Code<'_>,
    checked: &mut Checked,
) {
    let old_all: Vec<_> = old.instructions().map(Result::unwrap).collect();
    let new_all: Vec<_> = new.instructions().map(Result::unwrap).collect();
    let kept = original_instructions(&new_all, new_pool, old_all.len());
    assert_eq!(old_all.len(), kept.len(), "{context}");
    let moved: BTreeMap<u32, u32> = old_all.iter().zip(&kept).map(|(old, new)| (old.0, new.0)).collect();
    let (old_lines, new_lines) = (old.lines(old_pool).unwrap(), new.lines(new_pool).unwrap());
    let (old_names, new_names) = (variables(old, old_pool), variables(new, new_pool));
    for ((old_offset, old_instruction), (new_offset, new_instruction)) in old_all.iter().zip(&kept) {
        let context = format!("{context} at {old_offset}");
        assert!(same_operation(old_instruction, new_instruction), "{context}");
        assert_eq!(old_lines.line_at(*old_offset), new_lines.line_at(*new_offset), "{context}");
        let live = live(&old_names, *old_offset);
        assert_eq!(live, self::live(&new_names, *new_offset), "{context}");
        let handlers = covering(old, *old_offset);
        let now = covering(new, *new_offset);
        assert!(now == handlers || now == [&handlers[..], &[0]].concat(), "{context}: {handlers:?} {now:?}");
        checked.instructions += 1;
        checked.subroutines += usize::from(old_instruction.opcode == Opcode::Jsr);
        checked.handlers += handlers.len();
        checked.variables += live.len();
    }
    for handler in new.exception_table.iter() {
        let range = handler.start_pc..handler.end_pc;
        assert!(
            !range.contains(&handler.handler_pc),
            "{context}: {handler:?} would catch what a probe in it throws"
        );
    }
    checked.own_code +=
        old.exception_table.iter().filter(|it| (it.start_pc..it.end_pc).contains(&it.handler_pc)).count();
    let old_marks = annotated(old, old_pool);
    let expected: Vec<_> = old_marks.iter().map(|offset| moved[offset]).collect();
    assert_eq!(annotated(new, new_pool), expected, "{context}");
    checked.annotations += expected.len();
}

/// The instructions of the new code that were not inserted. Inserted ones are `nop`s, calls of the
/// runtime class, the rethrow at the end, and detours: a `goto_w` without an inserted call right
/// before it.
fn original_instructions<'c>(
    all: &[(u32, Instruction<'c>)],
    pool: &ConstantPool<'_>,
    count: usize,
) -> Vec<(u32, Instruction<'c>)> {
    let is_probe = |instruction: &Instruction<'_>| {
        instruction.opcode == Opcode::Invokestatic
            && pool.method_ref(instruction.constant_index().unwrap()).unwrap().owner == RUNTIME
    };
    let pairs = all.iter().zip(all.iter().skip(1));
    pairs
        .filter(|(before, _)| is_probe(&before.1))
        .map(|(_, it)| *it)
        .filter(|it| !is_nop(&it.1))
        .take(count)
        .collect()
}

fn is_nop(instruction: &Instruction<'_>) -> bool {
    instruction.opcode == Opcode::Nop
}

fn same_operation(old: &Instruction<'_>, new: &Instruction<'_>) -> bool {
    match (old.opcode, new.opcode) {
        (Opcode::Goto, Opcode::GotoW) | (Opcode::Jsr, Opcode::JsrW) => true,
        (old_opcode, new_opcode) if old_opcode.is_branch() => old_opcode == new_opcode,
        _ => old == new,
    }
}

fn variables(code: &Code<'_>, pool: &ConstantPool<'_>) -> Vec<LocalVariable> {
    let tables = code.attributes.iter().filter_map(|it| match it.decode(pool, Location::Code).unwrap() {
        Attribute::LocalVariableTable(table) => Some(table.iter().collect::<Vec<_>>()),
        _ => None,
    });
    tables.flatten().collect()
}

/// Slots and names of the variables that live at an offset.
fn live(variables: &[LocalVariable], offset: u32) -> BTreeSet<(u16, u16)> {
    let lives = |it: &&LocalVariable| {
        let start = u32::from(it.start_pc);
        (start..start + u32::from(it.length)).contains(&offset)
    };
    variables.iter().filter(lives).map(|it| (it.slot, it.name_index)).collect()
}

/// What the handlers over an offset catch, in order.
fn covering(code: &Code<'_>, offset: u32) -> Vec<u16> {
    let covers = code
        .exception_table
        .iter()
        .filter(|it| (u32::from(it.start_pc)..u32::from(it.end_pc)).contains(&offset));
    covers.map(|it| it.catch_type).collect()
}

/// Offsets that type annotations name, in file order.
fn annotated(code: &Code<'_>, pool: &ConstantPool<'_>) -> Vec<u32> {
    let mut offsets = Vec::new();
    for attribute in &code.attributes {
        if let Attribute::RuntimeVisibleTypeAnnotations(all) = attribute.decode(pool, Location::Code).unwrap()
        {
            for annotation in all {
                match annotation.target {
                    TargetInfo::Offset { offset } | TargetInfo::TypeArgument { offset, .. } => {
                        offsets.push(u32::from(offset));
                    }
                    _ => {}
                }
            }
        }
    }
    offsets
}

/// A table of offsets that only coverage tools read is dropped rather than left to lie.
#[test]
fn columns_of_the_source_are_dropped_from_rewritten_code() {
    let source = "class Columns { static int run(int i) { return i > 0 ? 1 : 2; } }";
    let classes = compile(&jdk_homes()[0], &[("Columns.java", source)], &["-Xjcov"]);
    let tables = |bytes: &[u8]| {
        let class = ClassFile::parse(bytes).unwrap();
        let code = class.method("run", "(I)I").unwrap().code(&class.pool).unwrap().unwrap();
        let names = code.attributes.iter().map(|it| it.name(&class.pool).unwrap().to_string());
        names.collect::<BTreeSet<_>>()
    };
    let mut expected = tables(&classes["Columns"]);
    assert!(expected.remove("CharacterRangeTable"));
    assert_eq!(tables(&stress(&classes["Columns"]).bytes), expected);
}
