package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.NodeInspection;
import java.util.ArrayList;
import java.util.List;

/**
 * The true state of one machine in the model.
 *
 * @param changes the number of changes that have started; the newest may still run
 * @param calls the attempts whose call the node may have executed
 * @param calledAgain whether one of these attempts made another call later
 */
record ModelNode(String revision, int changes, List<Long> calls, boolean busy, boolean calledAgain) {
    static final String OLD = "100";
    static final String NEW = "200";
    static final ModelNode FRESH = new ModelNode(OLD, 0, List.of(), false, false);

    boolean atTarget() {
        return revision.equals(NEW);
    }

    /** A hash of what an inspection sees; equal hashes show equal inspections. */
    int visibleStateHash() {
        return 2 * changes + (busy ? 1 : 0);
    }

    NodeInspection inspection() {
        return new NodeInspection.ObservedNode(revision, "v1.33.2", true, busy);
    }

    ChangeStatus change(String id) {
        int number = Integer.parseInt(id);
        return number > changes
                ? new ChangeStatus.ChangeForgotten()
                : busy && number == changes ? new ChangeStatus.InProgress("Doing") : new ChangeStatus.ChangeDone();
    }

    CallResult callResult() {
        return busy
                ? new CallResult.NodeBusy("another change is running on the node")
                : atTarget() ? new CallResult.NothingToDo() : new CallResult.ChangeStarted(String.valueOf(changes + 1));
    }

    /** The node after a call. */
    ModelNode withCall(long attempt) {
        boolean again = calledAgain || calls.contains(attempt);
        if (busy) {
            return new ModelNode(revision, changes, calls, true, again);
        }
        List<Long> more = new ArrayList<>(calls);
        more.add(attempt);
        return new ModelNode(revision, atTarget() ? changes : changes + 1, more, !atTarget(), again);
    }

    ModelNode finished() {
        return new ModelNode(NEW, changes, calls, false, calledAgain);
    }

    void addTo(StableHash stableHash) {
        stableHash
                .add(revision)
                .add(changes)
                .add(calls.toString())
                .add(busy ? 1 : 0)
                .add(calledAgain ? 1 : 0);
    }
}
