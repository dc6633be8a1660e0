package dev.flotilla.simulator.worker;

import dev.flotilla.core.procedure.ClockReading;
import dev.flotilla.core.procedure.UpgradeSafeguards;
import dev.flotilla.schemas.row.WorkerCommand;

/**
 * What a worker keeps to. All of it, but in worlds that must fail.
 *
 * @param checksLease never calls after the command's end
 * @param checksCallPermit calls only under a fresh licence of its own session
 * @param honoursPreconditions reads the cluster itself right before the call
 * @param neverRepeatsUnknownCall makes no second call where the outcome of the first is unknown
 * @param requiresNodeProof believes the node and not snapd's word
 * @param honoursCancel does not call once told not to
 */
public record WorkerSafeguards(
        boolean checksLease,
        boolean checksCallPermit,
        boolean honoursPreconditions,
        boolean neverRepeatsUnknownCall,
        boolean requiresNodeProof,
        boolean honoursCancel)
        implements UpgradeSafeguards {
    public static final WorkerSafeguards GOOD = new WorkerSafeguards(true, true, true, true, true, true);

    @Override
    public long leaseDeadline(WorkerCommand.UpgradeMachine command, ClockReading now) {
        return checksLease ? UpgradeSafeguards.super.leaseDeadline(command, now) : Long.MAX_VALUE;
    }

    @Override
    public long permitDeadline(long licensed) {
        return checksCallPermit ? UpgradeSafeguards.super.permitDeadline(licensed) : Long.MAX_VALUE;
    }
}
