package dev.flotilla.orchestrator.state;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.time.Instant;

/** A journal record as the API streams it. */
public record FleetEvent(long seq, Instant decidedAt, String event, String subject, String reason) {
    public static final JsonCodec<FleetEvent> CODEC = codec();
    private static final int MAX_TEXT = 4_096;

    private static JsonCodec<FleetEvent> codec() {
        var it = JsonObjectCodec.<FleetEvent>of("event", "A decision.");
        var seq = it.required("seq", ScalarCodecs.SEQ, "Its number in the journal.", FleetEvent::seq);
        var decidedAt = it.required("decidedAt", ScalarCodecs.INSTANT, "When it was decided.", FleetEvent::decidedAt);
        var event = it.required("event", ScalarCodecs.TOKEN, "The decision event's label.", FleetEvent::event);
        var subject = it.required(
                "subject",
                ScalarCodecs.text(0, MAX_TEXT),
                "The machine, campaign, site or other subject; empty if there is none.",
                FleetEvent::subject);
        var reason = it.required("reason", ScalarCodecs.text(0, MAX_TEXT), "Why, as text.", FleetEvent::reason);
        return it.build(v -> new FleetEvent(v.get(seq), v.get(decidedAt), v.get(event), v.get(subject), v.get(reason)));
    }
}
