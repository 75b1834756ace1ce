package mast;

import java.util.ArrayList;
import java.util.List;
import station.Barometer;
import station.Feed;
import station.Listener;

public class Mast implements Feed {
    private final List<Listener> listeners = new ArrayList<>();

    public static void main(String[] arguments) {
        Mast mast = new Mast();
        new Barometer(mast, arguments.length);
        mast.listeners.forEach(it -> it.reading(1013));
    }

    @Override
    public void subscribe(Listener listener) {
        listeners.add(listener);
    }
}
