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
 * One attempt's hands on its machine. One thing is done after the other, in the order of the calls; undoing stops a drain that
 * goes on. What cannot be done is told in words: only a bug fails a future, and {@link #cleanUp} and {@link #takeOverGuards}, which are
 * to be asked for again.
 */
public interface NodeClient {

    /**
     * Looks at the node.
     *
     * @param changedAt when its change ended, on the clock that people set: what the node said before proves nothing. Null
     *     before the change
     */
    Future<NodeInspection> inspectNode(@Nullable Instant changedAt);

    /**
     * Asks checks, and changes nothing.
     *
     * @return those that do not hold
     */
    Future<List<FailedCheck>> runChecks(List<HealthCheck> checks);

    /**
     * Sets the guards, cordons and drains if the site wants that, and judges the machine as it came back.
     *
     * @param drainUntil a drain gives up then
     * @param drains is run once where pods have to go first, on any thread
     * @return why the machine must not be upgraded now; null where nothing speaks against it
     */
    Future<@Nullable String> setGuards(Instant drainUntil, Runnable drains);

    /**
     * Judges the machine and its cluster as they are now.
     *
     * @return why the machine must not be called now; null where nothing speaks against it
     */
    Future<@Nullable String> checkPreconditions();

    /** How to reach the node's k8sd. */
    Future<K8sdRoute> findRoute();

    /** The node did not take its token, or showed another certificate: the next way is found with what is read anew. */
    void invalidateCredentials();

    /** Nobody is reached there. Whether the next way may lead elsewhere. */
    boolean retryOtherPort();

    /**
     * Pins the certificate that the node showed at first contact.
     *
     * @return why it is not trusted; null where it is
     */
    Future<@Nullable String> pinCertificate(CertificatePin shown);

    /** What the objects show for whoever looks into a failure. */
    Future<ObjectEvidence> collectEvidence();

    /** Writes this owner into what an earlier owner of the attempt has left, before anything else is done for it. */
    Future<Void> takeOverGuards();

    /** Undoes the cordon and the guards, as far as they are this attempt's and in these hands. Done twice, it is done. */
    Future<Void> cleanUp();
}
