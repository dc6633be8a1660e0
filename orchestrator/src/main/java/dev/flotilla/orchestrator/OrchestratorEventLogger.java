package dev.flotilla.orchestrator;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.OpenTransaction;
import dev.flotilla.orchestrator.leader.EndedAttempt;
import dev.flotilla.orchestrator.leader.OrchestratorListener;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.log.LogKey;
import dev.flotilla.runtime.log.LogOnChange;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.tracing.AttemptSpanReceiver;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Reports what the loop does to logs, metrics and probes. */
final class OrchestratorEventLogger implements OrchestratorListener {
    private static final Logger LOG = LoggerFactory.getLogger("flotilla");

    /** Decisions that are logged. Decisions about single machines are in the journal and the metrics. */
    private static final Set<DecisionEvent> LOGGED = EnumSet.of(
            DecisionEvent.LEADER_ELECTED,
            DecisionEvent.SITE_CHANGED,
            DecisionEvent.CLOCK_SYNC_CHANGED,
            DecisionEvent.POLICY_ACCEPTED,
            DecisionEvent.POLICY_REMOVED,
            DecisionEvent.CAMPAIGN_ACCEPTED,
            DecisionEvent.CAMPAIGN_REMOVED,
            DecisionEvent.CAMPAIGN_PAUSED,
            DecisionEvent.CAMPAIGN_RESUMED,
            DecisionEvent.CAMPAIGN_ABORTED,
            DecisionEvent.CAMPAIGN_COMPLETED,
            DecisionEvent.WAVE_OPENED,
            DecisionEvent.WAVE_CLOSED,
            DecisionEvent.ORDER_APPLIED,
            DecisionEvent.MACHINE_QUARANTINED,
            DecisionEvent.REJECTED,
            DecisionEvent.CHAPTER_STARTED,
            DecisionEvent.CHAPTER_COMPLETED);

    /** Reasons for which nothing starts in a site until it changes again. */
    private static final Pattern SITE_PROBLEM = Pattern.compile("^silent$|^unreachable|vanished at once$");

    private final OrchestratorMetrics metrics;
    private final RootSpanReporter rootSpans;
    private final Runnable stopProcess;
    private volatile HealthStatus healthStatus = HealthStatus.healthy(ReplicaRole.RESTORING.label());
    private final LogOnChange<ReplicaRole> role = new LogOnChange<>(
            ReplicaRole.RESTORING,
            (previous, now) ->
                    LOG.atInfo().addKeyValue(LogKey.ROLE.label(), now.label()).log("replica role changed"));
    private final LogOnChange<List<OpenTransaction>> blockingTransactions =
            new LogOnChange<>(List.of(), OrchestratorEventLogger::logBlockedInputs);

    /**
     * Creates the logger of one loop.
     *
     * @param spans receives the spans of attempts
     * @param stopProcess stops the process after a bug has ended the loop
     */
    OrchestratorEventLogger(OrchestratorMetrics metrics, AttemptSpanReceiver spans, Runnable stopProcess) {
        this.metrics = metrics;
        this.rootSpans = new RootSpanReporter(spans);
        this.stopProcess = stopProcess;
        roleChanged(ReplicaRole.RESTORING, "");
    }

    /**
     * Health of this process. It is ready if it leads or could lead at once. An input that an open transaction blocks
     * is reported as a component, but leaves the process ready: a restart would not help.
     */
    HealthStatus healthStatus() {
        HealthStatus now = healthStatus;
        List<HealthStatus.ComponentHealth> components = new ArrayList<>(now.parts());
        blockingTransactions
                .current()
                .forEach(open ->
                        components.add(new HealthStatus.ComponentHealth("inputs", false, open.describeTransaction())));
        return new HealthStatus(now.healthy(), now.status(), components);
    }

    /** Records that these open transactions block inputs now. Any thread may call this, one at a time. */
    void onBlockedInputs(List<OpenTransaction> now) {
        metrics.setBlockedInputs(now);
        blockingTransactions.set(now);
    }

