package desk;

public interface Services {
    <T> T find(Class<T> type);
}
