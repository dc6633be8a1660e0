package dev.flotilla.runtime.http;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.tree.JsonWriter;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/** Writes JSON responses with codecs. */
public final class JsonResponseWriter {
    public static final String TYPE = "application/json";

    private JsonResponseWriter() {}

    /** Ends a response with a value. Completes when it is sent. */
    public static <T> Future<Void> send(HttpServerResponse response, JsonCodec<T> codec, T value) {
        if (response.ended() || response.closed()) {
            return Future.succeededFuture();
        }
        JsonWriter out = new JsonWriter();
        codec.write(out, value);
        return response.putHeader("Content-Type", TYPE)
                .end(Buffer.buffer(out.toBytes()))
                .onFailure(failure -> response.reset());
    }
}
