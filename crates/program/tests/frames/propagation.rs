//! How exceptions travel through frames, and where an audit expects a test to see them.

use std::sync::LazyLock;

use crate::program::Program;
use crate::table::{check, check_changed};

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::run(SOURCE));

const SOURCE: &str = r#"package shop;

import harness.Harness.Crash;
import java.io.Closeable;
import java.lang.reflect.InvocationTargetException;

class Fail {
    static void now() {
        throw new IllegalStateException(); // @now
    }
    static void later(int n) throws Exception {
        if (n > 0) throw new java.io.IOException(); // @later
    }
}

class Log {
    void error(String text, Throwable t) {
        t.printStackTrace();
    }
}

class Wrapped extends RuntimeException {
    Wrapped(String text, Throwable cause) { super(text, cause); }
}

class Wrapping implements Crash {
    void wrap() {
        try {
            Fail.now(); // @Wrapping.wrap
        } catch (RuntimeException e) { // @Wrapping.catch
            throw new Wrapped("x", e);
        }
    }
    void above() {
        wrap(); // @Wrapping.above
    }
    public void crash() {
        above(); // @Wrapping.crash
    }
}

class Logging implements Crash {
    private final Log log = new Log();
    void inner() {
        Fail.now(); // @Logging.inner
    }
    public void crash() {
        try {
            inner(); // @Logging.crash
        } catch (IllegalStateException e) { // @Logging.catch
            log.error("failed", e);
        }
    }
}

class Through implements Crash, Closeable {
    Object lock = new Object();
    void otherType() {
        try {
            Fail.now(); // @Through.otherType
        } catch (IllegalArgumentException e) {
            lock = null;
        }
    }
    void finallyBlock() {
        try {
            otherType(); // @Through.finally
        } finally {
            lock = new Object();
        }
    }
    synchronized void locked() {
        synchronized (lock) {
            finallyBlock(); // @Through.locked
        }
    }
    void resources() {
        try (Through other = new Through()) {
            locked(); // @Through.resources
        }
    }
    void again() {
        try {
            resources(); // @Through.again
        } catch (RuntimeException e) {
            lock = e;
            throw e;
        }
    }
    public void close() { }
    public void crash() {
        again(); // @Through.crash
    }
}

class Nested implements Crash {
    public void crash() {
        try {
            try {
                Fail.now(); // @Nested.crash
            } catch (IllegalStateException e) { // @Nested.inner
                throw new Wrapped("x", e);
            }
        } catch (Wrapped e) {
            throw new Wrapped("y", e);
        }
    }
}

class SomeWays implements Crash {
    boolean strict = true;
    void inner() {
        try {
            Fail.now(); // @SomeWays.inner
        } catch (IllegalStateException e) { // @SomeWays.catch
            if (strict) throw e;
        }
    }
    public void crash() {
        try {
            inner(); // @SomeWays.crash
        } catch (RuntimeException e) { // @SomeWays.outer
            if (!strict) return;
            throw new Wrapped("x", e);
        }
    }
}

class Reflective implements Crash {
    public static void called() {
        Fail.now(); // @Reflective.called
    }
    Object reflect() throws Exception {
        return Reflective.class.getMethod("called").invoke(null); // @Reflective.reflect
    }
    void unwrap() throws Throwable {
        try {
            reflect(); // @Reflective.unwrap
        } catch (InvocationTargetException e) { // @Reflective.catch
            throw e.getCause();
        }
    }
    public void crash() throws Throwable {
        unwrap(); // @Reflective.crash
    }
}

class Mistaken implements Crash {
    public void crash() throws Exception {
        Reflective.class.getMethod("called").invoke(null, 1); // @Mistaken.crash
    }
}

class FromEntry implements Crash {
    private void hidden() {
        Fail.now(); // @FromEntry.hidden
    }
    private void between() {
        hidden(); // @FromEntry.between
    }
    void entry() {
        try {
            between(); // @FromEntry.entry
        } catch (IllegalStateException e) { // @FromEntry.catch
            throw new Wrapped("x", e);
        }
    }
    public void crash() {
        entry(); // @FromEntry.crash
    }
}

