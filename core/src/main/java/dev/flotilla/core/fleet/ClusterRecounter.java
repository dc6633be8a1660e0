package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Counts a cluster anew after it was touched: what is in flight and unavailable, how each rollout stands there, and which
 * machine it might start next. A touch costs the size of the cluster, whatever the size of the fleet.
 */
final class ClusterRecounter {
    private final FleetState state;
    private final FleetInventory inventory;
    private final RolloutTable rollouts;
    private final IntentStatusTable objects;
    private final MachineView scratch;
    private final StartCandidate candidate;
    private final StartCandidate best;
    private final TreeSet<ClusterState> chores = new TreeSet<>(Comparator.comparing(ClusterState::key));
    private final TreeMap<SiteId, ClusterState> nextForgettable = new TreeMap<>();
    int inFlight;

    ClusterRecounter(FleetState state, FleetInventory inventory, RolloutTable rollouts, IntentStatusTable objects) {
        this.state = state;
        this.inventory = inventory;
        this.rollouts = rollouts;
        this.objects = objects;
        this.scratch = new MachineView(inventory.machines, -1);
        this.candidate = new StartCandidate(state, inventory.machines);
        this.best = new StartCandidate(state, inventory.machines);
    }

    /** A machine that was quarantined before its campaign's last retry order; null for none. */
    @Nullable
    MachineView nextRetriable(MachineView look) {
        return chores.isEmpty() ? null : nextRetriable(chores.first(), look);
    }

    void recountTouched(GateEvaluator gateEvaluator, Instant now) {
        for (ClusterState cluster = inventory.nextTouched(); cluster != null; cluster = inventory.nextTouched()) {
            count(cluster);
            share(cluster);
            contend(cluster);
            for (int i = 0; i < cluster.shares.size(); i++) {
                choose(cluster.shares.get(i), gateEvaluator, now);
            }
            chore(cluster);
            touchObjects(cluster);
        }
        for (ObjectKey object = objects.nextTouched(); object != null; object = objects.nextTouched()) {
            objects.compare(object, state.currentIntentStatus(object));
        }
    }

    private void count(ClusterState cluster) {
        inFlight -= cluster.inFlight;
        cluster.site().inFlight -= cluster.inFlight;
        cluster.site().intentsInFlight -= cluster.intentsInFlight;
        ClusterMachineCounter.recount(cluster, scratch, inventory.machines.statuses);
        if (cluster.site().intents != null) {
            cluster.site().intents.targets().count(cluster, cluster.counted(), scratch);
        }
        inFlight += cluster.inFlight;
        cluster.site().inFlight += cluster.inFlight;
        cluster.site().intentsInFlight += cluster.intentsInFlight;
    }

    private void share(ClusterState cluster) {
        SiteIntentsRollout intents = cluster.isNowhere() ? null : cluster.site().intents;
        int place = intents == null ? 0 : share(cluster, intents, 0);
        List<CampaignRollout> campaigns = rollouts.sorted();
        for (int i = 0; i < campaigns.size(); i++) {
            place = share(cluster, campaigns.get(i), place);
        }
    }

    /** Counts what a rollout has to do in a cluster; returns the place of the next rollout's share. */
    private int share(ClusterState cluster, Rollout rollout, int place) {
        boolean stranger = rollout instanceof SiteIntentsRollout && !rollout.mayHaveMembersIn(cluster);
        ClusterBacklog known = take(cluster, rollout, place);
        if (known != null) {
            rollout.addBacklog(known, -1);
        }
        ClusterBacklog clusterBacklog = known != null ? known : stranger ? null : new ClusterBacklog(rollout, cluster);
        if (clusterBacklog == null) {
            return place;
        }
        tally(clusterBacklog);
        if (clusterBacklog.isEmpty()) {
            rollout.startQueues.removeBacklog(clusterBacklog);
            contend(clusterBacklog, null);
            return place;
        }
        rollout.addBacklog(clusterBacklog, 1);
        cluster.shares.add(place, clusterBacklog);
        return place + 1;
    }

