package dev.flotilla.nodeworker.checks;

import dev.flotilla.kube.ForbiddenAddresses;
import dev.flotilla.kube.RootCauseMessage;
import dev.flotilla.schemas.json.tree.RedactedText;
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
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * HTTP client for servers that the site allows. It connects to exactly the address that it has checked, and does not
 * follow redirects.
 */
final class RestrictedHttpClient implements AutoCloseable {
    /** Most bytes of a response; health responses are short. */
    static final int MOST_BYTES = 256 * 1024;

    private static final int AT_ONCE = 32;
    private static final int LONGEST_TEXT = 200;

    private final Vertx vertx;
    private final HttpClientAgent client;
    private final Semaphore places = new Semaphore(AT_ONCE);

    RestrictedHttpClient(Vertx vertx, @Nullable Path authority) {
        this.vertx = vertx;
        HttpClientOptions options = new HttpClientOptions().setMaxRedirects(0).setDecompressionSupported(false);
        if (authority != null) {
            options.setTrustOptions(new PemTrustOptions().addCertPath(authority.toString()));
        }
        this.client = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(AT_ONCE));
    }

    /** Result of a request. */
    sealed interface FetchResult {

        /** The server responded. */
        record Fetched(int status, Buffer body) implements FetchResult {}

        /** The server did not respond, or must not be used. */
        record NotFetched(String reason) implements FetchResult {}
    }

    /**
     * Sends a GET request and waits for the response.
     *
     * @param bearer bearer token; null for none
     */
    FetchResult get(URI url, @Nullable String bearer, Duration within) throws InterruptedException {
        HttpOrigin httpOrigin = HttpOrigin.of(url);
        long until = System.nanoTime() + within.toNanos();
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(httpOrigin.host());
        } catch (UnknownHostException e) {
            return new FetchResult.NotFetched("host " + httpOrigin.host() + " is not known");
        }
        for (InetAddress address : addresses) {
            String problem = ForbiddenAddresses.problemOf(address);
            if (problem == null && address.isLoopbackAddress() && !httpOrigin.isLoopback()) {
                problem = "is the worker's own machine";
            }
            if (problem != null) {
                return new FetchResult.NotFetched(
                        httpOrigin + " is not used: address " + address.getHostAddress() + " " + problem);
            }
        }
        if (!places.tryAcquire(until - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            return new FetchResult.NotFetched("too many checks are waiting");
        }
        try {
            return given(
                    ask(url, httpOrigin, addresses[0], bearer), Math.max(1, until - System.nanoTime()), httpOrigin);
        } finally {
            places.release();
        }
    }

    private static FetchResult given(Future<FetchResult> asked, long nanos, HttpOrigin httpOrigin)
            throws InterruptedException {
        try {
            return asked.toCompletionStage().toCompletableFuture().get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            return new FetchResult.NotFetched(httpOrigin + " did not respond: "
                    + RedactedText.redact(RootCauseMessage.describe(e), LONGEST_TEXT));
        } catch (TimeoutException e) {
            return new FetchResult.NotFetched(httpOrigin + " did not respond in time");
        }
    }

    private Future<FetchResult> ask(URI url, HttpOrigin httpOrigin, InetAddress address, @Nullable String bearer) {
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setServer(SocketAddress.inetSocketAddress(httpOrigin.port(), address.getHostAddress()))
                .setHost(httpOrigin.host())
                .setPort(httpOrigin.port())
                .setSsl(httpOrigin.tls())
                .setURI(url.getRawQuery() == null ? path : path + "?" + url.getRawQuery())
                .setFollowRedirects(false);
        if (bearer != null) {
            options.putHeader("Authorization", "Bearer " + bearer);
        }
        Promise<FetchResult> asked = Promise.promise();
        // In the context of the connection: elsewhere a fast answer could be over before its body is asked for.
        vertx.runOnContext(begin -> client.request(options)
                .compose(opened -> opened.send().compose(answer -> whole(opened, answer)))
                .onComplete(asked));
        return asked.future();
    }

    private static Future<FetchResult> whole(HttpClientRequest opened, HttpClientResponse response) {
        Promise<FetchResult> read = Promise.promise();
        Buffer body = Buffer.buffer();
        response.exceptionHandler(read::tryFail);
        response.handler(part -> {
            if (body.length() + part.length() > MOST_BYTES) {
                read.tryFail("a response of more than " + MOST_BYTES + " bytes");
                opened.reset();
            } else {
                body.appendBuffer(part);
            }
        });
        response.endHandler(end -> read.tryComplete(new FetchResult.Fetched(response.statusCode(), body)));
        return read.future();
    }

    @Override
    public void close() {
        client.close();
    }
}
