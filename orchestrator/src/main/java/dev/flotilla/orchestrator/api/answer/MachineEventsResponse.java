package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.orchestrator.view.EventRingBuffer;
import dev.flotilla.orchestrator.view.FleetEvent;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What was decided about a machine of late.
 *
 * @param since the number of the oldest event that this process still has, of whatever machine
 */
public record MachineEventsResponse(long since, List<FleetEvent> events) {
    public static final JsonCodec<MachineEventsResponse> CODEC = codec();

    /** The newest of its events that are still in the ring. */
    public static MachineEventsResponse of(EventRingBuffer ring, MachineKey machine, int limit) {
        String subject = machine.toString();
        Deque<FleetEvent> found = new ArrayDeque<>();
        long since = 0;
        for (long place = ring.nextIndex() - 1; place >= ring.firstIndex(); place--) {
            FleetEvent event = ring.eventAt(place);
            if (event == null) {
                break;
            }
            since = event.seq();
            if (found.size() < limit && event.subject().equals(subject)) {
                found.addFirst(event);
            }
        }
        return new MachineEventsResponse(since, List.copyOf(found));
    }

    private static JsonCodec<MachineEventsResponse> codec() {
        var it = JsonObjectCodec.<MachineEventsResponse>of(
                "machine-events", "What was decided about a machine of late.");
        it.required(
                "since",
                ScalarCodecs.SEQ,
                "Events from this number on were looked through; what was before is in the journal. Zero for none.",
                MachineEventsResponse::since);
        it.required(
                "events",
                new ListCodec<>(FleetEvent.CODEC, ResponseCodecs.MOST),
                "The oldest first.",
                MachineEventsResponse::events);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
