import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;

/**
 * Links every class of a folder without initialising it and writes down how that went. Arguments come in pairs: a folder of class
 * files with a file {@code names} in it, and the file for the results.
 */
public final class Link {
    private Link() {}

    public static void main(String[] arguments) throws IOException {
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            linkAll(Paths.get(arguments[i]), Paths.get(arguments[i + 1]));
        }
    }

    private static void linkAll(Path folder, Path results) throws IOException {
        Loader loader = new Loader(folder);
        List<String> names = Files.readAllLines(folder.resolve("names"));
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(results))) {
            for (String name : names) {
                out.println(name + "\t" + link(name, loader));
            }
        }
    }

    private static String link(String name, ClassLoader loader) {
        try {
            // Asking for members links the class, and with that verifies it. ClassLoader.resolveClass does neither.
            Class.forName(name, false, loader).getDeclaredConstructors();
            return "ok";
        } catch (Throwable error) {
            String message = String.valueOf(error.getMessage()).replaceAll("\\s+", " ");
            return error.getClass().getName() + "\t" + message;
        }
    }

    /**
     * Prefers its folder, so that classes of the JDK's own tools can be subjects too. Packages below {@code java} are the JDK's alone; jars
     * with classes of their own there exist nevertheless.
     */
    private static final class Loader extends ClassLoader {
        private final Path folder;

        Loader(Path folder) {
            super(ClassLoader.getSystemClassLoader().getParent());
            this.folder = folder;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                Path file = folder.resolve(name.replace('.', '/') + ".class");
                if (name.startsWith("java.") || !Files.exists(file)) {
                    return super.loadClass(name, resolve);
                }
                try {
                    byte[] bytes = Files.readAllBytes(file);
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException error) {
                    throw new ClassNotFoundException(name, error);
                }
            }
        }
    }
}
