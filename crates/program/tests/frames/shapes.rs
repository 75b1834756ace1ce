//! What sorts of methods frames are in, and how a test gets into those that it cannot call.

use std::sync::LazyLock;

use crashback_program::ClassSource;
use crashback_program::classes::MethodId;
use crashback_program::frames::{EntryPoint, Origin};
use crashback_trace::Throwable;

use crate::program::Program;
use crate::table::{check, check_changed};

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
        } catch (java.lang.reflect.InvocationTargetException e) { // @Nowhere.catch
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

class LazyHolder implements Crash {
    private static class Holder {
        static final Object INSTANCE = make(); // @Holder.INSTANCE
        private static Object make() {
            throw new IllegalStateException(); // @Holder.make
        }
    }
    static Object instance() {
        return Holder.INSTANCE; // @LazyHolder.instance
    }
    public void crash() {
        instance(); // @LazyHolder.crash
    }
}

class FailingError implements Crash {
    static class Table {
        static final int SIZE = compute(); // @FailingError.SIZE
        static final int LIMIT = 3;
        private static int compute() {
            throw new AssertionError(); // @FailingError.compute
        }
        private Table() { }
    }
    public void crash() {
        System.out.print(Table.SIZE); // @FailingError.crash
    }
}

final class Orders {
    private Orders() { }
    static final Comparator<String> BY_LENGTH = new Comparator<>() {
        public int compare(String a, String b) {
            return a.length() - b.length(); // @BY_LENGTH
        }
    };
    static final Comparator<String> BY_END = (a, b) -> a.charAt(a.length() - 1) - b.charAt(0); // @BY_END
}

class StaticFields implements Crash {
    public void crash() {
        Orders.BY_LENGTH.compare(null, null); // @StaticFields.crash
    }
}

class StaticLambdas implements Crash {
    public void crash() {
        Orders.BY_END.compare("", "x"); // @StaticLambdas.crash
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

interface Bus {
    void add(String name, Runnable it);
}

class Handed implements Crash {
    private final Bus bus;
    Handed(Bus bus) {
        this.bus = bus;
    }
    public Handed() {
        this((name, it) -> it.run()); // @Handed.bus
    }
    public void crash() {
        bus.add("", new Runnable() { // @Handed.crash
            public void run() {
                throw new IllegalStateException(); // @Handed.run
            }
        });
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
    check(&PROGRAM, "shop.Visible",
        "
         1 Visible.hidden()V @Visible.hidden: private, through Visible.shared(), constructs, escapes, target
         2 Visible.shared()V @Visible.shared: package, callable, calls shop.Visible.hidden, escapes, target
         3 Visible.inherited()V @Visible.inherited: protected, callable, calls shop.Visible.shared, escapes, target
         4 Visible.own()V @Visible.own: package, callable, calls shop.Visible.inherited, escapes, target
         5 Visible.crash()V @Visible.crash: public, callable, calls shop.Visible.own, escapes, target
         aim 5, highest 5
        ");
}

#[test]
fn private_methods_are_entered_through_their_callers_nearest_first() {
    check(&PROGRAM, "shop.Deep",
        "
         1 Deep.one()V @Deep.one: private, through Deep.near() or Deep.far(int[]) or Deep.crash(), constructs, escapes, target
         2 Deep.two()V @Deep.two: private, through Deep.far(int[]) or Deep.crash(), calls shop.Deep.one, escapes, target
         3 Deep.three(I)V @Deep.three: private, through Deep.far(int[]) or Deep.crash(), calls shop.Deep.two, escapes, target
         4 Deep.crash()V @Deep.crash: public, callable, calls shop.Deep.three, escapes, target
         aim 4, highest 4
        ");
}

#[test]
fn what_only_reflection_calls_has_no_way_in() {
    check(&PROGRAM, "shop.Nowhere",
        "
         1 Nowhere.dead()V @Nowhere.dead: private, no way in, constructs, escapes, private, and no accessible method leads to it
         2 Nowhere.crash()V @Nowhere.invoke: public, callable, calls java.lang.reflect.Method.invoke, escapes, (a handler at @Nowhere.catch takes it out of its wrapper), target
         aim 2, highest 2
        ");
}

#[test]
fn constructors() {
    check(&PROGRAM, "shop.Constructed",
        "
         1 Constructed$Item.<init>(I)V @Item.private: constructor, static-nested, private, through new Constructed.Item(String), constructs, escapes, target
         2 Constructed$Item.<init>(Ljava/lang/String;)V @Item.String: constructor, static-nested, package, callable, calls new shop.Constructed$Item, escapes, target
         3 Constructed$Inner.<init>(Lshop/Constructed;Ljava/lang/Object;)V @Inner.Object: constructor, inner, package, callable, calls new shop.Constructed$Item, escapes, target
         4 Constructed.crash()V @Constructed.crash: public, callable, calls new shop.Constructed$Inner, escapes, target
         aim 4, highest 4
        ");
}

#[test]
fn static_initialisers_are_entered_by_first_use() {
    check(&PROGRAM, "shop.Initialised",
        "
         1 Initialised$Table.compute()I @Table.compute: static-nested, package, callable, constructs, cause, target
         2 Initialised$Table.<clinit>()V @Table.size: static-initializer, static-nested, package, through Initialised.Table.size or Initialised.Table.compute() or new Initialised.Table(int) or Initialised.Table.open(), calls shop.Initialised$Table.compute, cause, (what leaves a static initialiser is wrapped in ExceptionInInitializerError), target
         3 Initialised.crash()V @Initialised.crash: public, callable, initialises shop.Initialised$Table, cause, target
         aim 3, highest 3
        ");
    check(&PROGRAM, "shop.LazyHolder",
        "
         1 LazyHolder$Holder.make()Ljava/lang/Object; @Holder.make: static-nested, private, through LazyHolder.instance(), constructs, cause, target
         2 LazyHolder$Holder.<clinit>()V @Holder.INSTANCE: static-initializer, static-nested, package, through LazyHolder.instance(), calls shop.LazyHolder$Holder.make, cause, (what leaves a static initialiser is wrapped in ExceptionInInitializerError), target
         3 LazyHolder.instance()Ljava/lang/Object; @LazyHolder.instance: package, callable, initialises shop.LazyHolder$Holder, cause, target
         4 LazyHolder.crash()V @LazyHolder.crash: public, callable, calls shop.LazyHolder.instance, cause, target
         aim 4, highest 4
        ");
    check(&PROGRAM, "shop.FailingError",
        "
         1 FailingError$Table.compute()I @FailingError.compute: static-nested, private, through FailingError.Table.SIZE, constructs, escapes, target
         2 FailingError$Table.<clinit>()V @FailingError.SIZE: static-initializer, static-nested, package, through FailingError.Table.SIZE, calls shop.FailingError$Table.compute, escapes, target
         3 FailingError.crash()V @FailingError.crash: public, callable, initialises shop.FailingError$Table, escapes, target
         aim 3, highest 3
        ");
}

#[test]
fn what_static_fields_hold_is_entered_through_them() {
    check(&PROGRAM, "shop.StaticFields",
        "
         1 Orders$1.compare(Ljava/lang/String;Ljava/lang/String;)I @BY_LENGTH: anonymous, public, through Orders.BY_LENGTH or Orders.BY_END, by invokevirtual, escapes, target
         2 Orders$1.compare(Ljava/lang/Object;Ljava/lang/Object;)I @line 123: bridge, anonymous, public, through Orders.BY_LENGTH or Orders.BY_END, calls shop.Orders$1.compare, escapes, target
         3 StaticFields.crash()V @StaticFields.crash: public, callable, calls java.util.Comparator.compare, escapes, target
         aim 3, highest 3
        ");
    check(&PROGRAM, "shop.StaticLambdas",
        "
         1 Orders.lambda$static$(Ljava/lang/String;Ljava/lang/String;)I @BY_END: lambda, private, through Orders.BY_LENGTH or Orders.BY_END, calls java.lang.String.charAt, escapes, target
         2 StaticLambdas.crash()V @StaticLambdas.crash: public, callable, calls java.util.Comparator.compare, escapes, target
         aim 2, highest 2
        ");
}

#[test]
fn lambdas() {
    check(&PROGRAM, "shop.Lambdas",
        "
         1 Lambdas.lambda$crash$()Ljava/lang/String; @Lambdas.innermost: lambda, private, through Lambdas.crash(), constructs, escapes, target
         2 Lambdas.call(Ljava/util/function/Supplier;)Ljava/lang/Object; @Lambdas.call: package, callable, calls java.util.function.Supplier.get, escapes, target
         3 Lambdas.lambda$crash$()Ljava/lang/String; @Lambdas.outer: lambda, private, through Lambdas.crash(), calls shop.Lambdas.call, escapes, target
         4 Lambdas.call(Ljava/util/function/Supplier;)Ljava/lang/Object; @Lambdas.call: package, callable, calls java.util.function.Supplier.get, escapes, target
         5 Lambdas.crash()V @Lambdas.crash: public, callable, calls shop.Lambdas.call, escapes, target
         aim 5, highest 5
        ");
    check(&PROGRAM, "shop.InitialisedLambda",
        "
         1 InitialisedLambda.lambda$new$()Ljava/lang/Object; @InitialisedLambda.field: lambda, private, through new InitialisedLambda(), constructs, escapes, target
         2 InitialisedLambda.crash()V @InitialisedLambda.crash: public, callable, calls java.util.function.Supplier.get, escapes, target
         aim 2, highest 2
        ");
    check(&PROGRAM, "shop.References",
        "
         1 References.length(Ljava/lang/String;)Ljava/lang/Integer; @References.length: private, through References.crash(), by invokevirtual, escapes, target
         2 References.apply(Ljava/util/function/Function;Ljava/lang/Object;)Ljava/lang/Object; @References.apply: package, callable, indirectly java.util.function.Function.apply, escapes, target
         3 References.crash()V @References.crash: public, callable, calls shop.References.apply, escapes, target
         aim 3, highest 3
        ");
}

#[test]
fn lambdas_are_numbered_differently_by_other_compilers() {
    // The line tells which lambda of the method it is; where the very name has the line, the name
    // does.
    let rename = |to: [&'static str; 2]| {
        move |throwable: &mut Throwable| {
            throwable.frames[0].method = to[0].to_owned();
            throwable.frames[2].method = to[1].to_owned();
        }
    };
    check_changed(&PROGRAM, "shop.Lambdas", rename(["lambda$crash$7", "lambda$crash$0"]),
        "
         1 Lambdas.lambda$crash$()Ljava/lang/String; @Lambdas.innermost: lambda, private, through Lambdas.crash(), constructs, escapes, target
         2 Lambdas.call(Ljava/util/function/Supplier;)Ljava/lang/Object; @Lambdas.call: package, callable, indirectly java.util.function.Supplier.get, escapes, target
         3 Lambdas.lambda$crash$()Ljava/lang/String; @Lambdas.outer: lambda, private, through Lambdas.crash(), calls shop.Lambdas.call, escapes, target
         4 Lambdas.call(Ljava/util/function/Supplier;)Ljava/lang/Object; @Lambdas.call: package, callable, calls java.util.function.Supplier.get, escapes, target
         5 Lambdas.crash()V @Lambdas.crash: public, callable, calls shop.Lambdas.call, escapes, target
         aim 5, highest 5
        ");
    check_changed(&PROGRAM, "shop.Lambdas", rename(["lambda$null$0", "lambda$crash$1"]),
        "
         1 Lambdas.lambda$null$()Ljava/lang/String; @Lambdas.innermost: lambda, private, through Lambdas.crash(), constructs, escapes, target
         2 Lambdas.call(Ljava/util/function/Supplier;)Ljava/lang/Object; @Lambdas.call: package, callable, indirectly java.util.function.Supplier.get, escapes, target
         3 Lambdas.lambda$crash$()Ljava/lang/String; @Lambdas.outer: lambda, private, through Lambdas.crash(), calls shop.Lambdas.call, escapes, target
         4 Lambdas.call(Ljava/util/function/Supplier;)Ljava/lang/Object; @Lambdas.call: package, callable, calls java.util.function.Supplier.get, escapes, target
         5 Lambdas.crash()V @Lambdas.crash: public, callable, calls shop.Lambdas.call, escapes, target
         aim 5, highest 5
        ");
    check_changed(&PROGRAM, "shop.Lambdas", rename(["lambda$other$0", "lambda$crash$1"]),
        "
         1 Lambdas.lambda$other$ @Lambdas.innermost: method-missing, lambda, escapes, shop.Lambdas in classes has no method lambda$other$0: another version?
         2 Lambdas.call(Ljava/util/function/Supplier;)Ljava/lang/Object; @Lambdas.call: package, callable, indirectly java.util.function.Supplier.get, escapes, out of reach: frame 1 below it cannot be matched
         3 Lambdas.lambda$crash$()Ljava/lang/String; @Lambdas.outer: lambda, private, through Lambdas.crash(), calls shop.Lambdas.call, escapes, out of reach: frame 1 below it cannot be matched
         4 Lambdas.call(Ljava/util/function/Supplier;)Ljava/lang/Object; @Lambdas.call: package, callable, calls java.util.function.Supplier.get, escapes, out of reach: frame 1 below it cannot be matched
         5 Lambdas.crash()V @Lambdas.crash: public, callable, calls shop.Lambdas.call, escapes, out of reach: frame 1 below it cannot be matched
         aim none, highest none
        ");
}

#[test]
fn accessors_of_old_compilers() {
    const SOURCE: &str = r#"package shop;

class Accessors implements harness.Harness.Crash { // @Accessors
    private static void hidden(int n) {
        throw new IllegalStateException(); // @Accessors.hidden
    }
    static class Nested {
        void go() {
            hidden(1); // @Nested.go
        }
    }
    public void crash() {
        new Nested().go(); // @Accessors.crash
    }
}
"#;
    let program = Program::run_with(SOURCE, &["--release", "8"], &[]);
    check(
        &program,
        "shop.Accessors",
        "
         1 Accessors.hidden(I)V @Accessors.hidden: private, through Accessors.Nested.go(), constructs, escapes, target
         2 Accessors.access$000(I)V @Accessors: accessor, package, through Accessors.Nested.go(), calls shop.Accessors.hidden, escapes, target
         3 Accessors$Nested.go()V @Nested.go: static-nested, package, callable, calls shop.Accessors.access$000, escapes, target
         4 Accessors.crash()V @Accessors.crash: public, callable, calls shop.Accessors$Nested.go, escapes, target
         aim 4, highest 4
        ",
    );
}

#[test]
fn reasons_tell_the_way_in() {
    let reason = |case: &str, level: usize| PROGRAM.audit(case).frames[level - 1].reason.clone();
    assert_eq!(
        reason("shop.Deep", 1),
        "private, entered through Deep.near() (or 2 more); constructs the exception"
    );
    assert_eq!(
        reason("shop.Bridges", 2),
        "a bridge method, called through a supertype; calls shop.Bridges$ByLength.compare"
    );
    assert_eq!(reason("shop.References", 2), "may lead on through java.util.function.Function.apply");
    let audit = PROGRAM.audit("shop.Constructed");
    let signatures: Vec<String> = audit.frames.iter().map(|it| it.signature()).collect();
    assert_eq!(
        signatures,
        [
            "new Constructed.Item(int)",
            "new Constructed.Item(String)",
            "new Constructed.Inner(Constructed, Object)",
            "Constructed.crash()"
        ]
    );
    assert_eq!(audit.frames.iter().map(|it| it.is_plain()).collect::<Vec<_>>(), [false, true, true, true]);
}

#[test]
fn classes_without_a_name_for_tests() {
    check(&PROGRAM, "shop.Anonymous",
        "
         1 Anonymous$1.fail()V @Anonymous.fail: anonymous, private, through Anonymous.make(int) or Anonymous.crash(), constructs, escapes, target
         2 Anonymous$1.call()Ljava/lang/Object; @Anonymous.call: anonymous, public, through Anonymous.make(int) or Anonymous.crash(), calls shop.Anonymous$1.fail, escapes, target
         3 Anonymous.crash()V @Anonymous.crash: public, callable, calls java.util.concurrent.Callable.call, escapes, target
         aim 3, highest 3
        ");
    check(
        &PROGRAM,
        "shop.Local",
        "
         1 Local$1Step.go()V @Local.go: local, package, through Local.crash(), constructs, escapes, target
         2 Local.crash()V @Local.crash: public, callable, calls shop.Local$1Step.go, escapes, target
         aim 2, highest 2
        ",
    );
    check(&PROGRAM, "shop.PrivateNested",
        "
         1 PrivateNested$Hidden.go()V @PrivateNested.go: static-nested, public, through PrivateNested.crash(), constructs, escapes, target
         2 PrivateNested$Hidden$Deeper.go()V @Deeper.go: static-nested, package, through PrivateNested.crash(), calls shop.PrivateNested$Hidden.go, escapes, target
         3 PrivateNested.crash()V @PrivateNested.crash: public, callable, calls shop.PrivateNested$Hidden$Deeper.go, escapes, target
         aim 3, highest 3
        ");
    check(&PROGRAM, "shop.Enums",
        "
         1 Kind$1.weigh()I @Kind.weigh: anonymous, package, through Kind.PLAIN or Kind.values() or Kind.valueOf(String) or Kind.of(String), constructs, escapes, target
         2 Enums.crash()V @Enums.crash: public, callable, calls shop.Kind.weigh, escapes, target
         aim 2, highest 2
        ");
}

/// Checks by which calls of what members yield the innermost method runs.
fn check_yielded(case: &str, expected: &[&str]) {
    let audit = PROGRAM.audit(case);
    let index = PROGRAM.class_path.index();
    let method = |id: MethodId| {
        let method = id.view(index).unwrap();
        format!("{}.{}", method.class().name(), method.name())
    };
    let source = |source: &EntryPoint| match *source {
        EntryPoint::Method(id) => method(id),
        EntryPoint::Field { class, number } => {
            let class = index.view(class).unwrap();
            format!("{}.{}", class.name(), class.fields().nth(usize::from(number)).unwrap().name())
        }
    };
    let innermost = audit.frames.iter().find(|it| it.origin != Origin::Jdk).unwrap();
    let calls = innermost.yielded.iter().map(|it| {
        let given = it.handovers.iter().map(|it| {
            assert_eq!(it.parameter, 1, "the last of two");
            format!("what {} is given", method(it.method))
        });
        let sources: Vec<String> = it.sources.iter().map(source).chain(given).collect();
        format!("{} of {} runs {}", method(it.called), sources.join(" or "), method(it.run))
    });
    let calls: Vec<String> = calls.map(|it| it.split("$static$").next().unwrap().to_owned()).collect();
    assert_eq!(calls, expected, "{case}");
}

#[test]
fn hidden_methods_run_when_what_members_yield_is_called() {
    check_yielded(
        "shop.StaticFields",
        &[
            "java/util/Comparator.compare of shop/Orders.BY_LENGTH or shop/Orders.BY_END runs shop/Orders$1.compare",
        ],
    );
    check_yielded(
        "shop.StaticLambdas",
        &[
            "java/util/Comparator.compare of shop/Orders.BY_LENGTH or shop/Orders.BY_END runs shop/Orders.lambda",
        ],
    );
    check_yielded(
        "shop.Anonymous",
        &["java/util/concurrent/Callable.call of shop/Anonymous.make runs shop/Anonymous$1.call"],
    );
    check_yielded(
        "shop.Enums",
        &["shop/Kind.weigh of shop/Kind.PLAIN or shop/Kind.valueOf or shop/Kind.of runs shop/Kind$1.weigh"],
    );
    check_yielded(
        "shop.Handed",
        &["java/lang/Runnable.run of what shop/Bus.add is given runs shop/Handed$1.run"],
    );
    // What stays inside is not called from outside.
    check_yielded("shop.References", &[]);
    check_yielded("shop.Local", &[]);
    check_yielded("shop.Visible", &[]);
}

#[test]
fn bridges() {
    check(&PROGRAM, "shop.Bridges",
        "
         1 Bridges$ByLength.compare(Ljava/lang/String;Ljava/lang/String;)I @ByLength.compare: static-nested, public, callable, by invokevirtual, escapes, target
         2 Bridges$ByLength.compare(Ljava/lang/Object;Ljava/lang/Object;)I @ByLength.bridge: bridge, static-nested, public, callable, calls shop.Bridges$ByLength.compare, escapes, target
         3 Bridges$Derived.make()Ljava/lang/String; @Derived.make: static-nested, package, callable, calls java.util.Comparator.compare, escapes, target
         4 Bridges$Derived.make()Ljava/lang/Object; @Derived.bridge: bridge, static-nested, package, callable, calls shop.Bridges$Derived.make, escapes, target
         5 Bridges.crash()V @Bridges.crash: public, callable, calls shop.Bridges$Base.make, escapes, target
         aim 5, highest 5
        ");
}

#[test]
fn methods_of_interfaces_and_records() {
    check(&PROGRAM, "shop.Interfaces",
        "
         1 Greeter.verify(Ljava/lang/String;)V @Greeter.verify: private, through Greeter.check(String), constructs, escapes, target
         2 Greeter.check(Ljava/lang/String;)V @Greeter.check: public, callable, calls shop.Greeter.verify, escapes, target
         3 Greeter.greet(Ljava/lang/String;)V @Greeter.greet: public, callable, calls shop.Greeter.check, escapes, target
         4 Interfaces.crash()V @Interfaces.crash: public, callable, calls shop.Interfaces.greet, escapes, target
         aim 4, highest 4
        ");
    check(
        &PROGRAM,
        "shop.Records",
        "
         1 Range.<init>(II)V @Range.new: constructor, package, callable, constructs, escapes, target
         2 Range.of(I)Lshop/Range; @Range.of: package, callable, calls new shop.Range, escapes, target
         3 Records.crash()V @Records.crash: public, callable, calls shop.Range.of, escapes, target
         aim 3, highest 3
        ",
    );
}
