package crashback.runtime;

import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Output of the program: formatted as ever, then dropped. It cannot be closed, since the next test
 * writes to it too.
 */
final class Sink extends PrintStream {
    Sink() {
        super(new Nowhere());
    }

    @Override
    public void close() {}

    @Override
    public boolean checkError() {
        return false;
    }

    private static final class Nowhere extends OutputStream {
        Nowhere() {}

        @Override
        public void write(int value) {}

        @Override
        public void write(byte[] bytes, int from, int count) {}
    }
}
