package dev.flotilla.schemas.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A machine's progress in one open campaign or intent. A machine with an entry remains a member.
 *
 * @param wave the wave's name; empty for an intent
 * @param failedAttempts failed attempts since the campaign began or the last retry order
 * @param retryAt the next attempt is not made before this instant; null if no retry is pending
 * @param soakUntil no other machine of its cluster starts before this instant, because this one succeeded; null if there is no
 *     cluster soak
 * @param fromRevision the revision that the node showed at the start, in a campaign with a failure cohort rule
 * @param quarantineSeq the seq of the decision that quarantined the machine; null if it is not quarantined, and in rows of earlier
 *     versions
 * @param target the target of its latest attempt; null before the first, and in rows of earlier versions. It is kept after the
 *     attempt because the status annotations show it
 * @param deferral consecutive deferrals by its worker; null if its last attempt was not deferred
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

    /** An entry without cluster soak and without the revision at the start. */
    public RolloutEntry(
            RolloutRef rolloutRef, String wave, int failedAttempts, @Nullable Instant retryAt, MachineOutcome outcome) {
        this(rolloutRef, wave, failedAttempts, retryAt, null, null, outcome, null, null, null);
    }

    /** Whether it counts as failed: not if the machine was skipped or has succeeded since. */
    public boolean hasFailed() {
        return outcome == MachineOutcome.QUARANTINED || (outcome == MachineOutcome.OPEN && failedAttempts > 0);
    }

    public RolloutEntry withOutcome(MachineOutcome next) {
        return withFailedAttempts(failedAttempts, null, next);
    }

    /** Returns a copy after an attempt that did not succeed. */
    public RolloutEntry withFailedAttempts(int failed, @Nullable Instant retry, MachineOutcome next) {
        return new RolloutEntry(rolloutRef, wave, failed, retry, null, fromRevision, next, null, target, null);
    }

    /** Returns a copy after its worker deferred the start. */
    public RolloutEntry withDeferral(StartDeferral by, Instant retry) {
        return new RolloutEntry(
                rolloutRef, wave, failedAttempts, retry, null, fromRevision, outcome, quarantineSeq, target, by);
    }

    /** Returns a copy after an attempt that was cancelled before its call: the next one may be made at once. */
    public RolloutEntry withCancelledAttempt() {
        return new RolloutEntry(
                rolloutRef, wave, failedAttempts, null, null, fromRevision, outcome, quarantineSeq, target, deferral);
    }

    /** Returns a copy that a decision quarantined after a failed attempt. */
    public RolloutEntry withQuarantine(int failed, long seq) {
        return new RolloutEntry(
                rolloutRef, wave, failed, null, null, fromRevision, MachineOutcome.QUARANTINED, seq, target, null);
    }

    /** Returns a copy with the target of its rollout. */
    public RolloutEntry withTarget(UpgradeTarget now) {
        return new RolloutEntry(
                rolloutRef,
                wave,
                failedAttempts,
                retryAt,
                soakUntil,
                fromRevision,
                outcome,
                quarantineSeq,
                now,
                deferral);
    }

    /** Returns a copy after the machine was proven to be at its target. */
    public RolloutEntry withSuccess(MachineOutcome how, @Nullable Instant rest) {
        return new RolloutEntry(rolloutRef, wave, failedAttempts, null, rest, fromRevision, how, null, target, null);
    }
}
