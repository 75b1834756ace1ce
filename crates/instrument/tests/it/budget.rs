//! No loop and no handler holds a test whose budget is spent.

use std::fmt::Write;

use crashback_classfile::{FieldType, MethodDescriptor};
use crashback_instrument::{Kinds, ProbeMethod, ProbePlan, instrument};

use crate::behaviour::run;
use crate::support::{compile, jdk_homes};

/// Ends the test after a thousand units, as a real runtime does.
fn runtime() -> String {
    let mut source = String::from(
        "package crashback.runtime;
        public class Probes {
            public static int left = 1000;
            public static class TestEnd extends Error { }
            public static void budget() { if (--left < 0) throw new TestEnd(); }
            public static void handler(Object caught) { if (left < 0) throw (TestEnd) caught; }
        ",
    );
    let others =
        ProbeMethod::ALL.iter().filter(|it| !matches!(it, ProbeMethod::Budget | ProbeMethod::Handler));
    for method in others {
        let descriptor = MethodDescriptor::parse(method.descriptor().as_bytes().into()).unwrap();
        let types = descriptor.parameters().map(FieldType::java_name).enumerate();
        let parameters: Vec<_> = types.map(|(i, it)| format!("{it} p{i}")).collect();
        writeln!(source, "public static void {}({}) {{ }}", method.name(), parameters.join(", ")).unwrap();
    }
    source + "}\n"
}

/// Endless loops, each run with a budget of its own in a thread that must end.
const SUBJECT: &str = "import crashback.runtime.Probes;
    public class Main {
        static int n;
        static final Object LOCK = new Object();
        static void work() { n++; if (n % 3 == 0) throw new IllegalStateException(); }
        static class Loops {
            static void plain() { while (true) { n++; } }
            static void swallowing() { while (true) { try { work(); } catch (Throwable t) { n++; } } }
            static void errors() { while (true) { try { work(); } catch (Error | RuntimeException t) { n++; } } }
            @SuppressWarnings(\"finally\")
            static void coming() { while (true) { try { work(); } finally { n++; continue; } } }
            static void cleaning() { try { while (true) n++; } finally { while (n != -5) { n++; n &= 7; } } }
            static void locked() { synchronized (LOCK) { while (true) { n++; } } }
            static void both() { while (true) { synchronized (LOCK) { try { work(); } catch (Throwable t) { n--; } } } }
            static void nested() {
                try { synchronized (LOCK) { try { swallowing(); } finally { locked(); } } }
                catch (Throwable t) { while (true) { try { n++; } catch (Throwable u) { n--; } } }
            }
            static void recursive() { try { recursive(); } finally { recursive(); } }
        }
        public static void main(String[] arguments) throws Exception {
            java.lang.reflect.Method[] methods = Loops.class.getDeclaredMethods();
            java.util.Arrays.sort(methods, java.util.Comparator.comparing(it -> it.getName()));
            for (java.lang.reflect.Method method : methods) {
                String[] end = { \"hung\" };
                Thread thread = new Thread(() -> {
                    Probes.left = 1000;
                    try { method.invoke(null); }
                    catch (java.lang.reflect.InvocationTargetException e) { end[0] = e.getCause() + \" \" + Thread.holdsLock(LOCK); }
                    catch (IllegalAccessException e) { end[0] = e.toString(); }
                });
                thread.setDaemon(true);
                thread.start();
                thread.join(20_000);
                System.out.println(method.getName() + \" \" + end[0]);
            }
            System.exit(0);
        }
    }";

#[test]
fn handlers_let_the_end_of_a_test_pass() {
    for home in jdk_homes() {
        let sources = [("Probes.java", runtime()), ("Main.java", SUBJECT.to_owned())];
        let sources = sources.each_ref().map(|(name, source)| (*name, source.as_str()));
        let mut classes = compile(&home, &sources, &[]);
        for kinds in [Kinds::BUDGET, Kinds::ALL] {
            let plan = ProbePlan::everywhere(kinds);
            let name = "Main$Loops".to_owned();
            let result = instrument(&classes[&name], &plan, &mut |_| 7).unwrap();
            assert_eq!(result.untouched, []);
            let original = classes.insert(name.clone(), result.bytes.unwrap()).unwrap();
            let output = run(&home, "Main", &classes);
            assert_eq!(output.lines().count(), 9, "{output}");
            for line in output.lines() {
                assert!(line.ends_with(" crashback.runtime.Probes$TestEnd false"), "{line}");
            }
            classes.insert(name, original);
        }
    }
}
