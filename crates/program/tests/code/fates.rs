//! What handlers do with exceptions.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crashback_program::code::{Cfg, Fate, Outcome, Provenance, call_sites, fate_of};

use crate::support::{Subject, body};

static SUBJECT: LazyLock<Subject> = LazyLock::new(|| Subject::compile(SOURCE, &[]));

const SOURCE: &str = r#"
import java.io.Closeable;
import java.io.IOException;

class Fates {
    interface Log { void error(String text, Throwable t); }
    static class Wrapper extends RuntimeException {
        Wrapper(String text, Throwable cause) { super(text, cause); }
        Wrapper(String text) { super(text); }
    }
    Log log;
    Throwable last;
    static void work() throws IOException {}
    static void other() {}
    static RuntimeException convert(Throwable t) { return new Wrapper("converted", t); }
    static Closeable open() { return null; }

    void plain() throws IOException { work(); }

    void otherType() throws IOException {
        try { work(); } catch (IllegalStateException e) { other(); }
    }

    void swallow() {
        try { work(); } catch (IOException e) { }
    }

    void logged() {
        try {
            work();
        } catch (IOException e) {
            log.error("failed", e); // @logged
        }
    }

    void print() {
        try { work(); } catch (IOException e) { e.printStackTrace(); }
    }

    void wrap() {
        try { work(); } catch (IOException e) { throw new Wrapper("wrapped", e); }
    }

    void wrapInLocal() {
        try {
            work();
        } catch (IOException e) {
            Wrapper w = new Wrapper("wrapped", e);
            log.error("failed", w);
            throw w;
        }
    }

    void initCause() {
        try {
            work();
        } catch (IOException e) {
            throw (RuntimeException) new Wrapper("no cause").initCause(e);
        }
    }

    void suppressed() {
        try {
            work();
        } catch (IOException e) {
            IllegalStateException x = new IllegalStateException();
            x.addSuppressed(e);
            throw x;
        }
    }

    void converted() {
        try { work(); } catch (IOException e) { throw convert(e); }
    }

    void wrapTwice() {
        try { work(); } catch (IOException e) { throw new Wrapper("out", new IllegalStateException(e)); }
    }

    void messageOnly() {
        try { work(); } catch (IOException e) { throw new Wrapper("lost " + e.getMessage() + e); }
    }

    void unwrap() throws Throwable {
        try { work(); } catch (IOException e) { throw e.getCause(); }
    }

    void rethrow() throws IOException {
        try { work(); } catch (IOException e) { log.error("failed", e); throw e; }
    }

    void finallyRethrows() throws IOException {
        try { work(); } finally { other(); }
    }

    @SuppressWarnings("finally")
    int finallyReturns() throws IOException {
        try { work(); } finally { return 1; }
    }

    void locked() throws IOException {
        synchronized (this) { work(); }
    }

    void resources() throws IOException {
        try (Closeable c = open()) { work(); }
    }

    void byType() throws IOException {
        try {
            work();
        } catch (Exception e) {
            if (e instanceof RuntimeException) throw (RuntimeException) e;
            throw new Wrapper("checked", e);
        }
    }

    void kept() throws IOException {
        IOException failure = null;
        try { work(); } catch (IOException e) { failure = e; }
        other();
        if (failure != null) throw failure;
    }

    void keptWrapped() {
        Wrapper failure = null;
        try { work(); } catch (IOException e) { failure = new Wrapper("kept", e); }
        other();
        if (failure != null) throw failure;
    }

    void onCondition(boolean strict) throws IOException {
        try { work(); } catch (IOException e) { if (strict) throw e; }
    }

    void outerSwallows() {
        try {
            try { work(); } catch (IOException e) { throw new Wrapper("wrapped", e); }
        } catch (RuntimeException e) {
            other();
        }
    }

    void outerMisses() {
        try {
            try { work(); } catch (IOException e) { throw new Wrapper("wrapped", e); }
        } catch (IllegalStateException e) {
            other();
        }
    }

    void outerWrapsAgain() {
        try {
            try { work(); } catch (IOException e) { throw new Wrapper("wrapped", e); }
        } catch (Wrapper e) {
            throw new IllegalStateException(e);
        } finally {
            other();
        }
    }

    void retry() {
        while (true) {
            try { work(); return; } catch (IOException e) { log.error("again", e); }
        }
    }

    void goesOnAndFails(int n) {
        try { work(); } catch (IOException e) { other(); }
        if (n > 0) throw new IllegalArgumentException();
    }

    void stored() {
        try { work(); } catch (IOException e) { last = e; }
    }

    void unknownType() throws IOException {
        try { work(); } catch (Wrapper e) { other(); }
    }

    void multi() {
        try { work(); } catch (IllegalStateException | IOException e) { throw new Wrapper("either", e); }
    }
}
"#;

const SUPERCLASSES: &[(&str, &str)] = &[
    ("java/io/IOException", "java/lang/Exception"),
    ("java/lang/RuntimeException", "java/lang/Exception"),
    ("java/lang/IllegalStateException", "java/lang/RuntimeException"),
    ("java/lang/IllegalArgumentException", "java/lang/RuntimeException"),
    ("Fates$Wrapper", "java/lang/RuntimeException"),
];

