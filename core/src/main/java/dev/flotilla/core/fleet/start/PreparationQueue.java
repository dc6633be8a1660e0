package dev.flotilla.core.fleet.start;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineTable;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.ClusterBacklog;
import dev.flotilla.core.fleet.rollout.ClusterBacklogTable;
import dev.flotilla.core.fleet.time.MachineTimerQueue;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.PreparationRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The machines that campaigns have prepared next, one of each cluster, and from when. A machine is prepared while it cannot
 * start because of the time: its campaign has not begun, its window is closed, or its wave is the next to open. A closed gate
 * costs the same for any number of clusters behind it.
 */
public final class PreparationQueue {
    private final FleetStateReader state;
    private final StartCandidate candidate;
    private final MachineView scratch;
    private final Map<QueueKey, TreeMap<QueuePlace, QueueEntry>> queues = new TreeMap<>();
    private final Map<ClusterKey, List<QueuedPreparation>> ofClusters = new LinkedHashMap<>();
    private boolean mayHaveChanged = true;
    private long nextDueAt = MachineTimerQueue.NEVER;

    /**
     * What the machines of a queue have in common.
     *
     * @param mayStart whether the time allows their start, so that only their wave holds them back
     */
    private record QueueKey(CampaignName campaign, int wave, SiteId site, boolean mayStart)
            implements Comparable<QueueKey> {
        private static final Comparator<QueueKey> ORDER = Comparator.comparing(QueueKey::campaign)
                .thenComparingInt(QueueKey::wave)
                .thenComparing(QueueKey::site)
                .thenComparing(QueueKey::mayStart);

        @Override
        public int compareTo(QueueKey other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * A place in a queue.
     *
     * @param dueAt from when the machine is prepared, in milliseconds
     * @param cluster null for the first place of an instant
     */
    private record QueuePlace(long dueAt, @Nullable ClusterKey cluster) implements Comparable<QueuePlace> {
        private static final Comparator<QueuePlace> ORDER = Comparator.comparingLong(QueuePlace::dueAt)
                .thenComparing(QueuePlace::cluster, Comparator.nullsFirst(Comparator.naturalOrder()));

        @Override
        public int compareTo(QueuePlace other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * A machine to prepare.
     *
     * @param startsAt when it may start
     */
    private record QueueEntry(ClusterBacklog backlog, int machine, Instant startsAt) {}

    private record QueuedPreparation(QueueKey queue, QueuePlace place) {}

    public PreparationQueue(FleetStateReader state, ClusterBacklogTable backlogs, MachineTable machines) {
        this.state = state;
        this.candidate = new StartCandidate(state, backlogs, machines);
        this.scratch = new MachineView(machines, -1);
    }

    /** Notes a change: what could not be prepared may be now. */
    public void candidatesMayHaveChanged() {
        mayHaveChanged = true;
    }

    /** When the next preparation is due, in milliseconds; {@link MachineTimerQueue#NEVER} for none. */
    public long nextDueAt() {
        return nextDueAt;
    }

    /** Updates the queues after a cluster was counted. */
    void update(ClusterState cluster, List<ClusterBacklog> backlogs, GateEvaluator gates, Instant now) {
        if (cluster.isPlaceholder()) {
            return;
        }
        remove(cluster);
        for (int i = 0; i < backlogs.size(); i++) {
            if (backlogs.get(i).rollout() instanceof CampaignRollout campaign && !campaign.isOver()) {
                PreparationRule rule = campaign.spec().preparation();
                if (rule != null) {
                    add(backlogs.get(i), campaign, rule, gates, now);
                }
            }
        }
    }

    private void remove(ClusterState cluster) {
        List<QueuedPreparation> known = ofClusters.isEmpty() ? null : ofClusters.remove(cluster.key());
        if (known == null) {
            return;
        }
        for (QueuedPreparation queued : known) {
            TreeMap<QueuePlace, QueueEntry> queue = queues.get(queued.queue());
            if (queue != null && queue.remove(queued.place()) != null && queue.isEmpty()) {
                queues.remove(queued.queue());
            }
        }
    }

    private void add(
            ClusterBacklog backlog, CampaignRollout campaign, PreparationRule rule, GateEvaluator gates, Instant now) {
        ClusterState cluster = backlog.cluster();
        Instant startsAt = PreparationNeed.startsAt(state, campaign, cluster, now);
        if (startsAt == null) {
            return;
        }
        boolean mayStart = !startsAt.isAfter(now);
        long dueAt = mayStart ? 0 : startsAt.minus(rule.before()).toEpochMilli();
        int first = -1;
        long firstDueAt = MachineTimerQueue.NEVER;
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < cluster.size(); i++) {
                scratch.moveTo(cluster.member(i));
                if (scratch.isControlPlane() != (pass == 0)
                        || !PreparationNeed.isUnprepared(campaign, cluster, scratch)) {
                    continue;
                }
                Instant retryAt = PreparationNeed.retryAt(campaign, scratch);
                long machineDueAt = retryAt == null ? dueAt : Math.max(dueAt, retryAt.toEpochMilli());
                candidate.reset(backlog, scratch.row(), startsAt);
                if (machineDueAt < firstDueAt && gates.areOpen(GateEvaluator.GateLevel.CLUSTER, candidate)) {
                    first = scratch.row();
                    firstDueAt = machineDueAt;
                }
            }
        }
        if (first >= 0) {
            put(
                    new QueueKey(campaign.name(), backlog.wave(), cluster.site().id(), mayStart),
                    new QueuePlace(firstDueAt, cluster.key()),
                    new QueueEntry(backlog, first, startsAt));
        }
    }

    private void put(QueueKey key, QueuePlace place, QueueEntry entry) {
        queues.computeIfAbsent(key, unused -> new TreeMap<>()).put(place, entry);
        ofClusters
                .computeIfAbsent(entry.backlog().cluster().key(), unused -> new ArrayList<>(1))
                .add(new QueuedPreparation(key, place));
        nextDueAt = Math.min(nextDueAt, place.dueAt());
        mayHaveChanged = true;
    }

    /** The machine that is prepared next, as a candidate at the instant at which it may start; null for none. */
    public @Nullable StartCandidate selectNext(GateEvaluator gates, Instant now) {
        if (!mayHaveChanged && now.toEpochMilli() < nextDueAt) {
            return null;
        }
        nextDueAt = MachineTimerQueue.NEVER;
        for (Map.Entry<QueueKey, TreeMap<QueuePlace, QueueEntry>> queue : queues.entrySet()) {
            if (select(queue.getKey(), queue.getValue(), gates, now)) {
                nextDueAt = now.toEpochMilli();
                return candidate;
            }
        }
        mayHaveChanged = false;
        return null;
    }

    /** Whether a machine of a queue is to be prepared now. */
    private boolean select(QueueKey key, NavigableMap<QueuePlace, QueueEntry> queue, GateEvaluator gates, Instant now) {
        QueuePlace later = queue.ceilingKey(new QueuePlace(now.toEpochMilli() + 1, null));
        nextDueAt = later == null ? nextDueAt : Math.min(nextDueAt, later.dueAt());
        CampaignRollout campaign = state.rollout(key.campaign());
        if (campaign == null || !PreparationNeed.isHeldBack(campaign, key.wave(), key.mayStart())) {
            return false;
        }
        for (QueueEntry entry :
                queue.headMap(new QueuePlace(now.toEpochMilli() + 1, null)).values()) {
            boolean isTooLate = !key.mayStart() && PreparationNeed.isTooLate(entry.startsAt(), now);
            candidate.reset(entry.backlog(), entry.machine(), entry.startsAt().isAfter(now) ? entry.startsAt() : now);
            if (!isTooLate && gates.areOpen(GateEvaluator.GateLevel.CLUSTER, candidate)) {
                // The other gates hold back every machine of the queue or none.
                return gates.areOpen(GateEvaluator.GateLevel.FLEET, candidate)
                        && gates.areOpen(GateEvaluator.GateLevel.SITE, candidate)
                        && gates.areOpen(GateEvaluator.GateLevel.ROLLOUT, candidate);
            }
        }
        return false;
    }
}
