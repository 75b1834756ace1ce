import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Ways out that came with Java 9 to 16. */
public final class ModernAttempts {
    public static void destroyProcess(Path outside, Path scratch) throws Exception {
        long process = Long.getLong("stage.process");
        require(ProcessHandle.of(process).orElseThrow(() -> new IOException("cannot be seen")).destroyForcibly());
    }

    public static void destroyParent(Path outside, Path scratch) throws Exception {
        // Without the sandbox this would end the test itself.
        require(Boolean.getBoolean("stage.confined"));
        require(ProcessHandle.current().parent().orElseThrow(() -> new IOException("cannot be seen")).destroyForcibly());
    }

    public static void seeOtherProcesses(Path outside, Path scratch) throws Exception {
        require(ProcessHandle.allProcesses().anyMatch(it -> it.pid() != ProcessHandle.current().pid()));
    }

    public static void listenOnUnixSocket(Path outside, Path scratch) throws Exception {
        try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.bind(UnixDomainSocketAddress.of(scratch.resolve("socket")));
        }
    }

    public static void connectToUnixSocket(Path outside, Path scratch) throws Exception {
        SocketChannel.open(UnixDomainSocketAddress.of(System.getProperty("stage.unix"))).close();
    }

    public static void attachToJvm(Path outside, Path scratch) throws Exception {
        attach(System.getProperty("stage.jvm"));
    }

    public static void attachToItself(Path outside, Path scratch) throws Exception {
        attach(Long.toString(ProcessHandle.current().pid()));
    }

    private static void attach(String process) throws Exception {
        VirtualMachine.attach(process).detach();
        // The other JVM is going to be killed and would leave its socket behind.
        Files.deleteIfExists(Path.of("/tmp", ".java_pid" + process));
    }

    private static void require(boolean success) throws IOException {
        if (!success) {
            throw new IOException("did not succeed");
        }
    }
}
