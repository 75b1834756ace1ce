package woods;

public interface Scale {
    int weigh(Object load);
}
