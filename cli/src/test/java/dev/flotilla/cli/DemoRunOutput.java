package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Output of a demonstration. */
record DemoRunOutput(JsonObjectReader json) {
    private static final int MOST_BYTES = 1 << 20;

    static CliResult run(String options) {
        List<String> args = new ArrayList<>(List.of("demo"));
        args.addAll(List.of(options.split(" ")));
        return CliResult.flotilla(args.toArray(String[]::new));
    }

    static DemoRunOutput read(String text) {
        ParseResult parseResult = JsonReader.read(text.getBytes(StandardCharsets.UTF_8), MOST_BYTES);
        assertThat(parseResult).isInstanceOf(ParseResult.ParsedDocument.class);
        return new DemoRunOutput((JsonObjectReader) ((ParseResult.ParsedDocument) parseResult).value());
    }

    long whole(String name) {
        return ((JsonValue.JsonInteger) Objects.requireNonNull(json.get(name))).value();
    }

    Map<String, Long> wholes(String name) {
        JsonObjectReader object = (JsonObjectReader) Objects.requireNonNull(json.get(name));
        Map<String, Long> wholes = new TreeMap<>();
        for (int i = 0; i < object.size(); i++) {
            wholes.put(object.name(i), ((JsonValue.JsonInteger) object.value(i)).value());
        }
        return wholes;
    }

    List<JsonValue> list(String name) {
        return ((JsonValue.JsonArray) Objects.requireNonNull(json.get(name))).items();
    }

    List<String> texts(String name) {
        return list(name).stream()
                .map(each -> ((JsonValue.JsonString) each).value())
                .toList();
    }
}
