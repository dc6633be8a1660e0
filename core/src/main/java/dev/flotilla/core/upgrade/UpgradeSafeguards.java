package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.WorkerCommand;

/** The safety rules of a worker. All of them hold; a test can turn one off. */
public interface UpgradeSafeguards {
    UpgradeSafeguards ALL = new UpgradeSafeguards() {};

    /** Until when a call may be made under the command's lease, with a margin for clock differences. */
    default long leaseDeadline(WorkerCommand.UpgradeMachine command, ClockReading now) {
        return now.monotonicMillis()
                + command.leaseExpiresAt().toEpochMilli()
                - UpgradeTimeouts.CLOCK_MARGIN
                - now.wallMillis();
    }

    /** Until when a call permit that was requested at a time is valid. */
    default long permitDeadline(long permitSince) {
        return permitSince + UpgradeTimeouts.PERMIT;
    }

    /** Whether a call whose outcome is unknown is the attempt's last. */
    default boolean neverRepeatsUnknownCall() {
        return true;
    }

    /** Whether a failed precondition prevents the call. */
    default boolean honoursPreconditions() {
        return true;
    }

    /** Whether success needs proof from the node, not only snapd's status. */
    default boolean requiresNodeProof() {
        return true;
    }

    /** Whether a cancelled command prevents the call. */
    default boolean honoursCancel() {
        return true;
    }
}
