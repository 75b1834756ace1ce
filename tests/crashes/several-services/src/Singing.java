package school;

public class Singing implements Lesson {
    @Override
    public int order() {
        return 2;
    }

    @Override
    public void hold(String pupil) {
        System.out.println("la " + pupil);
    }
}
