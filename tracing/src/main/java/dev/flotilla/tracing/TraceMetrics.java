package dev.flotilla.tracing;

import dev.flotilla.runtime.metrics.MetricLabel;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Metrics of the export of spans. */
public final class TraceMetrics {
    private final Map<DropReason, Counter> dropped = new EnumMap<>(DropReason.class);
    private final Counter exported;

    /** Why a span was not exported. */
    enum DropReason {
        /** Spans came faster than they were sent. */
        QUEUE_FULL("queue-full"),
        /** The collector was away, or did not accept them. */
        EXPORT_FAILED("export-failed"),
        /** They waited when the process stopped. */
        SHUTDOWN("shutdown");

        private final String label;

        DropReason(String label) {
            this.label = label;
        }
    }

    public TraceMetrics(MeterRegistry registry) {
        for (DropReason reason : DropReason.values()) {
            dropped.put(
                    reason,
                    Counter.builder("flotilla.trace.spans.dropped")
                            .description("Spans of attempts that were not exported, by reason.")
                            .tags(List.of(MetricLabel.REASON.of(reason, reason.label)))
                            .register(registry));
        }
        exported = Counter.builder("flotilla.trace.spans.exported")
                .description("Spans of attempts that the collector has accepted.")
                .register(registry);
    }

    void countDropped(DropReason reason, int spans) {
        Objects.requireNonNull(dropped.get(reason)).increment(spans);
    }

    void countExported(int spans) {
        exported.increment(spans);
    }
}
