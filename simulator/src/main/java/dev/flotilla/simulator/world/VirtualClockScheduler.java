package dev.flotilla.simulator.world;

import java.time.Instant;
import java.util.PriorityQueue;

/**
 * The virtual clock and its queue of scheduled events. Events of one instant run in the order in which they were
 * scheduled. The caller of {@link #step} sets the pace.
 */
public final class VirtualClockScheduler {
    /** When every world begins that need not share a clock with another. */
    public static final long BEGIN = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

    private record Event(long at, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private long now;
    private long order;
    private long events;

    public VirtualClockScheduler() {
        this(BEGIN);
    }

    /** Begins at a given instant. */
    public VirtualClockScheduler(long begin) {
        this.now = begin;
    }

    /** The true time, which no process knows. */
    public long now() {
        return now;
    }

    public Instant instant() {
        return Instant.ofEpochMilli(now);
    }

    public long events() {
        return events;
    }

    public void after(long delay, Runnable action) {
        at(now + Math.max(0, delay), action);
    }

    public void at(long instant, Runnable action) {
        queue.add(new Event(Math.max(now, instant), order++, action));
    }

    /** When the next event is scheduled; {@link Long#MAX_VALUE} if there is none. */
    public long next() {
        Event next = queue.peek();
        return next == null ? Long.MAX_VALUE : next.at;
    }

    /** Runs the next event. Returns false if there is none up to {@code end}. */
    public boolean step(long end) {
        Event next = queue.peek();
        if (next == null || next.at > end) {
            now = Math.max(now, end);
            return false;
        }
        queue.remove();
        now = next.at;
        events++;
        next.action.run();
        return true;
    }
}
