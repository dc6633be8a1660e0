package dev.flotilla.kube;

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An API server. Each request is made once: what is worth another try knows only who asked. The client's own operations are
 * not used, since they read an object before they patch it, and repeat what was answered with 429.
 */
public final class KubeApiClient implements AutoCloseable {
    /** What the library logs with at its finest: all headers, bearer tokens among them. */
    private static final String TRACES = "HttpLogging";

    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain";
    private static final Duration LOCKED_OUT = Duration.ofMinutes(1);
    private static final int PAGE = 250;
    private static final int LONGEST_TEXT = 300;

    private final Semaphore places;
    private final long timeoutMillis;
    private final @Nullable ReloadingKubeconfigFile file;
    private final LongSupplier ticks;
    private volatile Connection connection;
    /** When the API server began not to take the credentials, in nanoseconds; 0 while it takes them. */
    private volatile long unauthorizedSince;

    private volatile boolean silent;

    /** How the API server is reached now. */
    private record Connection(Config config, HttpClient client, String root) {
        static Connection of(Config config) {
            // Else it repeats by itself what may be done only once.
            config.setRequestRetryBackoffLimit(0);
            HttpClient client = new SharedHttpClientFactory()
                    .newBuilder(config)
                    .addOrReplaceInterceptor(TRACES, null)
                    .build();
            return new Connection(config, client, config.getMasterUrl().replaceFirst("/+$", ""));
        }
    }

    /**
     * An API server.
     *
     * @param atOnce requests that run at a time; others wait as long as one may take
     */
    public KubeApiClient(Config config, int atOnce) {
        this(Connection.of(config), null, atOnce, System::nanoTime);
    }

    private KubeApiClient(
            Connection connection, @Nullable ReloadingKubeconfigFile file, int atOnce, LongSupplier ticks) {
        this.ticks = ticks;
        this.connection = connection;
        this.file = file;
        this.places = new Semaphore(atOnce);
        this.timeoutMillis = connection.config().getRequestTimeout();
    }

    /**
     * The API server that a kubeconfig names, as the file is at each time: it is opened anew when it has changed, and when the
     * credentials are not taken.
     *
     * @param kubeconfig null for the cluster in which this runs as a pod, or else the one that kubectl would ask here
     * @param ticks nanoseconds of a clock that nobody sets
     */
    public static KubeApiClient open(@Nullable Path kubeconfig, Duration timeout, int atOnce, LongSupplier ticks)
            throws IOException {
        if (kubeconfig == null) {
            return new KubeApiClient(KubeConnectionConfig.open(null, timeout), atOnce);
        }
        ReloadingKubeconfigFile file = new ReloadingKubeconfigFile(kubeconfig, timeout, ticks);
        return new KubeApiClient(Connection.of(file.openClient()), file, atOnce, ticks);
    }

    private Connection connection() {
        Connection now = connection;
        Config changed = file == null ? null : file.reloadIfChanged(isUnauthorized());
        if (changed == null) {
            return now;
        }
        Connection next = Connection.of(changed);
        connection = next;
        // What is under way on it ends by itself: nothing new is begun.
        now.client().close();
        return next;
    }

    /** Reads. */
    public KubeResponse get(String path) {
        return ask("GET", path, JSON, null, KubeResponseReader.ResponseLimits.OBJECT);
    }

    /** Asks one of the API server's own checks, such as {@code /readyz/etcd}. Its answer is text, and Done says no more. */
    public KubeResponse probe(String path) {
        return ask("GET", path, TEXT, null, KubeResponseReader.ResponseLimits.OBJECT);
    }

