package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.view.EventRing;
import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.schemas.json.tree.RedactedText;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Everybody who listens to events. One timer serves all of them, and runs only while there are any. */
final class EventStreams {
    static final String LAST = "Last-Event-ID";
    static final int MOST = 64;

    /** Fast enough for eyes; a push for every event would cost the loop that publishes. */
    private static final Duration PERIOD = Duration.ofMillis(100);

    private static final long NO_TIMER = -1;

    private final Vertx vertx;
    private final EventRing ring;
    private final List<EventStream> streams = new ArrayList<>();
    private final AtomicInteger listeners = new AtomicInteger();
    private long timer = NO_TIMER;

    EventStreams(Vertx vertx, EventRing ring) {
        this.vertx = vertx;
        this.ring = ring;
    }

    /** How many listen, for a gauge. */
    int listeners() {
        return listeners.get();
    }

    void handle(RoutingContext ctx) {
        Given given = new Given(ctx, List.of(Pages.AFTER));
        String header = ctx.request().getHeader(LAST);
        String query = ctx.queryParams().get("after");
        String text = header != null ? header : query;
        HttpErrorResponse problem = given.problem();
        if (problem == null && text != null && !text.matches("[0-9]{1,18}")) {
            problem = new HttpErrorResponse(
                    400, "bad-parameter", LAST + " \"" + RedactedText.redact(text) + "\" must be an event's number.", null);
        }
        if (problem == null && streams.size() >= MOST) {
            problem = HttpErrorResponse.unavailable("busy", MOST + " listeners are as many as are served.", "ask again later");
        }
        if (problem != null) {
            problem.send(ctx.response());
        } else {
            listen(ctx, text);
        }
    }

    private void listen(RoutingContext ctx, @Nullable String last) {
        long after = last == null ? 0 : Long.parseLong(last);
        long place = last == null ? ring.end() : ring.placeAfter(after);
        EventStream stream = new EventStream(ring, ctx.response(), place);
        stream.begin();
        if (ctx.request().method().equals(HttpMethod.HEAD)) {
            ctx.response().end();
            return;
        }
        if (last != null && isGap(place, after)) {
            stream.gap(after);
        }
        streams.add(stream);
        listeners.set(streams.size());
        stream.advance(Duration.ZERO);
        if (timer == NO_TIMER) {
            timer = vertx.setPeriodic(PERIOD.toMillis(), tick -> advance());
        }
    }

    /** Whether events between a number and the first that is still here may have been lost. */
    private boolean isGap(long place, long after) {
        boolean oldest = place == ring.begin();
        var first = place < ring.end() ? ring.at(place) : null;
        return oldest && (first == null ? after > 0 : first.seq() > after + 1);
    }

    private void advance() {
        streams.removeIf(stream -> !stream.advance(PERIOD));
        listeners.set(streams.size());
        if (streams.isEmpty()) {
            vertx.cancelTimer(timer);
            timer = NO_TIMER;
        }
    }
}
