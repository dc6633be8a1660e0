package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.MachineRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The machines that show the same node. */
final class DuplicateNodeIndex {
    private static final int MOST_NAMESAKES = 8;

    private static final Pattern SAYS_NOTHING = Pattern.compile(
            "(docker|inmemory|k3s|kind|kubemark|kwok|remote-machine|static|byoh|host)://.*|-*(.)(-*\\2)*-*"
                    + "|03000200-0400-0500-0006-000700080009|00020003-0004-0005-0006-000700080009"
                    + "|12345678-1234-5678-90ab-cddeefaabbcc|not[- ]specified|not settable|not available|none"
                    + "|to be filled by o\\.e\\.m\\.|default string",
            Pattern.CASE_INSENSITIVE);

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

    /**
     * The machines of other sites that show the same node. A value that more than a few machines show identifies no
     * node.
     */
    List<MachineRow> machinesWithSameNode(MachineRow row) {
        List<MachineRow> duplicates = new ArrayList<>();
        for (String name : names(row)) {
            Set<MachineRow> namesakes = shown.getOrDefault(name, Set.of());
            for (MachineRow other : namesakes) {
                if (namesakes.size() <= MOST_NAMESAKES && !other.site().equals(row.site())) {
                    duplicates.add(other);
                }
            }
        }
        return duplicates;
    }

    /**
     * Some boards are shipped with the same UUID, and some providers' ids are unique within one management cluster
     * only.
     */
    private static boolean tells(@Nullable String identity) {
        return identity != null
                && !identity.isEmpty()
                && !SAYS_NOTHING.matcher(identity.strip()).matches();
    }

    private static List<String> names(MachineRow row) {
        List<String> names = new ArrayList<>(2);
        if (tells(row.providerId())) {
            names.add("provider " + row.providerId());
        }
        if (tells(row.systemUuid())) {
            names.add("system " + row.systemUuid());
        }
        return names;
    }
}
