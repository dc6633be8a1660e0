package dev.flotilla.nodeworker.node;

import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.nodeworker.k8sd.CertificatePin;
import dev.flotilla.schemas.row.HealthCheck;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Kubernetes side of a node upgrader, for one attempt. Actions run one after another in the order of the calls;
 * cleanup stops a running drain. An action that is not possible returns the reason as text: only a bug fails a future,
 * and failed {@link #cleanUp} and {@link #takeOverGuards}, which must be retried.
 */
public interface NodeClient {

    /**
     * Inspects the node.
     *
     * @param changedAt wall time at which its change ended, because the node's status from before proves nothing; null
     *     before the change
     */
    Future<NodeInspection> inspectNode(@Nullable Instant changedAt);

    /**
     * Runs health checks and changes nothing.
     *
     * @return the checks that failed
     */
    Future<List<FailedCheck>> runChecks(List<HealthCheck> checks);

    /**
     * Sets the guards, cordons and drains if configured, and checks the preconditions of the resulting machine.
     *
     * @param drainUntil when a drain gives up
     * @param drains called once, on any thread, if pods must be evicted first
     * @return why the machine must not be upgraded now; null if nothing prevents it
     */
    Future<@Nullable String> setGuards(Instant drainUntil, Runnable drains);

    /**
     * Checks the preconditions on the current machine and its cluster.
     *
     * @return why the machine must not be called now; null if nothing prevents it
     */
    Future<@Nullable String> checkPreconditions();

    /** Finds the route to the node's k8sd. */
    Future<K8sdRoute> findRoute();

    /**
     * Drops cached credentials, because the node rejected its token or showed another certificate. The next route is
     * read again.
     */
    void invalidateCredentials();

    /** Reacts to an address that does not respond; returns whether the next route may lead to another port. */
    boolean retryOtherPort();

    /**
     * Pins the certificate that the node showed at first contact.
     *
     * @return why it is not trusted; null if it is
     */
    Future<@Nullable String> pinCertificate(CertificatePin shown);

    /** Collects what the objects show of a failure. */
    Future<ObjectEvidence> collectEvidence();

    /**
     * Writes this worker as owner into the annotations that an earlier worker of the attempt left, before anything else
     * is done.
     */
    Future<Void> takeOverGuards();

    /** Removes cordon and guards that belong to this attempt and this worker. Idempotent. */
    Future<Void> cleanUp();
}
