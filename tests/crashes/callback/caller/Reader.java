package reading;

import archive.Catalogue;
import archive.Session;
import archive.Store;
import archive.Work;

public class Reader implements Store, Session {
    public static void main(String[] arguments) {
        System.out.println(new Catalogue(new Reader()).pages("atlas"));
    }

    @Override
    public <T> T execute(String name, Work<T> work) {
        return work.in(this);
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public String load(String key) {
        return null;
    }
}
