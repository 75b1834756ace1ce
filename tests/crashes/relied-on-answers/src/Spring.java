package lodge;

public interface Spring {
    Metal metal();
}
