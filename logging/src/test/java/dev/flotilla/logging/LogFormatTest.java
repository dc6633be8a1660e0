package dev.flotilla.logging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;

class LogFormatTest {
    private static final String NASTY = "two words=\"quoted\"\nforged\u2028\u0085\u0000\\";

    private static LogEvent event(String message, @Nullable Throwable error, KeyValuePair... data) {
        return new LogEvent(
                Instant.parse("2026-01-02T03:04:05Z"), Level.WARN, "dev.flotilla.Loop", message, List.of(data), error);
    }

    private static KeyValuePair pair(String key, @Nullable Object value) {
        return new KeyValuePair(key, value);
    }

    @Test
    void writesTextWithTheDataAfterTheMessage() {
        assertThat(LogFormat.TEXT.format(
                        event("attempt started", null, pair("site", "east"), pair("attempt", 17), pair("end", null))))
                .isEqualTo("2026-01-02T03:04:05.000Z WARN Loop attempt started site=east attempt=17 end=null\n");
    }

    @Test
    void writesJsonWithTypedDataInTheGivenOrder() {
        assertThat(LogFormat.JSON.format(
                        event("attempt started", null, pair("site", "east"), pair("attempt", 17), pair("open", true))))
                .isEqualTo("{\"time\":\"2026-01-02T03:04:05.000Z\",\"level\":\"warn\",\"logger\":\"dev.flotilla.Loop\","
                        + "\"message\":\"attempt started\",\"site\":\"east\",\"attempt\":17,\"open\":true}\n");
    }

    @Test
    void aValueCannotForgeAnotherLine() {
        for (LogFormat format : LogFormat.values()) {
            assertThat(format.format(event(NASTY, null, pair("reason", NASTY))))
                    .as(format.label())
                    .hasLineCount(1)
                    .doesNotContain("\u2028", "\u0085", "\u0000");
        }
        assertThat(LogFormat.TEXT.format(event("m", null, pair("reason", "a \"b\""), pair("empty", ""))))
                .endsWith(" m reason=\"a \\\"b\\\"\" empty=\"\"\n");
    }

    @Test
    void anotherParserReadsTheJson() throws IOException {
        assertThat(strings(LogFormat.JSON.format(event(NASTY, null, pair("reason", NASTY), pair("ü", "ü€𝄞")))))
                .contains(NASTY, "ü€𝄞")
                .endsWith("ü", "ü€𝄞");
    }

    @Test
    void writesTheStackTraceWithItsCause() throws IOException {
        Exception error = new IllegalStateException("outer", new IOException("inner"));
        assertThat(strings(LogFormat.JSON.format(event("failed", error))))
                .contains("error")
                .last()
                .asString()
                .startsWith("java.lang.IllegalStateException: outer\n\tat ")
                .contains("Caused by: java.io.IOException: inner");
        assertThat(LogFormat.TEXT.format(event("failed", error)))
                .contains("Loop failed\njava.lang.IllegalStateException: outer\n\tat ");
    }

    private static List<String> strings(String json) throws IOException {
        List<String> found = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isScalarValue() || token == JsonToken.FIELD_NAME) {
                    found.add(parser.getText());
                }
            }
        }
        return found;
    }
}