fn catches(thrown: &str, caught: &str) -> Option<bool> {
    let mut class = thrown;
    while class != caught {
        match SUPERCLASSES.iter().find(|(name, _)| *name == class) {
            Some((_, superclass)) => class = superclass,
            None => return Some(false),
        }
    }
    Some(true)
}

/// The fate of an IOException from the call of `work`.
fn fate(method: &str) -> Fate<'static> {
    fate_with(method, &catches)
}

fn fate_with(method: &str, catches: &dyn Fn(&str, &str) -> Option<bool>) -> Fate<'static> {
    // Outcomes name classes by text of the class file, which lives as long as the process.
    let body = Box::leak(Box::new(body(SUBJECT.class("Fates"), method)));
    let cfg = Cfg::of(body);
    let provenance = Provenance::of(body, &cfg).expect("the body is sound");
    let call = call_sites(body).find(|call| call.method().is_some_and(|callee| callee.name == "work"));
    fate_of(&provenance, call.expect("it calls work").instruction, "java/io/IOException", catches)
        .expect("sound")
}

fn render(outcome: &Outcome<'_>) -> String {
    match outcome {
        Outcome::Escapes => "escapes".to_owned(),
        Outcome::Wrapped { by } => format!("wrapped by {}", by.map_or("?".into(), |class| class.to_str())),
        Outcome::Unwrapped => "unwrapped".to_owned(),
        Outcome::Replaced { by } => format!("replaced by {}", by.map_or("?".into(), |class| class.to_str())),
        Outcome::Swallowed => "swallowed".to_owned(),
    }
}

#[track_caller]
fn check(method: &str, expect: &[&str]) {
    let outcomes: Vec<String> = fate(method).outcomes.iter().map(render).collect();
    assert_eq!(outcomes, expect, "{method}");
}

#[test]
fn exceptions_that_no_handler_takes_escape() {
    check("plain", &["escapes"]);
    check("otherType", &["escapes"]);
    assert!(fate("otherType").handlers.is_empty());
}

#[test]
fn swallowed() {
    for method in ["swallow", "logged", "print", "finallyReturns", "retry", "goesOnAndFails", "stored"] {
        check(method, &["swallowed"]);
        assert_eq!(fate(method).handlers.len(), 1, "{method}");
    }
}

#[test]
fn wrapped() {
    for method in ["wrap", "wrapInLocal", "initCause", "wrapTwice", "multi", "keptWrapped"] {
        check(method, &["wrapped by Fates$Wrapper"]);
    }
    check("suppressed", &["wrapped by java/lang/IllegalStateException"]);
    check("converted", &["wrapped by java/lang/RuntimeException"]);
}

#[test]
fn replaced_and_unwrapped() {
    check("messageOnly", &["replaced by Fates$Wrapper"]);
    check("unwrap", &["unwrapped"]);
}

#[test]
fn rethrown_as_it_is() {
    for method in ["rethrow", "finallyRethrows", "locked", "resources", "kept"] {
        check(method, &["escapes"]);
        assert!(!fate(method).handlers.is_empty(), "{method}");
    }
}

#[test]
fn conditions_on_the_exception_are_decided_where_the_hierarchy_is_known() {
    check("byType", &["wrapped by Fates$Wrapper"]);
    check("onCondition", &["escapes", "swallowed"]);
    let ignorant = fate_with("byType", &|_, caught| (caught == "java/lang/Exception").then_some(true));
    let outcomes: BTreeSet<String> = ignorant.outcomes.iter().map(render).collect();
    assert_eq!(outcomes, BTreeSet::from(["escapes".to_owned(), "wrapped by Fates$Wrapper".to_owned()]));
    let unknown = fate_with("unknownType", &|_, _| None);
    assert_eq!(unknown.outcomes, BTreeSet::from([Outcome::Escapes, Outcome::Swallowed]));
}

#[test]
fn what_a_handler_throws_is_followed_into_outer_handlers() {
    check("outerSwallows", &["swallowed"]);
    assert_eq!(fate("outerSwallows").handlers.len(), 2);
    check("outerMisses", &["wrapped by Fates$Wrapper"]);
    check("outerWrapsAgain", &["wrapped by java/lang/IllegalStateException"]);
}

#[test]
fn receipts_name_the_calls_that_got_the_exception() {
    let calls = |method: &str| -> Vec<String> {
        let receipt = |receipt: &crashback_program::code::Receipt<'_>| {
            let method = receipt.call.method().expect("a call by name");
            let wrapped = if receipt.wrapped { " wrapped" } else { "" };
            format!("{}.{} {}{wrapped}", method.owner, method.name, receipt.operand)
        };
        fate(method).receipts.iter().map(receipt).collect()
    };
    assert_eq!(calls("logged"), ["Fates$Log.error 2"]);
    assert_eq!(fate("logged").receipts[0].call.line, Some(SUBJECT.line("logged")));
    assert_eq!(calls("print"), ["java/io/IOException.printStackTrace 0"]);
    assert_eq!(calls("wrapInLocal"), ["Fates$Wrapper.<init> 2", "Fates$Log.error 2 wrapped"]);
    assert_eq!(calls("rethrow"), ["Fates$Log.error 2"]);
    assert_eq!(calls("swallow"), [""; 0]);
    assert_eq!(calls("retry"), ["Fates$Log.error 2"]);
}
