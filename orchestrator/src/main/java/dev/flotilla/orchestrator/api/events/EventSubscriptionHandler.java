package dev.flotilla.orchestrator.api.events;

import dev.flotilla.orchestrator.api.request.RequestParameters;
import dev.flotilla.orchestrator.state.EventRingBuffer;
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

/** Handles requests for the event stream. One timer serves all subscriptions and runs only while there are any. */
public final class EventSubscriptionHandler {
    public static final String LAST_EVENT_ID = "Last-Event-ID";
    static final int MAX_SUBSCRIPTIONS = 64;

    /** Fast enough for a reader; pushing every event would delay the loop that publishes. */
    private static final Duration PERIOD = Duration.ofMillis(100);

    private static final long NO_TIMER = -1;

    private final Vertx vertx;
    private final EventRingBuffer eventBuffer;
    private final List<EventSubscription> subscriptions = new ArrayList<>();
    private final AtomicInteger listeners = new AtomicInteger();
    private long timer = NO_TIMER;

    public EventSubscriptionHandler(Vertx vertx, EventRingBuffer eventBuffer) {
        this.vertx = vertx;
        this.eventBuffer = eventBuffer;
    }

    /** The number of clients, for a gauge. */
    public int countListeners() {
        return listeners.get();
    }

    public void handle(RoutingContext ctx) {
        RequestParameters requestParameters = new RequestParameters(ctx, List.of(RequestParameters.AFTER));
        String header = ctx.request().getHeader(LAST_EVENT_ID);
        String query = ctx.queryParams().get("after");
        String text = header != null ? header : query;
        HttpErrorResponse problem = requestParameters.problem();
        if (problem == null && text != null && !text.matches("[0-9]{1,18}")) {
            problem = new HttpErrorResponse(
                    400,
                    "bad-parameter",
                    LAST_EVENT_ID + " \"" + RedactedText.redact(text) + "\" must be the number of an event.",
                    null);
        }
        if (problem == null && subscriptions.size() >= MAX_SUBSCRIPTIONS) {
            problem = HttpErrorResponse.unavailable(
                    "busy", MAX_SUBSCRIPTIONS + " clients follow the events, which is the limit.", "try again later");
        }
        if (problem != null) {
            problem.send(ctx.response());
        } else {
            subscribe(ctx, text);
        }
    }

    private void subscribe(RoutingContext ctx, @Nullable String last) {
        long after = last == null ? 0 : Long.parseLong(last);
        long position = last == null ? eventBuffer.nextIndex() : eventBuffer.indexAfter(after);
        EventSubscription subscription = new EventSubscription(eventBuffer, ctx.response(), position);
        subscription.startStream();
        if (ctx.request().method().equals(HttpMethod.HEAD)) {
            ctx.response().end();
            return;
        }
        if (last != null && isGap(position, after)) {
            subscription.sendGap(after);
        }
        subscriptions.add(subscription);
        listeners.set(subscriptions.size());
        subscription.sendNextEvents(Duration.ZERO);
        if (timer == NO_TIMER) {
            timer = vertx.setPeriodic(PERIOD.toMillis(), tick -> sendNextEvents());
        }
    }

    /** Whether events between a number and the oldest one in the buffer may be missing. */
    private boolean isGap(long position, long after) {
        boolean oldest = position == eventBuffer.firstIndex();
        var first = position < eventBuffer.nextIndex() ? eventBuffer.eventAt(position) : null;
        return oldest && (first == null ? after > 0 : first.seq() > after + 1);
    }

    private void sendNextEvents() {
        subscriptions.removeIf(subscription -> !subscription.sendNextEvents(PERIOD));
        listeners.set(subscriptions.size());
        if (subscriptions.isEmpty()) {
            vertx.cancelTimer(timer);
            timer = NO_TIMER;
        }
    }
}
