package desk;

public interface Names {
    String on(int hour);
}
