package clip;

import java.util.Arrays;

/** Reads clips: a signature, then the number of frames and the index of the first one shown. */
public class ClipReader {
    private static final byte[] SIGNATURE = {(byte) 0x93, 'C', 'L', 'P', '\r', '\n', 0x1a, 7};

    /** The bug: the index of the first frame is not held against their number. */
    public int firstFrame(byte[] clip) {
        byte[] start = Arrays.copyOf(clip, SIGNATURE.length);
        if (!Arrays.equals(start, SIGNATURE)) {
            throw new IllegalArgumentException("This is no clip");
        }
        int[] frames = new int[clip.length - SIGNATURE.length - 1];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = clip[SIGNATURE.length + 1 + i];
        }
        return frames[clip[SIGNATURE.length]];
    }
}
