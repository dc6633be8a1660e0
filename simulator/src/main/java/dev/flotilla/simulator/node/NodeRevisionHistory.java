package dev.flotilla.simulator.node;

import java.util.ArrayList;
import java.util.List;

/** Which revisions a node ran, and from when on. */
final class NodeRevisionHistory {
    private final List<Ran> all = new ArrayList<>();

    private record Ran(long from, int revision) {}

    void add(long from, int revision) {
        all.add(new Ran(from, revision));
    }

    /** Whether a revision ran at any instant since. */
    boolean ranSince(long since, int wanted) {
        for (int i = all.size() - 1; i >= 0; i--) {
            if (all.get(i).revision() == wanted) {
                return true;
            }
            if (all.get(i).from() <= since) {
                return false;
            }
        }
        return false;
    }
}