    /** Finds which campaigns want machines that an earlier one has still to do with. */
    private void contend(ClusterState cluster) {
        if (cluster.isNowhere()) {
            return;
        }
        for (int i = 0; i < cluster.shares.size(); i++) {
            ClusterBacklog clusterBacklog = cluster.shares.get(i);
            if (clusterBacklog.rollout instanceof CampaignRollout campaign) {
                boolean alone = cluster.shares.size() == 1 || clusterBacklog.remaining == 0 || campaign.isOver();
                contend(clusterBacklog, alone ? null : CampaignOverlapCounter.of(cluster, campaign, scratch));
            }
        }
    }

    private static void contend(ClusterBacklog clusterBacklog, @Nullable CampaignName now) {
        if (!Objects.equals(clusterBacklog.overlappingCampaign, now)) {
            clusterBacklog.rollout.contention.replace(clusterBacklog.overlappingCampaign, now);
            clusterBacklog.overlappingCampaign = now;
        }
    }

    /** Takes a rollout's share out of a cluster, if it is there at or after a place. */
    private static @Nullable ClusterBacklog take(ClusterState cluster, Rollout rollout, int from) {
        for (int i = from; i < cluster.shares.size(); i++) {
            if (cluster.shares.get(i).rollout == rollout) {
                return cluster.shares.remove(i);
            }
        }
        return null;
    }

    private void tally(ClusterBacklog clusterBacklog) {
        ClusterState cluster = clusterBacklog.cluster;
        clusterBacklog.total = 0;
        clusterBacklog.remaining = 0;
        clusterBacklog.atTarget = 0;
        clusterBacklog.skipped = 0;
        clusterBacklog.quarantined = 0;
        clusterBacklog.inFlight = 0;
        clusterBacklog.budgetUsed = 0;
        clusterBacklog.failed = 0;
        clusterBacklog.failedAndGone = 0;
        clusterBacklog.upgraded = 0;
        clusterBacklog.controlPlaneLeft = 0;
        clusterBacklog.controlPlaneUntried = 0;
        clusterBacklog.workersLeft = 0;
        clusterBacklog.controlPlaneStarted = false;
        clusterBacklog.controlPlaneQuarantined = false;
        clusterBacklog.oldestControlPlane = KubernetesVersion.UNKNOWN;
        clusterBacklog.oldestWorker = KubernetesVersion.UNKNOWN;
        clusterBacklog.newestWorker = KubernetesVersion.UNKNOWN;
        FailureCohortDetector cohorts = cluster.isNowhere() ? null : clusterBacklog.rollout.cohorts;
        if (cohorts != null) {
            cohorts.begin();
        }
        TopologyDomainCounter domains = cluster.isNowhere() ? null : clusterBacklog.rollout.domains;
        if (domains != null) {
            domains.begin();
        }
        for (int i = 0; i < cluster.counted(); i++) {
            scratch.row = cluster.members[i];
            MachineProgressState known = clusterBacklog.rollout.progressStateOf(cluster, scratch);
            MachineProgressState machineProgressState = scratch.isPresent() ? known : known.withoutInventoryRow();
            tally(clusterBacklog, machineProgressState, scratch);
            age(clusterBacklog, machineProgressState);
            if (cohorts != null) {
                cohorts.tally(clusterBacklog, scratch, machineProgressState);
            }
            if (domains != null) {
                domains.tally(scratch, machineProgressState);
            }
        }
        tallyDeparted(clusterBacklog);
        if (cohorts != null) {
            cohorts.replace(clusterBacklog);
        }
        if (domains != null) {
            domains.replace(clusterBacklog);
        }
        int width = clusterBacklog.rollout.rules().maxUnavailable().of(Math.max(1, cluster.workers));
        clusterBacklog.remainingChain =
                clusterBacklog.controlPlaneLeft + (clusterBacklog.workersLeft + width - 1) / width;
        clusterBacklog.wave = clusterBacklog.total == 0 ? 0 : clusterBacklog.rollout.waveOf(cluster);
    }

    /** A control plane one of whose machines is upgraded and has left the cluster's rows is begun, and not done. */
    private void tallyDeparted(ClusterBacklog clusterBacklog) {
        for (int i = 0; i < clusterBacklog.cluster.departed(); i++) {
            scratch.row = clusterBacklog.cluster.departed(i);
            if (scratch.admittedAs() == MachineRole.CONTROL_PLANE
                    && clusterBacklog
                            .rollout
                            .progressStateOf(clusterBacklog.cluster, scratch)
                            .isInFlight()) {
                clusterBacklog.controlPlaneStarted = true;
                clusterBacklog.controlPlaneLeft++;
            }
        }
    }

