package dev.flotilla.runtime.http;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * The body of an error response.
 *
 * @param status the HTTP status
 * @param code a stable code for programs
 * @param message the problem for people, with the wrong value
 * @param hint what to do; null if there is nothing to add
 */
public record HttpErrorResponse(
        int status, String code, String message, @Nullable String hint) {
    private static final int MAX_TEXT = 4_096;

    /** The codec of the body of every error response. */
    public static final JsonCodec<HttpErrorResponse> CODEC = codec();

    private static final int SERVICE_UNAVAILABLE = 503;

    /** The response if the server is not ready for a request yet, or overloaded. */
    public static HttpErrorResponse unavailable(String code, String message, @Nullable String hint) {
        return new HttpErrorResponse(SERVICE_UNAVAILABLE, code, message, hint);
    }

    private static JsonCodec<HttpErrorResponse> codec() {
        var error = JsonObjectCodec.<HttpErrorResponse>of("error-body", "The error.");
        var code = error.required("code", ScalarCodecs.TOKEN, "A stable code for programs.", HttpErrorResponse::code);
        var message = error.required(
                "message",
                ScalarCodecs.text(1, MAX_TEXT),
                "The problem for people, with the wrong value.",
                HttpErrorResponse::message);
        var hint =
                error.optional("hint", ScalarCodecs.text(1, MAX_TEXT), "What to do about it.", HttpErrorResponse::hint);
        JsonObjectCodec<HttpErrorResponse> body =
                error.build(v -> new HttpErrorResponse(SERVICE_UNAVAILABLE, v.get(code), v.get(message), v.get(hint)));
        var whole = JsonObjectCodec.<HttpErrorResponse>of("error", "The body of an error response.");
        var inner = whole.required("error", body, "The error.", e -> e);
        return whole.build(v -> v.get(inner));
    }

    /** Ends a request with this error, and closes its connection: Vert.x leaves that to a client that may not do it. */
    public void sendAndClose(HttpServerRequest request) {
        request.response().putHeader("Connection", "close");
        send(request.response()).onComplete(sent -> request.connection().close());
    }

    /** Ends a response with this error. Completes when it is sent. */
    public Future<Void> send(HttpServerResponse response) {
        if (response.ended() || response.closed()) {
            return Future.succeededFuture();
        }
        if (response.headWritten()) {
            // A part of the response was sent already. Close the connection, so that it is not taken for the whole.
            response.reset();
            return Future.succeededFuture();
        }
        response.setStatusCode(status);
        if (status == SERVICE_UNAVAILABLE) {
            response.putHeader("Retry-After", "1");
        }
        return JsonResponseWriter.send(response, CODEC, this);
    }
}
