package desk;

public interface Clock {
    int hour();
}
