package reader;

import archive.Archive;

public class Reader {
    public static void main(String[] arguments) throws Exception {
        System.out.println(new Archive().find(2));
    }
}
