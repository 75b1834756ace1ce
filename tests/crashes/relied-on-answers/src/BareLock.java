package lodge;

/** One that is still empty. */
public class BareLock implements Lock {
    @Override
    public Key key() {
        return null;
    }

    @Override
    public Spring spring() {
        return null;
    }
}
