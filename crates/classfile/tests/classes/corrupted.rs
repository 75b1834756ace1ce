//! Broken, hostile and future classes.

use crashback_classfile::{
    Attribute, ClassFile, ClassSignature, Error, JavaStr, Location, PoolExtension, RawAttribute,
    TypeSignature,
};

use crate::compiled::{features, find};
use crate::round_trip::round_trip;

#[test]
fn every_truncation_is_an_error() {
    let subjects = features();
    let bytes = find(subjects, "odd/Features").write().unwrap();
    for length in 0..bytes.len() {
        assert!(ClassFile::parse(&bytes[..length]).is_err(), "{length} bytes are accepted");
    }
}

#[test]
fn bytes_after_the_class_are_an_error() {
    let subjects = features();
    let mut bytes = find(subjects, "odd/Features").write().unwrap();
    bytes.push(0);
    let error = ClassFile::parse(&bytes).unwrap_err();
    assert_eq!(error, Error::TrailingBytes { what: "class file", extra: 1 });
}

/// Whatever byte is changed, no part panics, and what can be read is written back as it was.
#[test]
fn every_changed_byte_is_survived() {
    let subjects = features();
    for name in ["odd/Features", "odd/Circle", "odd/Everything"] {
        let mut bytes = find(subjects, name).write().unwrap();
        for position in 0..bytes.len() {
            let original = bytes[position];
            for changed in [!original, original ^ 1, original ^ 0x80, original.wrapping_add(1), 0, 0xff] {
                bytes[position] = changed;
                if let Err(difference) = round_trip(&bytes) {
                    panic!("{name} with {changed} at {position}: {difference}");
                }
            }
            bytes[position] = original;
        }
    }
}

#[test]
fn future_versions_pass_through() {
    let subjects = features();
    let mut bytes = find(subjects, "odd/Features").write().unwrap();
    for version in [0, 44, 99, 0xffff_u16] {
        bytes[6..8].copy_from_slice(&version.to_be_bytes());
        let class = ClassFile::parse(&bytes).unwrap();
        assert_eq!(class.major_version, version);
        assert_eq!(class.write().unwrap(), bytes);
        assert!(round_trip(&bytes).unwrap().unwrap().malformed.is_empty());
    }
}

#[test]
fn unknown_attributes_are_carried() {
    let subjects = features();
    let class = find(subjects, "odd/Features");
    let mut extension = PoolExtension::new(&class.pool);
    let name_index = extension.add_utf8("odd.Future").unwrap();
    let mut extended = class.clone();
    extended.attributes.push(RawAttribute { name_index, info: vec![1, 2, 3].into() });
    let bytes = extended.write_extended(&extension).unwrap();
    let class = ClassFile::parse(&bytes).unwrap();
    let raw = class.attribute("odd.Future").unwrap();
    assert_eq!(raw.decode(&class.pool, Location::Class).unwrap(), Attribute::Unknown(&[1, 2, 3]));
    assert_eq!(round_trip(&bytes).unwrap().unwrap().unknown_attributes, 1);
}

#[test]
fn a_misplaced_attribute_is_carried_and_reported() {
    let subjects = features();
    let mut class = find(subjects, "odd/Features");
    let source = class.attribute("SourceFile").unwrap().clone();
    class.fields[0].attributes.push(source);
    let bytes = class.write().unwrap();
    let survey = round_trip(&bytes).unwrap().unwrap();
    assert_eq!(survey.malformed, ["attribute: attribute SourceFile does not belong on a field"]);
}

#[test]
fn an_unknown_constant_is_an_error() {
    let bytes = [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 70, 0, 3, 1, 0, 0, 21, 0, 0];
    assert_eq!(ClassFile::parse(&bytes).unwrap_err(), Error::UnknownTag { tag: 21, index: 2 });
}

/// Class files before 45.3 have narrower fields at the beginning of `Code`.
#[test]
fn code_of_the_first_versions_is_read() {
    let subjects = features();
    let mut class = find(subjects, "odd/more/Job");
    let method = class.methods.iter_mut().find(|method| method.name(&class.pool).unwrap() == "run").unwrap();
    let before = method.code(&class.pool).unwrap().unwrap();
    let [a, stack, b, locals, c, d, length @ .., _, _] = &method.attributes[0].info[..10] else { panic!() };
    assert_eq!([a, b, c, d], [&0; 4]);
    let legacy = [&[*stack, *locals], length, &method.attributes[0].info[8..]].concat();
    method.attributes[0].info = legacy.into();
    class.methods.retain(|method| method.name(&class.pool).unwrap() == "run");
    (class.major_version, class.minor_version) = (45, 2);
    let bytes = class.write().unwrap();
    let class = ClassFile::parse(&bytes).unwrap();
    let after = class.methods[0].code(&class.pool).unwrap().unwrap();
    assert_eq!((after.max_stack, after.max_locals), (before.max_stack, before.max_locals));
    assert_eq!(after.code, before.code);
    assert_eq!(after.attributes, before.attributes);
    assert!(round_trip(&bytes).unwrap().unwrap().malformed.is_empty());
}

#[test]
fn deep_nesting_is_an_error() {
    let depth = 60_000;
    let generic = "La<".repeat(depth);
    let too_deep = Err(Error::TooDeep("type signature"));
    assert_eq!(TypeSignature::parse(JavaStr::new(generic.as_bytes())), too_deep);
    let bound = format!("<T:{generic}");
    let too_deep = Err(Error::TooDeep("class signature"));
    assert_eq!(ClassSignature::parse(JavaStr::new(bound.as_bytes())), too_deep);
    let subjects = features();
    let mut class = find(subjects, "odd/Everything");
    for nested in ["[\0\u{1}".repeat(depth), "@\0\u{1}\0\u{1}\0\u{1}".repeat(depth)] {
        let method = class.methods.iter_mut().find(|method| !method.attributes.is_empty()).unwrap();
        method.attributes[0].info = nested.into_bytes().into();
        let decoded = method.attributes[0].decode(&class.pool, Location::Method);
        assert_eq!(decoded, Err(Error::TooDeep("value of an annotation")));
    }
}
