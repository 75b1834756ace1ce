#![expect(clippy::disallowed_methods, reason = "tests look for a JDK themselves")]

use std::env;

use crashback_bench::suites::{Difference, LIBRARIES, Program, Run, Suite, differences};
use crashback_classfile::{ClassFile, Flow};
use crashback_classpath::jdk;
use crashback_instrument::Kinds;

/// Packages of commons-lang3 whose tests neither wait nor look at the clock.
const PACKAGES: &[&str] = &["builder", "math", "mutable", "reflect", "text", "tuple"];
/// It tries all locales.
const SLOW: &str = ".ExtendedMessageFormatTest";
/// The tests that a changed program runs.
const CHANGED: &str = ".StrMatcherTest";
/// A class whose jump is reversed, and the method that jumps.
const REVERSED: (&str, &str) = ("org/apache/commons/lang3/text/StrMatcher$CharMatcher", "isMatch");

#[test]
fn results_stay_and_changed_behaviour_shows() {
    let mut suite = suite();
    let plain = suite.run(&Program::plain(&suite.classes)).unwrap();
    assert!(plain.count("SUCCESSFUL") > 1000, "{} tests", plain.tests.len());

    let mut program = Program::everywhere(&suite.classes, Kinds::ALL).unwrap();
    let observed = suite.run(&program).unwrap();
    assert_eq!(differences(&plain, &observed), []);
    assert!(observed.facts > 100_000, "{} bytes of facts", observed.facts);

    suite.tests.retain(|name| name.ends_with(CHANGED));
    check_that_a_throwing_probe_shows(&suite, &plain, program.clone());
    reverse_jump(program.classes.get_mut(REVERSED.0).unwrap(), REVERSED.1);
    check_that_a_reversed_jump_shows(&suite, &plain, &program);
}

/// Probes throw because the budget of each test is small.
fn check_that_a_throwing_probe_shows(suite: &Suite, plain: &Run, mut program: Program) {
    program.probing.as_mut().unwrap().budget = 20;
    let found = changed(suite, plain, &program);
    let ended = |it: &Difference| it.other.as_ref().is_some_and(|it| it.contains("the probes ended it"));
    assert!(found.iter().any(ended), "{found:?}");
}

/// Some tests do not come by the jump: they must not differ.
fn check_that_a_reversed_jump_shows(suite: &Suite, plain: &Run, program: &Program) {
    let found = changed(suite, plain, program);
    let differs = |test: &str| found.iter().any(|it| it.test.contains(test));
    assert!(
        differs("StrMatcherTest]/[method:testCharMatcher_char") && !differs("testTrimMatcher"),
        "{found:?}"
    );
}

fn changed(suite: &Suite, plain: &Run, program: &Program) -> Vec<Difference> {
    let mut found = differences(plain, &suite.run(program).unwrap());
    found.retain(|it| it.test.contains(CHANGED));
    found
}

fn suite() -> Suite {
    let (java_home, path) = (env::var_os("JAVA_HOME"), env::var_os("PATH"));
    let lookup = jdk::Lookup { java_home: java_home.as_deref(), path: path.as_deref(), ..Default::default() };
    let library = LIBRARIES.iter().find(|it| it.name == "commons-lang3").unwrap();
    let mut suite = Suite::prepare(library, &jdk::find(lookup).unwrap()).unwrap();
    let is_quick = |name: &String| !name.ends_with(SLOW);
    let is_wanted = |name: &String| PACKAGES.iter().any(|it| name.contains(&format!(".lang3.{it}.")));
    suite.tests.retain(|name| is_wanted(name) && is_quick(name));
    suite
}

/// Lets the first conditional jump of a method go the other way: opcodes 0x99 to 0xa6 are pairs of
/// opposites (JVMS 6.5).
fn reverse_jump(bytes: &mut Vec<u8>, method: &str) {
    let mut class = ClassFile::parse(bytes).unwrap();
    let pool = class.pool.clone();
    let method = class.methods.iter_mut().find(|it| it.name(&pool).unwrap() == method).unwrap();
    let mut code = method.code(&pool).unwrap().unwrap();
    let mut instructions = code.instructions().map(|it| it.unwrap());
    let at = instructions.find(|it| it.1.opcode.flow() == Flow::Conditional).unwrap().0 as usize;
    let opcode = &mut code.code.to_mut()[at];
    assert!((0x99..=0xa6).contains(opcode));
    *opcode = ((*opcode - 0x99) ^ 1) + 0x99;
    let mut info = Vec::new();
    code.encode_into(&mut info).unwrap();
    let attribute = method.attributes.iter_mut().find(|it| it.name(&pool).unwrap() == "Code").unwrap();
    attribute.info = info.into();
    *bytes = class.write().unwrap();
}
