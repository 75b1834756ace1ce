package crashback.verify;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;

/**
 * Lets a JVM start before the test that it runs is known. Standard input has the arguments of
 * JUnit's main method, each ended by a NUL character. Until then nothing is loaded but JUnit.
 */
public final class Gate {
    private Gate() {}

    /** The first argument is JUnit's main class; the others are classes to load meanwhile. */
    public static void main(String[] classes) throws Throwable {
        Class<?> junit = Class.forName(classes[0]);
        Method main = junit.getMethod("main", String[].class);
        for (int i = 1; i < classes.length; i++) {
            load(classes[i]);
        }
        Object arguments = arguments();
        try {
            main.invoke(null, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /** Versions of JUnit differ in their classes. */
    private static void load(String name) {
        try {
            Class.forName(name);
        } catch (ClassNotFoundException | LinkageError absent) {
            return;
        }
    }

    private static String[] arguments() throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        for (int next = System.in.read(); next >= 0; next = System.in.read()) {
            read.write(next);
        }
        String text = new String(read.toByteArray(), StandardCharsets.UTF_8);
        // A parent that gives up the JVM closes the pipe without a word.
        if (text.isEmpty()) {
            System.exit(0);
        }
        return text.substring(0, text.length() - 1).split("\0", -1);
    }
}