    private static void logBlockedInputs(List<OpenTransaction> previous, List<OpenTransaction> now) {
        now.stream()
                .filter(open -> !contains(previous, open))
                .forEach(open -> withPartition(LOG.atWarn(), open)
                        .addKeyValue(LogKey.DETAIL.label(), open.describeTransaction())
                        .log("input blocked by an open transaction"));
        previous.stream()
                .filter(open -> !contains(now, open))
                .forEach(open -> withPartition(LOG.atInfo(), open).log("open transaction ended"));
    }

    private static LoggingEventBuilder withPartition(LoggingEventBuilder event, OpenTransaction open) {
        return event.addKeyValue(LogKey.TOPIC.label(), open.topic())
                .addKeyValue(LogKey.PARTITION.label(), open.partition().partition())
                .addKeyValue(LogKey.OFFSET.label(), open.firstOffset());
    }

    private static boolean contains(List<OpenTransaction> all, OpenTransaction open) {
        return all.stream()
                .anyMatch(other ->
                        other.partition().equals(open.partition()) && other.firstOffset() == open.firstOffset());
    }

    @Override
    public void roleChanged(ReplicaRole replicaRole, String reason) {
        boolean ready = replicaRole == ReplicaRole.LEADER || replicaRole == ReplicaRole.STANDBY;
        healthStatus = new HealthStatus(
                ready,
                replicaRole.label(),
                List.of(new HealthStatus.ComponentHealth(
                        "decisions", ready, reason.isEmpty() ? replicaRole.label() : reason)));
        metrics.setReplicaRole(replicaRole);
        role.set(replicaRole);
    }

    @Override
    public void stateRestored(long records, long millis) {
        metrics.recordRestore(millis);
        LOG.atInfo()
                .addKeyValue(LogKey.RECORDS.label(), records)
                .addKeyValue(LogKey.DURATION_MILLIS.label(), millis)
                .log("tables restored");
    }

    @Override
    public void stateReset(KafkaFailure.Kind kind) {
        metrics.countStateReset(kind);
    }

    @Override
    public void decisionFailed() {
        metrics.countFailedDecision();
    }

    @Override
    public void onInputDelay(long millis) {
        metrics.recordInputDelay(millis);
    }

    @Override
    public void siteSuspended(SiteId site, String reason) {
        metrics.countSiteChange(false);
        LOG.atWarn()
                .addKeyValue(LogKey.SITE.label(), site)
                .addKeyValue(LogKey.REASON.label(), reason)
                .log("site suspended");
    }

    @Override
    public void siteResumed(SiteId site) {
        metrics.countSiteChange(true);
        LOG.atInfo().addKeyValue(LogKey.SITE.label(), site).log("site resumed");
    }

    @Override
    public void loopFailed(Throwable bug) {
        LOG.atError().setCause(bug).log("loop ended by a bug");
        healthStatus = new HealthStatus(
                false,
                ReplicaRole.RESTORING.label(),
                List.of(new HealthStatus.ComponentHealth("decisions", false, "a bug ended the decision loop")));
        metrics.setReplicaRole(ReplicaRole.RESTORING);
        stopProcess.run();
    }

    @Override
    public void onCommit(List<Decision> decisions, List<WireRecord> records, long millis) {
        metrics.countCommit(decisions, records.size(), millis);
        for (Decision decision : decisions) {
            if (LOGGED.contains(decision.event())) {
                logDecision(decision);
            }
        }
    }

    @Override
    public void attemptEnded(EndedAttempt endedAttempt) {
        rootSpans.attemptEnded(endedAttempt);
    }

    private static void logDecision(Decision decision) {
        if (decision.event() == DecisionEvent.SITE_CHANGED
                && SITE_PROBLEM.matcher(decision.reason()).find()) {
            withDecision(LOG.atWarn(), decision).log("site changed");
        } else {
            withDecision(LOG.atInfo(), decision).log(decision.event().label().replace('-', ' '));
        }
    }

    private static LoggingEventBuilder withDecision(LoggingEventBuilder event, Decision decision) {
        LoggingEventBuilder named = event.addKeyValue(LogKey.SEQ.label(), decision.seq())
                .addKeyValue(LogKey.SUBJECT.label(), decision.subject());
        return decision.reason().isEmpty() ? named : named.addKeyValue(LogKey.REASON.label(), decision.reason());
    }

    @Override
    public void onRejected(RejectedRecord rejected) {
        metrics.countRejection(rejected.reason());
    }
}
