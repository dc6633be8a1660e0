package dev.flotilla.orchestrator.api.events;

import dev.flotilla.orchestrator.state.EventRingBuffer;
import dev.flotilla.orchestrator.state.FleetEvent;
import dev.flotilla.schemas.json.tree.JsonWriter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The event stream of one client, as server-sent events. It reads the event buffer at its own position when the
 * connection accepts more data, so a slow client needs no memory. A client that falls behind the buffer, or accepts
 * nothing for {@link #STALL_LIMIT}, is disconnected and may resume.
 */
final class EventSubscription {
    /** Limit of bytes that wait in the connection; above it nothing is written. */
    static final int MAX_BUFFERED_BYTES = 64 * 1024;

    /** Events written at once, so that one client does not delay the others. */
    private static final int BATCH = 256;

    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
    private static final Duration STALL_LIMIT = Duration.ofSeconds(30);

    private final EventRingBuffer eventBuffer;
    private final HttpServerResponse response;
    private long position;
    private int quietPeriods;
    private int stalledPeriods;

    EventSubscription(EventRingBuffer eventBuffer, HttpServerResponse response, long position) {
        this.eventBuffer = eventBuffer;
        this.response = response;
        this.position = position;
    }

    void startStream() {
        response.setChunked(true)
                .setWriteQueueMaxSize(MAX_BUFFERED_BYTES)
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("X-Accel-Buffering", "no");
        write(": flotilla\n\n");
    }

    /** Sends that events after a number are missing, so that the client reads the state again. */
    void sendGap(long after) {
        JsonWriter out = new JsonWriter();
        out.beginObject();
        out.name("after");
        out.integer(after);
        out.endObject();
        write("event: gap\ndata: " + text(out) + "\n\n");
    }

    /** Writes the next events. Called once in each period; returns whether the client is still connected. */
    boolean sendNextEvents(Duration period) {
        if (response.closed() || response.ended()) {
            return false;
        }
        if (response.writeQueueFull()) {
            stalledPeriods++;
            return resetUnless(period.multipliedBy(stalledPeriods).compareTo(STALL_LIMIT) < 0);
        }
        stalledPeriods = 0;
        if (position < eventBuffer.firstIndex()) {
            return resetUnless(false);
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < BATCH && position < eventBuffer.nextIndex(); i++) {
            FleetEvent event = eventBuffer.eventAt(position);
            if (event == null) {
                return resetUnless(false);
            }
            append(out, event);
            position++;
        }
        quietPeriods = out.isEmpty() ? quietPeriods + 1 : 0;
        if (period.multipliedBy(quietPeriods).compareTo(KEEP_ALIVE) >= 0) {
            quietPeriods = 0;
            out.append(": keep-alive\n\n");
        }
        if (!out.isEmpty()) {
            write(out.toString());
        }
        return true;
    }

    private boolean resetUnless(boolean connected) {
        if (!connected) {
            response.reset();
        }
        return connected;
    }

    private static void append(StringBuilder out, FleetEvent event) {
        JsonWriter json = new JsonWriter();
        FleetEvent.CODEC.write(json, event);
        // JSON escapes control characters, so an event cannot end its own frame.
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
        response.write(Buffer.buffer(text)).onFailure(failure -> response.reset());
    }
}
