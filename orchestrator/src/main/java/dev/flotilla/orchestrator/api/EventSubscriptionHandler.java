package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.view.EventRingBuffer;
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
final class EventSubscriptionHandler {
    static final String LAST = "Last-Event-ID";
    static final int MOST = 64;

    /** Fast enough for eyes; a push for every event would cost the loop that publishes. */
    private static final Duration PERIOD = Duration.ofMillis(100);

    private static final long NO_TIMER = -1;

    private final Vertx vertx;
    private final EventRingBuffer ring;
    private final List<EventSubscription> streams = new ArrayList<>();
    private final AtomicInteger countListeners = new AtomicInteger();
    private long timer = NO_TIMER;

    EventSubscriptionHandler(Vertx vertx, EventRingBuffer ring) {
        this.vertx = vertx;
        this.ring = ring;
    }

    /** How many listen, for a gauge. */
    int countListeners() {
        return countListeners.get();
    }

    void handle(RoutingContext ctx) {
        RequestParameters requestParameters = new RequestParameters(ctx, List.of(PageParameters.AFTER));
        String header = ctx.request().getHeader(LAST);
        String query = ctx.queryParams().get("after");
        String text = header != null ? header : query;
        HttpErrorResponse problem = requestParameters.problem();
        if (problem == null && text != null && !text.matches("[0-9]{1,18}")) {
            problem = new HttpErrorResponse(
                    400,
                    "bad-parameter",
                    LAST + " \"" + RedactedText.redact(text) + "\" must be an event's number.",
                    null);
        }
        if (problem == null && streams.size() >= MOST) {
            problem = HttpErrorResponse.unavailable(
                    "busy", MOST + " listeners are as many as are served.", "ask again later");
        }
        if (problem != null) {
            problem.send(ctx.response());
        } else {
            listen(ctx, text);
        }
    }

    private void listen(RoutingContext ctx, @Nullable String last) {
        long after = last == null ? 0 : Long.parseLong(last);
        long place = last == null ? ring.nextIndex() : ring.indexAfter(after);
        EventSubscription stream = new EventSubscription(ring, ctx.response(), place);
        stream.startStream();
        if (ctx.request().method().equals(HttpMethod.HEAD)) {
            ctx.response().end();
            return;
        }
        if (last != null && isGap(place, after)) {
            stream.sendGap(after);
        }
        streams.add(stream);
        countListeners.set(streams.size());
        stream.sendNextEvents(Duration.ZERO);
        if (timer == NO_TIMER) {
            timer = vertx.setPeriodic(PERIOD.toMillis(), tick -> advance());
        }
    }

    /** Whether events between a number and the first that is still here may have been lost. */
    private boolean isGap(long place, long after) {
        boolean oldest = place == ring.firstIndex();
        var first = place < ring.nextIndex() ? ring.eventAt(place) : null;
        return oldest && (first == null ? after > 0 : first.seq() > after + 1);
    }

    private void advance() {
        streams.removeIf(stream -> !stream.sendNextEvents(PERIOD));
        countListeners.set(streams.size());
        if (streams.isEmpty()) {
            vertx.cancelTimer(timer);
            timer = NO_TIMER;
        }
    }
}
