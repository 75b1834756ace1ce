package crashback.runtime;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.Enumeration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.Manifest;

/**
 * Loads the program's classes as a {@link URLClassLoader} does, but opens no jar of its own.
 *
 * <p>A test may need the program anew, many times a second. All loaders look into the same open
 * jars and remember what they found there, so that a new one costs no more than the classes that
 * are defined again.
 */
final class ProgramLoader extends URLClassLoader {
    /** Opens the jars; defines no classes. */
    private static URLClassLoader jars;

    private static final ConcurrentHashMap<String, Found> FOUND = new ConcurrentHashMap<String, Found>();

    private static final int MOST_FOUND = 1 << 16;

    private volatile boolean closed;

    ProgramLoader(URL[] urls, ClassLoader parent) {
        super(urls, parent);
        synchronized (ProgramLoader.class) {
            if (jars == null) {
                jars = new URLClassLoader(urls, null);
            }
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        Found found = FOUND.get(name);
        if (found == null) {
            found = look(name);
            // A program may ask for any number of classes that do not exist.
            if (found.bytes != null || FOUND.size() < MOST_FOUND) {
                FOUND.put(name, found);
            }
        }
        if (closed || found.bytes == null) {
            throw new ClassNotFoundException(name);
        }
        int dot = name.lastIndexOf('.');
        if (dot > 0) {
            definePackageOnce(name.substring(0, dot), found);
        }
        return defineClass(name, found.bytes, 0, found.bytes.length, found.source);
    }

    @Override
    public URL findResource(String name) {
        return closed ? null : jars.findResource(name);
    }

    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
        return jars.findResources(name);
    }

    @Override
    public void close() throws IOException {
        closed = true;
        super.close();
    }

    private void definePackageOnce(String name, Found found) {
        if (getPackage(name) != null) {
            return;
        }
        try {
            if (found.manifest == null) {
                definePackage(name, null, null, null, null, null, null, null);
            } else {
                definePackage(name, found.manifest, found.source.getLocation());
            }
        } catch (IllegalArgumentException e) {
            // Another thread was faster.
        }
    }

    private static Found look(String name) throws ClassNotFoundException {
        String path = name.replace('.', '/').concat(".class");
        URL url = jars.findResource(path);
        if (url == null) {
            return new Found(null, null, null);
        }
        try {
            URLConnection connection = url.openConnection();
            byte[] bytes = read(connection);
            if (connection instanceof JarURLConnection) {
                JarURLConnection jar = (JarURLConnection) connection;
                // Certificates are known once the entry has been read.
                CodeSource source = new CodeSource(jar.getJarFileURL(), jar.getCertificates());
                return new Found(bytes, source, jar.getManifest());
            }
            String text = url.toString();
            URL folder = new URL(text.substring(0, text.length() - path.length()));
            return new Found(bytes, new CodeSource(folder, (Certificate[]) null), null);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static byte[] read(URLConnection connection) throws IOException {
        InputStream in = connection.getInputStream();
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
            }
            return out.toByteArray();
        } finally {
            in.close();
        }
    }

    /** A class as the jars have it; nothing if they do not have it. */
    private static final class Found {
        final byte[] bytes;
        final CodeSource source;
        final Manifest manifest;

        Found(byte[] bytes, CodeSource source, Manifest manifest) {
            this.bytes = bytes;
            this.source = source;
            this.manifest = manifest;
        }
    }
}
