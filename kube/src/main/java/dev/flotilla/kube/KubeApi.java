package dev.flotilla.kube;

import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.Shown;
import dev.flotilla.schemas.json.tree.Tree;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An API server. Each request is made once: what is worth another try knows only who asked. The client's own operations are
 * not used, since they read an object before they patch it, and repeat what was answered with 429.
 */
public final class KubeApi implements AutoCloseable {
    /** What the library logs with at its finest: all headers, bearer tokens among them. */
    private static final String TRACES = "HttpLogging";

    /** A page of a list is the largest that is asked for. */
    private static final int MOST_BYTES = 32 * 1024 * 1024;

    private static final int PAGE = 250;
    private static final int LONGEST_TEXT = 300;
    private static final long LONGEST_RETRY_AFTER = 60;
    private static final int OK = 200;
    private static final int FIRST_REDIRECT = 300;
    private static final int FIRST_REFUSAL = 400;

    private final Config config;
    private final HttpClient client;
    private final String root;
    private final Semaphore places;
    private final long timeoutMillis;
    private volatile boolean unauthorized;
    private volatile boolean silent;

    /**
     * An API server.
     *
     * @param atOnce requests that run at a time; others wait as long as one may take
     */
    public KubeApi(Config config, int atOnce) {
        // Else it repeats by itself what may be done only once.
        config.setRequestRetryBackoffLimit(0);
        this.config = config;
        this.client = new SharedThreads()
                .newBuilder(config)
                .addOrReplaceInterceptor(TRACES, null)
                .build();
        this.root = config.getMasterUrl().replaceFirst("/+$", "");
        this.places = new Semaphore(atOnce);
        this.timeoutMillis = config.getRequestTimeout();
    }

    /** Reads. */
    public Reply get(String path) {
        return ask("GET", path, "application/json", null);
    }

