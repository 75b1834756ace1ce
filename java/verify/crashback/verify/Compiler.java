package crashback.verify;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The JDK's compiler, kept running: the second source of a crash is compiled by code that is loaded
 * and compiled itself, with the jars of the class path open.
 *
 * <p>Each line of standard input names a file with the arguments of one compilation: options, then
 * {@code --}, then sources, each ended by a NUL character. The answer to each is a byte, 1 if the
 * sources were compiled, then the compiler's messages as a length and UTF-8. A failure of the
 * compiler itself ends the process.
 */
public final class Compiler {
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    /** Shared by all compilations: it keeps jars open. */
    private final StandardJavaFileManager files =
            compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);

    private Compiler() {}

    public static void main(String[] none) throws IOException {
        DataOutputStream answers =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
        BufferedReader requests =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        // Whatever the compiler prints is no part of an answer.
        System.setOut(System.err);
        Compiler compiler = new Compiler();
        for (String file = requests.readLine(); file != null; file = requests.readLine()) {
            compiler.answer(file, answers);
            answers.flush();
        }
    }

    private void answer(String file, DataOutputStream answers) throws IOException {
        String text = new String(Files.readAllBytes(Paths.get(file)), StandardCharsets.UTF_8);
        List<String> arguments = Arrays.asList(text.split("\0", -1));
        int end = arguments.indexOf("--");
        List<String> options = arguments.subList(0, end);
        // Behind the last NUL character there is nothing.
        List<String> sources = arguments.subList(end + 1, arguments.size() - 1);
        StringWriter messages = new StringWriter();
        boolean compiled = compiler
                .getTask(messages, files, null, options, null, files.getJavaFileObjectsFromStrings(sources))
                .call();
        byte[] said = messages.toString().getBytes(StandardCharsets.UTF_8);
        answers.writeBoolean(compiled);
        answers.writeInt(said.length);
        answers.write(said);
    }
}
