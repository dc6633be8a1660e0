package dev.flotilla.bench;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The figures as JSON for programs: the names are promised, see the README. */
final class FigureJson {
    private static final MathContext DIGITS = new MathContext(6);

    private FigureJson() {}

    static byte[] of(Figures figures, Surroundings surroundings) {
        JsonObjectReader machine = new JsonObjectReader.Builder()
                .put("cpus", surroundings.cpus())
                .put("memory", surroundings.memory())
                .put("java", surroundings.java())
                .put("kafka", text(surroundings.kafka()))
                .build();
        JsonObjectReader all = new JsonObjectReader.Builder()
                .put("commit", text(surroundings.commit()))
                .put("machine", machine)
                .put("rows", list(figures.rows().stream().map(FigureJson::row).toList()))
                .put(
                        "invalid",
                        list(figures.invalid().stream().map(FigureJson::invalid).toList()))
                .build();
        JsonWriter writer = new JsonWriter();
        writer.jsonValue(all);
        return writer.toBytes();
    }

    private static JsonValue row(Figure figure) {
        Figure.Spread spread = figure.spread();
        JsonObjectReader.Builder row = new JsonObjectReader.Builder()
                .put("id", figure.id())
                .put("name", figure.name())
                .put("detail", text(figure.detail()))
                .put("value", number(figure.value()))
                .put("unit", figure.unit())
                .put("better", figure.better().label())
                .put("floor", number(figure.floor()))
                .put("goal", number(figure.goal()))
                .put("meets", figure.meets().label())
                .put("gates", figure.gates());
        if (spread == null) {
            return row.put("pairs", nothing()).put("interval", nothing()).build();
        }
        return row.put("pairs", spread.pairs())
                .put("interval", list(List.of(number(spread.low()), number(spread.high()))))
                .build();
    }

    private static JsonValue invalid(Figures.Invalid invalid) {
        return new JsonObjectReader.Builder()
                .put("id", invalid.id())
                .put("why", invalid.why())
                .build();
    }

    private static JsonValue list(List<JsonValue> items) {
        return new JsonValue.JsonArray(items, JsonValue.NO_LINE);
    }

    private static JsonValue text(@Nullable String value) {
        return value == null ? nothing() : new JsonValue.JsonString(value, JsonValue.NO_LINE);
    }

    private static JsonValue number(@Nullable Double value) {
        if (value == null) {
            return nothing();
        }
        String written =
                new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
        return new JsonValue.JsonDecimal(written, JsonValue.NO_LINE);
    }

    private static JsonValue nothing() {
        return new JsonValue.JsonNull(JsonValue.NO_LINE);
    }
}
