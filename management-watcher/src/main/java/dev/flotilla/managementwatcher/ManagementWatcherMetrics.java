package dev.flotilla.managementwatcher;

import dev.flotilla.managementwatcher.mode.DetectedSiteMode;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.metrics.MetricLabel;
import dev.flotilla.schemas.row.SiteMode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What a management-watcher counts. Fed by the loop, read by whoever scrapes. */
final class ManagementWatcherMetrics {
    private final AtomicInteger setActive = new AtomicInteger();
    private final AtomicInteger setWithheldRemovals = new AtomicInteger();
    private final AtomicInteger doubt = new AtomicInteger();
    private final Map<SiteMode, AtomicInteger> modes = new EnumMap<>(SiteMode.class);
    private final Counter records;
    private final Counter countFailedList;
    private final Counter countStoreRestore;
    private final Counter countAnnotationWrite;
    private final Counter countConditionWrite;
    private final Counter countFailedWrite;
    private final Map<String, Counter> kafkaFailures = new TreeMap<>();

    ManagementWatcherMetrics(MeterRegistry registry) {
        records = counter(registry, "flotilla.watcher.records", "Records that were written into the site's tables.");
        countFailedList = counter(registry, "flotilla.watcher.unseen", "Lists and watches that failed or broke off.");
        countStoreRestore = counter(
                registry,
                "flotilla.watcher.versions.back",
                "Kinds of objects whose resource versions went back, as after a restore of etcd.");
        countAnnotationWrite = counter(registry, "flotilla.watcher.amended", "Writes to objects.");
        countConditionWrite = counter(registry, "flotilla.watcher.conditioned", "Writes to conditions of objects.");
        countFailedWrite = counter(registry, "flotilla.watcher.unamended", "Writes to objects that failed.");
        for (KafkaFailure.Kind kind : KafkaFailure.Kind.values()) {
            kafkaFailures.put(
                    kind.label(),
                    Counter.builder("flotilla.watcher.kafka.failures")
                            .description("What Kafka did not do, by why.")
                            .tags(Tags.of(MetricLabel.REASON.of(kind, kind.label())))
                            .register(registry));
        }
        Tags none = Tags.empty();
        gauge(registry, "flotilla.watcher.writes", "1 while it is the one writer of its site.", none, setActive);
        gauge(
                registry,
                "flotilla.watcher.missing",
                "Machines that vanished at once and are held back.",
                none,
                setWithheldRemovals);
        gauge(
                registry,
                "flotilla.watcher.mode.doubt",
                "1 while something speaks against the site's mode.",
                none,
                doubt);
        for (SiteMode each : SiteMode.values()) {
            AtomicInteger is = new AtomicInteger();
            modes.put(each, is);
            gauge(
                    registry,
                    "flotilla.watcher.mode",
                    "1 for the mode of the site, 0 for the rest.",
                    Tags.of(MetricLabel.STATE.of(each, each.label())),
                    is);
        }
    }

    private static Counter counter(MeterRegistry registry, String name, String what) {
        return Counter.builder(name).description(what).register(registry);
    }

    private static void gauge(MeterRegistry registry, String name, String what, Tags tags, AtomicInteger value) {
        Gauge.builder(name, value, AtomicInteger::get)
                .description(what)
                .tags(tags)
                .register(registry);
    }

    void countPublished(int count) {
        records.increment(count);
    }

    void countFailedList() {
        countFailedList.increment();
    }

    void countStoreRestore() {
        countStoreRestore.increment();
    }

    void countAnnotationWrite() {
        countAnnotationWrite.increment();
    }

    void countConditionWrite() {
        countConditionWrite.increment();
    }

    void countFailedWrite() {
        countFailedWrite.increment();
    }

    void countKafkaFailure(String reason) {
        Objects.requireNonNull(kafkaFailures.get(reason)).increment();
    }

    void setWithheldRemovals(int machines) {
        setWithheldRemovals.set(machines);
    }

    void setMode(DetectedSiteMode found) {
        modes.forEach((mode, is) -> is.set(mode == found.mode() ? 1 : 0));
        doubt.set(found.modeConflict() == null ? 0 : 1);
    }

    void setActive(boolean now) {
        setActive.set(now ? 1 : 0);
    }
}
