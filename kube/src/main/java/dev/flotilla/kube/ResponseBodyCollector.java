package dev.flotilla.kube;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Collects the body of one response as it arrives. The caller waits for the whole body, within the timeout of the request.
 */
final class ResponseBodyCollector implements AsyncBody.Consumer<List<ByteBuffer>> {
    private final int maxBytes;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private volatile @Nullable AsyncBody arriving;

    /**
     * Makes a collector.
     *
     * @param most the maximum number of bytes; a longer body fails
     */
    ResponseBodyCollector(int most) {
        this.maxBytes = most;
    }

    /** Returns the response once its body is complete. */
    CompletableFuture<HttpResponse<AsyncBody>> collectBody(HttpResponse<AsyncBody> response) {
        AsyncBody body = response.body();
        arriving = body;
        body.consume();
        return body.done().thenApply(whole -> response);
    }

    /** Consumes one part, before the next one is requested. */
    @Override
    public void consume(List<ByteBuffer> parts, AsyncBody body) throws IOException {
        for (ByteBuffer part : parts) {
            if (bytes.size() + part.remaining() > maxBytes) {
                throw new IOException("a response of more than " + maxBytes + " bytes");
            }
            byte[] some = new byte[part.remaining()];
            part.get(some);
            bytes.writeBytes(some);
        }
        body.consume();
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }

    /** Cancels the body: no caller waits for it. */
    void cancel() {
        AsyncBody body = arriving;
        if (body != null) {
            body.cancel();
        }
    }
}
