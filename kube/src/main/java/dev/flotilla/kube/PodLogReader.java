package dev.flotilla.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads the logs of containers, which are texts and not objects. Uses the connection parameters of another client. */
public final class PodLogReader implements AutoCloseable {
    private static final int OK = 200;

    /** An error response is an object, for which there must be room too. */
    private static final int GRACE_BYTES = 64 * 1024;

    private final KubeApiClient api;
    private final HttpClient client;
    private final int maxBytes;

    /** The result of reading a log. */
    public sealed interface PodLog {}

    /** The end of a log. */
    public record LogText(String text) implements PodLog {}

    /** The log could not be read. */
    public record NoLog(String reason) implements PodLog {}

    private PodLogReader(KubeApiClient api, HttpClient client, int maxBytes) {
        this.api = api;
        this.client = client;
        this.maxBytes = maxBytes;
    }

    /**
     * Opens a reader.
     *
     * @param maxBytes the maximum size of a log
     */
    public static PodLogReader open(KubeApiClient api, int maxBytes) {
        HttpClient client = new SharedHttpClientFactory()
                .newBuilder(api.config())
                .addOrReplaceInterceptor(KubeApiClient.LOGGING_INTERCEPTOR, null)
                .build();
        return new PodLogReader(api, client, maxBytes);
    }

    /**
     * Reads the last lines that a container has logged.
     *
     * @param previous whether to read the log of the container before its last restart
     */
    public PodLog read(String namespace, String pod, String container, int lines, boolean previous) {
        Config config = api.config();
        String path = KubeApiPath.coreObject(namespace, "pods", pod) + "/log?container="
                + KubeApiPath.encodeQueryValue(container) + "&timestamps=true&tailLines=" + lines + "&previous="
                + previous;
        ResponseBodyCollector body = new ResponseBodyCollector(maxBytes + GRACE_BYTES);
        CompletableFuture<HttpResponse<AsyncBody>> answer;
        try {
            HttpRequest request = client.newHttpRequestBuilder()
                    .uri(api.root() + path + "&limitBytes=" + maxBytes)
                    .timeout(config.getRequestTimeout(), TimeUnit.MILLISECONDS)
                    .build();
            answer = client.consumeBytes(request, body);
        } catch (IllegalArgumentException | KubernetesClientException e) {
            // Not the exception's message: it may quote what cannot be sent, such as a token.
            return new NoLog("the request cannot be sent: " + e.getClass().getSimpleName());
        }
        try {
            int status = answer.thenCompose(body::collectBody)
                    .get(config.getRequestTimeout(), TimeUnit.MILLISECONDS)
                    .code();
            return status == OK
                    ? new LogText(new String(body.bytes(), StandardCharsets.UTF_8))
                    : new NoLog(api.describeRefusal(status, body.bytes()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new NoLog("interrupted");
        } catch (ExecutionException e) {
            return new NoLog(RootCauseMessage.describe(e));
        } catch (TimeoutException e) {
            answer.cancel(true);
            body.cancel();
            return new NoLog("no complete response within " + config.getRequestTimeout() + " ms");
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
