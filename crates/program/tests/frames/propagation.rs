//! How exceptions travel through frames, and where an audit expects a test to see them.

use std::sync::LazyLock;

use crate::program::Program;
use crate::table::check;

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
    check(&PROGRAM, "shop.Wrapping", "");
}

#[test]
fn a_handler_gives_it_to_a_logger() {
    check(&PROGRAM, "shop.Logging", "");
}

#[test]
fn some_handlers_let_it_through() {
    check(&PROGRAM, "shop.Through", "");
    check(&PROGRAM, "shop.Checked", "");
}

#[test]
fn handlers_around_handlers() {
    check(&PROGRAM, "shop.Nested", "");
}

#[test]
fn the_best_of_several_ways_counts() {
    check(&PROGRAM, "shop.SomeWays", "");
}

#[test]
fn reflection_wraps_and_a_caller_unwraps() {
    check(&PROGRAM, "shop.Reflective", "");
}

#[test]
fn private_frames_are_seen_from_their_entry() {
    check(&PROGRAM, "shop.FromEntry", "");
}

#[test]
fn a_stranger_is_thrown_instead() {
    check(&PROGRAM, "shop.Replaced", "");
}
