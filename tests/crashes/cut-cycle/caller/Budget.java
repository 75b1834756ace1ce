package office;

import table.Sheet;

public class Budget {
    public static void main(String[] arguments) {
        Sheet sheet = new Sheet();
        sheet.set("total", "=sum");
        sheet.set("sum", "=total");
        System.out.println(sheet.value("total"));
    }
}
