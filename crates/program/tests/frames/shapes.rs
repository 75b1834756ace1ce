//! What sorts of methods frames are in, and how a test gets into those that it cannot call.

use std::sync::LazyLock;

use crate::program::Program;
use crate::table::check;

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::run(SOURCE));

const SOURCE: &str = r#"package shop;

import harness.Harness.Crash;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;

class Visible implements Crash {
    private static void hidden() {
        throw new IllegalStateException(); // @Visible.hidden
    }
    static void shared() {
        hidden(); // @Visible.shared
    }
    protected void inherited() {
        shared(); // @Visible.inherited
    }
    void own() {
        inherited(); // @Visible.own
    }
    public void crash() {
        own(); // @Visible.crash
    }
}

class Deep implements Crash {
    private void one() {
        throw new IllegalStateException(); // @Deep.one
    }
    private void two() {
        one(); // @Deep.two
    }
    private void three(int n) {
        two(); // @Deep.three
    }
    void near() { one(); }
    void far(int[] n) { three(n.length); }
    public void crash() {
        three(1); // @Deep.crash
    }
}

class Nowhere implements Crash {
    private static void dead() {
        throw new IllegalStateException(); // @Nowhere.dead
    }
    public void crash() throws Throwable {
        try {
            Nowhere.class.getDeclaredMethod("dead").invoke(null); // @Nowhere.invoke
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw e.getCause();
        }
    }
}

class Constructed implements Crash {
    static class Item {
        private Item(int n) {
            throw new IllegalStateException(); // @Item.private
        }
        Item(String n) {
            this(n.length()); // @Item.String
        }
    }
    class Inner {
        Inner(Object o) {
            new Item("x"); // @Inner.Object
        }
    }
    public void crash() {
        new Inner(null); // @Constructed.crash
    }
}

class Initialised implements Crash {
    static class Table {
        static int size = compute(); // @Table.size
        static int compute() {
            throw new IllegalStateException(); // @Table.compute
        }
        Table(int n) { }
        private Table() { }
        static void open() { }
    }
    public void crash() {
        Table.open(); // @Initialised.crash
    }
}

class Lambdas implements Crash {
    static <T> T call(Supplier<T> supplier) {
        return supplier.get(); // @Lambdas.call
    }
    public void crash() {
        call(() -> { // @Lambdas.crash
            Supplier<String> inner = () -> {
                throw new IllegalStateException(); // @Lambdas.innermost
            };
            return call(inner); // @Lambdas.outer
        });
    }
}

class InitialisedLambda implements Crash {
    final Supplier<Object> field = () -> { throw new IllegalStateException(); }; // @InitialisedLambda.field
    public void crash() {
        field.get(); // @InitialisedLambda.crash
    }
}

class References implements Crash {
    private Integer length(String s) {
        return s.length(); // @References.length
    }
    static <A, B> B apply(Function<A, B> f, A a) {
        return f.apply(a); // @References.apply
    }
    public void crash() {
        apply(this::length, null); // @References.crash
    }
}

class Anonymous implements Crash {
    Callable<Object> make(int n) {
        return new Callable<>() { // @Anonymous.make
            private void fail() {
                throw new IllegalStateException(); // @Anonymous.fail
            }
            public Object call() {
                fail(); // @Anonymous.call
                return n;
            }
        };
    }
    private Callable<Object> hidden() {
        return make(1);
    }
    public void crash() throws Exception {
        hidden().call(); // @Anonymous.crash
    }
}

class Local implements Crash {
    public void crash() {
        class Step {
            Step() { }
            void go() {
                throw new IllegalStateException(); // @Local.go
            }
        }
        new Step().go(); // @Local.crash
    }
}

class PrivateNested implements Crash {
    private static class Hidden {
        public void go() {
            throw new IllegalStateException(); // @PrivateNested.go
        }
        static class Deeper {
            static void go() {
                new Hidden().go(); // @Deeper.go
            }
        }
    }
    public void crash() {
        Hidden.Deeper.go(); // @PrivateNested.crash
    }
}

enum Kind {
    PLAIN {
        int weigh() {
            throw new IllegalStateException(); // @Kind.weigh
        }
    };
    abstract int weigh();
    static Kind of(String name) {
        return valueOf(name);
    }
}

class Enums implements Crash {
    public void crash() {
        Kind.PLAIN.weigh(); // @Enums.crash
    }
}

class Bridges implements Crash {
    static class ByLength implements Comparator<String> { // @ByLength.bridge
        public int compare(String a, String b) {
            return a.length() - b.length(); // @ByLength.compare
        }
    }
    static class Base {
        Object make() { return null; }
    }
    static class Derived extends Base { // @Derived.bridge
        String make() {
            Comparator<String> order = new ByLength();
            return "" + order.compare(null, "x"); // @Derived.make
        }
    }
    public void crash() {
        Base base = new Derived();
        base.make(); // @Bridges.crash
    }
}

interface Greeter {
    static void check(String name) {
        verify(name); // @Greeter.check
    }
    private static void verify(String name) {
        throw new IllegalStateException(); // @Greeter.verify
    }
    default void greet(String name) {
        check(name); // @Greeter.greet
    }
}

class Interfaces implements Crash, Greeter {
    public void crash() {
        greet("x"); // @Interfaces.crash
    }
}

record Range(int low, int high) {
    Range {
        if (low > high) throw new IllegalArgumentException(); // @Range.new
    }
    static Range of(int n) {
        return new Range(n, 0); // @Range.of
    }
}

class Records implements Crash {
    public void crash() {
        Range.of(1); // @Records.crash
    }
}
"#;

#[test]
fn visibility_decides_who_can_call() {
    check(&PROGRAM, "shop.Visible", "");
}

#[test]
fn private_methods_are_entered_through_their_callers_nearest_first() {
    check(&PROGRAM, "shop.Deep", "");
}

#[test]
fn what_only_reflection_calls_has_no_way_in() {
    check(&PROGRAM, "shop.Nowhere", "");
}

#[test]
fn constructors() {
    check(&PROGRAM, "shop.Constructed", "");
}

#[test]
fn static_initialisers_are_entered_by_first_use() {
    check(&PROGRAM, "shop.Initialised", "");
}

#[test]
fn lambdas() {
    check(&PROGRAM, "shop.Lambdas", "");
    check(&PROGRAM, "shop.InitialisedLambda", "");
    check(&PROGRAM, "shop.References", "");
}

#[test]
fn classes_without_a_name_for_tests() {
    check(&PROGRAM, "shop.Anonymous", "");
    check(&PROGRAM, "shop.Local", "");
    check(&PROGRAM, "shop.PrivateNested", "");
    check(&PROGRAM, "shop.Enums", "");
}

#[test]
fn bridges() {
    check(&PROGRAM, "shop.Bridges", "");
}

#[test]
fn methods_of_interfaces_and_records() {
    check(&PROGRAM, "shop.Interfaces", "");
    check(&PROGRAM, "shop.Records", "");
}
