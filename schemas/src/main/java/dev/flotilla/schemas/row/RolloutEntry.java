package dev.flotilla.schemas.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an open campaign or intent has had to do with a machine. It makes the machine a member for good.
 *
 * @param wave the wave's name; empty for an intent
 * @param failedAttempts since the campaign began or the last retry order
 * @param retryAt not before then is the next attempt made; null where none is waited for
 * @param soakUntil not before then does its cluster go on after its success; null where it need not rest
 * @param fromRevision the revision that the node showed when it was started, in a campaign that tells kinds of machines apart
 * @param quarantineSeq the decision that gave the machine up; null where it was not given up, and in rows of versions that did
 *     not keep it
 * @param target to what its latest attempt was to bring the machine; null before the first, and in rows of versions that did not
 *     keep it. When the attempt is over nothing else says it, and the machine's object has to show it
 * @param deferral its worker's refusals to start it, in a row; null where its last attempt was not refused
 */
public record RolloutEntry(
        RolloutRef rolloutRef,
        String wave,
        int failedAttempts,
        @Nullable Instant retryAt,
        @Nullable Instant soakUntil,
        @Nullable String fromRevision,
        MachineOutcome outcome,
        @Nullable Long quarantineSeq,
        @Nullable UpgradeTarget target,
        @Nullable StartDeferral deferral) {
    public static final int MAX_PER_MACHINE = 8;

    /** One after which nothing rests, and of which nobody asks where it came from. */
    public RolloutEntry(
            RolloutRef rolloutRef, String wave, int failedAttempts, @Nullable Instant retryAt, MachineOutcome outcome) {
        this(rolloutRef, wave, failedAttempts, retryAt, null, null, outcome, null, null, null);
    }

    /** Whether it counts as failed: not where people skipped the machine, nor where it has succeeded since. */
    public boolean hasFailed() {
        return outcome == MachineOutcome.QUARANTINED || (outcome == MachineOutcome.OPEN && failedAttempts > 0);
    }

    public RolloutEntry withOutcome(MachineOutcome next) {
        return withFailedAttempts(failedAttempts, null, next);
    }

    /** The same after an attempt that did not succeed. */
    public RolloutEntry withFailedAttempts(int failed, @Nullable Instant retry, MachineOutcome next) {
        return new RolloutEntry(rolloutRef, wave, failed, retry, null, fromRevision, next, null, target, null);
    }

    /** The same after its worker refused to start it. */
    public RolloutEntry deferred(StartDeferral by, Instant retry) {
        return new RolloutEntry(
                rolloutRef, wave, failedAttempts, retry, null, fromRevision, outcome, quarantineSeq, target, by);
    }

    /** The same after an attempt that was withdrawn before its call: it may be made again at once. */
    public RolloutEntry withdrawn() {
        return new RolloutEntry(
                rolloutRef, wave, failedAttempts, null, null, fromRevision, outcome, quarantineSeq, target, deferral);
    }

    /** The same after its last attempt failed, given up by a decision. */
    public RolloutEntry quarantined(int failed, long seq) {
        return new RolloutEntry(
                rolloutRef, wave, failed, null, null, fromRevision, MachineOutcome.QUARANTINED, seq, target, null);
    }

    /** The same after the machine was proven to be at its target. */
    public RolloutEntry succeeded(MachineOutcome how, @Nullable Instant rest) {
        return new RolloutEntry(rolloutRef, wave, failedAttempts, null, rest, fromRevision, how, null, target, null);
    }
}
