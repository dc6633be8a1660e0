package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.AttemptReport;
import dev.flotilla.auditor.wire.WorkerCommand;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What journal and worker have said of one attempt. */
final class AttemptHistory {
    private static final long NEVER = Long.MAX_VALUE;

    final long number;
    final String machine;
    final String uid;
    /** Until when its newest command allows the call. */
    long notAfter;
    /** When, by the broker's clock, the command was taken back, or the attempt ended. */
    long withdrawn = NEVER;

    boolean controlPlane;
    String target = "";
    /** What the commands said: each worker's word is held against the one that it may have read. */
    final Set<String> learned = new HashSet<>();

    final Set<String> versions = new HashSet<>();

    /** What the worker said, as its {@code type} or {@code step-reached <step>}. */
    final Set<String> said = new HashSet<>();

    boolean licensed;
    boolean called;
    boolean outcomeUnknown;
    boolean ended;

    @Nullable
    String changeId;
    /** A licence that should not have been written: wrong only if a call follows. */
    @Nullable
    String suspect;

    @Nullable
    AttemptReport success;
    /** Whether words before the first one that was read may be missing. */
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
