package dev.flotilla.orchestrator.state;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The newest events. One thread publishes; any number of readers read, each at its own position. A slow reader delays
 * nothing and uses no memory: it detects that it was overtaken.
 */
public final class EventRingBuffer {
    private record Slot(long index, FleetEvent event) {}

    private final AtomicReferenceArray<@Nullable Slot> slots;
    private volatile long nextIndex;
    private long newestSeq;

    public EventRingBuffer(int size) {
        slots = new AtomicReferenceArray<>(size);
    }

    /**
     * Publishes a journal record. Events must come in order of their numbers; an event that was published already is
     * ignored. The cost does not depend on the number of readers, and the call never blocks.
     */
    public void publish(long seq, Instant time, String event, String subject, String reason) {
        if (seq <= newestSeq) {
            return;
        }
        newestSeq = seq;
        long index = nextIndex;
        slots.set(slot(index), new Slot(index, new FleetEvent(seq, time, event, subject, reason)));
        nextIndex = index + 1;
    }

    /** The position after the newest event. */
    public long nextIndex() {
        return nextIndex;
    }

    /** The position of the oldest event in the buffer. */
    public long firstIndex() {
        return Math.max(0, nextIndex - slots.length());
    }

    /** The event at a position before {@link #nextIndex}; null if it has been overwritten. */
    public @Nullable FleetEvent eventAt(long index) {
        Slot slot = slots.get(slot(index));
        return slot == null || slot.index() != index ? null : slot.event();
    }

    /** The position of the first event after a number, among the events in the buffer. */
    public long indexAfter(long seq) {
        long low = firstIndex();
        long high = nextIndex;
        while (low < high) {
            long middle = (low + high) >>> 1;
            FleetEvent event = eventAt(middle);
            if (event == null || event.seq() <= seq) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int slot(long index) {
        return (int) (index % slots.length());
    }
}
