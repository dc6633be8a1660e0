package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.MachineRole;
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
final class Census {
    private final FleetState state;
    private final Inventory inventory;
    private final Rollouts rollouts;
    private final ObjectBoard objects;
    private final Machine scratch;
    private final Candidate candidate;
    private final Candidate best;
    private final TreeSet<Cluster> chores = new TreeSet<>(Comparator.comparing(Cluster::key));
    private final TreeMap<SiteId, Cluster> forgettable = new TreeMap<>();
    int inFlight;

    Census(FleetState state, Inventory inventory, Rollouts rollouts, ObjectBoard objects) {
        this.state = state;
        this.inventory = inventory;
        this.rollouts = rollouts;
        this.objects = objects;
        this.scratch = new Machine(inventory.machines, -1);
        this.candidate = new Candidate(state, inventory.machines);
        this.best = new Candidate(state, inventory.machines);
    }

    /** A machine that was quarantined before its campaign's last retry order; null for none. */
    @Nullable
    Machine retriable(Machine look) {
        return chores.isEmpty() ? null : retriable(chores.first(), look);
    }

    void settle(Judge judge, Instant now) {
        for (Cluster cluster = inventory.nextTouched(); cluster != null; cluster = inventory.nextTouched()) {
            count(cluster);
            share(cluster);
            contend(cluster);
            for (int i = 0; i < cluster.shares.size(); i++) {
                choose(cluster.shares.get(i), judge, now);
            }
            chore(cluster);
            touchObjects(cluster);
        }
        for (ObjectKey object = objects.nextTouched(); object != null; object = objects.nextTouched()) {
            objects.compare(object, state.dueStatus(object));
        }
    }

    private void count(Cluster cluster) {
        inFlight -= cluster.inFlight;
        cluster.site().inFlight -= cluster.inFlight;
        cluster.site().asked -= cluster.asked;
        ClusterCount.renew(cluster, scratch, inventory.machines.statuses);
        if (cluster.site().intents != null) {
            cluster.site().intents.targets().count(cluster, cluster.counted(), scratch);
        }
        inFlight += cluster.inFlight;
        cluster.site().inFlight += cluster.inFlight;
        cluster.site().asked += cluster.asked;
    }

    private void share(Cluster cluster) {
        IntentsRollout intents = cluster.isNowhere() ? null : cluster.site().intents;
        int place = intents == null ? 0 : share(cluster, intents, 0);
        List<CampaignRollout> campaigns = rollouts.sorted();
        for (int i = 0; i < campaigns.size(); i++) {
            place = share(cluster, campaigns.get(i), place);
        }
    }

    /** Counts what a rollout has to do in a cluster; returns the place of the next rollout's share. */
    private int share(Cluster cluster, Rollout rollout, int place) {
        boolean stranger = rollout instanceof IntentsRollout && !rollout.concerns(cluster);
        Share known = take(cluster, rollout, place);
        if (known != null) {
            rollout.count(known, -1);
        }
        Share share = known != null ? known : stranger ? null : new Share(rollout, cluster);
        if (share == null) {
            return place;
        }
        tally(share);
        if (share.isEmpty()) {
            rollout.lanes.leave(share);
            contend(share, null);
            return place;
        }
        rollout.count(share, 1);
        cluster.shares.add(place, share);
        return place + 1;
    }

    /** Finds which campaigns want machines that an earlier one has still to do with. */
    private void contend(Cluster cluster) {
        if (cluster.isNowhere()) {
            return;
        }
        for (int i = 0; i < cluster.shares.size(); i++) {
            Share share = cluster.shares.get(i);
            if (share.rollout instanceof CampaignRollout campaign) {
                boolean alone = cluster.shares.size() == 1 || share.remaining == 0 || campaign.over();
                contend(share, alone ? null : Contention.of(cluster, campaign, scratch));
            }
        }
    }

    private static void contend(Share share, @Nullable CampaignName now) {
        if (!Objects.equals(share.contender, now)) {
            share.rollout.contention.replace(share.contender, now);
            share.contender = now;
        }
    }

