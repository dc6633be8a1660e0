package dev.flotilla.orchestrator.view;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The newest events. One thread publishes; any number read, each from a place of its own, so that a slow reader holds up
 * nobody and keeps nothing in memory: it is told that it has been overtaken.
 */
public final class EventRingBuffer implements EventPublisher {
    private record Slot(long index, FleetEvent event) {}

    private final AtomicReferenceArray<@Nullable Slot> slots;
    private volatile long nextIndex;
    private long newest;

    public EventRingBuffer(int size) {
        slots = new AtomicReferenceArray<>(size);
    }

    /** Events must come in the order of their numbers; one that has been told already is passed over. */
    @Override
    public void publish(long seq, Instant time, String event, String subject, String reason) {
        if (seq <= newest) {
            return;
        }
        newest = seq;
        long index = nextIndex;
        slots.set(place(index), new Slot(index, new FleetEvent(seq, time, event, subject, reason)));
        nextIndex = index + 1;
    }

    /** The place behind the newest event. */
    public long nextIndex() {
        return nextIndex;
    }

    /** The place of the oldest event that is still here. */
    public long firstIndex() {
        return Math.max(0, nextIndex - slots.length());
    }

    /** The event at a place before {@link #nextIndex}; null if it has been overtaken. */
    public @Nullable FleetEvent eventAt(long index) {
        Slot slot = slots.get(place(index));
        return slot == null || slot.index() != index ? null : slot.event();
    }

    /** The place of the first event behind a number, as far as events are still here. */
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

    private int place(long index) {
        return (int) (index % slots.length());
    }
}
