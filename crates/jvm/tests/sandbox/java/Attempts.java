import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.Field;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Hashtable;
import java.util.stream.Stream;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.directory.InitialDirContext;

/**
 * Ways out of the sandbox that Java 8 knows, one for each public method. Each comes to its end if it got out and throws if it
 * did not. Around it lie, in a folder of its own outside of the scratch folder, {@code file}, {@code secret} and an empty
 * {@code folder}.
 */
public final class Attempts {
    private static final byte[] TEXT = {'c', 'h', 'a', 'n', 'g', 'e', 'd'};

    // Changing files.

    public static void deleteFile(Path outside, Path scratch) throws Exception {
        Files.delete(outside.resolve("file"));
    }

    public static void deleteFileTheOldWay(Path outside, Path scratch) throws Exception {
        require(outside.resolve("file").toFile().delete());
    }

    public static void deleteFolder(Path outside, Path scratch) throws Exception {
        Files.delete(outside.resolve("folder"));
    }

    public static void createFile(Path outside, Path scratch) throws Exception {
        Files.createFile(outside.resolve("new"));
    }

    public static void createFolder(Path outside, Path scratch) throws Exception {
        Files.createDirectory(outside.resolve("new"));
    }

    public static void overwriteFile(Path outside, Path scratch) throws Exception {
        Files.write(outside.resolve("file"), TEXT);
    }

    public static void appendToFile(Path outside, Path scratch) throws Exception {
        try (FileOutputStream out = new FileOutputStream(outside.resolve("file").toFile(), true)) {
            out.write(TEXT);
        }
    }

    public static void truncateFile(Path outside, Path scratch) throws Exception {
        Files.newByteChannel(outside.resolve("file"), StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING).close();
    }

