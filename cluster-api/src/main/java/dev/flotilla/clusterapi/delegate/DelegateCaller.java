package dev.flotilla.clusterapi.delegate;

import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.update.FollowingUpdate;
import dev.flotilla.clusterapi.update.UpdateAnswer;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.RedactedText;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Passes an {@code UpdateMachine} request on to the delegates that apply fields of its objects, one after the other. A delegate that does
 * not answer, or not as the hook does, is in progress.
 */
public final class DelegateCaller implements FollowingUpdate {
    /** The largest answer that is read. */
    static final int MAX_ANSWER = 1024 * 1024;

    private static final int OUTAGE_SECONDS = 10;
    private static final int MAX_RETRY_SECONDS = 3_600;
    private static final int MAX_MESSAGE = 200;
    private static final int OK = 200;

    private final Vertx vertx;
    private final List<UpdateDelegate> delegates;
    private final Duration timeout;

    /**
     * Makes a caller.
     *
     * @param timeout how long all delegates may take for one request: Cluster API waits 10 s
     */
    public DelegateCaller(Vertx vertx, List<UpdateDelegate> delegates, Duration timeout) {
        this.vertx = vertx;
        this.delegates = List.copyOf(delegates);
        this.timeout = timeout;
    }

    @Override
    public UpdateAnswer update(CoverageTable table, KubeObject request) {
        long end = System.nanoTime() + timeout.toNanos();
        for (UpdateDelegate delegate : delegates) {
            if (isConcerned(delegate, table, request)) {
                UpdateAnswer answer = call(delegate, request, end - System.nanoTime());
                if (!(answer instanceof UpdateAnswer.Done)) {
                    return answer;
                }
            }
        }
        return new UpdateAnswer.Done();
    }

    /** Whether a request has an object with fields that a delegate applies; the settings of its namespace may leave them out. */
    private static boolean isConcerned(UpdateDelegate delegate, CoverageTable table, KubeObject request) {
        KubeObject desired = request.object("desired");
        return HookObject.OF_MACHINE.stream()
                .map(object -> object.findIn(desired))
                .anyMatch(object -> object != null
                        && delegate.covers().stream()
                                .anyMatch(covered -> covered.kind().equals(object.text("kind"))
                                        && table.isDelegated(covered.kind(), covered.paths())));
    }

    private UpdateAnswer call(UpdateDelegate delegate, KubeObject request, long nanos) {
        JsonObjectReader.Builder body = new JsonObjectReader.Builder();
        for (int i = 0; i < request.json().size(); i++) {
            if (!request.json().name(i).equals("settings")) {
                body.put(request.json().name(i), request.json().value(i));
            }
        }
        // The CA may have been replaced, so its file is read for each call.
        HttpClient client = vertx.createHttpClient(new HttpClientOptions()
                .setMaxRedirects(0)
                .setTrustOptions(
                        new PemTrustOptions().addCertPath(delegate.caFile().toString())));
        try {
            return read(
                    delegate,
                    post(client, delegate, KubeObject.toJsonText(body.build()))
                            .toCompletionStage()
                            .toCompletableFuture()
                            .get(Math.max(1, nanos), TimeUnit.NANOSECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return unanswered(delegate);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unanswered(delegate);
        } finally {
            client.close();
        }
    }

    private Future<Buffer> post(HttpClient client, UpdateDelegate delegate, String body) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(delegate.hookUrl())
                .setFollowRedirects(false)
                .putHeader("Content-Type", "application/json");
        Promise<Buffer> answer = Promise.promise();
        // In the context of the connection: elsewhere a fast answer could be over before its body is asked for.
        vertx.runOnContext(begin -> client.request(options)
                .compose(request -> request.send(Buffer.buffer(body.getBytes(StandardCharsets.UTF_8)))
                        .compose(response -> readBody(request, response)))
                .onComplete(answer));
        return answer.future();
    }

    private static Future<Buffer> readBody(HttpClientRequest request, HttpClientResponse response) {
        Promise<Buffer> read = Promise.promise();
        response.exceptionHandler(read::tryFail);
        if (response.statusCode() != OK) {
            read.tryFail("status " + response.statusCode());
            request.reset();
            return read.future();
        }
        Buffer body = Buffer.buffer();
        response.handler(part -> {
            if (body.length() + part.length() > MAX_ANSWER) {
                read.tryFail("more than " + MAX_ANSWER + " bytes");
                request.reset();
            } else {
                body.appendBuffer(part);
            }
        });
        response.endHandler(end -> read.tryComplete(body));
        return read.future();
    }

    /** Reads an answer as Cluster API does: a success without {@code retryAfterSeconds} is done. */
    private static UpdateAnswer read(UpdateDelegate delegate, Buffer body) {
        KubeObject answer = parse(body.getBytes());
        String status = answer == null ? null : answer.text("status");
        if (answer == null || status == null) {
            return unanswered(delegate);
        }
        String message = answer.text("message");
        String text = "delegate " + delegate.name()
                + (message == null || message.isEmpty() ? "" : ": " + RedactedText.redact(message, MAX_MESSAGE));
        if (status.equals("Failure")) {
            return new UpdateAnswer.Failed(text);
        }
        if (!status.equals("Success")
                || (answer.has("retryAfterSeconds") && answer.number("retryAfterSeconds") == null)) {
            return unanswered(delegate);
        }
        Long seconds = answer.number("retryAfterSeconds");
        return seconds == null || seconds <= 0
                ? new UpdateAnswer.Done()
                : new UpdateAnswer.InProgress((int) Math.min(seconds, MAX_RETRY_SECONDS), text);
    }

    private static @Nullable KubeObject parse(byte[] json) {
        return JsonReader.readDocument(json, MAX_ANSWER) instanceof ParseResult.ParsedDocument parsed
                        && parsed.errors().isEmpty()
                        && parsed.value() instanceof JsonObjectReader object
                ? new KubeObject(object)
                : null;
    }

    private static UpdateAnswer unanswered(UpdateDelegate delegate) {
        return new UpdateAnswer.InProgress(OUTAGE_SECONDS, "delegate " + delegate.name() + " does not answer");
    }
}
