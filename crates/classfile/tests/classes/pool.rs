//! Constant pools that grow.

use crashback_classfile::{ClassFile, Error, MemberRef, PoolExtension};

use crate::compiled::{features, find};

#[test]
fn added_constants_are_found_again_and_the_rest_stays() {
    let subjects = features();
    let class = find(subjects, "odd/Features");
    let mut extension = PoolExtension::new(&class.pool);
    let method = extension.add_method_ref("odd/New", "run", "(J)V").unwrap();
    let interface_method = extension.add_interface_method_ref("odd/New", "run", "(J)V").unwrap();
    let field = extension.add_field_ref("odd/New", "\0😀", "I").unwrap();
    let long = extension.add_long(-5).unwrap();
    let double = extension.add_double(f64::MIN_POSITIVE).unwrap();
    let int = extension.add_int(i32::MIN).unwrap();
    let float = extension.add_float(1.25).unwrap();
    let string = extension.add_string("new text").unwrap();
    let handle = extension.add_method_handle(6, method).unwrap();
    let method_type = extension.add_method_type("(J)V").unwrap();
    let dynamic = extension.add_dynamic(3, "name", "I").unwrap();
    let call_site = extension.add_invoke_dynamic(4, "name", "()I").unwrap();

    let bytes = class.write_extended(&extension).unwrap();
    let extended = ClassFile::parse(&bytes).unwrap();
    let pool = &extended.pool;
    assert!(pool.as_bytes().starts_with(class.pool.as_bytes()));
    assert_eq!(pool.count(), extension.count());
    let member = pool.method_ref(method).unwrap();
    assert_eq!(
        (member.owner, member.name, member.interface),
        ("odd/New".as_bytes().into(), "run".as_bytes().into(), false)
    );
    assert_eq!(pool.method_ref(interface_method).unwrap(), MemberRef { interface: true, ..member });
    assert!(pool.field_ref(field).unwrap().name == "\0😀");
    assert_eq!(pool.long(long).unwrap(), -5);
    assert_eq!(pool.double(double).unwrap(), f64::MIN_POSITIVE);
    assert_eq!(pool.int(int).unwrap(), i32::MIN);
    assert_eq!(pool.float(float).unwrap(), 1.25);
    assert!(pool.string(string).unwrap() == "new text");
    assert_eq!(pool.method_handle(handle).unwrap().member, member);
    assert!(pool.method_type(method_type).unwrap() == "(J)V");
    assert_eq!(pool.dynamic(dynamic).unwrap().bootstrap_index, 3);
    assert!(pool.invoke_dynamic(call_site).unwrap().descriptor == "()I");
    assert_eq!(extended.methods, class.methods);
    assert_eq!(extended.attributes, class.attributes);
}

#[test]
fn what_is_there_is_not_added_again() {
    let subjects = features();
    let class = find(subjects, "odd/Features");
    let mut extension = PoolExtension::new(&class.pool);
    assert_eq!(extension.add_class("odd/Features").unwrap(), class.this_class);
    assert_eq!(extension.add_class("java/util/ArrayList").unwrap(), class.super_class);
    assert_eq!((extension.count(), extension.added_bytes()), (class.pool.count(), [].as_slice()));
    let first = extension.add_long(42).unwrap();
    assert_eq!(extension.add_long(42).unwrap(), first);
    assert_eq!(extension.count(), first + 2);
}

#[test]
fn a_full_pool_is_an_error() {
    let subjects = features();
    let class = find(subjects, "odd/Features");
    let mut extension = PoolExtension::new(&class.pool);
    let room = u32::from(u16::MAX - class.pool.count());
    for number in 0..room {
        extension.add_int(1_000_000 + number as i32).unwrap();
    }
    assert_eq!(extension.count(), u16::MAX);
    assert!(matches!(extension.add_int(7), Err(Error::Overflow { .. })));
    assert!(matches!(extension.add_long(0x7777_7777_7777), Err(Error::Overflow { .. })));
    assert_eq!(extension.add_int(1_000_000).unwrap(), class.pool.count());
    assert_eq!(ClassFile::parse(&class.write_extended(&extension).unwrap()).unwrap().pool.count(), u16::MAX);
    let long_text = "x".repeat(65_536);
    assert!(matches!(extension.add_utf8(&long_text), Err(Error::Overflow { value: 65_536, .. })));
}

#[test]
fn wrong_indices_are_errors() {
    let subjects = features();
    let class = find(subjects, "odd/Features");
    let pool = &class.pool;
    assert_eq!(pool.get(0), Err(Error::NoConstant(0)));
    assert_eq!(pool.get(pool.count()), Err(Error::NoConstant(pool.count())));
    let (long, _) = pool.iter().find(|(index, _)| pool.long(*index).is_ok()).unwrap();
    assert_eq!(pool.get(long + 1), Err(Error::NoConstant(long + 1)));
    assert_eq!(pool.utf8(long), Err(Error::WrongConstant { index: long, expected: "text" }));
    assert_eq!(pool.class_name(long), Err(Error::WrongConstant { index: long, expected: "class" }));
}
