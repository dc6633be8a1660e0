package dev.flotilla.core.fleet.start;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineTable;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.ClusterBacklog;
import dev.flotilla.core.fleet.rollout.ClusterBacklogTable;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.VersionField;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The clusters whose version fields campaigns change next, each with the machine that waits for it. A closed gate costs the same for any
 * number of clusters behind it.
 */
public final class ClusterUpgradeQueue {
    private final FleetStateReader state;
    private final StartCandidate candidate;
    private final MachineView scratch;
    private final MachineView fieldScratch;
    private final Map<QueueKey, TreeMap<QueuePlace, QueueEntry>> queues = new TreeMap<>();
    private final Map<ClusterKey, List<QueuedCluster>> ofClusters = new LinkedHashMap<>();
    private boolean mayHaveChanged = true;
    private Instant searchedAt = Instant.EPOCH;

    /** What the clusters of a queue have in common; the highest priority goes first. */
    private record QueueKey(int priority, CampaignName campaign, int wave, SiteId site)
            implements Comparable<QueueKey> {
        private static final Comparator<QueueKey> ORDER = Comparator.comparingInt(QueueKey::priority)
                .reversed()
                .thenComparing(QueueKey::campaign)
                .thenComparingInt(QueueKey::wave)
                .thenComparing(QueueKey::site);

        @Override
        public int compareTo(QueueKey other) {
            return ORDER.compare(this, other);
        }
    }

    /** A place in a queue: clusters that are open already go first. */
    private record QueuePlace(boolean isNew, long spread, ClusterKey cluster) implements Comparable<QueuePlace> {
        private static final Comparator<QueuePlace> ORDER = Comparator.comparing(QueuePlace::isNew)
                .thenComparingLong(QueuePlace::spread)
                .thenComparing(QueuePlace::cluster);

        @Override
        public int compareTo(QueuePlace other) {
            return ORDER.compare(this, other);
        }
    }

    private record QueueEntry(ClusterBacklog backlog, int machine) {}

    private record QueuedCluster(QueueKey queue, QueuePlace place) {}

    public ClusterUpgradeQueue(FleetStateReader state, ClusterBacklogTable backlogs, MachineTable machines) {
        this.state = state;
        this.candidate = new StartCandidate(state, backlogs, machines);
        this.scratch = new MachineView(machines, -1);
        this.fieldScratch = new MachineView(machines, -1);
    }

    /** Notes a change: clusters that could not be opened may be now. */
    public void candidatesMayHaveChanged() {
        mayHaveChanged = true;
    }

    /** Updates the queues after a cluster was counted. */
    void update(ClusterState cluster, List<ClusterBacklog> backlogs, GateEvaluator gates, Instant now) {
        if (cluster.isPlaceholder()) {
            return;
        }
        remove(cluster.key());
        if (cluster.row() == null || cluster.row().versionFields().isEmpty()) {
            return;
        }
        for (int i = 0; i < backlogs.size(); i++) {
            if (backlogs.get(i).rollout() instanceof CampaignRollout campaign && !campaign.isOver()) {
                add(backlogs.get(i), campaign, gates, now);
            }
        }
    }

    private void remove(ClusterKey cluster) {
        List<QueuedCluster> known = ofClusters.isEmpty() ? null : ofClusters.remove(cluster);
        if (known == null) {
            return;
        }
        for (QueuedCluster queued : known) {
            TreeMap<QueuePlace, QueueEntry> queue = queues.get(queued.queue());
            if (queue != null && queue.remove(queued.place()) != null && queue.isEmpty()) {
                queues.remove(queued.queue());
            }
        }
    }

    private void add(ClusterBacklog backlog, CampaignRollout campaign, GateEvaluator gates, Instant now) {
        ClusterState cluster = backlog.cluster();
        int machine = findCandidate(backlog, campaign, gates, now);
        if (machine < 0) {
            return;
        }
        QueueKey key = new QueueKey(
                campaign.priority(),
                campaign.name(),
                backlog.wave(),
                cluster.site().id());
        QueuePlace place = new QueuePlace(!ClusterUpgradeNeed.hasSlot(cluster), cluster.spread(), cluster.key());
        queues.computeIfAbsent(key, unused -> new TreeMap<>()).put(place, new QueueEntry(backlog, machine));
        ofClusters.computeIfAbsent(cluster.key(), unused -> new ArrayList<>(1)).add(new QueuedCluster(key, place));
        mayHaveChanged = true;
    }

    /** Finds a machine that waits for a field which can be changed next, those of the control plane first; -1 for none. */
    private int findCandidate(ClusterBacklog backlog, CampaignRollout campaign, GateEvaluator gates, Instant now) {
        ClusterState cluster = backlog.cluster();
        List<VersionField> fields = ClusterUpgradeNeed.nextFields(state, cluster, campaign, fieldScratch);
        for (int pass = 0; pass < 2 && !fields.isEmpty(); pass++) {
            for (int i = 0; i < cluster.size(); i++) {
                scratch.moveTo(cluster.member(i));
                if (scratch.isControlPlane() != (pass == 0) || !waitsForAny(cluster, campaign, fields)) {
                    continue;
                }
                candidate.reset(backlog, scratch.row(), now);
                if (gates.areOpen(GateEvaluator.GateLevel.CLUSTER, candidate)) {
                    return scratch.row();
                }
            }
        }
        return -1;
    }

    private boolean waitsForAny(ClusterState cluster, CampaignRollout campaign, List<VersionField> fields) {
        for (VersionField field : fields) {
            if (ClusterUpgradeNeed.isWaitingFor(cluster, campaign, field, scratch)) {
                return true;
            }
        }
        return false;
    }

    /** A machine of the cluster whose fields are changed next; null for none. */
    public @Nullable StartCandidate selectNext(GateEvaluator gates, Instant now) {
        if (!mayHaveChanged && now.equals(searchedAt)) {
            return null;
        }
        for (TreeMap<QueuePlace, QueueEntry> queue : queues.values()) {
            if (select(queue, gates, now)) {
                return candidate;
            }
        }
        mayHaveChanged = false;
        searchedAt = now;
        return null;
    }

    private boolean select(Map<QueuePlace, QueueEntry> queue, GateEvaluator gates, Instant now) {
        for (QueueEntry entry : queue.values()) {
            candidate.reset(entry.backlog(), entry.machine(), now);
            if (gates.areOpen(GateEvaluator.GateLevel.CLUSTER, candidate)) {
                // The other gates hold back every cluster of the queue, except the caps, which an open cluster passes.
                boolean open = gates.areOpen(GateEvaluator.GateLevel.FLEET, candidate)
                        && gates.areOpen(GateEvaluator.GateLevel.SITE, candidate)
                        && gates.areOpen(GateEvaluator.GateLevel.ROLLOUT, candidate);
                if (open || !ClusterUpgradeNeed.hasSlot(candidate.cluster())) {
                    return open;
                }
            }
        }
        return false;
    }
}
