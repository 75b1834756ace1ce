//! Modified UTF-8 against Rust's own encodings.

use crashback_classfile::JavaStr;
use proptest::prelude::*;

proptest! {
    #[test]
    fn text_survives(text in any::<String>()) {
        let encoded = JavaStr::encode(&text);
        let java = JavaStr::new(&encoded);
        prop_assert_eq!(java.to_str(), text.as_str());
        prop_assert!(java == *text);
        prop_assert!(java.code_units().eq(text.encode_utf16()));
        prop_assert!(!encoded.contains(&0));
    }

    #[test]
    fn code_units_survive(units in proptest::collection::vec(any::<u16>(), 0..50)) {
        let encoded = JavaStr::encode_units(units.iter().copied());
        let java = JavaStr::new(&encoded);
        prop_assert!(java.code_units().eq(units.iter().copied()));
        prop_assert_eq!(java.to_str(), String::from_utf16_lossy(&units));
    }

    #[test]
    fn any_bytes_have_a_text(bytes in proptest::collection::vec(any::<u8>(), 0..50)) {
        let java = JavaStr::new(&bytes);
        prop_assert!(java.code_units().count() <= bytes.len());
        prop_assert_eq!(java.to_str(), String::from_utf16_lossy(&java.code_units().collect::<Vec<_>>()));
    }
}

#[test]
fn special_characters_have_their_long_forms() {
    let check = |text: &str, expected: &[u8]| assert_eq!(&*JavaStr::encode(text), expected);
    check("a", &[0x61]);
    check("\0", &[0xc0, 0x80]);
    check("\u{7f}\u{80}", &[0x7f, 0xc2, 0x80]);
    check("\u{7ff}\u{800}", &[0xdf, 0xbf, 0xe0, 0xa0, 0x80]);
    check("😀", &[0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
}
