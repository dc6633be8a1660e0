package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.AttemptReport;
import dev.flotilla.auditor.wire.WorkerCommand;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the journal and the worker recorded about one attempt. */
final class AttemptHistory {
    private static final long NEVER = Long.MAX_VALUE;

    final long number;
    final String machine;
    final String uid;
    /** Until when its newest command allows the call. */
    long notAfter;
    /** Append time of the decision that revoked the command or ended the attempt. */
    long withdrawn = NEVER;

    boolean controlPlane;
    String target = "";
    /** The contents of its commands: the worker may have read any of them before its report. */
    final Set<String> learned = new HashSet<>();

    final Set<String> versions = new HashSet<>();

    /** The worker's reports, as their type or as {@code stepped <step>}. */
    final Set<String> said = new HashSet<>();

    boolean licensed;
    boolean called;
    boolean outcomeUnknown;
    boolean ended;

    @Nullable
    String changeId;
    /** Why a call permit should not have been written: a violation only if a call follows. */
    @Nullable
    String suspect;

    @Nullable
    AttemptReport success;
    /** Whether reports before the first one that was read may be missing. */
    boolean partial;

    AttemptHistory(long number, String machine, String uid) {
        this.number = number;
        this.machine = machine;
        this.uid = uid;
    }

    void recordCommand(WorkerCommand.UpgradeMachine command) {
        notAfter = Math.max(notAfter, command.leaseExpiresAt());
        controlPlane = command.controlPlane();
        target = command.target();
        learned.add(command.resolvedRevision() == null ? "" : command.resolvedRevision());
        versions.add(command.expectedVersion() == null ? "" : command.expectedVersion());
    }

    void recordWithdrawal(long appendMillis) {
        withdrawn = Math.min(withdrawn, appendMillis);
    }

    boolean withdrawnBefore(long appendMillis) {
        return withdrawn != NEVER && appendMillis > withdrawn;
    }

    static String labelOf(AttemptReport attemptReport) {
        return attemptReport.type().equals("step-reached")
                ? "step-reached " + attemptReport.step()
                : attemptReport.type();
    }

    @Override
    public String toString() {
        return machine + " attempt " + number;
    }
}
