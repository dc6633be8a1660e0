package dev.flotilla.simulator.node;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changes that the snapd of one node knows. At most one of them runs. */
final class NodeSnapChanges {
    private static final int FIRST_ID = 100;

    private final NodeCallLedger ledger;
    private final Map<String, SnapChange> changes = new LinkedHashMap<>();
    private @Nullable SnapChange running;
    private int nextId = FIRST_ID;

    NodeSnapChanges(NodeCallLedger ledger) {
        this.ledger = ledger;
    }

    /** The id of the next change; each id is given once. */
    String nextId() {
        return Integer.toString(nextId++);
    }

    SnapChange start(String id, boolean startedByCall) {
        SnapChange change = new SnapChange(id, startedByCall);
        changes.put(id, change);
        running = change;
        if (startedByCall) {
            ledger.refreshStarted();
        }
        return change;
    }

    boolean isAnyRunning() {
        return running != null;
    }

    boolean isRunning(SnapChange change) {
        return running == change;
    }

    /** Ends the running change if there is one. */
    void endRunning() {
        if (running != null) {
            end(running);
        }
    }

    void end(SnapChange change) {
        running = null;
        if (change.startedByCall()) {
            ledger.refreshEnded();
        }
    }

    /** Aborts a change if it runs and does not hang: nothing of it takes effect any more. */
    boolean abort(String id) {
        SnapChange change = changes.get(id);
        if (change == null || !isRunning(change) || change.status() != SnapChange.SnapChangeStatus.DOING) {
            return false;
        }
        end(change);
        change.setStatus(SnapChange.SnapChangeStatus.ABORTED);
        return true;
    }

    /** Forgets a change, as snapd does with old ones: its id is unknown from then on. */
    void forget(SnapChange change) {
        changes.remove(change.id());
    }

    /** The status of a change, as snapd names it; empty if the id is unknown. */
    String status(String id) {
        SnapChange change = changes.get(id);
        return change == null ? "" : change.status().label();
    }

    /** The error that snapd reports for a failed change; empty if the id is unknown. */
    String error(String id) {
        SnapChange change = changes.get(id);
        return change == null ? "" : change.error();
    }
}
