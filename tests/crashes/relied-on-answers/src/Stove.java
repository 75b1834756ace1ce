package lodge;

public interface Stove {
    Plate plate();

    Metal metal();
}
