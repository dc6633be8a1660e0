package dev.flotilla.orchestrator;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.orchestrator.loop.LoopListener;
import dev.flotilla.orchestrator.view.Standing;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.OpenTransaction;
import dev.flotilla.runtime.kafka.ConsumedRecord;
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
final class Narrator implements LoopListener {
    private static final Logger LOG = LoggerFactory.getLogger("flotilla");

    /** What happens to one machine after another is in the journal and the metrics. */
    private static final Set<DecisionEvent> LOGGED = EnumSet.of(
            DecisionEvent.LEADER_ELECTED,
            DecisionEvent.SITE_CHANGED,
            DecisionEvent.CLOCK_CHANGED,
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
    private volatile HealthStatus healthStatus = HealthStatus.healthy(Standing.RESTORING.label());
    private volatile List<OpenTransaction> heldBack = List.of();

    /**
     * Tells of one loop.
     *
     * @param end what becomes of the process when the loop has ended by a bug
     */
    Narrator(OrchestratorMetrics metrics, Runnable end) {
        this.metrics = metrics;
        this.end = end;
        standing(Standing.RESTORING, "");
    }

    /** Ready is who leads, or could at once. An input that others hold back is told, and no reason to start anew. */
    HealthStatus health() {
        HealthStatus now = healthStatus;
        List<HealthStatus.ComponentHealth> parts = new ArrayList<>(now.parts());
        heldBack.forEach(open -> parts.add(new HealthStatus.ComponentHealth("inputs", false, open.describeTransaction())));
        return new HealthStatus(now.healthy(), now.status(), parts);
    }

    /** Inputs wait for these open transactions now. To be called on any thread, but one at a time. */
    void heldBack(List<OpenTransaction> now) {
        List<OpenTransaction> before = heldBack;
        heldBack = now;
        metrics.heldBack(now);
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
        return all.stream().anyMatch(each -> each.partition().equals(one.partition()) && each.firstOffset() == one.firstOffset());
    }

    @Override
    public void standing(Standing standing, String why) {
        boolean ready = standing == Standing.LEADER || standing == Standing.STANDBY;
        healthStatus = new HealthStatus(
                ready,
                standing.label(),
                List.of(new HealthStatus.ComponentHealth("decisions", ready, why.isEmpty() ? standing.label() : why)));
        metrics.standing(standing);
        LOG.atInfo().addKeyValue("standing", standing.label()).log("is now {}", standing.label());
    }

    @Override
    public void restored(long records, long millis) {
        metrics.restored(millis);
        LOG.atInfo()
                .addKeyValue("records", records)
                .addKeyValue("millis", millis)
                .log("read the tables");
    }

    @Override
    public void dropped(KafkaFailure.Kind why) {
        metrics.dropped(why);
    }

    @Override
    public void undecidable() {
        metrics.undecidable();
    }

    @Override
    public void waited(long millis) {
        metrics.waited(millis);
    }

    @Override
    public void site(SiteId site, boolean usable) {
        metrics.site(usable);
        LOG.atInfo()
                .addKeyValue("site", site)
                .log(
                        usable
                                ? "the topics of the site can be used"
                                : "the topics of the site cannot be used: set aside");
    }

    @Override
    public void broke(Throwable bug) {
        LOG.atError().setCause(bug).log("a bug ended the decisions, and now the process: it is to be started again");
        healthStatus = new HealthStatus(
                false, Standing.RESTORING.label(), List.of(new HealthStatus.ComponentHealth("decisions", false, "ended by a bug")));
        metrics.standing(Standing.RESTORING);
        end.run();
    }

    @Override
    public void committed(List<Decision> decisions, List<WireRecord> records, long millis) {
        metrics.committed(decisions, records.size(), millis);
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
    public void rejected(ConsumedRecord consumedRecord, RejectionDetail why) {
        metrics.rejected(why.reason());
    }
}
