package dev.flotilla.simulator.worker;

import dev.flotilla.core.procedure.Caution;
import dev.flotilla.core.procedure.Moment;
import dev.flotilla.schemas.row.WorkerCommand;

/**
 * What a worker keeps to. All of it, but in worlds that must fail.
 *
 * @param checksNotAfter never calls after the command's end
 * @param checksLicence calls only under a fresh licence of its own session
 * @param looksLive reads the cluster itself right before the call
 * @param callsOnce makes no second call where the outcome of the first is unknown
 * @param asksForProof believes the node and not snapd's word
 * @param obeysCancel does not call once told not to
 */
public record WorkerHabits(
        boolean checksNotAfter,
        boolean checksLicence,
        boolean looksLive,
        boolean callsOnce,
        boolean asksForProof,
        boolean obeysCancel)
        implements Caution {
    public static final WorkerHabits GOOD = new WorkerHabits(true, true, true, true, true, true);

    @Override
    public long commandEnds(WorkerCommand.UpgradeMachine command, Moment now) {
        return checksNotAfter ? Caution.super.commandEnds(command, now) : Long.MAX_VALUE;
    }

    @Override
    public long licenceEnds(long licensed) {
        return checksLicence ? Caution.super.licenceEnds(licensed) : Long.MAX_VALUE;
    }
}
