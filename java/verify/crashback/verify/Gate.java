package crashback.verify;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;

/**
 * Runs one test with JUnit, in a JVM that may have been started before the test was known: standard
 * input has the name of the test. Until it comes only JUnit is loaded, and of the program nothing but
 * what it offers JUnit as a service, which JUnit loads before any test.
 *
 * <p>JUnit's own launcher is called as build tools call it. The console around it would take longer
 * to start than the launcher and the test together.
 */
public final class Gate {
    private Gate() {}

    /** The first argument is {@code core} for JUnit 4 or {@code platform}, the second the report. */
    public static void main(String[] arguments) throws Throwable {
        try {
            if (arguments[0].equals("core")) {
                Method core = Class.forName("org.junit.runner.JUnitCore").getMethod("main", String[].class);
                core.invoke(null, (Object) new String[] {test()});
            } else {
                Object launcher = callStatic("launcher.core.LauncherFactory", "create");
                warm(launcher);
                report(execute(launcher, test()), arguments[1]);
            }
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /** Has JUnit look for tests where there are none, so that its classes are loaded. */
    private static void warm(Object launcher) throws ReflectiveOperationException {
        Object nothing = callStatic("engine.discovery.DiscoverySelectors", "selectClass", Gate.class);
        platform("launcher.Launcher")
                .getMethod("discover", platform("launcher.LauncherDiscoveryRequest"))
                .invoke(launcher, request(nothing));
        platform("launcher.listeners.SummaryGeneratingListener");
    }

    /** All of standard input, so that the test finds none. */
    private static String test() throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        for (int next = System.in.read(); next >= 0; next = System.in.read()) {
            read.write(next);
        }
        // A parent that needs no test closes the pipe without a word.
        if (read.size() == 0) {
            System.exit(0);
        }
        return new String(read.toByteArray(), StandardCharsets.UTF_8);
    }

    /** Has JUnit run a method, {@code Class#method}, and gives its summary. */
    private static Object execute(Object launcher, String method) throws ReflectiveOperationException {
        Object selector = callStatic("engine.discovery.DiscoverySelectors", "selectMethod", method);
        Object listener =
                platform("launcher.listeners.SummaryGeneratingListener").getConstructor().newInstance();
        Object listeners = arrayOf("launcher.TestExecutionListener", listener);
        platform("launcher.Launcher")
                .getMethod("execute", platform("launcher.LauncherDiscoveryRequest"), listeners.getClass())
                .invoke(launcher, request(selector), listeners);
        return call(listener, "getSummary");
    }

    private static Object request(Object selector) throws ReflectiveOperationException {
        Object builder = callStatic("launcher.core.LauncherDiscoveryRequestBuilder", "request");
        Object engines = new String[] {"junit-jupiter"};
        Object filter = callStatic("launcher.EngineFilter", "includeEngines", engines);
        call(builder, "selectors", arrayOf("engine.DiscoverySelector", selector));
        call(builder, "filters", arrayOf("engine.Filter", filter));
        // Frames of JUnit would be left out, those between frames of the program too.
        call(builder, "configurationParameter", "junit.platform.stacktrace.pruning.enabled", "false");
        return call(builder, "build");
    }

    /**
     * Writes how the test ended, and ends the JVM: {@code passed}, or the class of the exception and
     * its stack trace. The last line tells that nothing is missing.
     */
    private static void report(Object summary, String file) throws ReflectiveOperationException, IOException {
        Class<?> type = platform("launcher.listeners.TestExecutionSummary");
        List<?> failures = (List<?>) type.getMethod("getFailures").invoke(summary);
        StringWriter text = new StringWriter();
        if (failures.isEmpty()) {
            Object succeeded = type.getMethod("getTestsSucceededCount").invoke(summary);
            text.write(succeeded.equals(1L) ? "passed\n" : "not found\n");
        } else {
            Class<?> failure = platform("launcher.listeners.TestExecutionSummary$Failure");
            Throwable thrown = (Throwable) failure.getMethod("getException").invoke(failures.get(0));
            text.write("threw\n" + thrown.getClass().getName() + "\n");
            thrown.printStackTrace(new PrintWriter(text));
        }
        text.write("end\n");
        Files.write(Paths.get(file), text.toString().getBytes(StandardCharsets.UTF_8));
        System.exit(failures.isEmpty() ? 0 : 1);
    }

    private static Class<?> platform(String name) throws ClassNotFoundException {
        return Class.forName("org.junit.platform." + name);
    }

    private static Object arrayOf(String type, Object element) throws ClassNotFoundException {
        Object array = Array.newInstance(platform(type), 1);
        Array.set(array, 0, element);
        return array;
    }

    private static Object callStatic(String type, String name, Object... arguments)
            throws ReflectiveOperationException {
        return invoke(platform(type), null, name, arguments);
    }

    private static Object call(Object of, String name, Object... arguments)
            throws ReflectiveOperationException {
        return invoke(of.getClass(), of, name, arguments);
    }

    private static Object invoke(Class<?> type, Object of, String name, Object[] arguments)
            throws ReflectiveOperationException {
        Class<?>[] types = new Class<?>[arguments.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = arguments[i].getClass();
        }
        return type.getMethod(name, types).invoke(of, arguments);
    }
}
