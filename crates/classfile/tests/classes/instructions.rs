//! Instructions apart from any class.

use crashback_classfile::{
    Error, Instruction, Instructions, LookupSwitch, Opcode, Operand, OperandKind, TableSwitch,
};
use proptest::prelude::*;

/// Operands that an opcode can have, of all widths.
fn instruction() -> impl Strategy<Value = Instruction<'static>> {
    const TABLE: &[u8] = &[0, 0, 0, 9, 255, 255, 255, 247, 127, 0, 0, 1, 0, 0, 0, 0];
    let opcode = proptest::sample::select(Opcode::ALL);
    (opcode, any::<bool>(), any::<u16>(), any::<i32>(), any::<u8>()).prop_map(
        |(opcode, wide, index, number, byte)| {
            let kind = opcode.operand_kind();
            let wide = wide && matches!(kind, OperandKind::Local | OperandKind::Increment);
            let narrow = |index: u16| if wide { index } else { index & 0xff };
            let operand = match kind {
                OperandKind::None => Operand::None,
                OperandKind::Byte => Operand::Byte(byte as i8),
                OperandKind::Short => Operand::Short(index as i16),
                OperandKind::Local => Operand::Local(narrow(index)),
                OperandKind::Increment => {
                    let amount = if wide { number as i16 } else { i16::from(number as i8) };
                    Operand::Increment { local: narrow(index), amount }
                }
                OperandKind::ConstantByte => Operand::Constant(narrow(index)),
                OperandKind::Constant => Operand::Constant(index),
                OperandKind::InvokeInterface => Operand::InvokeInterface { index, count: byte, zero: !byte },
                OperandKind::InvokeDynamic => Operand::InvokeDynamic { index, zero: number as u16 },
                OperandKind::ArrayType => Operand::ArrayType(byte),
                OperandKind::MultiArray => Operand::MultiArray { index, dimensions: byte },
                OperandKind::Branch => Operand::Branch(i32::from(number as i16)),
                OperandKind::WideBranch => Operand::Branch(number),
                OperandKind::TableSwitch => {
                    Operand::TableSwitch(TableSwitch::new(number, number.min(i32::MAX - 3), TABLE).unwrap())
                }
                OperandKind::LookupSwitch => Operand::LookupSwitch(LookupSwitch::new(number, TABLE).unwrap()),
            };
            Instruction { opcode, wide, operand }
        },
    )
}

proptest! {
    #[test]
    fn decoding_undoes_encoding(instructions in proptest::collection::vec(instruction(), 1..40)) {
        let mut code = Vec::new();
        let mut expected = Vec::new();
        for instruction in instructions {
            let offset = code.len() as u32;
            instruction.encode_into(offset, &mut code).unwrap();
            expected.push((offset, instruction));
        }
        let decoded: Vec<_> = Instructions::new(&code).map(Result::unwrap).collect();
        prop_assert_eq!(decoded, expected);
    }

    #[test]
    fn any_bytes_decode_to_what_they_encode(code in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut encoded = Vec::new();
        for (offset, instruction) in Instructions::new(&code).map_while(Result::ok) {
            prop_assert_eq!(offset as usize, encoded.len());
            instruction.encode_into(offset, &mut encoded).unwrap();
        }
        prop_assert!(code.starts_with(&encoded));
    }
}

#[test]
fn every_byte_has_the_opcode_that_the_specification_gives_it() {
    for (byte, mnemonic) in
        [(0x00, "nop"), (0x36, "istore"), (0x84, "iinc"), (0xa7, "goto"), (0xb9, "invokeinterface")]
    {
        assert_eq!(Opcode::from_byte(byte).unwrap().mnemonic(), mnemonic);
    }
    let known: Vec<u8> = (0..=255).filter(|byte| Opcode::from_byte(*byte).is_some()).collect();
    let expected: Vec<u8> = (0..=201).filter(|byte| *byte != 196).collect();
    assert_eq!(known, expected);
    assert!(Opcode::ALL.iter().all(|opcode| Opcode::from_byte(*opcode as u8) == Some(*opcode)));
}

#[test]
fn locals_are_known_even_when_implied() {
    let local = |opcode: Opcode| Instruction { opcode, wide: false, operand: Operand::None }.local();
    assert_eq!(local(Opcode::Iload0), Some(0));
    assert_eq!(local(Opcode::Dload2), Some(2));
    assert_eq!(local(Opcode::Astore3), Some(3));
    assert_eq!(local(Opcode::Iaload), None);
    assert_eq!(local(Opcode::Iastore), None);
}

#[test]
fn small_constants_are_known() {
    let constant = |code: &'static [u8]| Instruction::decode(code, 0).unwrap().0.int_constant();
    assert_eq!(constant(&[0x02]), Some(-1));
    assert_eq!(constant(&[0x08]), Some(5));
    assert_eq!(constant(&[0x10, 0x80]), Some(-128));
    assert_eq!(constant(&[0x11, 0x01, 0x00]), Some(256));
    assert_eq!(constant(&[0x09]), None);
}

#[test]
fn operands_that_do_not_fit_are_refused() {
    let refused = |opcode: Opcode, wide, operand| {
        let result = Instruction { opcode, wide, operand }.encode_into(0, &mut Vec::new());
        assert_eq!(result, Err(Error::Operands(opcode.mnemonic())));
    };
    refused(Opcode::Iload, false, Operand::Local(256));
    refused(Opcode::Iinc, false, Operand::Increment { local: 1, amount: 128 });
    refused(Opcode::Ldc, false, Operand::Constant(256));
    refused(Opcode::Goto, false, Operand::Branch(40_000));
    refused(Opcode::Nop, true, Operand::None);
    refused(Opcode::Nop, false, Operand::Local(0));
}

/// The lists of JVMS 6.5, from exception to instructions.
#[test]
fn implicit_exceptions_are_those_of_the_specification() {
    let check = |exception: &str, mnemonics: &str| {
        let throws =
            |opcode: &&Opcode| opcode.implicit_exceptions().iter().any(|name| name.ends_with(exception));
        let found: Vec<_> = Opcode::ALL.iter().filter(throws).map(|opcode| opcode.mnemonic()).collect();
        assert_eq!(found, mnemonics.split_whitespace().collect::<Vec<_>>(), "{exception}");
    };
    let loads = "iaload laload faload daload aaload baload caload saload";
    let stores = "iastore lastore fastore dastore aastore bastore castore sastore";
    check("/ArrayIndexOutOfBoundsException", &format!("{loads} {stores}"));
    check("/ArithmeticException", "idiv ldiv irem lrem");
    check("/ArrayStoreException", "aastore");
    check("/ClassCastException", "checkcast");
    check("/NegativeArraySizeException", "newarray anewarray multianewarray");
    check(
        "/NullPointerException",
        &format!(
            "{loads} {stores} getfield putfield invokevirtual invokespecial invokeinterface arraylength athrow \
             monitorenter monitorexit"
        ),
    );
    check(
        "/IllegalMonitorStateException",
        "ireturn lreturn freturn dreturn areturn return athrow monitorexit",
    );
}
