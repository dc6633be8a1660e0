package dev.flotilla.runtime.http;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.tree.JsonWriter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/** Writes JSON responses with codecs. */
public final class JsonResponseWriter {
    public static final String TYPE = "application/json";

    private JsonResponseWriter() {}

    /** Ends a response with a value. */
    public static <T> void send(HttpServerResponse response, JsonCodec<T> codec, T value) {
        if (response.ended() || response.closed()) {
            return;
        }
        JsonWriter out = new JsonWriter();
        codec.write(out, value);
        response.putHeader("Content-Type", TYPE)
                .end(Buffer.buffer(out.toBytes()))
                .onFailure(failure -> response.reset());
    }
}
