package subject;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;

/** What tests do in their folders. */
public class Files {
    /** Tells what is in the folder, then leaves something there. */
    public static void fill(File folder) throws IOException {
        String found = folder + " " + folder.isDirectory() + " " + Arrays.toString(folder.list());
        new File(folder, "within").mkdir();
        new File(folder, "within/file").createNewFile();
        throw new IllegalStateException(found);
    }

    /** Puts a file in the place of the folder. */
    public static void replace(File folder) throws IOException {
        throw new IllegalStateException(folder.delete() + " " + folder.createNewFile());
    }
}
