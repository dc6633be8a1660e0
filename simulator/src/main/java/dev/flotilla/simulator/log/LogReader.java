package dev.flotilla.simulator.log;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads partitions on from where it stands. Some may come late: order holds within a partition and nowhere else. */
public final class LogReader {
    private final SimLog log;
    private final boolean uncommittedToo;
    private final Map<Place, Long> positions = new LinkedHashMap<>();
    private final Map<Place, Long> lateUntil = new LinkedHashMap<>();

    /** A record with where it was read. */
    public record Fetched(Place place, LogRecord logged) {}

    public LogReader(SimLog log) {
        this(log, false);
    }

    public LogReader(SimLog log, boolean uncommittedToo) {
        this.log = log;
        this.uncommittedToo = uncommittedToo;
    }

    public void seek(Place place, long offset) {
        positions.put(place, offset);
    }

    public long position(Place place) {
        return positions.getOrDefault(place, 0L);
    }

    public List<Place> places() {
        return List.copyOf(positions.keySet());
    }

    /** A partition's records do not arrive before then. */
    public void late(Place place, long until) {
        lateUntil.put(place, until);
    }

    /** Reads up to {@code most} records of all partitions that are not late. */
    public List<Fetched> poll(long now, int most) {
        List<Fetched> fetched = new ArrayList<>();
        for (Place place : positions.keySet()) {
            if (fetched.size() < most && lateUntil.getOrDefault(place, 0L) <= now) {
                read(place, log.end(place), most - fetched.size(), fetched);
            }
        }
        return fetched;
    }

    /** Reads one partition up to an offset. */
    public List<Fetched> upTo(Place place, long stop) {
        List<Fetched> fetched = new ArrayList<>();
        read(place, stop, Integer.MAX_VALUE, fetched);
        return fetched;
    }

    private void read(Place place, long stop, int most, List<Fetched> into) {
        List<LogRecord> records = new ArrayList<>();
        long next = log.read(place, position(place), most, uncommittedToo, records);
        for (LogRecord logged : records) {
            if (logged.offset() >= stop) {
                next = logged.offset();
                break;
            }
            into.add(new Fetched(place, logged));
        }
        positions.put(place, Math.min(next, Math.max(stop, position(place))));
    }
}
