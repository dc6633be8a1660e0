package dev.flotilla.core.fleet.start;

import dev.flotilla.core.fleet.inventory.ClusterCounter;
import dev.flotilla.core.fleet.inventory.ClusterCounts;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.FleetInventory;
import dev.flotilla.core.fleet.inventory.IntentStatusTable;
import dev.flotilla.core.fleet.inventory.MachineOwnerTable;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.limits.FailureCohortDetector;
import dev.flotilla.core.fleet.limits.TopologyDomainCounter;
import dev.flotilla.core.fleet.rollout.BacklogCounts;
import dev.flotilla.core.fleet.rollout.CampaignOverlapFinder;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.ClusterBacklog;
import dev.flotilla.core.fleet.rollout.ClusterBacklogTable;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.core.fleet.rollout.RolloutTable;
import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.core.fleet.rollout.StartQueueTable;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts a cluster again after a change: machines in flight and unavailable, the backlog of each rollout, and its next
 * start candidate. Nothing else writes these counts. The cost depends on the size of the cluster, not of the fleet.
 */
public final class ClusterRecounter {
    private final FleetInventory inventory;
    private final RolloutTable rollouts;
    private final ClusterBacklogTable backlogs;
    private final StartQueueTable startQueues;
    private final IntentStatusTable objects;
    private final RetriableMachineIndex retriable;
    private final ForgettableMachineIndex forgettable;
    private final PreparationQueue preparationQueue;
    private final ClusterUpgradeQueue clusterUpgradeQueue;
    private final MachineView scratch;
    private final StartCandidate candidate;
    private int inFlight;
    private int preparing;

    public ClusterRecounter(
            FleetStateReader state,
            FleetInventory inventory,
            RolloutTable rollouts,
            ClusterBacklogTable backlogs,
            StartQueueTable startQueues,
            IntentStatusTable objects,
            RetriableMachineIndex retriable,
            ForgettableMachineIndex forgettable) {
        this.inventory = inventory;
        this.rollouts = rollouts;
        this.backlogs = backlogs;
        this.startQueues = startQueues;
        this.objects = objects;
        this.retriable = retriable;
        this.forgettable = forgettable;
        this.preparationQueue = new PreparationQueue(state, backlogs, inventory.machines());
        this.clusterUpgradeQueue = new ClusterUpgradeQueue(state, backlogs, inventory.machines());
        this.scratch = new MachineView(inventory.machines(), -1);
        this.candidate = new StartCandidate(state, backlogs, inventory.machines());
    }

    /** Machines in flight in all sites whose rows were read. */
    public int inFlight() {
        return inFlight;
    }

    /** Machines with a command to prepare them out, in all sites whose rows were read. */
    public int preparing() {
        return preparing;
    }

    /** The machines that are prepared next. */
    public PreparationQueue preparations() {
        return preparationQueue;
    }

    /** Notes a change: what could not be prepared or opened may be now. */
    public void candidatesMayHaveChanged() {
        preparationQueue.candidatesMayHaveChanged();
        clusterUpgradeQueue.candidatesMayHaveChanged();
    }

    /** The clusters that campaigns open next. */
    public ClusterUpgradeQueue clusterUpgrades() {
        return clusterUpgradeQueue;
    }

    public void recountTouched(GateEvaluator gateEvaluator, Instant now) {
        for (ClusterState cluster = inventory.nextTouched(); cluster != null; cluster = inventory.nextTouched()) {
            SiteIntentsRollout intents = rollouts.findIntents(cluster.site().id());
            recountCluster(cluster, intents);
            recountBacklogs(cluster, intents);
            findOverlaps(cluster);
            List<ClusterBacklog> all = backlogs.of(cluster);
            for (int i = 0; i < all.size(); i++) {
                chooseCandidate(all.get(i), gateEvaluator, now);
            }
            preparationQueue.update(cluster, all, gateEvaluator.forPreparations(), now);
            clusterUpgradeQueue.update(cluster, all, gateEvaluator.forClusterUpgrades(), now);
            if (cluster.isPlaceholder()) {
                forgettable.update(cluster, scratch);
            } else {
                retriable.update(cluster, scratch);
                touchIntentStatuses(cluster, intents);
            }
        }
    }

    private void recountCluster(ClusterState cluster, @Nullable SiteIntentsRollout intents) {
        ClusterCounts before = cluster.counts();
        ClusterCounts now =
                ClusterCounter.count(cluster, scratch, inventory.machines().statuses());
        cluster.recount(now);
        cluster.site().replaceCounts(before, now);
        inFlight += now.inFlight() - before.inFlight();
        preparing += now.preparing() - before.preparing();
        if (intents != null) {
            intents.targets().count(cluster, cluster.counted(), scratch);
        }
    }

    private void recountBacklogs(ClusterState cluster, @Nullable SiteIntentsRollout intents) {
        int place = intents == null || cluster.isPlaceholder() ? 0 : recountBacklog(cluster, intents, 0);
        List<CampaignRollout> campaigns = rollouts.sorted();
        for (int i = 0; i < campaigns.size(); i++) {
            place = recountBacklog(cluster, campaigns.get(i), place);
        }
    }

    /** Counts a rollout's backlog in a cluster; returns the position of the next rollout's backlog. */
    private int recountBacklog(ClusterState cluster, Rollout rollout, int place) {
        boolean stranger = rollout instanceof SiteIntentsRollout && !rollout.mayHaveMembersIn(cluster);
        ClusterBacklog known = backlogs.remove(cluster, rollout, place);
        if (known != null) {
            rollout.removeBacklog(cluster, known.wave(), known.counts());
        }
        ClusterBacklog backlog = known != null ? known : stranger ? null : new ClusterBacklog(rollout, cluster);
        if (backlog == null) {
            return place;
        }
        recount(backlog);
        if (backlog.isEmpty()) {
            startQueues.of(rollout).removeBacklog(backlog);
            replaceOverlap(backlog, null);
            return place;
        }
        rollout.addBacklog(cluster, backlog.wave(), backlog.counts());
        backlogs.of(cluster).add(place, backlog);
        return place + 1;
    }

