package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.kube.RootCauseMessage;
import dev.flotilla.nodeworker.k8sd.forward.LoopbackRelay;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePin;
import dev.flotilla.nodeworker.k8sd.trust.NodeCertificateReader;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A connection to one node through its proxy pod: like a direct one, to the local end of a port-forward. */
final class ProxiedK8sdConnection implements K8sdConnection, TunnelLimiter.LimitedTunnel {
    /** Timeout that includes finding the pod and forwarding its port. */
    private static final Duration HANDSHAKE = Duration.ofSeconds(25);

    private final Vertx vertx;
    private final LoopbackRelay loopbackRelay;
    private final K8sdEndpoint k8sdEndpoint;
    private final CertificatePin certificatePin;
    private final Runnable onClosed;
    private @Nullable Future<DirectK8sdConnection> connection;
    private int openRequests;

    /**
     * Creates a connection that is opened when it is needed.
     *
     * @param onClosed called when it is closed to make room for others
     */
    ProxiedK8sdConnection(
            Vertx vertx,
            LoopbackRelay loopbackRelay,
            K8sdEndpoint k8sdEndpoint,
            CertificatePin certificatePin,
            Runnable onClosed) {
        this.vertx = vertx;
        this.loopbackRelay = loopbackRelay;
        this.k8sdEndpoint = k8sdEndpoint;
        this.certificatePin = certificatePin;
        this.onClosed = onClosed;
    }

    /** Reads the certificate that the node shows at the other end. */
    static Future<CertificatePin> readCertificate(Vertx vertx, LoopbackRelay loopbackRelay) {
        return loopbackRelay
                .listen()
                .compose(near -> NodeCertificateReader.readCertificate(vertx, near, HANDSHAKE))
                .recover(failure -> Future.failedFuture(problemOr(loopbackRelay, RootCauseMessage.describe(failure))))
                .eventually(loopbackRelay::close);
    }

    boolean leadsTo(K8sdEndpoint to, CertificatePin showing) {
        return k8sdEndpoint.equals(to) && certificatePin.equals(showing);
    }

    @Override
    public Future<K8sdRequestResult> send(K8sdRequest k8sdRequest, String token, BooleanSupplier inTime) {
        openRequests++;
        return opened().transform(open -> open.succeeded()
                        ? open.result().send(k8sdRequest, token, inTime)
                        : Future.succeededFuture(
                                new K8sdRequestResult.RequestNotSent(RootCauseMessage.describe(open.cause()))))
                .map(this::withRelayProblem)
                .onComplete(asked -> openRequests--);
    }

    private Future<DirectK8sdConnection> opened() {
        Future<DirectK8sdConnection> opened = connection;
        if (opened == null) {
            opened = loopbackRelay
                    .listen()
                    .map(near -> new DirectK8sdConnection(
                            vertx,
                            new DirectK8sdConnection.ConnectionTarget(
                                    k8sdEndpoint.host(), k8sdEndpoint.port(), near, certificatePin),
                            HANDSHAKE));
            connection = opened;
            opened.onFailure(notListening -> connection = null);
        }
        return opened;
    }

    /** Adds the relay's reason to a result: the client only sees that the connection ended. */
    private K8sdRequestResult withRelayProblem(K8sdRequestResult k8sdRequestResult) {
        return switch (k8sdRequestResult) {
            case K8sdRequestResult.RequestNotSent not ->
                new K8sdRequestResult.RequestNotSent(problemOr(loopbackRelay, not.reason()));
            case K8sdRequestResult.ConnectionBroken connectionBroken ->
                new K8sdRequestResult.ConnectionBroken(problemOr(loopbackRelay, connectionBroken.reason()));
            case K8sdRequestResult.UntrustedCertificate other -> other;
            case K8sdRequestResult.UnreadableResponse unreadableResponse -> unreadableResponse;
            case K8sdRequestResult.ErrorReturned errorReturned -> errorReturned;
            case K8sdRequestResult.SuccessReturned successReturned -> successReturned;
        };
    }

    private static String problemOr(LoopbackRelay loopbackRelay, String seen) {
        String known = loopbackRelay.problem();
        return known == null ? seen : known;
    }

    @Override
    public boolean isIdle() {
        return openRequests == 0;
    }

    @Override
    public void closeTunnel() {
        close();
        onClosed.run();
    }

    @Override
    public Future<Void> close() {
        Future<DirectK8sdConnection> opened = connection;
        return opened == null
                ? Future.succeededFuture()
                : opened.compose(DirectK8sdConnection::close).eventually(loopbackRelay::close);
    }
}
