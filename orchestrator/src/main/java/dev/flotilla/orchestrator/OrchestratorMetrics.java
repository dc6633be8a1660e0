package dev.flotilla.orchestrator;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.OpenTransaction;
import dev.flotilla.orchestrator.state.ReplicaRole;
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

/** Metrics of the decision loop. The loop's thread updates them; scrapes read them. */
final class OrchestratorMetrics {
    private final Map<DecisionEvent, Counter> decisionCounters = new EnumMap<>(DecisionEvent.class);
    private final Map<RejectionReason, Counter> rejectionCounters = new EnumMap<>(RejectionReason.class);
    private final Map<ReplicaRole, AtomicInteger> replicaRoleGauges = new EnumMap<>(ReplicaRole.class);
    private final AtomicLong seq = new AtomicLong();
    private final AtomicInteger suspendedSites = new AtomicInteger();
    private final Map<KafkaFailure.Kind, Counter> stateResetCounters = new EnumMap<>(KafkaFailure.Kind.class);
    private final Timer commitTimer;
    private final Timer inputDelayTimer;
    private final Counter recordsWritten;
    private final Counter failedDecisions;
    private final MultiGauge blockedInputs;
    private final Timer restoreTimer;

    OrchestratorMetrics(MeterRegistry registry) {
        for (DecisionEvent event : DecisionEvent.values()) {
            decisionCounters.put(
                    event,
                    Counter.builder("flotilla.decisions")
                            .description("Decisions committed, by event.")
                            .tags(List.of(MetricLabel.EVENT.of(event, event.label())))
                            .register(registry));
        }
        for (RejectionReason reason : RejectionReason.values()) {
            rejectionCounters.put(
                    reason,
                    Counter.builder("flotilla.rejected")
                            .description("Input records rejected, by reason.")
                            .tags(List.of(MetricLabel.REASON.of(reason, reason.label())))
                            .register(registry));
        }
        for (ReplicaRole role : ReplicaRole.values()) {
            AtomicInteger gauge = new AtomicInteger();
            replicaRoleGauges.put(role, gauge);
            Gauge.builder("flotilla.replica.role", gauge, AtomicInteger::get)
                    .description("1 for this replica's current role, 0 for the other roles.")
                    .tags(List.of(MetricLabel.ROLE.of(role, role.label())))
                    .register(registry);
        }
        for (KafkaFailure.Kind kind : KafkaFailure.Kind.values()) {
            stateResetCounters.put(
                    kind,
                    Counter.builder("flotilla.state.resets")
                            .description(
                                    "Times that this replica dropped its state and restored it, by the Kafka failure"
                                            + " that caused it.")
                            .tags(List.of(MetricLabel.REASON.of(kind, kind.label())))
                            .register(registry));
        }
        Gauge.builder("flotilla.seq", seq, AtomicLong::get)
                .description("Number of the newest decision that this process committed.")
                .register(registry);
        Gauge.builder("flotilla.sites.suspended", suspendedSites, AtomicInteger::get)
                .description("Suspended sites: this process cannot use their topics.")
                .register(registry);
        blockedInputs = MultiGauge.builder("flotilla.inputs.blocked")
                .description("Input partitions that another producer's open transaction blocks, by table;"
                        + " the site is empty for a table of the fleet.")
                .register(registry);
        setBlockedInputs(List.of());
        failedDecisions = Counter.builder("flotilla.decisions.failed")
                .description(
                        "Decisions that failed because of a bug. A subject that fails twice is parked and listed as"
                                + " rejected.")
                .register(registry);
        inputDelayTimer = Timer.builder("flotilla.input.delay")
                .description("Time from the broker's append of a transaction's oldest input to the commit.")
                .register(registry);
        commitTimer = Timer.builder("flotilla.commit")
                .description("Duration of a transaction.")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofSeconds(10))
                .register(registry);
        recordsWritten = Counter.builder("flotilla.records.written")
                .description("Rows and journal records written.")
                .register(registry);
        restoreTimer = Timer.builder("flotilla.restore")
                .description("Time to restore the tables.")
                .register(registry);
    }

    void setReplicaRole(ReplicaRole now) {
        replicaRoleGauges.forEach((role, gauge) -> gauge.set(role == now ? 1 : 0));
    }

    void countCommit(List<Decision> decisions, int written, long millis) {
        for (Decision decision : decisions) {
            Counter counter = decisionCounters.get(decision.event());
            if (counter != null) {
                counter.increment();
            }
            seq.set(decision.seq());
        }
        recordsWritten.increment(written);
        commitTimer.record(millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Sets the open transactions that block inputs now. Every table of the fleet has a series, with 0 if nothing blocks
     * it.
     */
    void setBlockedInputs(List<OpenTransaction> now) {
        Map<Tags, Integer> counts = new LinkedHashMap<>();
        OrchestratorPartitions.inputsOfFleet().forEach(tablePartition -> counts.put(tags(tablePartition), 0));
        now.forEach(open -> counts.merge(tags(open.partition()), 1, Integer::sum));
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        counts.forEach((tags, count) -> rows.add(MultiGauge.Row.of(tags, count)));
        blockedInputs.register(rows, true);
    }

    private static Tags tags(TablePartition tablePartition) {
        SiteId site = tablePartition.site();
        return Tags.of(
                MetricLabel.TABLE.of(
                        tablePartition.table(), tablePartition.table().label()),
                Tag.of(MetricLabel.SITE.label(), site == null ? "" : site.name()));
    }

    void countFailedDecision() {
        failedDecisions.increment();
    }

    void recordInputDelay(long millis) {
        inputDelayTimer.record(millis, TimeUnit.MILLISECONDS);
    }

    void countStateReset(KafkaFailure.Kind kind) {
        Counter counter = stateResetCounters.get(kind);
        if (counter != null) {
            counter.increment();
        }
    }

    void recordRestore(long millis) {
        restoreTimer.record(millis, TimeUnit.MILLISECONDS);
    }

    void countRejection(RejectionReason reason) {
        Counter counter = rejectionCounters.get(reason);
        if (counter != null) {
            counter.increment();
        }
    }

    void countSiteChange(boolean usable) {
        suspendedSites.addAndGet(usable ? -1 : 1);
    }
}
