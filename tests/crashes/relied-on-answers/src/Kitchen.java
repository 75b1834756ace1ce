package lodge;

public interface Kitchen {
    Stove stove();
}
