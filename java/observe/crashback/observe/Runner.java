package crashback.observe;

import java.io.BufferedWriter;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Runs tests one after the other with the framework that they are written for, and writes the calls on
 * objects after each. Whoever started this JVM reads its progress, and ends it when a test takes too long.
 */
public final class Runner {
    private static final ClassLoader LOADER = ClassLoader.getSystemClassLoader();
    private static final String PLATFORM = "org.junit.platform.";

    private Runner() {}

    /**
     * Arguments: the list of tests, the file for progress, and the start of the names of files for calls.
     * A line of the list is a number, a framework, a class, and the method if not all are to be run.
     */
    public static void main(String[] arguments) throws IOException {
        Thread.currentThread().setContextClassLoader(LOADER);
        List<String> tests = Files.readAllLines(Paths.get(arguments[0]), StandardCharsets.UTF_8);
        try (OutputStream progress = new FileOutputStream(arguments[1], true)) {
            tell(progress, "ready");
            for (String test : tests) {
                String[] parts = test.split("\t");
                tell(progress, "begin\t" + parts[0]);
                Recorder.begin();
                String result;
                try {
                    Result counted = run(parts[1], parts[2], parts.length > 3 ? parts[3] : null);
                    result = "end\t" + parts[0] + "\t" + counted;
                } catch (Throwable thrown) {
                    result = "unusable\t" + parts[0] + "\t" + words(thrown);
                }
                try (Writer to = writer(arguments[2] + parts[0])) {
                    Recorder.end(to);
                }
                tell(progress, result);
            }
            tell(progress, "done");
        }
        // Threads of tests may still run.
        Runtime.getRuntime().halt(0);
    }

    private static Writer writer(String file) throws IOException {
        OutputStream out = new FileOutputStream(file);
        return new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    }

    private static void tell(OutputStream progress, String line) throws IOException {
        progress.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        progress.flush();
    }

