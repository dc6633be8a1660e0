package dev.flotilla.nodeupgrader;

import dev.flotilla.nodeupgrader.contract.FailureReason;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import dev.flotilla.runtime.metrics.MetricLabel;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The metrics of a node-upgrader. */
final class NodeUpgraderMetrics {
    private final Map<NodeUpgradePhase, Counter> ended = new EnumMap<>(NodeUpgradePhase.class);
    private final Map<FailureReason, Counter> failures = new EnumMap<>(FailureReason.class);
    private final AtomicInteger open = new AtomicInteger();
    private final Counter jobs;
    private final Counter failedRequests;

    NodeUpgraderMetrics(MeterRegistry registry, NodeSilenceMeter silenceMeter) {
        for (NodeUpgradePhase phase : NodeUpgradePhase.values()) {
            if (phase.isFinal()) {
                ended.put(
                        phase,
                        Counter.builder("flotilla.upgrader.upgrades.ended")
                                .description("NodeUpgrades that have ended, by outcome.")
                                .tags(List.of(MetricLabel.OUTCOME.of(phase, phase.label())))
                                .register(registry));
            }
        }
        for (FailureReason reason : FailureReason.values()) {
            failures.put(
                    reason,
                    Counter.builder("flotilla.upgrader.upgrades.failed")
                            .description("NodeUpgrades that have failed, by reason.")
                            .tags(List.of(MetricLabel.REASON.of(reason, reason.label())))
                            .register(registry));
        }
        jobs = counter(registry, "flotilla.upgrader.jobs.requested", "Jobs that were created or tried to be.");
        failedRequests = counter(
                registry, "flotilla.upgrader.requests.failed", "Requests to API servers that failed and are retried.");
        Gauge.builder("flotilla.upgrader.upgrades.open", open, AtomicInteger::get)
                .description("NodeUpgrades that have not ended.")
                .register(registry);
        Gauge.builder("flotilla.upgrader.upgrades.overdue", silenceMeter, NodeSilenceMeter::overdueUpgrades)
                .description("NodeUpgrades that run after their deadlines: a step that ran has not ended.")
                .register(registry);
        Gauge.builder("flotilla.upgrader.silent.seconds", silenceMeter, NodeSilenceMeter::longestSilenceSeconds)
                .description("Longest time for which the node of an upgrade that runs has not reported.")
                .register(registry);
    }

    private static Counter counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    void setOpen(int openUpgrades) {
        open.set(openUpgrades);
    }

    void countEnd(NodeUpgradePhase phase) {
        Objects.requireNonNull(ended.get(phase)).increment();
    }

    void countFailure(@Nullable String reason) {
        failures.forEach((each, counter) -> {
            if (each.label().equals(reason)) {
                counter.increment();
            }
        });
    }

    void countJob() {
        jobs.increment();
    }

    void countFailedRequest() {
        failedRequests.increment();
    }
}
