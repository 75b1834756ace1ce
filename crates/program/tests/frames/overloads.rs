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
    check(&PROGRAM, "shop.ByLine",
        "
         1 ByLine.f(I)V @ByLine.int: package, callable, constructs, escapes, target
         2 ByLine.f(Ljava/lang/String;)V @ByLine.String: package, callable, calls shop.ByLine.f, escapes, target
         3 ByLine.crash()V @ByLine.crash: public, callable, calls shop.ByLine.f, escapes, target
         aim 3, highest 3
        ");
}

#[test]
fn calls_tell_overloads_of_one_line_apart() {
    check(&PROGRAM, "shop.ByCall",
        "
         1 ByCall.inner()V @ByCall.inner: package, callable, constructs, escapes, target
         2 ByCall.f(Ljava/lang/String;)V @ByCall.f: package, callable, calls shop.ByCall.inner, escapes, target
         3 ByCall.crash()V @ByCall.crash: public, callable, calls shop.ByCall.f, escapes, target
         aim 3, highest 3
        ");
}

#[test]
fn exceptions_tell_overloads_of_one_line_apart() {
    check(&PROGRAM, "shop.ByThrow",
        "
         1 ByThrow.f([Ljava/lang/Object;I)Ljava/lang/Object; @ByThrow.f: package, callable, by aaload, escapes, target
         2 ByThrow.crash()V @ByThrow.crash: public, callable, calls shop.ByThrow.f, escapes, target
         aim 2, highest 2
        ");
}

#[test]
fn certain_evidence_wins_over_possible() {
    check(&PROGRAM, "shop.ByCertainty",
        "
         1 ByCertainty.f(J)Ljava/lang/Object; @ByCertainty.f: package, callable, by checkcast, escapes, target
         2 ByCertainty.crash()V @ByCertainty.crash: public, callable, calls shop.ByCertainty.f, escapes, target
         aim 2, highest 2
        ");
}

#[test]
fn outer_frames_tell_overloads_apart() {
    check(
        &PROGRAM,
        "shop.ByOuter",
        "
         1 ByOuter.f(Ljava/lang/String;)V @ByOuter.f: package, callable, constructs, escapes, target
         2 ByOuter.crash()V @ByOuter.crash: public, callable, calls shop.ByOuter.f, escapes, target
         aim 2, highest 2
        ",
    );
    check(&PROGRAM, "shop.ByOuterOfMany",
        "
         1 ByOuterOfMany.f(I)V|(Ljava/lang/String;)V @ByOuterOfMany.f: package, constructs, escapes, target
         2 ByOuterOfMany.crash()V @ByOuterOfMany.crash: public, callable, calls shop.ByOuterOfMany.f, escapes, target
         aim 2, highest 2
        ");
    check(&PROGRAM, "shop.OuterOverloads",
        "
         1 OuterOverloads.f(I)V @OuterOverloads.f: package, callable, constructs, escapes, target
         2 OuterOverloads.g(Ljava/lang/String;)V @OuterOverloads.g: package, callable, calls shop.OuterOverloads.f, escapes, target
         3 OuterOverloads.crash()V @OuterOverloads.crash: public, callable, calls shop.OuterOverloads.g, escapes, target
         aim 3, highest 3
        ");
    check(&PROGRAM, "shop.Constructors",
        "
         1 Constructors$Item.<init>(Ljava/lang/String;)V @Constructors.Item: constructor, static-nested, package, callable, constructs, escapes, target
         2 Constructors$Item.<init>(I)V @Constructors.Item: constructor, static-nested, package, callable, calls new shop.Constructors$Item, escapes, target
         3 Constructors.crash()V @Constructors.crash: public, callable, calls new shop.Constructors$Item, escapes, target
         aim 3, highest 3
        ");
}

#[test]
fn what_nothing_tells_stays_open() {
    check(
        &PROGRAM,
        "shop.Open",
        "
         1 Open.f(I)V|(Ljava/lang/String;)V @Open.f: package, constructs, escapes, target
         2 Open.crash()V @Open.crash: public, callable, calls shop.Open.f, escapes, target
         aim 2, highest 2
        ",
    );
}