class Replaced implements Crash {
    void replace() {
        try {
            Fail.later(1); // @Replaced.replace
        } catch (Exception e) { // @Replaced.catch
            e.printStackTrace();
            throw new IllegalArgumentException("no cause");
        }
    }
    public void crash() {
        try {
            replace(); // @Replaced.crash
        } catch (IllegalArgumentException e) {
        }
    }
}

class Checked implements Crash {
    void caughtAbove() throws Exception {
        Fail.later(1); // @Checked.caughtAbove
    }
    public void crash() throws Exception {
        try {
            caughtAbove(); // @Checked.crash
        } catch (RuntimeException e) {
            throw new Wrapped("x", e);
        }
    }
}
"#;

#[test]
fn a_handler_wraps() {
    check(&PROGRAM, "shop.Wrapping",
        "
         1 Fail.now()V @now: package, callable, constructs, escapes, target
         2 Wrapping.wrap()V @Wrapping.wrap: package, callable, calls shop.Fail.now, cause, (a handler at @Wrapping.catch wraps it in shop.Wrapped), target
         3 Wrapping.above()V @Wrapping.above: package, callable, calls shop.Wrapping.wrap, cause, target
         4 Wrapping.crash()V @Wrapping.crash: public, callable, calls shop.Wrapping.above, cause, target
         aim 1, highest 4
        ");
}

#[test]
fn a_handler_gives_it_to_a_logger() {
    check(&PROGRAM, "shop.Logging",
        "
         1 Fail.now()V @now: package, callable, constructs, escapes, target
         2 Logging.inner()V @Logging.inner: package, callable, calls shop.Fail.now, escapes, target
         3 Logging.crash()V @Logging.crash: public, callable, calls shop.Logging.inner, caught, (a handler at @Logging.catch catches it and gives it to shop.Log.error), target
         aim 2, highest 3
        ");
}

#[test]
fn some_handlers_let_it_through() {
    check(&PROGRAM, "shop.Through",
        "
         1 Fail.now()V @now: package, callable, constructs, escapes, target
         2 Through.otherType()V @Through.otherType: package, callable, calls shop.Fail.now, escapes, target
         3 Through.finallyBlock()V @Through.finally: package, callable, calls shop.Through.otherType, escapes, target
         4 Through.locked()V @Through.locked: package, callable, calls shop.Through.finallyBlock, escapes, target
         5 Through.resources()V @Through.resources: package, callable, calls shop.Through.locked, escapes, target
         6 Through.again()V @Through.again: package, callable, calls shop.Through.resources, escapes, target
         7 Through.crash()V @Through.crash: public, callable, calls shop.Through.again, escapes, target
         aim 7, highest 7
        ");
    check(&PROGRAM, "shop.Checked",
        "
         1 Fail.later(I)V @later: package, callable, constructs, escapes, target
         2 Checked.caughtAbove()V @Checked.caughtAbove: package, callable, calls shop.Fail.later, escapes, target
         3 Checked.crash()V @Checked.crash: public, callable, calls shop.Checked.caughtAbove, escapes, target
         aim 3, highest 3
        ");
}

#[test]
fn handlers_around_handlers() {
    check(&PROGRAM, "shop.Nested",
        "
         1 Fail.now()V @now: package, callable, constructs, escapes, target
         2 Nested.crash()V @Nested.crash: public, callable, calls shop.Fail.now, cause, (a handler at @Nested.inner wraps it in shop.Wrapped), target
         aim 1, highest 2
        ");
}

#[test]
fn the_best_of_several_ways_counts() {
    check(&PROGRAM, "shop.SomeWays",
        "
         1 Fail.now()V @now: package, callable, constructs, escapes, target
         2 SomeWays.inner()V @SomeWays.inner: package, callable, calls shop.Fail.now, escapes, (a handler at @SomeWays.catch lets it through on some ways only), target
         3 SomeWays.crash()V @SomeWays.crash: public, callable, calls shop.SomeWays.inner, cause, (a handler at @SomeWays.outer wraps it in shop.Wrapped, on some ways), target
         aim 2, highest 3
        ");
}

#[test]
fn reflection_wraps_and_a_caller_unwraps() {
    check(&PROGRAM, "shop.Reflective",
        "
         1 Fail.now()V @now: package, callable, constructs, escapes, target
         2 Reflective.called()V @Reflective.called: public, callable, calls shop.Fail.now, escapes, target
         3 Reflective.reflect()Ljava/lang/Object; @Reflective.reflect: package, callable, calls java.lang.reflect.Method.invoke, cause, target
         4 Reflective.unwrap()V @Reflective.unwrap: package, callable, calls shop.Reflective.reflect, escapes, (a handler at @Reflective.catch takes it out of its wrapper), target
         5 Reflective.crash()V @Reflective.crash: public, callable, calls shop.Reflective.unwrap, escapes, target
         aim 5, highest 5
        ");
}

#[test]
fn reflection_wraps_also_where_its_frames_were_cut() {
    check_changed(
        &PROGRAM,
        "shop.Reflective",
        |it| it.frames.retain(|it| it.class.starts_with("shop.")),
        "
         1 Fail.now()V @now: package, callable, constructs, escapes, target
         2 Reflective.called()V @Reflective.called: public, callable, calls shop.Fail.now, escapes, target
         3 Reflective.reflect()Ljava/lang/Object; @Reflective.reflect: package, callable, \
           through-jdk java.lang.Class.getMethod or java.lang.reflect.Method.invoke, cause, \
           (the reflective call wraps it in InvocationTargetException), target
         4 Reflective.unwrap()V @Reflective.unwrap: package, callable, calls shop.Reflective.reflect, escapes, \
           (a handler at @Reflective.catch takes it out of its wrapper), target
         5 Reflective.crash()V @Reflective.crash: public, callable, calls shop.Reflective.unwrap, escapes, target
         aim 5, highest 5
        ",
    );
}

#[test]
fn reflection_does_not_wrap_its_own_exceptions() {
    let throwable = PROGRAM.throwable("shop.Mistaken");
    assert_eq!(throwable.class, "java.lang.IllegalArgumentException");
    check(
        &PROGRAM,
        "shop.Mistaken",
        "
         1 Mistaken.crash()V @Mistaken.crash: public, callable, calls java.lang.reflect.Method.invoke, escapes, target
         aim 1, highest 1
        ",
    );
}

#[test]
fn private_frames_are_seen_from_their_entry() {
    check(&PROGRAM, "shop.FromEntry",
        "
         1 Fail.now()V @now: package, callable, constructs, escapes, target
         2 FromEntry.hidden()V @FromEntry.hidden: private, through FromEntry.entry(), calls shop.Fail.now, cause, target
         3 FromEntry.between()V @FromEntry.between: private, through FromEntry.entry(), calls shop.FromEntry.hidden, cause, target
         4 FromEntry.entry()V @FromEntry.entry: package, callable, calls shop.FromEntry.between, cause, (a handler at @FromEntry.catch wraps it in shop.Wrapped), target
         5 FromEntry.crash()V @FromEntry.crash: public, callable, calls shop.FromEntry.entry, cause, target
         aim 1, highest 5
        ");
}

#[test]
fn a_stranger_is_thrown_instead() {
    check(&PROGRAM, "shop.Replaced",
        "
         1 Fail.later(I)V @later: package, callable, constructs, escapes, target
         2 Replaced.replace()V @Replaced.replace: package, callable, calls shop.Fail.later, caught, (a handler at @Replaced.catch catches it), target
         3 Replaced.crash()V @Replaced.crash: public, callable, calls shop.Replaced.replace, caught, target
         aim 1, highest 3
        ");
}
