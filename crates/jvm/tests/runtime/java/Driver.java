import crashback.runtime.Encoding;
import crashback.runtime.Probes;
import crashback.runtime.TestEnd;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;

/**
 * Does what the lines of standard input say and prints what comes of it: `name descriptor arguments` calls a method of Probes, or of
 * another class of the runtime as `Class.name`. `end` and `undone` end a test with what an argument throws; what is undone was never told.
 */
public class Driver {
    private static final Map<String, Method> METHODS = new HashMap<>();
    private static int batch;

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            run(line.split(" "), out);
        }
        out.flush();
    }

    private static void run(String[] words, PrintStream out) throws Exception {
        if (words[0].equals("end") || words[0].equals("undone")) {
            Throwable thrown = words.length > 1 ? (Throwable) value(words[1]) : null;
            long result = Probes.next(thrown, 0, 0, false);
            out.print("end " + batch + " " + (result >>> 32) + " ");
            for (int i = 0; i < (int) result; i++) {
                out.append(Character.forDigit(Encoding.out[i] >> 4 & 15, 16)).append(Character.forDigit(Encoding.out[i] & 15, 16));
            }
            out.println();
            if (words[0].equals("undone")) {
                Probes.undo(0);
            } else {
                Probes.taken();
            }
        } else if (words[0].startsWith("Subjects.")) {
            out.println(String.valueOf(Subjects.class.getMethod(words[0].substring(9)).invoke(null)));
        } else {
            call(words, out);
        }
    }

    private static void call(String[] words, PrintStream out) throws Exception {
        if (words[0].equals("newBatch")) {
            batch++;
        }
        Method method = METHODS.get(words[0] + words[1]);
        if (method == null) {
            method = find(words[0], words[1]);
            METHODS.put(words[0] + words[1], method);
        }
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = argument(types[i], words[i + 2]);
        }
        try {
            Object result = method.invoke(null, arguments);
            if (method.getReturnType() != void.class) {
                out.println(result);
            }
        } catch (InvocationTargetException e) {
            out.println("threw " + (e.getCause() instanceof TestEnd ? "TestEnd" : e.getCause().toString()));
        }
    }

    private static Method find(String name, String descriptor) throws Exception {
        int dot = name.indexOf('.');
        Class<?> owner = Class.forName("crashback.runtime." + (dot < 0 ? "Probes" : name.substring(0, dot)));
        for (Method method : owner.getMethods()) {
            MethodType type = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
            String described = type.toMethodDescriptorString();
            if (method.getName().equals(name.substring(dot + 1)) && described.equals(descriptor)) {
                return method;
            }
        }
        throw new NoSuchMethodException(name + descriptor);
    }

    private static Object argument(Class<?> type, String word) throws Exception {
        if (type == int.class) {
            return Integer.parseInt(word);
        } else if (type == long.class) {
            return Long.parseLong(word);
        } else if (type == float.class) {
            return Float.intBitsToFloat((int) Long.parseLong(word, 16));
        } else if (type == double.class) {
            return Double.longBitsToDouble(Long.parseUnsignedLong(word, 16));
        } else if (type == boolean.class) {
            return Boolean.parseBoolean(word);
        } else if (type == byte[].class) {
            byte[] bytes = new byte[(word.length() - 1) / 2];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) Integer.parseInt(word.substring(1 + 2 * i, 3 + 2 * i), 16);
            }
            return bytes;
        } else if (type == int[].class) {
            String[] parts = word.split(",");
            int[] numbers = new int[parts.length - 1];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = Integer.parseInt(parts[i + 1]);
            }
            return numbers;
        }
        return value(word);
    }

    /** `null`, `i` and an int, `s` and UTF-16 units in hexadecimal, or the name of a field or method of Subjects. */
    private static Object value(String word) throws Exception {
        if (word.equals("null")) {
            return null;
        } else if (word.startsWith("i:")) {
            return Integer.valueOf(word.substring(2));
        } else if (word.startsWith("s:")) {
            StringBuilder text = new StringBuilder();
            for (int i = 2; i < word.length(); i += 4) {
                text.append((char) Integer.parseInt(word.substring(i, i + 4), 16));
            }
            return text.toString();
        }
        return Subjects.class.getMethod(word).invoke(null);
    }
}
