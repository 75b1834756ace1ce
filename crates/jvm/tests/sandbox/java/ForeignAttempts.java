import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** Ways out through functions of the C library, which Java 22 can call without native code of its own. */
public final class ForeignAttempts {
    public static void callChmod(Path outside, Path scratch) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(outside.resolve("file").toString());
            MethodHandle chmod = function("chmod", ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
            require((int) chmod.invokeExact(path, 0777) == 0);
        }
    }

    public static void callUnlink(Path outside, Path scratch) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(outside.resolve("file").toString());
            require((int) function("unlink", ValueLayout.ADDRESS).invokeExact(path) == 0);
        }
    }

    public static void callKill(Path outside, Path scratch) throws Throwable {
        int process = Integer.getInteger("stage.process");
        MethodHandle kill = function("kill", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
        require((int) kill.invokeExact(process, 0) == 0);
    }

    public static void callSocket(Path outside, Path scratch) throws Throwable {
        MethodHandle socket = function("socket", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
        require((int) socket.invokeExact(2, 1, 0) >= 0);
    }

    private static MethodHandle function(String name, java.lang.foreign.MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor shape = FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments);
        return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), shape);
    }

    private static void require(boolean success) throws IOException {
        if (!success) {
            throw new IOException("did not succeed");
        }
    }
}
