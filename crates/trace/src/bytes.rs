//! Small helpers over byte slices.

/// No-break space and byte order mark.
const WIDE_BLANKS: [&[u8]; 2] = [b"\xc2\xa0", b"\xef\xbb\xbf"];

/// Whether the byte is blank inside a line.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0)
}

/// The slice without blanks at its start. No-break spaces, which pasting from web pages leaves
/// behind, are blanks.
pub(crate) fn trim_start(mut text: &[u8]) -> &[u8] {
    loop {
        match text {
            [first, rest @ ..] if is_blank(*first) => text = rest,
            [0xc2, 0xa0, rest @ ..] | [0xef, 0xbb, 0xbf, rest @ ..] => text = rest,
            _ => return text,
        }
    }
}

/// The slice without blanks at its end.
pub(crate) fn trim_end(mut text: &[u8]) -> &[u8] {
    loop {
        match text {
            [rest @ .., last] if is_blank(*last) => text = rest,
            [rest @ .., 0xc2, 0xa0] => text = rest,
            _ => return text,
        }
    }
}

/// The slice without blanks at both ends.
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    trim_end(trim_start(text))
}

/// The slice without blanks, line ends and byte order marks at its start.
pub(crate) fn trim_start_lines(mut text: &[u8]) -> &[u8] {
    loop {
        text = trim_start(text);
        match text {
            [b'\n', rest @ ..] => text = rest,
            _ => return text,
        }
    }
}

/// The text of the bytes; bytes that are not UTF-8 become the replacement character.
pub(crate) fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// The parts before and after a position. The second is empty when the position lies behind the
/// end.
pub(crate) fn split(text: &[u8], at: usize) -> (&[u8], &[u8]) {
    text.split_at_checked(at).unwrap_or((text, &[]))
}

/// The bytes from a position on; empty when it lies behind the end.
pub(crate) fn from(text: &[u8], at: usize) -> &[u8] {
    split(text, at).1
}

/// The bytes before a position.
pub(crate) fn upto(text: &[u8], at: usize) -> &[u8] {
    split(text, at).0
}

/// A decimal number that fills the whole slice.
pub(crate) fn number<T: std::str::FromStr>(digits: &[u8]) -> Option<T> {
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Whether a blank beyond ASCII, or a byte order mark where logs were joined, is somewhere in the
/// text.
pub(crate) fn holds_wide_blank(text: &[u8]) -> bool {
    WIDE_BLANKS.iter().any(|blank| memchr::memmem::find(text, blank).is_some())
}

/// Whether the byte can be part of a Java name; bytes beyond ASCII count as letters.
pub(crate) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// UTF-16 with a byte order mark, as some shells write redirected output, turned into UTF-8; None
/// for anything else.
pub(crate) fn decode_utf16(bytes: &[u8]) -> Option<Vec<u8>> {
    let (big_endian, rest) = match bytes {
        [0xff, 0xfe, rest @ ..] => (false, rest),
        [0xfe, 0xff, rest @ ..] => (true, rest),
        _ => return None,
    };
    let unit = if big_endian { u16::from_be_bytes } else { u16::from_le_bytes };
    let units = rest.as_chunks::<2>().0.iter().map(|pair| unit(*pair));
    let decoded: String =
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    Some(decoded.into_bytes())
}