    public static void shortenFile(Path outside, Path scratch) throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(outside.resolve("file").toFile(), "rw")) {
            file.setLength(1);
        }
    }

    public static void mapFileForWriting(Path outside, Path scratch) throws Exception {
        try (FileChannel channel = FileChannel.open(outside.resolve("file"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4);
            map.put(0, (byte) 'X');
            map.force();
        }
    }

    public static void renameFile(Path outside, Path scratch) throws Exception {
        Files.move(outside.resolve("file"), outside.resolve("renamed"));
    }

    public static void moveFileIntoScratch(Path outside, Path scratch) throws Exception {
        Files.move(outside.resolve("file"), scratch.resolve("moved"), StandardCopyOption.ATOMIC_MOVE);
    }

    public static void moveFileOutOfScratch(Path outside, Path scratch) throws Exception {
        Path mine = Files.write(scratch.resolve("mine"), TEXT);
        Files.move(mine, outside.resolve("file"), StandardCopyOption.ATOMIC_MOVE);
    }

    public static void copyFileOutOfScratch(Path outside, Path scratch) throws Exception {
        Path mine = Files.write(scratch.resolve("mine"), TEXT);
        Files.copy(mine, outside.resolve("copy"));
    }

    public static void writeByRelativePath(Path outside, Path scratch) throws Exception {
        Path here = Paths.get("").toAbsolutePath();
        Files.write(here.relativize(outside.resolve("file")), TEXT);
    }

    public static void fillTemporaryFolder(Path outside, Path scratch) throws Exception {
        Files.delete(File.createTempFile("crashback", "", new File("/tmp")).toPath());
    }

    public static void makeSharedMemoryFile(Path outside, Path scratch) throws Exception {
        Files.delete(Files.createTempFile(Paths.get("/dev/shm"), "crashback", ""));
    }

    public static void leavePerformanceData(Path outside, Path scratch) throws Exception {
        String process = Paths.get("/proc/self").toRealPath().getFileName().toString();
        for (String user : new String[] {"root", "nobody", System.getProperty("user.name")}) {
            if (Files.deleteIfExists(Paths.get("/tmp", "hsperfdata_" + user, process))) {
                return;
            }
        }
        throw new IOException("the JVM could not write its performance data");
    }

    // Links.

    public static void linkFileIntoScratch(Path outside, Path scratch) throws Exception {
        Path link = Files.createLink(scratch.resolve("link"), outside.resolve("file"));
        Files.write(link, TEXT);
    }

    public static void linkFileOutOfScratch(Path outside, Path scratch) throws Exception {
        Path mine = Files.write(scratch.resolve("mine"), TEXT);
        Files.createLink(outside.resolve("link"), mine);
    }

    public static void makeSymbolicLink(Path outside, Path scratch) throws Exception {
        Files.createSymbolicLink(outside.resolve("link"), Paths.get("file"));
    }

    public static void writeThroughSymbolicLink(Path outside, Path scratch) throws Exception {
        Path link = Files.createSymbolicLink(scratch.resolve("link"), outside.resolve("file"));
        Files.write(link, TEXT);
    }

    public static void deleteThroughSymbolicLink(Path outside, Path scratch) throws Exception {
        Path link = Files.createSymbolicLink(scratch.resolve("link"), outside);
        Files.delete(link.resolve("file"));
    }

    public static void readThroughSymbolicLink(Path outside, Path scratch) throws Exception {
        Path link = Files.createSymbolicLink(scratch.resolve("link"), outside.resolve("secret"));
        Files.readAllBytes(link);
    }

    // What Landlock does not see.

    public static void changeMode(Path outside, Path scratch) throws Exception {
        Files.setPosixFilePermissions(outside.resolve("file"), PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    public static void changeModeTheOldWay(Path outside, Path scratch) throws Exception {
        require(outside.resolve("file").toFile().setExecutable(true));
    }

    public static void changeOwner(Path outside, Path scratch) throws Exception {
        Path file = outside.resolve("file");
        Files.setOwner(file, Files.getOwner(file));
    }

    public static void changeTime(Path outside, Path scratch) throws Exception {
        Files.setLastModifiedTime(outside.resolve("file"), FileTime.fromMillis(0));
    }

    public static void changeTimeTheOldWay(Path outside, Path scratch) throws Exception {
        require(outside.resolve("file").toFile().setLastModified(0));
    }

    public static void changeAttribute(Path outside, Path scratch) throws Exception {
        attributes(outside).write("mark", ByteBuffer.wrap(TEXT));
    }

    public static void readAttribute(Path outside, Path scratch) throws Exception {
        attributes(outside).list();
    }

    public static void watchFolder(Path outside, Path scratch) throws Exception {
        try (WatchService watch = FileSystems.getDefault().newWatchService()) {
            outside.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
        }
    }

    // Files of the class path, which may be opened for reading.

    public static void deleteReadable(Path outside, Path scratch) throws Exception {
        Path readable = readable();
        Files.delete(readable);
        Files.write(readable, TEXT);
    }

    public static void overwriteReadable(Path outside, Path scratch) throws Exception {
        Files.write(readable(), TEXT);
    }

    public static void changeModeOfReadable(Path outside, Path scratch) throws Exception {
        Files.setPosixFilePermissions(readable(), PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    public static void changeTimeOfReadable(Path outside, Path scratch) throws Exception {
        Files.setLastModifiedTime(readable(), FileTime.fromMillis(0));
    }

    public static void changeAttributeOfReadable(Path outside, Path scratch) throws Exception {
        Files.getFileAttributeView(readable(), UserDefinedFileAttributeView.class).write("mark", ByteBuffer.wrap(TEXT));
    }

    public static void linkReadableIntoScratch(Path outside, Path scratch) throws Exception {
        Files.write(Files.createLink(scratch.resolve("link"), readable()), TEXT);
    }

    // Reading what is not the program's.

    public static void readSecret(Path outside, Path scratch) throws Exception {
        Files.readAllBytes(outside.resolve("secret"));
    }

    public static void readSecretByUrl(Path outside, Path scratch) throws Exception {
        new URL("file:" + outside.resolve("secret")).openStream().close();
    }

    public static void readShadow(Path outside, Path scratch) throws Exception {
        Files.readAllBytes(Paths.get("/etc/shadow"));
    }

    public static void readUsers(Path outside, Path scratch) throws Exception {
        Files.readAllBytes(Paths.get("/etc/passwd"));
    }

    public static void listFolder(Path outside, Path scratch) throws Exception {
        try (Stream<Path> files = Files.list(outside)) {
            files.count();
        }
    }

    public static void listTemporaryFolder(Path outside, Path scratch) throws Exception {
        require(new File("/tmp").list() != null);
    }

    public static void listRoot(Path outside, Path scratch) throws Exception {
        require(new File("/").list() != null);
    }

    // Other programs and processes.

    public static void startProgram(Path outside, Path scratch) throws Exception {
        require(new ProcessBuilder("/bin/sh", "-c", "exit 0").start().waitFor() == 0);
    }

    public static void startShell(Path outside, Path scratch) throws Exception {
        String[] command = {"/bin/sh", "-c", "echo changed > " + outside.resolve("file")};
        require(Runtime.getRuntime().exec(command).waitFor() == 0);
    }

    public static void startOwnProgram(Path outside, Path scratch) throws Exception {
        Path script = Files.write(scratch.resolve("script"), "#!/bin/sh\n".getBytes("US-ASCII"));
        if (script.toFile().setExecutable(true)) {
            script = script.toAbsolutePath();
        }
        require(new ProcessBuilder(script.toString()).start().waitFor() == 0);
    }

    public static void bombWithProcesses(Path outside, Path scratch) throws Exception {
        int started = 0;
        IOException refusal = null;
        for (int i = 0; i < 20; i++) {
            try {
                new ProcessBuilder("/bin/sh", "-c", "exit 0").start().waitFor();
                started++;
            } catch (IOException denied) {
                refusal = denied;
            }
        }
        if (started == 0) {
            throw refusal;
        }
    }

    public static void readEnvironmentOfProcess(Path outside, Path scratch) throws Exception {
        require(size(Paths.get("/proc", System.getProperty("stage.process"), "environ")) >= 0);
    }

    public static void readArgumentsOfProcess(Path outside, Path scratch) throws Exception {
        require(size(Paths.get("/proc", System.getProperty("stage.process"), "cmdline")) > 0);
    }

    public static void openMemoryOfProcess(Path outside, Path scratch) throws Exception {
        new RandomAccessFile("/proc/" + System.getProperty("stage.process") + "/mem", "rw").close();
    }

    public static void listProcesses(Path outside, Path scratch) throws Exception {
        require(new File("/proc").list() != null);
    }

    public static void readFirstProcess(Path outside, Path scratch) throws Exception {
        require(size(Paths.get("/proc/1/stat")) > 0);
    }

    // Games in /proc with the own process.

    public static void openOwnMemory(Path outside, Path scratch) throws Exception {
        new RandomAccessFile("/proc/self/mem", "rw").close();
    }

    public static void readOwnProgram(Path outside, Path scratch) throws Exception {
        new FileInputStream("/proc/self/exe").close();
    }

    public static void changeOwnKillPriority(Path outside, Path scratch) throws Exception {
        new RandomAccessFile("/proc/self/oom_score_adj", "rw").close();
    }

    public static void writeThroughRootLink(Path outside, Path scratch) throws Exception {
        Files.write(Paths.get("/proc/self/root" + outside.resolve("file")), TEXT);
    }

    public static void reopenKeptDescriptor(Path outside, Path scratch) throws Exception {
        new RandomAccessFile("/proc/self/fd/" + System.getProperty("stage.kept"), "rw").close();
    }

    public static void useInheritedDescriptor(Path outside, Path scratch) throws Exception {
        FileDescriptor descriptor = new FileDescriptor();
        Field number = FileDescriptor.class.getDeclaredField("fd");
        number.setAccessible(true);
        number.setInt(descriptor, Integer.getInteger("stage.inherited"));
        byte[] read = new byte[6];
        require(new FileInputStream(descriptor).read(read) == 6 && new String(read, "US-ASCII").equals("secret"));
    }

    public static void openKernelSetting(Path outside, Path scratch) throws Exception {
        new RandomAccessFile("/proc/sys/kernel/core_pattern", "rw").close();
    }

    // Networks.

    public static void connectTcp(Path outside, Path scratch) throws Exception {
        new Socket(InetAddress.getLoopbackAddress(), Integer.getInteger("stage.tcp")).close();
    }

    public static void connectTcpByChannel(Path outside, Path scratch) throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        SocketChannel.open(new InetSocketAddress(here, Integer.getInteger("stage.tcp"))).close();
    }

    public static void fetchByHttp(Path outside, Path scratch) throws Exception {
        new URL("http://127.0.0.1:" + Integer.getInteger("stage.tcp") + "/").openStream().close();
    }

    public static void listenTcp(Path outside, Path scratch) throws Exception {
        new ServerSocket(0).close();
    }

    public static void listenTcpByChannel(Path outside, Path scratch) throws Exception {
        ServerSocketChannel.open().bind(null).close();
    }

    public static void sendUdp(Path outside, Path scratch) throws Exception {
        try (DatagramSocket socket = new DatagramSocket()) {
            InetAddress here = InetAddress.getLoopbackAddress();
            socket.send(new DatagramPacket(TEXT, TEXT.length, here, Integer.getInteger("stage.udp")));
        }
    }

    public static void queryDns(Path outside, Path scratch) throws Exception {
        Hashtable<String, String> settings = new Hashtable<>();
        settings.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
        settings.put(Context.PROVIDER_URL, "dns://127.0.0.1:" + Integer.getInteger("stage.udp"));
        settings.put("com.sun.jndi.dns.timeout.initial", "100");
        settings.put("com.sun.jndi.dns.timeout.retries", "1");
        try {
            new InitialDirContext(settings).getAttributes("example.org", new String[] {"A"});
        } catch (NamingException failure) {
            // A server that does not answer got the question all the same.
            if (!(failure.getRootCause() instanceof java.net.SocketTimeoutException)) {
                throw failure;
            }
        }
    }

    public static void resolveName(Path outside, Path scratch) throws Exception {
        InetAddress.getByName("example.org");
    }

    public static void openRmiRegistry(Path outside, Path scratch) throws Exception {
        UnicastRemoteObject.unexportObject(LocateRegistry.createRegistry(0), true);
    }

    private static Path readable() {
        return Paths.get(System.getProperty("stage.readable"));
    }

    private static UserDefinedFileAttributeView attributes(Path outside) {
        return Files.getFileAttributeView(outside.resolve("file"), UserDefinedFileAttributeView.class);
    }

    private static int size(Path file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Files.copy(file, bytes);
        return bytes.size();
    }

    private static void require(boolean success) throws IOException {
        if (!success) {
            throw new IOException("did not succeed");
        }
    }
}
