package dev.flotilla.nodeworker.drive;

import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.core.procedure.ChangeStatus;
import dev.flotilla.core.procedure.ConnectResult;
import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.nodeworker.hands.Errand;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.FailureEvidence;
import dev.flotilla.schemas.row.UpgradeTarget;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What is done for one attempt on a machine's objects and on its node. Nothing here blocks; each may take long, or fail. */
public interface Tools {

    /** Where tools are had. */
    @FunctionalInterface
    interface Bench {
        /**
         * Tools for an attempt, used by one thread.
         *
         * @param resumed whether somebody else may have had tools for it before
         */
        Tools tools(Errand errand, boolean resumed);
    }

    /**
     * Looks at the node and changes nothing.
     *
     * @param changedAt when its change ended; null before the change
     */
    Future<NodeInspection> inspect(@Nullable Instant changedAt);

    /** Finds a way to the node's k8sd and shows it the token; changes nothing. */
    Future<ConnectResult> reach();

    /** Asks checks and changes nothing: those that do not hold. */
    Future<List<FailedCheck>> check(List<HealthCheck> checks);

    /**
     * Sets the guards, cordons and drains as is asked for, and judges the object that comes back.
     *
     * @param until a drain gives up then
     * @param drains is run once where pods have to go first, on any thread
     */
    Future<Ruling> guard(Instant until, Runnable drains);

    /** Judges the machine and its cluster as they are now. */
    Future<Ruling> judge();

    /**
     * Makes the one call.
     *
     * @param inTime asked right before it is written: where it says no, nothing is sent
     */
    Future<CallResult> call(UpgradeTarget target, BooleanSupplier inTime);

    /** Asks how a change stands. */
    Future<ChangeStatus> poll(String changeId);

    /** What there is to see for whoever looks into a failure. */
    Future<FailureEvidence> evidence();

    /** Undoes cordon and guards where they are this attempt's; done as well where there is nothing to undo. */
    Future<Void> undo();

    /** They are not used any more. */
    void leave();
}
