package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.schemas.row.FailureEvidence;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.UpgradeTarget;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The port through which a machine upgrade acts on the machine's objects and its node. No method blocks; each may take
 * long or fail. A future fails with a declared failure (see {@link ExpectedFailureMessage}) or with a bug.
 */
public interface NodeUpgrader {

    /** Creates node upgraders. */
    @FunctionalInterface
    interface Factory {
        /**
         * Creates the node upgrader of an attempt, for use by one thread.
         *
         * @param resumed whether another worker may have run this attempt before
         */
        NodeUpgrader createUpgrader(UpgradeAttemptParameters parameters, boolean resumed);
    }

    /**
     * Inspects the node and changes nothing.
     *
     * @param changedAt wall time at which its change ended, because the node's status from before proves nothing; null
     *     before the change
     */
    Future<NodeInspection> inspectNode(@Nullable Instant changedAt);

    /** Sends the machine's upgrade provider a request that changes nothing, to learn whether it would accept a call. */
    Future<ConnectResult> connectToProvider();

    /** Runs health checks and returns those that failed. Changes nothing. */
    Future<List<FailedCheck>> runChecks(List<HealthCheck> checks);

    /**
     * Sets the guards, cordons and drains as commanded, and checks the preconditions of the resulting object.
     *
     * @param drainUntil when a drain gives up
     * @param onDrainStarted called once, on any thread, if pods must be evicted first
     * @return why the machine must not be upgraded now; null if nothing prevents it
     */
    Future<@Nullable String> setGuards(Instant drainUntil, Runnable onDrainStarted);

    /**
     * Checks the preconditions on the current machine and its cluster.
     *
     * @return why the machine must not be called now; null if nothing prevents it
     */
    Future<@Nullable String> checkPreconditions();

    /**
     * Makes the one call.
     *
     * @param inTime evaluated right before the request is written: if false, nothing is sent
     */
    Future<CallResult> callUpgrade(UpgradeTarget target, BooleanSupplier inTime);

    /** Reads the status of a change. */
    Future<ChangeStatus> pollChange(String changeId);

    /** Asks the provider to abort a change, if it can, and reads the change's status. */
    Future<ChangeStatus> abortChange(String changeId);

    /** Collects what can be seen of a failure. */
    Future<FailureEvidence> collectEvidence();

    /** Removes cordon and guards that belong to this attempt; also succeeds if there are none. */
    Future<Void> cleanUp();

    /** Releases the connections of this node upgrader. */
    void releaseNode();
}
