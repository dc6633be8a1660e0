package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.WorkerCommand;

/** What a worker is careful about. All of it; a test may have one that is not. */
public interface UpgradeSafeguards {
    UpgradeSafeguards ALL = new UpgradeSafeguards() {};

    /** Until when no call comes after the command's end, for clocks that differ a little. */
    default long leaseDeadline(WorkerCommand.UpgradeMachine command, ClockReading now) {
        return now.monotonicMillis()
                + command.leaseExpiresAt().toEpochMilli()
                - UpgradeTimeouts.CLOCK_MARGIN
                - now.wallMillis();
    }

    /** Until when a licence holds that was asked for then. */
    default long permitDeadline(long licensed) {
        return licensed + UpgradeTimeouts.PERMIT;
    }

    /** Whether a call whose outcome is unknown is the attempt's last. */
    default boolean neverRepeatsUnknownCall() {
        return true;
    }

    /** Whether what forbids a machine to be called now is heeded. */
    default boolean honoursPreconditions() {
        return true;
    }

    /** Whether the node is believed, and not snapd's word. */
    default boolean requiresNodeProof() {
        return true;
    }

    /** Whether a command that was taken back is not called for. */
    default boolean honoursCancel() {
        return true;
    }
}
