package dev.flotilla.nodeworker;

import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.runtime.metrics.MetricLabel;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The metrics of a node-worker. */
final class NodeWorkerMetrics {
    private final Map<AttemptOutcome, Counter> completedAttempts = new EnumMap<>(AttemptOutcome.class);
    private final AtomicInteger partitions = new AtomicInteger();
    private final AtomicInteger attempts = new AtomicInteger();
    private final MeterRegistry registry;
    private final Counter calls;
    private final Counter polls;
    private final Counter failedChecks;
    private final Counter failedCleanups;
    private final Map<String, Counter> kafkaFailures = new TreeMap<>();

    NodeWorkerMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (AttemptOutcome attemptOutcome : AttemptOutcome.values()) {
            completedAttempts.put(
                    attemptOutcome,
                    Counter.builder("flotilla.worker.attempts.completed")
                            .description("Attempts that have ended, by outcome.")
                            .tags(List.of(MetricLabel.OUTCOME.of(attemptOutcome, attemptOutcome.label())))
                            .register(registry));
        }
        calls = counter(registry, "flotilla.worker.calls", "Refresh calls that were sent or tried.");
        polls = counter(registry, "flotilla.worker.polls", "Polls of a change's status.");
        failedChecks = counter(registry, "flotilla.worker.checks.failed", "Health checks around calls that failed.");
        failedCleanups = counter(
                registry, "flotilla.worker.cleanup.failures", "Machines whose guards or cordon could not be removed.");
        for (KafkaFailure.Kind kind : KafkaFailure.Kind.values()) {
            kafkaFailures.put(
                    kind.label(),
                    Counter.builder("flotilla.worker.kafka.failures")
                            .description("Kafka operations that failed, by reason.")
                            .tags(List.of(MetricLabel.REASON.of(kind, kind.label())))
                            .register(registry));
        }
        gauge(
                registry,
                "flotilla.worker.partitions",
                "Partitions of the site's commands that this worker owns.",
                partitions);
        gauge(registry, "flotilla.worker.attempts", "Attempts that this worker is running.", attempts);
    }

    /** Registers gauges whose values are read at each scrape. */
    void registerGauges(Supplier<Number> tunnels, Supplier<Number> kubeconfigExpiry) {
        Gauge.builder("flotilla.worker.tunnels", tunnels)
                .description("Port-forwards to nodes that are open.")
                .register(registry);
        Gauge.builder("flotilla.worker.kubeconfig.expiry.timestamp", kubeconfigExpiry)
                .description("When the first kubeconfig of a cluster in use expires, in seconds since the epoch; NaN if"
                        + " none expires.")
                .baseUnit("seconds")
                .register(registry);
    }

    private static Counter counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    private static void gauge(MeterRegistry registry, String name, String description, AtomicInteger value) {
        Gauge.builder(name, value, AtomicInteger::get).description(description).register(registry);
    }

    void countCall() {
        calls.increment();
    }

    void countPoll() {
        polls.increment();
    }

    void countAttempt(AttemptOutcome outcome) {
        Objects.requireNonNull(completedAttempts.get(outcome)).increment();
    }

    void countFailedCheck() {
        failedChecks.increment();
    }

    void countFailedCleanup() {
        failedCleanups.increment();
    }

    void countKafkaFailure(String reason) {
        Objects.requireNonNull(kafkaFailures.get(reason)).increment();
    }

    void setOwnership(int nowPartitions, int nowAttempts) {
        partitions.set(nowPartitions);
        attempts.set(nowAttempts);
    }
}
