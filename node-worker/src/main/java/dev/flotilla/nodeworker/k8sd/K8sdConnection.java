package dev.flotilla.nodeworker.k8sd;

import io.vertx.core.Future;
import java.util.function.BooleanSupplier;

/** A connection to one node's k8sd, whichever way it takes. */
public interface K8sdConnection {

    /**
     * Asks, if it is still time to when the connection is there.
     *
     * @param inTime asked right before the request is written
     */
    Future<K8sdRequestResult> send(K8sdRequest k8sdRequest, String token, BooleanSupplier inTime);

    /** Hangs up. */
    Future<Void> close();
}
