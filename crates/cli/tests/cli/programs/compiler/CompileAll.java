import java.io.BufferedReader;
import java.io.InputStreamReader;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles many programs in one JVM: a line of standard input has the arguments of one compilation. */
public final class CompileAll {
    public static void main(String[] none) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (compiler.run(null, null, null, line.split("\t")) != 0) {
                throw new IllegalStateException(line);
            }
        }
    }
}
