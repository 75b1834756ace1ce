package lodge;

public interface Plate {
    Metal metal();

    Pot pot();
}
