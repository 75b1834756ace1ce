import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Judges emitted tests by what a maintainer would object to, without anything of Crashback: statements that
 * can go (each is deleted from the source, with those that need its variable, and the rest compiled and run),
 * raw types, numbered names, long literals.
 *
 * <p>Usage: {@code java bench/java/Judge.java CLASSPATH TEST.java...}, with JUnit and Mockito on the
 * class path. Prints a line for each test.
 */
class Judge {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    private static final Pattern NUMBERED = Pattern.compile("\\b[a-z][A-Za-z]*[a-z](\\d+)\\b\\s*=");

    private final String classPath;
    private final Path folder;

    Judge(String classPath, Path folder) {
        this.classPath = classPath;
        this.folder = folder;
    }

    public static void main(String[] arguments) throws Exception {
        Judge judge = new Judge(arguments[0], Files.createTempDirectory("judge"));
        for (String file : Arrays.asList(arguments).subList(1, arguments.length)) {
            System.out.println(judge.judge(Path.of(file)));
            System.out.flush();
        }
        System.exit(0);
    }

    private String judge(Path file) throws Exception {
        String source = Files.readString(file);
        Parsed parsed = parse(source);
        List<String> messages = new ArrayList<>();
        String crash = crash(source, parsed, messages);
        long raw = messages.stream().filter(it -> it.contains("raw type")).count();
        List<String> removable = new ArrayList<>();
        for (int number = 0; number < parsed.statements.size(); number++) {
            String shorter = without(source, parsed, number);
            if (crash != null && crash.equals(crash(shorter, parsed, new ArrayList<>()))) {
                removable.add(parsed.statements.get(number).text.replaceAll("\\s+", " "));
            }
        }
        Set<String> numbered = new TreeSet<>();
        for (Matcher names = NUMBERED.matcher(source); names.find(); ) {
            numbered.add(names.group().replaceAll("[\\s=]", ""));
        }
        Matcher literals = Pattern.compile("\"(?:\\\\.|[^\"\\\\])*\"|-?\\b\\d[\\d._]*\\b").matcher(source);
        Comparator<String> byLength = Comparator.comparing(String::length);
        String longest = literals.results().map(it -> it.group()).max(byLength).orElse("");
        return file.getFileName() + " statements=" + parsed.statements.size() + " removable=" + removable
                + " raw=" + raw + " numbered=" + numbered + " literal=" + longest
                + (crash == null ? " DOES NOT CRASH" : "");
    }

    /** A statement of a test: where it stands, what it declares, what it uses. */
    private record Part(long start, long end, String text, String declares, Set<String> uses) {}

    private record Parsed(String className, String method, List<Part> statements) {}

    private Parsed parse(String source) throws IOException {
        List<Text> sources = List.of(new Text("T", source));
        JavacTask task = (JavacTask) COMPILER.getTask(null, null, null, List.of(), null, sources);
        CompilationUnitTree unit = task.parse().iterator().next();
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        ClassTree type = (ClassTree) unit.getTypeDecls().get(0);
        String prefix = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
        MethodTree test = type.getMembers().stream()
                .filter(MethodTree.class::isInstance)
                .map(MethodTree.class::cast)
                .filter(it -> it.getModifiers().getAnnotations().toString().contains("Test"))
                .findFirst().orElseThrow();
        BlockTree body = test.getBody();
        List<Part> parts = new ArrayList<>();
        for (StatementTree statement : body.getStatements()) {
            long start = positions.getStartPosition(unit, statement);
            long end = positions.getEndPosition(unit, statement);
            Set<String> uses = new HashSet<>();
            new TreeScanner<Void, Void>() {
                @Override
                public Void visitIdentifier(IdentifierTree it, Void nothing) {
                    uses.add(it.getName().toString());
                    return null;
                }
            }.scan(statement, null);
            String declares = statement instanceof VariableTree it ? it.getName().toString() : null;
            parts.add(new Part(start, end, source.substring((int) start, (int) end), declares, uses));
        }
        return new Parsed(prefix + type.getSimpleName(), test.getName().toString(), parts);
    }

    private static String without(String source, Parsed parsed, int number) {
        Set<String> gone = new HashSet<>();
        StringBuilder shorter = new StringBuilder(source);
        List<Part> removed = new ArrayList<>();
        for (int place = number; place < parsed.statements.size(); place++) {
            Part part = parsed.statements.get(place);
            if (place == number || part.uses.stream().anyMatch(gone::contains)) {
                removed.add(part);
                if (part.declares != null) {
                    gone.add(part.declares);
                }
            }
        }
        for (int place = removed.size() - 1; place >= 0; place--) {
            Part part = removed.get(place);
            // The lines of what is left stay as they are.
            String blank = part.text.replaceAll("[^\n]", " ");
            shorter.replace((int) part.start, (int) part.end, blank);
        }
        return shorter.toString();
    }

    /** The exception that leaves a test with its frames above the test; null if there is none. */
    private String crash(String source, Parsed parsed, List<String> messages) throws Exception {
        Path out = Files.createTempDirectory(folder, "classes");
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        String simple = parsed.className.substring(parsed.className.lastIndexOf('.') + 1);
        String to = out.toString();
        List<String> options = List.of("-cp", classPath, "-d", to, "-Xlint:rawtypes", "-proc:none");
        List<Text> sources = List.of(new Text(simple, source));
        boolean compiled = COMPILER.getTask(null, null, found, options, null, sources).call();
        for (Diagnostic<?> message : found.getDiagnostics()) {
            messages.add(message.getMessage(null));
        }
        if (!compiled) {
            return null;
        }
        List<URL> urls = new ArrayList<>();
        urls.add(out.toUri().toURL());
        for (String entry : classPath.split(File.pathSeparator)) {
            urls.add(new File(entry).toURI().toURL());
        }
        String[] crash = new String[1];
        ClassLoader parent = ClassLoader.getPlatformClassLoader();
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), parent)) {
            Thread run = new Thread(() -> crash[0] = run(loader, parsed));
            run.setDaemon(true);
            run.setContextClassLoader(loader);
            run.start();
            run.join(20_000);
        }
        return crash[0];
    }

    private static String run(ClassLoader loader, Parsed parsed) {
        try {
            Class<?> type = Class.forName(parsed.className, true, loader);
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            var method = type.getDeclaredMethod(parsed.method);
            method.setAccessible(true);
            Object test = constructor.newInstance();
            for (var field : type.getDeclaredFields()) {
                // JUnit's folder for files of a test, which each run has anew.
                if (field.getType() == File.class) {
                    field.setAccessible(true);
                    field.set(test, Files.createTempDirectory("judge").toFile());
                }
            }
            method.invoke(test);
            return null;
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause();
            // A deep recursion overflows at another place each time.
            if (thrown instanceof StackOverflowError) {
                return thrown.getClass().getName();
            }
            String frames = Arrays.stream(thrown.getStackTrace())
                    .takeWhile(it -> !it.getClassName().equals(parsed.className))
                    .filter(it -> it.getClassLoaderName() == null)
                    .map(it -> it.getClassName() + "." + it.getMethodName() + ":" + it.getLineNumber())
                    .collect(Collectors.joining("\n"));
            return thrown.getClass().getName() + "\n" + frames;
        } catch (ReflectiveOperationException | IOException | LinkageError e) {
            return null;
        }
    }

    /** A source in memory. */
    private static class Text extends SimpleJavaFileObject {
        private final String text;

        Text(String name, String text) {
            super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignored) {
            return text;
        }
    }
}
