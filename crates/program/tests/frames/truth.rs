//! A trace that really happened agrees with the code: no frame of it is missing, absent or refuted,
//! in the JDK neither.

use std::sync::LazyLock;

use crashback_program::classes::Classes;
use crashback_program::frames::{FrameAudit, Goal, Origin, Status};

use crate::program::Program;

static PROGRAM: LazyLock<Program> = LazyLock::new(|| Program::run_with(SOURCE, &["-Xlint:none"], &["-ea"]));

/// Many ways to crash, each a class.
const SOURCE: &str = r#"package shop;

import harness.Harness.Crash;
import java.io.*;
import java.lang.invoke.*;
import java.lang.reflect.Proxy;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;
import java.util.stream.*;

class Boom extends RuntimeException { Boom() { } Boom(String text) { super(text); } }
class Bang extends Boom { Bang() { super("bang"); } }
class Item implements Comparable<Item>, Iterable<Item>, AutoCloseable {
    int fuse;
    Item next;
    Item() { }
    Item(int fuse) { this.fuse = fuse; }
    @Override public String toString() { throw new Boom("toString"); }
    @Override public int hashCode() { throw new Boom("hashCode"); }
    @Override public boolean equals(Object o) { throw new Boom("equals"); }
    @Override public int compareTo(Item o) { return fuse / (o.fuse - fuse); }
    @Override public Iterator<Item> iterator() { throw new Boom("iterator"); }
    @Override public void close() { throw new Boom("close"); }
    static RuntimeException boom() { return new Boom("made"); }
    Item walk(int n) { return n == 0 ? next.walk(0) : walk(n - 1); }
}
enum Size { SMALL, LARGE; Size next() { return values()[ordinal() + 1]; } }
record Pair(Object left, Object right) { }
record Positive(int n) { Positive { if (n < 0) throw new Boom(); } }

