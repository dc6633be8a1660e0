package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.MachineRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which machines show the same node. */
final class Nodes {
    private final Map<String, Set<MachineRow>> shown = new HashMap<>();

    void add(MachineRow row) {
        for (String name : names(row)) {
            shown.computeIfAbsent(name, absent -> new HashSet<>()).add(row);
        }
    }

    void remove(MachineRow row) {
        for (String name : names(row)) {
            Set<MachineRow> others = shown.get(name);
            if (others != null && others.remove(row) && others.isEmpty()) {
                shown.remove(name);
            }
        }
    }

    boolean inTwoSites(MachineRow row) {
        for (String name : names(row)) {
            for (MachineRow other : shown.getOrDefault(name, Set.of())) {
                if (!other.site().equals(row.site())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<String> names(MachineRow row) {
        List<String> names = new ArrayList<>(2);
        if (row.providerId() != null) {
            names.add("provider " + row.providerId());
        }
        if (row.systemUuid() != null) {
            names.add("system " + row.systemUuid());
        }
        return names;
    }
}
