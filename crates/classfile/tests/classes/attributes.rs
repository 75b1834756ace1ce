//! Attributes that compilers seldom write, from bytes made by hand.

use crashback_classfile::{Attribute, ClassFile, Code, Error, Location, PoolExtension, RawAttribute};

use crate::compiled::{features, find};

/// The attribute must survive, and neither a missing nor a surplus byte may go unnoticed.
fn check(name: &str, location: Location, info: &[u8]) {
    let encode = |info: &[u8]| -> Result<Vec<u8>, Error> {
        let class = find(features(), "odd/more/Job");
        let mut extension = PoolExtension::new(&class.pool);
        let name_index = extension.add_utf8(name).unwrap();
        let bytes = class.write_extended(&extension).unwrap();
        let class = ClassFile::parse(&bytes).unwrap();
        let raw = RawAttribute { name_index, info: info.into() };
        let attribute = raw.decode(&class.pool, location)?;
        assert_eq!(attribute.name(), Some(name));
        let mut encoded = Vec::new();
        attribute.encode_into(&mut encoded).map(|()| encoded)
    };
    assert_eq!(encode(info).as_deref(), Ok(info), "{name}");
    assert!(
        matches!(encode(&[info, &[0]].concat()), Err(Error::TrailingBytes { .. })),
        "{name} with one more"
    );
    for length in 0..info.len() {
        assert!(encode(&info[..length]).is_err(), "{name} with {length} bytes of {}", info.len());
    }
}

#[test]
fn rare_attributes_survive() {
    check("Synthetic", Location::Field, &[]);
    check("Deprecated", Location::Class, &[]);
    check("ModuleMainClass", Location::Class, &[1, 2]);
    check("ModulePackages", Location::Class, &[0, 2, 0, 1, 0, 2]);
    check("MethodParameters", Location::Method, &[2, 0, 1, 0, 16, 0, 0, 128, 0]);
    check("EnclosingMethod", Location::Class, &[0, 1, 0, 0]);
    check("RuntimeInvisibleParameterAnnotations", Location::Method, &[2, 0, 0, 0, 1, 0, 9, 0, 0]);
}

#[test]
fn every_kind_of_stack_map_frame_survives() {
    let frames: [&[u8]; 12] = [
        &[0],
        &[63],
        &[64, 0],
        &[127, 8, 1, 2],
        &[247, 0, 1, 6],
        &[248, 0, 1],
        &[250, 255, 255],
        &[251, 0, 0],
        &[252, 0, 1, 1],
        &[254, 0, 1, 2, 3, 4],
        &[255, 0, 1, 0, 2, 5, 7, 0, 9, 0, 0],
        &[255, 0, 1, 0, 0, 0, 1, 1],
    ];
    check("StackMapTable", Location::Code, &[&[0, 12], frames.concat().as_slice()].concat());
}

#[test]
fn every_target_of_type_annotations_survives() {
    let targets: [&[u8]; 21] = [
        &[0x00, 1],
        &[0x01, 2],
        &[0x10, 255, 255],
        &[0x11, 1, 2],
        &[0x12, 3, 4],
        &[0x13],
        &[0x14],
        &[0x15],
        &[0x16, 1],
        &[0x17, 0, 1],
        &[0x40, 0, 1, 0, 1, 0, 2, 0, 3],
        &[0x41, 0, 0],
        &[0x42, 0, 1],
        &[0x43, 0, 1],
        &[0x44, 0, 1],
        &[0x45, 0, 1],
        &[0x46, 0, 1],
        &[0x47, 0, 1, 2],
        &[0x48, 0, 1, 2],
        &[0x4a, 0, 1, 2],
        &[0x4b, 0, 1, 2],
    ];
    for target in targets {
        let path_and_annotation = [2, 0, 0, 3, 1, 0, 9, 0, 1, 0, 8, b'e', 0, 1, 0, 2];
        let info = [&[0, 1], target, &path_and_annotation].concat();
        check("RuntimeVisibleTypeAnnotations", Location::Code, &info);
    }
}

#[test]
fn lines_of_several_tables_are_merged_as_a_jvm_does() {
    let class = find(features(), "odd/more/Job");
    let run = class.method("run", "()V").unwrap();
    let mut code: Code<'_> = run.code(&class.pool).unwrap().unwrap();
    let name_index = code.attribute(&class.pool, "LineNumberTable").unwrap().name_index;
    let table = |info: &[u8]| RawAttribute { name_index, info: info.to_vec().into() };
    code.attributes =
        vec![table(&[0, 3, 0, 9, 0, 30, 0, 4, 0, 20, 0, 4, 0, 21]), table(&[0, 2, 0, 2, 0, 10, 0, 9, 0, 31])];
    let lines = code.lines(&class.pool).unwrap();
    let found: Vec<_> = (0..12).map(|offset| lines.line_at(offset)).collect();
    let expected = [
        None,
        None,
        Some(10),
        Some(10),
        Some(20),
        Some(21),
        Some(21),
        Some(21),
        Some(21),
        Some(30),
        Some(31),
    ];
    assert_eq!(found[..11], expected);
    code.attributes.push(table(&[0, 1]));
    assert!(code.lines(&class.pool).is_err());
}

#[test]
fn replaced_code_is_written_and_read_again() {
    let mut class = find(features(), "odd/more/Job");
    let position =
        class.methods.iter().position(|method| method.name(&class.pool).unwrap() == "run").unwrap();
    let mut code = class.methods[position].code(&class.pool).unwrap().unwrap();
    code.code.to_mut().insert(0, 0);
    code.max_stack = 9;
    let mut info = Vec::new();
    code.encode_into(&mut info).unwrap();
    class.methods[position].attributes[0].info = info.into();
    assert_eq!(class.methods[position].code(&class.pool).unwrap().as_ref(), Some(&code));
    let bytes = class.write().unwrap();
    let written = ClassFile::parse(&bytes).unwrap();
    assert_eq!(written.methods, class.methods);
    let decoded = written.methods[position].attributes[0].decode(&written.pool, Location::Method).unwrap();
    assert_eq!(decoded, Attribute::Code(code));
}
