package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.orchestrator.state.EventRingBuffer;
import dev.flotilla.orchestrator.state.FleetEvent;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Recent decisions about a machine.
 *
 * @param since number of the oldest event in the buffer, of any machine
 */
public record MachineEventsResponse(long since, List<FleetEvent> events) {
    public static final JsonCodec<MachineEventsResponse> CODEC = codec();

    /** The newest events of a machine in the event buffer. */
    public static MachineEventsResponse of(EventRingBuffer eventBuffer, MachineKey machine, int limit) {
        String subject = machine.toString();
        Deque<FleetEvent> found = new ArrayDeque<>();
        long since = 0;
        for (long index = eventBuffer.nextIndex() - 1; index >= eventBuffer.firstIndex(); index--) {
            FleetEvent event = eventBuffer.eventAt(index);
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
        var it = JsonObjectCodec.<MachineEventsResponse>of("machine-events", "Recent decisions about a machine.");
        it.required(
                "sinceSeq",
                ScalarCodecs.SEQ,
                "Number of the oldest event that was searched; earlier ones are in the journal. 0 if the buffer is"
                        + " empty.",
                MachineEventsResponse::since);
        it.required(
                "events",
                new ListCodec<>(FleetEvent.CODEC, ResponseCodecs.MAX_PAGE_ITEMS),
                "The events, oldest first.",
                MachineEventsResponse::events);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
