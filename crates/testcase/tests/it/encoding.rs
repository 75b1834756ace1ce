//! Test cases as bytes.

use crashback_testcase::sample::Sampler;
use crashback_testcase::{Bytes, Literal, Statement, TestCase, Text, Vocabulary};
use proptest::prelude::*;

use crate::support::WORLD;

fn encode(test: &TestCase) -> Vec<u8> {
    postcard::to_stdvec(test).unwrap()
}

#[test]
fn bytes_stand_for_test_cases() {
    let mut sampler =
        Sampler::new(WORLD.context(), &["java/lang/StringBuilder", "java/util/HashMap", "home/Home"], 3);
    let tests: Vec<TestCase> = (0..60).map(|length| sampler.test_case(length)).collect();
    for test in &tests {
        let decoded: TestCase = postcard::from_bytes(&encode(test)).unwrap();
        assert_eq!(decoded, *test);
        assert_eq!(encode(&decoded), encode(test));
        for other in &tests {
            assert_eq!(encode(other) == encode(test), other == test);
        }
    }
    let mut vocabulary = Vocabulary::default();
    vocabulary.extend(sampler.vocabulary().since(vocabulary.known())).unwrap();
    assert_eq!(vocabulary.since(Default::default()), sampler.vocabulary().since(Default::default()));
}

proptest! {
    #[test]
    fn literals_survive(units: Vec<u16>, bytes: Vec<u8>, float: u32, double: u64, int: i32, long: i64) {
        let literals = [
            Literal::Text(Text::from(units.as_slice())),
            Literal::Bytes(Bytes::from(bytes.as_slice())),
            Literal::Float(f32::from_bits(float)),
            Literal::Double(f64::from_bits(double)),
            Literal::Int(int),
            Literal::Long(long),
        ];
        let test = TestCase::new(literals.map(Statement::Literal).to_vec());
        let decoded: TestCase = postcard::from_bytes(&encode(&test)).unwrap();
        prop_assert_eq!(&decoded, &test);
        prop_assert_eq!(encode(&decoded), encode(&test));
    }

    #[test]
    fn bytes_of_others_do_no_harm(bytes: Vec<u8>) {
        if let Ok(test) = postcard::from_bytes::<TestCase>(&bytes) {
            let _ = crashback_testcase::check(&test, &Vocabulary::default(), &WORLD.context());
            let _ = test.display(&Vocabulary::default()).to_string();
        }
    }
}
