package dev.flotilla.core.fleet.inventory;

import dev.flotilla.core.fleet.column.KeyedCountPairs;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a site's machines show about the targets of its intents: the version of each revision, and the machines in
 * flight to each target. A machine in flight does not count for versions, because its revision may be new while its
 * kubelet is still old.
 */
public final class RevisionVersionIndex {
    private final MachineTable table;

    /** By revision: the number of machines with each version. */
    private final Map<String, SortedMap<Integer, Integer>> versions = new LinkedHashMap<>();

    private final Map<UpgradeTarget, Integer> inFlight = new LinkedHashMap<>();
    private final KeyedCountPairs now = new KeyedCountPairs();
    private boolean changed;

    public RevisionVersionIndex(MachineTable table) {
        this.table = table;
    }

    /** Counts the machines of a cluster again. */
    public void count(ClusterState cluster, int machines, MachineView scratch) {
        List<UpgradeTarget> targets = new ArrayList<>();
        now.clear();
        for (int i = 0; i < machines; i++) {
            scratch.moveTo(cluster.member(i));
            UpgradeAttempt attempt = scratch.attempt();
            if (attempt != null && ClusterCounter.isForIntent(attempt)) {
                targets.add(attempt.target());
            }
            if (scratch.isPresent() && !scratch.inFlight()) {
                tally(scratch.row());
            }
        }
        if (now.since(
                cluster.revisions,
                (revision, version, came, shown, none) ->
                        add(Objects.requireNonNull(table.text((int) revision)), version, shown))) {
            cluster.revisions = now.copyTo(cluster.revisions);
        }
        if (!cluster.targets.equals(targets)) {
            cluster.targets.forEach(target -> inFlight.computeIfPresent(target, (key, n) -> n == 1 ? null : n - 1));
            targets.forEach(target -> inFlight.merge(target, 1, Integer::sum));
            cluster.targets = List.copyOf(targets);
            changed = true;
        }
    }

    private void tally(int row) {
        int revision = table.revisionNumber(row);
        int version = revision == 0 ? KubernetesVersion.UNKNOWN : KubernetesVersion.parse(table.version(row));
        if (version != KubernetesVersion.UNKNOWN) {
            now.add(revision, version, 1, 0);
        }
    }

    private void add(String revision, int version, int machines) {
        int before = version(revision);
        SortedMap<Integer, Integer> shown = versions.computeIfAbsent(revision, absent -> new TreeMap<>());
        int left = shown.merge(version, machines, Integer::sum);
        if (left == 0) {
            shown.remove(version);
        }
        if (shown.isEmpty()) {
            versions.remove(revision);
        }
        changed |= version(revision) != before;
    }

    /** The version of a revision; unknown if no machine shows it, or if machines disagree on the minor version. */
    public int version(String revision) {
        SortedMap<Integer, Integer> shown = versions.get(revision);
        return shown == null || KubernetesVersion.minor(shown.firstKey()) != KubernetesVersion.minor(shown.lastKey())
                ? KubernetesVersion.UNKNOWN
                : shown.lastKey();
    }

    /** Machines in flight to a target for intents. */
    public int inFlight(UpgradeTarget target) {
        return inFlight.getOrDefault(target, 0);
    }

    /** Whether anything has changed since the last call. */
    public boolean pollChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }
}
