//! The runtime classes have what inserted code calls, and can be defined one after the other.

use std::collections::BTreeSet;

use crashback_classfile::{AccessFlags, ClassFile};
use crashback_instrument::{PinMethod, ProbeMethod, ProbePlan};

use crate::support::CLASSES;

#[test]
fn every_method_that_inserted_code_calls_exists() {
    let probes = ProbeMethod::ALL.iter().map(|it| (ProbePlan::RUNTIME, it.name(), it.descriptor()));
    let pins = PinMethod::ALL.iter().map(|it| (ProbePlan::PINS, it.name(), it.descriptor()));
    for (class, name, descriptor) in probes.chain(pins) {
        let wanted = format!("{name}{descriptor}");
        assert!(public_static_methods(class).contains(&wanted), "{wanted}");
    }
}

#[test]
fn superclasses_come_first_and_java_8_can_read_them() {
    let names: Vec<_> = CLASSES.iter().map(|(name, _)| *name).collect();
    for (position, (name, bytes)) in CLASSES.iter().enumerate() {
        let class = ClassFile::parse(bytes).unwrap();
        assert_eq!(class.name().unwrap().to_str(), *name);
        assert_eq!(class.major_version, 52, "{name}");
        let extended = class.super_name().unwrap().unwrap().to_str().into_owned();
        assert!(names.iter().skip(position).all(|later| *later != extended), "{name} extends {extended}");
    }
}

#[test]
fn the_quick_compiler_puts_the_budget_where_it_is_asked() {
    let (_, bytes) = CLASSES.iter().find(|(name, _)| *name == ProbePlan::RUNTIME).unwrap();
    let class = ClassFile::parse(bytes).unwrap();
    let body = class.method("budget", "()V").unwrap().code(&class.pool).unwrap().unwrap();
    // HotSpot's `C1MaxInlineSize`.
    assert!(body.code.len() <= 35, "{} bytes", body.code.len());
}

/// Names with descriptors.
fn public_static_methods(class: &str) -> BTreeSet<String> {
    let (_, bytes) = CLASSES.iter().find(|(name, _)| *name == class).unwrap();
    let class = ClassFile::parse(bytes).unwrap();
    let methods = class.methods.iter().filter(|method| {
        method.access.contains(AccessFlags::PUBLIC) && method.access.contains(AccessFlags::STATIC)
    });
    methods
        .map(|method| {
            let (name, descriptor) =
                (method.name(&class.pool).unwrap(), method.descriptor(&class.pool).unwrap());
            format!("{}{}", name.to_str(), descriptor.to_str())
        })
        .collect()
}