    private void recount(ClusterBacklog backlog) {
        ClusterState cluster = backlog.cluster();
        Rollout rollout = backlog.rollout();
        FailureCohortDetector cohorts = cluster.isPlaceholder() ? null : rollout.cohorts();
        if (cohorts != null) {
            cohorts.begin();
        }
        TopologyDomainCounter domains = cluster.isPlaceholder() ? null : rollout.domains();
        if (domains != null) {
            domains.begin();
        }
        BacklogCounts counts = new BacklogCounts();
        for (int i = 0; i < cluster.counted(); i++) {
            scratch.moveTo(cluster.member(i));
            MachineProgressState known = rollout.progressStateOf(cluster, scratch);
            MachineProgressState state = scratch.isPresent() ? known : known.withoutInventoryRow();
            counts.add(cluster, rollout, scratch, state);
            countPreparation(counts, rollout, state);
            if (cohorts != null && FailureCohortDetector.isEvidence(scratch, state)) {
                cohorts.tally(rollout.firstRevision(scratch), scratch, state);
            }
            if (domains != null) {
                domains.tally(scratch, state);
            }
        }
        for (int i = 0; i < cluster.departed(); i++) {
            scratch.moveTo(cluster.departed(i));
            counts.addDeparted(scratch, rollout.progressStateOf(cluster, scratch));
        }
        if (cohorts != null) {
            backlog.cohortCounts(cohorts.replace(cluster.site().id(), backlog.cohortCounts()));
        }
        if (domains != null) {
            backlog.domainCounts(domains.replace(cluster.key(), backlog.domainCounts()));
        }
        backlog.recount(counts, counts.total() == 0 ? 0 : rollout.waveOf(cluster));
    }

    private void countPreparation(BacklogCounts counts, Rollout rollout, MachineProgressState state) {
        MachinePreparation preparation = scratch.preparation();
        if (preparation == null
                || !(rollout instanceof CampaignRollout)
                || state == MachineProgressState.NONE
                || state.hasEnded()) {
            return;
        }
        UpgradeTarget target = rollout.targetOf(scratch);
        if (target != null && preparation.isFor(target, scratch.nodeUpgradeTemplate())) {
            counts.addPreparation(preparation);
        }
    }

    /** Finds the campaigns that overlap with an earlier one. */
    private void findOverlaps(ClusterState cluster) {
        if (cluster.isPlaceholder()) {
            return;
        }
        List<ClusterBacklog> all = backlogs.of(cluster);
        for (int i = 0; i < all.size(); i++) {
            ClusterBacklog backlog = all.get(i);
            if (backlog.rollout() instanceof CampaignRollout campaign) {
                boolean alone = all.size() == 1 || backlog.counts().remaining() == 0 || campaign.isOver();
                replaceOverlap(backlog, alone ? null : CampaignOverlapFinder.find(cluster, all, campaign, scratch));
            }
        }
    }

    private static void replaceOverlap(ClusterBacklog backlog, @Nullable CampaignName now) {
        if (!Objects.equals(backlog.overlappingCampaign(), now)) {
            backlog.rollout().overlaps().replace(backlog.overlappingCampaign(), now);
            backlog.overlappingCampaign(now);
        }
    }

    /** Chooses the first machine that the cluster's own rows allow to start. */
    private void chooseCandidate(ClusterBacklog backlog, GateEvaluator gateEvaluator, Instant now) {
        int chosen = -1;
        int rank = Integer.MAX_VALUE;
        ClusterState cluster = backlog.cluster();
        Rollout rollout = backlog.rollout();
        if (backlog.counts().remaining() > backlog.counts().inFlight() && !rollout.isOver()) {
            for (int pass = 0; pass < 2; pass++) {
                for (int i = 0; i < cluster.size() && rank > 0; i++) {
                    scratch.moveTo(cluster.member(i));
                    if (scratch.isControlPlane() != (pass == 0)) {
                        continue;
                    }
                    candidate.reset(backlog, cluster.member(i), now);
                    if (candidate.progressState().isWaiting()
                            && candidate.rank() < rank
                            && gateEvaluator.areOpen(GateEvaluator.GateLevel.CLUSTER, candidate)) {
                        chosen = cluster.member(i);
                        rank = candidate.rank();
                    }
                }
            }
        }
        if (chosen < 0) {
            backlog.chooseNoCandidate();
            startQueues.of(rollout).removeBacklog(backlog);
            return;
        }
        backlog.chooseCandidate(chosen, rank);
        candidate.reset(backlog, chosen, now);
        startQueues.of(rollout).put(backlog, rollout.hasBudget() ? candidate.budgetNeeded() : 0);
    }

    /** Marks the status rows of the cluster's intent and of its machines' owners for comparison. */
    private void touchIntentStatuses(ClusterState cluster, @Nullable SiteIntentsRollout intents) {
        if (intents == null) {
            return;
        }
        if (intents.intent(cluster.key()) != null) {
            objects.touch(cluster.key());
        }
        int last = MachineOwnerTable.NONE;
        for (int i = 0; i < cluster.size(); i++) {
            int owner = inventory.machines().owner(cluster.member(i));
            UpgradeIntent intent =
                    owner == last ? null : inventory.machines().owners().intent(owner);
            if (intent != null) {
                objects.touch(intent.object());
            }
            last = owner;
        }
    }
}
