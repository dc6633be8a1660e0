package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The machines in flight: those with an open attempt, and those that another controller upgrades. */
public final class InFlightMachines {
    private final Set<String> all = new HashSet<>();
    private final Map<String, Set<String>> ofSites = new HashMap<>();
    private final Map<RolloutRef, Set<String>> ofDrivers = new HashMap<>();
    private final Map<String, RolloutRef> driverOf = new HashMap<>();
    private final Set<String> attempts = new TreeSet<>();
    private final Set<String> preparing = new TreeSet<>();
    private final Map<String, Set<String>> preparingOfSites = new HashMap<>();

    /** Machines with an open attempt, by the cluster in which it was admitted. */
    private final Map<String, Set<String>> ofClusters = new HashMap<>();

    private final Map<String, String> clusterOf = new HashMap<>();

    void updateMachine(String id, String site, @Nullable MachineRow row, @Nullable MachineStatus status) {
        UpgradeAttempt upgradeAttempt = status == null ? null : status.attempt();
        boolean flying = upgradeAttempt != null || (row != null && row.hasForeignActivity());
        mark(all, id, flying);
        mark(ofSites.computeIfAbsent(site, absent -> new HashSet<>()), id, flying);
        mark(attempts, id, upgradeAttempt != null);
        boolean prepares = status != null && status.isPreparing();
        mark(preparing, id, prepares);
        mark(preparingOfSites.computeIfAbsent(site, absent -> new HashSet<>()), id, prepares);
        RolloutRef before = driverOf.remove(id);
        Set<String> others = before == null ? null : ofDrivers.get(before);
        if (others != null && others.remove(id) && others.isEmpty()) {
            ofDrivers.remove(before);
        }
        admitted(id, upgradeAttempt == null ? null : upgradeAttempt.machine());
        if (upgradeAttempt != null) {
            driverOf.put(id, upgradeAttempt.rollout());
            ofDrivers
                    .computeIfAbsent(upgradeAttempt.rollout(), absent -> new HashSet<>())
                    .add(id);
        }
    }

    private void admitted(String id, UpgradeAttempt.@Nullable AttemptMachineSnapshot machine) {
        String cluster = machine == null ? null : id.substring(0, id.lastIndexOf('/') + 1) + machine.cluster();
        String before = cluster == null ? clusterOf.remove(id) : clusterOf.put(id, cluster);
        if (before != null && !before.equals(cluster)) {
            Set<String> others = ofClusters.getOrDefault(before, new TreeSet<>());
            others.remove(id);
            if (others.isEmpty()) {
                ofClusters.remove(before);
            }
        }
        if (cluster != null) {
            ofClusters.computeIfAbsent(cluster, absent -> new TreeSet<>()).add(id);
        }
    }

    private static void mark(Set<String> set, String id, boolean in) {
        if (in) {
            set.add(id);
        } else {
            set.remove(id);
        }
    }

    /** Machines that prepare; they are not in flight. */
    public Set<String> preparing() {
        return preparing;
    }

    public int countPreparing(String site) {
        return preparingOfSites.getOrDefault(site, Set.of()).size();
    }

    public int countInFleet() {
        return all.size();
    }

    public int countInSite(String site) {
        return ofSites.getOrDefault(site, Set.of()).size();
    }

    public int countInRollout(RolloutRef rolloutRef) {
        return machinesOf(rolloutRef).size();
    }

    public Set<String> machinesOf(RolloutRef rolloutRef) {
        return ofDrivers.getOrDefault(rolloutRef, Set.of());
    }

    /** Machines of a site that are in flight for an intent. */
    public int countForIntents(String site) {
        int asked = 0;
        for (Map.Entry<RolloutRef, Set<String>> each : ofDrivers.entrySet()) {
            boolean here = each.getKey() instanceof RolloutRef.IntentRef intent
                    && intent.site().equals(site);
            asked += here ? each.getValue().size() : 0;
        }
        return asked;
    }

    /** Machines whose open attempt was admitted in a cluster. */
    Set<String> admittedIn(String cluster) {
        return ofClusters.getOrDefault(cluster, Set.of());
    }

    public boolean contains(String machine) {
        return all.contains(machine);
    }

    /** Machines with an open attempt. */
    public Set<String> attempts() {
        return attempts;
    }
}
