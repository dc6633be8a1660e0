package dev.flotilla.cli.demo.stage;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Client for JSON over HTTP on this machine. Uses the JDK's older client, which needs no threads and starts at once.
 */
public final class HttpJsonClient {
    private static final int PATIENCE_MILLIS = 3000;
    private static final int MAX_BYTES = 16 * 1024 * 1024;
    private static final int FIRST_ERROR = 400;

    private HttpJsonClient() {}

    /** Gets the JSON object of a response, whatever its status; null without one. */
    public static @Nullable JsonObjectReader get(URI uri) {
        try {
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            InputStream body = connection.getResponseCode() < FIRST_ERROR
                    ? connection.getInputStream()
                    : connection.getErrorStream();
            if (body == null) {
                return null;
            }
            try (body) {
                return JsonReader.read(body.readAllBytes(), MAX_BYTES)
                                        instanceof ParseResult.ParsedDocument parsedDocument
                                && parsedDocument.value() instanceof JsonObjectReader jsonObjectReader
                        ? jsonObjectReader
                        : null;
            }
        } catch (IOException e) {
            return null;
        }
    }
}
