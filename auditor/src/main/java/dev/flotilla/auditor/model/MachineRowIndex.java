package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.MachineRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The inventory rows of machines: by id, cluster, revision and node, and their number in each site. */
final class MachineRowIndex {
    private final Map<String, MachineRow> rows = new HashMap<>();
    private final Map<String, Set<String>> idsByCluster = new HashMap<>();
    private final Map<String, Set<String>> idsByRevision = new HashMap<>();
    private final Map<String, Integer> countsBySite = new HashMap<>();
    private final DuplicateNodeIndex duplicateNodeIndex = new DuplicateNodeIndex();

    /** Replaces the row of a machine; null removes it. */
    void put(String id, String site, @Nullable MachineRow row) {
        MachineRow before = row == null ? rows.remove(id) : rows.put(id, row);
        if (before != null) {
            idsByRevision.getOrDefault(revisionKey(before), new TreeSet<>()).remove(id);
            duplicateNodeIndex.remove(before);
            idsByCluster.getOrDefault(before.cluster(), new TreeSet<>()).remove(id);
            countsBySite.merge(site, -1, Integer::sum);
        }
        if (row != null) {
            idsByRevision
                    .computeIfAbsent(revisionKey(row), absent -> new TreeSet<>())
                    .add(id);
            duplicateNodeIndex.add(row);
            idsByCluster
                    .computeIfAbsent(row.cluster(), absent -> new TreeSet<>())
                    .add(id);
            countsBySite.merge(site, 1, Integer::sum);
        }
    }

    @Nullable
    MachineRow get(String id) {
        return rows.get(id);
    }

    Set<String> ids() {
        return rows.keySet();
    }

    Collection<MachineRow> all() {
        return rows.values();
    }

    Set<String> idsInCluster(String cluster) {
        return idsByCluster.getOrDefault(cluster, Set.of());
    }

    List<MachineRow> inCluster(String cluster) {
        return rowsOf(idsInCluster(cluster));
    }

    /** Machines of a site that show a revision. */
    List<MachineRow> atRevision(String site, String revision) {
        return rowsOf(idsByRevision.getOrDefault(revisionKey(site, revision), Set.of()));
    }

    int countInSite(String site) {
        return countsBySite.getOrDefault(site, 0);
    }

    /** The machines of other sites that show the same node. */
    List<MachineRow> withSameNode(MachineRow row) {
        return duplicateNodeIndex.machinesWithSameNode(row);
    }

    private List<MachineRow> rowsOf(Set<String> ids) {
        List<MachineRow> found = new ArrayList<>();
        for (String id : ids) {
            MachineRow row = rows.get(id);
            if (row != null) {
                found.add(row);
            }
        }
        return found;
    }

    private static String revisionKey(MachineRow row) {
        return revisionKey(row.site(), String.valueOf(row.revision()));
    }

    private static String revisionKey(String site, String revision) {
        return site + " " + revision;
    }
}
