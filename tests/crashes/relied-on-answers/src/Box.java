package lodge;

public interface Box {
    Lock lock();
}