    /**
     * What a success has proved is newer than what the inventory shows. Of annotations that holds for none but its own target:
     * the machines of a cluster may be asked for different ones.
     */
    private void age(ClusterBacklog clusterBacklog, MachineProgressState machineProgressState) {
        if (!scratch.isPresent()) {
            return;
        }
        boolean shown = !machineProgressState.isAtTarget() || clusterBacklog.rollout instanceof SiteIntentsRollout;
        if (!scratch.isControlPlane()) {
            clusterBacklog.oldestWorker = KubernetesVersion.older(clusterBacklog.oldestWorker, scratch.version());
            clusterBacklog.newestWorker = shown
                    ? KubernetesVersion.newer(clusterBacklog.newestWorker, scratch.version())
                    : clusterBacklog.newestWorker;
        } else if (shown) {
            clusterBacklog.oldestControlPlane =
                    KubernetesVersion.older(clusterBacklog.oldestControlPlane, scratch.version());
        }
    }

    private static void tally(
            ClusterBacklog clusterBacklog, MachineProgressState machineProgressState, MachineView machine) {
        if (machineProgressState == MachineProgressState.NONE) {
            return;
        }
        boolean present = machine.isPresent();
        clusterBacklog.total += present ? 1 : 0;
        clusterBacklog.inFlight += machineProgressState.isInFlight() ? 1 : 0;
        clusterBacklog.budgetUsed += machineProgressState.countsAsFailed() || machineProgressState.isInFlight() ? 1 : 0;
        clusterBacklog.failed += machineProgressState.countsAsFailed() ? 1 : 0;
        clusterBacklog.failedAndGone += machineProgressState.countsAsFailed() && !present ? 1 : 0;
        clusterBacklog.upgraded += machineProgressState == MachineProgressState.SUCCEEDED ? 1 : 0;
        clusterBacklog.atTarget += machineProgressState.isAtTarget() ? 1 : 0;
        clusterBacklog.skipped += machineProgressState == MachineProgressState.SKIPPED ? 1 : 0;
        clusterBacklog.quarantined += present && machineProgressState == MachineProgressState.QUARANTINED ? 1 : 0;
        if (!machineProgressState.hasEnded()) {
            clusterBacklog.remaining++;
        }
        if (!present) {
            return;
        }
        if (machine.isControlPlane()) {
            clusterBacklog.controlPlaneLeft += machineProgressState.hasEnded() ? 0 : 1;
            clusterBacklog.controlPlaneUntried += machineProgressState == MachineProgressState.NOT_STARTED ? 1 : 0;
            clusterBacklog.controlPlaneQuarantined |= machineProgressState == MachineProgressState.QUARANTINED
                    || clusterBacklog.rollout.leftBehind(clusterBacklog.cluster, machine);
            clusterBacklog.controlPlaneStarted |= machineProgressState == MachineProgressState.SUCCEEDED
                    || machineProgressState.isInFlight()
                    || machineProgressState.countsAsFailed()
                    || (machineProgressState == MachineProgressState.UNCHANGED && hasFailed(clusterBacklog, machine));
        } else {
            clusterBacklog.workersLeft += machineProgressState.hasEnded() ? 0 : 1;
        }
    }

    /** Whether an attempt before has failed: where its word was lost, its call may have done what the last one found done. */
    private static boolean hasFailed(ClusterBacklog clusterBacklog, MachineView machine) {
        RolloutRef rolloutRef = clusterBacklog.rollout.rolloutRefOf(machine);
        RolloutEntry entry = rolloutRef == null ? null : machine.entry(rolloutRef);
        return entry != null && entry.failedAttempts() > 0;
    }

