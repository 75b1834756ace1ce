import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/** Runs the method "test" of every class of a list in class loaders of their own, and prints what each throws. */
public class Driver {
    public static void main(String[] arguments) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : arguments[1].split(File.pathSeparator)) {
            urls.add(new File(entry).toURI().toURL());
        }
        java.io.PrintStream out = System.out;
        System.setOut(System.err);
        for (String name : Files.readAllLines(Paths.get(arguments[0]))) {
            out.println("outcome " + run(name, urls.toArray(new URL[0])));
        }
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static String run(String name, URL[] urls) throws Exception {
        String[] outcome = {"hangs"};
        Thread thread = new Thread(() -> outcome[0] = outcome(name, urls), "main");
        thread.setDaemon(true);
        thread.start();
        thread.join(5000);
        return outcome[0];
    }

    private static String outcome(String name, URL[] urls) {
        try {
            Class<?> test = new URLClassLoader(urls, ClassLoader.getSystemClassLoader().getParent()).loadClass(name);
            java.lang.reflect.Constructor<?> constructor = test.getDeclaredConstructor();
            constructor.setAccessible(true);
            java.lang.reflect.Method method = test.getDeclaredMethod("test");
            method.setAccessible(true);
            method.invoke(constructor.newInstance());
            return "returns";
        } catch (java.lang.reflect.InvocationTargetException e) {
            Throwable thrown = e.getCause();
            // The frame that calls into the test has another line in another source.
            StackTraceElement[] frames = thrown.getStackTrace();
            boolean ownFrame = frames.length == 0 || frames[0].getClassName().equals(name);
            return "throws " + thrown.getClass().getName() + (ownFrame ? " in the test" : " at " + frames[0]);
        } catch (Throwable e) {
            return "fails with " + e;
        }
    }
}
