package office;

import desk.Copier;

public class Office {

    public static void main(String[] args) throws ReflectiveOperationException {
        new Copier().copy(new Letter());
    }

    public static class Letter {

        public String getText() {
            return "Dear all";
        }
    }
}
