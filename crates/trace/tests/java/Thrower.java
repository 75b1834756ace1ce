import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Throws exceptions of many sorts and writes for each what the JVM prints, what the parser must make of it, and the
 * facts that its message must give.
 */
public class Thrower {
    interface Action {
        void run() throws Throwable;
    }

    static Path folder;
    static int[] numbers;
    static Thrower none;
    Thrower next;
    String[][] names = {{"a", null}};

    public static void main(String[] arguments) throws Exception {
        folder = Path.of(arguments[0]);
        structure();
        messages();
        nulls();
    }

    static void structure() throws Exception {
        note("plain", null, () -> new Thrower().fail("plain"));
        note("no-message", "[]", () -> { throw new IllegalStateException(); });
        note("multi-line", null, () -> { throw new IllegalStateException("first\n  second: x\n\nlast line"); });
        note("causes", null, Thrower::wrap);
        note("suppressed", null, Thrower::suppress);
        note("circular", null, Thrower::circle);
        note("lambda", null, () -> Collections.singletonList(1).forEach(i -> { throw new Error("in a lambda"); }));
        note("nested-lambda", null, () -> ((Supplier<Runnable>) () -> () -> { throw new Error("deep"); }).get().run());
        note("reflection", null, () -> Thrower.class.getDeclaredMethod("fail", String.class).invoke(new Thrower(), "reflective"));
        note("proxy", null, () -> {
            Object proxy = Proxy.newProxyInstance(Thrower.class.getClassLoader(), new Class<?>[] {Callable.class},
                    (self, method, values) -> { throw new IOException("behind a proxy"); });
            ((Callable<?>) proxy).call();
        });
        note("inner", null, () -> new Object() {
            void go() { throw new Error("anonymous"); }
        }.go());
        note("initialiser", null, () -> new Broken());
        note("nested-class", null, () -> { throw new Nested.Deep("nested exception class"); });
        note("unicode", null, () -> Übung.straße());
        note("overflow", null, () -> new Thrower().deep(0));
    }

    static void messages() throws Exception {
        int zero = 0;
        note("divide", "[{'kind':'division-by-zero'}]", () -> System.out.print(1 / zero));
        note("array", "[{'kind':'index','index':5,'length':3}]", () -> System.out.print((new int[3])[5 - zero]));
        note("array-index", "[{'kind':'index','index':-1,'length':2}]", () -> System.out.print((new int[2])[zero - 1]));
        note("char-at", "[{'kind':'index','index':4,'length':if-said}]", () -> "abc".charAt(4));
        note("substring", "[{'kind':'range','begin':2,'end':9,'length':3}]", () -> "abc".substring(2, 9));
        note("list", "[{'kind':'index','index':3,'length':2}]", () -> List.of(1, 2).get(3));
        note("array-list", "[{'kind':'index','index':1,'length':0}]", () -> new ArrayList<String>().get(1));
        note("array-copy", "[{'kind':'range','begin':null,'end':7,'length':5}]", () -> System.arraycopy(new int[5], 4, new int[9], 0, 3));
        note("array-copy-target", "[{'kind':'range','begin':null,'end':10,'length':9}]", () -> System.arraycopy(new int[15], 4, new int[9], 7, 3));
        note("string-offsets", "[{'kind':'span','offset':2,'count':9,'length':3}]", () -> new String(new char[3], 2, 9));
        note("check-index", "[{'kind':'index','index':9,'length':4}]", () -> java.util.Objects.checkIndex(9, 4));
        note("check-range", "[{'kind':'range','begin':1,'end':6,'length':4}]", () -> java.util.Objects.checkFromToIndex(1, 6, 4));
        note("check-span", "[{'kind':'span','offset':1,'count':6,'length':4}]", () -> java.util.Objects.checkFromIndexSize(1, 6, 4));
        note("negative", "[{'kind':'negative-size','size':-3}]", () -> System.out.print(new int[zero - 3].length));
        note("cast", "[{'kind':'cast','from':'java.lang.Integer','to':'java.lang.String'}]", () -> System.out.print((String) box(5)));
        note("cast-array", "[{'kind':'cast','from':'[Ljava.lang.Object;','to':'[Ljava.lang.String;'}]", () -> System.out.print(((String[]) box(new Object[0])).length));
        note("cast-nested", "[{'kind':'cast','from':'Thrower','to':'Thrower$Nested'}]", () -> System.out.print((Nested) box(new Thrower())));
        note("store", "[{'kind':'stored-element','class':'java.lang.Integer'}]", () -> { Object[] texts = new String[1]; texts[0] = 1; });
        note("number", "[{'kind':'number-text','text':'12a','radix':null}]", () -> Integer.parseInt("12a"));
        note("number-radix", "[{'kind':'number-text','text':'xyz','radix':16}]", () -> Integer.parseInt("xyz", 16));
        note("number-empty", "[{'kind':'number-text','text':'','radix':null}]", () -> Integer.parseInt(""));
        note("number-null", "[{'kind':'number-text','text':null,'radix':null}]", () -> Integer.parseInt(null));
        note("double", "[{'kind':'number-text','text':'1.2x','radix':null}]", () -> Double.parseDouble("1.2x"));
        note("enum", "[{'kind':'enum-constant','class':'java.lang.Thread.State','name':'GONE'}]", () -> Thread.State.valueOf("GONE"));
        note("quoted", "[{'kind':'quoted','text':'a b'},{'kind':'number','text':'-2.5','value':-2.5},{'kind':'class-name','name':'java.util.List'}]",
                () -> { throw new IllegalArgumentException("bad name \"a b\" at -2.5 in java.util.List"); });
    }

