package desk;

import cards.Cards;

public class Import {
    public static void main(String[] arguments) {
        System.out.println(Cards.read("BEGIN:CARD\nBEGIN:PHONE\nKIND:home\nEND:PHONE\nEND:CARD\n"));
    }
}
