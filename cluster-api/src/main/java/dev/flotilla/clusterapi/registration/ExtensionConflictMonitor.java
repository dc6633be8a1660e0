package dev.flotilla.clusterapi.registration;

import dev.flotilla.clusterapi.event.ObjectEventWriter;
import dev.flotilla.kube.KubeObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Watches for other extensions in our namespaces. A conflict is shown and never makes the process unready: a manager of Cluster API that
 * starts while Discovery does not answer ends, which is worse than updates that wait.
 */
public final class ExtensionConflictMonitor {
    private final ExtensionConflictFinder finder;
    private final ObjectEventWriter events;
    private volatile int conflicts;

    public ExtensionConflictMonitor(ExtensionConflictFinder finder, ObjectEventWriter events) {
        this.finder = finder;
        this.events = events;
    }

    /** Returns how many conflicts the last check found. */
    public int conflicts() {
        return conflicts;
    }

    /**
     * Checks before anybody depends on this process.
     *
     * @throws IOException if there is a conflict and no ExtensionConfig of ours, so that Cluster API does not call this process yet
     */
    public void requireNoConflictBeforeRegistration() throws IOException {
        if (finder.find() instanceof ExtensionConflictFinder.FindResult.ExtensionsRead read
                && read.ours().isEmpty()
                && !read.conflicts().isEmpty()) {
            throw new IOException(read.conflicts().getFirst().describe());
        }
    }

    /** Checks once and writes an Event on each ExtensionConfig of ours that conflicts. Returns what is to be logged. */
    public List<String> checkOnce() {
        return switch (finder.find()) {
            case ExtensionConflictFinder.FindResult.ExtensionsUnreadable unreadable ->
                List.of("the ExtensionConfigs cannot be read: " + unreadable.problem());
            case ExtensionConflictFinder.FindResult.ExtensionsRead read -> report(read);
        };
    }

    private List<String> report(ExtensionConflictFinder.FindResult.ExtensionsRead read) {
        conflicts = read.conflicts().size();
        List<String> problems = new ArrayList<>();
        for (ExtensionConflict conflict : read.conflicts()) {
            problems.add(conflict.describe());
            for (KubeObject config : read.ours()) {
                if (config.name().equals(conflict.ours())) {
                    String problem = events.write(config, "ExtensionConflict", conflict.describe());
                    if (problem != null) {
                        problems.add("the Event cannot be written: " + problem);
                    }
                }
            }
        }
        return problems;
    }
}
