package dev.flotilla.orchestrator.view;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.time.Instant;

/** One record of the journal, as it is told to those who watch. */
public record FleetEvent(long seq, Instant time, String event, String subject, String reason) {
    public static final JsonCodec<FleetEvent> CODEC = codec();
    private static final int MAX_TEXT = 4_096;

    private static JsonCodec<FleetEvent> codec() {
        var it = JsonObjectCodec.<FleetEvent>of("event", "Something that was decided.");
        var seq = it.required("seq", ScalarCodecs.SEQ, "Its number in the journal.", FleetEvent::seq);
        var time = it.required("time", ScalarCodecs.INSTANT, "When it was decided.", FleetEvent::time);
        var event = it.required("event", ScalarCodecs.TOKEN, "What happened, by its label.", FleetEvent::event);
        var subject = it.required(
                "subject",
                ScalarCodecs.text(0, MAX_TEXT),
                "What it happened to; empty for nothing.",
                FleetEvent::subject);
        var reason = it.required("reason", ScalarCodecs.text(0, MAX_TEXT), "Why, in words.", FleetEvent::reason);
        return it.build(v -> new FleetEvent(v.get(seq), v.get(time), v.get(event), v.get(subject), v.get(reason)));
    }
}