    static void nulls() throws Exception {
        note("null-static", nil("'invoke':{'class':'Thrower','method':'fail','parameters':['String']}", "'field':{'owner':'Thrower','name':'none'}"), () -> none.fail("x"));
        note("null-field", nil("'read-field':{'field':'next'}", "'field':{'owner':'<local0>.next','name':'next'}"), () -> {
            Thrower some = new Thrower();
            some.next = new Thrower();
            System.out.print(some.next.next.next);
        });
        note("null-return", nil("'invoke':{'class':'String','method':'length','parameters':[]}", "'returned':{'class':'Thrower','method':'nothing','parameters':['int','Object[]']}"), () -> nothing(1, null).length());
        note("null-element", nil("'invoke':{'class':'String','method':'length','parameters':[]}", "'element':{'array':'<local0>.names[0]','index':'1'}"), () -> {
            Thrower some = new Thrower();
            some.names[0][1].length();
        });
        note("null-load", nil("'load-element':{'element':'int'}", "'field':{'owner':'Thrower','name':'numbers'}"), () -> System.out.print(numbers[2]));
        note("null-store", nil("'store-element':{'element':'int'}", "'field':{'owner':'Thrower','name':'numbers'}"), () -> numbers[2] = 1);
        note("null-length", nil("'read-length'", "'field':{'owner':'Thrower','name':'numbers'}"), () -> System.out.print(numbers.length));
        note("null-assign", nil("'assign-field':{'field':'next'}", "'local':{'slot':0}"), () -> {
            Thrower some = none;
            some.next = none;
        });
        note("null-throw", nil("'throw'", "'local':{'slot':0}"), () -> {
            Error some = none == null ? null : new Error();
            throw some;
        });
        note("null-monitor", nil("'synchronize'", "'field':{'owner':'Thrower','name':'none'}"), () -> {
            synchronized (none) {
                System.out.print(1);
            }
        });
        note("null-parameter", nil("'read-field':{'field':'next'}", "'parameter':{'number':1}"), () -> parameter(null));
    }

    static Object parameter(Thrower given) {
        return given.next;
    }

