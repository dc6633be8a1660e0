package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.ApiError;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import java.nio.charset.StandardCharsets;

/** The response to a request. */
public sealed interface ApiResponse {

    /** A complete response. */
    final class BodyResponse implements ApiResponse {
        private final int status;
        private final String contentType;
        private final byte[] body;

        BodyResponse(int status, String contentType, byte[] body) {
            this.status = status;
            this.contentType = contentType;
            this.body = body;
        }

        public int status() {
            return status;
        }

        public String contentType() {
            return contentType;
        }

        /** Must not be modified. */
        public byte[] body() {
            return body;
        }
    }

    /** A stream of watch events. */
    record WatchResponse(ObjectWatch watch) implements ApiResponse {}

    /** A connection to a port of a pod through a WebSocket. */
    record PortForwardResponse(ObjectReference pod, int port) implements ApiResponse {}

    static BodyResponse json(int status, byte[] body) {
        return new BodyResponse(status, "application/json", body);
    }

    static BodyResponse json(int status, JsonObjectReader body) {
        return json(status, ImmutableJson.bytes(body));
    }

    static BodyResponse text(String body) {
        return text(200, body);
    }

    static BodyResponse text(int status, String body) {
        return new BodyResponse(status, "text/plain", body.getBytes(StandardCharsets.UTF_8));
    }

    static BodyResponse errorResponse(ApiError apiError) {
        return json(apiError.code(), apiError.status());
    }
}