class Cast implements Crash { public void crash() { Object o = "x"; Integer i = (Integer) o; } }
class GenericCast implements Crash { public void crash() { List raw = new ArrayList(List.of("x")); List<Integer> l = raw; int i = l.get(0); } }
class Unboxing implements Crash { Integer n; public void crash() { int i = n; } }
class Division implements Crash { long n; public void crash() { long i = 5 % n; } }
class Index implements Crash { int[] a = { 1 }; public void crash() { a[a.length] += 2; } }
class Negative implements Crash { public void crash() { int[][] a = new int[2][-1]; } }
class Store implements Crash { public void crash() { Object[] a = new String[1]; a[0] = 1; } }
class NullLock implements Crash { Object lock; public void crash() { synchronized (lock) { lock = this; } } }
class NullThrow implements Crash { RuntimeException e; public void crash() { throw e; } }
class NullLength implements Crash { int[] a; public void crash() { for (int i : a) { } } }
class NullSwitch implements Crash { Size s; public void crash() { switch (s) { case SMALL: break; default: } } }
class NullText implements Crash { String s; public void crash() { switch (s) { case "a": break; default: } } }
class FieldOfNull implements Crash { Item i; public void crash() { i.fuse = 3; } }
class Asserted implements Crash { public void crash() { assert hashCode() == 0 : "no"; } }
class Monitor implements Crash { public void crash() throws Exception { notify(); } }
class Substring implements Crash { public void crash() { "abc".substring(5); } }
class Concat implements Crash { public void crash() { String s = "a" + new Item() + 1; } }
class Formatted implements Crash { public void crash() { String.format("%s", new Item()); } }
class Hashed implements Crash { public void crash() { new HashSet<Object>().add(new Item()); } }
class Mapped implements Crash { public void crash() { new HashMap<String, Object>().computeIfAbsent("x", k -> { throw new Boom(); }); } }
class RecordText implements Crash { public void crash() { new Pair(1, new Item()).toString(); } }
class RecordHash implements Crash { public void crash() { new Pair(new Item(), 1).hashCode(); } }
class RecordMade implements Crash { public void crash() { new Positive(-1); } }
class Iterated implements Crash { public void crash() { for (Item i : new Item()) { } } }
class Modified implements Crash { public void crash() { List<Integer> l = new ArrayList<>(List.of(1, 2, 3)); for (Integer i : l) l.remove(i); } }
class Unmodifiable implements Crash { public void crash() { List.of(1).add(2); } }
class Sorted implements Crash { public void crash() { Collections.sort(new ArrayList<>(List.of(new Item(1), new Item(1)))); } }
class Streamed implements Crash { public void crash() { Stream.of(1, 2).map(i -> i / 0).filter(i -> i > 0).collect(Collectors.toList()); } }
class Parallel implements Crash { public void crash() { IntStream.range(0, 4).boxed().sorted((a, b) -> { throw new Boom(); }).count(); Stream.of(3, 4).sorted((a, b) -> { throw new Boom(); }).forEach(i -> { }); } }
class Resource implements Crash { public void crash() { try (Item i = new Item()) { i.fuse = 1; } } }
class Factory implements Crash { public void crash() { throw Item.boom(); } }
class SubThrow implements Crash { public void crash() { throw new Bang(); } }
class Refilled implements Crash { static final Boom ONE = new Boom(); public void crash() { throw (Boom) ONE.fillInStackTrace(); } }
class Recursive implements Crash { public void crash() { new Item().walk(3); } }
class EnumIndex implements Crash { public void crash() { Size.LARGE.next(); } }
class NoConstant implements Crash { public void crash() { Size.valueOf("HUGE"); } }
class Lazy implements Crash { public void crash() { ThreadLocal.withInitial(() -> 1 / Integer.parseInt("0")).get(); } }
class Composed implements Crash { public void crash() { Function<Integer, Integer> f = i -> i + 1; f.andThen(i -> 1 / (i - 1)).apply(0); } }
class Defaulted implements Crash { public void crash() { Objects.requireNonNull(null, "null"); } }
class Collected implements Crash { public void crash() { Stream.of("a", "a").collect(Collectors.toMap(Function.identity(), String::length)); } }
class ByReference implements Crash { public void crash() { Stream.of("x").map(Integer::parseInt).forEach(System.out::println); } }
class Raised implements Crash { public void crash() { Optional.empty().orElseThrow(Boom::new); } }
class Future implements Crash { public void crash() throws Throwable { try { CompletableFuture.completedFuture(1).thenApply(i -> i / 0).get(); } catch (ExecutionException e) { throw e.getCause(); } } }
class Task implements Crash { public void crash() throws Throwable { FutureTask<Object> t = new FutureTask<>(() -> { throw new Boom(); }); t.run(); try { t.get(); } catch (ExecutionException e) { throw e.getCause(); } } }
class Threaded implements Crash { public void crash() throws Throwable { Throwable[] seen = new Throwable[1]; Thread t = new Thread(() -> { Size.LARGE.next(); }); t.setUncaughtExceptionHandler((x, e) -> seen[0] = e); t.start(); t.join(); throw seen[0]; } }
class SubThread extends Thread implements Crash { Throwable seen; public void run() { seen = new Boom(); } public void crash() throws Throwable { start(); join(); throw seen; } }
class Handled implements Crash { static int f(int n) { return 1 / n; } public void crash() throws Throwable { MethodHandles.lookup().findStatic(Handled.class, "f", MethodType.methodType(int.class, int.class)).invoke(0); } }
class Newed implements Crash { static class Made { Made() { throw new Boom(); } } public void crash() throws Throwable { try { Made.class.getDeclaredConstructor().newInstance(); } catch (java.lang.reflect.InvocationTargetException e) { throw e.getCause(); } } }
class Proxied implements Crash { public void crash() { ((Runnable) Proxy.newProxyInstance(Boom.class.getClassLoader(), new Class<?>[] { Runnable.class }, (p, m, a) -> { throw new Boom(); })).run(); } }
class Serialized implements Crash {
    static class Data implements Serializable { private void writeObject(ObjectOutputStream out) throws IOException { throw new Boom(); } }
    public void crash() throws Exception { new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(new Data()); }
}
class Initialiser implements Crash {
    static class Block { int n; { n = 1 / n; } Block() { this.n++; } Block(int k) { super(); n = k; } }
    public void crash() { new Block(2); }
}
class FieldInit implements Crash { static class Init { final int size = new int[0].clone()[0]; } public void crash() { new Init(); } }
class SuperCall implements Crash {
    static class Low { Object go() { throw new Boom(); } static void still() { throw new Boom(); } }
    static class Mid extends Low { }
    static class High extends Mid { @Override String go() { return (String) super.go(); } }
    public void crash() { Low low = new High(); low.go(); }
}
class StaticInherited implements Crash { public void crash() { SuperCall.Mid.still(); } }
class Unrelated implements Crash {
    interface Wall { void apply(); }
    static class Paint { public void apply() { throw new Boom(); } }
    static class Painted extends Paint implements Wall { }
    static void paint(Wall w) { w.apply(); }
    public void crash() { paint(new Painted()); }
}
class DefaultCall implements Crash {
    interface One { default void go() { throw new Boom(); } }
    interface Two extends One { }
    public void crash() { new DefaultCaller().go(); }
    static class DefaultCaller implements Two { public void go() { Two.super.go(); } }
}
class Captured implements Crash {
    public void crash() {
        int n = 0;
        class Local { int divide() { return 1 / n; } }
        Supplier<Supplier<Integer>> s = () -> new Local()::divide;
        s.get().get();
    }
}
class Varargs implements Crash { static int sum(int... n) { return n[1]; } public void crash() { sum(1); } }
class Multi implements Crash {
    static int one(int n) { return n; }
    static int two(int n) { return n / (n - n); }
    public void crash() {
        one(
            one(1)
                + two(
                    one(2)));
    }
}
class Ternary implements Crash { Integer n; boolean b; public void crash() { int i = b ? 1 : n; } }
class InnerOuter implements Crash { class In { InnerOuter up() { return null; } int n() { return InnerOuter.this.x + up().x; } } int x; public void crash() { new In().n(); } }
class NullOuter implements Crash { class In { } public void crash() { NullOuter o = null; o.new In(); } }
class Overflow implements Crash { int n; int depth() { n++; return depth() + 1; } public void crash() { depth(); } }
class Leaf implements Crash {
    static long leaf(long n) {
        long a = n;
        long b = a, c = a, d = a, e = a, f = a, g = a, h = a, i = a, j = a, k = a, l = a, m = a, o = a, p = a, q = a, r = a;
        return b + c + d + e + f + g + h + i + j + k + l + m + o + p + q + r;
    }
    static long deep(int n) { return leaf(n) + deep(n + 1); }
    public void crash() { deep(0); }
}
class Missing implements Crash { public void crash() throws Exception { Class.forName("shop.Nothing"); } }
class Uninitialised implements Crash {
    static class Bad { static int n = 1 / Integer.parseInt("0"); static void go() { } }
    public void crash() { try { Bad.go(); } catch (ExceptionInInitializerError e) { } Bad.go(); }
}
class Interfaced implements Crash {
    interface Constants { int N = Integer.parseInt("x"); }
    public void crash() { System.out.print(Constants.N); }
}
class Big implements Crash { public void crash() { long[] a = new long[Integer.MAX_VALUE]; } }
class Arity implements Crash { interface Three { int go(int a, int b, int c); } static int f(Three t) { return t.go(1, 2, 0); } public void crash() { f((a, b, c) -> a / c); } }
class Curried implements Crash { public void crash() { Function<Integer, Function<Integer, Integer>> f = a -> b -> a / b; f.apply(1).apply(0); } }
class Guarded implements Crash { static int test(Object o) { return o instanceof String s && s.isEmpty() ? s.charAt(0) : 0; } public void crash() { test(""); } }
class Arrow implements Crash { static int test(Size s) { return switch (s) { case SMALL -> 1; case LARGE -> throw new Boom(); }; } public void crash() { test(Size.LARGE); } }
class Anonymous implements Crash { public void crash() { new Object() { void go() { new Object() { void deep() { throw new Boom(); } }.deep(); } }.go(); } }
class SyntheticLambda implements Crash { static <T extends Comparable<T>> T max(T a, T b, BinaryOperator<T> f) { return f.apply(a, b); } public void crash() { max(1, null, (a, b) -> a.compareTo(b) > 0 ? a : b); } }
class Collector2 implements Crash { public void crash() { new TreeMap<Object, Object>().put(new Object(), 1); } }
"#;

