package dev.flotilla.core.fleet;

import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.ClusterRecounter;
import dev.flotilla.core.fleet.start.ClusterUpgradeQueue;
import dev.flotilla.core.fleet.start.ForgettableMachineIndex;
import dev.flotilla.core.fleet.start.GateEvaluator;
import dev.flotilla.core.fleet.start.PreparationQueue;
import dev.flotilla.core.fleet.start.RetriableMachineIndex;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.SiteStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The due work except starts, that is what needs a decision without a new record: attempts, command leases, retries,
 * campaigns, and status rows that are out of date.
 */
public final class DueWorkQueue {
    private final RowStore rows;
    private final RetriableMachineIndex retriable;
    private final ForgettableMachineIndex forgettable;
    private final PreparationQueue preparationQueue;
    private final ClusterUpgradeQueue clusterUpgradeQueue;
    private final OpenClusters openClusters;

    DueWorkQueue(
            RowStore rows,
            RetriableMachineIndex retriable,
            ForgettableMachineIndex forgettable,
            ClusterRecounter clusterRecounter,
            OpenClusters openClusters) {
        this.rows = rows;
        this.retriable = retriable;
        this.forgettable = forgettable;
        this.preparationQueue = clusterRecounter.preparations();
        this.clusterUpgradeQueue = clusterRecounter.clusterUpgrades();
        this.openClusters = openClusters;
    }

    /** An owner or cluster whose status row is out of date; null for none. */
    public @Nullable ObjectKey nextStaleIntentStatus() {
        return rows.objects.stale();
    }

    /** The row that replaces a site's status row which is out of date; null for none. */
    public @Nullable SiteStatus nextStaleSiteStatus() {
        return rows.siteBoard.nextOutdated();
    }

    /** The current status of an owner's or cluster's intent; null if it has none. */
    public @Nullable IntentStatus currentIntentStatus(ObjectKey object) {
        return rows.currentIntentStatus(object);
    }

    /** A machine whose attempt is due: its lease ends, or its deadline has passed. Null for none. */
    public @Nullable MachineView nextDueAttempt(Instant now) {
        return rows.reviews.nextDueAttempt(now);
    }

    /** Schedules the next check of an attempt, unless its row changes before. */
    public void recheckAttemptAt(MachineView machine, Instant until) {
        rows.reviews.setTimer(machine.row(), until.toEpochMilli());
    }

    /** A machine whose preparation has had no report in time; null for none. */
    public @Nullable MachineView nextSilentPreparation(Instant now) {
        return rows.preparations.nextSilent(now);
    }

    /** The machine that is prepared next, as a candidate at the instant at which it may start; null for none. */
    public @Nullable StartCandidate selectNextPreparation(GateEvaluator gateEvaluator, Instant now) {
        return preparationQueue.selectNext(gateEvaluator.forPreparations(), now);
    }

    /** A machine of the cluster that a campaign opens next, or whose further fields it changes; null for none. */
    public @Nullable StartCandidate selectNextClusterUpgrade(GateEvaluator gateEvaluator, Instant now) {
        return clusterUpgradeQueue.selectNext(gateEvaluator.forClusterUpgrades(), now);
    }

    /** The clusters that campaigns have opened. */
    public OpenClusters openClusters() {
        return openClusters;
    }

    /** The next machine whose command lease must be reviewed after a change; null for none. */
    public @Nullable MachineView pollLeaseReview() {
        return rows.reviews.pollLeaseReview();
    }

    /** A machine quarantined before its campaign's last retry order; null for none. */
    public @Nullable MachineView nextRetriableMachine() {
        return retriable.first(new MachineView(rows.inventory.machines(), -1));
    }

    /** A machine without an inventory row whose status row is no longer needed; null for none. */
    public @Nullable MachineView nextForgettableMachine() {
        return forgettable.first(new MachineView(rows.inventory.machines(), -1));
    }

    /**
     * The next campaign whose waves or completion may need a decision. It is returned again only after a row of it or
     * of one of its clusters is put. Null for none.
     */
    public @Nullable CampaignRollout pollTouchedCampaign() {
        List<CampaignRollout> campaigns = rows.rollouts.named();
        for (int i = 0; i < campaigns.size(); i++) {
            CampaignRollout campaign = campaigns.get(i);
            if (campaign.isTouched() && !rows.rejected.isParked(campaign.name())) {
                campaign.clearTouched();
                return campaign;
            }
        }
        return null;
    }

    /** When the next work becomes due, in milliseconds; {@link Long#MAX_VALUE} for never. */
    public long nextTimerAt() {
        long preparations = Math.min(rows.preparations.nextTimerAt(), preparationQueue.nextDueAt());
        return Math.min(
                Math.min(rows.reviews.nextTimerAt(), preparations),
                Math.min(rows.rollouts.nextWake(), rows.calendars.nextEdge()));
    }
}
