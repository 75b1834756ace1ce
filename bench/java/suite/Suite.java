import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.sun.management.OperatingSystemMXBean;
import crashback.runtime.Observation;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes on the JUnit platform and writes one line for each test and each container of
 * tests: its name, how it ended and the nanoseconds it took, with tabs between them. The last line has
 * the time of all, the processor time of the process and the number of bytes of recorded facts.
 *
 * <p>Arguments: the file to write, the file with the names of the classes, and for instrumented programs
 * the file that describes their probes.
 */
public final class Suite implements TestExecutionListener {
    private final PrintWriter results;
    private final boolean observed;
    private final Map<String, Long> begun = new HashMap<>();

    private Suite(PrintWriter results, boolean observed) {
        this.results = results;
        this.observed = observed;
    }

    public static void main(String[] arguments) throws IOException {
        boolean observed = arguments.length == 3;
        if (observed) {
            Observation.configure(Paths.get(arguments[2]));
        }
        Observation.refill();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Files.readAllLines(Paths.get(arguments[1])).stream()
                        .map(name -> selectClass(name))
                        .collect(Collectors.toList()))
                .build();
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        try (PrintWriter results = new PrintWriter(arguments[0], "UTF-8")) {
            long begun = System.nanoTime();
            LauncherFactory.create().execute(request, new Suite(results, observed));
            long passed = System.nanoTime() - begun;
            long facts = observed ? Observation.bytes() : 0;
            results.println("total\t" + passed + "\t" + system.getProcessCpuTime() + "\t" + facts);
        }
        // Tests may leave threads behind.
        Runtime.getRuntime().halt(0);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        begun.put(test.getUniqueId(), System.nanoTime());
        if (observed) {
            Observation.begin();
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        try {
            finish(test, result);
        } catch (Throwable failure) {
            // The launcher would go on without a word, and the result would be missing.
            write(test, result.getStatus() + " (not told: " + failure + ")", 0);
        }
    }

    private void finish(TestIdentifier test, TestExecutionResult result) {
        String failure = observed ? Observation.end() : "";
        long passed = System.nanoTime() - begun.remove(test.getUniqueId());
        String thrown = result.getThrowable()
                .map(it -> " " + it.getClass().getName() + ": " + message(it))
                .orElse("");
        write(test, result.getStatus() + thrown + failure, passed);
        if (observed) {
            // What follows in the container around it is observed too.
            Observation.begin();
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        write(test, "SKIPPED " + reason, 0);
    }

    private void write(TestIdentifier test, String result, long nanoseconds) {
        results.println(oneLine(test.getUniqueId()) + "\t" + oneLine(result) + "\t" + nanoseconds);
    }

    /** Reading it runs code of the program. */
    private static String message(Throwable thrown) {
        try {
            return thrown.getMessage();
        } catch (RuntimeException failure) {
            return "no message: " + failure;
        }
    }

    private static String oneLine(String text) {
        StringBuilder line = new StringBuilder();
        for (char c : text.toCharArray()) {
            if (c < ' ' || c > '~' || c == '\\') {
                line.append(String.format("\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        return line.toString();
    }
}
