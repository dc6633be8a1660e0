package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.core.procedure.ChangeStatus;
import dev.flotilla.core.procedure.ConnectResult;
import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.nodeworker.node.UpgradeAttemptParameters;
import dev.flotilla.schemas.row.FailureEvidence;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.UpgradeTarget;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What is done for one attempt on a machine's objects and on its node. Nothing here blocks; each may take long, or fail. */
public interface NodeUpgrader {

    /** Where tools are had. */
    @FunctionalInterface
    interface Factory {
        /**
         * Tools for an attempt, used by one thread.
         *
         * @param resumed whether somebody else may have had tools for it before
         */
        NodeUpgrader createUpgrader(UpgradeAttemptParameters upgradeAttemptParameters, boolean resumed);
    }

    /**
     * Looks at the node and changes nothing.
     *
     * @param changedAt when its change ended; null before the change
     */
    Future<NodeInspection> inspectNode(@Nullable Instant changedAt);

    /** Finds a way to the node's k8sd and shows it the token; changes nothing. */
    Future<ConnectResult> connectToK8sd();

    /** Asks checks and changes nothing: those that do not hold. */
    Future<List<FailedCheck>> runChecks(List<HealthCheck> checks);

    /**
     * Sets the guards, cordons and drains as is asked for, and judges the object that comes back.
     *
     * @param until a drain gives up then
     * @param drains is run once where pods have to go first, on any thread
     */
    Future<PreconditionResult> setGuards(Instant until, Runnable drains);

    /** Judges the machine and its cluster as they are now. */
    Future<PreconditionResult> checkPreconditions();

    /**
     * Makes the one call.
     *
     * @param inTime asked right before it is written: where it says no, nothing is sent
     */
    Future<CallResult> callRefresh(UpgradeTarget target, BooleanSupplier inTime);

    /** Asks how a change stands. */
    Future<ChangeStatus> pollChange(String changeId);

    /** What there is to see for whoever looks into a failure. */
    Future<FailureEvidence> collectEvidence();

    /** Undoes cordon and guards where they are this attempt's; done as well where there is nothing to undo. */
    Future<Void> cleanUp();

    /** They are not used any more. */
    void releaseNode();
}
