package dev.flotilla.bench;

import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurements;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats the measurements as a text table. */
final class MeasurementTable {
    private static final List<String> HEAD = List.of("id", "name", "value", "unit", "floor", "goal", "meets");
    private static final int FIRST_NUMBER = 2;
    private static final String GAP = "  ";

    private MeasurementTable() {}

    static String of(Measurements measurements) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(HEAD);
        measurements.rows().forEach(measurement -> lines.add(line(measurement)));
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder row = new StringBuilder();
            for (int column = 0; column < line.size(); column++) {
                row.append(padded(line.get(column), width(lines, column), isNumber(column)))
                        .append(GAP);
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        Map<String, List<String>> invalid = new LinkedHashMap<>();
        for (Measurements.InvalidMeasurement invalidMeasurement : measurements.invalid()) {
            invalid.computeIfAbsent(invalidMeasurement.reason(), reason -> new ArrayList<>())
                    .add(invalidMeasurement.id());
        }
        invalid.forEach((reason, ids) -> text.append("invalid: ")
                .append(String.join(", ", ids))
                .append(": ")
                .append(reason)
                .append('\n'));
        return text.toString();
    }

    private static List<String> line(Measurement measurement) {
        Measurement.ConfidenceInterval confidenceInterval = measurement.spread();
        String name = measurement.name() + (measurement.detail() == null ? "" : " (" + measurement.detail() + ")");
        String between = confidenceInterval == null
                ? ""
                : " [" + number(confidenceInterval.low()) + ", " + number(confidenceInterval.high()) + "] of "
                        + confidenceInterval.pairs();
        return List.of(
                measurement.id(),
                name + between,
                number(measurement.value()),
                measurement.unit(),
                measurement.floor() == null ? "-" : number(measurement.floor()),
                measurement.goal() == null ? "-" : number(measurement.goal()),
                meets(measurement));
    }

    private static String meets(Measurement measurement) {
        if (measurement.floor() == null && measurement.goal() == null) {
            return "-";
        }
        return measurement.verdict().label() + (measurement.isGating() ? "" : " (does not gate)");
    }

    /** Formats a number with four significant digits, without an exponent. */
    static String number(@Nullable Double value) {
        if (value == null) {
            return "-";
        }
        double size = Math.abs(value);
        String text = size >= 1000
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, size >= 100 ? "%.1f" : size >= 10 ? "%.2f" : "%.4f", value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    private static boolean isNumber(int column) {
        return column == FIRST_NUMBER || column == FIRST_NUMBER + 2 || column == FIRST_NUMBER + 3;
    }

    private static int width(List<List<String>> lines, int column) {
        return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
    }

    private static String padded(String text, int width, boolean right) {
        String spaces = " ".repeat(width - text.length());
        return right ? spaces + text : text + spaces;
    }
}
