//! Bytes of messages, put together by hand.

/// A number as messages have it: seven bits at a time, the lowest first.
pub(crate) fn number(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Bytes with the four in front that announce how many there are.
pub(crate) fn message(body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).unwrap();
    [&length.to_le_bytes(), body].concat()
}
