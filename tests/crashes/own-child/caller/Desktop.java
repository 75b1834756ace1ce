package screen;

import menu.Folder;
import menu.Shortcut;

public class Desktop {
    public static void main(String[] arguments) {
        Folder folder = new Folder("programs");
        folder.add(new Shortcut(folder));
        System.out.println(folder.hashCode());
    }
}
