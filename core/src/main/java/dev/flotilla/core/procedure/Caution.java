package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.WorkerCommand;

/** What a worker is careful about. All of it; a test may have one that is not. */
public interface Caution {
    Caution GOOD = new Caution() {};

    /** Until when no call comes after the command's end, for clocks that differ a little. */
    default long commandEnds(WorkerCommand.UpgradeMachine command, Moment now) {
        return now.ticks() + command.leaseExpiresAt().toEpochMilli() - Limits.CLOCK_MARGIN - now.clock();
    }

    /** Until when a licence holds that was asked for then. */
    default long licenceEnds(long licensed) {
        return licensed + Limits.LICENCE;
    }

    /** Whether a call whose outcome is unknown is the attempt's last. */
    default boolean callsOnce() {
        return true;
    }

    /** Whether what forbids a machine to be called now is heeded. */
    default boolean looksLive() {
        return true;
    }

    /** Whether the node is believed, and not snapd's word. */
    default boolean asksForProof() {
        return true;
    }

    /** Whether a command that was taken back is not called for. */
    default boolean obeysCancel() {
        return true;
    }
}