    /**
     * Reads a list in pages. Null once all of it was taken; else what went wrong. A list that goes on and on is not followed for
     * ever.
     *
     * @param selector more of the query, each part with an ampersand before it
     * @param most items of a list that is still followed, in whole pages
     */
    public @Nullable String each(String path, String selector, int most, Consumer<Kube> taker) {
        String from = "";
        for (int read = 0; read < most; read += PAGE) {
            Reply reply = page(path, selector, from);
            if (!(reply instanceof Reply.Done done)) {
                return reply.problem();
            }
            done.object().list("items").forEach(taker);
            String next = done.object().text("metadata", "continue");
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
    public Reply page(String path, String selector, String from) {
        return get(path + "?limit=" + PAGE + selector + (from.isEmpty() ? "" : "&continue=" + KubePath.value(from)));
    }

    /** How far a list is: its version now, which is the store's. Of its items no more than one is read. */
    public Reply version(String path) {
        return get(path + "?limit=1");
    }

    /**
     * Watches all of a list, from a version on. Does not count as a request that runs: it runs for long.
     *
     * @param length after which the API server is to end it
     * @param grace after which it is ended here, if the API server has not
     */
    public Watched watch(String path, String version, Duration length, Duration grace, Watched.Taker taker)
            throws InterruptedException {
        HttpRequest request = client.newHttpRequestBuilder()
                .uri(root + path + "?watch=1&allowWatchBookmarks=true&resourceVersion=" + KubePath.value(version)
                        + "&timeoutSeconds=" + length.toSeconds())
                .header("Accept", "application/json")
                .timeout(timeoutMillis, TimeUnit.MILLISECONDS)
                .build();
        return new KubeWatch(taker)
                .run(client, request, timeoutMillis, length.plus(grace).toMillis());
    }

    /** Changes what the body names; a null in it removes. */
    public Reply merge(String path, Obj body) {
        return ask("PATCH", path, "application/merge-patch+json", body);
    }

    /** Changes step by step, all or nothing. */
    public Reply patch(String path, JsonPatch patch) {
        return ask("PATCH", path, "application/json-patch+json", patch.steps());
    }

    /** Makes the fields that the body names be so, and those be gone that were named before by the same manager. */
    public Reply apply(String path, Obj body) {
        return ask("PATCH", path, "application/apply-patch+yaml", body);
    }

    /** Creates. */
    public Reply post(String path, Obj body) {
        return ask("POST", path, "application/json", body);
    }

    /** Whether the API server has not taken the credentials: others may have been written meanwhile. */
    public boolean isUnauthorized() {
        return unauthorized;
    }

    /** Whether the last request got no answer: the API server may be elsewhere now, or trusted by another authority. */
    public boolean isSilent() {
        return silent;
    }

    /** How it is reached, for requests of another kind. */
    public Config config() {
        return config;
    }

    /** What the paths of its requests are added to. */
    public String root() {
        return root;
    }

    /** What a refusal says that another kind of request was answered with. */
    public String refused(int status, byte[] body) {
        return answered(status, 0, body).problem();
    }

    private Reply ask(String method, String path, String type, @Nullable Tree body) {
        // The client's own bound is only what lets go of a connection: whoever asked has gone by then.
        HttpRequest.Builder request = client.newHttpRequestBuilder()
                .uri(root + path)
                .header("Accept", "application/json")
                .timeout(2 * timeoutMillis, TimeUnit.MILLISECONDS);
        if (body != null) {
            request.method(method, type, Kube.written(body));
        }
        try {
            if (!places.tryAcquire(timeoutMillis, TimeUnit.MILLISECONDS)) {
                return new Reply.Silent("too many requests to this API server wait for each other");
            }
            try {
                Reply reply = sent(request.build());
                silent = reply instanceof Reply.Silent;
                return reply;
            } finally {
                places.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Reply.Silent("interrupted");
        }
    }

    private Reply sent(HttpRequest request) throws InterruptedException {
        WholeBody body = new WholeBody(MOST_BYTES);
        CompletableFuture<HttpResponse<AsyncBody>> answer = client.consumeBytes(request, body);
        try {
            HttpResponse<AsyncBody> response = answer.thenCompose(body::of).get(timeoutMillis, TimeUnit.MILLISECONDS);
            return answered(response.code(), retryAfter(response.header("Retry-After")), body.bytes());
        } catch (ExecutionException e) {
            return new Reply.Silent(why(e));
        } catch (TimeoutException e) {
            answer.cancel(true);
            body.cancel();
            return new Reply.Silent("no whole answer within " + timeoutMillis + " ms");
        }
    }

    /** It may be a date as well, which no API server writes. */
    static long retryAfter(@Nullable String header) {
        try {
            return header == null ? 0 : Math.clamp(Long.parseLong(header), 0, LONGEST_RETRY_AFTER);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private Reply answered(int status, long retryAfter, byte[] bytes) {
        if (status == Reply.UNAUTHORIZED) {
            unauthorized = true;
        }
        return read(status, retryAfter, bytes);
    }

    private static Reply read(int status, long retryAfter, byte[] bytes) {
        if (status >= FIRST_REDIRECT && status < FIRST_REFUSAL) {
            // Whatever it leads to, and whatever it says, is not the API server's.
            return new Reply.Refused(status, "a redirect, which is not followed", retryAfter);
        }
        boolean good = status >= OK && status < FIRST_REDIRECT;
        return switch (JsonReader.read(bytes, MOST_BYTES)) {
            case Parsed.Broken broken ->
                unreadable(good, status, retryAfter, broken.why().problem());
            case Parsed.Whole whole -> {
                if (!(whole.tree() instanceof Obj obj)) {
                    yield unreadable(good, status, retryAfter, "it is no object");
                }
                yield good ? new Reply.Done(new Kube(obj)) : new Reply.Refused(status, said(new Kube(obj)), retryAfter);
            }
        };
    }

    private static Reply unreadable(boolean good, int status, long retryAfter, String why) {
        String text = "an answer (" + status + ") that cannot be read: " + why;
        return good ? new Reply.Silent(text) : new Reply.Refused(status, text, retryAfter);
    }

    /** A Status' message with its causes: of an eviction they name the budget. */
    private static String said(Kube status) {
        String message = status.text("message");
        StringBuilder text = new StringBuilder(message == null ? "no reason given" : message);
        for (Kube cause : status.list("details", "causes")) {
            String more = cause.text("message");
            if (more != null) {
                text.append(' ').append(more);
            }
        }
        return Shown.of(text.toString(), LONGEST_TEXT);
    }

    private static String why(Throwable e) {
        return Shown.of(RootCause.of(e), LONGEST_TEXT);
    }

    @Override
    public void close() {
        client.close();
    }
}
