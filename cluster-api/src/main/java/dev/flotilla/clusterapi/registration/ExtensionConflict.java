package dev.flotilla.clusterapi.registration;

import dev.flotilla.kube.ExtensionRegistration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Another ExtensionConfig that serves the hooks for in-place updates in the same namespaces. Cluster API then calls neither.
 *
 * @param ours the name of our ExtensionConfig; empty if there is none yet
 * @param other the name of the other one
 */
public record ExtensionConflict(String ours, String other, List<String> namespaces) {
    private static final int MAX_NAMED = 5;

    public ExtensionConflict {
        namespaces = List.copyOf(namespaces);
    }

    /** Returns who conflicts, where, and what to do. */
    public String describe() {
        String named = namespaces.stream().limit(MAX_NAMED).collect(Collectors.joining(", "));
        String more = namespaces.size() > MAX_NAMED ? " and " + (namespaces.size() - MAX_NAMED) + " more" : "";
        return "ExtensionConfig " + other + " serves in-place updates in namespaces that "
                + (ours.isEmpty()
                        ? "are labelled " + ExtensionConflictFinder.LABEL
                        : "ExtensionConfig " + ours + " matches too")
                + ": " + named + more
                + ". Cluster API calls one extension for a namespace and updates no machine there: let the namespaceSelector of one"
                + " of them leave these namespaces out, or remove their label "
                + ExtensionRegistration.NAMESPACE_LABEL;
    }
}
