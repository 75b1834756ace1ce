package desk;

import notes.Label;

public class Print {
    public static void main(String[] arguments) {
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < 120; line++) {
            text.append("number ").append(line);
        }
        System.out.println(new Label().print(text.toString()));
    }
}
