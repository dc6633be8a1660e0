package dev.flotilla.orchestrator;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.orchestrator.view.ReplicaRole;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.OpenTransaction;
import dev.flotilla.runtime.metrics.MetricLabel;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.topic.TablePartition;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What the orchestrator counts. Fed by the thread that decides, read by whoever scrapes. */
final class OrchestratorMetrics {
    private final Map<DecisionEvent, Counter> events = new EnumMap<>(DecisionEvent.class);
    private final Map<RejectionReason, Counter> countRejection = new EnumMap<>(RejectionReason.class);
    private final Map<ReplicaRole, AtomicInteger> setReplicaRole = new EnumMap<>(ReplicaRole.class);
    private final AtomicLong seq = new AtomicLong();
    private final AtomicInteger aside = new AtomicInteger();
    private final Map<KafkaFailure.Kind, Counter> countStateReset = new EnumMap<>(KafkaFailure.Kind.class);
    private final Timer commits;
    private final Timer delays;
    private final Counter records;
    private final Counter countFailedDecision;
    private final MultiGauge setBlockedInputs;
    private final Timer restores;

    OrchestratorMetrics(MeterRegistry registry) {
        for (DecisionEvent event : DecisionEvent.values()) {
            events.put(
                    event,
                    Counter.builder("flotilla.decisions")
                            .description("Decisions committed, by what happened.")
                            .tags(List.of(MetricLabel.EVENT.of(event, event.label())))
                            .register(registry));
        }
        for (RejectionReason reason : RejectionReason.values()) {
            countRejection.put(
                    reason,
                    Counter.builder("flotilla.rejected")
                            .description("Records that could not be read, by why.")
                            .tags(List.of(MetricLabel.REASON.of(reason, reason.label())))
                            .register(registry));
        }
        for (ReplicaRole each : ReplicaRole.values()) {
            AtomicInteger is = new AtomicInteger();
            setReplicaRole.put(each, is);
            Gauge.builder("flotilla.standing", is, AtomicInteger::get)
                    .description("1 for what this process is to the fleet, 0 for the rest.")
                    .tags(List.of(MetricLabel.STANDING.of(each, each.label())))
                    .register(registry);
        }
        for (KafkaFailure.Kind kind : KafkaFailure.Kind.values()) {
            countStateReset.put(
                    kind,
                    Counter.builder("flotilla.dropped")
                            .description("How often all that was known was dropped and read again, by what Kafka did.")
                            .tags(List.of(MetricLabel.REASON.of(kind, kind.label())))
                            .register(registry));
        }
        Gauge.builder("flotilla.seq", seq, AtomicLong::get)
                .description("The newest decision of this process.")
                .register(registry);
        Gauge.builder("flotilla.sites.aside", aside, AtomicInteger::get)
                .description("Sites whose topics this process cannot use.")
                .register(registry);
        setBlockedInputs = MultiGauge.builder("flotilla.inputs.held.back")
                .description("Partitions of an input that an open transaction of another producer holds back, by table;"
                        + " the site is empty for a table of the fleet.")
                .register(registry);
        setBlockedInputs(List.of());
        countFailedDecision = Counter.builder("flotilla.decisions.failed")
                .description("Decisions that failed by a bug. What fails twice is parked, and stands rejected.")
                .register(registry);
        delays = Timer.builder("flotilla.input.delay")
                .description("How long the oldest input of a transaction had waited since the broker took it.")
                .register(registry);
        commits = Timer.builder("flotilla.commit")
                .description("How long a transaction takes.")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofSeconds(10))
                .register(registry);
        records = Counter.builder("flotilla.records.written")
                .description("Rows and journal records written.")
                .register(registry);
        restores = Timer.builder("flotilla.restore")
                .description("How long the tables take to be read.")
                .register(registry);
    }

    void setReplicaRole(ReplicaRole now) {
        setReplicaRole.forEach((each, gauge) -> gauge.set(each == now ? 1 : 0));
    }

    void countCommit(List<Decision> decisions, int written, long millis) {
        for (Decision decision : decisions) {
            Counter counter = events.get(decision.event());
            if (counter != null) {
                counter.increment();
            }
            seq.set(decision.seq());
        }
        records.increment(written);
        commits.record(millis, TimeUnit.MILLISECONDS);
    }

    /** These hold back inputs now. All tables of the fleet are told always, so that there is something to look at. */
    void setBlockedInputs(List<OpenTransaction> now) {
        Map<Tags, Integer> counts = new LinkedHashMap<>();
        OrchestratorPartitions.inputsOfFleet().forEach(tablePartition -> counts.put(tags(tablePartition), 0));
        now.forEach(open -> counts.merge(tags(open.partition()), 1, Integer::sum));
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        counts.forEach((tags, count) -> rows.add(MultiGauge.Row.of(tags, count)));
        setBlockedInputs.register(rows, true);
    }

    private static Tags tags(TablePartition tablePartition) {
        SiteId site = tablePartition.site();
        return Tags.of(
                MetricLabel.TABLE.of(
                        tablePartition.table(), tablePartition.table().label()),
                Tag.of(MetricLabel.SITE.label(), site == null ? "" : site.name()));
    }

    void countFailedDecision() {
        countFailedDecision.increment();
    }

    void recordInputDelay(long millis) {
        delays.record(millis, TimeUnit.MILLISECONDS);
    }

    void countStateReset(KafkaFailure.Kind why) {
        Counter counter = countStateReset.get(why);
        if (counter != null) {
            counter.increment();
        }
    }

    void recordRestore(long millis) {
        restores.record(millis, TimeUnit.MILLISECONDS);
    }

    void countRejection(RejectionReason why) {
        Counter counter = countRejection.get(why);
        if (counter != null) {
            counter.increment();
        }
    }

    void countSiteChange(boolean usable) {
        aside.addAndGet(usable ? -1 : 1);
    }
}
