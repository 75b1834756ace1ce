//! The rewriter at its worst: a call before, after and between all instructions, and a handler
//! around every method.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use crashback_classfile::{ClassFile, Member, MethodDescriptor, PoolExtension};
use crashback_instrument::{MethodEdits, Refusal, Snippet, rewrite_method};

use crate::linking::link;
use crate::support::{Classes, class_path, jdk_homes};

pub(crate) const RUNTIME: &str = "crashback/runtime/Probes";

/// A class with all its methods rewritten, and why some were not.
pub(crate) struct Stressed {
    pub(crate) bytes: Vec<u8>,
    rewritten: usize,
    pub(crate) refused: Vec<(String, Refusal)>,
}

pub(crate) fn stress(bytes: &[u8]) -> Stressed {
    let class = ClassFile::parse(bytes).unwrap();
    let mut pool = PoolExtension::new(&class.pool);
    let mut methods = class.methods.clone();
    let (mut rewritten, mut refused) = (0, Vec::new());
    for method in &mut methods {
        let result = edits(&class, method, &mut pool)
            .and_then(|edits| rewrite_method(&class, method, &edits, &mut pool));
        match result {
            Ok(with_edits) => {
                rewritten += usize::from(*method != with_edits);
                *method = with_edits;
            }
            Err(refusal) => refused.push((method.name(&class.pool).unwrap().to_string(), refusal)),
        }
    }
    let bytes = ClassFile { methods, ..class }.write_extended(&pool).unwrap();
    Stressed { bytes, rewritten, refused }
}

/// Rewrites a class that may be damaged; only that it ends well matters.
pub(crate) fn stress_if_readable(bytes: &[u8]) {
    let Ok(class) = ClassFile::parse(bytes) else { return };
    let mut pool = PoolExtension::new(&class.pool);
    for method in &class.methods {
        drop(
            edits(&class, method, &mut pool)
                .and_then(|edits| rewrite_method(&class, method, &edits, &mut pool)),
        );
    }
}

fn edits<'a>(
    class: &ClassFile<'a>,
    method: &Member<'a>,
    pool: &mut PoolExtension<'a>,
) -> Result<MethodEdits, Refusal> {
    let mut edits = MethodEdits::new();
    let Some(code) = method.code(&class.pool)? else { return Ok(edits) };
    let mut step = Snippet::new();
    step.nop()?;
    call(&mut step, "step", "()V", pool)?;
    edits.at_entry(step.clone());
    for instruction in code.instructions() {
        let (offset, _) = instruction?;
        edits.before(offset, step.clone());
        let mut after = Snippet::new();
        after.nop()?;
        edits.after(offset, after);
    }
    let mut unwind = Snippet::new();
    unwind.duplicate(1)?;
    call(&mut unwind, "unwind", "(Ljava/lang/Throwable;)V", pool)?;
    edits.catch_all(unwind);
    Ok(edits)
}

fn call(
    snippet: &mut Snippet,
    name: &str,
    descriptor: &str,
    pool: &mut PoolExtension<'_>,
) -> Result<(), Refusal> {
    let index = pool.add_method_ref(RUNTIME, name, descriptor)?;
    Ok(snippet.call_static(index, MethodDescriptor::parse(descriptor.as_bytes().into())?)?)
}

/// Rewrites all classes and links them on every JDK at hand.
fn check(classes: &Classes) {
    let mut refusals: BTreeMap<String, usize> = BTreeMap::new();
    let mut rewritten = 0;
    let mut after = Classes::new();
    for (name, bytes) in classes {
        let stressed = stress(bytes);
        rewritten += stressed.rewritten;
        for (method, refusal) in stressed.refused {
            assert!(matches!(refusal, Refusal::TooLong(_)), "{name}.{method}: {refusal}");
            *refusals.entry("too long".to_owned()).or_default() += 1;
        }
        after.insert(name.clone(), stressed.bytes);
    }
    println!("{} classes, {rewritten} methods rewritten, refused: {refusals:?}", classes.len());
    for home in jdk_homes() {
        let verdict = link(&home, classes, &after);
        println!(
            "{}: {} classes checked, {} failures, not linkable before: {:?}",
            home.display(),
            verdict.checked,
            verdict.failures.len(),
            verdict.unlinkable
        );
        assert!(verdict.failures.is_empty(), "{:#?}", &verdict.failures[..verdict.failures.len().min(20)]);
    }
}

/// Libraries of versions from 45 to 52 with long methods, old compilers' habits and many
/// constructors.
pub(crate) fn libraries() -> &'static Classes {
    static LIBRARIES: OnceLock<Classes> = OnceLock::new();
    LIBRARIES.get_or_init(|| {
        let coordinates = [
            "org.apache.commons:commons-lang3:3.14.0",
            "org.apache.commons:commons-math3:3.6.1",
            "joda-time:joda-time:2.12.7",
            "junit:junit:3.8.1",
        ];
        class_path(&coordinates, &[])
    })
}

/// What the verifier is asked about: the libraries, or the jars and folders that `CRASHBACK_VERIFY`
/// names instead.
pub(crate) fn subjects() -> &'static Classes {
    static SUBJECTS: OnceLock<Classes> = OnceLock::new();
    match named_by_environment() {
        entries if entries.is_empty() => libraries(),
        entries => SUBJECTS.get_or_init(|| class_path(&[], &entries)),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "jars to check instead of the libraries are named by the environment"
)]
fn named_by_environment() -> Vec<PathBuf> {
    std::env::var_os("CRASHBACK_VERIFY").iter().flat_map(std::env::split_paths).collect()
}

#[test]
fn subjects_pass_the_verifier() {
    check(subjects());
}
