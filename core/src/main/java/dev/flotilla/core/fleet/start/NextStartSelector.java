package dev.flotilla.core.fleet.start;

import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineTable;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.ClusterBacklog;
import dev.flotilla.core.fleet.rollout.ClusterBacklogTable;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.core.fleet.rollout.RolloutStartQueues;
import dev.flotilla.core.fleet.rollout.RolloutTable;
import dev.flotilla.core.fleet.rollout.SiteStartQueue;
import dev.flotilla.core.fleet.rollout.StartQueueTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the next machine to start. A gate of the fleet, a site or a rollout is evaluated once for everything behind it,
 * so a closed gate costs the same for any number of machines. Campaigns and sites' intents of equal priority share the
 * slots by weight: the next slot goes to the rollout with the fewest machines in flight for its weight.
 */
public final class NextStartSelector {
    /** Updates the derived state. */
    @FunctionalInterface
    public interface StateRefresh {
        void refresh(GateEvaluator gateEvaluator, Instant now);
    }

    private final FleetStateReader state;
    private final RolloutTable rollouts;
    private final ClusterBacklogTable backlogs;
    private final StartQueueTable startQueues;
    private final MachineTable machines;
    private final IntConsumer recheckMachine;
    private final StateRefresh refresh;
    private final StartCandidate candidate;
    private boolean noStartPossible;
    private boolean retriedOnce;

    /** Whether a fleet gate rejected the last candidate: then it rejects all. */
    private boolean fleetClosed;

    private final List<Rollout> group = new ArrayList<>();
    private long seq;
    private Instant noStartPossibleAt = Instant.EPOCH;

    /**
     * @param recheckMachine has a machine checked again as if its row had just been put
     */
    public NextStartSelector(
            FleetStateReader state,
            RolloutTable rollouts,
            ClusterBacklogTable backlogs,
            StartQueueTable startQueues,
            MachineTable machines,
            IntConsumer recheckMachine,
            StateRefresh refresh) {
        this.state = state;
        this.rollouts = rollouts;
        this.backlogs = backlogs;
        this.startQueues = startQueues;
        this.machines = machines;
        this.recheckMachine = recheckMachine;
        this.refresh = refresh;
        this.candidate = new StartCandidate(state, backlogs, machines);
    }

    /** Notes a change: machines that could not start may be able to now. */
    public void candidatesMayHaveChanged() {
        noStartPossible = false;
    }

    public @Nullable StartCandidate selectNext(GateEvaluator gateEvaluator, Instant now, long seq) {
        if (noStartPossible && noStartPossibleAt.equals(now)) {
            return null;
        }
        this.seq = seq;
        boolean found = search(gateEvaluator, now);
        while (!found && retriedOnce) {
            refresh.refresh(gateEvaluator, now);
            found = search(gateEvaluator, now);
        }
        noStartPossible = !found;
        noStartPossibleAt = now;
        return found ? candidate : null;
    }

    private boolean search(GateEvaluator gateEvaluator, Instant now) {
        retriedOnce = false;
        fleetClosed = false;
        List<Rollout> ranked = rollouts.ranked();
        boolean found = false;
        int next = 0;
        while (next < ranked.size() && !found && !fleetClosed) {
            int end = endOfSharing(ranked, next);
            found = search(ranked, next, end, gateEvaluator, now);
            next = end;
        }
        return found;
    }

    /** The end of the range of rollouts that share slots, that is, have the same priority. */
    private static int endOfSharing(List<Rollout> ranked, int begin) {
        int end = begin + 1;
        while (end < ranked.size()
                && ranked.get(end).priority() == ranked.get(begin).priority()) {
            end++;
        }
        return end;
    }

    /**
     * Searches rollouts that share slots, starting with the fewest in flight for its weight. The first one nearly
     * always has a machine.
     */
    private boolean search(List<Rollout> ranked, int begin, int end, GateEvaluator gateEvaluator, Instant now) {
        group.clear();
        int first = 0;
        for (int i = begin; i < end; i++) {
            if (startQueues.of(ranked.get(i)).first() != null) {
                group.add(ranked.get(i));
                first = compare(group.getLast(), group.get(first)) < 0 ? group.size() - 1 : first;
            }
        }
        if (group.isEmpty()) {
            return false;
        }
        Collections.swap(group, 0, first);
        boolean found = search(startQueues.of(group.getFirst()), gateEvaluator, now);
        if (!found) {
            group.subList(1, group.size()).sort(this::compare);
        }
        for (int i = 1; i < group.size() && !found && !fleetClosed; i++) {
            found = search(startQueues.of(group.get(i)), gateEvaluator, now);
        }
        return found;
    }

    /**
     * The rollout with fewer machines in flight for its weight goes first; between equals, the decision's number
     * decides, so that no rollout is always first.
     */
    private int compare(Rollout one, Rollout other) {
        int byShare = Long.compare(
                (long) one.limitedInFlight() * other.weight(), (long) other.limitedInFlight() * one.weight());
        return byShare != 0
                ? byShare
                : Long.compareUnsigned(
                        StableHash.mix(one.tieBreaker() ^ seq), StableHash.mix(other.tieBreaker() ^ seq));
    }

    /** Searches one rollout; returns whether the candidate may start now. */
    private boolean search(RolloutStartQueues rolloutStartQueues, GateEvaluator gateEvaluator, Instant now) {
        boolean found = false;
        for (SiteStartQueue siteStartQueue = rolloutStartQueues.first();
                siteStartQueue != null && !found && !fleetClosed;
                siteStartQueue = rolloutStartQueues.first()) {
            ClusterBacklog clusterBacklog = siteStartQueue.first();
            candidate.reset(clusterBacklog, clusterBacklog.candidate(), now);
            if (!gateEvaluator.areOpen(GateEvaluator.GateLevel.FLEET, candidate)) {
                fleetClosed = true;
            } else if (!gateEvaluator.areOpen(GateEvaluator.GateLevel.SITE, candidate)) {
                rolloutStartQueues.setAside(siteStartQueue.site());
            } else if (!gateEvaluator.areOpen(GateEvaluator.GateLevel.ROLLOUT, candidate)) {
                rolloutStartQueues.setAside(siteStartQueue);
            } else if (!gateEvaluator.areOpen(GateEvaluator.GateLevel.CLUSTER, candidate)) {
                // The candidate was allowed at another instant: it no longer fits its window, or the clock went back.
                // Another machine of its cluster may fit, and other clusters need not wait.
                recheckMachine.accept(clusterBacklog.candidate());
                rolloutStartQueues.removeBacklog(clusterBacklog);
                retriedOnce = true;
            } else {
                found = true;
            }
        }
        rolloutStartQueues.restoreSetAside();
        return found;
    }

    public @Nullable StartCandidate candidate(Rollout rollout, MachineView machine, Instant now) {
        ClusterState cluster = machine.cluster();
        ClusterBacklog clusterBacklog =
                cluster == null || cluster.isPlaceholder() ? null : backlogs.find(cluster, rollout);
        return clusterBacklog == null
                ? null
                : new StartCandidate(state, backlogs, machines).reset(clusterBacklog, machine.row(), now);
    }
}
