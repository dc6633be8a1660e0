package dev.flotilla.simulator.rollout;

import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.RejectedRecord;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a campaign on the fleet as it stands.
 *
 * @param refused why it would not be taken; null where it would
 * @param machines machines that it is about
 * @param clusters clusters that those are in
 * @param end when the last of its attempts ended; null where none began
 * @param waiting machines that still wait when nothing happens any more, by the first gate that is closed to them
 * @param waits some of these, with that gate in words
 */
public record Outlook(
        @Nullable RejectedRecord refused,
        int machines,
        int clusters,
        List<Span> waves,
        @Nullable Instant end,
        SortedMap<GateLabel, Integer> waiting,
        List<Waits> waits) {

    /** When a wave of it begins and ends; null for what does not happen. */
    public record Span(
            String wave,
            int machines,
            boolean approval,
            @Nullable Instant begins,
            @Nullable Instant ends) {}

    /** A machine that is not reached. */
    public record Waits(MachineKey machine, ClosedGate gate) {}

    public Outlook {
        waves = List.copyOf(waves);
        waiting = Collections.unmodifiableSortedMap(new TreeMap<>(waiting));
        waits = List.copyOf(waits);
    }

    static Outlook refused(RejectedRecord why) {
        return new Outlook(why, 0, 0, List.of(), null, Collections.emptySortedMap(), List.of());
    }
}
