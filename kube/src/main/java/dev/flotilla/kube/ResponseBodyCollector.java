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
 * The body of one answer, as it arrives. Nobody waits for its parts: whoever asked waits for all of it at once, and no longer
 * than for an answer.
 */
final class ResponseBodyCollector implements AsyncBody.Consumer<List<ByteBuffer>> {
    private final int most;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private volatile @Nullable AsyncBody arriving;

    /**
     * Nothing yet.
     *
     * @param most bytes that are taken; a body that is longer breaks off
     */
    ResponseBodyCollector(int most) {
        this.most = most;
    }

    /** The answer, once its body is here. */
    CompletableFuture<HttpResponse<AsyncBody>> collectBody(HttpResponse<AsyncBody> response) {
        AsyncBody body = response.body();
        arriving = body;
        body.consume();
        return body.done().thenApply(whole -> response);
    }

    /** One part after the other, each before the next is asked for. */
    @Override
    public void consume(List<ByteBuffer> parts, AsyncBody body) throws IOException {
        for (ByteBuffer part : parts) {
            if (bytes.size() + part.remaining() > most) {
                throw new IOException("an answer of more than " + most + " bytes");
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

    /** Nobody waits for it any more. */
    void cancel() {
        AsyncBody body = arriving;
        if (body != null) {
            body.cancel();
        }
    }
}
