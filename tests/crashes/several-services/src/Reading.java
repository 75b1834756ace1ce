package school;

public class Reading implements Lesson {
    @Override
    public int order() {
        return 1;
    }

    /** The bug: not every pupil has a surname. */
    @Override
    public void hold(String pupil) {
        System.out.println(pupil.substring(0, pupil.indexOf(' ')));
    }
}
