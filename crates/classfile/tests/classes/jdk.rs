//! Every class of every JDK at hand.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crashback_classfile::{ClassFile, Error};

use crate::oracle::Verdict;
use crate::subjects::{self, Subject};
use crate::{oracle, round_trip, stack_depth, tools};

#[test]
fn every_class_is_read_completely_and_written_identically() {
    for_every_class(|bytes| match round_trip::round_trip(bytes)? {
        None => Err("cannot be parsed".to_owned()),
        Some(survey) if survey.malformed.is_empty() => Ok(()),
        Some(survey) => Err(survey.malformed.join(", ")),
    });
}

#[test]
fn the_oracle_agrees_on_every_class() {
    let (agreed, silent) = (AtomicUsize::new(0), AtomicUsize::new(0));
    for_every_class(|bytes| {
        let counter = if oracle::agrees(bytes)? == Verdict::Agrees { &agreed } else { &silent };
        counter.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    let (agreed, silent) = (agreed.into_inner(), silent.into_inner());
    assert!(silent * 1000 < agreed, "the oracle could not read {silent} classes besides {agreed}");
}

#[test]
fn stack_effects_lead_to_the_declared_depths() {
    for_every_class(|bytes| {
        let describe = |error: Error| error.to_string();
        let class = ClassFile::parse(bytes).map_err(describe)?;
        for method in &class.methods {
            if let Some(code) = method.code(&class.pool).map_err(describe)? {
                stack_depth::consistent(&code, &class.pool)?;
            }
        }
        Ok(())
    });
}

/// Runs a check on all classes, spread over threads, and lists the first failures.
fn for_every_class(check: impl Fn(&[u8]) -> Result<(), String> + Sync) {
    let homes = tools::jdk_homes();
    assert!(!homes.is_empty(), "no JDK found: set JAVA_HOME or put java on the PATH");
    for home in homes {
        let subjects = subjects::from_jdk(&home).unwrap();
        assert!(subjects.len() > 1000, "only {} classes in {}", subjects.len(), home.display());
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let check_part = |part: &[Subject]| -> Vec<String> {
            part.iter()
                .filter_map(|(name, bytes)| check(bytes).err().map(|error| format!("{name}: {error}")))
                .collect()
        };
        let failures: Vec<String> = thread::scope(|scope| {
            let parts = subjects.chunks(subjects.len().div_ceil(threads));
            let running: Vec<_> = parts.map(|part| scope.spawn(|| check_part(part))).collect();
            running.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        let shown = &failures[..failures.len().min(10)];
        assert!(failures.is_empty(), "{} classes of {} fail: {shown:#?}", failures.len(), home.display());
    }
}