    static String nil(String action, String what) {
        String tried = action.contains(":") ? "{" + action + "}" : action;
        return "[{'kind':'null','action':" + tried + ",'what':{" + what + "}}]";
    }

    static Object box(Object value) {
        return value;
    }

    static String nothing(int number, Object[] values) {
        return null;
    }

    void fail(String message) {
        throw new IllegalArgumentException(message);
    }

    int deep(int level) {
        if (level == 40) {
            throw new StackOverflowError("deep");
        }
        return deep(level + 1) + 1;
    }

    static void wrap() throws Exception {
        try {
            try {
                new Thrower().fail("root");
            } catch (IllegalArgumentException e) {
                throw new IOException("middle", e);
            }
        } catch (IOException e) {
            throw new Exception(e);
        }
    }

    static void suppress() throws Exception {
        try {
            wrap();
        } catch (Exception e) {
            try (Resource first = new Resource("one"); Resource second = new Resource("two")) {
                throw new IllegalStateException("body", e);
            }
        }
    }

    static void circle() throws Exception {
        Exception first = new Exception("first");
        Exception second = new Exception("second", first);
        Exception third = new Exception("third", first);
        first.initCause(second);
        second.addSuppressed(third);
        throw first;
    }

    static class Resource implements AutoCloseable {
        final String name;

        Resource(String name) {
            this.name = name;
        }

        @Override
        public void close() throws IOException {
            IOException failure = new IOException("close " + name, new Error("reason of " + name));
            failure.addSuppressed(new Nested.Deep("below " + name));
            throw failure;
        }
    }

    static class Broken {
        static final int LENGTH = nothing(0, null).length();
    }

    static class Nested {
        static class Deep extends RuntimeException {
            Deep(String message) {
                super(message);
            }
        }
    }

    static class Übung {
        static void straße() {
            throw new IllegalStateException("größer");
        }
    }

    static void note(String name, String facts, Action action) throws Exception {
        Throwable thrown = null;
        try {
            action.run();
        } catch (Throwable e) {
            thrown = e;
        }
        try (PrintWriter log = new PrintWriter(Files.newBufferedWriter(folder.resolve(name + ".log")))) {
            thrown.printStackTrace(log);
        }
        StringBuilder text = new StringBuilder();
        describe(thrown, "", text, Collections.newSetFromMap(new IdentityHashMap<>()));
        Files.writeString(folder.resolve(name + ".expected"), text);
        if (facts != null) {
            // Some JDKs leave the length out.
            facts = facts.replace("if-said", thrown.getMessage() != null && thrown.getMessage().contains("length") ? "3" : "null");
            Files.writeString(folder.resolve(name + ".facts"), facts.replace('\'', '"'));
        }
    }

    /** In the order in which {@link Throwable#printStackTrace} goes. */
    static void describe(Throwable thrown, String role, StringBuilder text, Set<Throwable> seen) {
        String message = thrown.getMessage() == null ? "-" : thrown.getMessage().replace("\n", "\\n");
        boolean circular = !seen.add(thrown);
        text.append(role).append('|').append(thrown.getClass().getName()).append('|').append(message);
        text.append(circular ? "|circular\n" : "\n");
        if (circular) {
            return;
        }
        for (StackTraceElement e : thrown.getStackTrace()) {
            String file = e.isNativeMethod() ? "native" : e.getFileName() == null ? "unknown" : e.getFileName();
            text.append(role).append("  ").append(e.getModuleName() == null ? "-" : e.getModuleName()).append('|');
            text.append(e.getClassName()).append('|').append(e.getMethodName()).append('|').append(file).append('|');
            text.append(e.getLineNumber() < 0 ? "-" : e.getLineNumber()).append("\n");
        }
        for (Throwable inner : thrown.getSuppressed()) {
            describe(inner, role + "s", text, seen);
        }
        if (thrown.getCause() != null) {
            describe(thrown.getCause(), role + "c", text, seen);
        }
    }
}
