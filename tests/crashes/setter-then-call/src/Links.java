package mirror;

import java.io.File;
import java.io.IOException;

/** What can be told of links from their paths. */
public class Links {
    private static final Links SHARED = new Links();

    public static Links shared() {
        return SHARED;
    }

    public boolean isLink(String name) throws IOException {
        return isLink(new File(name));
    }

    /** The bug: a file of the current folder has no parent in its path. */
    public boolean isLink(File file) throws IOException {
        File parent = file.getParentFile();
        File resolved = new File(parent.getCanonicalPath(), file.getName());
        return !resolved.getAbsolutePath().equals(resolved.getCanonicalPath());
    }
}
