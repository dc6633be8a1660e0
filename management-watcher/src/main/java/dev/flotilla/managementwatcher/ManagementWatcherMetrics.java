package dev.flotilla.managementwatcher;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/** What a management-watcher counts. Fed by the loop, read by whoever scrapes. */
final class ManagementWatcherMetrics {
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();
    private final Counter records;
    private final Counter unseen;
    private final Counter amended;
    private final Counter unamended;
    private final Counter kafkaFailures;

    ManagementWatcherMetrics(MeterRegistry registry) {
        records = counter(registry, "flotilla.watcher.records", "Records that were written into the site's tables.");
        unseen = counter(registry, "flotilla.watcher.unseen", "Lists and watches that failed or broke off.");
        amended = counter(registry, "flotilla.watcher.amended", "Writes to objects.");
        unamended = counter(registry, "flotilla.watcher.unamended", "Writes to objects that failed.");
        kafkaFailures = counter(registry, "flotilla.watcher.kafka.failures", "What Kafka did not do.");
        registry.gauge("flotilla.watcher.writes", writes);
        registry.gauge("flotilla.watcher.missing", held);
    }

    private static Counter counter(MeterRegistry registry, String name, String what) {
        return Counter.builder(name).description(what).register(registry);
    }

    void published(int count) {
        records.increment(count);
    }

    void unseen() {
        unseen.increment();
    }

    void amended() {
        amended.increment();
    }

    void unamended() {
        unamended.increment();
    }

    void kafkaFailed() {
        kafkaFailures.increment();
    }

    void held(int machines) {
        held.set(machines);
    }

    void writes(boolean now) {
        writes.set(now ? 1 : 0);
    }
}
