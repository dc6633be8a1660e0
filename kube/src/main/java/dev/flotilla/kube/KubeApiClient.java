package dev.flotilla.kube;

import dev.flotilla.schemas.json.codec.DurationFormat;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.RedactedText;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of one Kubernetes API server. Each request is sent once: only the caller knows what may be retried. The operations of the
 * fabric8 client are not used, because they read an object before they patch it and retry requests that were rejected with 429.
 */
public final class KubeApiClient implements AutoCloseable {
    /** The library's interceptor that logs all headers, including bearer tokens, at level TRACE. */
    static final String LOGGING_INTERCEPTOR = "HttpLogging";

    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain";
    private static final Duration LOCKED_OUT_AFTER = Duration.ofMinutes(1);
    private static final int PAGE = 250;
    private static final int MAX_TEXT = 300;

    private final Semaphore permits;
    private final long timeoutMillis;
    private final @Nullable ReloadingKubeconfigFile file;
    private final LongSupplier ticks;
    private volatile Connection currentConnection;
    /** Since when the API server has rejected the credentials, in nanoseconds; 0 while it accepts them. */
    private volatile long unauthorizedSince;

    private volatile boolean unresponsive;

    /** The current connection parameters and HTTP client. */
    private record Connection(Config config, HttpClient client, String root) {
        static Connection of(Config config) {
            // Otherwise the library retries requests that may be sent only once.
            config.setRequestRetryBackoffLimit(0);
            HttpClient client = new SharedHttpClientFactory()
                    .newBuilder(config)
                    .addOrReplaceInterceptor(LOGGING_INTERCEPTOR, null)
                    .build();
            return new Connection(config, client, config.getMasterUrl().replaceFirst("/+$", ""));
        }
    }

    /**
     * Makes a client.
     *
     * @param atOnce the maximum number of concurrent requests; others wait for at most the timeout of a request
     */
    public KubeApiClient(Config config, int atOnce) {
        this(Connection.of(config), null, atOnce, System::nanoTime);
    }

    private KubeApiClient(
            Connection connection, @Nullable ReloadingKubeconfigFile file, int atOnce, LongSupplier ticks) {
        this.ticks = ticks;
        this.currentConnection = connection;
        this.file = file;
        this.permits = new Semaphore(atOnce);
        this.timeoutMillis = connection.config().getRequestTimeout();
    }

    /**
     * Opens a client for the API server in a kubeconfig. The file is read again when it has changed and when the API server rejects the
     * credentials.
     *
     * @param kubeconfig null for the cluster in which this process runs as a pod, or otherwise kubectl's current cluster
     * @param ticks the nanoseconds of a monotonic clock
     */
    public static KubeApiClient open(@Nullable Path kubeconfig, Duration timeout, int atOnce, LongSupplier ticks)
            throws IOException {
        if (kubeconfig == null) {
            return new KubeApiClient(KubeConnectionConfig.open(null, timeout), atOnce);
        }
        ReloadingKubeconfigFile file = new ReloadingKubeconfigFile(kubeconfig, timeout, ticks);
        return new KubeApiClient(Connection.of(file.openClient()), file, atOnce, ticks);
    }

    private Connection currentConnection() {
        Connection now = currentConnection;
        Config changed = file == null ? null : file.reloadIfChanged(isUnauthorized());
        if (changed == null) {
            return now;
        }
        Connection next = Connection.of(changed);
        currentConnection = next;
        // Requests that are in progress on it end by themselves.
        now.client().close();
        return next;
    }

    /** Reads an object or a list. */
    public KubeResponse get(String path) {
        return sendRequest("GET", path, JSON, null, KubeResponseReader.ResponseLimits.OBJECT);
    }

    /** Requests a health check of the API server, such as {@code /readyz/etcd}. On success the response has no content. */
    public KubeResponse probe(String path) {
        return sendRequest("GET", path, TEXT, null, KubeResponseReader.ResponseLimits.OBJECT);
    }

