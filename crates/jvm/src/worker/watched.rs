//! Classes of the JDK that tell the runtime what a test is about to do.
//!
//! They exist before the first test, so that they are rewritten where they are. A call of the
//! runtime stands before everything else in a few of their methods; nothing else changes.

use crashback_classfile::{ClassFile, MethodDescriptor, PoolExtension};
use crashback_instrument::{MethodEdits, Refusal, Snippet, ValueKind, rewrite_method};

/// A class of the JDK and what its methods call first.
struct Watched {
    class: &'static str,
    entries: &'static [Entry],
}

/// Calls a static method of the runtime, with the first argument if that takes one.
struct Entry {
    /// Name and descriptor of the method; any descriptor where there is none.
    method: (&'static str, Option<&'static str>),
    owner: &'static str,
    name: &'static str,
    descriptor: &'static str,
}

const PROBES: &str = "crashback/runtime/Probes";
const THREADS: &str = "crashback/runtime/Threads";

const EXIT: Entry =
    Entry { method: ("exit", Some("(I)V")), owner: PROBES, name: "exiting", descriptor: "(I)V" };
const HALT: Entry = Entry { method: ("halt", Some("(I)V")), ..EXIT };

/// From JDK 21 on there are two of them. Whatever starts a thread in Java comes by here, also
/// inside the JDK.
const START: Entry = Entry { method: ("start", None), owner: THREADS, name: "starting", descriptor: "()V" };
/// The constructor of virtual threads, from JDK 21 on.
const CREATE_VIRTUAL: Entry = Entry {
    method: ("<init>", Some("(Ljava/lang/String;IZ)V")),
    owner: THREADS,
    name: "creatingVirtual",
    descriptor: "()V",
};

const WATCHED: &[Watched] = &[
    Watched { class: "java/lang/Runtime", entries: &[EXIT, HALT] },
    Watched { class: "java/lang/Thread", entries: &[START, CREATE_VIRTUAL] },
];

/// Internal names of the classes that must be rewritten.
pub(super) fn classes() -> impl Iterator<Item = &'static str> {
    WATCHED.iter().map(|it| it.class)
}

/// The class with its calls; none for any other class.
pub(super) fn rewrite(name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let watched = WATCHED.iter().find(|it| it.class == name)?;
    with_calls(bytes, watched.entries).ok()
}

fn with_calls(bytes: &[u8], entries: &[Entry]) -> Result<Vec<u8>, Refusal> {
    let class = ClassFile::parse(bytes)?;
    let mut pool = PoolExtension::new(&class.pool);
    let mut methods = Vec::with_capacity(class.methods.len());
    for method in &class.methods {
        let (name, descriptor) = (method.name(&class.pool)?, method.descriptor(&class.pool)?);
        let entry = entries.iter().find(|it| {
            let (wanted, exactly) = it.method;
            name == wanted && exactly.is_none_or(|exactly| descriptor == exactly)
        });
        methods.push(match entry {
            Some(entry) => {
                let mut edits = MethodEdits::new();
                edits.at_entry(call(entry, &mut pool)?);
                rewrite_method(&class, method, &edits, &mut pool)?
            }
            None => method.clone(),
        });
    }
    Ok(ClassFile { methods, ..class }.write_extended(&pool)?)
}

fn call(entry: &Entry, pool: &mut PoolExtension<'_>) -> Result<Snippet, Refusal> {
    let callee = pool.add_method_ref(entry.owner, entry.name, entry.descriptor)?;
    let descriptor = MethodDescriptor::parse(entry.descriptor.as_bytes().into())?;
    let mut snippet = Snippet::new();
    if !entry.descriptor.starts_with("()") {
        snippet.load(ValueKind::Int, 1)?;
    }
    snippet.call_static(callee, descriptor)?;
    Ok(snippet)
}
