package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.store.ObjectRef;
import dev.flotilla.simulator.kubernetes.store.Refusal;
import java.nio.charset.StandardCharsets;

/** What is answered to a request. */
public sealed interface ApiAnswer {

    /** Everything at once. */
    final class Said implements ApiAnswer {
        private final int status;
        private final String contentType;
        private final byte[] body;

        Said(int status, String contentType, byte[] body) {
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

        /** Not to be changed. */
        public byte[] body() {
            return body;
        }
    }

    /** One event after the other. */
    record Watching(Watch watch) implements ApiAnswer {}

    /** A port of a pod, to be spoken to through a WebSocket. */
    record Forwarding(ObjectRef pod, int port) implements ApiAnswer {}

    static Said json(int status, byte[] body) {
        return new Said(status, "application/json", body);
    }

    static Said json(int status, JsonObjectReader body) {
        return json(status, Json.bytes(body));
    }

    static Said text(String body) {
        return text(200, body);
    }

    static Said text(int status, String body) {
        return new Said(status, "text/plain", body.getBytes(StandardCharsets.UTF_8));
    }

    static Said refused(Refusal refusal) {
        return json(refusal.code(), refusal.status());
    }
}
