package dev.flotilla.nodeworker.node;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.schemas.row.UpgradeTarget;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The client of a machine's upgrade provider in one attempt. It has the part of an upgrade in which providers differ:
 * the call and its change. Used in one context.
 */
interface UpgradeProviderClient {

    /** Sends a request that changes nothing, to learn whether the provider would accept a call. */
    Future<ConnectResult> connect();

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

    /** Adds what only the provider has seen of the node to an inspection. */
    NodeInspection completeInspection(NodeInspection inspection);

    /** Returns the last requests and their results, for people. */
    List<String> lastRequests();

    /** Closes the connections. */
    void close();
}
