package post;

import clip.ClipReader;

public class Show {
    public static void main(String[] arguments) {
        byte[] clip = {(byte) 0x93, 'C', 'L', 'P', '\r', '\n', 0x1a, 7, 5, 1, 2, 3};
        new ClipReader().firstFrame(clip);
    }
}
