//! Requests that are cut short, announce too much, or hold what no statement is.

use crashback_protocol::{Isolation, MAGIC, Pins, Request, RequestRef, message_length, read_bytes};
use crashback_testcase::{Addition, Arguments, Literal, MethodId, Statement, TestCase, TypeId, Var};

use crate::support::{message, number};

fn written(tests: &[TestCase]) -> Vec<u8> {
    let (vocabulary, isolation, pins) = (&Addition::default(), Isolation::Reset, Pins::Other(1));
    let mut bytes = Vec::new();
    RequestRef { vocabulary, isolation, pins, listens: true, tests }.append(&mut bytes).unwrap();
    bytes
}

/// A test with a statement of every encoding.
fn test() -> TestCase {
    let arguments = || Arguments::from(vec![Var(0), Var(300)]);
    TestCase::new([
        Statement::Literal(Literal::Text([104, 105].as_slice().into())),
        Statement::Literal(Literal::Text([0x4e2d, 0xd800].as_slice().into())),
        Statement::Literal(Literal::Null(TypeId(1))),
        Statement::Call { method: MethodId(7), receiver: None, arguments: arguments() },
        Statement::Call { method: MethodId(u32::MAX), receiver: Some(Var(9)), arguments: arguments() },
    ])
}

/// A request without vocabulary that ends with these bytes.
fn ending(bytes: &[u8]) -> Vec<u8> {
    // The last byte of a request without tests is their number.
    let empty = written(&[]);
    message(&[&empty[4..empty.len() - 1], bytes].concat())
}

fn is_refused(message: &[u8]) -> bool {
    Request::default().read(message).is_err()
}

#[test]
fn a_request_is_refused_wherever_it_is_cut() {
    let message = written(&[test(), test()]);
    assert!(!is_refused(&message));
    for length in 0..message.len() {
        assert!(is_refused(&message[..length]), "{length} bytes of {}", message.len());
    }
    assert!(is_refused(&[message, vec![0]].concat()));
}

#[test]
fn announced_counts_cost_no_memory() {
    let most = number(u32::MAX.into());
    assert!(!is_refused(&ending(&[0])));
    // Tests, statements, units of both kinds of texts, arguments.
    let beginnings: [&[u8]; 5] = [&[], &[1], &[1, 1, 0], &[1, 1, 1], &[1, 1, 3, 0]];
    for beginning in beginnings {
        assert!(is_refused(&ending(&[beginning, &most, &[0; 40]].concat())), "{beginning:?}");
    }
}

#[test]
fn variables_have_sixteen_bits() {
    let call = |receiver: u64| ending(&[&[1, 1, 4, 0], number(receiver).as_slice(), &[0]].concat());
    assert!(!is_refused(&call(0xffff)));
    assert!(is_refused(&call(0x1_0000)));
}

#[test]
fn unknown_statements_are_refused() {
    for tag in [2, 5, 99, 255] {
        assert!(is_refused(&ending(&[1, 1, tag, 250, 250])), "{tag}");
    }
}

#[test]
fn a_wide_text_takes_two_bytes_for_each_unit() {
    assert!(!is_refused(&ending(&[1, 1, 1, 2, 1, 2, 3, 4])));
    // As many bytes as units.
    assert!(is_refused(&ending(&[1, 1, 1, 2, 1, 2])));
}

#[test]
fn a_request_that_was_read_is_gone_after_the_next() {
    let mut request = Request::default();
    request.read(&written(&[test(), test()])).unwrap();
    assert_eq!((request.tests.len(), request.listens), (2, true));
    request.read(&written(&[])).unwrap();
    assert!(request.tests.is_empty() && request.tests.get(0).is_none());
}

#[test]
fn no_message_is_longer_than_a_message_can_be() {
    assert_eq!(message_length(&[1, 0, 0]).unwrap(), None);
    assert_eq!(message_length(&[1, 0, 0, 0]).unwrap(), Some(5));
    assert!(message_length(&u32::MAX.to_le_bytes()).is_err());
    // The announced bytes do not come.
    let announced = (1_u32 << 30).to_le_bytes();
    assert!(read_bytes(&mut announced.as_slice()).is_err());
    assert!(read_bytes(&mut MAGIC.as_slice()).is_err());
}
