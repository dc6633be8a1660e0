package dev.flotilla.managementwatcher;

import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.managementwatcher.event.ObjectWriteKind;
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

/** The metrics of a management-watcher. */
final class ManagementWatcherMetrics {
    private final AtomicInteger active = new AtomicInteger();
    private final AtomicInteger withheldRemovals = new AtomicInteger();
    private final AtomicInteger modeConflict = new AtomicInteger();
    private final Map<SiteMode, AtomicInteger> modes = new EnumMap<>(SiteMode.class);
    private final Counter publishedRecords;
    private final Counter failedLists;
    private final Counter storeRestores;
    private final Map<ObjectWriteKind, Counter> writes = new EnumMap<>(ObjectWriteKind.class);
    private final Map<ObjectWriteKind, Counter> failedWrites = new EnumMap<>(ObjectWriteKind.class);
    private final Map<String, Counter> kafkaFailures = new TreeMap<>();

    ManagementWatcherMetrics(MeterRegistry registry) {
        publishedRecords =
                counter(registry, "flotilla.watcher.records", "Records that were written into the site's tables.");
        failedLists = counter(registry, "flotilla.watcher.list.watch.failures", "Lists and watches that failed.");
        storeRestores = counter(
                registry,
                "flotilla.watcher.store.restores",
                "Times that the resource versions of a kind decreased, as after a restore of etcd.");
        for (ObjectWriteKind kind : ObjectWriteKind.values()) {
            writes.put(kind, writeCounter(registry, kind, "written"));
            failedWrites.put(kind, writeCounter(registry, kind, "failed"));
        }
        for (KafkaFailure.Kind kind : KafkaFailure.Kind.values()) {
            kafkaFailures.put(
                    kind.label(),
                    Counter.builder("flotilla.watcher.kafka.failures")
                            .description("Kafka operations that failed, by reason.")
                            .tags(Tags.of(MetricLabel.REASON.of(kind, kind.label())))
                            .register(registry));
        }
        Tags none = Tags.empty();
        gauge(
                registry,
                "flotilla.watcher.active",
                "1 while this process is the writer of its site's tables.",
                none,
                active);
        gauge(
                registry,
                "flotilla.watcher.withheld.removals",
                "Deleted machines whose removal is withheld as a mass removal.",
                none,
                withheldRemovals);
        gauge(
                registry,
                "flotilla.watcher.mode.conflict",
                "1 while the site's mode conflicts with what runs there.",
                none,
                modeConflict);
        for (SiteMode each : SiteMode.values()) {
            AtomicInteger flag = new AtomicInteger();
            modes.put(each, flag);
            gauge(
                    registry,
                    "flotilla.watcher.mode",
                    "1 for the mode of the site, 0 for the other modes.",
                    Tags.of(MetricLabel.STATE.of(each, each.label())),
                    flag);
        }
    }

    private static Counter counter(MeterRegistry registry, String name, String what) {
        return Counter.builder(name).description(what).register(registry);
    }

    private static Counter writeCounter(MeterRegistry registry, ObjectWriteKind kind, String result) {
        return Counter.builder("flotilla.watcher.object.writes")
                .description("Writes to objects, by what they change. Failed writes are retried.")
                .tags(Tags.of(MetricLabel.KIND.of(kind, kind.label())).and(MetricLabel.RESULT.label(), result))
                .register(registry);
    }

    private static void gauge(MeterRegistry registry, String name, String what, Tags tags, AtomicInteger value) {
        Gauge.builder(name, value, AtomicInteger::get)
                .description(what)
                .tags(tags)
                .register(registry);
    }

    void countPublished(int count) {
        publishedRecords.increment(count);
    }

    void countFailedList() {
        failedLists.increment();
    }

    void countStoreRestore() {
        storeRestores.increment();
    }

    void countWrite(ObjectWriteKind kind) {
        Objects.requireNonNull(writes.get(kind)).increment();
    }

    void countFailedWrite(ObjectWriteKind kind) {
        Objects.requireNonNull(failedWrites.get(kind)).increment();
    }

    void countKafkaFailure(String reason) {
        Objects.requireNonNull(kafkaFailures.get(reason)).increment();
    }

    void setWithheldRemovals(int machines) {
        withheldRemovals.set(machines);
    }

    void setMode(SiteMode found, boolean conflict) {
        modes.forEach((mode, flag) -> flag.set(mode == found ? 1 : 0));
        modeConflict.set(conflict ? 1 : 0);
    }

    void setActive(boolean now) {
        active.set(now ? 1 : 0);
    }
}