    /** Finds the machine that goes first among those that the cluster's own rows let through. */
    private void choose(ClusterBacklog clusterBacklog, GateEvaluator gateEvaluator, Instant now) {
        int chosen = -1;
        int rank = Integer.MAX_VALUE;
        ClusterState cluster = clusterBacklog.cluster;
        if (clusterBacklog.remaining > clusterBacklog.inFlight && !clusterBacklog.rollout.isOver()) {
            for (int pass = 0; pass < 2; pass++) {
                for (int i = 0; i < cluster.size && rank > 0; i++) {
                    scratch.row = cluster.members[i];
                    if (scratch.isControlPlane() != (pass == 0)) {
                        continue;
                    }
                    candidate.reset(clusterBacklog, cluster.members[i], now);
                    if (candidate.progressState().isWaiting()
                            && candidate.rank() < rank
                            && gateEvaluator.areOpen(GateEvaluator.GateLevel.CLUSTER, candidate)) {
                        chosen = cluster.members[i];
                        rank = candidate.rank();
                    }
                }
            }
        }
        clusterBacklog.candidate = chosen;
        if (chosen < 0) {
            clusterBacklog.rollout.startQueues.removeBacklog(clusterBacklog);
            return;
        }
        best.reset(clusterBacklog, chosen, now);
        clusterBacklog.rank = rank;
        clusterBacklog.budgetNeeded = clusterBacklog.rollout.hasBudget() ? best.budgetNeeded() : 0;
        clusterBacklog.rollout.startQueues.put(clusterBacklog, clusterBacklog.budgetNeeded);
    }

    private void chore(ClusterState cluster) {
        if (cluster.isNowhere()) {
            if (nextForgettable(cluster, scratch)) {
                nextForgettable.put(cluster.site().id(), cluster);
            } else {
                nextForgettable.remove(cluster.site().id());
            }
            return;
        }
        boolean any = nextRetriable(cluster, scratch) != null;
        if (any != cluster.chore) {
            cluster.chore = any;
            if (any) {
                chores.add(cluster);
            } else {
                chores.remove(cluster);
            }
        }
    }

    private @Nullable MachineView nextRetriable(ClusterState cluster, MachineView look) {
        for (ClusterBacklog clusterBacklog : cluster.shares) {
            if (clusterBacklog.quarantined > 0
                    && clusterBacklog.rollout instanceof CampaignRollout campaign
                    && campaign.status().retriedBeforeSeq() > 0
                    && !campaign.isOver()) {
                for (int i = 0; i < cluster.size; i++) {
                    look.row = cluster.members[i];
                    if (!look.unreadable()
                            && campaign.progressStateOf(cluster, look) == MachineProgressState.QUARANTINED
                            && QuarantineLiftRule.isLifted(campaign, look.status())) {
                        return look;
                    }
                }
            }
        }
        return null;
    }

    /** A machine without an inventory row that nothing is open of: no attempt, and no campaign or intent that knows it. */
    @Nullable
    MachineView nextForgettable(MachineView look) {
        return !nextForgettable.isEmpty()
                        && nextForgettable(nextForgettable.firstEntry().getValue(), look)
                ? look
                : null;
    }

    /** Looks at the first of them by its key: they stand in no order. */
    private boolean nextForgettable(ClusterState cluster, MachineView look) {
        int first = -1;
        MachineKey least = null;
        for (int i = 0; i < cluster.size; i++) {
            look.row = cluster.members[i];
            MachineStatus status = look.status();
            boolean free = status != null
                    && status.attempt() == null
                    && !isNeeded(status)
                    && !state.rejections().isParked(look.row);
            if (free && (least == null || look.key().compareTo(least) < 0)) {
                first = look.row;
                least = look.key();
            }
        }
        look.row = first;
        return first >= 0;
    }

    private boolean isNeeded(MachineStatus status) {
        for (RolloutEntry entry : status.entries()) {
            Rollout rollout = rollouts.of(entry.rolloutRef());
            if (rollout != null && !rollout.isOver()) {
                return true;
            }
        }
        return false;
    }

    /** The cluster's intent, and those of owners that have machines in it, are shown anew. */
    private void touchObjects(ClusterState cluster) {
        SiteIntentsRollout intents = cluster.site().intents;
        if (intents == null || cluster.isNowhere()) {
            return;
        }
        if (intents.intent(cluster.key()) != null) {
            objects.touch(cluster.key());
        }
        int last = MachineOwnerTable.NONE;
        for (int i = 0; i < cluster.size; i++) {
            int owner = inventory.machines.owner(cluster.members[i]);
            UpgradeIntent asked = owner == last ? null : inventory.machines.owners.intent(owner);
            if (asked != null) {
                objects.touch(asked.object());
            }
            last = owner;
        }
    }
}
