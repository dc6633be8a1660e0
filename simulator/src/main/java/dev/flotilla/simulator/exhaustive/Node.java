package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.fleet.Digest;
import dev.flotilla.core.procedure.Answer;
import dev.flotilla.core.procedure.ChangeSight;
import dev.flotilla.core.procedure.Sight;
import java.util.ArrayList;
import java.util.List;

/**
 * One machine as it is.
 *
 * @param changes that have begun on it; the newest may still run
 * @param calls the attempts that have made a call which was not certainly refused
 * @param calledAgain whether one of these has made another call after it
 */
record Node(String revision, int changes, List<Long> calls, boolean busy, boolean calledAgain) {
    static final String OLD = "100";
    static final String NEW = "200";
    static final Node FRESH = new Node(OLD, 0, List.of(), false, false);

    boolean atTarget() {
        return revision.equals(NEW);
    }

    /** Two looks at one of the same mark show the same. */
    int mark() {
        return 2 * changes + (busy ? 1 : 0);
    }

    Sight sight() {
        return new Sight.Node(revision, "v1.33.2", true, busy);
    }

    ChangeSight change(String id) {
        int number = Integer.parseInt(id);
        return number > changes
                ? new ChangeSight.Lost()
                : busy && number == changes ? new ChangeSight.GoesOn("Doing") : new ChangeSight.Done();
    }

    Answer answer() {
        return busy
                ? new Answer.Busy("another change is at work on the node")
                : atTarget() ? new Answer.NothingToDo() : new Answer.Accepted(String.valueOf(changes + 1));
    }

    /** What a call makes of it. */
    Node called(long attempt) {
        boolean again = calledAgain || calls.contains(attempt);
        if (busy) {
            return new Node(revision, changes, calls, true, again);
        }
        List<Long> more = new ArrayList<>(calls);
        more.add(attempt);
        return new Node(revision, atTarget() ? changes : changes + 1, more, !atTarget(), again);
    }

    Node finished() {
        return new Node(NEW, changes, calls, false, calledAgain);
    }

    void addTo(Digest digest) {
        digest.add(revision)
                .add(changes)
                .add(calls.toString())
                .add(busy ? 1 : 0)
                .add(calledAgain ? 1 : 0);
    }
}
