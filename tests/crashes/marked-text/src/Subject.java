package post;

/** Subjects of letters, which name an invoice between other marks. */
public class Subject {
    private final String text;

    public Subject(String text) {
        this.text = text;
    }

    /** The number of the invoice in subjects such as "Re: your invoice no. 12 (copy)"; 0 without one. */
    public int invoice() {
        if (!text.startsWith("Re: ") || !text.endsWith(" (copy)")) {
            return 0;
        }
        int mark = text.indexOf("invoice no.", 4);
        if (mark < 0) {
            return 0;
        }
        return number(text.substring(mark + 11, text.length() - 7));
    }

    /** The bug: nothing may stand there. */
    private static int number(String digits) {
        return digits.charAt(0) == ' ' ? Integer.parseInt(digits.substring(1)) : 0;
    }
}
