package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.kube.RootCauseMessage;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePin;
import dev.flotilla.nodeworker.k8sd.trust.PinnedTrustManager;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The connection to one node during its upgrade: it is kept open, so that there is one handshake. Requests run one
 * after another and are never repeated here. The token is not kept.
 */
public final class DirectK8sdConnection implements K8sdConnection {
    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** Two polls of a change may be minutes apart. */
    private static final int IDLE_SECONDS = 300;

    private final ConnectionTarget target;
    private final HttpClientAgent client;

    /**
     * The target of a connection to a node's k8sd.
     *
     * @param host address of the node, as in the Host header
     * @param connectTo address to connect to: the node itself, or the local end of a tunnel
     * @param pin certificate that the node must show before it gets the token
     */
    public record ConnectionTarget(String host, int port, SocketAddress connectTo, CertificatePin pin) {}

    public DirectK8sdConnection(Vertx vertx, ConnectionTarget target) {
        this(vertx, target, CONNECT);
    }

    /**
     * Creates a connection whose target must be opened first.
     *
     * @param handshake timeout of opening the target and of the handshake
     */
    public DirectK8sdConnection(Vertx vertx, ConnectionTarget target, Duration handshake) {
        this.target = target;
        this.client = vertx.createHttpClient(
                options(target.pin(), handshake),
                new PoolOptions().setHttp1MaxSize(1).setHttp2MaxSize(1));
    }

    private static HttpClientOptions options(CertificatePin certificatePin, Duration handshake) {
        return new HttpClientOptions()
                .setSsl(true)
                .setTrustOptions(TrustOptions.wrap(new PinnedTrustManager(certificatePin)))
                // Its certificate has no name to verify; the pin is verified instead.
                .setVerifyHost(false)
                // A handshake computes for milliseconds, and thousands of nodes share an event loop.
                .setSslEngineOptions(new JdkSSLEngineOptions().setUseWorkerThread(true))
                .setEnabledSecureTransportProtocols(Set.of("TLSv1.3"))
                .setSslHandshakeTimeout(handshake.toSeconds())
                .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
                .setConnectTimeout((int) CONNECT.toMillis())
                .setKeepAliveTimeout(IDLE_SECONDS)
                .setMaxRedirects(0);
    }

    /** Sends a request. */
    public Future<K8sdRequestResult> send(K8sdRequest k8sdRequest, String token) {
        return send(k8sdRequest, token, () -> true);
    }

    @Override
    public Future<K8sdRequestResult> send(K8sdRequest k8sdRequest, String token, BooleanSupplier inTime) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(target.connectTo())
                .setHost(target.host())
                .setPort(target.port())
                .setURI(k8sdRequest.path())
                .setFollowRedirects(false);
        return client.request(options)
                .transform(opened -> opened.failed()
                        ? known(notOpened(opened.cause()))
                        : sent(opened.result(), k8sdRequest, token, inTime));
    }

    private static K8sdRequestResult notOpened(Throwable cause) {
        String why = RootCauseMessage.describe(cause);
        return PinnedTrustManager.isMismatch(cause)
                ? new K8sdRequestResult.UntrustedCertificate(why)
                : new K8sdRequestResult.RequestNotSent(why);
    }

    private static Future<K8sdRequestResult> sent(
            HttpClientRequest opened, K8sdRequest k8sdRequest, String token, BooleanSupplier inTime) {
        if (!inTime.getAsBoolean()) {
            opened.reset();
            return known(
                    new K8sdRequestResult.RequestNotSent("the call's deadline had passed when the node was reached"));
        }
        return opened.putHeader("node-token", token)
                .send(Buffer.buffer(k8sdRequest.body()))
                .compose(DirectK8sdConnection::whole)
                .timeout(k8sdRequest.timeout().toSeconds(), TimeUnit.SECONDS)
                .recover(e -> {
                    opened.reset();
                    return known(new K8sdRequestResult.ConnectionBroken(RootCauseMessage.describe(e)));
                });
    }

    private static Future<K8sdRequestResult> whole(HttpClientResponse response) {
        Promise<K8sdRequestResult> read = Promise.promise();
        Buffer body = Buffer.buffer();
        response.exceptionHandler(read::tryFail);
        response.handler(part -> {
            if (body.length() + part.length() > K8sdResponseEnvelope.MOST_BYTES) {
                read.tryFail("a response of more than " + K8sdResponseEnvelope.MOST_BYTES + " bytes");
            } else {
                body.appendBuffer(part);
            }
        });
        response.endHandler(
                end -> read.tryComplete(K8sdResponseEnvelope.parseResponse(response.statusCode(), body.getBytes())));
        return read.future();
    }

    private static Future<K8sdRequestResult> known(K8sdRequestResult k8sdRequestResult) {
        return Future.succeededFuture(k8sdRequestResult);
    }

    @Override
    public Future<Void> close() {
        return client.close();
    }
}
