package crashback.runtime;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/** The clock of {@link Pins} in a time zone. */
final class PinnedClock extends Clock {
    private final ZoneId zone;

    PinnedClock(ZoneId zone) {
        this.zone = zone;
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    @Override
    public Clock withZone(ZoneId other) {
        return Pins.clock(other);
    }

    @Override
    public long millis() {
        return Pins.currentTimeMillis();
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PinnedClock && zone.equals(((PinnedClock) other).zone);
    }

    @Override
    public int hashCode() {
        return zone.hashCode() + 1;
    }

    /** As the JDK's own. */
    @Override
    public String toString() {
        return "SystemClock[" + zone + "]";
    }
}
