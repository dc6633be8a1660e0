package dev.flotilla.schemas.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an open campaign or intent has had to do with a machine. It makes the machine a member for good.
 *
 * @param wave the wave's name; empty for an intent
 * @param failedAttempts since the campaign began or the last retry order
 * @param retryAt not before then is the next attempt made; null where none is waited for
 * @param restUntil not before then does its cluster go on after its success; null where it need not rest
 * @param from the revision that the node showed when it was started, in a campaign that tells kinds of machines apart
 * @param quarantineSeq the decision that gave the machine up; null where it was not given up, and in rows of versions that did
 *     not keep it
 * @param target to what its latest attempt was to bring the machine; null before the first, and in rows of versions that did not
 *     keep it. When the attempt is over nothing else says it, and the machine's object has to show it
 * @param deferral its worker's refusals to start it, in a row; null where its last attempt was not refused
 */
public record Entry(
        Driver driver,
        String wave,
        int failedAttempts,
        @Nullable Instant retryAt,
        @Nullable Instant restUntil,
        @Nullable String from,
        Outcome outcome,
        @Nullable Long quarantineSeq,
        @Nullable UpgradeOption target,
        @Nullable Deferral deferral) {
    public static final int MAX_PER_MACHINE = 8;

    /** One after which nothing rests, and of which nobody asks where it came from. */
    public Entry(Driver driver, String wave, int failedAttempts, @Nullable Instant retryAt, Outcome outcome) {
        this(driver, wave, failedAttempts, retryAt, null, null, outcome, null, null, null);
    }

    /** Whether it counts as failed: not where people skipped the machine, nor where it has succeeded since. */
    public boolean hasFailed() {
        return outcome == Outcome.QUARANTINED || (outcome == Outcome.OPEN && failedAttempts > 0);
    }

    public Entry with(Outcome next) {
        return next(failedAttempts, null, next);
    }

    /** The same after an attempt that did not succeed. */
    public Entry next(int failed, @Nullable Instant retry, Outcome next) {
        return new Entry(driver, wave, failed, retry, null, from, next, null, target, null);
    }

    /** The same after its worker refused to start it. */
    public Entry deferred(Deferral by, Instant retry) {
        return new Entry(driver, wave, failedAttempts, retry, null, from, outcome, quarantineSeq, target, by);
    }

    /** The same after an attempt that was withdrawn before its call: it may be made again at once. */
    public Entry withdrawn() {
        return new Entry(driver, wave, failedAttempts, null, null, from, outcome, quarantineSeq, target, deferral);
    }

    /** The same after its last attempt failed, given up by a decision. */
    public Entry quarantined(int failed, long seq) {
        return new Entry(driver, wave, failed, null, null, from, Outcome.QUARANTINED, seq, target, null);
    }

    /** The same after the machine was proven to be at its target. */
    public Entry succeeded(Outcome how, @Nullable Instant rest) {
        return new Entry(driver, wave, failedAttempts, null, rest, from, how, null, target, null);
    }
}