    /** A throwable in one line. */
    private static String words(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; hidesCause(cause) && cause.getCause() != null && depth < 20; depth++) {
            cause = cause.getCause();
        }
        String words;
        try {
            words = String.valueOf(cause);
        } catch (Throwable unspeakable) {
            words = cause.getClass().getName();
        }
        words = words.replaceAll("\\s+", " ");
        return words.length() > 300 ? words.substring(0, 300) : words;
    }

    private static boolean hidesCause(Throwable thrown) {
        return thrown instanceof InvocationTargetException || thrown instanceof ExceptionInInitializerError;
    }

    /** What became of the tests of a class. */
    private static final class Result {
        int run;
        int failed;
        /** Of these, tests that failed because something is not permitted. */
        int forbidden;

        @Override
        public String toString() {
            return run + "\t" + failed + "\t" + forbidden;
        }

        void fail(Throwable thrown) {
            failed++;
            if (isForbidden(thrown)) {
                forbidden++;
            }
        }
    }

    /**
     * Whether the kernel has forbidden something: the sandbox closes the network, and files but for those of
     * the scratch folder. Servers that are not there are no sign of it.
     */
    private static boolean isForbidden(Throwable thrown) {
        int depth = 0;
        for (Throwable it = thrown; it != null && depth < 20; it = it.getCause(), depth++) {
            String type = it.getClass().getName();
            String message = String.valueOf(it.getMessage());
            boolean isDenied = message.contains("denied") || message.contains("not permitted");
            if (type.equals("java.nio.file.AccessDeniedException") || it instanceof IOException && isDenied) {
                return true;
            }
        }
        return false;
    }

    private static Result run(String framework, String name, String method) throws Throwable {
        // A class that cannot be loaded or initialised is told as such, and not as a test that fails.
        Class<?> type = Class.forName(name, true, LOADER);
        switch (framework) {
            case "jupiter":
                return platform(type, method);
            case "testng":
                return testng(type, method);
            default:
                return has("org.junit.runner.JUnitCore") ? four(type, method) : three(type, method);
        }
    }

    private static boolean has(String name) {
        try {
            load(name);
            return true;
        } catch (ClassNotFoundException missing) {
            return false;
        }
    }

    private static Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name, true, LOADER);
    }

    private static Result three(Class<?> type, String method) throws ReflectiveOperationException {
        Class<?> suites = load("junit.framework.TestSuite");
        Object suite = suites.getConstructor(Class.class).newInstance(type);
        if (method != null) {
            Method create = suites.getMethod("createTest", Class.class, String.class);
            suite = create.invoke(null, type, method);
        }
        Class<?> results = load("junit.framework.TestResult");
        Object result = results.getConstructor().newInstance();
        load("junit.framework.Test").getMethod("run", results).invoke(suite, result);
        Result counted = new Result();
        counted.run = (Integer) results.getMethod("runCount").invoke(result);
        for (String kind : new String[] {"errors", "failures"}) {
            java.util.Enumeration<?> all = (java.util.Enumeration<?>) results.getMethod(kind).invoke(result);
            while (all.hasMoreElements()) {
                Object failure = all.nextElement();
                counted.fail((Throwable) failure.getClass().getMethod("thrownException").invoke(failure));
            }
        }
        return counted;
    }

    private static Result four(Class<?> type, String method) throws ReflectiveOperationException {
        Class<?> requests = load("org.junit.runner.Request");
        Object request = method == null
                ? requests.getMethod("aClass", Class.class).invoke(null, type)
                : requests.getMethod("method", Class.class, String.class).invoke(null, type, method);
        Class<?> core = load("org.junit.runner.JUnitCore");
        Object result = core.getMethod("run", requests).invoke(core.getConstructor().newInstance(), request);
        Result counted = new Result();
        counted.run = (Integer) result.getClass().getMethod("getRunCount").invoke(result);
        for (Object failure : (List<?>) result.getClass().getMethod("getFailures").invoke(result)) {
            counted.fail((Throwable) failure.getClass().getMethod("getException").invoke(failure));
        }
        return counted;
    }

    private static Result platform(Class<?> type, String method) throws ReflectiveOperationException {
        Class<?> selectors = load(PLATFORM + "engine.discovery.DiscoverySelectors");
        List<Object> selected = new ArrayList<>();
        if (method == null) {
            selected.add(selectors.getMethod("selectClass", Class.class).invoke(null, type));
        } else {
            // Tests may have parameters, by which alone they can be selected.
            for (Method declared : type.getDeclaredMethods()) {
                if (declared.getName().equals(method) && !declared.isSynthetic()) {
                    selected.add(selectors
                            .getMethod("selectMethod", Class.class, Method.class)
                            .invoke(null, type, declared));
                }
            }
        }
        Class<?> builders = load(PLATFORM + "launcher.core.LauncherDiscoveryRequestBuilder");
        Object builder = builders.getMethod("request").invoke(null);
        builders.getMethod("selectors", List.class).invoke(builder, selected);
        Object filter = load(PLATFORM + "launcher.EngineFilter")
                .getMethod("includeEngines", String[].class)
                .invoke(null, (Object) new String[] {"junit-jupiter"});
        Object filters = Array.newInstance(load(PLATFORM + "engine.Filter"), 1);
        Array.set(filters, 0, filter);
        builders.getMethod("filters", filters.getClass()).invoke(builder, filters);
        Object request = builders.getMethod("build").invoke(builder);
        Class<?> generators = load(PLATFORM + "launcher.listeners.SummaryGeneratingListener");
        Object listener = generators.getConstructor().newInstance();
        Object listeners = Array.newInstance(load(PLATFORM + "launcher.TestExecutionListener"), 1);
        Array.set(listeners, 0, listener);
        Object launcher = load(PLATFORM + "launcher.core.LauncherFactory").getMethod("create").invoke(null);
        Class<?> requests = load(PLATFORM + "launcher.LauncherDiscoveryRequest");
        Trouble trouble = new Trouble();
        load(PLATFORM + "launcher.Launcher")
                .getMethod("execute", requests, listeners.getClass())
                .invoke(launcher, request, listeners);
        trouble.close();
        return platformResult(listener.getClass().getMethod("getSummary").invoke(listener), trouble);
    }

    private static Result platformResult(Object summary, Trouble trouble)
            throws ReflectiveOperationException {
        Class<?> summaries = load(PLATFORM + "launcher.listeners.TestExecutionSummary");
        Result counted = new Result();
        counted.run = ((Long) summaries.getMethod("getTestsStartedCount").invoke(summary)).intValue();
        Class<?> failures = load(PLATFORM + "launcher.listeners.TestExecutionSummary$Failure");
        Throwable last = trouble.thrown;
        for (Object failure : (List<?>) summaries.getMethod("getFailures").invoke(summary)) {
            last = (Throwable) failures.getMethod("getException").invoke(failure);
            counted.fail(last);
        }
        // The engine itself is a container. Classes whose tests are all disabled are further ones.
        long containers = (Long) summaries.getMethod("getContainersFoundCount").invoke(summary);
        long tests = (Long) summaries.getMethod("getTestsFoundCount").invoke(summary);
        boolean isStopped = counted.run == 0 && counted.failed == 0 && trouble.thrown != null;
        if (isStopped || tests == 0 && containers <= 1) {
            throw new NoTests(last);
        }
        return counted;
    }

    /** A framework that runs no test of a class with tests. */
    private static final class NoTests extends RuntimeException {
        private static final long serialVersionUID = 1;

        NoTests(Throwable cause) {
            super(null, cause);
        }

        @Override
        public String toString() {
            Throwable root = getCause();
            for (int depth = 0; root != null && root.getCause() != null && depth < 20; depth++) {
                root = root.getCause();
            }
            return "JUnit runs none of its tests" + (root == null ? "" : ": " + words(root));
        }
    }

    /**
     * The last throwable that the JUnit platform logs. Launchers before 1.6 only log that an engine
     * cannot look for tests or run them, as where jars of different releases meet on a class path.
     */
    private static final class Trouble extends Handler {
        private final Logger logger = Logger.getLogger("org.junit");
        Throwable thrown;

        Trouble() {
            logger.addHandler(this);
        }

        @Override
        public void publish(LogRecord entry) {
            thrown = entry.getThrown() == null ? thrown : entry.getThrown();
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }

    private static Result testng(Class<?> type, String method) throws ReflectiveOperationException {
        Class<?> runners = load("org.testng.TestNG");
        Object runner = runners.getConstructor(boolean.class).newInstance(false);
        runners.getMethod("setVerbose", int.class).invoke(runner, 0);
        if (method == null) {
            runners.getMethod("setTestClasses", Class[].class).invoke(runner, (Object) new Class<?>[] {type});
        } else {
            Object suite = load("org.testng.xml.XmlSuite").getConstructor().newInstance();
            Class<?> xmlTests = load("org.testng.xml.XmlTest");
            Object test = xmlTests.getConstructor(suite.getClass()).newInstance(suite);
            Object xmlClass = load("org.testng.xml.XmlClass").getConstructor(Class.class).newInstance(type);
            Class<?> includes = load("org.testng.xml.XmlInclude");
            Object include = includes.getConstructor(String.class).newInstance(method);
            xmlClass.getClass()
                    .getMethod("setIncludedMethods", List.class)
                    .invoke(xmlClass, Arrays.asList(include));
            xmlTests.getMethod("setXmlClasses", List.class).invoke(test, Arrays.asList(xmlClass));
            runners.getMethod("setXmlSuites", List.class).invoke(runner, Arrays.asList(suite));
        }
        Object listener = load("org.testng.TestListenerAdapter").getConstructor().newInstance();
        addListener(runners, runner, listener);
        runners.getMethod("run").invoke(runner);
        Result counted = new Result();
        counted.run = ((List<?>) listener.getClass().getMethod("getPassedTests").invoke(listener)).size();
        for (Object failed : (List<?>) listener.getClass().getMethod("getFailedTests").invoke(listener)) {
            counted.run++;
            counted.fail((Throwable) load("org.testng.ITestResult").getMethod("getThrowable").invoke(failed));
        }
        return counted;
    }

    /** Releases differ in the type of the parameter. */
    private static void addListener(Class<?> runners, Object runner, Object listener)
            throws ReflectiveOperationException {
        for (String type : new String[] {"org.testng.ITestNGListener", "org.testng.ITestListener"}) {
            try {
                runners.getMethod("addListener", load(type)).invoke(runner, listener);
                return;
            } catch (NoSuchMethodException other) {
                // The next one.
            }
        }
        runners.getMethod("addListener", Object.class).invoke(runner, listener);
    }
}
