package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.kube.RootCauseMessage;
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
import io.vertx.core.net.TrustOptions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The connection to one node while it is being upgraded: one at a time, kept as long as both ends do, so that its handshake is
 * paid once. Requests go one after the other and are never repeated by this. The token is not kept.
 */
public final class NodeLine implements Line {
    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** Between two questions about a change may lie some minutes. */
    private static final int IDLE_SECONDS = 300;

    private final Door door;
    private final HttpClientAgent client;

    public NodeLine(Vertx vertx, Door door) {
        this(vertx, door, CONNECT);
    }

    /**
     * A line whose way has to be opened first.
     *
     * @param handshake how long that may take, with the handshake
     */
    public NodeLine(Vertx vertx, Door door, Duration handshake) {
        this.door = door;
        this.client = vertx.createHttpClient(
                options(door.pin(), handshake),
                new PoolOptions().setHttp1MaxSize(1).setHttp2MaxSize(1));
    }

    private static HttpClientOptions options(Pin pin, Duration handshake) {
        return new HttpClientOptions()
                .setSsl(true)
                .setTrustOptions(TrustOptions.wrap(new PinnedTrust(pin)))
                // Its certificate bears no name that anybody could check: the pin is the check.
                .setVerifyHost(false)
                // A handshake takes milliseconds of computing, and thousands of nodes share a loop.
                .setSslEngineOptions(new JdkSSLEngineOptions().setUseWorkerThread(true))
                .setEnabledSecureTransportProtocols(Set.of("TLSv1.3"))
                .setSslHandshakeTimeout(handshake.toSeconds())
                .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
                .setConnectTimeout((int) CONNECT.toMillis())
                .setKeepAliveTimeout(IDLE_SECONDS)
                .setMaxRedirects(0);
    }

    /** Asks. */
    public Future<Exchange> ask(Request request, String token) {
        return ask(request, token, () -> true);
    }

    @Override
    public Future<Exchange> ask(Request request, String token, BooleanSupplier inTime) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(door.via())
                .setHost(door.host())
                .setPort(door.port())
                .setURI(request.path())
                .setFollowRedirects(false);
        return client.request(options)
                .transform(opened -> opened.failed()
                        ? known(notOpened(opened.cause()))
                        : sent(opened.result(), request, token, inTime));
    }

    private static Exchange notOpened(Throwable cause) {
        String why = RootCauseMessage.describe(cause);
        return PinnedTrust.isMismatch(cause) ? new Exchange.Untrusted(why) : new Exchange.NotSent(why);
    }

    private static Future<Exchange> sent(
            HttpClientRequest opened, Request request, String token, BooleanSupplier inTime) {
        if (!inTime.getAsBoolean()) {
            opened.reset();
            return known(new Exchange.NotSent("its time had passed when the node was reached"));
        }
        return opened.putHeader("node-token", token)
                .send(Buffer.buffer(request.body()))
                .compose(NodeLine::whole)
                .timeout(request.patience().toSeconds(), TimeUnit.SECONDS)
                .recover(e -> {
                    opened.reset();
                    return known(new Exchange.Broken(RootCauseMessage.describe(e)));
                });
    }

    private static Future<Exchange> whole(HttpClientResponse response) {
        Promise<Exchange> read = Promise.promise();
        Buffer body = Buffer.buffer();
        response.exceptionHandler(read::tryFail);
        response.handler(part -> {
            if (body.length() + part.length() > Envelope.MOST_BYTES) {
                read.tryFail("an answer of more than " + Envelope.MOST_BYTES + " bytes");
            } else {
                body.appendBuffer(part);
            }
        });
        response.endHandler(end -> read.tryComplete(Envelope.read(response.statusCode(), body.getBytes())));
        return read.future();
    }

    private static Future<Exchange> known(Exchange exchange) {
        return Future.succeededFuture(exchange);
    }

    @Override
    public Future<Void> close() {
        return client.close();
    }
}
