import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Comparator;

/** Calls the public static methods of the chosen classes and prints for each whether it came to its end or what it threw. */
public final class Runner {
    /** Entry of a JVM that is a program of its own. */
    public static void main(String[] arguments) throws Exception {
        run();
    }

    /** Entry from the test's child process. */
    public static void run() throws Exception {
        for (String name : System.getProperty("run").split(",")) {
            String[] parts = name.split("\\.");
            Method[] methods = Class.forName(parts[0]).getMethods();
            Arrays.sort(methods, Comparator.comparing(Method::getName));
            for (Method method : methods) {
                boolean chosen = parts.length == 1 || method.getName().equals(parts[1]);
                if (chosen && Modifier.isStatic(method.getModifiers())) {
                    call(method);
                }
            }
        }
        System.out.println("@ end");
        System.out.flush();
    }

    private static void call(Method method) throws Exception {
        Path outside = Paths.get(System.getProperty("stage.outside"), method.getName());
        Path scratch = Paths.get(System.getProperty("stage.scratch"), method.getName());
        Files.createDirectories(scratch);
        String outcome;
        try {
            method.invoke(null, outside, scratch);
            outcome = "done";
        } catch (InvocationTargetException wrapped) {
            Throwable thrown = wrapped.getCause();
            outcome = "threw " + thrown.toString().replace('\n', ' ');
        }
        System.out.println("@ " + method.getName() + " " + outcome);
        System.out.flush();
    }
}
