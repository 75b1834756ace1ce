package school;

public interface Lesson {
    int order();

    void hold(String pupil);
}
