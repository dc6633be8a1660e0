package dev.flotilla.auditor.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonParserTest {
    @Test
    void readsEveryKindOfValue() {
        JsonFieldReader row = JsonFieldReader.of(JsonParser.parse(
                " {\"a\": \"x\\n\\u00e9\\\"\\/\", \"b\":[1,-2.5e3], \"c\":true,\"d\":null , \"e\":{}, \"f\":12} "));
        assertThat(row.text("a")).isEqualTo("x\né\"/");
        assertThat(row.items("b")).containsExactly(new JsonValue.JsonNumber("1"), new JsonValue.JsonNumber("-2.5e3"));
        assertThat(row.bool("c")).isTrue();
        assertThat(row.has("d")).isFalse();
        assertThat(row.child("e").object().members()).isEmpty();
        assertThat(row.number("f")).isEqualTo(12);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[1",
                "{\"a\"}",
                "{\"a\":}",
                "\"x",
                "\"\\u12\"",
                "\"\\x\"",
                "tru",
                "[1,]",
                "{} {}",
                "?",
                "[1 2]"
            })
    void rejectsInvalidJson(String text) {
        assertThatExceptionOfType(MalformedJsonException.class).isThrownBy(() -> JsonParser.parse(text));
    }

    @Test
    void limitsNesting() {
        assertThatExceptionOfType(MalformedJsonException.class)
                .isThrownBy(() -> JsonParser.parse("[".repeat(100_000)))
                .withMessageContaining("nested too deeply");
    }

    @Test
    void writesWhatItReads() {
        String text = new JsonTextWriter()
                .begin('{')
                .name("a")
                .text("\"\\\n")
                .name("b")
                .begin('[')
                .plain(1)
                .plain(true)
                .end(']')
                .end('}')
                .toString();
        assertThat(text).isEqualTo("{\"a\":\"\\\"\\\\\\u000a\",\"b\":[1,true]}");
        assertThat(JsonFieldReader.of(JsonParser.parse(text)).text("a")).isEqualTo("\"\\\n");
    }

    @Test
    void hashIgnoresTheOrderOfMembers() {
        long one = JsonHash.hashOf(JsonParser.parse("{\"a\":1,\"b\":[1,2]}"));
        assertThat(JsonHash.hashOf(JsonParser.parse("{ \"b\":[1,2], \"a\":1 }")))
                .isEqualTo(one);
        assertThat(JsonHash.hashOf(JsonParser.parse("{\"a\":1,\"b\":[2,1]}"))).isNotEqualTo(one);
        assertThat(JsonHash.hashOf(JsonParser.parse("{\"a\":\"1\",\"b\":[1,2]}")))
                .isNotEqualTo(one);
    }

    @Test
    void readsInstantsAndDurations() {
        JsonFieldReader row = JsonFieldReader.of(JsonParser.parse(
                "{\"t\":\"1970-01-01T01:00:00.250+01:00\",\"d\":\"1h30m\",\"wrong\":\"soon\",\"half\":\"1h5\"}"));
        assertThat(row.instant("t")).isEqualTo(250);
        assertThat(row.durationOrNull("d")).isEqualTo(5_400_000);
        assertThat(row.durationOrNull("none")).isNull();
        assertThatExceptionOfType(MalformedJsonException.class).isThrownBy(() -> row.instant("wrong"));
        assertThatExceptionOfType(MalformedJsonException.class).isThrownBy(() -> row.durationOrNull("half"));
    }
}
