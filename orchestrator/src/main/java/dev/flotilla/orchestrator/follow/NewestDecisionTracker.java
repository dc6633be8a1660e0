package dev.flotilla.orchestrator.follow;

import java.util.TreeSet;

/**
 * Tracks the newest decision that wrote a row, from the headers of the orchestrator's own rows. There are at most as
 * many decisions as journal records, so a number beyond the journal's end was not written by an orchestrator and is
 * ignored.
 */
public final class NewestDecisionTracker {
    /** Limit of numbers that are kept until the head row or the journal's end shows that they are possible. */
    private static final int MAX_BEYOND = 100_000;

    private final TreeSet<Long> beyond = new TreeSet<>();
    private long highestPossible;
    private long newest;

    /** Records the decision number of a row that was read. */
    void observeSeq(long seq) {
        if (seq <= highestPossible) {
            newest = Math.max(newest, seq);
        } else if (beyond.add(seq) && beyond.size() > MAX_BEYOND) {
            beyond.pollLast();
        }
    }

    /** Raises the number of decisions that are possible. */
    public void raiseLimit(long seq) {
        highestPossible = Math.max(highestPossible, seq);
        while (!beyond.isEmpty() && beyond.first() <= highestPossible) {
            newest = Math.max(newest, beyond.pollFirst());
        }
    }

    long seq() {
        return newest;
    }
}
