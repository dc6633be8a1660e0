package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.view.EventRingBuffer;
import dev.flotilla.orchestrator.view.FleetEvent;
import dev.flotilla.schemas.json.tree.JsonWriter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The events of one listener, as server-sent events. It reads the ring from its own place when the connection takes more,
 * so a slow one needs no memory; one that falls behind the ring, or takes nothing for long, is cut off and may resume.
 */
final class EventSubscription {
    /** Bytes that wait in the connection before it is left alone. */
    static final int BUFFERED = 64 * 1024;

    /** Events written in one go, so that one listener does not hold up the others. */
    private static final int BATCH = 256;

    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
    private static final Duration STUCK = Duration.ofSeconds(30);

    private final EventRingBuffer ring;
    private final HttpServerResponse response;
    private long place;
    private int quiet;
    private int stuck;

    EventSubscription(EventRingBuffer ring, HttpServerResponse response, long place) {
        this.ring = ring;
        this.response = response;
        this.place = place;
    }

    void startStream() {
        response.setChunked(true)
                .setWriteQueueMaxSize(BUFFERED)
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("X-Accel-Buffering", "no");
        write(": flotilla\n\n");
    }

    /** Tells that events behind a number are no longer here, so that the listener asks for the state again. */
    void sendGap(long after) {
        JsonWriter out = new JsonWriter();
        out.beginObject();
        out.name("after");
        out.integer(after);
        out.endObject();
        write("event: gap\ndata: " + text(out) + "\n\n");
    }

    /** Writes what there is. Called in each period of the given length; says whether the listener is still there. */
    boolean sendNextEvents(Duration period) {
        if (response.closed() || response.ended()) {
            return false;
        }
        if (response.writeQueueFull()) {
            stuck++;
            return keep(period.multipliedBy(stuck).compareTo(STUCK) < 0);
        }
        stuck = 0;
        if (place < ring.firstIndex()) {
            return keep(false);
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < BATCH && place < ring.nextIndex(); i++) {
            FleetEvent event = ring.eventAt(place);
            if (event == null) {
                return keep(false);
            }
            append(out, event);
            place++;
        }
        quiet = out.isEmpty() ? quiet + 1 : 0;
        if (period.multipliedBy(quiet).compareTo(KEEP_ALIVE) >= 0) {
            quiet = 0;
            out.append(": keep-alive\n\n");
        }
        if (!out.isEmpty()) {
            write(out.toString());
        }
        return true;
    }

    private boolean keep(boolean is) {
        if (!is) {
            response.reset();
        }
        return is;
    }

    private static void append(StringBuilder out, FleetEvent event) {
        JsonWriter json = new JsonWriter();
        FleetEvent.CODEC.write(json, event);
        // Control characters are escaped in JSON, so an event cannot end its own frame.
        out.append("id: ")
                .append(event.seq())
                .append("\nevent: ")
                .append(event.event())
                .append("\ndata: ")
                .append(text(json))
                .append("\n\n");
    }

    private static String text(JsonWriter json) {
        return new String(json.toBytes(), StandardCharsets.UTF_8);
    }

    private void write(String text) {
        response.write(Buffer.buffer(text)).onFailure(gone -> response.reset());
    }
}