    /**
     * Reads a list in pages. Null once all of it was taken; else what went wrong. A list that goes on and on is not followed for
     * ever.
     *
     * @param selector more of the query, each part with an ampersand before it
     * @param most items of a list that is still followed, in whole pages
     */
    public @Nullable String forEachObject(String path, String selector, int most, Consumer<KubeObject> taker) {
        String from = "";
        for (int read = 0; read < most; read += PAGE) {
            KubeResponse reply = listPage(path, selector, from);
            if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
                return reply.problem();
            }
            successResponse.object().list("items").forEach(taker);
            String next = successResponse.object().text("metadata", "continue");
            if (next == null || next.isEmpty()) {
                return null;
            }
            from = next;
        }
        return "there are more than " + most;
    }

    /**
     * Reads a page of a list.
     *
     * @param selector more of the query, each part with an ampersand before it
     * @param from where it goes on, as the page before says; empty for the first
     */
    public KubeResponse listPage(String path, String selector, String from) {
        String whole = path + "?limit=" + PAGE + selector
                + (from.isEmpty() ? "" : "&continue=" + KubeApiPath.encodeQueryValue(from));
        return ask("GET", whole, JSON, null, KubeResponseReader.ResponseLimits.PAGE);
    }

    /** How far a list is: its version now, which is the store's. Of its items no more than one is read. */
    public KubeResponse readListVersion(String path) {
        return get(path + "?limit=1");
    }

    /**
     * Watches all of a list, from a version on. Does not count as a request that runs: it runs for long.
     *
     * @param length after which the API server is to end it
     * @param grace after which it is ended here, if the API server has not
     */
    public WatchResult watch(
            String path, String version, Duration length, Duration grace, WatchResult.WatchHandler watchHandler)
            throws InterruptedException {
        Connection now = connection();
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

    /** Changes what the body names; a null in it removes. */
    public KubeResponse mergePatch(String path, JsonObjectReader body) {
        return ask("PATCH", path, "application/merge-patch+json", body, KubeResponseReader.ResponseLimits.OBJECT);
    }

    /** Changes step by step, all or nothing. */
    public KubeResponse jsonPatch(String path, JsonPatchBuilder patch) {
        return ask(
                "PATCH", path, "application/json-patch+json", patch.toJson(), KubeResponseReader.ResponseLimits.OBJECT);
    }

    /** Makes the fields that the body names be so, and those be gone that were named before by the same manager. */
    public KubeResponse serverSideApply(String path, JsonObjectReader body) {
        return ask("PATCH", path, "application/apply-patch+yaml", body, KubeResponseReader.ResponseLimits.OBJECT);
    }

    /** Creates. */
    public KubeResponse createObject(String path, JsonObjectReader body) {
        return ask("POST", path, JSON, body, KubeResponseReader.ResponseLimits.OBJECT);
    }

    /** Whether the API server has not taken the credentials: others may have been written meanwhile. */
    public boolean isUnauthorized() {
        return unauthorizedSince != 0;
    }

    /** Whether it has not taken them for so long that somebody has to renew them. */
    public boolean isLockedOut() {
        long since = unauthorizedSince;
        return since != 0 && ticks.getAsLong() - since >= LOCKED_OUT.toNanos();
    }

    /** Whether the last request got no answer: the API server may be elsewhere now, or trusted by another authority. */
    public boolean isUnresponsive() {
        return silent;
    }

    /** How it is reached, for requests of another kind. */
    public Config config() {
        return connection.config();
    }

    /** What the paths of its requests are added to. */
    public String root() {
        return connection.root();
    }

    /** What a refusal says that another kind of request was answered with. */
    public String describeRefusal(int status, byte[] body) {
        return KubeResponseReader.readResponse(status, 0, body, KubeResponseReader.ResponseLimits.OBJECT)
                .problem();
    }

    private KubeResponse ask(
            String method,
            String path,
            String type,
            @Nullable JsonValue body,
            KubeResponseReader.ResponseLimits responseLimits) {
        Connection now = connection();
        // The client's own bound is only what lets go of a connection: whoever asked has gone by then.
        HttpRequest.Builder request = now.client()
                .newHttpRequestBuilder()
                .uri(now.root() + path)
                .header("Accept", "application/json")
                .timeout(2 * timeoutMillis, TimeUnit.MILLISECONDS);
        if (body != null) {
            request.method(method, type, KubeObject.toJsonText(body));
        }
        try {
            if (!places.tryAcquire(timeoutMillis, TimeUnit.MILLISECONDS)) {
                return new KubeResponse.NoResponse("too many requests to this API server wait for each other");
            }
            try {
                KubeResponse reply = sent(now.client(), request.build(), type.equals(TEXT), responseLimits);
                note(reply);
                return reply;
            } finally {
                places.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new KubeResponse.NoResponse("interrupted");
        }
    }

    private void note(KubeResponse reply) {
        silent = reply instanceof KubeResponse.NoResponse;
        if (reply instanceof KubeResponse.ErrorResponse errorResponse
                && errorResponse.status() == KubeResponse.UNAUTHORIZED) {
            if (unauthorizedSince == 0) {
                unauthorizedSince = ticks.getAsLong();
            }
        } else if (!silent) {
            unauthorizedSince = 0;
        }
    }

    private KubeResponse sent(
            HttpClient client, HttpRequest request, boolean text, KubeResponseReader.ResponseLimits responseLimits)
            throws InterruptedException {
        ResponseBodyCollector body = new ResponseBodyCollector(responseLimits.bytes());
        CompletableFuture<HttpResponse<AsyncBody>> answer;
        try {
            answer = client.consumeBytes(request, body);
        } catch (IllegalArgumentException | KubernetesClientException e) {
            // Its words may quote what it cannot send, such as a token.
            return new KubeResponse.NoResponse(
                    "the request cannot be made: " + e.getClass().getSimpleName());
        }
        try {
            HttpResponse<AsyncBody> response =
                    answer.thenCompose(body::collectBody).get(timeoutMillis, TimeUnit.MILLISECONDS);
            long retryAfter = KubeResponseReader.retryAfter(response.header("Retry-After"));
            return text
                    ? KubeResponseReader.readStatus(response.code(), retryAfter, body.bytes())
                    : KubeResponseReader.readResponse(response.code(), retryAfter, body.bytes(), responseLimits);
        } catch (ExecutionException e) {
            return new KubeResponse.NoResponse(why(e));
        } catch (TimeoutException e) {
            answer.cancel(true);
            body.cancel();
            return new KubeResponse.NoResponse("no whole answer within " + timeoutMillis + " ms");
        }
    }

    private static String why(Throwable e) {
        return RedactedText.redact(RootCauseMessage.describe(e), LONGEST_TEXT);
    }

    @Override
    public void close() {
        connection.client().close();
    }
}
