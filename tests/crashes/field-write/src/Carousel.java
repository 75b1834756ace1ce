package fair;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Seats in a circle, taken one after the other. */
public class Carousel extends AbstractCollection<Object> {
    protected Object[] seats;
    protected int first;
    protected int free;

    public Carousel() {
        this(32);
    }

    public Carousel(int size) {
        if (size <= 0) {
            throw new IllegalArgumentException("A carousel has seats");
        }
        seats = new Object[size + 1];
    }

    @Override
    public int size() {
        return free < first ? seats.length - first + free : free - first;
    }

    @Override
    public boolean add(Object rider) {
        if (rider == null) {
            throw new NullPointerException("Nobody rides");
        }
        if (size() + 1 >= seats.length) {
            throw new IllegalStateException("All seats are taken");
        }
        seats[free] = rider;
        free = (free + 1) % seats.length;
        return true;
    }

    @Override
    public Iterator<Object> iterator() {
        return new Iterator<Object>() {
            private int next = first;
            private int last = -1;

            @Override
            public boolean hasNext() {
                return next != free;
            }

            @Override
            public Object next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                last = next;
                next = (next + 1) % seats.length;
                return seats[last];
            }

            /** The bug: those behind move up without a look at where the circle closes. */
            @Override
            public void remove() {
                if (last == -1) {
                    throw new IllegalStateException();
                }
                int place = last + 1;
                while (place != free) {
                    seats[place - 1] = seats[place];
                    place++;
                }
                free = place - 1;
                next = last;
                last = -1;
            }
        };
    }
}
