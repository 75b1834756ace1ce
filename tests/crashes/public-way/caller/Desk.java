package office;

import forms.Forms;

class Desk {
    public static void main(String[] arguments) {
        Forms.of("##").read("a");
    }
}
