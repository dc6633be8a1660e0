package dev.flotilla.orchestrator.view;

import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import java.time.Instant;

/** One record of the journal, as it is told to those who watch. */
public record FleetEvent(long seq, Instant time, String event, String subject, String reason) {
    public static final Codec<FleetEvent> CODEC = codec();
    private static final int MAX_TEXT = 4_096;

    private static Codec<FleetEvent> codec() {
        var it = RecordCodec.<FleetEvent>of("event", "Something that was decided.");
        var seq = it.required("seq", Scalars.SEQ, "Its number in the journal.", FleetEvent::seq);
        var time = it.required("time", Scalars.INSTANT, "When it was decided.", FleetEvent::time);
        var event = it.required("event", Scalars.TOKEN, "What happened, by its label.", FleetEvent::event);
        var subject = it.required(
                "subject", Scalars.text(0, MAX_TEXT), "What it happened to; empty for nothing.", FleetEvent::subject);
        var reason = it.required("reason", Scalars.text(0, MAX_TEXT), "Why, in words.", FleetEvent::reason);
        return it.build(v -> new FleetEvent(v.get(seq), v.get(time), v.get(event), v.get(subject), v.get(reason)));
    }
}
