package dev.flotilla.e2e.arena;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Client for JSON over HTTP to processes on this machine. */
public final class ProcessHttpClient {
    private static final int PATIENCE_MILLIS = 2_000;
    private static final int MAX_BYTES = 64 * 1024 * 1024;
    private static final int FIRST_ERROR = 400;

    private ProcessHttpClient() {}

    /** A response with its status. */
    public record ProcessHttpResponse(int status, JsonObjectReader body) {
        public String text(String field) {
            return body.get(field) instanceof JsonValue.JsonString jsonString ? jsonString.value() : "";
        }

        public long whole(String field) {
            return body.get(field) instanceof JsonValue.JsonInteger jsonInteger ? jsonInteger.value() : -1;
        }

        public boolean flag(String field) {
            return body.get(field) instanceof JsonValue.JsonBoolean jsonBoolean && jsonBoolean.value();
        }

        public List<JsonObjectReader> list(String field) {
            return body.get(field) instanceof JsonValue.JsonArray jsonArray
                    ? jsonArray.items().stream()
                            .filter(JsonObjectReader.class::isInstance)
                            .map(JsonObjectReader.class::cast)
                            .toList()
                    : List.of();
        }
    }

    /** Gets a response; null if there is none. */
    public static @Nullable ProcessHttpResponse get(URI uri) {
        try {
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            int status = connection.getResponseCode();
            try (InputStream body = status < FIRST_ERROR ? connection.getInputStream() : connection.getErrorStream()) {
                return body != null
                                && JsonReader.read(body.readAllBytes(), MAX_BYTES)
                                        instanceof ParseResult.ParsedDocument parsedDocument
                                && parsedDocument.value() instanceof JsonObjectReader jsonObjectReader
                        ? new ProcessHttpResponse(status, jsonObjectReader)
                        : null;
            }
        } catch (IOException e) {
            return null;
        }
    }
}
