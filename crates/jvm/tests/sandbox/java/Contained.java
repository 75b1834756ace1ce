import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/** What the sandbox cannot refuse, but keeps within bounds or has the pool notice. Each runs in a process of its own. */
public final class Contained {
    public static void startThreadsWithoutEnd(Path outside, Path scratch) throws Exception {
        for (int i = 0; i < 100_000; i++) {
            Thread thread = new Thread(() -> sleep(60_000));
            thread.setDaemon(true);
            thread.start();
        }
    }

    public static void fillOneFile(Path outside, Path scratch) throws Exception {
        try (OutputStream out = Files.newOutputStream(scratch.resolve("large"))) {
            fill(out, 1 << 30);
        }
    }

    public static void fillManyFiles(Path outside, Path scratch) throws Exception {
        for (int i = 0; i < 100_000; i++) {
            try (OutputStream out = Files.newOutputStream(scratch.resolve("file" + i))) {
                fill(out, 1 << 20);
            }
            sleep(10);
        }
    }

    public static void fillDeletedFile(Path outside, Path scratch) throws Exception {
        Path file = scratch.resolve("hidden");
        List<OutputStream> open = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            OutputStream out = Files.newOutputStream(file);
            open.add(out);
            Files.delete(file);
            fill(out, 1 << 20);
            sleep(10);
        }
    }

    public static void fillHeap(Path outside, Path scratch) throws Exception {
        List<byte[]> kept = new ArrayList<>();
        while (true) {
            kept.add(new byte[1 << 20]);
        }
    }

    public static void openFilesWithoutEnd(Path outside, Path scratch) throws Exception {
        List<OutputStream> open = new ArrayList<>();
        for (int i = 0; i < 1_000_000; i++) {
            open.add(Files.newOutputStream(scratch.resolve("file")));
        }
    }

    public static void loadLibrary(Path outside, Path scratch) throws Exception {
        Path folder = Paths.get(System.getProperty("java.home"), "lib");
        Path old = folder.resolve(System.getProperty("os.arch"));
        Path library = (Files.isDirectory(old) ? old : folder).resolve("libjsig.so");
        System.load(Files.copy(library, scratch.resolve("libmine.so")).toString());
    }

    public static void crashNatively(Path outside, Path scratch) throws Exception {
        Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Object unsafe = field.get(null);
        unsafe.getClass().getMethod("putAddress", long.class, long.class).invoke(unsafe, 8L, 8L);
    }

    private static void fill(OutputStream out, long bytes) throws IOException {
        byte[] block = new byte[1 << 20];
        for (long written = 0; written < bytes; written += block.length) {
            out.write(block);
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