    /** Takes a rollout's share out of a cluster, if it is there at or after a place. */
    private static @Nullable Share take(Cluster cluster, Rollout rollout, int from) {
        for (int i = from; i < cluster.shares.size(); i++) {
            if (cluster.shares.get(i).rollout == rollout) {
                return cluster.shares.remove(i);
            }
        }
        return null;
    }

    private void tally(Share share) {
        Cluster cluster = share.cluster;
        share.total = 0;
        share.remaining = 0;
        share.atTarget = 0;
        share.skipped = 0;
        share.quarantined = 0;
        share.inFlight = 0;
        share.spent = 0;
        share.failed = 0;
        share.failedAndGone = 0;
        share.upgraded = 0;
        share.controlPlaneLeft = 0;
        share.controlPlaneUntried = 0;
        share.workersLeft = 0;
        share.controlPlaneStarted = false;
        share.controlPlaneQuarantined = false;
        share.oldestControlPlane = KubeVersion.UNKNOWN;
        share.oldestWorker = KubeVersion.UNKNOWN;
        share.newestWorker = KubeVersion.UNKNOWN;
        Cohorts cohorts = cluster.isNowhere() ? null : share.rollout.cohorts;
        if (cohorts != null) {
            cohorts.begin();
        }
        Domains domains = cluster.isNowhere() ? null : share.rollout.domains;
        if (domains != null) {
            domains.begin();
        }
        for (int i = 0; i < cluster.counted(); i++) {
            scratch.row = cluster.members[i];
            Standing known = share.rollout.standing(cluster, scratch);
            Standing standing = scratch.isPresent() ? known : known.gone();
            tally(share, standing, scratch);
            age(share, standing);
            if (cohorts != null) {
                cohorts.tally(share, scratch, standing);
            }
            if (domains != null) {
                domains.tally(scratch, standing);
            }
        }
        tallyDeparted(share);
        if (cohorts != null) {
            cohorts.replace(share);
        }
        if (domains != null) {
            domains.replace(share);
        }
        int width = share.rollout.rules().maxUnavailable().of(Math.max(1, cluster.workers));
        share.chain = share.controlPlaneLeft + (share.workersLeft + width - 1) / width;
        share.wave = share.total == 0 ? 0 : share.rollout.waveOf(cluster);
    }

    /** A control plane one of whose machines is upgraded and has left the cluster's rows is begun, and not done. */
    private void tallyDeparted(Share share) {
        for (int i = 0; i < share.cluster.departed(); i++) {
            scratch.row = share.cluster.departed(i);
            if (scratch.admittedAs() == MachineRole.CONTROL_PLANE
                    && share.rollout.standing(share.cluster, scratch).inFlight()) {
                share.controlPlaneStarted = true;
                share.controlPlaneLeft++;
            }
        }
    }

    /**
     * What a success has proved is newer than what the inventory shows. Of annotations that holds for none but its own target:
     * the machines of a cluster may be asked for different ones.
     */
    private void age(Share share, Standing standing) {
        if (!scratch.isPresent()) {
            return;
        }
        boolean shown = !standing.atTarget() || share.rollout instanceof IntentsRollout;
        if (!scratch.isControlPlane()) {
            share.oldestWorker = KubeVersion.older(share.oldestWorker, scratch.version());
            share.newestWorker = shown ? KubeVersion.newer(share.newestWorker, scratch.version()) : share.newestWorker;
        } else if (shown) {
            share.oldestControlPlane = KubeVersion.older(share.oldestControlPlane, scratch.version());
        }
    }

    private static void tally(Share share, Standing standing, Machine machine) {
        if (standing == Standing.NONE) {
            return;
        }
        boolean present = machine.isPresent();
        share.total += present ? 1 : 0;
        share.inFlight += standing.inFlight() ? 1 : 0;
        share.spent += standing.failed() || standing.inFlight() ? 1 : 0;
        share.failed += standing.failed() ? 1 : 0;
        share.failedAndGone += standing.failed() && !present ? 1 : 0;
        share.upgraded += standing == Standing.SUCCEEDED ? 1 : 0;
        share.atTarget += standing.atTarget() ? 1 : 0;
        share.skipped += standing == Standing.SKIPPED ? 1 : 0;
        share.quarantined += present && standing == Standing.QUARANTINED ? 1 : 0;
        if (!standing.ended()) {
            share.remaining++;
        }
        if (!present) {
            return;
        }
        if (machine.isControlPlane()) {
            share.controlPlaneLeft += standing.ended() ? 0 : 1;
            share.controlPlaneUntried += standing == Standing.FRESH ? 1 : 0;
            share.controlPlaneQuarantined |=
                    standing == Standing.QUARANTINED || share.rollout.leftBehind(share.cluster, machine);
            share.controlPlaneStarted |= standing == Standing.SUCCEEDED
                    || standing.inFlight()
                    || standing.failed()
                    || (standing == Standing.UNCHANGED && hasFailed(share, machine));
        } else {
            share.workersLeft += standing.ended() ? 0 : 1;
        }
    }

