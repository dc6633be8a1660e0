package dev.flotilla.tracing;

import dev.flotilla.schemas.trace.AttemptTrace;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A span of an attempt that has ended. It is derived from rows alone: a process that reports it again after a restart reports the same
 * span.
 *
 * @param spanId the root span's id of the trace, or one that the trace derives from name and start
 * @param error the label of the failure; null if it did not fail
 */
public record AttemptSpan(
        AttemptTrace trace,
        String spanId,
        String name,
        Instant startedAt,
        Instant endedAt,
        Map<SpanAttribute, String> attributes,
        @Nullable String error) {

    private static final String ROOT_NAME = "upgrade attempt";

    public AttemptSpan {
        Map<SpanAttribute, String> inOrder = new EnumMap<>(SpanAttribute.class);
        inOrder.putAll(attributes);
        attributes = Collections.unmodifiableMap(inOrder);
        // Clocks of two processes may disagree; a span that ends before its start is shown nowhere.
        endedAt = endedAt.isBefore(startedAt) ? startedAt : endedAt;
    }

    /** The span of the whole attempt. */
    public static AttemptSpan root(
            AttemptTrace trace,
            Instant startedAt,
            Instant endedAt,
            Map<SpanAttribute, String> attributes,
            @Nullable String error) {
        return new AttemptSpan(trace, trace.rootSpanId(), ROOT_NAME, startedAt, endedAt, attributes, error);
    }

    /** A span of a part of the attempt. */
    public static AttemptSpan child(
            AttemptTrace trace,
            String name,
            Instant startedAt,
            Instant endedAt,
            Map<SpanAttribute, String> attributes,
            @Nullable String error) {
        return new AttemptSpan(trace, trace.childSpanId(name, startedAt), name, startedAt, endedAt, attributes, error);
    }

    /** Whether it is the span of the whole attempt. */
    public boolean isRoot() {
        return spanId.equals(trace.rootSpanId());
    }
}