fn is_true(frame: &FrameAudit) -> bool {
    let has_place = matches!(frame.status, Status::Ok | Status::NoLine);
    let is_hidden = frame.class.contains("$Proxy") || frame.class.contains("$$Lambda");
    is_hidden
        || (has_place && frame.line_check.as_ref().is_none_or(|it| it.able && it.shifted_line.is_none()))
}

#[test]
fn nothing_true_is_refuted() {
    let mut wrong = Vec::new();
    for case in PROGRAM.cases() {
        let audit = PROGRAM.audit(case);
        for frame in audit.frames.iter().filter(|it| !is_true(it)) {
            let line = frame.line.unwrap_or_default();
            let place = format!("{}.{}:{line}", frame.class, frame.method);
            wrong.push(format!("{case}, frame {} {place}: {:?} {}", frame.level, frame.status, frame.reason));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_outermost_frame_of_the_project_can_be_aimed_at() {
    for case in PROGRAM.cases() {
        let audit = PROGRAM.audit(case);
        let outermost = audit.frames.iter().rev().find(|it| it.origin == Origin::Project);
        let outermost = outermost.unwrap_or_else(|| panic!("{case} has no frame of the project"));
        assert_eq!(audit.highest_target_frame, Some(outermost.level), "{case}: {}", outermost.reason);
        let descriptors = audit.frames.iter().filter(|it| it.origin == Origin::Project);
        let open: Vec<_> = descriptors.filter(|it| it.descriptor.is_none()).map(|it| &it.method).collect();
        assert!(open.is_empty(), "{case}: {open:?}");
    }
}

#[test]
fn true_traces_agree_with_themselves() {
    let classes = Classes::new(&PROGRAM.class_path);
    for case in PROGRAM.cases() {
        let throwable = PROGRAM.throwable(case);
        let audit = PROGRAM.audit(case);
        let agreement =
            Goal::new(&classes, &throwable, &audit).agreement(&throwable.class, &throwable.frames);
        let project = audit.frames.iter().rev().find(|it| it.origin == Origin::Project);
        assert!(
            project.is_some_and(|it| agreement.reproduced_at(it.level as usize)),
            "{case}: {agreement:?}"
        );
        assert_eq!(agreement.difference, None, "{case}");
    }
}