    /** Whether an attempt before has failed: where its word was lost, its call may have done what the last one found done. */
    private static boolean hasFailed(Share share, Machine machine) {
        RolloutRef rolloutRef = share.rollout.driverOf(machine);
        RolloutEntry entry = rolloutRef == null ? null : machine.entry(rolloutRef);
        return entry != null && entry.failedAttempts() > 0;
    }

    /** Finds the machine that goes first among those that the cluster's own rows let through. */
    private void choose(Share share, Judge judge, Instant now) {
        int chosen = -1;
        int rank = Integer.MAX_VALUE;
        Cluster cluster = share.cluster;
        if (share.remaining > share.inFlight && !share.rollout.over()) {
            for (int pass = 0; pass < 2; pass++) {
                for (int i = 0; i < cluster.size && rank > 0; i++) {
                    scratch.row = cluster.members[i];
                    if (scratch.isControlPlane() != (pass == 0)) {
                        continue;
                    }
                    candidate.aim(share, cluster.members[i], now);
                    if (candidate.standing().waits()
                            && candidate.rank() < rank
                            && judge.isOpen(Judge.Level.CLUSTER, candidate)) {
                        chosen = cluster.members[i];
                        rank = candidate.rank();
                    }
                }
            }
        }
        share.candidate = chosen;
        if (chosen < 0) {
            share.rollout.lanes.leave(share);
            return;
        }
        best.aim(share, chosen, now);
        share.rank = rank;
        share.need = share.rollout.hasBudget() ? best.need() : 0;
        share.rollout.lanes.put(share, share.need);
    }

    private void chore(Cluster cluster) {
        if (cluster.isNowhere()) {
            if (forgettable(cluster, scratch)) {
                forgettable.put(cluster.site().id(), cluster);
            } else {
                forgettable.remove(cluster.site().id());
            }
            return;
        }
        boolean any = retriable(cluster, scratch) != null;
        if (any != cluster.chore) {
            cluster.chore = any;
            if (any) {
                chores.add(cluster);
            } else {
                chores.remove(cluster);
            }
        }
    }

    private @Nullable Machine retriable(Cluster cluster, Machine look) {
        for (Share share : cluster.shares) {
            if (share.quarantined > 0
                    && share.rollout instanceof CampaignRollout campaign
                    && campaign.status().retriedBeforeSeq() > 0
                    && !campaign.over()) {
                for (int i = 0; i < cluster.size; i++) {
                    look.row = cluster.members[i];
                    if (!look.unreadable()
                            && campaign.standing(cluster, look) == Standing.QUARANTINED
                            && Quarantine.isLifted(campaign, look.status())) {
                        return look;
                    }
                }
            }
        }
        return null;
    }

    /** A machine without an inventory row that nothing is open of: no attempt, and no campaign or intent that knows it. */
    @Nullable
    Machine forgettable(Machine look) {
        return !forgettable.isEmpty() && forgettable(forgettable.firstEntry().getValue(), look) ? look : null;
    }

    /** Looks at the first of them by its key: they stand in no order. */
    private boolean forgettable(Cluster cluster, Machine look) {
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
            if (rollout != null && !rollout.over()) {
                return true;
            }
        }
        return false;
    }

    /** The cluster's intent, and those of owners that have machines in it, are shown anew. */
    private void touchObjects(Cluster cluster) {
        IntentsRollout intents = cluster.site().intents;
        if (intents == null || cluster.isNowhere()) {
            return;
        }
        if (intents.intent(cluster.key()) != null) {
            objects.touch(cluster.key());
        }
        int last = Owners.NONE;
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
