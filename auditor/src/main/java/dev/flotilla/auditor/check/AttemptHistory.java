package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.AttemptReport;
import dev.flotilla.auditor.wire.NodeUpgradeName;
import dev.flotilla.auditor.wire.UpgradeProvider;
import dev.flotilla.auditor.wire.WorkerCommand;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the journal and the worker recorded about one attempt, or one preparation. */
final class AttemptHistory {
    private static final long NEVER = Long.MAX_VALUE;

    final long id;
    final String machine;
    final String uid;
    /** Until when its newest command allows the call. */
    long leaseExpiresAt;
    /** Append time of the decision that revoked the command or ended the attempt. */
    long revokedAt = NEVER;

    boolean controlPlane;
    String target = "";

    @Nullable
    UpgradeProvider provider;

    /** The contents of its commands: the worker may have read any of them before its report. */
    final Set<String> resolvedRevisions = new HashSet<>();

    final Set<String> versions = new HashSet<>();

    /** The worker's reports, as their type or as {@code stepped <step>}. */
    final Set<String> reports = new HashSet<>();

    boolean hasCallPermit;
    boolean called;
    boolean outcomeUnknown;
    boolean ended;

    @Nullable
    String changeId;
    /** Why a call permit should not have been written: a violation only if a call follows. */
    @Nullable
    String permitProblem;

    @Nullable
    AttemptReport success;
    /** Whether reports before the first one that was read may be missing. */
    boolean partial;

    /** Whether it is a preparation, which has an id like an attempt and calls nothing. */
    boolean isPreparation;

    AttemptHistory(long number, String machine, String uid) {
        this.id = number;
        this.machine = machine;
        this.uid = uid;
    }

    static AttemptHistory ofPreparation(long number, String machine, String uid) {
        AttemptHistory history = new AttemptHistory(number, machine, uid);
        history.isPreparation = true;
        return history;
    }

    void recordCommand(WorkerCommand.UpgradeMachine command) {
        leaseExpiresAt = Math.max(leaseExpiresAt, command.leaseExpiresAt());
        controlPlane = command.controlPlane();
        target = command.target();
        provider = command.provider();
        resolvedRevisions.add(command.resolvedRevision() == null ? "" : command.resolvedRevision());
        versions.add(command.expectedVersion() == null ? "" : command.expectedVersion());
    }

    void recordRevocation(long appendMillis) {
        revokedAt = Math.min(revokedAt, appendMillis);
    }

    void forgetRevocation() {
        revokedAt = NEVER;
    }

    boolean wasRevokedBefore(long appendMillis) {
        return revokedAt != NEVER && appendMillis > revokedAt;
    }

    /** The name of its NodeUpgrade; null if it has none, or if its command was not read. */
    @Nullable
    String nodeUpgradeName() {
        return provider == UpgradeProvider.NODE_UPGRADE ? NodeUpgradeName.of(machine, uid, target, id) : null;
    }

    static String labelOf(AttemptReport attemptReport) {
        return attemptReport.type().equals("step-reached")
                ? "step-reached " + attemptReport.step()
                : attemptReport.type();
    }

    @Override
    public String toString() {
        return machine + (isPreparation ? " preparation " : " attempt ") + id;
    }
}
