package crashback.runtime;

import java.io.InputStream;

/** Input that is at its end. */
final class Empty extends InputStream {
    @Override
    public int read() {
        return -1;
    }
}
