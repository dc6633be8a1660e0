package dev.flotilla.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The figures as a table for people. */
final class FigureTable {
    private static final List<String> HEAD = List.of("id", "name", "value", "unit", "floor", "goal", "meets");
    private static final int FIRST_NUMBER = 2;
    private static final String GAP = "  ";

    private FigureTable() {}

    static String of(Figures figures) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(HEAD);
        figures.rows().forEach(figure -> lines.add(line(figure)));
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
        for (Figures.Invalid one : figures.invalid()) {
            invalid.computeIfAbsent(one.why(), why -> new ArrayList<>()).add(one.id());
        }
        invalid.forEach((why, ids) -> text.append("invalid: ")
                .append(String.join(", ", ids))
                .append(": ")
                .append(why)
                .append('\n'));
        return text.toString();
    }

    private static List<String> line(Figure figure) {
        Figure.Spread spread = figure.spread();
        String name = figure.name() + (figure.detail() == null ? "" : " (" + figure.detail() + ")");
        String between = spread == null
                ? ""
                : " [" + number(spread.low()) + ", " + number(spread.high()) + "] of " + spread.pairs();
        return List.of(
                figure.id(),
                name + between,
                number(figure.value()),
                figure.unit(),
                figure.floor() == null ? "-" : number(figure.floor()),
                figure.goal() == null ? "-" : number(figure.goal()),
                meets(figure));
    }

    private static String meets(Figure figure) {
        if (figure.floor() == null && figure.goal() == null) {
            return "-";
        }
        return figure.meets().label() + (figure.gates() ? "" : " (does not gate)");
    }

    /** Four digits that count, without an exponent. */
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
