package shop;

import press.Section;

public class Reader {
    public static void main(String[] arguments) {
        Section inner = new Section("Note");
        for (String title : new String[] {"Paragraph", "Chapter", "Volume", "Book"}) {
            Section outer = new Section(title);
            outer.append(inner);
            inner = outer;
        }
        System.out.println(inner.notes());
    }
}
