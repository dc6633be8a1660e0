package dev.flotilla.runtime.http;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * Why there is no answer.
 *
 * @param status the HTTP status
 * @param code a stable word for programs
 * @param message for people, with the value that is wrong
 * @param hint what to do; null where there is nothing to say
 */
public record HttpErrorResponse(
        int status, String code, String message, @Nullable String hint) {
    private static final int MAX_TEXT = 4_096;

    /** How an error looks, wherever it comes from. */
    public static final JsonCodec<HttpErrorResponse> CODEC = codec();

    private static final int SERVICE_UNAVAILABLE = 503;

    /** Something is not ready for this question yet, or has too much to do. */
    public static HttpErrorResponse unavailable(String code, String message, @Nullable String hint) {
        return new HttpErrorResponse(SERVICE_UNAVAILABLE, code, message, hint);
    }

    private static JsonCodec<HttpErrorResponse> codec() {
        var error = JsonObjectCodec.<HttpErrorResponse>of("error-body", "What went wrong.");
        var code = error.required("code", ScalarCodecs.TOKEN, "A stable word for programs.", HttpErrorResponse::code);
        var message = error.required(
                "message",
                ScalarCodecs.text(1, MAX_TEXT),
                "For people, with the value that is wrong.",
                HttpErrorResponse::message);
        var hint =
                error.optional("hint", ScalarCodecs.text(1, MAX_TEXT), "What to do about it.", HttpErrorResponse::hint);
        JsonObjectCodec<HttpErrorResponse> body =
                error.build(v -> new HttpErrorResponse(SERVICE_UNAVAILABLE, v.get(code), v.get(message), v.get(hint)));
        var whole = JsonObjectCodec.<HttpErrorResponse>of("error", "Why there is no answer.");
        var inner = whole.required("error", body, "What went wrong.", e -> e);
        return whole.build(v -> v.get(inner));
    }

    /** Ends a response with this. */
    public void send(HttpServerResponse response) {
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            // Part of an answer is out already. Cut off, it cannot be taken for the whole.
            response.reset();
            return;
        }
        response.setStatusCode(status);
        if (status == SERVICE_UNAVAILABLE) {
            response.putHeader("Retry-After", "1");
        }
        JsonResponseWriter.send(response, CODEC, this);
    }
}
