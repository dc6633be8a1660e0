package dev.flotilla.nodeworker.k8sd;

import io.vertx.core.Future;
import java.util.function.BooleanSupplier;

/** A connection to one node's k8sd, over any transport. */
interface K8sdConnection {

    /**
     * Sends a request, unless it is too late once the connection is open.
     *
     * @param inTime evaluated right before the request is written
     */
    Future<K8sdRequestResult> send(K8sdRequest k8sdRequest, String token, BooleanSupplier inTime);

    /** Closes the connection. */
    Future<Void> close();
}
