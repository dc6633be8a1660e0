package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.orchestrator.view.EventRing;
import dev.flotilla.orchestrator.view.FleetEvent;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What was decided about a machine of late.
 *
 * @param since the number of the oldest event that this process still has, of whatever machine
 */
public record MachineEventsAnswer(long since, List<FleetEvent> events) {
    public static final JsonCodec<MachineEventsAnswer> CODEC = codec();

    /** The newest of its events that are still in the ring. */
    public static MachineEventsAnswer of(EventRing ring, MachineKey machine, int limit) {
        String subject = machine.toString();
        Deque<FleetEvent> found = new ArrayDeque<>();
        long since = 0;
        for (long place = ring.end() - 1; place >= ring.begin(); place--) {
            FleetEvent event = ring.at(place);
            if (event == null) {
                break;
            }
            since = event.seq();
            if (found.size() < limit && event.subject().equals(subject)) {
                found.addFirst(event);
            }
        }
        return new MachineEventsAnswer(since, List.copyOf(found));
    }

    private static JsonCodec<MachineEventsAnswer> codec() {
        var it = JsonObjectCodec.<MachineEventsAnswer>of("machine-events", "What was decided about a machine of late.");
        it.required(
                "since",
                ScalarCodecs.SEQ,
                "Events from this number on were looked through; what was before is in the journal. Zero for none.",
                MachineEventsAnswer::since);
        it.required(
                "events", new ListCodec<>(FleetEvent.CODEC, Forms.MOST), "The oldest first.", MachineEventsAnswer::events);
        return Written.only(it);
    }
}
