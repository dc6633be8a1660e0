package dev.flotilla.simulator.node;

import java.util.ArrayList;
import java.util.List;

/** Which revisions a node ran, and since when. */
final class NodeRevisionHistory {
    private final List<RevisionPeriod> periods = new ArrayList<>();

    private record RevisionPeriod(long since, int revision) {}

    void add(long from, int revision) {
        periods.add(new RevisionPeriod(from, revision));
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