    /**
     * Reads a list in pages and hands each item over. Returns null on success, otherwise the problem; a list with too many items is one.
     * At most one page is in memory, and its response has a limit in bytes.
     *
     * @param selector more query parameters, each preceded by an ampersand
     * @param most the maximum number of items that are handed over
     */
    public @Nullable String forEachObject(String path, String selector, int most, Consumer<KubeObject> taker) {
        String from = "";
        int left = most;
        // A page may be empty although another follows it.
        for (int pages = 0; pages <= most / PAGE; pages++) {
            KubeResponse reply = listPage(path, selector, from, Math.min(PAGE, left));
            if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
                return reply.problem();
            }
            List<KubeObject> items = successResponse.object().list("items");
            items.stream().limit(left).forEach(taker);
            String next = successResponse.object().text("metadata", "continue");
            if (items.size() <= left && (next == null || next.isEmpty())) {
                return null;
            }
            left -= items.size();
            if (left <= 0 || next == null || next.isEmpty()) {
                break;
            }
            from = next;
        }
        return "the list has more than " + most + " items";
    }

    /**
     * Reads a page of a list.
     *
     * @param selector more query parameters, each preceded by an ampersand
     * @param from the continue token of the page before; empty for the first page
     */
    public KubeResponse listPage(String path, String selector, String from) {
        return listPage(path, selector, from, PAGE);
    }

    private KubeResponse listPage(String path, String selector, String from, int limit) {
        String whole = path + "?limit=" + limit + selector
                + (from.isEmpty() ? "" : "&continue=" + KubeApiPath.encodeQueryValue(from));
        return sendRequest("GET", whole, JSON, null, KubeResponseReader.ResponseLimits.PAGE);
    }

    /** Reads the current resource version of a list, with at most one item. */
    public KubeResponse readListVersion(String path) {
        return get(path + "?limit=1");
    }

    /**
     * Watches a list from a resource version on. A watch does not count as a concurrent request, because it runs for long.
     *
     * @param length the time after which the API server ends the watch
     * @param grace the time after that when the client ends the watch, if the API server has not
     */
    public WatchResult watch(
            String path, String version, Duration length, Duration grace, WatchResult.WatchHandler watchHandler)
            throws InterruptedException {
        Connection now = currentConnection();
        HttpRequest request = now.client()
                .newHttpRequestBuilder()
                .uri(now.root() + path + "?watch=1&allowWatchBookmarks=true&resourceVersion="
                        + KubeApiPath.encodeQueryValue(version) + "&timeoutSeconds=" + length.toSeconds())
                .header("Accept", "application/json")
                .timeout(timeoutMillis, TimeUnit.MILLISECONDS)
                .build();
        return new KubeWatchSession(watchHandler)
                .runWatch(
                        now.client(), request, timeoutMillis, length.plus(grace).toMillis());
    }

    /** Sends a merge patch: it changes the fields in the body; a null removes a field. */
    public KubeResponse mergePatch(String path, JsonObjectReader body) {
        return sendRequest(
                "PATCH", path, "application/merge-patch+json", body, KubeResponseReader.ResponseLimits.OBJECT);
    }

    /** Sends a JSON patch: all of its operations are applied or none. */
    public KubeResponse jsonPatch(String path, JsonPatchBuilder patch) {
        return sendRequest(
                "PATCH", path, "application/json-patch+json", patch.toJson(), KubeResponseReader.ResponseLimits.OBJECT);
    }

    /** Sends a server-side apply patch: it sets the fields in the body and removes those that the same field manager set before. */
    public KubeResponse serverSideApply(String path, JsonObjectReader body) {
        return sendRequest(
                "PATCH", path, "application/apply-patch+yaml", body, KubeResponseReader.ResponseLimits.OBJECT);
    }

    /** Creates an object. */
    public KubeResponse createObject(String path, JsonObjectReader body) {
        return createObject(path, body, () -> true);
    }

    /**
     * Creates an object.
     *
     * @param inTime evaluated right before the request is sent: if false, it certainly is not sent
     */
    public KubeResponse createObject(String path, JsonObjectReader body, BooleanSupplier inTime) {
        return sendRequest("POST", path, JSON, body, KubeResponseReader.ResponseLimits.OBJECT, inTime);
    }

    /**
     * Deletes an object.
     *
     * @param options the DeleteOptions, such as {@code gracePeriodSeconds}
     */
    public KubeResponse deleteObject(String path, JsonObjectReader options) {
        return sendRequest("DELETE", path, JSON, options, KubeResponseReader.ResponseLimits.OBJECT);
    }

    /** Deletes the object that has this uid; another one of the same name stays. */
    public KubeResponse deleteObject(String path, String uid) {
        JsonObjectReader options = new JsonObjectReader.Builder()
                .put("apiVersion", "v1")
                .put("kind", "DeleteOptions")
                .put(
                        "preconditions",
                        new JsonObjectReader.Builder().put("uid", uid).build())
                .build();
        return sendRequest("DELETE", path, JSON, options, KubeResponseReader.ResponseLimits.OBJECT);
    }

    /** Whether the API server rejected the credentials of the last request; the file may have new ones since. */
    public boolean isUnauthorized() {
        return unauthorizedSince != 0;
    }

    /** Whether the API server has rejected the credentials for so long that an operator must renew them. */
    public boolean isLockedOut() {
        long since = unauthorizedSince;
        return since != 0 && ticks.getAsLong() - since >= LOCKED_OUT_AFTER.toNanos();
    }

    /** Whether the last request got no response: the API server may have another address or another CA now. */
    public boolean isUnresponsive() {
        return unresponsive;
    }

    /** Returns the connection parameters, for other kinds of requests. */
    public Config config() {
        return currentConnection.config();
    }

    /** Returns the URL that the paths of requests are appended to. */
    public String root() {
        return currentConnection.root();
    }

    /** Returns the problem in an error response to another kind of request. */
    public String describeRefusal(int status, byte[] body) {
        return KubeResponseReader.readResponse(status, 0, body, KubeResponseReader.ResponseLimits.OBJECT)
                .problem();
    }

    private KubeResponse sendRequest(
            String method,
            String path,
            String type,
            @Nullable JsonValue body,
            KubeResponseReader.ResponseLimits responseLimits) {
        return sendRequest(method, path, type, body, responseLimits, () -> true);
    }

    private KubeResponse sendRequest(
            String method,
            String path,
            String type,
            @Nullable JsonValue body,
            KubeResponseReader.ResponseLimits responseLimits,
            BooleanSupplier inTime) {
        Connection now = currentConnection();
        // This timeout only releases the connection: the caller has timed out by then.
        HttpRequest.Builder request = now.client()
                .newHttpRequestBuilder()
                .uri(now.root() + path)
                .header("Accept", "application/json")
                .timeout(2 * timeoutMillis, TimeUnit.MILLISECONDS);
        if (body != null) {
            request.method(method, type, KubeObject.toJsonText(body));
        }
        try {
            if (!permits.tryAcquire(timeoutMillis, TimeUnit.MILLISECONDS)) {
                return new KubeResponse.NoResponse("too many concurrent requests to this API server", true);
            }
            try {
                if (!inTime.getAsBoolean()) {
                    return new KubeResponse.NoResponse("its time had passed", true);
                }
                KubeResponse reply = send(now.client(), request.build(), type.equals(TEXT), responseLimits);
                recordResponse(reply);
                return reply;
            } finally {
                permits.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new KubeResponse.NoResponse("interrupted");
        }
    }

    private void recordResponse(KubeResponse reply) {
        unresponsive = reply instanceof KubeResponse.NoResponse;
        if (reply instanceof KubeResponse.ErrorResponse errorResponse
                && errorResponse.status() == KubeResponse.UNAUTHORIZED) {
            if (unauthorizedSince == 0) {
                unauthorizedSince = ticks.getAsLong();
            }
        } else if (!unresponsive) {
            unauthorizedSince = 0;
        }
    }

    private KubeResponse send(
            HttpClient client, HttpRequest request, boolean text, KubeResponseReader.ResponseLimits responseLimits)
            throws InterruptedException {
        ResponseBodyCollector body = new ResponseBodyCollector(responseLimits.bytes());
        CompletableFuture<HttpResponse<AsyncBody>> answer;
        try {
            answer = client.consumeBytes(request, body);
        } catch (IllegalArgumentException | KubernetesClientException e) {
            // Not the exception's message: it may quote what cannot be sent, such as a token.
            return new KubeResponse.NoResponse(
                    "the request cannot be sent: " + e.getClass().getSimpleName(), true);
        }
        try {
            HttpResponse<AsyncBody> response =
                    answer.thenCompose(body::collectBody).get(timeoutMillis, TimeUnit.MILLISECONDS);
            long retryAfter = KubeResponseReader.retryAfter(response.header("Retry-After"));
            return text
                    ? KubeResponseReader.readStatus(response.code(), retryAfter, body.bytes())
                    : KubeResponseReader.readResponse(response.code(), retryAfter, body.bytes(), responseLimits);
        } catch (ExecutionException e) {
            return new KubeResponse.NoResponse(describeFailure(e), isConnectFailure(e));
        } catch (TimeoutException e) {
            answer.cancel(true);
            body.cancel();
            return new KubeResponse.NoResponse(
                    "no complete response within " + DurationFormat.print(Duration.ofMillis(timeoutMillis)));
        }
    }

    /** Whether no connection was made, so that nothing was sent. */
    private static boolean isConnectFailure(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof ConnectException || each instanceof HttpConnectTimeoutException) {
                return true;
            }
        }
        return false;
    }

    private static String describeFailure(Throwable e) {
        return RedactedText.redact(RootCauseMessage.describe(e), MAX_TEXT);
    }

    @Override
    public void close() {
        currentConnection.client().close();
    }
}
