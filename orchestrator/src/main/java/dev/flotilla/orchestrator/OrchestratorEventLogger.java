package dev.flotilla.orchestrator;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.orchestrator.loop.OrchestratorLoopListener;
import dev.flotilla.orchestrator.view.ReplicaRole;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.OpenTransaction;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells logs, metrics and probes what the loop does. */
final class OrchestratorEventLogger implements OrchestratorLoopListener {
    private static final Logger LOG = LoggerFactory.getLogger("flotilla");

    /** What happens to one machine after another is in the journal and the metrics. */
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

    private final OrchestratorMetrics metrics;
    private final Runnable end;
    private volatile HealthStatus healthStatus = HealthStatus.healthy(ReplicaRole.RESTORING.label());
    private volatile List<OpenTransaction> onBlockedInputs = List.of();

    /**
     * Tells of one loop.
     *
     * @param end what becomes of the process when the loop has ended by a bug
     */
    OrchestratorEventLogger(OrchestratorMetrics metrics, Runnable end) {
        this.metrics = metrics;
        this.end = end;
        roleChanged(ReplicaRole.RESTORING, "");
    }

    /** Ready is who leads, or could at once. An input that others hold back is told, and no reason to start anew. */
    HealthStatus healthStatus() {
        HealthStatus now = healthStatus;
        List<HealthStatus.ComponentHealth> parts = new ArrayList<>(now.parts());
        onBlockedInputs.forEach(
                open -> parts.add(new HealthStatus.ComponentHealth("inputs", false, open.describeTransaction())));
        return new HealthStatus(now.healthy(), now.status(), parts);
    }

    /** Inputs wait for these open transactions now. To be called on any thread, but one at a time. */
    void onBlockedInputs(List<OpenTransaction> now) {
        List<OpenTransaction> before = onBlockedInputs;
        onBlockedInputs = now;
        metrics.setBlockedInputs(now);
        now.stream()
                .filter(open -> !isIn(before, open))
                .forEach(open -> LOG.atWarn()
                        .addKeyValue("topic", open.topic())
                        .addKeyValue("site", open.partition().site())
                        .addKeyValue("offset", open.firstOffset())
                        .log(open.describeTransaction()));
        before.stream()
                .filter(open -> !isIn(now, open))
                .forEach(open -> LOG.atInfo()
                        .addKeyValue("topic", open.topic())
                        .addKeyValue("site", open.partition().site())
                        .log(
                                "the open transaction in {} partition {} has ended",
                                open.topic(),
                                open.partition().partition()));
    }

    private static boolean isIn(List<OpenTransaction> all, OpenTransaction one) {
        return all.stream()
                .anyMatch(each -> each.partition().equals(one.partition()) && each.firstOffset() == one.firstOffset());
    }

    @Override
    public void roleChanged(ReplicaRole replicaRole, String why) {
        boolean ready = replicaRole == ReplicaRole.LEADER || replicaRole == ReplicaRole.STANDBY;
        healthStatus = new HealthStatus(
                ready,
                replicaRole.label(),
                List.of(new HealthStatus.ComponentHealth(
                        "decisions", ready, why.isEmpty() ? replicaRole.label() : why)));
        metrics.setReplicaRole(replicaRole);
        LOG.atInfo().addKeyValue("standing", replicaRole.label()).log("is now {}", replicaRole.label());
    }

    @Override
    public void stateRestored(long records, long millis) {
        metrics.recordRestore(millis);
        LOG.atInfo()
                .addKeyValue("records", records)
                .addKeyValue("millis", millis)
                .log("read the tables");
    }

    @Override
    public void stateReset(KafkaFailure.Kind why) {
        metrics.countStateReset(why);
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
    public void siteUsabilityChanged(SiteId site, boolean usable) {
        metrics.countSiteChange(usable);
        LOG.atInfo()
                .addKeyValue("site", site)
                .log(
                        usable
                                ? "the topics of the site can be used"
                                : "the topics of the site cannot be used: set aside");
    }

    @Override
    public void loopFailed(Throwable bug) {
        LOG.atError().setCause(bug).log("a bug ended the decisions, and now the process: it is to be started again");
        healthStatus = new HealthStatus(
                false,
                ReplicaRole.RESTORING.label(),
                List.of(new HealthStatus.ComponentHealth("decisions", false, "ended by a bug")));
        metrics.setReplicaRole(ReplicaRole.RESTORING);
        end.run();
    }

    @Override
    public void onCommit(List<Decision> decisions, List<WireRecord> records, long millis) {
        metrics.countCommit(decisions, records.size(), millis);
        for (Decision decision : decisions) {
            if (LOGGED.contains(decision.event())) {
                LOG.atInfo()
                        .addKeyValue("seq", decision.seq())
                        .addKeyValue("event", decision.event().label())
                        .addKeyValue("subject", decision.subject())
                        .log(decision.reason());
            }
        }
    }

    @Override
    public void onRejected(ConsumedRecord consumedRecord, RejectionDetail why) {
        metrics.countRejection(why.reason());
    }
}
