package dev.flotilla.simulator.node;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The revision that a node runs, the revisions that it ran before, and the revision that its Node object and its
 * cluster's database show.
 */
final class NodeRevisionState {
    private final List<RevisionPeriod> periods = new ArrayList<>();
    private BooleanSupplier isDatabaseOpen = () -> true;
    private int running;
    private int inNodeObject;
    private int inK8sdDatabase;

    private record RevisionPeriod(long since, int revision) {}

    NodeRevisionState(long since, int revision) {
        run(since, revision);
        inNodeObject = revision;
        inK8sdDatabase = revision;
    }

    /** Runs another revision. It is shown after the next {@link #publish}. */
    void run(long from, int revision) {
        running = revision;
        periods.add(new RevisionPeriod(from, revision));
    }

    /** Shows the running revision in the Node object, and in the database if that is open. */
    void publish() {
        inNodeObject = running;
        inK8sdDatabase = isDatabaseOpen.getAsBoolean() ? running : inK8sdDatabase;
    }

    void writeToDatabaseWhile(BooleanSupplier databaseIsOpen) {
        isDatabaseOpen = databaseIsOpen;
    }

    int running() {
        return running;
    }

    int inNodeObject() {
        return inNodeObject;
    }

    int inK8sdDatabase() {
        return inK8sdDatabase;
    }

    /** Whether a revision ran at any time since an instant. */
    boolean ranSince(long since, int wanted) {
        for (int i = periods.size() - 1; i >= 0; i--) {
            if (periods.get(i).revision() == wanted) {
                return true;
            }
            if (periods.get(i).since() <= since) {
                return false;
            }
        }
        return false;
    }
}
