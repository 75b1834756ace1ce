import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.GraphicsEnvironment;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.NumberFormat;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.TimeZone;
import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.prefs.Preferences;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;

/** What programs do every day and must be able to do inside the sandbox too. Each throws if it cannot. */
public final class Ordinary {
    public static void threads(Path outside, Path scratch) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(20);
        Future<Integer> future = pool.submit(() -> 42);
        require(future.get() == 42);
        pool.shutdown();
        Thread low = new Thread(() -> { });
        low.setPriority(Thread.MIN_PRIORITY);
        low.start();
        low.join();
    }

    public static void parallelStreams(Path outside, Path scratch) throws Exception {
        require(LongStream.range(0, 1_000_000).parallel().sum() == 499_999_500_000L);
    }

    public static void garbageCollection(Path outside, Path scratch) throws Exception {
        long sum = IntStream.range(0, 500).mapToLong(i -> new byte[1 << 20].length).sum();
        System.gc();
        require(sum == 500L << 20);
    }

    public static void classesFromJar(Path outside, Path scratch) throws Exception {
        require(Class.forName("Packed").getMethod("answer").invoke(null).equals(42));
        try (InputStream resource = Ordinary.class.getResourceAsStream("/packed.txt")) {
            require(resource != null && resource.read() == 'p');
        }
    }

    public static void timeZones(Path outside, Path scratch) throws Exception {
        require(ZonedDateTime.of(2024, 7, 1, 12, 0, 0, 0, ZoneId.of("Europe/Berlin")).getOffset().getTotalSeconds() == 7200);
        require(TimeZone.getDefault().getID() != null);
        DateTimeFormatter format = DateTimeFormatter.ofLocalizedDate(FormatStyle.FULL).withLocale(Locale.GERMAN);
        require(format.format(ZonedDateTime.of(2024, 7, 1, 12, 0, 0, 0, ZoneId.of("UTC"))).contains("Juli"));
    }

    public static void localesAndCharsets(Path outside, Path scratch) throws Exception {
        require(NumberFormat.getInstance(Locale.GERMAN).format(1234.5).equals("1.234,5"));
        require(new String(new byte[] {(byte) 0x93, (byte) 0xfa}, Charset.forName("Shift_JIS")).equals("\u65e5"));
        require(Charset.availableCharsets().size() > 100);
    }

    public static void drawing(Path outside, Path scratch) throws Exception {
        BufferedImage image = new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillOval(0, 0, 64, 64);
        graphics.dispose();
        require(image.getRGB(32, 32) == 0xffffffff);
        require(ImageIO.write(image, "png", scratch.resolve("image.png").toFile()));
    }

    public static void text(Path outside, Path scratch) throws Exception {
        GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames();
        BufferedImage image = new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setFont(new Font(Font.SERIF, Font.PLAIN, 40));
        graphics.drawString("M", 5, 50);
        require(IntStream.range(0, 64 * 64).anyMatch(i -> image.getRGB(i % 64, i / 64) == 0xffffffff));
    }

    public static void filesInScratch(Path outside, Path scratch) throws Exception {
        Path file = Files.createTempFile("name", ".txt");
        require(file.startsWith(scratch.getParent()));
        Files.write(file, new byte[100]);
        Path moved = Files.move(file, scratch.resolve("moved"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(moved, scratch.resolve("copy"));
        Files.createLink(scratch.resolve("hard"), moved);
        Files.createSymbolicLink(scratch.resolve("soft"), moved);
        require(Files.size(scratch.resolve("soft")) == 100);
        Path folder = Files.createDirectory(scratch.resolve("folder"));
        Files.move(moved, folder.resolve("inside"));
        try (Stream<Path> all = Files.walk(scratch)) {
            require(all.count() == 6);
        }
        Files.newByteChannel(folder.resolve("inside"), java.nio.file.StandardOpenOption.WRITE).truncate(10).close();
        require(Files.size(folder.resolve("inside")) == 10);
        Files.delete(folder.resolve("inside"));
        Files.delete(folder);
    }

    public static void randomAndDigests(Path outside, Path scratch) throws Exception {
        byte[] seed = new byte[16];
        new SecureRandom().nextBytes(seed);
        SecureRandom.getInstance("NativePRNG").nextBytes(seed);
        require(SecureRandom.getInstance("SHA1PRNG").generateSeed(4).length == 4);
        require(MessageDigest.getInstance("SHA-256").digest(seed).length == 32);
        require(KeyPairGenerator.getInstance("EC").generateKeyPair() != null);
        require(javax.net.ssl.SSLContext.getDefault() != null);
    }

    public static void compression(Path outside, Path scratch) throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(new byte[10_000]);
        }
        require(packed.size() < 100);
        require(new GZIPInputStream(new ByteArrayInputStream(packed.toByteArray())).read() == 0);
    }

    public static void xmlAndServices(Path outside, Path scratch) throws Exception {
        byte[] text = "<a><b/></a>".getBytes("UTF-8");
        require(DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(text))
                .getElementsByTagName("b").getLength() == 1);
        require(ServiceLoader.load(java.nio.file.spi.FileSystemProvider.class).iterator().hasNext());
    }

    public static void selectorsAndPipes(Path outside, Path scratch) throws Exception {
        try (Selector selector = Selector.open()) {
            selector.wakeup();
            require(selector.select(1000) == 0);
        }
        Pipe.open().sink().close();
    }

    public static void addresses(Path outside, Path scratch) throws Exception {
        require(InetAddress.getLoopbackAddress().isLoopbackAddress());
        require(InetAddress.getByName("127.0.0.1").isLoopbackAddress());
        require(InetAddress.getByName("localhost").isLoopbackAddress());
    }

    public static void questionsAboutTheMachine(Path outside, Path scratch) throws Exception {
        require(Runtime.getRuntime().availableProcessors() > 0);
        require(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage() >= 0);
        require(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() > 0);
        require(ManagementFactory.getRuntimeMXBean().getUptime() > 0);
        require(scratch.toFile().getUsableSpace() > 0);
        require(Files.getFileStore(scratch) != null);
    }

    public static void preferences(Path outside, Path scratch) throws Exception {
        // They cannot be stored, but asking for them must not fail.
        require(Preferences.userRoot().get("none", "default").equals("default"));
    }

    public static void stackOverflow(Path outside, Path scratch) throws Exception {
        try {
            endless(0);
        } catch (StackOverflowError expected) {
            return;
        }
        throw new AssertionError("no overflow");
    }

    private static int endless(int depth) {
        return endless(depth + 1) + 1;
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new AssertionError("not as expected");
        }
    }
}
