//! Random test cases are valid, and the compiler thinks so too.

use std::collections::BTreeSet;

use crashback_testcase::sample::Sampler;
use crashback_testcase::{Statement, check};

use crate::compiler::Suite;
use crate::source;
use crate::support::WORLD;

const CLASSES: [&str; 24] = [
    "java/lang/StringBuilder",
    "java/lang/String",
    "java/lang/Integer",
    "java/lang/Object",
    "java/util/ArrayList",
    "java/util/HashMap",
    "java/util/Map$Entry",
    "java/util/Optional",
    "java/util/Collections",
    "java/util/Arrays",
    "java/awt/Point",
    "java/lang/Thread$State",
    "home/Home",
    "home/Home$Inner",
    "home/Home$Inner$Innermost",
    "home/Home$Size",
    "home/Leaf",
    "away/Away",
    "away/Away$Inner",
    "away/Away$Nested",
    "away/Colour",
    "away/IntForm",
    "away/Sealed$Pair",
    "away/Face",
];

fn sampler(seed: u64) -> Sampler<'static> {
    Sampler::new(WORLD.context(), &CLASSES, seed)
}

#[test]
fn every_sample_is_valid() {
    let mut kinds = BTreeSet::new();
    for seed in 0..20 {
        let mut sampler = sampler(seed);
        for length in 0..60 {
            let test = sampler.test_case(length);
            assert!(test.statements().len() >= usize::from(length));
            let text = test.display(sampler.vocabulary());
            assert_eq!(check(&test, sampler.vocabulary(), &WORLD.context()), Ok(()), "{text}");
            kinds.extend(test.statements().iter().map(kind));
        }
    }
    assert_eq!(kinds.len(), 9, "every kind of statement occurs: {kinds:?}");
}

#[test]
fn the_same_seed_gives_the_same_samples() {
    let make = |seed| {
        let mut sampler = sampler(seed);
        (0..20).map(|_| sampler.test_case(10)).collect::<Vec<_>>()
    };
    assert_eq!(make(1), make(1));
    assert_ne!(make(1), make(2));
}

#[test]
fn the_compiler_accepts_every_sample() {
    let mut sampler = sampler(99);
    let tests: Vec<_> = (0..200).map(|_| sampler.test_case(10)).collect();
    let suite = Suite { vocabulary: sampler.vocabulary().clone(), tests };
    for (test, errors) in suite.tests.iter().zip(suite.compile()) {
        let lines = source::lines(test, &suite.vocabulary, WORLD.context()).join("\n");
        assert!(errors.is_empty(), "{errors:#?}\n{lines}");
    }
}

fn kind(statement: &Statement) -> String {
    let text = format!("{statement:?}");
    text.split([' ', '(']).next().unwrap().to_owned()
}
