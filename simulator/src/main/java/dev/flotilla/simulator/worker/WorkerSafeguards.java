package dev.flotilla.simulator.worker;

import dev.flotilla.core.upgrade.ClockReading;
import dev.flotilla.core.upgrade.UpgradeSafeguards;
import dev.flotilla.schemas.row.WorkerCommand;

/**
 * Which safeguards a worker has: all of them, except in worlds that must violate an invariant.
 *
 * @param checksLease never calls after the command lease has expired
 * @param checksCallPermit calls only with a fresh call permit of its own session
 * @param honoursPreconditions reads the cluster itself right before the call
 * @param neverRepeatsUnknownCall makes no second call while the outcome of the first is unknown
 * @param requiresNodeProof believes what the node shows, not the status that snapd reports
 * @param honoursCancel does not call after a cancellation
 * @param nodeUpgrades what it does right with NodeUpgrades
 */
public record WorkerSafeguards(
        boolean checksLease,
        boolean checksCallPermit,
        boolean honoursPreconditions,
        boolean neverRepeatsUnknownCall,
        boolean requiresNodeProof,
        boolean honoursCancel,
        NodeUpgradeSafeguards nodeUpgrades)
        implements UpgradeSafeguards {
    public static final WorkerSafeguards GOOD = new WorkerSafeguards(true, true, true, true, true, true);

    /** A worker that does everything right with NodeUpgrades. */
    public WorkerSafeguards(
            boolean checksLease,
            boolean checksCallPermit,
            boolean honoursPreconditions,
            boolean neverRepeatsUnknownCall,
            boolean requiresNodeProof,
            boolean honoursCancel) {
        this(
                checksLease,
                checksCallPermit,
                honoursPreconditions,
                neverRepeatsUnknownCall,
                requiresNodeProof,
                honoursCancel,
                NodeUpgradeSafeguards.GOOD);
    }

    /** The same with other safeguards for NodeUpgrades. */
    public WorkerSafeguards with(NodeUpgradeSafeguards other) {
        return new WorkerSafeguards(
                checksLease,
                checksCallPermit,
                honoursPreconditions,
                neverRepeatsUnknownCall,
                requiresNodeProof,
                honoursCancel,
                other);
    }

    /**
     * What a worker does right with NodeUpgrades.
     *
     * @param believesTheNode reports what the node shows, not what the NodeUpgrade's status says
     * @param namesByAttempt gives the object the one name that follows from the attempt, and never makes another
     * @param honoursRetryable tells a failure for good from one that may pass
     * @param awaitsAbort takes an abort for done when the NodeUpgrade says so, not when it is asked for
     */
    public record NodeUpgradeSafeguards(
            boolean believesTheNode, boolean namesByAttempt, boolean honoursRetryable, boolean awaitsAbort) {
        public static final NodeUpgradeSafeguards GOOD = new NodeUpgradeSafeguards(true, true, true, true);
    }

    @Override
    public long leaseDeadline(WorkerCommand.UpgradeMachine command, ClockReading now) {
        return checksLease ? UpgradeSafeguards.super.leaseDeadline(command, now) : Long.MAX_VALUE;
    }

    @Override
    public long permitDeadline(long permitSince) {
        return checksCallPermit ? UpgradeSafeguards.super.permitDeadline(permitSince) : Long.MAX_VALUE;
    }
}
