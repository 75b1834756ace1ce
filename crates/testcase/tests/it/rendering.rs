//! Test cases for people.

use crashback_testcase::{Literal, Statement, Text, Var};

use crate::support::Draft;

#[test]
fn a_test_case_reads_like_java() {
    let mut draft = Draft::default();
    let text = draft.literal(Literal::Text("a\"\\\n\u{202e}ü\u{1f600}".into()));
    let builder = draft.construct("java/lang/StringBuilder.<init>(Ljava/lang/String;)V", &[text]);
    let index = draft.literal(Literal::Int(-1));
    draft.call("java/lang/StringBuilder.setLength(I)V", Some(builder), &[index]);
    let array = draft.new_array("[[D", 3);
    let row = draft.push(Statement::ReadElement { array, index: 1 });
    draft.push(Statement::WriteElement { array, index: 0, value: row });
    let colour = draft.read("away/Colour.RED:Laway/Colour;", None);
    draft.write("away/Colour.weight:I", Some(colour), index);
    draft.cast("Ljava/util/Map$Entry;", Var(99));
    draft.call("java/lang/Integer.valueOf(I)Ljava/lang/Integer;", None, &[index]);
    let of = draft.of("[I");
    draft.literal(Literal::Class(of));
    draft.literal(Literal::Null(of));
    let expected = r#"String text0 = "a\"\\\n\u202eü\ud83d\ude00";
StringBuilder stringBuilder1 = new StringBuilder(text0);
int int2 = -1;
stringBuilder1.setLength(int2);
double[][] doubles4 = new double[3][];
double[] doubles5 = doubles4[1];
doubles4[0] = doubles5;
Colour colour7 = Colour.RED;
colour7.weight = int2;
Map.Entry entry9 = (Map.Entry) value99;
Integer integer10 = Integer.valueOf(int2);
Class class11 = int[].class;
int[] ints12 = null;
"#;
    assert_eq!(draft.test_case().display(&draft.vocabulary).to_string(), expected);
}

#[test]
fn literals_are_those_of_java() {
    let check = |literal: Literal, expected: &str| assert_eq!(literal.to_java().as_deref(), Some(expected));
    check(Literal::Byte(-1), "(byte) -1");
    check(Literal::Char(b'\''.into()), r"'\''");
    check(Literal::Char(b'"'.into()), "'\"'");
    check(Literal::Char(0xdc00), r"'\udc00'");
    check(Literal::Char(0), r"'\u0000'");
    check(Literal::Long(i64::MIN), "-9223372036854775808L");
    check(Literal::Float(-0.0), "-0.0f");
    check(Literal::Float(f32::MIN_POSITIVE), "1.1754944e-38f");
    check(Literal::Double(f64::NEG_INFINITY), "Double.NEGATIVE_INFINITY");
    check(Literal::Double(f64::NAN), "Double.NaN");
    check(
        Literal::Double(f64::from_bits(0x7ff8_0000_0000_0001)),
        "Double.longBitsToDouble(0x7ff8000000000001L)",
    );
    check(Literal::Double(5e-324), "5e-324");
    check(Literal::Bytes([7, 200].as_slice().into()), "new byte[] {7, -56}");
    check(Literal::Text(Text::from("\\u0041")), r#""\\u0041""#);
    let halves: [u16; 4] = [0xd83d, b'\\'.into(), b'\\'.into(), 0xde00];
    check(Literal::Text(Text::from(halves.as_slice())), r#""\ud83d\134\\\ude00""#);
}
