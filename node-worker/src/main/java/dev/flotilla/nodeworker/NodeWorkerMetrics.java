package dev.flotilla.nodeworker;

import dev.flotilla.runtime.kafka.KafkaFailure;
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

/** What a node-worker counts. Fed by the loop, read by whoever scrapes. */
final class NodeWorkerMetrics {
    private final Map<AttemptOutcome, Counter> ends = new EnumMap<>(AttemptOutcome.class);
    private final AtomicInteger partitions = new AtomicInteger();
    private final AtomicInteger attempts = new AtomicInteger();
    private final MeterRegistry registry;
    private final Counter calls;
    private final Counter polls;
    private final Counter checksFailed;
    private final Counter countFailedCleanup;
    private final Map<String, Counter> kafkaFailures = new TreeMap<>();

    NodeWorkerMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (AttemptOutcome attemptOutcome : AttemptOutcome.values()) {
            ends.put(
                    attemptOutcome,
                    Counter.builder("flotilla.worker.attempts.completed")
                            .description("Attempts that have ended, by how.")
                            .tags(List.of(MetricLabel.OUTCOME.of(attemptOutcome, attemptOutcome.label())))
                            .register(registry));
        }
        calls = counter(registry, "flotilla.worker.calls", "Calls that were begun.");
        polls = counter(registry, "flotilla.worker.polls", "Questions how a change stands.");
        checksFailed = counter(
                registry,
                "flotilla.worker.checks.failed",
                "Checks around calls that did not hold when they were asked.");
        countFailedCleanup =
                counter(registry, "flotilla.worker.cleanup.failures", "Machines whose guards or cordon stayed.");
        for (KafkaFailure.Kind kind : KafkaFailure.Kind.values()) {
            kafkaFailures.put(
                    kind.label(),
                    Counter.builder("flotilla.worker.kafka.failures")
                            .description("What Kafka did not do, by why.")
                            .tags(List.of(MetricLabel.REASON.of(kind, kind.label())))
                            .register(registry));
        }
        gauge(registry, "flotilla.worker.partitions", "Partitions of the site's machines that it owns.", partitions);
        gauge(registry, "flotilla.worker.attempts", "Attempts that it is at.", attempts);
    }

    /** What is asked when somebody scrapes. */
    void registerGauges(Supplier<Number> tunnels, Supplier<Number> kubeconfigExpiry) {
        Gauge.builder("flotilla.worker.tunnels", tunnels)
                .description("Port-forwards to nodes that are open.")
                .register(registry);
        Gauge.builder("flotilla.worker.kubeconfig.expiry.timestamp", kubeconfigExpiry)
                .description(
                        "When the first kubeconfig of a cluster in use expires, in seconds since the epoch; NaN if none expires.")
                .baseUnit("seconds")
                .register(registry);
    }

    private static Counter counter(MeterRegistry registry, String name, String what) {
        return Counter.builder(name).description(what).register(registry);
    }

    private static void gauge(MeterRegistry registry, String name, String what, AtomicInteger value) {
        Gauge.builder(name, value, AtomicInteger::get).description(what).register(registry);
    }

    void countCall() {
        calls.increment();
    }

    void countPoll() {
        polls.increment();
    }

    void countAttempt(AttemptOutcome how) {
        Objects.requireNonNull(ends.get(how)).increment();
    }

    void countFailedCheck() {
        checksFailed.increment();
    }

    void countFailedCleanup() {
        countFailedCleanup.increment();
    }

    void countKafkaFailure(String reason) {
        Objects.requireNonNull(kafkaFailures.get(reason)).increment();
    }

    void setOwnership(int nowPartitions, int nowAttempts) {
        partitions.set(nowPartitions);
        attempts.set(nowAttempts);
    }
}
