package dev.flotilla.bench.watcher;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Audit log of an API server. */
final class ApiServerAuditLog {
    private static final int MOST_BYTES = 4 * 1024 * 1024;
    private static final int FIRST_ERROR = 400;

    private final Path file;

    ApiServerAuditLog(Path file) {
        this.file = file;
    }

    /** Number of answered requests. */
    long length() throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        }
    }

    /**
     * Counts successful requests of a user by verb and resource, such as {@code patch machines/status}.
     *
     * @param from index of the first request that counts
     */
    SortedMap<String, Long> requests(String user, long from) throws IOException {
        SortedMap<String, Long> counts = new TreeMap<>();
        try (Stream<String> lines = Files.lines(file)) {
            lines.skip(from).forEach(line -> {
                JsonObjectReader entry = read(line);
                if (text(entry, "user", "username").equals(user) && isSuccessful(entry)) {
                    String part = text(entry, "objectRef", "subresource");
                    counts.merge(
                            text(entry, "verb", "") + " " + text(entry, "objectRef", "resource")
                                    + (part.isEmpty() ? "" : "/" + part),
                            1L,
                            Long::sum);
                }
            });
        }
        return counts;
    }

    private static boolean isSuccessful(JsonObjectReader entry) {
        return entry.get("responseStatus") instanceof JsonObjectReader status
                && status.get("code") instanceof JsonValue.JsonInteger code
                && code.value() < FIRST_ERROR;
    }

    private static String text(JsonObjectReader entry, String name, String inner) {
        JsonValue outer = entry.get(name);
        JsonValue jsonValue = inner.isEmpty()
                ? outer
                : outer instanceof JsonObjectReader jsonObjectReader ? jsonObjectReader.get(inner) : null;
        return jsonValue instanceof JsonValue.JsonString jsonString ? jsonString.value() : "";
    }

    private static JsonObjectReader read(String line) {
        if (JsonReader.read(line.getBytes(StandardCharsets.UTF_8), MOST_BYTES)
                        instanceof ParseResult.ParsedDocument parsedDocument
                && parsedDocument.value() instanceof JsonObjectReader jsonObjectReader) {
            return jsonObjectReader;
        }
        throw new IllegalStateException("the audit log has a line that cannot be read: " + line);
    }
}
