package dev.flotilla.orchestrator.loop;

import java.util.TreeSet;

/**
 * The newest decision that has written a row, by the headers of our own rows. There are no more decisions than records in
 * the journal: a number beyond its end is not ours, and counts for nothing.
 */
final class NewestDecisionTracker {
    /** So many numbers are kept until the head row or the journal's end says that they are possible. */
    private static final int MOST_BEYOND = 100_000;

    private final TreeSet<Long> beyond = new TreeSet<>();
    private long possible;
    private long newest;

    /** A row was read. */
    void observeSeq(long seq) {
        if (seq <= possible) {
            newest = Math.max(newest, seq);
        } else if (beyond.add(seq) && beyond.size() > MOST_BEYOND) {
            beyond.pollLast();
        }
    }

    /** There may be as many decisions. */
    void limitTo(long most) {
        possible = Math.max(possible, most);
        while (!beyond.isEmpty() && beyond.first() <= possible) {
            newest = Math.max(newest, beyond.pollFirst());
        }
    }

    long seq() {
        return newest;
    }
}
