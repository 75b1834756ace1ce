//! Which overload a frame is: by line, by what the line does, by what the outer frame calls.

use std::sync::LazyLock;

use crate::program::Program;
use crate::table::check;

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::run(SOURCE));

const SOURCE: &str = r#"package shop;

import harness.Harness.Crash;

class ByLine implements Crash {
    static void f(int a) {
        throw new IllegalStateException(); // @ByLine.int
    }
    static void f(String a) {
        f(a.length()); // @ByLine.String
    }
    public void crash() {
        f("x"); // @ByLine.crash
    }
}

class ByCall implements Crash {
    static void inner() {
        throw new IllegalStateException(); // @ByCall.inner
    }
    static void f(int a) { int b = a + 1; } static void f(String a) { inner(); } // @ByCall.f
    public void crash() {
        f(1); f("x"); // @ByCall.crash
    }
}

class ByThrow implements Crash {
    static int f(int a, int b) { return a / b; } static Object f(Object[] a, int b) { return a[b]; } // @ByThrow.f
    public void crash() {
        f(1, 1); f(new Object[0], 0); // @ByThrow.crash
    }
}

class ByCertainty implements Crash {
    static Object f(int a) { return Integer.valueOf(a).toString(); } static Object f(long a) { return (String) (Object) a; } // @ByCertainty.f
    public void crash() {
        f(1); f(1L); // @ByCertainty.crash
    }
}

class ByOuter implements Crash {
    static void f(int a) { throw new IllegalStateException(); } static void f(String a) { throw new IllegalStateException(); } // @ByOuter.f
    public void crash() {
        f("x"); // @ByOuter.crash
    }
}

class ByOuterOfMany implements Crash {
    static void f(int a) { throw new IllegalStateException(); } static void f(long a) { throw new IllegalStateException(); } static void f(String a) { throw new IllegalStateException(); } // @ByOuterOfMany.f
    public void crash() {
        if (getClass() == null) f(1); else f("x"); // @ByOuterOfMany.crash
    }
}

class Open implements Crash {
    static void f(int a) { throw new IllegalStateException(); } static void f(String a) { throw new IllegalStateException(); } // @Open.f
    public void crash() {
        if (hashCode() == 0) f(1); f("x"); // @Open.crash
    }
}

class OuterOverloads implements Crash {
    void f(int a) { throw new IllegalStateException(); } // @OuterOverloads.f
    void g(int a) { f(a); } void g(String a) { f(a.length()); } // @OuterOverloads.g
    public void crash() {
        g("x"); // @OuterOverloads.crash
    }
}

class Constructors implements Crash {
    static class Item {
        Item(int a) { this("" + a); } Item(String a) { throw new IllegalStateException(); } // @Constructors.Item
    }
    public void crash() {
        new Item(1); // @Constructors.crash
    }
}
"#;

#[test]
fn lines_tell_overloads_apart() {
    check(&PROGRAM, "shop.ByLine", "");
}

#[test]
fn calls_tell_overloads_of_one_line_apart() {
    check(&PROGRAM, "shop.ByCall", "");
}

#[test]
fn exceptions_tell_overloads_of_one_line_apart() {
    check(&PROGRAM, "shop.ByThrow", "");
}

#[test]
fn certain_evidence_wins_over_possible() {
    check(&PROGRAM, "shop.ByCertainty", "");
}

#[test]
fn outer_frames_tell_overloads_apart() {
    check(&PROGRAM, "shop.ByOuter", "");
    check(&PROGRAM, "shop.ByOuterOfMany", "");
    check(&PROGRAM, "shop.OuterOverloads", "");
    check(&PROGRAM, "shop.Constructors", "");
}

#[test]
fn what_nothing_tells_stays_open() {
    check(&PROGRAM, "shop.Open", "");
}
