package dev.flotilla.bench;

import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Formats the measurements as JSON. The field names are stable, see docs/benchmarks.md. */
final class MeasurementJson {
    private static final MathContext DIGITS = new MathContext(6);

    private MeasurementJson() {}

    static byte[] of(Measurements measurements, BenchmarkEnvironment benchmarkEnvironment) {
        JsonObjectReader machine = new JsonObjectReader.Builder()
                .put("cpus", benchmarkEnvironment.cpus())
                .put("memory", benchmarkEnvironment.memory())
                .put("java", benchmarkEnvironment.java())
                .put("kafka", text(benchmarkEnvironment.kafka()))
                .build();
        JsonObjectReader all = new JsonObjectReader.Builder()
                .put("commit", text(benchmarkEnvironment.commit()))
                .put("machine", machine)
                .put(
                        "rows",
                        list(measurements.rows().stream()
                                .map(MeasurementJson::row)
                                .toList()))
                .put(
                        "invalid",
                        list(measurements.invalid().stream()
                                .map(MeasurementJson::invalid)
                                .toList()))
                .build();
        JsonWriter writer = new JsonWriter();
        writer.jsonValue(all);
        return writer.toBytes();
    }

    private static JsonValue row(Measurement measurement) {
        Measurement.ConfidenceInterval confidenceInterval = measurement.spread();
        JsonObjectReader.Builder row = new JsonObjectReader.Builder()
                .put("id", measurement.id())
                .put("name", measurement.name())
                .put("detail", text(measurement.detail()))
                .put("value", number(measurement.value()))
                .put("unit", measurement.unit())
                .put("better", measurement.better().label())
                .put("floor", number(measurement.floor()))
                .put("goal", number(measurement.goal()))
                .put("meets", measurement.verdict().label())
                .put("gates", measurement.isGating());
        if (confidenceInterval == null) {
            return row.put("pairs", nothing()).put("interval", nothing()).build();
        }
        return row.put("pairs", confidenceInterval.pairs())
                .put("interval", list(List.of(number(confidenceInterval.low()), number(confidenceInterval.high()))))
                .build();
    }

    private static JsonValue invalid(Measurements.InvalidMeasurement invalidMeasurement) {
        return new JsonObjectReader.Builder()
                .put("id", invalidMeasurement.id())
                .put("why", invalidMeasurement.reason())
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
